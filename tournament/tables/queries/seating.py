"""Who is to be seated, who sits where, and who watches: reads for the draw, the room and the printed sheet."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, TypedDict, cast

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django_stubs_ext import Annotations

from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, Role, SessionState
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import (
    entrants_of_session,
    entrants_of_stage,
    is_on_list,
    lists,
    stages_after,
    status_at,
)
from tournament.events.queries import rounds_after, rounds_before, rounds_in_order
from tournament.tables.models import Draw, Seat, SheetPrint, Table
from tournament.tables.queries.papers import changed_paper_parts

SEATING_ACTS = (
    "draw_seats",
    "confirm_seats",
    "swap_seats",
    "move_seat",
    "seat_late_entrant",
    "open_table",
    "dissolve_table",
    "free_seat",
    "undo_move",
    "assign_referee",
)


def stages_of(event: Event) -> list[Stage]:
    """The event's stages in the order of play."""
    return list(Stage.objects.filter(event=event).select_related("event").order_by("order"))


def sessions_with_draw(stage: Stage) -> QuerySet[Session]:
    """The stage's sessions with their draw, in order; a void one has no more seats to give."""
    return (
        Session.objects.filter(stage=stage)
        .exclude(state=SessionState.VOID)
        .select_related("stage__event", "draw__drawn_by", "draw__confirmed_by")
        .order_by("number")
    )


def entrants_of_seating_session(session: Session) -> list[Entrant]:
    """Everyone entered for this session, in a later stage all on its list, by number, with person, family and lists."""
    found = entrants_of_session(session).select_related("person", "family", "session").prefetch_related(lists())
    return list(found.order_by("number"))


def entrants_to_seat(session: Session) -> list[Entrant]:
    """Those of them who take part."""
    return [entrant for entrant in entrants_of_seating_session(session) if takes_part_in_session(entrant, session)]


def takes_part_in_session(entrant: Entrant, session: Session) -> bool:
    """Whether the entrant plays in this session: nobody who has withdrawn, or was moved to another one."""
    stage = session.stage
    if not stage.is_first:
        there = is_on_list(entrant, stage)
    elif stage.has_rounds_for_all:
        there = entrant.session is not None and entrant.session.stage_id == stage.pk
    else:
        there = entrant.session_id == session.pk
    return there and status_at(entrant, stage) == EntrantStatus.OK


def earlier_seats(session: Session) -> list[tuple[Session, list[Seat]]]:
    """The rounds before this one, each with its seats by table and letter; two queries."""
    rounds = rounds_before(session)
    seats: dict[int, list[Seat]] = {one.pk: [] for one in rounds}
    chosen = Seat.objects.filter(session__in=rounds).select_related("table", "entrant")
    for seat in chosen.order_by("table__number", "letter"):
        seats[seat.session_id].append(seat)
    return [(one, seats[one.pk]) for one in rounds]


def later_draws(session: Session) -> list[Draw]:
    """The draws of the rounds after this one, in order."""
    if not session.stage.has_rounds_for_all:
        return []
    places = {one.pk: place for place, one in enumerate(rounds_after(session))}
    draws = Draw.objects.filter(session__in=places).select_related("session__stage__event")
    return sorted(draws, key=lambda draw: places[draw.session_id])


def referees_by_account_name(event: Event) -> list[User]:
    """The event's referees in the order of their account names: always the same."""
    chosen = Membership.objects.filter(event=event, role=Role.REFEREE).values("user")
    return list(User.objects.filter(pk__in=chosen, is_active=True).order_by("username"))


def seats_of_session(session: Session) -> list[Seat]:
    """Every seat of the session by table and letter, with entrant, person and family."""
    chosen = Seat.objects.filter(session=session)
    chosen = chosen.select_related("table", "entrant__person", "entrant__family").prefetch_related(lists("entrant__"))
    return list(chosen.order_by("table__number", "letter"))


def seat_in_session(session: Session, entrant: Entrant) -> Seat | None:
    """An entrant's seat in the session."""
    return Seat.objects.filter(session=session, entrant=entrant).select_related("table").first()


def current_draw_of(session: Session) -> Draw | None:
    """The session's draw as it stands now."""
    return Draw.objects.filter(session=session).select_related("drawn_by", "confirmed_by").first()


def typed_tables(session: Session) -> set[int]:
    """Numbers of the tables whose sheet somebody has begun to type."""
    return set(Table.objects.filter(session=session, scoresheets__isnull=False).values_list("number", flat=True))


def last_seating_act(session: Session) -> AuditEntry | None:
    """Who last changed this session's seats, and when."""
    entries = AuditEntry.objects.filter(
        event_id=session.stage.event_id, subject=f"session {session.code}", action__in=SEATING_ACTS
    )
    return entries.select_related("actor").order_by("-seq").first()


@dataclass(slots=True)
class SessionSeats:
    """One session on the list: how many take part, and what its tables hold. `unseated` and `gone` are numbers.

    `held`: of each number that sit at a table, at how many. `cannot`: the rules have no tables for so many, or the hall
    too few; `other_sizes`: of the rules' own size the tables are not. Who calls sets both (rules stand after queries).
    `round` from 1 where the stage has rounds; `waits_for`: the round before, while its seats are not confirmed.
    """

    session: Session
    draw: Draw | None
    entrants: int
    tables: int = 0
    held: Mapping[int, int] = field(default_factory=dict)
    other_sizes: Sequence[tuple[int, int]] = ()
    without_referee: int = 0
    unseated: int = 0
    gone: int = 0
    cannot: bool = False
    families: list[dict[str, Any]] = field(default_factory=list)
    meetings: list[dict[str, Any]] = field(default_factory=list)
    letters: list[dict[str, Any]] = field(default_factory=list)
    schools: list[dict[str, Any]] = field(default_factory=list)
    round: int | None = None
    waits_for: Session | None = None

    @property
    def state(self) -> str:
        """`empty`, `undrawn`, `drawn`, `outdated` (the entrants changed since the draw) or `confirmed`."""
        if self.draw is None:
            return "undrawn" if self.entrants else "empty"
        if self.draw.confirmed_at:
            return "confirmed"
        return "outdated" if self.unseated or self.gone else "drawn"


class SeatsHeld(TypedDict):
    """How many sit at the table."""

    held: int


def stage_seats(stage: Stage) -> list[SessionSeats]:
    """All sessions of the stage; the same five queries however many there are."""
    in_rounds = stage.has_rounds_for_all
    sessions = rounds_in_order(stage) if in_rounds else list(sessions_with_draw(stage))
    playing = entrants_of_stage(stage).filter(status_there=EntrantStatus.OK).order_by()
    if in_rounds:
        entrants = dict.fromkeys([session.pk for session in sessions], playing.count())
    else:
        entrants = dict(playing.values("session").annotate(n=Count("pk")).values_list("session", "n"))
    beyond = Finalist.objects.filter(entrant=OuterRef("entrant"), stage__in=stages_after(stage))
    there = Q(entrant__status=EntrantStatus.OK) | Q(Exists(beyond))
    seated_ok = _seats_by_session(stage, there)
    seated = _seats_by_session(stage, Q())
    tables = Table.objects.filter(session__stage=stage).annotate(held=Count("seats")).order_by("session", "number")
    by_session: dict[int, list[Annotated[Table, Annotations[SeatsHeld]]]] = {}
    for table in tables:
        by_session.setdefault(table.session_id, []).append(table)
    rows = [
        _session_seats(
            session,
            entrants.get(session.pk, 0),
            by_session.get(session.pk, []),
            seated.get(session.pk, 0),
            seated_ok.get(session.pk, 0),
        )
        for session in sessions
    ]
    if stage.rounds > 1:
        for number, row in enumerate(rows, start=1):
            row.round = number
            row.waits_for = next((one.session for one in rows[: number - 1] if one.state != "confirmed"), None)
    return rows


def _seats_by_session(stage: Stage, which: Q) -> dict[int, int]:
    seats = Seat.objects.filter(which, session__stage=stage).order_by().values("session")
    return dict(seats.annotate(n=Count("pk")).values_list("session", "n"))


def _session_seats(
    session: Session,
    entrants: int,
    tables: Sequence[Annotated[Table, Annotations[SeatsHeld]]],
    seated: int,
    seated_ok: int,
) -> SessionSeats:
    draw = getattr(session, "draw", None)
    could_not = draw.could_not if draw else []

    def kept_not(kind: str) -> list[dict[str, Any]]:
        return [one for one in could_not if one["kind"] == kind]

    return SessionSeats(
        session=session,
        draw=draw,
        entrants=entrants,
        tables=len(tables),
        held=Counter(table.held for table in tables),
        without_referee=sum(table.referee_id is None for table in tables),
        unseated=max(entrants - seated_ok, 0) if draw else 0,
        gone=seated - seated_ok,
        families=kept_not("family"),
        meetings=kept_not("meeting"),
        letters=kept_not("letter"),
        schools=kept_not("school"),
    )


class SeatStatus(TypedDict):
    """The `status` of a seat's entrant in the stage of the session."""

    status: str


def tables_of_session_room(session: Session) -> list[Table]:
    """The session's tables with referee and seats (entrant, person, family), by number; two queries. Each seat has the
    `status` of its entrant in this stage."""
    seats = Seat.objects.select_related("entrant__person", "entrant__family").order_by("letter")
    seats = seats.prefetch_related(lists("entrant__"))
    tables = Table.objects.filter(session=session).select_related("referee")
    found = list(tables.prefetch_related(Prefetch("seats", queryset=seats)).order_by("number"))
    for table in found:
        for seat in table.seats.all():
            cast(Annotated[Seat, Annotations[SeatStatus]], seat).status = status_at(seat.entrant, session.stage)
    return found


def tables_to_print(stage: Stage, session: int | None = None, table: int | None = None) -> list[Table]:
    """Tables with session, referee and seats (entrant, person), in the order of the day; two queries for any number."""
    seats = Seat.objects.select_related("entrant__person").order_by("letter")
    chosen = Table.objects.filter(session__stage=stage)
    if session is not None:
        chosen = chosen.filter(session__number=session)
    if table is not None:
        chosen = chosen.filter(number=table)
    return list(
        chosen.select_related("session__stage__event", "session__draw", "referee")
        .prefetch_related(Prefetch("seats", queryset=seats))
        .order_by("session__number", "number")
    )


# --- Papers ---------------------------------------------------------------------------------------------
class PaperState(StrEnum):
    """What a printed sheet is worth; `outdated`: something that it says has changed since it was printed."""

    UNPRINTED = "unprinted"
    CURRENT = "current"
    OUTDATED = "outdated"
    REPLACED = "replaced"
    DISSOLVED = "dissolved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JudgedPaper:
    """A paper by its serial, judged. `newest`: the paper of this table that was printed last; `changed`: what of that
    one is no more so (queries.seating_papers)."""

    session: Session
    table: int
    number: int
    state: PaperState
    newest: SheetPrint | None
    changed: tuple[str, ...] = ()

    @property
    def serial(self) -> str:
        """The serial on this paper."""
        return paper_serial(self.session, self.table, self.number)

    @property
    def newest_serial(self) -> str:
        """The serial of the paper to use instead."""
        return paper_serial(self.session, self.table, self.newest.number if self.newest else 1)

    @property
    def usable(self) -> bool:
        """Whether a sheet may be typed from it; an outdated one may, and is warned of."""
        return self.state in (PaperState.CURRENT, PaperState.OUTDATED, PaperState.UNPRINTED)


def paper_serial(session: Session, table: int, number: int) -> str:
    """`0406-3-06`, and from the second printing on `0406-3-06-2`."""
    return f"{session.code}-{table:02d}" + (f"-{number}" if number > 1 else "")


def newest_prints(sessions: Collection[Session] | QuerySet[Session]) -> dict[tuple[int, int], SheetPrint]:
    """The last paper of each table, by session's key and table's number; one query."""
    prints = SheetPrint.objects.filter(session__in=sessions).select_related("referee", "kept").order_by("number")
    return {(one.session_id, one.table_number): one for one in prints}


def is_paper_outdated(paper: SheetPrint, table: Table, session: Session) -> bool:
    """Whether the paper says anything that is no more so: of its seats, names, referee, day, hours or event."""
    return bool(changed_paper_parts(paper, table, session))


@dataclass(frozen=True, slots=True)
class PapersOfStage:
    """How many papers the confirmed sessions have, lack, and of these how many because their table has changed."""

    printed: int
    to_print: int
    print_again: int


def papers_of_stage(stage: Stage) -> PapersOfStage:
    """Counts over all tables whose seats are confirmed and whose sheet is not begun; four queries. A postponed session
    has its papers once its day is known, a void one needs none."""
    seats = Prefetch("seats", queryset=Seat.objects.select_related("entrant__person"))
    confirmed = Table.objects.filter(session__stage=stage, session__draw__confirmed_at__isnull=False)
    confirmed = confirmed.exclude(session__state__in=(SessionState.POSTPONED, SessionState.VOID))
    prints = newest_prints(Session.objects.filter(stage=stage))
    begun = set(Table.objects.filter(session__stage=stage, scoresheets__isnull=False).values_list("pk", flat=True))
    lacking = again = printed = 0
    for table in confirmed.select_related("referee", "session__stage__event").prefetch_related(seats):
        paper = prints.get((table.session_id, table.number))
        printed += paper is not None
        if table.pk not in begun and (paper is None or is_paper_outdated(paper, table, table.session)):
            lacking += 1
            again += paper is not None
    return PapersOfStage(printed, lacking, again)


def judge_paper(session: Session, table: int, number: int = 1) -> JudgedPaper:
    """What the paper with this serial is worth. Before the first printing a table's first serial is as good as any."""
    prints = SheetPrint.objects.filter(session=session, table_number=table).select_related("kept")
    newest = prints.order_by("-number").first()
    seats = Prefetch("seats", queryset=Seat.objects.select_related("entrant__person"))
    row = Table.objects.filter(session=session, number=table).select_related("referee").prefetch_related(seats).first()
    parts = changed_paper_parts(newest, row, session) if newest and row else []
    return JudgedPaper(
        session, table, number, _judge_paper_state(row, number, newest, bool(parts)), newest, tuple(parts)
    )


def _judge_paper_state(table: Table | None, number: int, newest: SheetPrint | None, changed: bool) -> PaperState:
    last = newest.number if newest else 0
    if not 1 <= number <= max(last, 1):
        return PaperState.UNKNOWN
    if table is None:
        return PaperState.DISSOLVED if newest else PaperState.UNKNOWN
    if newest is None:
        return PaperState.UNPRINTED
    if number < last:
        return PaperState.REPLACED
    return PaperState.OUTDATED if changed else PaperState.CURRENT


def is_draw_confirmed(session: Session) -> bool:
    """Whether the session's draw is confirmed, so that sheets can come back from its tables."""
    draw = getattr(session, "draw", None)
    return draw is not None and draw.confirmed_at is not None

"""What must hold before the seats of a session change: each check refuses with what stands against it."""

from collections.abc import Collection, Iterable
from typing import NoReturn

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring import seating as rules
from scoring.problems import Refusal
from tournament.audit.models import AuditHead
from tournament.core.enums import LifeStage
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.queries.session_life import SessionLife, session_life_of
from tournament.tables import domain as bridge
from tournament.tables.models import Draw, Seat, Table
from tournament.tables.queries import seating as queries

CANNOT_SEAT = _(
    "%(count)s entrants cannot be seated at tables of %(least)s to %(most)s. Move one to or from this session."
)
CANNOT_SEAT_FINAL = _("%(count)s finalists cannot be seated at tables of %(least)s to %(most)s.")
TOO_MANY_TABLES = _(
    "%(count)s entrants need %(tables)s tables, this session has %(held)s. Move some to another session."
)
TOO_MANY_TABLES_FINAL = _(
    "%(count)s finalists need %(tables)s tables, this session has %(held)s. Add tables in the set-up of the final."
)
SESSION_PAST_SEATING = _(
    "This session is past its seating; its seats stay as they are. Record an absence at the desk instead."
)
# Once people play, the seats are a fact of the hall.
SEATING_SESSION_VOID = _(
    "This session is void: its seats and papers stay as they were. What is played anew has its own."
)
SEATING_CLOSED_STAGES = (LifeStage.STAMPED, LifeStage.RELEASED, LifeStage.VOID)


def lock_session(session: Session) -> Session:
    """The session's row, held until the transaction ends: acts on its seats come one after another. Of a void session
    seats and papers stay as they were."""
    row = Session.objects.select_for_update(of=("self",), no_key=True).select_related("stage__event").get(pk=session.pk)
    if SessionLife(row.state).stage == LifeStage.VOID:
        raise Refused("session_void", SEATING_SESSION_VOID, row)
    return row


def require_draw_revision(session: Session, revision: int | None) -> Draw | None:
    """The draw as it stands, refused where its author has seen another revision."""
    draw = Draw.objects.filter(session=session).first()
    current = draw.revision if draw else 0
    if revision is None or revision == current:
        return draw
    last = queries.last_seating_act(session)
    raise StaleVersion(
        "seating_changed",
        _("Nothing was changed: %(who)s changed these seats at %(when)s. See them as they stand, then repeat."),
        session,
        current=draw,
        who=(last.actor.first_name or last.actor.get_username()) if last and last.actor else "?",
        when=f"{timezone.localtime(last.at):%H:%M}" if last else "?",
    )


def require_drawn(session: Session) -> Draw:
    """The session's draw, refused where there is none yet."""
    draw = queries.current_draw_of(session)
    if draw is None:
        raise Refused("not_drawn", _("The seats of this session are not drawn yet. Draw them first."), session)
    return draw


def not_over(session: Session) -> None:
    """Not played to its last sheet: where its results stand nobody is seated any more."""
    if session_life_of(session).is_over:
        raise Refused("play_has_begun", SESSION_PAST_SEATING, session)


def require_session_not_begun(session: Session) -> None:
    """Nobody plays yet, held back by the weather or not, and no sheet of the session has been begun."""
    life = session_life_of(session)
    if life.stage in SEATING_CLOSED_STAGES or (life.has_begun and not life.sheets):
        raise Refused("play_has_begun", SESSION_PAST_SEATING, session)
    if life.sheets:
        refuse_typed_table(session, min(queries.typed_tables(session)))


def refuse_typed_table(session: Session, table: int) -> NoReturn:
    """Refuse for the sheet of this table."""
    raise Refused(
        "sheet_typed",
        _("Scoresheet %(serial)s is being typed already; the seats of its table stay as they are."),
        session,
        serial=f"{session.code}-{table:02d}",
    )


def basis_of(session: Session, entrants: Iterable[Entrant]) -> bridge.DrawBasis:
    """What a draw of these is made from; in a final of rounds with the seats of the rounds before (R38)."""
    stage = session.stage
    sizes = ruleset_of_stage(stage).table_sizes
    earlier = [seats for _round, seats in queries.earlier_seats(session)] if stage.rounds > 1 else []
    return bridge.draw_basis_of(entrants, earlier, stage.rounds, sizes)


def seatable_entrants_basis(session: Session) -> bridge.DrawBasis:
    """Those who take part, as the draw takes them; refused where there is nobody, where so many cannot be seated
    (R13), where the hall has too few tables, and before the round before is confirmed."""
    final = not session.stage.is_first
    list_fixed(session)
    rounds_confirmed(session)
    entrants = queries.entrants_to_seat(session)
    if not entrants:
        raise Refused("nobody_to_seat", _("Nobody takes part in this session yet. Import the entrants first."), session)
    try:
        tables = len(rules.table_sizes(len(entrants), ruleset_of_stage(session.stage).table_sizes))
    except Refusal as refusal:
        raise Refused(
            "cannot_seat",
            CANNOT_SEAT_FINAL if final else CANNOT_SEAT,
            session,
            count=len(entrants),
            **size_limits(session),
        ) from refusal
    if tables > session.table_count:
        said = TOO_MANY_TABLES_FINAL if final else TOO_MANY_TABLES
        facts = {"count": len(entrants), "tables": tables, "held": session.table_count}
        raise Refused("too_many_tables", said, session, **facts)
    return basis_of(session, entrants)


def size_limits(session: Session) -> dict[str, int]:
    """How few and how many sit at a table by the rules of the session's stage (R13)."""
    sizes = ruleset_of_stage(session.stage).table_sizes
    return {"least": min(sizes), "most": max(sizes)}


def list_fixed(session: Session) -> None:
    """Of a final: who plays it is fixed (R38)."""
    if not session.stage.is_first and session.stage.frozen_at is None:
        raise Refused(
            "finalists_not_fixed",
            _("The list of finalists is not fixed yet. Fix it first: then seats are drawn."),
            session,
        )


def lock_finalists_frozen(session: Session) -> None:
    """The same as it stands now and until the transaction ends: whoever opens the list holds the audit head first."""
    if not session.stage.is_first:
        AuditHead.objects.select_for_update(no_key=True).get(event=session.stage.event_id)
        session.stage.refresh_from_db(fields=["frozen_at"])
        list_fixed(session)


def rounds_confirmed(session: Session) -> None:
    """The rounds before have their seats: who has met whom is known only then (R38)."""
    if not session.stage.has_rounds_for_all:
        return
    for number, (earlier, _seats) in enumerate(queries.earlier_seats(session), start=1):
        draw = getattr(earlier, "draw", None)
        if draw is None or draw.confirmed_at is None:
            raise Refused(
                "earlier_round_open",
                _("Round %(round)s has no confirmed seats yet. A round is drawn from who sat with whom before it."),
                session,
                round=number,
            )


def refuse_not_seated(session: Session, number: int) -> NoReturn:
    """Refuse for an entrant without a seat here."""
    raise BadInput("not_seated", _("Entrant %(number)s has no seat in this session."), session, number=f"{number:04d}")


def refuse_not_waiting(session: Session, number: int) -> NoReturn:
    """Refuse for somebody who waits for no seat here."""
    raise BadInput(
        "not_waiting_for_a_seat",
        _("Entrant %(number)s does not take part in this session, or has a seat already."),
        session,
        number=f"{number:04d}",
    )


def lock_tables(session: Session, tables: Collection[int]) -> None:
    """Hold the tables' rows, so that no sheet of theirs is begun meanwhile."""
    list(Table.objects.select_for_update(no_key=True).filter(session=session, number__in=tables).order_by("pk"))


def require_tables_untyped(session: Session, tables: Collection[int], typed: Collection[int] | None = None) -> None:
    """No sheet of these tables has been begun: from then on the paper says who sat there."""
    begun = queries.typed_tables(session) if typed is None else typed
    found = set(begun) & set(tables)
    if found:
        refuse_typed_table(session, min(found))


def all_seated(session: Session) -> None:
    """Everyone who takes part has a seat, and everyone with a seat takes part."""
    seated = set(Seat.objects.filter(session=session).values_list("entrant__number", flat=True))
    taking_part = {entrant.number for entrant in queries.entrants_to_seat(session)}
    if taking_part - seated:
        raise Refused(
            "not_all_seated",
            _("Since the draw these entrants have joined and have no seat: %(numbers)s. Draw again, then confirm."),
            session,
            numbers=sorted_numbers_text(taking_part - seated),
        )
    if seated - taking_part:
        raise Refused(
            "seated_not_taking_part",
            _("Since the draw these entrants no longer take part: %(numbers)s. Draw again, then confirm."),
            session,
            numbers=sorted_numbers_text(seated - taking_part),
        )


def sorted_numbers_text(numbers: set[int]) -> str:
    """Entrant numbers of four digits, in order, separated by commas."""
    return ", ".join(f"{number:04d}" for number in sorted(numbers))

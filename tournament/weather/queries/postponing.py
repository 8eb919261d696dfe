"""Sessions that were held back, postponed, broken off, declared void or played anew, and what rests on them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import proposals_of
from tournament.audit.models import AuditEntry
from tournament.core.enums import (
    LOCKED_STATES,
    ClockKind,
    EntrantStatus,
    GameEnd,
    LifeStage,
    ProposalOutcome,
    SessionState,
)
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Ruling
from tournament.entrants.queries.finalists import entrants_playing_by_stage, lists
from tournament.events.models import SessionMove
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.models.signing import OfficialSheet
from tournament.sheets.queries.clock import SESSION_DECISION_KINDS
from tournament.sheets.queries.scoresheets import newest_sheets
from tournament.sheets.queries.session_life import SessionLife, session_lives_of
from tournament.tables.models import Seat
from tournament.tables.queries.seating import takes_part_in_session

# What two people do where sheets are locked, by the log's words.
TWO_PERSON_SESSION_ACTS = ("replay_session", "undecide_session")
# What the weather did to a session as a whole.
STOPPING_KINDS = (ClockKind.HOLD, ClockKind.POSTPONE, ClockKind.SUSPEND, ClockKind.REPLAY)


# --- The page -------------------------------------------------------------------------------------------
@dataclass(slots=True)
class StoppedSession:
    """One session that was stopped, or that is played in the place of one.

    `taking_part`, `withdrew` and `gave_up` are entrants, the last two since it was stopped; `tables`, `seats` are those
    of its draw; `signed` sheets and finished `games` are of the session that was broken off. `events` are what moved
    it, `moves` its times, both in order. `ahead`: the check-in that it has is still to come. Of its sheets `locked`
    count, or would again: where there are any, two people decide of a replay. `waiting` is what one has proposed,
    `agreed` what two have done.
    """

    session: Session
    events: Sequence[ClockEvent]
    life: SessionLife
    moves: Sequence[SessionMove] = ()
    taking_part: int = 0
    withdrew: int = 0
    gave_up: int = 0
    tables: int = 0
    seats: int = 0
    sheets: int = 0
    signed: int = 0
    games: int = 0
    locked: int = 0
    waiting: Proposal | None = None
    agreed: Sequence[Proposal] = ()
    played_by: Session | None = None
    ahead: bool = False

    @property
    def last(self) -> str:
        """The kind of event that moved it last; empty without one."""
        return self.events[-1].kind if self.events else ""

    @property
    def is_held(self) -> bool:
        """Suspended before its start, so that nothing was played."""
        return self.life.stage == LifeStage.HELD

    @property
    def is_interrupted(self) -> bool:
        """Suspended while it was played: somebody decides what becomes of its games."""
        return self.life.stage == LifeStage.BROKEN_OFF

    @property
    def is_postponed(self) -> bool:
        """It waits for new times."""
        return bool(self.session.state == SessionState.POSTPONED)

    @property
    def stands(self) -> bool:
        """Its finished games were decided to stand, and it is not closed."""
        decided = [event.kind for event in self.events if event.kind in SESSION_DECISION_KINDS]
        return self.session.state == SessionState.CHECKING and decided[-1:] == [ClockKind.STAND]

    @property
    def may_be_brought_back(self) -> bool:
        """It has times to be brought back to, and they are still to come."""
        return (
            self.is_postponed
            and (self.ahead or self.life.sheets > 0)
            and (self.session.replays_id is None or bool(self.moves))
        )

    @property
    def stopped_at(self) -> datetime | None:
        """When it was last stopped."""
        return next((event.at for event in reversed(self.events) if event.kind in STOPPING_KINDS), None)


@dataclass(slots=True)
class StoppedDay:
    """The stopped sessions that were planned for one day, by number; a replay after what it replays."""

    day: date
    sessions: list[StoppedSession] = field(default_factory=list)

    @property
    def postponed(self) -> list[StoppedSession]:
        """Those that wait for new times."""
        return [one for one in self.sessions if one.is_postponed]


def stopped_days(event: Event, now: datetime) -> list[StoppedDay]:
    """Every stopped session by the day that it was planned for; the same number of queries however many there are."""
    events = transitions_by_session(event)
    moves: dict[int, list[SessionMove]] = defaultdict(list)
    for move in SessionMove.objects.filter(session__stage__event=event).select_related("by").order_by("at", "id"):
        moves[move.session_id].append(move)
    chosen = sessions_of_any_state(event).select_related("stage__event", "draw", "replays")
    rows = list(chosen.order_by("original_date", "number"))
    lives = session_lives_of(rows)
    stopped = [row for row in rows if is_listed_as_stopped(row, events)]
    found = [StoppedSession(row, events.get(row.pk, []), lives[row.pk], moves.get(row.pk, [])) for row in stopped]
    count_stopped_figures(event, found)
    replays = {one.session.replays_id: one.session for one in found if one.session.replays_id}
    days: dict[date, StoppedDay] = {}
    for one in sessions_with_replays_behind(found):
        one.played_by, one.ahead = replays.get(one.session.pk), one.session.check_in_at > now
        days.setdefault(one.session.original_date, StoppedDay(one.session.original_date)).sessions.append(one)
    return list(days.values())


def unpressed_sessions_in_play(event: Event) -> list[StoppedSession]:
    """Sessions whose sheets are coming in while nobody has pressed their clocks: if one was broken off, its games are
    decided about all the same."""
    rows = list(
        sessions_of_any_state(event).select_related("stage__event", "draw", "replays").order_by("play_at", "number")
    )
    lives = session_lives_of(rows)
    untimed = [row for row in rows if lives[row.pk].may_be_decided and not lives[row.pk].is_timed]
    if not untimed:
        return []
    events = transitions_by_session(event)
    found = [StoppedSession(row, events.get(row.pk, []), lives[row.pk]) for row in untimed]
    count_stopped_figures(event, found)
    return found


def sessions_with_replays_behind(found: Sequence[StoppedSession]) -> list[StoppedSession]:
    """A replay stands behind the session that it replays."""
    by_key = {one.session.pk: one for one in found}

    def place(one: StoppedSession) -> tuple[Any, ...]:
        before = by_key.get(one.session.replays_id or 0)
        return (*place(before), one.session.number) if before else (one.session.original_date, one.session.number)

    return sorted(found, key=place)


def transitions_by_session(event: Event) -> dict[int, list[ClockEvent]]:
    """What moved each session, without what moved single tables, in order, by session id."""
    found: dict[int, list[ClockEvent]] = defaultdict(list)
    rows = ClockEvent.objects.filter(session__stage__event=event, table=None).select_related("by")
    for row in rows.order_by("at", "id"):
        found[row.session_id].append(row)
    return found


def is_listed_as_stopped(session: Session, events: Mapping[int, Sequence[ClockEvent]]) -> bool:
    """Whether the page has it: as long as it is stopped, and for good once it was moved, decided about or replays."""
    if session.state in (SessionState.POSTPONED, SessionState.SUSPENDED, SessionState.VOID) or session.replays_id:
        return True
    kinds = [event.kind for event in events.get(session.pk, ())]
    return ClockKind.NEW_TIMES in kinds or ClockKind.STAND in kinds


def count_stopped_figures(event: Event, found: Sequence[StoppedSession]) -> None:
    """The figures of each; all of them at once."""
    keys = [one.session.pk for one in found]
    entered = Entrant.objects.filter(session__in=keys, status=EntrantStatus.OK).order_by().values("session")
    playing = dict(entered.annotate(n=Count("pk")).values_list("session", "n"))
    in_stage = entrants_playing_by_stage(event)
    seats = Seat.objects.filter(session__in=keys).order_by().values("session")
    seated = dict(seats.annotate(n=Count("pk")).values_list("session", "n"))
    tables = dict(sessions_of_any_state(event).order_by().annotate(n=Count("tables")).values_list("pk", "n"))
    left = withdrawal_times_by_session(keys)
    given = abandoned_seat_times(event)
    begun, signed, games = sheet_progress_by_session(keys)
    official = OfficialSheet.objects.filter(table__session__in=keys, scoresheet__state__in=LOCKED_STATES).order_by()
    locked = dict(official.values("table__session").annotate(n=Count("pk")).values_list("table__session", "n"))
    proposed = session_proposals_by_subject(event)
    for one in found:
        session, since = one.session, one.stopped_at
        in_rounds = session.stage.has_rounds_for_all
        one.taking_part = in_stage.get(session.stage_id, 0) if in_rounds else playing.get(session.pk, 0)
        one.tables, one.seats = tables.get(session.pk, 0), seated.get(session.pk, 0)
        one.sheets, one.signed, one.games = begun[session.pk], signed[session.pk], games[session.pk]
        one.locked, about = locked.get(session.pk, 0), proposed.get(f"session {session.code}", [])
        one.waiting = next((row for row in about if not row.outcome), None)
        one.agreed = [row for row in about if row.outcome == ProposalOutcome.APPROVED]
        if since:
            one.withdrew = sum(at >= since for at in left.get(session.pk, ()))
            one.gave_up = sum(at >= since for at in given.get(f"session {session.code}", ()))


def session_proposals_by_subject(event: Event) -> dict[str, list[Proposal]]:
    """What was proposed about sessions with locked sheets, the oldest first, by the session's name in the log."""
    found: dict[str, list[Proposal]] = defaultdict(list)
    for row in proposals_of(event).filter(act__in=TWO_PERSON_SESSION_ACTS).order_by("pk"):
        found[row.subject].append(row)
    return found


def withdrawal_times_by_session(sessions: Iterable[int]) -> dict[int, list[datetime]]:
    """When those who have withdrawn from each session did so."""
    found: dict[int, list[datetime]] = defaultdict(list)
    rulings = Ruling.objects.filter(
        entrant__session__in=sessions, entrant__status=EntrantStatus.WITHDRAWN, kind=EntrantStatus.WITHDRAWN.value
    )
    last = rulings.order_by().values("entrant", "entrant__session").annotate(last=Max("at"))
    for session, at in last.values_list("entrant__session", "last"):
        found[session].append(at)
    return found


def abandoned_seat_times(event: Event) -> dict[str, list[datetime]]:
    """When seats were given up by those who went to another session, by the session's name in the log."""
    found: dict[str, list[datetime]] = defaultdict(list)
    for subject, at in AuditEntry.objects.filter(event=event, action="free_seat").values_list("subject", "at"):
        found[subject].append(at)
    return found


def sheet_progress_by_session(sessions: Iterable[int]) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """By session: the sheets that were begun, those that are signed, the games that are finished on them."""
    begun: Counter[int] = Counter()
    signed: Counter[int] = Counter()
    games: Counter[int] = Counter()
    played = Count("games", filter=~Q(games__ended_by=GameEnd.NOT_PLAYED))
    rows = newest_sheets().filter(table__session__in=sessions).annotate(all_games=Count("games"), played=played)
    for row in rows.select_related("table"):
        session = row.table.session_id
        begun[session] += 1
        signed[session] += row.state in LOCKED_STATES
        games[session] += row.played if row.all_games else count_finished_games(row.typed)
    return begun, signed, games


def count_finished_games(typed: Any) -> int:
    """How many games of a sheet in hand have an end."""
    rows = typed.get("games", ()) if isinstance(typed, dict) else ()
    return sum(bool(row.get("ended_by")) and row["ended_by"] != GameEnd.NOT_PLAYED for row in rows)


def sessions_waiting_for_times(event: Event, day: date, also: Iterable[int]) -> list[Session]:
    """The sessions planned for this day that wait for new times, by their hours; with those of these keys that were
    given some."""
    given = Q(pk__in=SessionMove.objects.filter(session__in=also).values("session"))
    rows = sessions_of_any_state(event).filter(Q(state=SessionState.POSTPONED) | given, original_date=day)
    return list(rows.select_related("stage__event").order_by("check_in_at", "number"))


# --- What an act asks -----------------------------------------------------------------------------------
def sessions_of_any_state(event: Event) -> QuerySet[Session]:
    """Every session of the event, whatever became of it."""
    return Session.objects.filter(stage__event=event)


def next_session_number(event: Event) -> int:
    """The next free number of the event's sessions."""
    return int(sessions_of_any_state(event).aggregate(last=Max("number"))["last"] or 0) + 1


def next_number_of_day(event: Event, day: date) -> int:
    """The next free 第幾場 of those that were planned for this day."""
    found = sessions_of_any_state(event).filter(original_date=day).aggregate(last=Max("number_of_day"))
    return int(found["last"] or 0) + 1


def replay_of(session: Session) -> Session | None:
    """The session that is played in the place of this one."""
    return Session.objects.filter(replays=session).select_related("stage__event").first()


@dataclass(frozen=True, slots=True)
class LockedSheets:
    """The locked sheets of a session of which each counts for its table, or would if the session were not void: their
    keys, and how many games are finished on them."""

    keys: tuple[int, ...]
    games: int

    @property
    def sheets(self) -> int:
        return len(self.keys)


def locked_sheets_of_session(session: Session) -> LockedSheets:
    """The session's locked sheets and their finished games, by two queries."""
    sheets = Scoresheet.objects.filter(official_for__table__session=session, state__in=LOCKED_STATES)
    games = Game.objects.filter(scoresheet__in=sheets).exclude(ended_by=GameEnd.NOT_PLAYED)
    return LockedSheets(tuple(sheets.order_by("pk").values_list("pk", flat=True)), games.count())


def seats_to_copy(session: Session) -> list[Seat]:
    """The seats of those who take part in it still, by table and letter."""
    rows = Seat.objects.filter(session=session).prefetch_related(lists("entrant__")).order_by("table__number", "letter")
    return [seat for seat in rows if takes_part_in_session(seat.entrant, session)]


def numbers_joined_in_replay(session: Session, replay: Session) -> list[int]:
    """Numbers of those who take part in the replay and had no seat in the session that it replays."""
    there = Seat.objects.filter(session=session).values("entrant")
    rows = Entrant.objects.filter(session=replay, status=EntrantStatus.OK).exclude(pk__in=there)
    return list(rows.order_by("number").values_list("number", flat=True))


def numbers_gone_elsewhere(session: Session, replay: Session) -> list[int]:
    """Numbers of those who had a seat in the session and are entered for another than its replay."""
    rows = Entrant.objects.filter(seats__session=session).exclude(session=replay)
    return list(rows.order_by("number").values_list("number", flat=True))

"""Sessions as they are planned: by hand one by one, or a day of them from a first hour and a pace. No writes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import count, pairwise
from typing import Annotated, Any, NamedTuple, cast

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django_stubs_ext import Annotations

from tournament.core.enums import OFF, SessionState
from tournament.core.models.stage import Session
from tournament.setup.queries import SessionProgress

SEATS_PER_TABLE = 4
PLANNED_TIME_FIELDS = ("check_in_at", "seating_at", "play_at", "ends_at")
# Of these the hours that stand in their rows are no plan.


class KeptNumbers(NamedTuple):
    """The number that a session keeps over the event, and on the day that it was planned for."""

    number: int
    number_of_day: int
    day: date


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """What an organiser wants a session to be. `session` is its row's key; None: a new one. `kept`: its numbers, where
    they no more follow its hours."""

    check_in_at: datetime
    seating_at: datetime
    play_at: datetime
    ends_at: datetime
    table_count: int
    capacity: int
    session: int | None = None
    kept: KeptNumbers | None = None

    @property
    def day(self) -> date:
        """Its day in the event's zone."""
        return timezone.localtime(self.check_in_at).date()

    @property
    def values(self) -> tuple[Any, ...]:
        """All but the row's key."""
        return (*(getattr(self, name) for name in PLANNED_TIME_FIELDS), self.table_count, self.capacity)


@dataclass(frozen=True, slots=True)
class DayPace:
    """How a day of sessions runs (R2): minutes, the last three counted from each session's check-in."""

    count: int
    first: time
    every: int
    seating: int
    play: int
    end: int


@dataclass(frozen=True, slots=True)
class PlanFault:
    """What is wrong with a plan: the place of the session in it (None: the plan as a whole), the field, a msgid."""

    row: int | None
    field: str
    sentence: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NumberedSession:
    """A planned session with its place in the event and on its day."""

    planned: PlannedSession
    number: int
    number_of_day: int


def hall_time(day: date, hour: time) -> datetime:
    """An hour of the hall's clock on that day."""
    return timezone.make_aware(datetime.combine(day, hour))


def plan_day(day: date, pace: DayPace, *, table_count: int, capacity: int | None = None) -> list[PlannedSession]:
    """A day's sessions; `capacity` left out is four a table."""
    first = hall_time(day, pace.first)
    starts = [first + timedelta(minutes=pace.every * place) for place in range(pace.count)]
    return [
        PlannedSession(
            check_in_at=start,
            seating_at=start + timedelta(minutes=pace.seating),
            play_at=start + timedelta(minutes=pace.play),
            ends_at=start + timedelta(minutes=pace.end),
            table_count=table_count,
            capacity=SEATS_PER_TABLE * table_count if capacity is None else capacity,
        )
        for start in starts
    ]


def planned_session_of(session: Session) -> PlannedSession:
    """A row as it is planned now."""
    times: dict[str, Any] = {name: getattr(session, name) for name in PLANNED_TIME_FIELDS}
    rooms: dict[str, Any] = {"table_count": session.table_count, "capacity": session.capacity}
    return PlannedSession(**times, **rooms, session=session.pk, kept=kept_by(session))


def kept_by(session: Session) -> KeptNumbers | None:
    """The numbers of a session that the weather has moved, and of one that is void or played anew: people and papers
    know it by them. `was_moved` is there where queries.setup read it."""
    moved = session.original_date != timezone.localtime(session.check_in_at).date()
    other = session.state in OFF or session.replays_id is not None or getattr(session, "was_moved", False)
    return KeptNumbers(session.number, session.number_of_day, session.original_date) if moved or other else None


def with_kept_numbers(plan: Sequence[PlannedSession], sessions: Sequence[Session]) -> list[PlannedSession]:
    """The plan with the numbers that its rows keep."""
    kept = {session.pk: kept_by(session) for session in sessions}
    return [replace(planned, kept=kept.get(planned.session) if planned.session else None) for planned in plan]


def number_sessions(plan: Sequence[PlannedSession]) -> list[NumberedSession]:
    """The plan in the order of check-in, numbered over the event and on each day; numbers that are kept are left
    out."""
    kept = [planned.kept for planned in plan if planned.kept]
    numbers = iter_free_numbers(one.number for one in kept)
    days = {planned.day for planned in plan}
    of_day = {day: iter_free_numbers(one.number_of_day for one in kept if one.day == day) for day in days}
    return [
        NumberedSession(planned, planned.kept.number, planned.kept.number_of_day)
        if planned.kept
        else NumberedSession(planned, next(numbers), next(of_day[planned.day]))
        for planned in sorted(plan, key=lambda each: each.values)
    ]


def iter_free_numbers(taken: Iterable[int]) -> Iterator[int]:
    """1, 2, 3 ... without those that are taken."""
    not_free = set(taken)
    return (number for number in count(1) if number not in not_free)


def session_plan_faults(
    plan: Sequence[PlannedSession],
    sessions: Sequence[Annotated[Session, Annotations[SessionProgress]]],
    order: int = 1,
    others: Sequence[Session] = (),
) -> list[PlanFault]:
    """Everything that stands against the plan of the stage that is played in this `order`.

    `sessions` are the stage's as queries.setup has them, `others` what it has `beside` them: they keep their hours,
    their numbers follow. A later stage may be without sessions: its date is to be announced.
    """
    plan = with_kept_numbers(plan, sessions)
    if not plan and order == 1:
        return [PlanFault(None, "", _("An event needs at least one session."), {})]
    rows = {session.pk: session for session in sessions}
    kept = {planned.session for planned in plan}
    faults = [fault for session in sessions if session.pk not in kept for fault in removal_faults(session)]
    places = {place.planned: place for place in number_sessions([*plan, *map(planned_session_of, others)])}
    timed = [row for row in others if row.state not in OFF]
    sides = [row for row in timed if row.stage.order < order], [row for row in timed if row.stage.order >= order]
    for number, planned in enumerate(plan):
        faults += [PlanFault(number, *fault) for fault in own_faults(planned)]
        faults += [PlanFault(number, *fault) for fault in order_faults(planned, *sides)]
        session = rows.get(planned.session) if planned.session else None
        if session is not None:
            faults += [PlanFault(number, *fault) for fault in change_faults(planned, session, places[planned])]
    if not faults:
        # Void ones alone are without their progress.
        there = [row for row in others if row.state != SessionState.VOID]
        rows_beside = cast(list[Annotated[Session, Annotations[SessionProgress]]], there)
        moved = [
            fault
            for row in rows_beside
            for fault in change_faults(planned_session_of(row), row, places[planned_session_of(row)])
        ]
        faults += [PlanFault(None, *fault) for fault in moved]
    return faults


PlanFaultFacts = tuple[str, str, Mapping[str, Any]]  # field, msgid, facts


def own_faults(planned: PlannedSession) -> Iterator[PlanFaultFacts]:
    """What one session must hold by itself."""
    if not planned.check_in_at <= planned.seating_at <= planned.play_at < planned.ends_at:
        yield "ends_at", _("The order is check-in, seating, play, end."), {}
    if timezone.localtime(planned.ends_at).date() != planned.day:
        yield "ends_at", _("A session ends on the day it begins. Begin earlier, or plan fewer a day."), {}
    if planned.capacity > SEATS_PER_TABLE * planned.table_count:
        facts = {"seats": SEATS_PER_TABLE * planned.table_count}
        yield "capacity", _("There are only %(seats)s seats at these tables."), facts


def order_faults(
    planned: PlannedSession, earlier: Sequence[Session | PlannedSession], later: Sequence[Session | PlannedSession]
) -> Iterator[PlanFaultFacts]:
    """A stage comes after the one before it has ended: it is made of those who advance from it (R37, R38)."""
    if earlier and planned.check_in_at < (ended := max(other.ends_at for other in earlier)):
        said = _("A stage comes after the one before it, whose last session ends on %(at)s.")
        yield "day", said, {"at": clock_text(ended)}
    if later and planned.ends_at > (begins := min(other.check_in_at for other in later)):
        said = _("The next stage begins on %(at)s. Move that one first.")
        yield "day", said, {"at": clock_text(begins)}


def clock_text(moment: datetime) -> str:
    """A moment by the hall's clock."""
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"


def change_faults(
    planned: PlannedSession, session: Annotated[Session, Annotations[SessionProgress]], place: NumberedSession
) -> Iterator[PlanFaultFacts]:
    """What rests on a session that is there already: nobody's day, hour, table or place is taken from under them."""
    now = planned_session_of(session)
    locks = session_locks(session)
    moved = {
        "day": planned.day != now.day,
        **{name: getattr(planned, name) != getattr(now, name) for name in PLANNED_TIME_FIELDS},
        "table_count": planned.table_count != now.table_count,
    }
    for field in moved:
        if moved[field] and field in locks:
            yield field, *locks[field]
    if planned.capacity < session.taken:
        yield "capacity", _("%(taken)s places of this session are taken."), {"taken": session.taken}
    renamed = place.number_of_day != session.number_of_day and planned.day == now.day
    if session.entered and renamed:
        facts = {"session": session.code}
        yield "check_in_at", _("Session %(session)s would change its name, and its entrants know it by that."), facts
    elif session.is_settled and place.number != session.number:
        facts = {"session": session.code}
        yield "check_in_at", _("Session %(session)s would change its number, which is on printed sheets."), facts


def removal_faults(session: Annotated[Session, Annotations[SessionProgress]]) -> Iterator[PlanFault]:
    """A session that somebody is in is not removed."""
    if "remove" in session_locks(session):
        facts = {"session": session.code}
        yield PlanFault(None, "remove", _("Session %(session)s has entrants or seats and cannot be removed."), facts)


ROUND_TOO_EARLY = _("The same entrants play every round; a round begins once the one before has ended.")


def round_faults(plan: Sequence[PlannedSession]) -> list[PlanFault]:
    """The same entrants play every round: one ends before the next takes its seats (R38)."""
    ordered = sorted(enumerate(plan), key=lambda each: each[1].values)
    return [
        PlanFault(number, "seating_at", ROUND_TOO_EARLY, {})
        for (_place, before), (number, planned) in pairwise(ordered)
        if planned.seating_at < before.ends_at
    ]


SESSION_MOVED_BY_WEATHER = _("The weather has moved this session. Its times are set under Postponed sessions.")
SEATS_CONFIRMED_LOCK = _("Seats are confirmed: printed sheets say this.")
SEATS_DRAWN_LOCK = _("Seats are drawn at these tables.")
ENTRANTS_ENTERED_LOCK = _("%(entered)s entrants are entered for this day; ages are judged on it (R1).")


def session_locks(
    session: Annotated[Session, Annotations[SessionProgress]],
) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """What may no more change of a session and why: msgid and facts by field; `remove` is the session as a whole."""
    locks: dict[str, tuple[str, Mapping[str, Any]]] = {}
    if session.entered:
        entered = (ENTRANTS_ENTERED_LOCK, {"entered": session.entered})
        locks |= {"day": entered, "remove": entered}
    if session.is_drawn:
        locks |= {"table_count": (SEATS_DRAWN_LOCK, {}), "remove": (SEATS_DRAWN_LOCK, {})}
    if session.is_settled:
        locks |= dict.fromkeys(("day", *PLANNED_TIME_FIELDS, "table_count", "remove"), (SEATS_CONFIRMED_LOCK, {}))
    if session.state == SessionState.POSTPONED or session.replays_id or session.was_moved:
        locks |= dict.fromkeys(("day", *PLANNED_TIME_FIELDS, "remove"), (SESSION_MOVED_BY_WEATHER, {}))
    return locks

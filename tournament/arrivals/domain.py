"""A session's arrivals as the rules judge them: who is expected, who is in, in time or late, and what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from scoring.arrivals import arrival_conflict, forfeits_from, is_in_time, moment_of_arrival
from scoring.eligibility import age_on, is_age_to_be_looked_at, needs_guardian_consent
from tournament.arrivals import queries
from tournament.arrivals.models import Arrival
from tournament.core.enums import DoorCheckKind, EntrantStatus
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import status_at
from tournament.events.domain import ruleset_of_stage
from tournament.tables.models import Seat
from tournament.tables.queries.seating import entrants_of_seating_session, seats_of_session


def arrived_at(row: Arrival) -> datetime:
    """The moment that counts of one arrival."""
    return moment_of_arrival(row.at, row.claimed_at)


def earliest_arrivals(rows: Iterable[Arrival]) -> dict[int, Arrival]:
    """Of each entrant the arrival that counts, by the entrant's key."""
    found: dict[int, Arrival] = {}
    for row in rows:
        kept = found.setdefault(row.entrant_id, row)
        if arrived_at(row) < arrived_at(kept):
            found[row.entrant_id] = row
    return found


@dataclass(frozen=True)
class ExpectedEntrant:
    """One who is to come to the session, or did not: `status` in its stage, `arrival` None while they are not there.

    `checks` are kinds of DoorCheck that count.
    """

    entrant: Entrant
    session: Session
    status: str
    seat: Seat | None
    arrival: Arrival | None
    checks: frozenset[str]
    has_played: bool = False

    @property
    def arrived_at(self) -> datetime | None:
        """When they came; None: they have not."""
        return arrived_at(self.arrival) if self.arrival else None

    @property
    def takes_part(self) -> bool:
        return self.status == EntrantStatus.OK

    @property
    def is_late(self) -> bool:
        """Whether they came after the minute of the seating time (R6)."""
        return self.arrived_at is not None and not is_in_time(self.arrived_at, self.session.seating_at)

    @property
    def would_forfeit(self) -> bool:
        """Whether the press of the seating time is about them: they take part, and are not here in time."""
        return self.takes_part and not self.has_played and (self.arrival is None or self.is_late)

    @property
    def age(self) -> int | None:
        """On the session's original date (R1); None where the date of birth was erased."""
        born = self.entrant.person.birth_date
        return age_on(born, self.entrant.session.original_date) if born else None

    @property
    def lacks_age_proof(self) -> bool:
        """Whether a document that shows the age is still to be seen."""
        born = self.entrant.person.birth_date
        seen = born is None or DoorCheckKind.AGE in self.checks
        return not seen and born is not None and is_age_to_be_looked_at(born, self.entrant.session.original_date)

    @property
    def lacks_consent(self) -> bool:
        """Whether a guardian's consent is still to be received."""
        born = self.entrant.person.birth_date
        minor = born is not None and needs_guardian_consent(born, self.entrant.session.original_date)
        return minor and not self.entrant.person.consent_guardian

    @property
    def lacks_fee(self) -> bool:
        """Whether nothing is entered about the fee (R4)."""
        return not self.entrant.fee

    @property
    def place_order(self) -> tuple[int, str, int]:
        """By table and seat; without one at the end, by number."""
        return (self.seat.table.number, self.seat.letter, 0) if self.seat else (10_000, "", self.entrant.number)


@dataclass(frozen=True)
class ArrivalConflict:
    """An arrival against which something stands: `why` is `elsewhere` or the status that was recorded before it."""

    arrival: Arrival
    why: str

    @property
    def arrived_at(self) -> datetime:
        """When they came, as the door says."""
        return arrived_at(self.arrival)

    @property
    def in_time(self) -> bool:
        """Whether that was by the seating time (R6)."""
        return is_in_time(self.arrived_at, self.arrival.session.seating_at)


@dataclass(frozen=True)
class TableArrivals:
    """One table: its seats with their people, by letter; `least` is the smallest table that the stage's rules allow."""

    number: int
    people: Sequence[ExpectedEntrant]
    least: int

    @property
    def missing(self) -> int:
        return sum(one.arrival is None or not one.takes_part for one in self.people)

    @property
    def present(self) -> int:
        return len(self.people) - self.missing

    @property
    def is_short(self) -> bool:
        """Whether so few are there that the table is merged with others (R13)."""
        return self.present < self.least


@dataclass(frozen=True)
class ArrivalsBoard:
    """Everybody who is expected at one session, with what the desk reads off it. Withdrawn ones are not."""

    session: Session
    people: Sequence[ExpectedEntrant]
    conflicts: Sequence[ArrivalConflict]

    @cached_property
    def here(self) -> list[ExpectedEntrant]:
        """Who has come and takes part, the first first."""
        came = [one for one in self.people if one.arrival and one.takes_part]
        return sorted(came, key=by_arrival)

    @cached_property
    def absent(self) -> list[ExpectedEntrant]:
        """Who takes part and has not come, by table and seat."""
        return sorted((one for one in self.people if one.takes_part and not one.arrival), key=by_place)

    @cached_property
    def forfeits(self) -> list[ExpectedEntrant]:
        """Whom the press of the seating time would record as no-shows, by table and seat."""
        return sorted((one for one in self.people if one.would_forfeit), key=by_place)

    @cached_property
    def no_shows(self) -> list[ExpectedEntrant]:
        """Who is recorded as a no-show, by table and seat."""
        return sorted((one for one in self.people if one.status == EntrantStatus.FORFEITED), key=by_place)

    @cached_property
    def tables(self) -> list[TableArrivals]:
        """Each table with its people, by number."""
        seated: dict[int, list[ExpectedEntrant]] = {}
        for one in sorted((one for one in self.people if one.seat), key=by_place):
            seated.setdefault(one.place_order[0], []).append(one)
        least = min(ruleset_of_stage(self.session.stage).table_sizes)
        return [TableArrivals(number, people, least) for number, people in seated.items()]

    @property
    def expected(self) -> int:
        """Of how many it is told how many are here."""
        return len(self.people)

    @property
    def forfeits_from(self) -> datetime:
        """From when the absent forfeit (R6)."""
        return forfeits_from(self.session.seating_at)


def by_arrival(one: ExpectedEntrant) -> tuple[datetime, int]:
    return one.arrived_at or one.session.ends_at, one.entrant.number


def by_place(one: ExpectedEntrant) -> tuple[int, str, int]:
    return one.place_order


def read_arrivals_board(session: Session) -> ArrivalsBoard:
    """The session's arrivals as they are now; a number of queries that does not grow."""
    stage = session.stage
    everybody = entrants_of_seating_session(session)
    rows = queries.arrivals_in_force(session)
    arrivals, checks = earliest_arrivals(rows), queries.door_checks_in_force(everybody)
    seats = {seat.entrant_id: seat for seat in seats_of_session(session)}
    played = queries.played_in_stage(session)
    people = [
        ExpectedEntrant(
            one,
            session,
            status_at(one, stage),
            seats.get(one.pk),
            arrivals.get(one.pk),
            frozenset(checks.get(one.pk, ())),
            one.pk in played,
        )
        for one in everybody
        if status_at(one, stage) in (EntrantStatus.OK, EntrantStatus.FORFEITED)
    ]
    return ArrivalsBoard(session, people, find_conflicts(session, everybody, arrivals))


def find_conflicts(
    session: Session, everybody: Sequence[Entrant], arrivals: Mapping[int, Arrival]
) -> list[ArrivalConflict]:
    """Every arrival that counts against which something stands, in the order in which they came."""
    expected = {one.pk: one for one in everybody}
    since = queries.status_recorded_at(everybody)
    found = []
    for row in sorted(arrivals.values(), key=arrived_at):
        entrant = expected.get(row.entrant_id)
        status = status_at(entrant, session.stage) if entrant else EntrantStatus.OK
        recorded = since.get(row.entrant_id)
        why = arrival_conflict(
            status=status, status_since=recorded, received=row.at, is_expected_here=entrant is not None
        )
        if why:
            row.session = session
            found.append(ArrivalConflict(row, why))
    return found

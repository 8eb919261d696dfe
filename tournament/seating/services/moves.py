"""One rearrangement of a room: from what its author has seen to new seats, with every rule reviewed (R7, R13, R40).

A `SeatMove` says where each of its entrants goes. Whatever the act is called (swap, move, late entrant, new table,
table dissolved, undone), it is foreseen and carried out here, by the same steps.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.core.services import requests
from tournament.entrants.models.people import Entrant
from tournament.seating.services import checks
from tournament.tables import domain as bridge
from tournament.tables.models import Draw, Seat, Table
from tournament.tables.queries import seating as queries

TABLE_SEAT_LETTERS = "ABCD"
SEAT_MOVE_REASON_MAX_LENGTH = 500

# A table's number and a seat's letter.
SeatPosition = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SeparationChange:
    """What a move does to the rules: `could_not` entries that begin and that end with it."""

    broke: list[bridge.NotKeptRecord]
    mended: list[bridge.NotKeptRecord]


@dataclass(frozen=True, slots=True)
class SeatMove:
    """Where entrants go, by number; None: without a seat. `act` is its word in the audit log.

    `referees`: of tables that come with it, by number. `any_size`: a table may fall under the least, as when it is
    emptied. `undoable`: whether the room offers its way back.
    """

    act: str
    places: Mapping[int, SeatPosition | None]
    referees: Mapping[int, int | None] = field(default_factory=dict)
    any_size: bool = False
    undoable: bool = True


@dataclass(frozen=True, slots=True)
class SeatingRoom:
    """A session's seats as they stand: entrants and places by entrant number, tables by table number; `past` of the
    rounds before."""

    session: Session
    draw: Draw
    tables: Mapping[int, Table]
    entrants: Mapping[int, Entrant]
    places: Mapping[int, SeatPosition]
    typed: frozenset[int]
    basis: bridge.DrawBasis
    past: bridge.EarlierRounds

    @property
    def smallest_table(self) -> int:
        """How many a table has at least (R13)."""
        return min(self.basis.sizes)

    def plays(self, number: int) -> bool:
        """Whether this entrant takes part in this session."""
        return number in self.entrants and queries.takes_part_in_session(self.entrants[number], self.session)

    def at(self, place: SeatPosition) -> int | None:
        """The number of who has this seat; None where it is empty."""
        return next((number for number, held in self.places.items() if held == place), None)

    def players(self, table: int) -> list[int]:
        """Those who sit at the table and take part, by letter."""
        held = sorted((place, number) for number, place in self.places.items() if place[0] == table)
        return [number for _place, number in held if self.plays(number)]

    def free(self) -> list[SeatPosition]:
        """Seats that nobody who takes part has, at tables whose sheet is not begun, in order."""
        taken = {place for number, place in self.places.items() if self.plays(number)}
        every = [
            (table, letter) for table in sorted(self.tables) if table not in self.typed for letter in TABLE_SEAT_LETTERS
        ]
        return [place for place in every if place not in taken]

    def late(self) -> list[int]:
        """Those who take part and have no seat."""
        return [number for number in sorted(self.entrants) if number not in self.places and self.plays(number)]


@dataclass(frozen=True, slots=True)
class SeatMovePreview:
    """A move with the room before it and what it does to the rules; nothing is changed yet."""

    room: SeatingRoom
    move: SeatMove
    change: SeparationChange


SeatMovePlan = Callable[[SeatingRoom], SeatMove]


def read_seating_room(session: Session) -> SeatingRoom:
    """The room as it stands; refused where nothing is drawn."""
    draw = checks.require_drawn(session)
    seats = queries.seats_of_session(session)
    entrants = {entrant.number: entrant for entrant in queries.entrants_of_seating_session(session)}
    entrants |= {seat.entrant.number: seat.entrant for seat in seats}
    tables = {table.number: table for table in Table.objects.filter(session=session)}
    places = {seat.entrant.number: (seat.table.number, seat.letter) for seat in seats}
    basis = checks.basis_of(session, [entrants[number] for number in sorted(entrants)])
    typed = frozenset(queries.typed_tables(session))
    return SeatingRoom(session, draw, tables, entrants, places, typed, basis, bridge.earlier_rounds_of(basis))


def preview_plan(session: Session, plan: SeatMovePlan) -> SeatMovePreview:
    """What the plan would do, refused as it would be."""
    return preview_plan_in_room(read_seating_room(session), plan)


def preview_plan_in_room(room: SeatingRoom, plan: SeatMovePlan) -> SeatMovePreview:
    """What the plan would do in this room, refused as it would be."""
    move = plan(room)
    after = check_seat_move(room, move)
    return SeatMovePreview(room, move, separation_change(room.draw.could_not, arrangement_conflicts(room, after)))


def apply_seat_plan(
    session: Session, plan: SeatMovePlan, *, revision: int | None, payload: Any, by: User, request_key: str = ""
) -> SeparationChange:
    """Carry out a plan on the room as its author has seen it; `revision` None: the plan itself knows what was seen.

    1. the session is locked, the revision compared, and it is not over; 2. the plan is made from what stands and
    checked; 3. its tables are locked, their sheets not begun; 4. seats and tables are written; 5. the rules review the
    room; 6. the draw's row, with the way back; 7. what later rounds no longer keep, since other two have met here;
    8. the audit entry.
    """

    def act() -> Mapping[str, Any]:
        locked = checks.lock_session(session)
        before = checks.require_draw_revision(locked, revision) or checks.require_drawn(locked)
        checks.not_over(locked)
        room = read_seating_room(locked)
        move = plan(room)
        after = check_seat_move(room, move)
        could_not = arrangement_conflicts(room, after)
        touched = tables_of_seat_move(room, move)
        checks.lock_tables(locked, touched)
        checks.require_tables_untyped(locked, touched)
        write_seat_move(room, move, after)
        back = undo_payload(room, move) if move.undoable else None
        update_draw_revision(before, revision=before.revision + 1, could_not=could_not, last_move=back)
        review_later(locked)
        services.append_audit_entry(
            locked.stage.event,
            by,
            move.act,
            f"session {locked.code}",
            revision=(before.revision, before.revision + 1),
            reason=seat_move_log_text(room, move)[:SEAT_MOVE_REASON_MAX_LENGTH],
            request_key=request_key,
        )
        change = separation_change(before.could_not, could_not)
        return {"broke": change.broke, "mended": change.mended}

    answer = run_seating_once(by, request_key, "rearrange_seats", [session.pk, revision, payload], act)
    return SeparationChange(answer["broke"], answer["mended"])


def run_seating_once(
    by: User, key: str, act: str, payload: Any, do: Callable[[], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """One transaction; with a key, sent twice it is done once."""
    if not key:
        with transaction.atomic():
            return do()
    answer, _replayed = requests.run_once(f"user:{by.pk}", key, act, payload, do)
    return answer


def update_draw_revision(before: Draw, **values: Any) -> None:
    """The draw's row, from the revision that was compared and from no other."""
    if not Draw.objects.filter(pk=before.pk, revision=before.revision).update(**values):
        checks.require_draw_revision(before.session, before.revision)


def check_seat_move(room: SeatingRoom, move: SeatMove) -> dict[int, SeatPosition]:
    """The places after the move; refused where a seat would have two, or a table fewer than it may (R13)."""
    after = dict(room.places)
    for number, place in move.places.items():
        if place is None:
            after.pop(number, None)
        elif number not in room.places and not room.plays(number) and not move.any_size:
            checks.refuse_not_waiting(room.session, number)
        else:
            after[number] = place
    if len(set(after.values())) != len(after):
        raise Refused("seat_taken", _("That seat is taken. Choose an empty one."), room.session)
    touched = tables_of_seat_move(room, move)
    checks.require_tables_untyped(room.session, touched, room.typed)
    if not move.any_size:
        for table in sorted(touched):
            check_size(room, after, table)
    return after


def check_size(room: SeatingRoom, after: Mapping[int, SeatPosition], table: int) -> None:
    """Tables that are too small are merged before play (R13): no move makes one."""
    left = sum(place[0] == table and room.plays(number) for number, place in after.items())
    if left < room.smallest_table and (table not in room.tables or left < len(room.players(table))):
        raise Refused(
            "table_too_small",
            _(
                "Table %(table)s would be left with %(left)s: a table has %(least)s to %(most)s. Swap, or dissolve that"
                " table."
            ),
            room.session,
            table=table,
            left=left,
            **checks.size_limits(room.session),
        )


def tables_of_seat_move(room: SeatingRoom, move: SeatMove) -> set[int]:
    """Numbers of the tables that somebody leaves or comes to."""
    places = [place for place in move.places.values() if place]
    places += [room.places[number] for number in move.places if number in room.places]
    return {table for table, _letter in places}


def arrangement_conflicts(room: SeatingRoom, after: Mapping[int, SeatPosition]) -> list[bridge.NotKeptRecord]:
    """What the arrangement does not keep, as the draw's row has it."""
    return bridge.review_tables(room.basis, bridge.tables_from_places(after))


def review_later(session: Session) -> None:
    """What the draws of later rounds keep is judged anew: they were made with regard to how this one sat."""
    for draw in queries.later_draws(session):
        seats = queries.seats_of_session(draw.session)
        basis = checks.basis_of(draw.session, [seat.entrant for seat in seats])
        at = {seat.entrant.number: (seat.table.number, seat.letter) for seat in seats}
        could_not = bridge.review_tables(basis, bridge.tables_from_places(at))
        if could_not != draw.could_not:
            Draw.objects.filter(pk=draw.pk).update(could_not=could_not)


def separation_change(before: list[bridge.NotKeptRecord], after: list[bridge.NotKeptRecord]) -> SeparationChange:
    """What begins and what ends."""
    return SeparationChange([one for one in after if one not in before], [one for one in before if one not in after])


def write_seat_move(room: SeatingRoom, move: SeatMove, after: Mapping[int, SeatPosition]) -> None:
    """Seats first away, then anew; tables that somebody comes to are there, tables that nobody sits at go."""
    Seat.objects.filter(session=room.session, entrant__number__in=list(move.places)).delete()
    occupied = {table for table, _letter in after.values()}
    tables = dict(room.tables)
    for number in sorted(occupied - tables.keys()):
        tables[number] = Table.objects.create(session=room.session, number=number, referee_id=move.referees.get(number))
    Seat.objects.bulk_create(
        Seat(table=tables[place[0]], session=room.session, letter=place[1], entrant=room.entrants[number])
        for number, place in move.places.items()
        if place
    )
    Table.objects.filter(session=room.session, number__in=room.tables.keys() - occupied).delete()


def undo_payload(room: SeatingRoom, move: SeatMove) -> dict[str, Any]:
    """How this move is undone, while the draw's revision is the one it makes."""
    gone = tables_of_seat_move(room, move) & room.tables.keys()
    return {
        "revision": room.draw.revision + 1,
        "act": move.act,
        "said": seat_move_log_text(room, move),
        "back": [[number, *room.places.get(number, (None, ""))] for number in move.places],
        "referees": {str(table): room.tables[table].referee_id for table in gone},
    }


def seat_move_log_text(room: SeatingRoom, move: SeatMove) -> str:
    """`0302 1A > 3D, 0017 > 3C`: numbers and seats, no names."""
    return ", ".join(
        f"{number:04d} {place_name(room.places.get(number))} > {place_name(place)}"
        for number, place in move.places.items()
    )


def place_name(place: SeatPosition | None) -> str:
    """A seat as the desk names it: table 6, seat B is `6B`; no seat is `-`."""
    return f"{place[0]}{place[1]}" if place else "-"

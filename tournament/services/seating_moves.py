"""One rearrangement of a room: from what its author has seen to new seats, with every rule reviewed (R7, R13, R40).

A `Move` says where each of its entrants goes. Whatever the act is called (swap, move, late entrant, new table, table
dissolved, undone), it is foreseen and carried out here, by the same steps.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.bridge import seating as bridge
from tournament.errors import Refused
from tournament.models import Draw, Entrant, Seat, Session, Table
from tournament.queries import seating as queries
from tournament.services import audit, requests
from tournament.services import seating_checks as checks

LETTERS = "ABCD"
FEWEST = 3
REASON_ROOM = 500

# A table's number and a seat's letter.
Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """What a move does to the rules: `could_not` entries that begin and that end with it."""

    broke: list[bridge.Together]
    mended: list[bridge.Together]


@dataclass(frozen=True, slots=True)
class Move:
    """Where entrants go, by number; None: without a seat. `act` is its word in the audit log.

    `referees`: of tables that come with it, by number. `any_size`: a table may fall under three, as when it is emptied.
    `undoable`: whether the room offers its way back.
    """

    act: str
    places: Mapping[int, Place | None]
    referees: Mapping[int, int | None] = field(default_factory=dict)
    any_size: bool = False
    undoable: bool = True


@dataclass(frozen=True, slots=True)
class Room:
    """A session's seats as they stand: entrants and places by entrant number, tables by table number; `past` of the
    rounds before."""

    session: Session
    draw: Draw
    tables: Mapping[int, Table]
    entrants: Mapping[int, Entrant]
    places: Mapping[int, Place]
    typed: frozenset[int]
    basis: bridge.Basis
    past: bridge.Past

    def plays(self, number: int) -> bool:
        """Whether this entrant takes part in this session."""
        return number in self.entrants and queries.takes_part(self.entrants[number], self.session)

    def at(self, place: Place) -> int | None:
        """Who has this seat."""
        return next((number for number, held in self.places.items() if held == place), None)

    def players(self, table: int) -> list[int]:
        """Those who sit at the table and take part, by letter."""
        held = sorted((place, number) for number, place in self.places.items() if place[0] == table)
        return [number for _place, number in held if self.plays(number)]

    def free(self) -> list[Place]:
        """Seats that nobody who takes part has, at tables whose sheet is not begun, in order."""
        taken = {place for number, place in self.places.items() if self.plays(number)}
        every = [(table, letter) for table in sorted(self.tables) if table not in self.typed for letter in LETTERS]
        return [place for place in every if place not in taken]

    def late(self) -> list[int]:
        """Those who take part and have no seat."""
        return [number for number in sorted(self.entrants) if number not in self.places and self.plays(number)]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A move with the room before it and what it does to the rules; nothing is changed yet."""

    room: Room
    move: Move
    change: Change


Plan = Callable[[Room], Move]


def room_of(session: Session) -> Room:
    """The room as it stands; refused where nothing is drawn."""
    draw = checks.drawn(session)
    seats = queries.seats_of(session)
    entrants = {entrant.number: entrant for entrant in queries.entrants_of(session)}
    entrants |= {seat.entrant.number: seat.entrant for seat in seats}
    tables = {table.number: table for table in Table.objects.filter(session=session)}
    places = {seat.entrant.number: (seat.table.number, seat.letter) for seat in seats}
    basis = checks.basis_of(session, [entrants[number] for number in sorted(entrants)])
    typed = frozenset(queries.typed_tables(session))
    return Room(session, draw, tables, entrants, places, typed, basis, bridge.past_of(basis))


def foresee(session: Session, plan: Plan) -> Foreseen:
    """What the plan would do, refused as it would be."""
    return foreseen(room_of(session), plan)


def foreseen(room: Room, plan: Plan) -> Foreseen:
    """What the plan would do in this room, refused as it would be."""
    move = plan(room)
    after = checked(room, move)
    return Foreseen(room, move, difference(room.draw.could_not, reviewed(room, after)))


def rearrange(
    session: Session, plan: Plan, *, revision: int | None, payload: Any, by: AbstractUser, request_key: str = ""
) -> Change:
    """Carry out a plan on the room as its author has seen it; `revision` None: the plan itself knows what was seen.

    1. the session is locked, the revision compared, and it is not over; 2. the plan is made from what stands and
    checked; 3. its tables are locked, their sheets not begun; 4. seats and tables are written; 5. the rules review the
    room; 6. the draw's row, with the way back; 7. what later rounds no longer keep, since other two have met here;
    8. the audit entry.
    """

    def act() -> Mapping[str, Any]:
        locked = checks.locked(session)
        before = checks.unchanged(locked, revision) or checks.drawn(locked)
        checks.not_over(locked)
        room = room_of(locked)
        move = plan(room)
        after = checked(room, move)
        could_not = reviewed(room, after)
        touched = tables_of(room, move)
        checks.lock_tables(locked, touched)
        checks.not_typed(locked, touched)
        write(room, move, after)
        back = way_back(room, move) if move.undoable else None
        swap_draw(before, revision=before.revision + 1, could_not=could_not, last_move=back)
        review_later(locked)
        audit.record(
            locked.stage.event,
            by,
            move.act,
            f"session {locked.code}",
            revision=(before.revision, before.revision + 1),
            reason=said(room, move)[:REASON_ROOM],
            request_key=request_key,
        )
        change = difference(before.could_not, could_not)
        return {"broke": change.broke, "mended": change.mended}

    answer = once(by, request_key, "rearrange_seats", [session.pk, revision, payload], act)
    return Change(answer["broke"], answer["mended"])


def once(by: AbstractUser, key: str, act: str, payload: Any, do: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """One transaction; with a key, sent twice it is done once."""
    if not key:
        with transaction.atomic():
            return do()
    answer, _replayed = requests.once(f"user:{by.pk}", key, act, payload, do)
    return answer


def swap_draw(before: Draw, **values: Any) -> None:
    """The draw's row, from the revision that was compared and from no other."""
    if not Draw.objects.filter(pk=before.pk, revision=before.revision).update(**values):
        checks.unchanged(before.session, before.revision)


def checked(room: Room, move: Move) -> dict[int, Place]:
    """The places after the move; refused where a seat would have two, or a table fewer than three (R13)."""
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
    touched = tables_of(room, move)
    checks.not_typed(room.session, touched, room.typed)
    if not move.any_size:
        for table in sorted(touched):
            check_size(room, after, table)
    return after


def check_size(room: Room, after: Mapping[int, Place], table: int) -> None:
    """Tables of one and of two are merged before play (R13): no move makes one."""
    left = sum(place[0] == table and room.plays(number) for number, place in after.items())
    if left < FEWEST and (table not in room.tables or left < len(room.players(table))):
        raise Refused(
            "table_too_small",
            _("Table %(table)s would be left with %(left)s: a table has three or four. Swap, or dissolve that table."),
            room.session,
            table=table,
            left=left,
        )


def tables_of(room: Room, move: Move) -> set[int]:
    """Numbers of the tables that somebody leaves or comes to."""
    places = [place for place in move.places.values() if place]
    places += [room.places[number] for number in move.places if number in room.places]
    return {table for table, _letter in places}


def reviewed(room: Room, after: Mapping[int, Place]) -> list[bridge.Together]:
    """What the arrangement does not keep, as the draw's row has it."""
    return bridge.review(room.basis, bridge.tables_at(after))


def review_later(session: Session) -> None:
    """What the draws of later rounds keep is judged anew: they were made with regard to how this one sat."""
    for draw in queries.later_draws(session):
        seats = queries.seats_of(draw.session)
        basis = checks.basis_of(draw.session, [seat.entrant for seat in seats])
        at = {seat.entrant.number: (seat.table.number, seat.letter) for seat in seats}
        could_not = bridge.review(basis, bridge.tables_at(at))
        if could_not != draw.could_not:
            Draw.objects.filter(pk=draw.pk).update(could_not=could_not)


def difference(before: list[bridge.Together], after: list[bridge.Together]) -> Change:
    """What begins and what ends."""
    return Change([one for one in after if one not in before], [one for one in before if one not in after])


def write(room: Room, move: Move, after: Mapping[int, Place]) -> None:
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


def way_back(room: Room, move: Move) -> dict[str, Any]:
    """How this move is undone, while the draw's revision is the one it makes."""
    gone = tables_of(room, move) & room.tables.keys()
    return {
        "revision": room.draw.revision + 1,
        "act": move.act,
        "said": said(room, move),
        "back": [[number, *room.places.get(number, (None, ""))] for number in move.places],
        "referees": {str(table): room.tables[table].referee_id for table in gone},
    }


def said(room: Room, move: Move) -> str:
    """`0302 1A > 3D, 0017 > 3C`: numbers and seats, no names."""
    return ", ".join(
        f"{number:04d} {place_name(room.places.get(number))} > {place_name(place)}"
        for number, place in move.places.items()
    )


def place_name(place: Place | None) -> str:
    """A seat as the desk names it: table 6, seat B is `6B`; no seat is `-`."""
    return f"{place[0]}{place[1]}" if place else "-"

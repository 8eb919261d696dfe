"""Plans of moves in a room: each reads the room and says who goes where; none writes. The rules' costs decide ties."""

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from django.utils.translation import gettext_noop as _

from scoring import seating as rules
from tournament.core.errors import BadInput, Refused
from tournament.seating.services import checks
from tournament.seating.services.moves import (
    TABLE_SEAT_LETTERS,
    SeatingRoom,
    SeatMove,
    SeatMovePlan,
    SeatPosition,
)
from tournament.tables import domain as bridge

NO_SUCH_TABLE = _("There is no table %(table)s in this session.")


def plan_exchange(first: int, second: int) -> SeatMovePlan:
    """Two entrants in each other's seats."""

    def plan(room: SeatingRoom) -> SeatMove:
        if first == second:
            raise BadInput("swap_with_oneself", _("Choose two different entrants to swap."), room.session)
        for number in (first, second):
            if number not in room.places:
                checks.refuse_not_seated(room.session, number)
        return SeatMove("swap_seats", {first: room.places[second], second: room.places[first]})

    return plan


def to_seat(number: int, place: SeatPosition) -> SeatMovePlan:
    """An entrant to a seat: an empty one is taken, a taken one exchanged. A late entrant takes an empty one only."""

    def plan(room: SeatingRoom) -> SeatMove:
        table, letter = place
        if table not in room.tables or letter not in TABLE_SEAT_LETTERS:
            raise BadInput("no_such_seat", _("There is no seat %(place)s."), room.session, place=f"{table}{letter}")
        held = room.at(place)
        if held == number:
            sentence = _("Entrant %(number)s sits there already.")
            raise BadInput("same_seat", sentence, room.session, number=f"{number:04d}")
        if number not in room.places:
            if not room.plays(number):
                checks.refuse_not_waiting(room.session, number)
            if held is not None and room.plays(held):
                raise Refused("seat_taken", _("That seat is taken. Choose an empty one."), room.session)
            return SeatMove("seat_late_entrant", {number: place} | ({held: None} if held is not None else {}))
        if held is None:
            return SeatMove("move_seat", {number: place})
        if room.plays(held):
            return plan_exchange(number, held)(room)
        return SeatMove("move_seat", {number: place, held: None})

    return plan


def to_best_seat(number: int) -> SeatMovePlan:
    """A late entrant to an empty seat that breaks least, at the table with fewest; nobody else moves."""

    def plan(room: SeatingRoom) -> SeatMove:
        if not room.plays(number) or number in room.places:
            checks.refuse_not_waiting(room.session, number)
        free = room.free()
        if not free:
            raise Refused(
                "no_free_seat",
                _("Every table has four: entrant %(number)s needs a new table, with two from tables of four."),
                room.session,
                number=f"{number:04d}",
            )
        at = {place[0]: room.players(place[0]) for place in free}

        def price(place: SeatPosition) -> tuple[bridge.SeatClashCost, int, SeatPosition]:
            others = at[place[0]]
            return separation_cost(room, number, others, place[1]), len(others), place

        return to_seat(number, min(free, key=price))(room)

    return plan


def new_table(numbers: Sequence[int]) -> SeatMovePlan:
    """As many entrants as a table may have at one of their own: those without a seat, others from tables of four."""

    def plan(room: SeatingRoom) -> SeatMove:
        limits = checks.size_limits(room.session)
        if not limits["least"] <= len(set(numbers)) <= limits["most"] or len(set(numbers)) != len(numbers):
            raise BadInput(
                "table_of_three_or_four",
                _("A table has %(least)s to %(most)s different entrants."),
                room.session,
                **limits,
            )
        for number in numbers:
            if not room.plays(number):
                checks.refuse_not_waiting(room.session, number)
        unused = [number for number in range(1, room.session.table_count + 1) if number not in room.tables]
        if not unused:
            raise Refused(
                "no_table_left",
                _("All %(count)s tables of the hall are in use. Move an entrant to another session."),
                room.session,
                count=room.session.table_count,
            )
        table = unused[0]
        places: dict[int, SeatPosition | None] = {
            number: (table, letter) for number, letter in zip(numbers, TABLE_SEAT_LETTERS, strict=False)
        }
        return SeatMove("open_table", places, {table: neighbour_referee(room, table)})

    return plan


def neighbour_referee(room: SeatingRoom, table: int) -> int | None:
    """The referee of the other table of its pair (R8)."""
    pair = rules.referee_index(table)
    return next((one.referee_id for number, one in room.tables.items() if rules.referee_index(number) == pair), None)


def table_for(number: int) -> SeatMovePlan:
    """A new table for a late entrant and the other late ones, filled from tables of four to the least that a table has,
    breaking least."""

    def plan(room: SeatingRoom) -> SeatMove:
        if not room.plays(number) or number in room.places:
            checks.refuse_not_waiting(room.session, number)
        late = [number, *(other for other in room.late() if other != number)][: len(TABLE_SEAT_LETTERS)]
        need = max(room.smallest_table - len(late), 0)
        full = [
            table
            for table in room.tables
            if table not in room.typed and len(room.players(table)) == len(TABLE_SEAT_LETTERS)
        ]
        if len(full) < need:
            raise Refused(
                "no_table_of_four",
                _("Too few tables of four to make a new table from. Move entrant %(number)s to another session."),
                room.session,
                number=f"{number:04d}",
            )
        candidates = [other for table in sorted(full, reverse=True) for other in room.players(table)]
        choices = (
            others
            for others in combinations(candidates, need)
            if len({room.places[other][0] for other in others}) == need
        )
        best = min(choices, key=lambda others: cost_among(room, [*late, *others]))
        return new_table([*late, *best])(room)

    return plan


def without_table(table: int) -> SeatMovePlan:
    """A table dissolved: its entrants to empty seats elsewhere, breaking least; who no longer plays loses the seat."""

    def plan(room: SeatingRoom) -> SeatMove:
        if table not in room.tables:
            raise BadInput("no_such_table", NO_SUCH_TABLE, room.session, table=table)
        leaving = room.players(table)
        free = [place for place in room.free() if place[0] != table]
        if len(free) < len(leaving):
            raise Refused(
                "no_room_elsewhere",
                _("Table %(table)s has %(count)s entrants, the other tables %(free)s empty seats: not enough."),
                room.session,
                table=table,
                count=len(leaving),
                free=len(free),
            )
        _cost, _order, found = min(deal_to_free_seats(room, order, free) for order in permutations(leaving))
        held = {place: number for number, place in room.places.items()}
        gone = [number for number, place in room.places.items() if place[0] == table and number not in leaving]
        displaced = [held[place] for _number, place in found if place in held]
        places: dict[int, SeatPosition | None] = dict(sorted(found))
        return SeatMove("dissolve_table", places | dict.fromkeys(gone + displaced), any_size=True)

    return plan


def deal_to_free_seats(
    room: SeatingRoom, order: Sequence[int], free: Sequence[SeatPosition]
) -> tuple[bridge.SeatClashCost, tuple[int, ...], tuple[tuple[int, SeatPosition], ...]]:
    """Each in this order to the empty seat that breaks least; the whole cost, the order, the places."""
    at = {place[0]: list(room.players(place[0])) for place in free}
    left, found, costs = list(free), [], []
    for number in order:
        prices = {place: separation_cost(room, number, at[place[0]], place[1]) for place in left}
        best = min(left, key=lambda place: (prices[place], len(at[place[0]]), place))
        costs.append(prices[best])
        left.remove(best)
        at[best[0]].append(number)
        found.append((number, best))
    return sum_costs(costs), tuple(order), tuple(found)


def plan_free_seat(number: int) -> SeatMovePlan:
    """The seat of one who no longer takes part, empty."""

    def plan(room: SeatingRoom) -> SeatMove:
        if number not in room.places:
            checks.refuse_not_seated(room.session, number)
        if room.plays(number):
            raise Refused(
                "still_taking_part",
                _("Entrant %(number)s takes part and keeps the seat. Record the absence first."),
                room.session,
                number=f"{number:04d}",
            )
        return SeatMove("free_seat", {number: None}, any_size=True)

    return plan


def plan_vacate_seat(number: int) -> SeatMovePlan:
    """The seat of one who goes to another session with the same act, empty; it is not undone from the room."""

    def plan(room: SeatingRoom) -> SeatMove:
        if number not in room.places:
            checks.refuse_not_seated(room.session, number)
        return SeatMove("free_seat", {number: None}, any_size=True, undoable=False)

    return plan


def plan_undo(room: SeatingRoom) -> SeatMove:
    """The last move back, refused where something else was changed after it."""
    last = room.draw.last_move
    if not last or last["revision"] != room.draw.revision:
        sentence = _("There is no last move to undo: the seats were drawn or changed since.")
        raise Refused("nothing_to_undo", sentence, room.session)
    places = {number: (table, letter) if table else None for number, table, letter in last["back"]}
    for number, place in places.items():
        if place and number not in room.entrants:
            checks.refuse_not_waiting(room.session, number)
    return SeatMove("undo_move", places, {int(table): key for table, key in last["referees"].items()}, any_size=True)


def separation_cost(room: SeatingRoom, number: int, others: Iterable[int], letter: str) -> bridge.SeatClashCost:
    """What this entrant would not keep beside the others at this letter."""
    return bridge.seat_clash_cost(room.past, room.entrants[number], [room.entrants[other] for other in others], letter)


def cost_among(room: SeatingRoom, numbers: Sequence[int]) -> bridge.SeatClashCost:
    """The same among those of one table, seated in this order."""
    seated = enumerate(zip(TABLE_SEAT_LETTERS, numbers, strict=False))
    return sum_costs(separation_cost(room, number, numbers[:place], letter) for place, (letter, number) in seated)


def sum_costs(costs: Iterable[bridge.SeatClashCost]) -> bridge.SeatClashCost:
    """Adds the costs up, each kind by itself."""
    families, letters, meetings, schools = (sum(kind) for kind in zip((0, 0, 0, 0), *costs, strict=True))
    return families, letters, meetings, schools

"""What the room shows: each table with its four seats, what is not kept, who waits, which papers are missing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict, cast

from django.utils.translation import gettext as _
from django_stubs_ext import Annotations

from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.events.domain import ruleset_of_stage
from tournament.events.templatetags.rounds import final_name
from tournament.seating.services.checks import size_limits
from tournament.seating.services.moves import TABLE_SEAT_LETTERS, SeatMovePreview, SeatPosition
from tournament.tables import domain as bridge
from tournament.tables.models import Seat, SheetPrint, Table
from tournament.tables.queries import seating as queries
from tournament.tables.queries.seating import PaperState

TABLES_WATCHED_BY_REFEREE = 2


class ShownSeat(TypedDict):
    """What the room shows of a seat: what is not kept apart there, and whether its entrant takes part."""

    mark: str
    plays: bool


class ShownTable(TypedDict):
    """What the room shows of a table: whether its sheet is begun, its players, its paper. `places`: letter, id of the
    place in the page, and the seat, None while it is empty."""

    typed: bool
    players: int
    too_small: bool
    places: list[tuple[str, str, Seat | None]]
    paper: SheetPrint | None
    paper_state: str


def seating_room_context(session: Session) -> dict[str, Any]:
    """The context of the room's page; the same queries however many tables there are."""
    tables = cast(list[Annotated[Table, Annotations[ShownTable]]], queries.tables_of_session_room(session))
    draw = queries.current_draw_of(session)
    everyone = queries.entrants_to_seat(session)
    prints = queries.newest_prints([session])
    could_not = draw.could_not if draw else []
    entrants = {seat.entrant.number: seat.entrant for table in tables for seat in table.seats.all()}
    mark_tables(session, tables, could_not, queries.typed_tables(session))
    for table in tables:
        printed = prints.get((session.pk, table.number))
        table.paper = printed
        table.paper_state = paper_state_of_table(table, printed, session)
    watching = Counter(table.referee for table in tables if table.referee)
    return {
        "draw": draw,
        "revision": draw.revision if draw else 0,
        "last_move": _last_move(draw),
        "pairs": bridge.tables_by_referee_pair(tables),
        "tables": len(tables),
        "other_sizes": bridge.tables_of_other_sizes(
            Counter(table.players for table in tables), ruleset_of_stage(session.stage).table_sizes
        ),
        "too_small": [table for table in tables if table.too_small],
        "seated": len(entrants),
        "entrants": len(everyone),
        "unseated": [one for one in everyone if one.number not in entrants] if draw else [],
        "gone": [one for one in entrants.values() if not queries.takes_part_in_session(one, session)],
        "free_seats": sum(len(TABLE_SEAT_LETTERS) - table.players for table in tables if not table.typed),
        "without_referee": [table.number for table in tables if table.referee_id is None],
        "watching_many": [(one, count) for one, count in watching.items() if count > TABLES_WATCHED_BY_REFEREE],
        "could_not": separation_conflicts_with_names(could_not, entrants),
        "drawable": not any(table.typed for table in tables),
        "printed": sum(table.paper is not None for table in tables),
        "to_print": [table for table in tables if table.paper_state and not table.typed],
        "print_again": [table for table in tables if table.paper_state == PaperState.OUTDATED and not table.typed],
    }


def mark_tables(
    session: Session,
    tables: Iterable[Annotated[Table, Annotations[ShownTable]]],
    could_not: Iterable[bridge.NotKeptRecord],
    typed: set[int],
) -> None:
    """Set on each table its four places, whether it has too few and whether its sheet is begun; on each seat what
    is not kept apart."""
    least = size_limits(session)["least"]
    marks = {(one["table"], number): one["kind"] for one in reversed(list(could_not)) for number in one["ids"]}
    for table in tables:
        table.typed = table.number in typed
        seats = {seat.letter: seat for seat in table.seats.all()}
        table.players = 0
        for seat in cast(Iterable[Annotated[Seat, Annotations[ShownSeat]]], seats.values()):
            seat.mark = marks.get((table.number, seat.entrant.number), "")
            seat.plays = queries.takes_part_in_session(seat.entrant, session)
            table.players += seat.plays
        table.too_small = table.players < least
        table.places = [(letter, f"{table.number}{letter}", seats.get(letter)) for letter in TABLE_SEAT_LETTERS]


def paper_state_of_table(table: Table, printed: Any, session: Session) -> str:
    """Nothing where the paper is as it should be."""
    if printed is None:
        return PaperState.UNPRINTED
    return PaperState.OUTDATED if queries.is_paper_outdated(printed, table, session) else ""


def _last_move(draw: Any) -> Mapping[str, Any] | None:
    """The last move, while nothing was changed after it."""
    if draw is None or not draw.last_move or draw.last_move["revision"] != draw.revision:
        return None
    return {**draw.last_move, "text": last_move_text(draw.last_move["act"], draw.last_move["said"])}


def separation_conflicts_with_names(
    could_not: Iterable[bridge.NotKeptRecord], entrants: Mapping[int, Entrant]
) -> list[dict[str, Any]]:
    """What is not kept, with the entrants themselves."""
    return [{**one, "entrants": [entrants[number] for number in one["ids"] if number in entrants]} for one in could_not]


def separation_conflict_facts(one: bridge.NotKeptRecord) -> dict[str, Any]:
    numbers = ", ".join(f"{number:04d}" for number in one["ids"])
    return {"numbers": numbers, "table": one["table"], "letter": one.get("letter", "")}


def broken_text(one: bridge.NotKeptRecord) -> str:
    """A rule that a move has broken, as one sentence."""
    told = separation_conflict_facts(one)
    if one["kind"] == "family":
        return _("A family now sits at one table: %(numbers)s at table %(table)s.") % told
    if one["kind"] == "meeting":
        return _("Two who have met now sit at one table again: %(numbers)s at table %(table)s.") % told
    if one["kind"] == "letter":
        return _("Entrant %(numbers)s now sits too often at letter %(letter)s (table %(table)s).") % told
    return _("Pupils of one school now sit at one table: %(numbers)s at table %(table)s.") % told


def would_break_text(one: bridge.NotKeptRecord) -> str:
    """A rule that a move would break, as one sentence."""
    told = separation_conflict_facts(one)
    if one["kind"] == "family":
        return _("A family would sit at table %(table)s: %(numbers)s.") % told
    if one["kind"] == "meeting":
        return _("Two who have met would sit at table %(table)s again: %(numbers)s.") % told
    if one["kind"] == "letter":
        return _("Entrant %(numbers)s would sit too often at letter %(letter)s (table %(table)s).") % told
    return _("Pupils of one school would sit at table %(table)s: %(numbers)s.") % told


def final_round_context(session: Session) -> dict[str, Any]:
    """What the room's page says of the final and its rounds; `waits_for`: the first round before without seats."""
    stage = session.stage
    final = not stage.is_first
    numbered = list(enumerate(queries.sessions_with_draw(stage), start=1)) if stage.rounds > 1 else []
    before = [(number, one) for number, one in numbered if one.number < session.number]
    return {
        "final": final_name(session),
        "rounds": stage.rounds,
        "fixed": not final or stage.frozen_at is not None,
        "other_rounds": [(number, one) for number, one in numbered if one.pk != session.pk],
        "waits_for": next((number for number, one in before if not _is_confirmed(one)), None),
    }


def _is_confirmed(session: Session) -> bool:
    draw = getattr(session, "draw", None)
    return draw is not None and draw.confirmed_at is not None


def place_text(place: SeatPosition | None) -> str:
    """Such as `table 3 seat D`; None is `no seat`."""
    if place is None:
        return _("no seat")
    return _("table %(table)s seat %(letter)s") % {"table": place[0], "letter": place[1]}


def last_move_text(act: str, said: str) -> str:
    """What the last move was, with its numbers and seats: `0302 1A → 3D`."""
    words = {
        "swap_seats": _("Swapped"),
        "move_seat": _("Moved"),
        "seat_late_entrant": _("Given a seat"),
        "open_table": _("Table opened"),
        "dissolve_table": _("Table dissolved"),
        "free_seat": _("Seat freed"),
        "undo_move": _("Undone"),
    }
    return words[act] + _(": ") + said.replace(">", "→").replace(", ", _(", "))


def seat_moves_in_words(
    number: int, answers: Mapping[SeatPosition, SeatMovePreview | str]
) -> dict[str, dict[str, str]]:
    """By seat (`3D`): `kind` is refused, family, meeting, letter, school or fine, `says` the sentence to read out."""
    return {f"{table}{letter}": seat_move_in_words(number, answer) for (table, letter), answer in answers.items()}


def seat_move_in_words(number: int, answer: SeatMovePreview | str) -> dict[str, str]:
    if isinstance(answer, str):
        return {"kind": "refused", "says": answer}
    others = [other for other, place in answer.move.places.items() if other != number and place is not None]
    place = place_text(answer.move.places[number])
    if others:
        said = _("%(place)s: swap with %(other)s.") % {"place": place, "other": f"{others[0]:04d}"}
    else:
        said = _("%(place)s: empty seat.") % {"place": place}
    broke = answer.change.broke
    kind = broke[0]["kind"] if broke else "fine"
    return {"kind": kind, "says": " ".join([said, *map(would_break_text, broke)])}

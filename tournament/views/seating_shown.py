"""What the room shows: each table with its four seats, what is not kept, who waits, which papers are missing."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournament.bridge import seating as bridge
from tournament.enums import StageKind
from tournament.models import Entrant, Session, Table
from tournament.queries import seating as queries
from tournament.queries.seating import PaperState
from tournament.services.seating_moves import FEWEST, LETTERS, Foreseen, Place
from tournament.templatetags.rounds import final_name

WATCHED = 2


def shown_room(session: Session) -> dict[str, Any]:
    """The context of the room's page; the same queries however many tables there are."""
    tables = queries.room_of(session)
    draw = queries.draw_of(session)
    everyone = queries.entrants_to_seat(session)
    prints = queries.newest_prints([session])
    could_not = draw.could_not if draw else []
    entrants = {seat.entrant.number: seat.entrant for table in tables for seat in table.seats.all()}
    _mark(session, tables, could_not, queries.typed_tables(session))
    for table in tables:
        printed = prints.get((session.pk, table.number))
        table.paper = printed
        table.paper_state = _paper_state(table, printed, session)
    watching = Counter(table.referee for table in tables if table.referee)
    return {
        "draw": draw,
        "revision": draw.revision if draw else 0,
        "last_move": _last_move(draw),
        "pairs": bridge.pairs(tables),
        "tables": len(tables),
        "threes": sum(table.players == FEWEST for table in tables),
        "too_small": [table for table in tables if table.players < FEWEST],
        "seated": len(entrants),
        "entrants": len(everyone),
        "unseated": [one for one in everyone if one.number not in entrants] if draw else [],
        "gone": [one for one in entrants.values() if not queries.takes_part(one, session)],
        "free_seats": sum(len(LETTERS) - table.players for table in tables if not table.typed),
        "without_referee": [table.number for table in tables if table.referee_id is None],
        "watching_many": [(one, count) for one, count in watching.items() if count > WATCHED],
        "could_not": _told(could_not, entrants),
        "drawable": not any(table.typed for table in tables),
        "printed": sum(table.paper is not None for table in tables),
        "to_print": [table for table in tables if table.paper_state and not table.typed],
        "print_again": [table for table in tables if table.paper_state == PaperState.OUTDATED and not table.typed],
    }


def _mark(session: Session, tables: Sequence[Table], could_not: Iterable[bridge.Together], typed: set[int]) -> None:
    """Set on each table its four places and whether its sheet is begun, on each seat what is not kept apart."""
    marks = {(one["table"], number): one["kind"] for one in reversed(list(could_not)) for number in one["ids"]}
    for table in tables:
        table.typed = table.number in typed
        seats = {seat.letter: seat for seat in table.seats.all()}
        table.players = 0
        for seat in seats.values():
            seat.mark = marks.get((table.number, seat.entrant.number), "")
            seat.plays = queries.takes_part(seat.entrant, session)
            table.players += seat.plays
        table.places = [(letter, f"{table.number}{letter}", seats.get(letter)) for letter in LETTERS]


def _paper_state(table: Table, printed: Any, session: Session) -> str:
    """Nothing where the paper is as it should be."""
    if printed is None:
        return PaperState.UNPRINTED
    return PaperState.OUTDATED if queries.is_outdated(printed, table, session) else ""


def _last_move(draw: Any) -> Mapping[str, Any] | None:
    """The last move, while nothing was changed after it."""
    if draw is None or not draw.last_move or draw.last_move["revision"] != draw.revision:
        return None
    return {**draw.last_move, "text": moved_text(draw.last_move["act"], draw.last_move["said"])}


def _told(could_not: Iterable[bridge.Together], entrants: Mapping[int, Entrant]) -> list[dict[str, Any]]:
    """What is not kept, with the entrants themselves."""
    return [{**one, "entrants": [entrants[number] for number in one["ids"] if number in entrants]} for one in could_not]


def _facts(one: bridge.Together) -> dict[str, Any]:
    numbers = ", ".join(f"{number:04d}" for number in one["ids"])
    return {"numbers": numbers, "table": one["table"], "letter": one.get("letter", "")}


def broken_text(one: bridge.Together) -> str:
    """A rule that a move has broken, as one sentence."""
    told = _facts(one)
    if one["kind"] == "family":
        return _("A family now sits at one table: %(numbers)s at table %(table)s.") % told
    if one["kind"] == "meeting":
        return _("Two who have met now sit at one table again: %(numbers)s at table %(table)s.") % told
    if one["kind"] == "letter":
        return _("Entrant %(numbers)s now sits too often at letter %(letter)s (table %(table)s).") % told
    return _("Pupils of one school now sit at one table: %(numbers)s at table %(table)s.") % told


def would_break_text(one: bridge.Together) -> str:
    """A rule that a move would break, as one sentence."""
    told = _facts(one)
    if one["kind"] == "family":
        return _("A family would sit at table %(table)s: %(numbers)s.") % told
    if one["kind"] == "meeting":
        return _("Two who have met would sit at table %(table)s again: %(numbers)s.") % told
    if one["kind"] == "letter":
        return _("Entrant %(numbers)s would sit too often at letter %(letter)s (table %(table)s).") % told
    return _("Pupils of one school would sit at table %(table)s: %(numbers)s.") % told


def round_shown(session: Session) -> dict[str, Any]:
    """What the room's page says of the final and its rounds; `waits_for`: the first round before without seats."""
    stage = session.stage
    final = stage.kind == StageKind.FINAL
    numbered = list(enumerate(queries.sessions_of(stage), start=1)) if final and stage.rounds > 1 else []
    before = [(number, one) for number, one in numbered if one.number < session.number]
    return {
        "final": final_name(session),
        "rounds": stage.rounds if final else 1,
        "fixed": not final or stage.frozen_at is not None,
        "other_rounds": [(number, one) for number, one in numbered if one.pk != session.pk],
        "waits_for": next((number for number, one in before if not _is_confirmed(one)), None),
    }


def _is_confirmed(session: Session) -> bool:
    draw = getattr(session, "draw", None)
    return draw is not None and draw.confirmed_at is not None


def place_text(place: Place | None) -> str:
    """`table 3 seat D`."""
    if place is None:
        return _("no seat")
    return _("table %(table)s seat %(letter)s") % {"table": place[0], "letter": place[1]}


def moved_text(act: str, said: str) -> str:
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
    return f"{words[act]}{_(': ')}{said.replace('>', '→').replace(', ', _(', '))}"


def shown_moves(number: int, answers: Mapping[Place, Foreseen | str]) -> dict[str, dict[str, str]]:
    """By seat (`3D`): `kind` is refused, family, meeting, letter, school or fine, `says` the sentence to read out."""
    return {f"{table}{letter}": _shown_move(number, answer) for (table, letter), answer in answers.items()}


def _shown_move(number: int, answer: Foreseen | str) -> dict[str, str]:
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

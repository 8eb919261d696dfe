"""A sheet as typed, as the rules read it, as rows, and as the canonical values whose digest is signed.

`typed` is what a row keeps, every text as it was written:
{"games": [{"ended_by", "starter", "seats": {"A": {...}}}], "totals": {"A": {"wins", "points", "tiles"}}}; a game has
`ruling` only where there is one, a seat the fields of `scoring.entry.SeatEntry`, `turns` only where the sheet counts
turns. Points leave here as whole twelfths and come back as Fractions.
"""

import dataclasses
import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext_noop as _

from scoring.entry import GameEntry, SeatEntry, SheetEntry, TotalEntry, TurnEntry
from scoring.problems import SheetProblem
from scoring.ruleset import Ruleset
from scoring.rulings import RULING_NAMES
from scoring.sheet import ReadGame, ReadSeat, ReadTurn, SheetCheck, check_sheet
from scoring.turns import check_turn_sheet
from scoring.values import ALL_SEAT_LETTERS
from tournament.core.enums import EntrantStatus, SheetForm
from tournament.core.errors import BadInput
from tournament.sheets.domain.heading import empty_heading
from tournament.sheets.models.scoresheet import LINE_FIELDS, TURN_FIELDS, Game, Line, Scoresheet, Turn
from tournament.tables.models import Seat, Table

SHEET_CANON_VERSION, TURN_SHEET_CANON_VERSION, RULED_SHEET_CANON_VERSION = 1, 2, 3
ROW_TWELFTHS = 12
MAX_SHEET_GAMES = 12
MAX_SHEET_TURNS = 60
MAX_CELL_TEXT, MAX_RACK_TEXT, MAX_WORDS_TEXT = 60, 500, 200
MAX_SERIAL_TEXT, MAX_REASON_TEXT = 200, 200
TYPED_ENDINGS = ("", "rummikub", "pool", "time", "not_played")
GAME_HEAD_WORDS = {"ended_by": TYPED_ENDINGS, "starter": ("", *ALL_SEAT_LETTERS), "ruling": ("", *RULING_NAMES)}
# A seat's cells as they are typed: texts, and flags with what is the rule. `could_open` may also be left unsaid.
SEAT_TEXTS = tuple(field.name for field in dataclasses.fields(SeatEntry) if field.default == "")
SEAT_FLAGS = {field.name: field.default for field in dataclasses.fields(SeatEntry) if isinstance(field.default, bool)}
TURN_TEXTS = tuple(field.name for field in dataclasses.fields(TurnEntry) if field.default == "")
TOTAL_TEXTS = tuple(field.name for field in dataclasses.fields(TotalEntry))
LEAVING_STATUSES = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED)

TypedSheet = Mapping[str, Any]


# --- What was typed -------------------------------------------------------------------------------------
def malformed_sheet_input(where: str) -> BadInput:
    """Not a fault of the paper but of what was sent: no page of ours sends this."""
    return BadInput("sheet_not_readable", _("What was sent is not a scoresheet: %(where)s."), where=where)


def clean_typed(data: object) -> dict[str, Any]:
    """The same data in full shape, every key there; BadInput for an unknown key, a wrong type or an over-long text."""
    sheet = _read_json_object(data, "sheet", {"games", "totals", "heading"})
    games = sheet.get("games", [])
    if not isinstance(games, Sequence) or isinstance(games, str) or len(games) > MAX_SHEET_GAMES:
        raise malformed_sheet_input("games")
    return {
        **({"heading": _clean_heading(sheet["heading"])} if "heading" in sheet else {}),
        "games": [_clean_game(game, f"games[{index}]") for index, game in enumerate(games)],
        "totals": {
            letter: {name: _read_json_text(total, name, f"totals.{letter}", MAX_CELL_TEXT) for name in TOTAL_TEXTS}
            for letter, total in _read_objects_by_letter(sheet.get("totals", {}), "totals", set(TOTAL_TEXTS)).items()
        },
    }


def _clean_heading(data: object) -> dict[str, Any]:
    heading = _read_json_object(data, "heading", set(empty_heading()))
    same = heading.get("same", False)
    if not isinstance(same, bool):
        raise malformed_sheet_input("heading.same")
    lengths = {"serial": MAX_SERIAL_TEXT, "reason": MAX_REASON_TEXT}
    texts = {
        name: _read_json_text(heading, name, "heading", lengths.get(name, MAX_CELL_TEXT))
        for name in empty_heading()
        if name != "same"
    }
    return {**texts, "same": same}


def _clean_game(data: object, where: str) -> dict[str, Any]:
    game = _read_json_object(data, where, {*GAME_HEAD_WORDS, "seats"})
    head = {name: game.get(name, "") for name in GAME_HEAD_WORDS}
    for name, text in head.items():
        if text not in GAME_HEAD_WORDS[name]:
            raise malformed_sheet_input(f"{where}.{name}")
    ruled = {"ruling": head["ruling"]} if head["ruling"] else {}
    known = {*SEAT_TEXTS, *SEAT_FLAGS, "could_open", "turns"}
    seats = _read_objects_by_letter(game.get("seats", {}), f"{where}.seats", known)
    cleaned = {letter: _clean_seat(seat, f"{where}.seats.{letter}") for letter, seat in seats.items()}
    return {"ended_by": head["ended_by"], "starter": head["starter"], **ruled, "seats": cleaned}


def _clean_seat(seat: Mapping[str, Any], where: str) -> dict[str, Any]:
    cleaned: dict[str, Any] = {}
    for name in SEAT_TEXTS:
        cleaned[name] = _read_json_text(seat, name, where, MAX_RACK_TEXT if name == "rack" else MAX_CELL_TEXT)
    for name, rule in SEAT_FLAGS.items():
        value = seat.get(name, rule)
        if not isinstance(value, bool):
            raise malformed_sheet_input(f"{where}.{name}")
        cleaned[name] = value
    could_open = seat.get("could_open")
    if could_open is not None and not isinstance(could_open, bool):
        raise malformed_sheet_input(f"{where}.could_open")
    turns = {"turns": _clean_turns(seat["turns"], f"{where}.turns")} if "turns" in seat else {}
    return {**cleaned, "could_open": could_open, **turns}


def _clean_turns(data: object, where: str) -> list[dict[str, Any]]:
    if not isinstance(data, Sequence) or isinstance(data, str) or len(data) > MAX_SHEET_TURNS:
        raise malformed_sheet_input(where)
    return [_clean_turn(turn, f"{where}[{number}]") for number, turn in enumerate(data)]


def _clean_turn(data: object, where: str) -> dict[str, Any]:
    turn = _read_json_object(data, where, {*TURN_TEXTS, "emptied"})
    emptied = turn.get("emptied", False)
    if not isinstance(emptied, bool):
        raise malformed_sheet_input(f"{where}.emptied")
    return {**{name: _read_json_text(turn, name, where, MAX_WORDS_TEXT) for name in TURN_TEXTS}, "emptied": emptied}


def _read_json_object(data: object, where: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not set(data) <= known:
        raise malformed_sheet_input(where)
    return data


def _read_objects_by_letter(data: object, where: str, known: set[str]) -> Mapping[str, Mapping[str, Any]]:
    by_letter = _read_json_object(data, where, set(ALL_SEAT_LETTERS))
    return {
        letter: _read_json_object(by_letter[letter], f"{where}.{letter}", known)
        for letter in ALL_SEAT_LETTERS
        if letter in by_letter
    }


def _read_json_text(data: Mapping[str, Any], name: str, where: str, most: int) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > most or not is_storable(value):
        raise malformed_sheet_input(f"{where}.{name}")
    return value


def is_storable(text: str) -> bool:
    """Whether every database can keep it: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


# --- As the rules read it -------------------------------------------------------------------------------
def present_letters(seats: Iterable[Seat]) -> tuple[str, ...]:
    """The letters of those who sat down: a no-show's seat counts as empty."""
    return tuple(seat.letter for seat in seats if seat.entrant.status != EntrantStatus.FORFEITED)


def games_to_play(ruleset: Ruleset, seats: Sequence[Seat]) -> int:
    """How many games the table plays: where the rules fix no number, as many as have sat down (000)."""
    return ruleset.games_at_table(len(present_letters(seats)) or len(seats))


def leaver_letters(seats: Iterable[Seat]) -> frozenset[str]:
    """The letters of those who withdrew or were disqualified: their finished games stand."""
    return frozenset(seat.letter for seat in seats if seat.entrant.status in LEAVING_STATUSES)


def signing_letters(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Every seated entrant who has not left signs (R41)."""
    return tuple(seat.letter for seat in seats if seat.entrant.status == EntrantStatus.OK)


def sheet_entry(form: str, typed: TypedSheet, seats: Sequence[Seat]) -> SheetEntry:
    """What was typed, as the rules take it; `typed` has been through `clean_typed`, or is {}: nothing has come."""
    return SheetEntry(
        form=form if form in SheetForm.values else "paper",
        seats=present_letters(seats),
        leavers=leaver_letters(seats),
        games=tuple(_game_entry(game) for game in typed.get("games", ())),
        totals={letter: TotalEntry(**total) for letter, total in typed.get("totals", {}).items()},
    )


def _game_entry(game: Mapping[str, Any]) -> GameEntry:
    seats = {
        letter: SeatEntry(**{**seat, "turns": tuple(TurnEntry(**turn) for turn in seat.get("turns", ()))})
        for letter, seat in game["seats"].items()
    }
    return GameEntry(game["ended_by"], seats, game["starter"], game.get("ruling", ""))


def check_typed_sheet(ruleset: Ruleset, form: str, typed: TypedSheet, seats: Sequence[Seat]) -> SheetCheck:
    """All that is wrong or unusual, and what can be computed, under the entrants' statuses of this moment."""
    if ruleset.counts_turns:
        return check_turn_sheet(ruleset, sheet_entry(form, typed, seats))
    return check_sheet(ruleset, sheet_entry(form, typed, seats))


def sheet_forms(ruleset: Ruleset) -> tuple[SheetForm, ...]:
    """The forms in which a sheet of this ruleset may be typed, the usual one first."""
    return (SheetForm.TURNS,) if ruleset.counts_turns else (SheetForm.PAPER, SheetForm.RACK)


def confirmation_key(problem: SheetProblem) -> str:
    """The key of a confirmation: the code, the place and its figures, so that another figure must be confirmed anew."""
    facts = json.dumps(_plain_fact(problem.facts), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{problem.code} {problem.where} {hashlib.sha256(facts.encode()).hexdigest()[:8]}"


def _plain_fact(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain_fact(part) for key, part in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        return [_plain_fact(part) for part in value]
    return str(value) if isinstance(value, Fraction) else value


def unconfirmed_problems(check: SheetCheck, confirmations: Mapping[str, str]) -> tuple[SheetProblem, ...]:
    """What is unusual and has no reason yet."""
    return tuple(problem for problem in check.look if not confirmations.get(confirmation_key(problem), "").strip())


def confirm_all_unusual(check: SheetCheck, reason: str) -> dict[str, str]:
    """One reason for all that is unusual."""
    return {confirmation_key(problem): reason for problem in check.look}


def confirmations_still_needed(check: SheetCheck, confirmations: Mapping[str, str]) -> dict[str, str]:
    """Only the confirmations of what is unusual now, trimmed: those of figures since mended fall away."""
    keys = [confirmation_key(problem) for problem in check.look]
    return {key: confirmations[key].strip() for key in keys if confirmations.get(key, "").strip()}


# --- As rows --------------------------------------------------------------------------------------------
class LineRows(NamedTuple):
    """One entrant's line with its turns, in their order."""

    line: Line
    turns: Sequence[Turn] = ()


class GameRows(NamedTuple):
    """A game with its lines."""

    game: Game
    lines: Sequence[LineRows]


def points_in_twelfths(points: Fraction) -> int:
    """Points as rows keep them; every share among up to four is whole."""
    twelfths = points * ROW_TWELFTHS
    if twelfths.denominator != 1:
        raise ValueError(f"{points} is no whole number of twelfths")
    return twelfths.numerator


def game_rows(sheet: Scoresheet, check: SheetCheck, seats: Sequence[Seat]) -> list[GameRows]:
    """Games, lines and turns of a sheet with nothing to mend; a game not played has no lines, nor has who took no
    part."""
    entrants = {seat.letter: seat.entrant for seat in seats}
    rows = []
    for number, read in enumerate(check.games, start=1):
        game = Game(scoresheet=sheet, number=number, **{name: getattr(read, name) for name in GAME_HEAD_WORDS})
        lines = []
        for letter in _letters_playing(read, entrants):
            line = _line_row(game, letter, read.seats[letter], entrants[letter])
            lines.append(LineRows(line, _turn_rows(line, read.seats[letter].turns)))
        rows.append(GameRows(game, lines))
    return rows


def stored_game_rows(games: Iterable[Game]) -> list[GameRows]:
    """What the rows hold now; `games` with lines and turns at hand, as `games_with_lines` reads them."""
    return [GameRows(game, [LineRows(line, list(line.turns.all())) for line in game.lines.all()]) for game in games]


def _letters_playing(game: ReadGame, entrants: Mapping[str, Any]) -> list[str]:
    if game.ended_by == "not_played":
        return []
    return [letter for letter in ALL_SEAT_LETTERS if letter in entrants and _has_figures(game.seats.get(letter))]


def _has_figures(seat: ReadSeat | None) -> bool:
    return seat is not None and not seat.absent and seat.points is not None


def _line_row(game: Game, letter: str, seat: ReadSeat, entrant: Any) -> Line:
    assert seat.points is not None
    kept = {"points_twelfths": points_in_twelfths(seat.points), "rack": " ".join(seat.rack or ())}
    same = {name: getattr(seat, name) for name in LINE_FIELDS if name not in kept}
    return Line(game=game, letter=letter, entrant=entrant, **same, **kept)


def _turn_rows(line: Line, turns: Sequence[ReadTurn]) -> list[Turn]:
    """A row of each turn with words; a turn in which a tile was drawn has none."""
    return [
        Turn(
            line=line,
            number=number,
            own=" ".join(turn.own),
            rearranged=" ".join(turn.rearranged),
            emptied=turn.emptied,
            points=turn.points or 0,
        )
        for number, turn in enumerate(turns, start=1)
        if turn.own or turn.rearranged
    ]


# --- The values that are signed --------------------------------------------------------------------------
def canonical_sheet_text(
    table: Table,
    version: int,
    seats: Iterable[Seat],
    rows: Iterable[GameRows],
    confirmations: Mapping[str, str],
) -> str:
    """The sheet's values as one text: sorted keys, integers only, NFC; the same on every machine and database. Version
    3 has the ruling of each game, 2 the turns of each line, 1 is that of a sheet without any."""
    games = sorted(rows, key=lambda row: row.game.number)
    turns = any(line.turns for row in games for line in row.lines)
    ruled = any(row.game.ruling for row in games)
    of_games = RULED_SHEET_CANON_VERSION if ruled else SHEET_CANON_VERSION
    values = {
        "canon_version": TURN_SHEET_CANON_VERSION if turns else of_games,
        "event": table.session.stage.event.slug,
        "stage": str(table.session.stage.kind),
        "session": table.session.number,
        "table": table.number,
        "version": version,
        "seats": {seat.letter: seat.entrant.number for seat in seats},
        "games": [_game_values(row, turns, ruled) for row in games],
        "confirmations": dict(confirmations),
    }
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return unicodedata.normalize("NFC", text)


def _game_values(row: GameRows, turns: bool, ruled: bool) -> dict[str, Any]:
    return {
        "number": row.game.number,
        "ended_by": str(row.game.ended_by),
        "starter": row.game.starter,
        **({"ruling": str(row.game.ruling)} if ruled else {}),
        "lines": {one.line.letter: _line_values(one, turns) for one in row.lines},
    }


def _line_values(row: LineRows, turns: bool) -> dict[str, Any]:
    values = {name: getattr(row.line, name) for name in LINE_FIELDS}
    if turns:
        in_order = sorted(row.turns, key=lambda turn: turn.number)
        values["turns"] = [{name: getattr(turn, name) for name in TURN_FIELDS} for turn in in_order]
    return values


def canonical_text_digest(text: str) -> str:
    """SHA-256 of canonical values, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def sheet_rows_digest(table: Table, sheet: Scoresheet, seats: Sequence[Seat]) -> str:
    """The digest of what the rows hold now; three queries."""
    rows = stored_game_rows(sheet.games.prefetch_related("lines__turns"))
    return canonical_text_digest(canonical_sheet_text(table, sheet.version, seats, rows, sheet.confirmations))


def sheet_check_digest(
    table: Table, sheet: Scoresheet, check: SheetCheck, seats: Sequence[Seat], confirmations: Mapping[str, str]
) -> str:
    """The digest of what the typed texts come to."""
    return canonical_text_digest(
        canonical_sheet_text(table, sheet.version, seats, game_rows(sheet, check, seats), confirmations)
    )


def short_digest_code(digest_text: str) -> str:
    """The eight characters that a person can compare: `7F3A-19C2`."""
    return f"{digest_text[:4]}-{digest_text[4:8]}".upper()


def empty_typed_sheet(games: int, turns: int = 0) -> dict[str, Any]:
    """A sheet with nothing on it, in full shape for the four seats; `turns`: how many lines it has where it counts
    turns."""
    seat = dataclasses.asdict(SeatEntry())
    del seat["turns"]
    if turns:
        seat["turns"] = [dataclasses.asdict(TurnEntry()) for _turn in range(turns)]
    return {
        "games": [
            {"ended_by": "", "starter": "", "seats": {letter: deepcopy(seat) for letter in ALL_SEAT_LETTERS}}
            for _game in range(games)
        ],
        "totals": {letter: dict.fromkeys(TOTAL_TEXTS, "") for letter in ALL_SEAT_LETTERS},
    }

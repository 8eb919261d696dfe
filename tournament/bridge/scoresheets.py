"""A sheet as typed, as the rules read it, as rows, and as the canonical values whose digest is signed.

`typed` is what a row keeps, every text as it was written:
{"games": [{"ended_by", "starter", "seats": {"A": {...}}}], "totals": {"A": {"wins", "points", "tiles"}}}; a seat has
the fields of `scoring.entry.SeatEntry`. Points leave here as whole twelfths and come back as Fractions.
"""

import dataclasses
import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.entry import GameEntry, SeatEntry, SheetEntry, TotalEntry
from scoring.problems import Problem
from scoring.ruleset import Ruleset
from scoring.sheet import ReadGame, ReadSeat, SheetCheck, check_sheet
from scoring.values import SEATS
from tournament.bridge.scoresheets_heading import empty_heading
from tournament.enums import EntrantStatus, SheetForm
from tournament.errors import BadInput
from tournament.models import Game, Line, Scoresheet, Seat, Table

CANON_VERSION = 1
TWELFTHS = 12
MOST_GAMES = 12
TEXT, RACK_TEXT = 60, 500
SERIAL_TEXT, REASON_TEXT = 200, 200
ENDINGS = ("", "rummikub", "pool", "time", "not_played")
SEAT_TEXTS = ("win", "points", "tiles", "face_value", "rack")
SEAT_FLAGS = ("opened", "pushed_over", "left", "absent")
TOTAL_TEXTS = ("wins", "points", "tiles")
LEAVING = (EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED)

Typed = Mapping[str, Any]


# --- What was typed -------------------------------------------------------------------------------------
def refuse(where: str) -> BadInput:
    """Not a fault of the paper but of what was sent: no page of ours sends this."""
    return BadInput("sheet_not_readable", _("What was sent is not a scoresheet: %(where)s."), where=where)


def clean_typed(data: object) -> dict[str, Any]:
    """The same data in full shape, every key there; BadInput for an unknown key, a wrong type or an over-long text."""
    sheet = _object(data, "sheet", {"games", "totals", "heading"})
    games = sheet.get("games", [])
    if not isinstance(games, Sequence) or isinstance(games, str) or len(games) > MOST_GAMES:
        raise refuse("games")
    return {
        **({"heading": _clean_heading(sheet["heading"])} if "heading" in sheet else {}),
        "games": [_clean_game(game, f"games[{index}]") for index, game in enumerate(games)],
        "totals": {
            letter: {name: _text(total, name, f"totals.{letter}", TEXT) for name in TOTAL_TEXTS}
            for letter, total in _by_letter(sheet.get("totals", {}), "totals", set(TOTAL_TEXTS)).items()
        },
    }


def _clean_heading(data: object) -> dict[str, Any]:
    heading = _object(data, "heading", set(empty_heading()))
    same = heading.get("same", False)
    if not isinstance(same, bool):
        raise refuse("heading.same")
    lengths = {"serial": SERIAL_TEXT, "reason": REASON_TEXT}
    texts = {
        name: _text(heading, name, "heading", lengths.get(name, TEXT)) for name in empty_heading() if name != "same"
    }
    return {**texts, "same": same}


def _clean_game(data: object, where: str) -> dict[str, Any]:
    game = _object(data, where, {"ended_by", "starter", "seats"})
    ended_by, starter = game.get("ended_by", ""), game.get("starter", "")
    if ended_by not in ENDINGS:
        raise refuse(f"{where}.ended_by")
    if starter not in ("", *SEATS):
        raise refuse(f"{where}.starter")
    seats = _by_letter(game.get("seats", {}), f"{where}.seats", {*SEAT_TEXTS, *SEAT_FLAGS, "could_open"})
    cleaned = {letter: _clean_seat(seat, f"{where}.seats.{letter}") for letter, seat in seats.items()}
    return {"ended_by": ended_by, "starter": starter, "seats": cleaned}


def _clean_seat(seat: Mapping[str, Any], where: str) -> dict[str, Any]:
    cleaned: dict[str, Any] = {}
    for name in SEAT_TEXTS:
        cleaned[name] = _text(seat, name, where, RACK_TEXT if name == "rack" else TEXT)
    for name in SEAT_FLAGS:
        value = seat.get(name, name == "opened")
        if not isinstance(value, bool):
            raise refuse(f"{where}.{name}")
        cleaned[name] = value
    could_open = seat.get("could_open")
    if could_open is not None and not isinstance(could_open, bool):
        raise refuse(f"{where}.could_open")
    return {**cleaned, "could_open": could_open}


def _object(data: object, where: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping) or not set(data) <= known:
        raise refuse(where)
    return data


def _by_letter(data: object, where: str, known: set[str]) -> Mapping[str, Mapping[str, Any]]:
    by_letter = _object(data, where, set(SEATS))
    return {letter: _object(by_letter[letter], f"{where}.{letter}", known) for letter in SEATS if letter in by_letter}


def _text(data: Mapping[str, Any], name: str, where: str, most: int) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > most or not is_storable(value):
        raise refuse(f"{where}.{name}")
    return value


def is_storable(text: str) -> bool:
    """Whether every database can keep it: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


# --- As the rules read it -------------------------------------------------------------------------------
def present_letters(seats: Iterable[Seat]) -> tuple[str, ...]:
    """The letters of those who sat down: a no-show's seat counts as empty."""
    return tuple(seat.letter for seat in seats if seat.entrant.status != EntrantStatus.FORFEITED)


def leaver_letters(seats: Iterable[Seat]) -> frozenset[str]:
    """The letters of those who withdrew or were disqualified: their finished games stand."""
    return frozenset(seat.letter for seat in seats if seat.entrant.status in LEAVING)


def signing_letters(seats: Iterable[Seat]) -> tuple[str, ...]:
    """Every seated entrant who has not left signs (R41)."""
    return tuple(seat.letter for seat in seats if seat.entrant.status == EntrantStatus.OK)


def entry_of(form: str, typed: Typed, seats: Sequence[Seat]) -> SheetEntry:
    """What was typed, as the rules take it; `typed` has been through `clean_typed`, or is {}: nothing has come."""
    return SheetEntry(
        form="rack" if form == SheetForm.RACK else "paper",
        seats=present_letters(seats),
        leavers=leaver_letters(seats),
        games=tuple(_game_entry(game) for game in typed.get("games", ())),
        totals={letter: TotalEntry(**total) for letter, total in typed.get("totals", {}).items()},
    )


def _game_entry(game: Mapping[str, Any]) -> GameEntry:
    seats = {letter: SeatEntry(**seat) for letter, seat in game["seats"].items()}
    return GameEntry(ended_by=game["ended_by"], seats=seats, starter=game["starter"])


def judge(ruleset: Ruleset, form: str, typed: Typed, seats: Sequence[Seat]) -> SheetCheck:
    """All that is wrong or unusual, and what can be computed, under the entrants' statuses of this moment."""
    return check_sheet(ruleset, entry_of(form, typed, seats))


def problem_key(problem: Problem) -> str:
    """The key of a confirmation: the code, the place and its figures, so that another figure must be confirmed anew."""
    facts = json.dumps(_plain(problem.facts), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{problem.code} {problem.where} {hashlib.sha256(facts.encode()).hexdigest()[:8]}"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, Fraction) else value


def unconfirmed(check: SheetCheck, confirmations: Mapping[str, str]) -> tuple[Problem, ...]:
    """What is unusual and has no reason yet."""
    return tuple(problem for problem in check.look if not confirmations.get(problem_key(problem), "").strip())


def confirm_all(check: SheetCheck, reason: str) -> dict[str, str]:
    """One reason for all that is unusual."""
    return {problem_key(problem): reason for problem in check.look}


def confirmed(check: SheetCheck, confirmations: Mapping[str, str]) -> dict[str, str]:
    """Only the confirmations of what is unusual now, trimmed: those of figures since mended fall away."""
    keys = [problem_key(problem) for problem in check.look]
    return {key: confirmations[key].strip() for key in keys if confirmations.get(key, "").strip()}


# --- As rows --------------------------------------------------------------------------------------------
def in_twelfths(points: Fraction) -> int:
    """Points as rows keep them; every share among up to four is whole."""
    twelfths = points * TWELFTHS
    if twelfths.denominator != 1:
        raise ValueError(f"{points} is no whole number of twelfths")
    return twelfths.numerator


def rows_of(sheet: Scoresheet, check: SheetCheck, seats: Sequence[Seat]) -> list[tuple[Game, list[Line]]]:
    """Games and lines of a sheet with nothing to mend; a game not played has no lines, nor has who took no part."""
    entrants = {seat.letter: seat.entrant for seat in seats}
    rows = []
    for number, read in enumerate(check.games, start=1):
        game = Game(scoresheet=sheet, number=number, ended_by=read.ended_by, starter=read.starter)
        lines = [_line(game, letter, read.seats[letter], entrants[letter]) for letter in _playing(read, entrants)]
        rows.append((game, lines))
    return rows


def _playing(game: ReadGame, entrants: Mapping[str, Any]) -> list[str]:
    if game.ended_by == "not_played":
        return []
    return [letter for letter in SEATS if letter in entrants and _has_figures(game.seats.get(letter))]


def _has_figures(seat: ReadSeat | None) -> bool:
    return seat is not None and not seat.absent and seat.points is not None


def _line(game: Game, letter: str, seat: ReadSeat, entrant: Any) -> Line:
    return Line(
        game=game,
        letter=letter,
        entrant=entrant,
        win=seat.win,
        points_twelfths=in_twelfths(seat.points),
        tiles=seat.tiles,
        face_value=seat.face_value,
        rack=" ".join(seat.rack or ()),
        opened=seat.opened,
        could_open=seat.could_open,
        pushed_over=seat.pushed_over,
        left=seat.left,
    )


# --- The values that are signed --------------------------------------------------------------------------
def canonical(
    table: Table,
    version: int,
    seats: Iterable[Seat],
    rows: Iterable[tuple[Game, Iterable[Line]]],
    confirmations: Mapping[str, str],
) -> str:
    """The sheet's values as one text: sorted keys, integers only, NFC; the same on every machine and database."""
    values = {
        "canon_version": CANON_VERSION,
        "event": table.session.stage.event.slug,
        "stage": str(table.session.stage.kind),
        "session": table.session.number,
        "table": table.number,
        "version": version,
        "seats": {seat.letter: seat.entrant.number for seat in seats},
        "games": [_game_values(game, lines) for game, lines in sorted(rows, key=lambda row: row[0].number)],
        "confirmations": dict(confirmations),
    }
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return unicodedata.normalize("NFC", text)


def _game_values(game: Game, lines: Iterable[Line]) -> dict[str, Any]:
    return {
        "number": game.number,
        "ended_by": str(game.ended_by),
        "starter": game.starter,
        "lines": {line.letter: _line_values(line) for line in lines},
    }


def _line_values(line: Line) -> dict[str, Any]:
    names = ("win", "points_twelfths", "tiles", "face_value", "rack", "opened", "could_open", "pushed_over", "left")
    return {name: getattr(line, name) for name in names}


def digest(text: str) -> str:
    """SHA-256 of canonical values, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_rows(table: Table, sheet: Scoresheet, seats: Sequence[Seat]) -> str:
    """The digest of what the rows hold now; two queries."""
    games = sheet.games.prefetch_related("lines")
    rows = [(game, list(game.lines.all())) for game in games]
    return digest(canonical(table, sheet.version, seats, rows, sheet.confirmations))


def digest_of_check(
    table: Table, sheet: Scoresheet, check: SheetCheck, seats: Sequence[Seat], confirmations: Mapping[str, str]
) -> str:
    """The digest of what the typed texts come to."""
    return digest(canonical(table, sheet.version, seats, rows_of(sheet, check, seats), confirmations))


def short_code(digest_text: str) -> str:
    """The eight characters that a person can compare: `7F3A-19C2`."""
    return f"{digest_text[:4]}-{digest_text[4:8]}".upper()


def empty_typed(games: int) -> dict[str, Any]:
    """A sheet with nothing on it, in full shape for the four seats."""
    seat = {**dataclasses.asdict(SeatEntry())}
    return {
        "games": [
            {"ended_by": "", "starter": "", "seats": {letter: dict(seat) for letter in SEATS}} for _game in range(games)
        ],
        "totals": {letter: dict.fromkeys(TOTAL_TEXTS, "") for letter in SEATS},
    }

"""The row 總結: typed totals held against the sums of the games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fractions import Fraction

from scoring import problems as code
from scoring.entry import TotalEntry, is_blank_cell, read_typed_points, read_whole_number
from scoring.paper import make_problem
from scoring.problems import SEVERITY_WARNING, SheetProblem

GameParts = tuple[Fraction | int | None, ...]
"""What each game gives one seat in one column; None where the cell could not be read."""

GAME_CELL_OF_TOTAL = {"wins": "win", "points": "points", "tiles": "tiles"}
"""The cell of a total and the cells of the games that it sums."""


@dataclasses.dataclass(frozen=True, slots=True)
class TypedTotal:
    """One total: its cell, the text typed, the games' parts, the parts as they literally stand."""

    letter: str
    name: str
    typed: str
    parts: GameParts
    written: GameParts

    @property
    def where(self) -> str:
        """The cell of the total."""
        return f"totals.{self.letter}.{self.name}"


def sum_of_parts(parts: GameParts) -> Fraction | None:
    """The sum; None where a part is unknown."""
    known = [part for part in parts if part is not None]
    return Fraction(sum(known)) if len(known) == len(parts) else None


def matches_typed_total(typed: str, total: Fraction | None) -> bool:
    """Whether a typed total of points is this sum, exactly or rounded."""
    return total is not None and total in read_typed_points(typed).candidates


def judge_totals(
    columns: Iterable[TypedTotal], found: list[SheetProblem], *, optional: frozenset[str]
) -> list[SheetProblem]:
    """The problems found so far with those of the totals. A total that differs only because of a fault
    already found, and agrees once that is mended as suggested, is told there (`totals`) and not again.
    `optional`: letters whose totals may stay empty."""
    given = tuple(columns)
    problems, blank = list(found), [column for column in given if is_blank_cell(column.typed)]
    problems += _judge_blank(given, [column for column in blank if column.letter not in optional], optional)
    for column in given:
        if column not in blank:
            mended, teller = _parts_as_suggested(column, problems)
            judged = _judge_total(column, mended)
            if judged is None or judged.code != code.TOTAL_DIFFERS or not _is_total_right(column, mended):
                problems += [judged] if judged is not None else []
            elif teller is not None:
                _attach_total_to_problem(problems, teller, column.where)
    return problems


def _judge_total(column: TypedTotal, mended: GameParts) -> SheetProblem | None:
    total = sum_of_parts(column.parts)
    if column.name == "points":
        reading = read_typed_points(column.typed)
        if reading.written is None:
            return make_problem(code.CELL_UNREADABLE, column.where, typed=column.typed)
        if total is None or total in reading.candidates:
            return None
        # People add up what they wrote: three times 3.33 is 9.99 on paper.
        if reading.written == sum_of_parts(column.written):
            return make_problem(code.READ_AS, column.where, SEVERITY_WARNING, typed=column.typed, read=total)
    else:
        count = read_whole_number(column.typed)
        if count is None:
            return make_problem(code.CELL_UNREADABLE, column.where, typed=column.typed)
        if total is None or total == count:
            return None
    due = sum_of_parts(mended) or Fraction(0)
    suggest = due if column.name == "points" else int(due)
    parts = tuple(part for part in column.parts if part is not None)
    return make_problem(code.TOTAL_DIFFERS, column.where, typed=column.typed, suggest=suggest, parts=parts)


def _parts_as_suggested(column: TypedTotal, problems: list[SheetProblem]) -> tuple[GameParts, int | None]:
    """The parts as they will be once the cells of the games are mended as suggested, and the place of the
    first problem that suggests one."""
    cells = {
        f"games[{row}].seats.{column.letter}.{GAME_CELL_OF_TOTAL[column.name]}": row for row in range(len(column.parts))
    }
    mended, teller = list(column.parts), None
    for place, one in enumerate(problems):
        suggest = one.facts.get("suggest")
        if one.where in cells and isinstance(suggest, int | Fraction):
            mended[cells[one.where]] = suggest
            teller = place if teller is None else teller
    return tuple(mended), teller


def _is_total_right(column: TypedTotal, parts: GameParts) -> bool:
    total = sum_of_parts(parts)
    return (
        matches_typed_total(column.typed, total)
        if column.name == "points"
        else total == read_whole_number(column.typed)
    )


def _attach_total_to_problem(problems: list[SheetProblem], teller: int, where: str) -> None:
    one = problems[teller]
    told = _fact_as_tuple(one.facts.get("totals", ()))
    problems[teller] = dataclasses.replace(one, facts={**one.facts, "totals": (*told, where)})


def _fact_as_tuple(told: code.ProblemFact) -> tuple[code.ProblemFact, ...]:
    return told if isinstance(told, tuple) else ()


def _judge_blank(
    columns: tuple[TypedTotal, ...], blank: list[TypedTotal], optional: frozenset[str]
) -> Iterable[SheetProblem]:
    """One word for a row left empty, one for a seat left empty, one for each cell otherwise."""
    expected = [column for column in columns if column.letter not in optional]
    if blank and len(blank) == len(expected):
        yield make_problem(code.TOTAL_BLANK, "totals", SEVERITY_WARNING)
        return
    by_letter: dict[str, list[TypedTotal]] = {}
    for column in blank:
        by_letter.setdefault(column.letter, []).append(column)
    for letter, empty in by_letter.items():
        if len(empty) == len(GAME_CELL_OF_TOTAL):
            yield make_problem(code.TOTAL_BLANK, f"totals.{letter}", SEVERITY_WARNING)
        else:
            yield from (make_problem(code.TOTAL_BLANK, column.where, SEVERITY_WARNING) for column in empty)


def judge_totals_of_empty_seats(totals: Mapping[str, TotalEntry], letters: Iterable[str]) -> Iterable[SheetProblem]:
    """Totals of letters where nobody sat: blank or 0, or else a fault."""
    for letter in letters:
        entry = totals.get(letter, TotalEntry())
        for name in GAME_CELL_OF_TOTAL:
            text = str(getattr(entry, name))
            if not is_blank_cell(text) and read_typed_points(text).candidates != (Fraction(0),):
                yield make_problem(code.TOTAL_FILLED, f"totals.{letter}.{name}", typed=text)

"""The row 總結: typed totals held against the sums of the games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fractions import Fraction

from scoring import problems as code
from scoring.entry import TotalEntry, is_empty, read_points, read_whole
from scoring.paper import problem
from scoring.problems import LOOK, Problem

Parts = tuple[Fraction | int | None, ...]
"""What each game gives one seat in one column; None where the cell could not be read."""

COLUMNS = {"wins": "win", "points": "points", "tiles": "tiles"}
"""The cell of a total and the cells of the games that it sums."""


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """One total: its cell, the text typed, the games' parts, the parts as they literally stand."""

    letter: str
    name: str
    typed: str
    parts: Parts
    written: Parts

    @property
    def where(self) -> str:
        """The cell of the total."""
        return f"totals.{self.letter}.{self.name}"


def total_of(parts: Parts) -> Fraction | None:
    """The sum; None where a part is unknown."""
    known = [part for part in parts if part is not None]
    return Fraction(sum(known)) if len(known) == len(parts) else None


def speaks_for(typed: str, total: Fraction | None) -> bool:
    """Whether a typed total of points is this sum, exactly or rounded."""
    return total is not None and total in read_points(typed).candidates


def judge_totals(columns: Iterable[Column], found: list[Problem], *, optional: frozenset[str]) -> list[Problem]:
    """The problems found so far with those of the totals. A total that differs only because of a fault
    already found, and agrees once that is mended as suggested, is told there (`totals`) and not again.
    `optional`: letters whose totals may stay empty."""
    given = tuple(columns)
    problems, blank = list(found), [column for column in given if is_empty(column.typed)]
    problems += _judge_blank(given, [column for column in blank if column.letter not in optional], optional)
    for column in given:
        if column not in blank:
            mended, teller = _with_suggestions(column, problems)
            judged = _judge_total(column, mended)
            if judged is None or judged.code != code.TOTAL_DIFFERS or not _agrees(column, mended):
                problems += [judged] if judged is not None else []
            elif teller is not None:
                _tell(problems, teller, column.where)
    return problems


def _judge_total(column: Column, mended: Parts) -> Problem | None:
    total = total_of(column.parts)
    if column.name == "points":
        reading = read_points(column.typed)
        if reading.written is None:
            return problem(code.UNREADABLE, column.where, typed=column.typed)
        if total is None or total in reading.candidates:
            return None
        # People add up what they wrote: three times 3.33 is 9.99 on paper.
        if reading.written == total_of(column.written):
            return problem(code.READ_AS, column.where, LOOK, typed=column.typed, read=total)
    else:
        count = read_whole(column.typed)
        if count is None:
            return problem(code.UNREADABLE, column.where, typed=column.typed)
        if total is None or total == count:
            return None
    due = total_of(mended) or Fraction(0)
    suggest = due if column.name == "points" else int(due)
    parts = tuple(part for part in column.parts if part is not None)
    return problem(code.TOTAL_DIFFERS, column.where, typed=column.typed, suggest=suggest, parts=parts)


def _with_suggestions(column: Column, problems: list[Problem]) -> tuple[Parts, int | None]:
    """The parts as they will be once the cells of the games are mended as suggested, and the place of the
    first problem that suggests one."""
    cells = {f"games[{row}].seats.{column.letter}.{COLUMNS[column.name]}": row for row in range(len(column.parts))}
    mended, teller = list(column.parts), None
    for place, one in enumerate(problems):
        suggest = one.facts.get("suggest")
        if one.where in cells and isinstance(suggest, int | Fraction):
            mended[cells[one.where]] = suggest
            teller = place if teller is None else teller
    return tuple(mended), teller


def _agrees(column: Column, parts: Parts) -> bool:
    total = total_of(parts)
    return speaks_for(column.typed, total) if column.name == "points" else total == read_whole(column.typed)


def _tell(problems: list[Problem], teller: int, where: str) -> None:
    one = problems[teller]
    told = _texts(one.facts.get("totals", ()))
    problems[teller] = dataclasses.replace(one, facts={**one.facts, "totals": (*told, where)})


def _texts(told: code.Fact) -> tuple[code.Fact, ...]:
    return told if isinstance(told, tuple) else ()


def _judge_blank(columns: tuple[Column, ...], blank: list[Column], optional: frozenset[str]) -> Iterable[Problem]:
    """One word for a row left empty, one for a seat left empty, one for each cell otherwise."""
    expected = [column for column in columns if column.letter not in optional]
    if blank and len(blank) == len(expected):
        yield problem(code.TOTAL_BLANK, "totals", LOOK)
        return
    by_letter: dict[str, list[Column]] = {}
    for column in blank:
        by_letter.setdefault(column.letter, []).append(column)
    for letter, empty in by_letter.items():
        if len(empty) == len(COLUMNS):
            yield problem(code.TOTAL_BLANK, f"totals.{letter}", LOOK)
        else:
            yield from (problem(code.TOTAL_BLANK, column.where, LOOK) for column in empty)


def judge_strangers(totals: Mapping[str, TotalEntry], letters: Iterable[str]) -> Iterable[Problem]:
    """Totals of letters where nobody sat: blank or 0, or else a fault."""
    for letter in letters:
        entry = totals.get(letter, TotalEntry())
        for name in COLUMNS:
            text = str(getattr(entry, name))
            if not is_empty(text) and read_points(text).candidates != (Fraction(0),):
                yield problem(code.TOTAL_FILLED, f"totals.{letter}.{name}", typed=text)

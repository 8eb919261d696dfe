"""Everything wrong with a sheet, all at once (R28-R31, R41, the row 總結).

`check_sheet` judges a sheet as typed. It never stops at the first fault and never changes what was
typed: what is impossible is a problem to mend, what is unusual a problem that a person confirms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoring.entry import SheetEntry
from scoring.problems import LOOK, MEND, Problem
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class ReadSeat:
    """One seat in one game as it was read; each value None where it could not be. `rack_value` is the
    value of the rack where the sheet tells it (not the differences of a game that nobody finished);
    `because` are the codes of scoring.game in the rack form."""

    win: int | None = None
    points: Fraction | None = None
    tiles: int | None = None
    face_value: int | None = None
    rack: tuple[str, ...] | None = None
    rack_value: int | None = None
    opened: bool = True
    could_open: bool | None = None
    pushed_over: bool = False
    left: bool = False
    absent: bool = False
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadGame:
    """One game as read; `ended_by` and `starter` are "" where they could not be."""

    ended_by: str
    starter: str
    seats: Mapping[str, ReadSeat]


@dataclass(frozen=True, slots=True)
class ReadTotal:
    """What the games of one seat come to, computed; None where a cell of them could not be read."""

    wins: int | None
    points: Fraction | None
    tiles: int | None


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """A sheet as read, its computed totals by letter, and all problems in the order of the sheet."""

    games: tuple[ReadGame, ...]
    totals: Mapping[str, ReadTotal]
    problems: tuple[Problem, ...]

    @property
    def mend(self) -> tuple[Problem, ...]:
        """What is impossible and must be mended."""
        return tuple(problem for problem in self.problems if problem.weight == MEND)

    @property
    def look(self) -> tuple[Problem, ...]:
        """What is unusual and has to be confirmed with a reason."""
        return tuple(problem for problem in self.problems if problem.weight == LOOK)

    @property
    def complete(self) -> bool:
        """Nothing to mend: the sheet may be handed on once what is unusual is confirmed."""
        return not self.mend


def check_sheet(ruleset: Ruleset, entry: SheetEntry) -> SheetCheck:
    """Judge a sheet as typed under a ruleset. Every fault is reported; raises Refusal only for an entry that
    no page can send (an unknown form, letters that are no seats)."""
    raise NotImplementedError

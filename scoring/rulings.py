"""What a ruleset leaves open about one game, and the chief judge's ruling on it for this game alone (R29-R31).

A ruling is what an organiser could have set in the field that the ruleset leaves open: `difference` or `raw` for the
scoring of the ending, `fewest_tiles` for a tie of the lowest, or one of each, joined by a comma.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from scoring import problems as code
from scoring.paper import make_problem, unfinished_game_scoring
from scoring.problems import SEVERITY_WARNING, SheetProblem
from scoring.ruleset import SCORING_NAMES, Ruleset

TIE_RULING = "fewest_tiles"
RULING_NAMES = (*SCORING_NAMES, TIE_RULING, *(f"{name},{TIE_RULING}" for name in SCORING_NAMES))

_SCORING_FIELD_OF_ENDING = {"pool": "pool_scoring", "time": "time_up_scoring"}


def rulings_left_open(ruleset: Ruleset, ended_by: str) -> tuple[str, ...]:
    """The rulings that a game that ended so may need; none where the ruleset decides every such game."""
    if ended_by not in _SCORING_FIELD_OF_ENDING or ruleset.counts_turns:
        return ()
    scorings = SCORING_NAMES if unfinished_game_scoring(ruleset, ended_by) is None else ()
    if ruleset.lowest_tie != "unresolved":
        return scorings
    return (*scorings, *(f"{name},{TIE_RULING}" for name in scorings)) or (TIE_RULING,)


def apply_ruling(ruleset: Ruleset, ended_by: str, ruling: str) -> Ruleset:
    """The ruleset for this game: exactly the fields that it leaves open are as ruled."""
    if ruling not in rulings_left_open(ruleset, ended_by):
        return ruleset
    fields: dict[str, Any] = {
        "lowest_tie" if part == TIE_RULING else _SCORING_FIELD_OF_ENDING[ended_by]: part for part in ruling.split(",")
    }
    return dataclasses.replace(ruleset, **fields)


def judge_ruling(ruleset: Ruleset, ended_by: str, ruling: str, tied: Sequence[str] | None) -> Iterable[SheetProblem]:
    """A ruling that is given: confirmed with who ruled and why, or of something that is not open. `tied` are the seats
    that share the lowest rack, none where one has it alone; None: it cannot be said."""
    if not ruling or not ended_by:
        return
    parts = ruling.split(",")
    possible = ruling in rulings_left_open(ruleset, ended_by)
    if possible and (TIE_RULING not in parts or tied is None or tied):
        seats = tuple(tied or ()) if TIE_RULING in parts else ()
        yield make_problem(code.RULED, "ruling", SEVERITY_WARNING, ruling=ruling, seats=seats)
    else:
        without_tie = parts[0] if possible and parts[0] != TIE_RULING else ""
        yield make_problem(code.RULING_NOT_OPEN, "ruling", ruling=ruling, fits=(without_tie,))


def ask_for_ruling(ruleset: Ruleset, ended_by: str, ruling: str, found: Iterable[SheetProblem]) -> list[SheetProblem]:
    """The problems of a game; what the ruleset leaves open asks for a ruling, with those that would do."""
    possible = rulings_left_open(ruleset, ended_by)
    scorings = tuple(one for one in possible if TIE_RULING not in one)
    ties = tuple(one for one in possible if TIE_RULING in one and one.startswith(ruling))
    fits = {code.ENDING_NOT_IN_RULESET: scorings, code.LOWEST_TIE_UNRESOLVED: ties}
    return [
        dataclasses.replace(one, where="ruling", facts={**one.facts, "fits": fits[one.code]})
        if one.code in fits
        else one
        for one in found
    ]

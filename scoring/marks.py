"""What is marked of a rack beside its tiles: each mark gives it a flat value, the ruleset's field of its name (R27).

A new penalty of this kind is a field here and its value in scoring.ruleset; every rule that reads, judges or scores a
rack goes by `MARKS`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The marks of one rack, in the order in which they count: of two the first gives the value, once."""

    pushed_over: bool = False


MARKS = tuple(field.name for field in dataclasses.fields(Marks))


def marks_of(rack: Marks) -> dict[str, Any]:
    """Every mark by its name."""
    return {name: getattr(rack, name) for name in MARKS}


def marked(rack: Marks) -> tuple[str, ...]:
    """The marks that it has."""
    return tuple(name for name in MARKS if getattr(rack, name))


def flat_values(ruleset: Ruleset) -> tuple[int, ...]:
    """The flat values that a ruleset has for marks; none where it counts their tiles."""
    values = (getattr(ruleset, name) for name in MARKS)
    return tuple(value for value in values if value is not None)


def ruling_on(ruleset: Ruleset, rack: Marks) -> tuple[str, int] | None:
    """The mark that gives the rack its value, and the value; None where its tiles count."""
    for name in marked(rack):
        value: int | None = getattr(ruleset, name)
        if value is not None:
            return name, value
    return None


def ruled_value(ruleset: Ruleset, rack: Marks) -> int | None:
    """The value that a mark gives the rack; None where its tiles count."""
    ruling = ruling_on(ruleset, rack)
    return ruling[1] if ruling else None

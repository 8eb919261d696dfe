"""What so many tiles can be worth: the bounds by which an impossible figure shows itself (R23-R27).

A rack of t tiles with j jokers is worth j jokers and any whole number between the least and the
greatest that t - j numbered tiles come to, since one of them can always be exchanged for the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from scoring.marks import flat_values
from scoring.ruleset import Ruleset
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER

RackValueKind = Literal["face", "flat", "ruling", "flat_under_dealt", "impossible"]


def jokers_needed(ruleset: Ruleset, value: int, tiles: int) -> int | None:
    """The fewest jokers with which so many tiles have that face value; None where none do."""
    spans = _face_value_spans(ruleset.tiles.numbers, ruleset.tiles.joker_count, ruleset.joker_value, tiles)
    return next((jokers for jokers, least, most in spans if least <= value <= most), None)


def face_bounds(ruleset: Ruleset, tiles: int) -> tuple[int, int]:
    """The least and the greatest face value of so many tiles; (0, 0) where the set has not so many."""
    spans = _face_value_spans(ruleset.tiles.numbers, ruleset.tiles.joker_count, ruleset.joker_value, tiles)
    return min((least for _, least, _ in spans), default=0), max((most for *_, most in spans), default=0)


def is_flat(ruleset: Ruleset, value: int) -> bool:
    """Whether the value is one that an unopened rack is given whatever it holds (R25, R26)."""
    return value in (ruleset.unopened_unable, ruleset.unopened_able)


def classify_rack_value(ruleset: Ruleset, value: int, tiles: int, ruled: int | None = None) -> RackValueKind:
    """What a rack value of so many tiles can be: a sum of faces, a flat value of an unopened rack, the flat
    value of a marked rack (R27; its tiles are a ruling and may be any), or nothing that exists. `ruled`: the
    value that a mark on the sheet gives it."""
    if ruled is not None:
        return "ruling" if value == ruled else "impossible"
    if tiles > 0 and jokers_needed(ruleset, value, tiles) is not None:
        return "face"
    if is_flat(ruleset, value) and ruleset.dealt_tiles <= tiles <= ruleset.tiles.size:
        return "flat"
    if value in flat_values(ruleset) and 0 < tiles <= ruleset.tiles.size:
        return "ruling"
    return "flat_under_dealt" if is_flat(ruleset, value) and tiles > 0 else "impossible"


def jokers_needed_together(ruleset: Ruleset, racks: Iterable[tuple[int, int]]) -> int:
    """The fewest jokers that racks (value, tiles) need between them; those that no tiles make count none."""
    return sum(jokers_needed(ruleset, value, tiles) or 0 for value, tiles in racks)


def can_lie_together(ruleset: Ruleset, racks: Iterable[tuple[int, int]]) -> bool:
    """Whether one set has tiles for all these racks (value, tiles) taken as one. No proof that the racks
    can be parted so, but what fails here cannot be."""
    given = tuple(racks)
    value, tiles = sum(value for value, _ in given), sum(tiles for _, tiles in given)
    return jokers_needed(ruleset, value, tiles) is not None


@lru_cache(maxsize=4096)
def _face_value_spans(copies: int, jokers: int, joker_value: int, tiles: int) -> tuple[tuple[int, int, int], ...]:
    """For each number of jokers held: (jokers, least, greatest) face value of so many tiles."""
    faces = [number for number in range(1, HIGHEST_TILE_NUMBER + 1) for _ in range(len(COLOUR_LETTERS) * copies)]
    found = []
    for held in range(max(0, tiles - len(faces)), min(jokers, tiles) + 1):
        numbered, worth = tiles - held, held * joker_value
        found.append((held, worth + sum(faces[:numbered]), worth + sum(faces[len(faces) - numbered :])))
    return tuple(found)

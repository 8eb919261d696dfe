"""Is it a run, is it a group, what is it worth, and what do its jokers stand for.

A run is 3 to 13 consecutive numbers of one colour, 1 lowest, in ascending order; a group is 3 or 4 tiles of one
number in different colours, in any order. A plain joker stands for any tile that the set lacks. Sets with Twist's
jokers are read by `scoring.set_readings` (R80-R84).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.ruleset import Ruleset
from scoring.set_readings import (
    COLOUR_CHANGE_JOKER,
    KIND_GROUP,
    KIND_RUN,
    MIN_SET_LENGTH,
    MIRROR_JOKER,
    SetReading,
    is_out_of_balance,
    read_every_way,
    stretch_colours,
    tile_width,
)
from scoring.tiles import COLOUR_LETTERS, HIGHEST_TILE_NUMBER, SPECIAL_JOKERS, Tile, read_tiles_of_box

SET_TOO_SHORT = "too_short"
SET_TOO_LONG = "too_long"
SET_MIXED = "mixed"
COLOUR_TWICE = "colour_twice"
NOT_CONSECUTIVE = "not_consecutive"
NOT_IN_ORDER = "not_in_order"
PAST_13 = "past_13"
BELOW_1 = "below_1"


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """A set judged. Legal: `kind`, `value` and, by the 0-based place of each joker, the tiles it may stand
    for. Illegal: `because`, all that is wrong with it; its value is 0. `unbalanced` is None without a mirror."""

    legal: bool
    kind: str | None = None
    value: int = 0
    stands_for: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    because: tuple[str, ...] = ()
    unbalanced: bool | None = None


def judge_set(ruleset: Ruleset, names: Sequence[str], where: str = "set") -> JudgedSet:
    """Judge one set; a run is given in ascending order. Of several readings the highest value counts, then the run.
    Raises Refusal only for what is no tile of the box; copies are not counted."""
    return judge_tiles(read_tiles_of_box(ruleset, names, where))


def judge_tiles(tiles: Sequence[Tile]) -> JudgedSet:
    """Judge one set of tiles of any kind."""
    if len(tiles) < MIN_SET_LENGTH:
        return JudgedSet(False, because=(SET_TOO_SHORT,))
    if any(tile.name in SPECIAL_JOKERS for tile in tiles):
        return _judge_special(tiles)
    run, group = _judge_as_run(tiles), _judge_as_group(tiles)
    if run.legal and run.value >= group.value:
        return run
    if group.legal:
        return group
    numbered = [tile for tile in tiles if tile.number]
    if len({tile.number for tile in numbered}) <= 1:
        return group
    if len({tile.colour for tile in numbered}) == 1:
        return run
    return JudgedSet(False, because=(SET_MIXED,))


def set_readings(ruleset: Ruleset, names: Sequence[str], where: str = "set") -> tuple[SetReading, ...]:
    """Every reading of a set, best first (R88); none for what is no legal set. Raises Refusal as `judge_set` does."""
    return read_every_way(read_tiles_of_box(ruleset, names, where))


def _judge_special(tiles: Sequence[Tile]) -> JudgedSet:
    """Judge a set with a special joker, by the best of its readings."""
    readings = read_every_way(tiles)
    if not readings:
        return JudgedSet(False, because=_special_faults(tiles))
    best = readings[0]
    mirrored = any(tile.name == MIRROR_JOKER for tile in tiles)
    unbalanced = is_out_of_balance(tiles) if mirrored else None
    return JudgedSet(True, best.kind, best.value, best.stands_for, unbalanced=unbalanced)


def _special_faults(tiles: Sequence[Tile]) -> tuple[str, ...]:
    """What is wrong with an illegal set of three tiles or more: the plain codes, each double as its two places. What
    only mirror or colours break is mixed; a colour-change joker lies in runs alone."""
    kinds = {tile.name for tile in tiles}
    spread = [tile for tile in tiles for _ in range(tile_width(tile))]
    numbered = [tile for tile in tiles if tile.number]
    if MIRROR_JOKER in kinds:
        return (SET_MIXED,)
    if COLOUR_CHANGE_JOKER not in kinds and len({tile.number for tile in numbered}) <= 1:
        return _judge_as_group(spread).because
    one_colour = len({tile.colour for tile in numbered}) == 1
    stretched = COLOUR_CHANGE_JOKER in kinds and stretch_colours(tiles) is not None
    fault = _run_fault([tile.number for tile in spread]) if one_colour or stretched else None
    return (fault or SET_MIXED,)


def _judge_as_group(tiles: Sequence[Tile]) -> JudgedSet:
    numbers = {tile.number for tile in tiles if tile.number}
    colours = [tile.colour for tile in tiles if tile.number]
    if len(numbers) > 1:
        return JudgedSet(False, because=(SET_MIXED,))
    because = []
    if len(tiles) > len(COLOUR_LETTERS):
        because.append(SET_TOO_LONG)
    if len(set(colours)) < len(colours):
        because.append(COLOUR_TWICE)
    if because:
        return JudgedSet(False, because=tuple(because))
    number = min(numbers, default=HIGHEST_TILE_NUMBER)
    missing = tuple(f"{name}{number}" for place, name in enumerate(COLOUR_LETTERS) if place not in colours)
    stands_for = {place: missing for place, tile in enumerate(tiles) if not tile.number}
    return JudgedSet(True, KIND_GROUP, number * len(tiles), MappingProxyType(stands_for))


def _judge_as_run(tiles: Sequence[Tile]) -> JudgedSet:
    colours = sorted({tile.colour for tile in tiles if tile.number})
    if len(colours) > 1:
        return JudgedSet(False, because=(SET_MIXED,))
    numbers = [tile.number for tile in tiles]
    wrong = _run_fault(numbers)
    if wrong:
        return JudgedSet(False, because=(wrong,))
    lowest = _lowest_of_run(numbers)
    names = [COLOUR_LETTERS[colour] for colour in colours] or list(COLOUR_LETTERS)
    stands_for = {
        place: tuple(f"{name}{lowest + place}" for name in names) for place, tile in enumerate(tiles) if not tile.number
    }
    value = sum(range(lowest, lowest + len(tiles)))
    return JudgedSet(True, KIND_RUN, value, MappingProxyType(stands_for))


def _run_fault(numbers: Sequence[int]) -> str | None:
    """The first thing wrong with numbers of one colour, 0 for a joker; None for a run."""
    if len(numbers) > HIGHEST_TILE_NUMBER:
        return SET_TOO_LONG
    if _fault_in_place(numbers) is None:
        return None
    if _fault_in_place(_sorted_between_jokers(numbers)) is None:
        return NOT_IN_ORDER
    return _fault_in_place(numbers)


def _fault_in_place(numbers: Sequence[int]) -> str | None:
    starts = {number - place for place, number in enumerate(numbers) if number}
    if len(starts) > 1:
        return NOT_CONSECUTIVE
    lowest = _lowest_of_run(numbers)
    if lowest < 1:
        return BELOW_1
    if lowest + len(numbers) - 1 > HIGHEST_TILE_NUMBER:
        return PAST_13
    return None


def _lowest_of_run(numbers: Sequence[int]) -> int:
    """The number at the first place; jokers alone stand as high as they can."""
    for place, number in enumerate(numbers):
        if number:
            return number - place
    return HIGHEST_TILE_NUMBER + 1 - len(numbers)


def _sorted_between_jokers(numbers: Sequence[int]) -> list[int]:
    """The numbers ascending, each joker where it is."""
    ascending = iter(sorted(number for number in numbers if number))
    return [next(ascending) if number else 0 for number in numbers]

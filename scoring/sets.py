"""Is it a run, is it a group, what is it worth, and what do its jokers stand for.

A run is 3 to 13 consecutive numbers of one colour, 1 lowest, in ascending order; a group is 3 or 4 tiles of one
number in different colours, in any order. A plain joker stands for any tile that the set lacks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.tiles import COLOURS, HIGHEST, SPECIAL_JOKERS, Tile, has_numbers, read_tiles

SHORTEST = 3
RUN = "run"
GROUP = "group"

TOO_SHORT = "too_short"
TOO_LONG = "too_long"
MIXED = "mixed"
COLOUR_TWICE = "colour_twice"
NOT_CONSECUTIVE = "not_consecutive"
NOT_IN_ORDER = "not_in_order"
PAST_13 = "past_13"
BELOW_1 = "below_1"


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """A set judged. Legal: `kind`, `value` and, by the 0-based place of each joker, the tiles it may stand
    for. Illegal: `because`, all that is wrong with it; its value is 0."""

    legal: bool
    kind: str | None = None
    value: int = 0
    stands_for: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    because: tuple[str, ...] = ()


def read_plain_tiles(ruleset: Ruleset, names: Sequence[object], where: str) -> tuple[Tile, ...]:
    """Tiles of a set or a rack whose sets are asked for. Raises Refusal for Twist's special jokers, which are
    not there yet, and for a ruleset that plays with letters."""
    if not has_numbers(ruleset):
        raise Refusal("ruleset", "plays with letters, not with numbers")
    tiles = read_tiles(names, where)
    for i, tile in enumerate(tiles):
        if tile.name in SPECIAL_JOKERS:
            raise Refusal(f"{where}[{i}]", f"{tile.name} is not there yet")
    return tiles


def judge_set(ruleset: Ruleset, names: Sequence[str], where: str = "set") -> JudgedSet:
    """Judge one set; a run is given in ascending order. Where both readings are possible the higher value
    counts, then the run. Raises Refusal only for what is no plain tile; copies are not counted."""
    return judge_tiles(read_plain_tiles(ruleset, names, where))


def judge_tiles(tiles: Sequence[Tile]) -> JudgedSet:
    """Judge one set of plain tiles."""
    if len(tiles) < SHORTEST:
        return JudgedSet(False, because=(TOO_SHORT,))
    run, group = _as_run(tiles), _as_group(tiles)
    if run.legal and run.value >= group.value:
        return run
    if group.legal:
        return group
    numbered = [tile for tile in tiles if tile.number]
    if len({tile.number for tile in numbered}) <= 1:
        return group
    if len({tile.colour for tile in numbered}) == 1:
        return run
    return JudgedSet(False, because=(MIXED,))


def _as_group(tiles: Sequence[Tile]) -> JudgedSet:
    numbers = {tile.number for tile in tiles if tile.number}
    colours = [tile.colour for tile in tiles if tile.number]
    if len(numbers) > 1:
        return JudgedSet(False, because=(MIXED,))
    because = []
    if len(tiles) > len(COLOURS):
        because.append(TOO_LONG)
    if len(set(colours)) < len(colours):
        because.append(COLOUR_TWICE)
    if because:
        return JudgedSet(False, because=tuple(because))
    number = min(numbers, default=HIGHEST)
    missing = tuple(f"{name}{number}" for place, name in enumerate(COLOURS) if place not in colours)
    stands_for = {place: missing for place, tile in enumerate(tiles) if not tile.number}
    return JudgedSet(True, GROUP, number * len(tiles), MappingProxyType(stands_for))


def _as_run(tiles: Sequence[Tile]) -> JudgedSet:
    colours = sorted({tile.colour for tile in tiles if tile.number})
    if len(colours) > 1:
        return JudgedSet(False, because=(MIXED,))
    numbers = [tile.number for tile in tiles]
    wrong = _wrong_with_run(numbers)
    if wrong:
        return JudgedSet(False, because=(wrong,))
    lowest = _lowest_of_run(numbers)
    names = [COLOURS[colour] for colour in colours] or list(COLOURS)
    stands_for = {
        place: tuple(f"{name}{lowest + place}" for name in names) for place, tile in enumerate(tiles) if not tile.number
    }
    value = sum(range(lowest, lowest + len(tiles)))
    return JudgedSet(True, RUN, value, MappingProxyType(stands_for))


def _wrong_with_run(numbers: Sequence[int]) -> str | None:
    """The first thing wrong with numbers of one colour, 0 for a joker; None for a run."""
    if len(numbers) > HIGHEST:
        return TOO_LONG
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
    if lowest + len(numbers) - 1 > HIGHEST:
        return PAST_13
    return None


def _lowest_of_run(numbers: Sequence[int]) -> int:
    """The number at the first place; jokers alone stand as high as they can."""
    for place, number in enumerate(numbers):
        if number:
            return number - place
    return HIGHEST + 1 - len(numbers)


def _sorted_between_jokers(numbers: Sequence[int]) -> list[int]:
    """The numbers ascending, each joker where it is."""
    ascending = iter(sorted(number for number in numbers if number))
    return [next(ascending) if number else 0 for number in numbers]

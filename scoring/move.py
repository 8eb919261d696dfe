"""Is a turn legal: what lay on the table, what was played from the rack, what lies there now (R23, 003 2.1/2.2)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.sets import GROUP, JudgedSet, judge_tiles, read_plain_tiles
from scoring.tiles import Tile

TILES_DO_NOT_MATCH = "tiles_do_not_match"
NO_OWN_TILE = "no_own_tile"
ILLEGAL_SET = "illegal_set"
TABLE_TOUCHED_BEFORE_OPENING = "table_touched_before_opening"
OPENING_BELOW = "opening_below"
JOKER_IN_OPENING = "joker_in_opening"
JOKER_NOT_FROM_HAND = "joker_not_from_hand"

SetKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A turn judged: `because` holds all that speaks against it, in the order of the codes above."""

    legal: bool
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Laid:
    """A set on the table. `key` is equal for sets that are the same: runs in order, groups in any."""

    tiles: tuple[Tile, ...]
    judged: JudgedSet
    key: SetKey


def judge_move(
    ruleset: Ruleset,
    *,
    opened: bool,
    before: Sequence[Sequence[str]],
    played: Sequence[str],
    after: Sequence[Sequence[str]],
) -> JudgedMove:
    """Judge one turn. Raises Refusal for what is no plain tile and for an illegal set in `before`."""
    table = [_lay(ruleset, names, f"before[{i}]") for i, names in enumerate(before)]
    for i, laid in enumerate(table):
        if not laid.judged.legal:
            raise Refusal(f"before[{i}]", f"is no legal set ({', '.join(laid.judged.because)})")
    own = read_plain_tiles(ruleset, played, "played")
    result = [_lay(ruleset, names, f"after[{i}]") for i, names in enumerate(after)]

    because = []
    if Counter(t.name for laid in table for t in laid.tiles) + Counter(t.name for t in own) != Counter(
        t.name for laid in result for t in laid.tiles
    ):
        because.append(TILES_DO_NOT_MATCH)
    if not own:
        because.append(NO_OWN_TILE)
    if not all(laid.judged.legal for laid in result):
        because.append(ILLEGAL_SET)
    if not opened:
        because.extend(_against_opening(ruleset, table, result))
    if not because and ruleset.joker_from_hand and not _jokers_paid_from_hand(table, own, result):
        because.append(JOKER_NOT_FROM_HAND)
    return JudgedMove(not because, tuple(because))


def _lay(ruleset: Ruleset, names: Sequence[str], where: str) -> _Laid:
    tiles = read_plain_tiles(ruleset, names, where)
    judged = judge_tiles(tiles)
    in_place = [tile.name for tile in tiles]
    return _Laid(tiles, judged, (str(judged.kind), *(sorted(in_place) if judged.kind == GROUP else in_place)))


def _against_opening(ruleset: Ruleset, table: Sequence[_Laid], result: Sequence[_Laid]) -> list[str]:
    """An unopened player leaves every set as it is; the rest is the opening, and its value counts."""
    still = Counter(laid.key for laid in table)
    new = []
    for laid in result:
        if still[laid.key]:
            still[laid.key] -= 1
        else:
            new.append(laid)
    if still.total():
        return [TABLE_TOUCHED_BEFORE_OPENING]
    because = []
    if sum(laid.judged.value for laid in new) < ruleset.opening_minimum:
        because.append(OPENING_BELOW)
    if not ruleset.opening_jokers and any(not tile.number for laid in new for tile in laid.tiles):
        because.append(JOKER_IN_OPENING)
    return because


def _jokers_paid_from_hand(table: Sequence[_Laid], own: Sequence[Tile], result: Sequence[_Laid]) -> bool:
    """Each joker of the table needs its own answer: a joker of `result` that may stand for a tile it stood for
    (its place is still there), or such a tile among those played. A matching, so that no choice is missed."""
    wanted = [set(stood) for laid in table for stood in laid.judged.stands_for.values()]
    answers = [set(stands) for laid in result for stands in laid.judged.stands_for.values()]
    answers += [{tile.name} for tile in own if tile.number]
    taken: dict[int, int] = {}

    def find(joker: int, tried: set[int]) -> bool:
        for place, stands in enumerate(answers):
            if place not in tried and stands & wanted[joker]:
                tried.add(place)
                if place not in taken or find(taken[place], tried):
                    taken[place] = joker
                    return True
        return False

    return all(find(joker, set()) for joker in range(len(wanted)))

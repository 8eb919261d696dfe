"""Is a turn legal: what lay on the table, what was played from the rack, what lies there now (R17, R18, R86)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.set_readings import DOUBLE_JOKER, KIND_GROUP, MIRROR_JOKER
from scoring.sets import JudgedSet, judge_tiles
from scoring.tiles import Tile, read_tiles_of_box

TILES_DO_NOT_MATCH = "tiles_do_not_match"
NO_OWN_TILE = "no_own_tile"
ILLEGAL_SET = "illegal_set"
TABLE_TOUCHED_BEFORE_OPENING = "table_touched_before_opening"
OPENING_BELOW = "opening_below"
JOKER_IN_OPENING = "joker_in_opening"
JOKER_NOT_FROM_HAND = "joker_not_from_hand"
JOKER_FOR_JOKER = "joker_for_joker"
MIRROR_NOT_MENDED = "mirror_not_mended"

SetKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A turn judged: `because` holds all that speaks against it, in the order of the codes above."""

    legal: bool
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _SetOnTable:
    """A set on the table. `key` is equal for sets that are the same: runs in order, groups in any, a mirror set read
    from either end."""

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
    """Judge one turn. Raises Refusal for what is no tile of the box and for an illegal set in `before`."""
    table = [_read_set_on_table(ruleset, names, f"before[{i}]") for i, names in enumerate(before)]
    for i, laid in enumerate(table):
        if not laid.judged.legal:
            raise Refusal(f"before[{i}]", f"is no legal set ({', '.join(laid.judged.because)})")
    own = read_tiles_of_box(ruleset, played, "played")
    result = [_read_set_on_table(ruleset, names, f"after[{i}]") for i, names in enumerate(after)]

    because = []
    if Counter(t.name for laid in table for t in laid.tiles) + Counter(t.name for t in own) != Counter(
        t.name for laid in result for t in laid.tiles
    ):
        because.append(TILES_DO_NOT_MATCH)
    if not own:
        because.append(NO_OWN_TILE)
    if not all(laid.judged.legal for laid in result):
        because.append(ILLEGAL_SET)
    gone, new = _without_untouched(table, result), _without_untouched(result, table)
    if not opened:
        because.extend(_opening_violations(ruleset, gone, new))
    special = _special_violations(gone, new)
    if not because and not special and ruleset.joker_from_hand and not _jokers_paid_from_hand(table, own, result):
        because.append(JOKER_NOT_FROM_HAND)
    because.extend(special)
    return JudgedMove(not because, tuple(because))


def _read_set_on_table(ruleset: Ruleset, names: Sequence[str], where: str) -> _SetOnTable:
    tiles = read_tiles_of_box(ruleset, names, where)
    judged = judge_tiles(tiles)
    in_place = [tile.name for tile in tiles]
    if judged.unbalanced is not None:
        return _SetOnTable(tiles, judged, _mirror_key(judged, in_place))
    return _SetOnTable(
        tiles, judged, (str(judged.kind), *(sorted(in_place) if judged.kind == KIND_GROUP else in_place))
    )


def _mirror_key(judged: JudgedSet, in_place: list[str]) -> SetKey:
    """Either end may come first; in a group the tiles of a side lie in any order."""
    mirror = in_place.index(MIRROR_JOKER)
    left, right = in_place[:mirror][::-1], in_place[mirror + 1 :]
    if judged.kind == KIND_GROUP:
        left, right = sorted(left), sorted(right)
    first, second = sorted([left, right])
    return (str(judged.kind), *first, MIRROR_JOKER, *second)


def _without_untouched(laid: Sequence[_SetOnTable], others: Sequence[_SetOnTable]) -> list[_SetOnTable]:
    """The sets of `laid` that are not among `others`; the same set twice is there twice."""
    still = Counter(one.key for one in others)
    touched = []
    for one in laid:
        if still[one.key]:
            still[one.key] -= 1
        else:
            touched.append(one)
    return touched


def _opening_violations(ruleset: Ruleset, gone: Sequence[_SetOnTable], new: Sequence[_SetOnTable]) -> list[str]:
    """An unopened player leaves every set as it is; the rest is the opening, and its value counts."""
    if gone:
        return [TABLE_TOUCHED_BEFORE_OPENING]
    because = []
    if sum(laid.judged.value for laid in new) < ruleset.opening_minimum:
        because.append(OPENING_BELOW)
    if not ruleset.opening_jokers and any(not tile.number for laid in new for tile in laid.tiles):
        because.append(JOKER_IN_OPENING)
    return because


def _special_violations(gone: Sequence[_SetOnTable], new: Sequence[_SetOnTable]) -> list[str]:
    """What special jokers forbid (R86); a set that nobody touched is neither gone nor new."""
    because = []
    if any(_lies_with_another_joker(before, after) for before in gone for after in new):
        because.append(JOKER_FOR_JOKER)
    if any(laid.judged.unbalanced for laid in gone) and any(laid.judged.unbalanced for laid in new):
        because.append(MIRROR_NOT_MENDED)
    return because


def _lies_with_another_joker(before: _SetOnTable, after: _SetOnTable) -> bool:
    """Whether one joker lies in the place of one of another kind, all else equal: a run in its order, a plain group in
    any, a mirror set from either end."""
    was, now = [tile.name for tile in before.tiles], [tile.name for tile in after.tiles]
    if len(was) != len(now):
        return False
    jokers = {tile.name for tile in (*before.tiles, *after.tiles) if not tile.number}
    if before.judged.kind == KIND_GROUP and before.judged.unbalanced is None:
        lost, found = list((Counter(was) - Counter(now)).elements()), list((Counter(now) - Counter(was)).elements())
        return len(lost) == len(found) == 1 and lost[0] in jokers and found[0] in jokers
    ways = [now] if before.judged.unbalanced is None else [now, now[::-1]]
    for way in ways:
        differing = [(old, new) for old, new in zip(was, way, strict=True) if old != new]
        if len(differing) == 1 and jokers.issuperset(differing[0]):
            return True
    return False


def _jokers_paid_from_hand(table: Sequence[_SetOnTable], own: Sequence[Tile], result: Sequence[_SetOnTable]) -> bool:
    """Each joker of the table needs its own answer: a joker of its kind in `result` that may stand for a tile it stood
    for (its place is still there), or such a tile among those played; a double needs both its tiles. A matching, so
    that no choice is missed."""
    wanted = [place for laid in table for place in _joker_places(laid)]
    answers = [place for laid in result for place in _joker_places(laid)]
    answers += [("", {tile.name}) for tile in own if tile.number]
    taken: dict[int, int] = {}

    def find(joker: int, tried: set[int]) -> bool:
        kind, stood_for = wanted[joker]
        for place, (answer_kind, stands) in enumerate(answers):
            if place not in tried and answer_kind in ("", kind) and stands & stood_for:
                tried.add(place)
                if place not in taken or find(taken[place], tried):
                    taken[place] = joker
                    return True
        return False

    return all(find(joker, set()) for joker in range(len(wanted)))


def _joker_places(laid: _SetOnTable) -> list[tuple[str, set[str]]]:
    """The kind of each joker, with the tiles that it may stand for; of a double one entry for each of its two tiles."""
    found = []
    for index, names in laid.judged.stands_for.items():
        kind = laid.tiles[index].name
        if kind == DOUBLE_JOKER and laid.judged.kind != KIND_GROUP:
            found += [(kind, set(names[::2])), (kind, set(names[1::2]))]
        else:
            found += [(kind, set(names))] * (2 if kind == DOUBLE_JOKER else 1)
    return found

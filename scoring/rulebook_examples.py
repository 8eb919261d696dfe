"""The drawn examples of a rulebook: sets and turns of the printed texts, each with the verdict of the rules.

Nothing here says whether an example is right: that is asked of `scoring.sets` and `scoring.move`. An example whose
tiles the ruleset's box does not hold is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.move import JudgedMove, judge_move
from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.sets import JudgedSet, judge_set
from scoring.tiles import HIGHEST_TILE_NUMBER, check_copies

TileNames = tuple[str, ...]
Sets = tuple[TileNames, ...]
OPENING_RUN: TileNames = ("B3", "B4", "B5")
_GROUP_OF_THREE = 3


@dataclass(frozen=True, slots=True)
class SetExample:
    """A set as it lies, and what the rules say of it."""

    code: str
    tiles: TileNames
    judged: JudgedSet


@dataclass(frozen=True, slots=True)
class JokerPlace:
    """A joker that lies in a legal set of this kind, and the tiles that it may stand for."""

    joker: str
    set_kind: str
    stands_for: TileNames


@dataclass(frozen=True, slots=True)
class MoveExample:
    """A turn: the sets before and after, the tiles from the rack, what the rules say.

    `total` is what the new sets are worth, by which an opening is judged against `needed` (0 of a later turn); `jokers`
    are the places of the table's jokers, before and after.
    """

    code: str
    opened: bool
    before: Sets
    played: TileNames
    after: Sets
    total: int
    needed: int
    jokers: tuple[tuple[JokerPlace, ...], tuple[JokerPlace, ...]]
    judged: JudgedMove


# --- Sets -----------------------------------------------------------------------------------------------------

SETS: tuple[tuple[str, str], ...] = (
    ("run", "B3 B4 B5 B6"),
    ("group", "K7 R7 B7 O7"),
    ("two_tiles", "R8 R9"),
    ("after_13", "R12 R13 R1"),
    ("colour_twice", "R8 R8 B8"),
    ("two_colours", "B3 B4 R5"),
)
JOKER_SETS: dict[str, tuple[tuple[str, str], ...]] = {
    "J": (("joker_group", "R8 B8 J"), ("joker_run", "R11 J R13"), ("joker_past_13", "R12 R13 J")),
    "JD": (
        ("double_run", "O2 JD O5"),
        ("double_group", "B3 R3 JD"),
        ("double_below_1", "JD B2 B3"),
        ("double_past_13", "B11 B12 JD"),
    ),
    "JC": (
        ("colour_between", "R5 R6 JC K8"),
        ("colour_at_end", "B5 B6 JC"),
        ("colour_same", "R5 JC R7"),
        ("colour_group", "R7 B7 JC"),
    ),
    "JM": (
        ("mirror_run", "B4 JM B4"),
        ("mirror_long", "B3 B4 JM B4 B3"),
        ("mirror_group", "K7 R7 JM B7 O7"),
        ("mirror_joker", "B4 JM J"),
        ("mirror_double", "JD JM B4 B3"),
        ("mirror_unbalanced", "B4 JM B4 B3"),
        ("mirror_unequal", "B4 JM B7"),
    ),
}
"""By kind of joker. Those of the special kinds are text 000's."""

# --- Turns ----------------------------------------------------------------------------------------------------

# Code, the sets before, the tiles played, the sets after. First the seven of text 003 with its notes, then the four
# ways of text 000, whose first has three forms; there the joker goes into a set of its own, as it must be used.
JOKER_MOVES: dict[str, tuple[tuple[str, str, str, str], ...]] = {
    "J": (
        ("hk_1", "B1 B2 J B4 B5", "B3 K11 K13", "B1 B2 B3 B4 B5, K11 J K13"),
        ("hk_2", "J R6 R7", "R9", "R6 R7 J R9"),
        ("hk_3", "J R6 R7 R8", "R10", "R6 R7 R8 J R10"),
        ("hk_4", "J B6 B7 B8", "O2 O3", "B6 B7 B8, O2 O3 J"),
        ("hk_5", "J B4 K4 O4", "K11 K13", "B4 K4 O4, K11 J K13"),
        ("hk_6", "R2 K2 B2, R3 K3 B3, R4 K4 J", "B5", "R2 R3 R4, K2 K3 K4, B2 B3 J B5"),
        ("hk_7", "R6 J R8, R9 R10 R11", "R4 R5 B9 B10", "R4 R5 R6, R8 R9 R10 R11, B9 B10 J"),
        ("no_own_tile", "J R6 R7 R8, B4 K4 O4", "", "R6 R7 R8, B4 K4 O4 J"),
        ("joker_to_rack", "B1 B2 J B4 B5", "B3", "B1 B2 B3 B4 B5"),
        ("twist_1_black", "B3 R3 J", "K3 R9 R11", "B3 R3 K3, R9 J R11"),
        ("twist_1_orange", "B3 R3 J", "O3 R9 R11", "B3 R3 O3, R9 J R11"),
        ("twist_1_both", "B3 R3 J", "K3 O3 R9 R11", "B3 R3 K3 O3, R9 J R11"),
        ("twist_2", "B2 B3 J B5 B6", "B1 B7 K11 K13", "B1 B2 B3, B5 B6 B7, K11 J K13"),
        ("twist_3", "B6 B7 J", "B5 K11 K13", "B5 B6 B7, K11 J K13"),
        ("twist_4", "K1 K2 J, R1 B1 O1, R2 B2 O2", "K11 K13", "R1 B1 O1 K1, R2 B2 O2 K2, K11 J K13"),
    ),
    "JD": (
        ("double_taken", "O2 JD O5", "O3 O4 K8 K11", "O2 O3 O4 O5, K8 JD K11"),
        ("double_half_taken", "O2 JD O5", "O3 K8 K11", "O2 O3 O5, K8 JD K11"),
        ("double_for_plain", "B3 R3 J", "JD K8 K9", "B3 R3 JD, J K8 K9"),
    ),
    "JC": (("colour_for_plain", "J B5 B6", "JC K7 K8", "JC B5 B6, J K7 K8"),),
    "JM": (
        ("mirror_one_side", "B4 JM B4", "B3", "B4 JM B4 B3"),
        ("mirror_mended", "B4 JM B4 B3", "B3", "B3 B4 JM B4 B3"),
        ("mirror_not_mended", "B4 JM B4 B3", "B3 B2", "B2 B3 B4 JM B4 B3"),
    ),
}
OPENINGS_WITH_SPECIAL: dict[str, tuple[str, str]] = {
    "JD": ("opening_double", "R12 JD B12"),
    "JC": ("opening_colour", "B3 JC R5"),
    "JM": ("opening_mirror", "B10 JM B10"),
}


def set_examples(ruleset: Ruleset) -> tuple[SetExample, ...]:
    """Sets of numbers without a joker, right and wrong."""
    return tuple(_judged_sets(ruleset, SETS))


def joker_set_examples(ruleset: Ruleset, kind: str) -> tuple[SetExample, ...]:
    """Sets with this kind of joker, right and wrong."""
    return tuple(_judged_sets(ruleset, JOKER_SETS[kind]))


def joker_move_examples(ruleset: Ruleset, kind: str) -> tuple[MoveExample, ...]:
    """How a joker of this kind is taken from the table, and how not."""
    found = (
        _judged_move(ruleset, code, _sets(before), tuple(played.split()), _sets(after))
        for code, before, played, after in JOKER_MOVES[kind]
    )
    return tuple(one for one in found if one is not None)


def opening_examples(ruleset: Ruleset) -> tuple[MoveExample, ...]:
    """Openings about the ruleset's own minimum: enough, too little, with jokers, and one that moves the table."""
    found = [
        _judged_opening(ruleset, code, sets)
        for code, sets in (*_plain_openings(ruleset.opening_minimum), *_special_openings(ruleset))
    ]
    enough = _groups_worth(ruleset.opening_minimum)
    if enough:
        table: TileNames = ("R4", "R5", "R6")
        played = ("R7", *(name for group in enough for name in group))
        after = ((*table, "R7"), *enough)
        found.append(_judged_move(ruleset, "opening_moves_table", (table,), played, after, opened=False))
    return tuple(one for one in found if one is not None)


def _plain_openings(minimum: int) -> Iterator[tuple[str, Sets]]:
    enough = _groups_worth(minimum)
    if enough:
        yield "opening_enough", enough
    beside_run = _lowest_group(minimum - sum(int(name[1:]) for name in OPENING_RUN))
    if beside_run is not None:
        yield "opening_two_sets", (OPENING_RUN, beside_run)
    below = _group(min((minimum - 1) // _GROUP_OF_THREE, HIGHEST_TILE_NUMBER))
    if below is not None:
        yield "opening_too_little", (below,)
    if enough:
        yield "opening_joker", (*enough[:-1], (*enough[-1][:-1], "J"))


def _special_openings(ruleset: Ruleset) -> Iterator[tuple[str, Sets]]:
    for kind, copies in ruleset.tiles.jokers:
        if copies and kind in OPENINGS_WITH_SPECIAL:
            code, tiles = OPENINGS_WITH_SPECIAL[kind]
            yield code, _sets(tiles)


def _groups_worth(minimum: int) -> Sets:
    """Groups of three in falling numbers, the last as low as it may be; nothing where all of them are not enough."""
    groups: list[TileNames] = []
    rest, highest = minimum, HIGHEST_TILE_NUMBER
    while rest > _GROUP_OF_THREE * highest > 0:
        groups.append((f"K{highest}", f"B{highest}", f"O{highest}"))
        rest -= _GROUP_OF_THREE * highest
        highest -= 1
    last = _lowest_group(rest) if highest else None
    return () if last is None else (*groups, last)


def _lowest_group(minimum: int) -> TileNames | None:
    """The lowest group of three that is worth so much; None where none is."""
    return _group(max(1, -(-minimum // _GROUP_OF_THREE)))


def _group(number: int) -> TileNames | None:
    return (f"K{number}", f"B{number}", f"O{number}") if 1 <= number <= HIGHEST_TILE_NUMBER else None


def _judged_sets(ruleset: Ruleset, sets: Sequence[tuple[str, str]]) -> Iterator[SetExample]:
    for code, tiles in sets:
        names = tuple(tiles.split())
        if box_holds(ruleset, names):
            yield SetExample(code, names, judge_set(ruleset, names))


def _judged_opening(ruleset: Ruleset, code: str, sets: Sets) -> MoveExample | None:
    played = tuple(name for tiles in sets for name in tiles)
    return _judged_move(ruleset, code, (), played, sets, opened=False)


def _judged_move(
    ruleset: Ruleset, code: str, before: Sets, played: TileNames, after: Sets, *, opened: bool = True
) -> MoveExample | None:
    """None where the box does not hold the tiles."""
    if not box_holds(ruleset, (*(name for tiles in before for name in tiles), *played)):
        return None
    judged = judge_move(ruleset, opened=opened, before=before, played=played, after=after)
    total = sum(judge_set(ruleset, tiles).value for tiles in after if tiles not in before)
    jokers = _joker_places(ruleset, before), _joker_places(ruleset, after)
    needed = 0 if opened else ruleset.opening_minimum
    return MoveExample(code, opened, before, played, after, total, needed, jokers, judged)


def _joker_places(ruleset: Ruleset, sets: Sets) -> tuple[JokerPlace, ...]:
    return tuple(place for tiles in sets for place in joker_places(tiles, judge_set(ruleset, tiles)))


def joker_places(tiles: TileNames, judged: JudgedSet) -> tuple[JokerPlace, ...]:
    """Where jokers lie in a set that was judged; nothing where it is not legal."""
    return tuple(JokerPlace(tiles[place], str(judged.kind), names) for place, names in judged.stands_for.items())


def box_holds(ruleset: Ruleset, names: TileNames) -> bool:
    """Whether all these tiles can lie on one table."""
    try:
        check_copies(ruleset, [("tiles", names)])
    except Refusal:
        return False
    return True


def _sets(text: str) -> Sets:
    return tuple(tuple(tiles.split()) for tiles in text.split(", "))

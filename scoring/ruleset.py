"""A ruleset is data: every number and every order that an event may choose. Presets by name.

Where two rule texts differ, a field differs; no rule asks for a ruleset's name.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.problems import Refusal

JOKERS = ("J", "JD", "JC", "JM")
"""Plain, and of Twist: double, colour-change, mirror."""

CRITERION_NAMES = ("wins", "average", "total", "tiles")
SCORING_NAMES = ("difference", "raw")
LOWEST_TIE_NAMES = ("fewest_tiles", "unresolved")
DIVISOR_NAMES = ("games", "played")
MAX_RULE_NUMBER = 10_000
"""The greatest number a field may hold: an event's figures are far below, and totals stay small."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of a box: copies of each of the 52 numbers, of each joker, or of each letter (WORD)."""

    numbers: int
    jokers: tuple[tuple[str, int], ...]
    letters: tuple[tuple[str, int], ...] = ()

    @property
    def joker_count(self) -> int:
        return sum(copies for _, copies in self.jokers)

    @property
    def size(self) -> int:
        return 52 * self.numbers + self.joker_count + sum(copies for _, copies in self.letters)

    def as_data(self) -> dict[str, object]:
        """`{"numbers": 2, "J": 2, "JD": 0, "JC": 0, "JM": 0, "letters": {}}`."""
        return {"numbers": self.numbers, **dict(self.jokers), "letters": dict(self.letters)}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What an event plays by. `name` is the preset it was made from, for display alone."""

    name: str
    tiles: TileSet
    joker_value: int
    """What a joker of any kind costs on the rack (R24)."""
    dealt_tiles: int
    """Tiles dealt to each: an unopened rack holds at least these."""
    opening_minimum: int
    """The ice breaks at this total or more; in WORD the letters of the first word."""
    opening_jokers: bool
    """Whether an opening may hold a joker."""
    unopened_unable: int | None
    """Flat value of an unopened rack that could not open (R25); None: it counts its tiles."""
    unopened_able: int | None
    """Flat value of an unopened rack that could have opened (R26)."""
    pushed_over: int | None
    """Flat value of a rack pushed over on purpose (R27)."""
    pool_scoring: str | None
    """Pool empty and nobody out (R29): `difference`, `raw`, or None where the text does not say."""
    time_up_scoring: str | None
    """Time up (R31): the same words."""
    lowest_tie: str
    """Several lowest racks: the `fewest_tiles` win (R30), or it stays `unresolved`."""
    games: int | None
    """Games of a stage; None: no fixed number, a table plays as many as it has players (000)."""
    average_over: str
    """What an average divides by: the ruleset's `games` (R34-R36), or the games `played`."""
    minutes: int | None
    turn_seconds: int | None
    overtime_tiles: int | None
    """Tiles drawn for a turn that broke the table and ran over its time."""
    table_sizes: tuple[int, ...]
    """Legal sizes of a table, preferred first (R13)."""
    order: tuple[str, ...]
    """Ranking criteria, first decides first (R34-R36)."""
    family_order: tuple[str, ...]
    """The same for a family's sum (R40)."""
    advance: int | None
    """How many advance (R37); None: all."""
    joker_from_hand: bool
    """A joker of the table is only taken for a tile from the hand."""
    weather_deadline_minutes: int
    """The weather is judged this long before the day's first check-in."""

    def as_data(self) -> dict[str, object]:
        """Every field as JSON data, with `base`; `read_ruleset` takes it back unchanged."""
        return {"base": self.name, **self.fields_as_data()}

    def fields_as_data(self) -> dict[str, object]:
        """Every field as JSON data, without the preset's name."""
        data: dict[str, object] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, TileSet):
                data[field.name] = value.as_data()
            elif field.name != "name":
                data[field.name] = list(value) if isinstance(value, tuple) else value
        return data

    def games_at_table(self, players: int) -> int:
        """How many games a table of so many plays, and its sheet has."""
        return self.games if self.games is not None else players

    @property
    def counts_turns(self) -> bool:
        """Whether its sheet has the words of each turn (R58) in place of games: its box has letters."""
        return bool(self.tiles.letters)

    @property
    def has_flat_values(self) -> bool:
        """Whether an unopened rack is worth a flat value, so that the verdict "could open" matters."""
        return self.unopened_unable is not None or self.unopened_able is not None


def _numbers(**jokers: int) -> TileSet:
    return TileSet(2, tuple((kind, jokers.get(kind, 0)) for kind in JOKERS))


def _letters(jokers: int, counts: str) -> TileSet:
    letters = tuple((pair[0], int(pair[1:])) for pair in counts.split())
    return TileSet(0, tuple((kind, jokers if kind == "J" else 0) for kind in JOKERS), letters)


_HK_2026 = Ruleset(
    name="hk-2026",
    tiles=_numbers(J=2),
    joker_value=30,
    dealt_tiles=14,
    opening_minimum=30,
    opening_jokers=True,
    unopened_unable=100,
    unopened_able=200,
    pushed_over=200,
    pool_scoring="difference",
    time_up_scoring="difference",
    lowest_tie="fewest_tiles",
    games=3,
    average_over="games",
    minutes=60,
    turn_seconds=60,
    overtime_tiles=1,
    table_sizes=(4, 3),
    order=("wins", "average", "tiles"),
    family_order=("wins", "total", "tiles"),
    advance=120,
    joker_from_hand=False,
    weather_deadline_minutes=120,
)
_TWIST = dataclasses.replace(
    _HK_2026,
    name="twist",
    tiles=_numbers(J=2, JD=2, JC=2, JM=2),
    unopened_unable=None,
    unopened_able=None,
    pushed_over=None,
    lowest_tie="unresolved",
    games=None,
    minutes=None,
    overtime_tiles=3,
    table_sizes=(4, 3, 2),
    order=("wins", "total"),
    family_order=("wins", "total"),
    advance=None,
)
_SCHOOL = dataclasses.replace(
    _TWIST,
    name="school",
    tiles=_numbers(J=2),
    opening_jokers=False,
    games=3,
    order=("total",),
    family_order=("total",),
)
_WORD = dataclasses.replace(
    _TWIST,
    name="word",
    tiles=_letters(2, "A10 B2 C4 D4 E10 F2 G3 H3 I7 J1 K2 L7 M3 N6 O8 P4 Q1 R7 S7 T8 U4 V1 W2 X1 Y2 Z1"),
    opening_minimum=6,
    pool_scoring=None,
    time_up_scoring=None,
    games=1,
    order=("total",),
    family_order=("total",),
)
_FRENCH = dataclasses.replace(
    _TWIST,
    name="french",
    tiles=_numbers(J=2),
    joker_value=20,
    pool_scoring=None,
    time_up_scoring=None,
    turn_seconds=None,
    overtime_tiles=None,
    order=("total",),
    family_order=("total",),
    joker_from_hand=True,
)

PRESETS: Mapping[str, Ruleset] = MappingProxyType(
    {preset.name: preset for preset in (_HK_2026, _TWIST, _SCHOOL, _WORD, _FRENCH)}
)
"""The five rule texts as data."""


def read_ruleset(data: object, where: str = "ruleset") -> Ruleset:
    """A ruleset from a preset's name, or from `{"base": name, field: value, ...}`.

    Raises Refusal with the place of what is unknown, missing, of a wrong type or out of its bounds.
    """
    if isinstance(data, str):
        return _preset(data, where)
    if not isinstance(data, Mapping):
        raise Refusal(where, "must be a name or an object with a base")
    if "base" not in data:
        raise Refusal(f"{where}.base", "is missing")
    base = data["base"]
    if not isinstance(base, str):
        raise Refusal(f"{where}.base", "must be a text")
    preset = _preset(base, f"{where}.base")
    changes: dict[str, Any] = {}
    for name, value in data.items():
        if name == "base":
            continue
        if name not in _READERS:
            raise Refusal(f"{where}.{name}", "is not a field of a ruleset")
        changes[name] = _READERS[name](value, f"{where}.{name}")
    ruleset = dataclasses.replace(preset, **changes)
    _check_together(ruleset, where)
    return ruleset


def _preset(name: str, where: str) -> Ruleset:
    if name not in PRESETS:
        raise Refusal(where, f"is no ruleset; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def _check_together(ruleset: Ruleset, where: str) -> None:
    if ruleset.counts_turns and ruleset.games != 1:
        raise Refusal(f"{where}.games", "must be 1 where the box has letters: the sheet has the turns of one game")
    if ruleset.games is None and ruleset.average_over == "games":
        for field in ("order", "family_order"):
            if "average" in getattr(ruleset, field):
                raise Refusal(f"{where}.{field}", "an average needs a number of games to divide by")


def _int(least: int, most: int = MAX_RULE_NUMBER) -> Callable[[object, str], int]:
    def read(value: object, where: str) -> int:
        if type(value) is not int:
            raise Refusal(where, "must be an integer")
        if not least <= value <= most:
            raise Refusal(where, f"must be from {least} to {most}")
        return value

    return read


def _or_none(reader: Callable[[object, str], object]) -> Callable[[object, str], object]:
    def read(value: object, where: str) -> object:
        return None if value is None else reader(value, where)

    return read


def _bool(value: object, where: str) -> bool:
    if type(value) is not bool:
        raise Refusal(where, "must be true or false")
    return value


def _one_of_words(words: tuple[str, ...]) -> Callable[[object, str], str]:
    def read(value: object, where: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise Refusal(where, f"must be one of {', '.join(words)}")
        return value

    return read


def _list_of(reader: Callable[[object, str], object]) -> Callable[[object, str], tuple[object, ...]]:
    def read(value: object, where: str) -> tuple[object, ...]:
        if not isinstance(value, (list, tuple)):
            raise Refusal(where, "must be a list")
        if not value:
            raise Refusal(where, "must not be empty")
        items = tuple(reader(item, f"{where}[{i}]") for i, item in enumerate(value))
        for i, item in enumerate(items):
            if item in items[:i]:
                raise Refusal(f"{where}[{i}]", "is there twice")
        return items

    return read


def _tile_set(value: object, where: str) -> TileSet:
    if not isinstance(value, Mapping):
        raise Refusal(where, "must be an object")
    copies = _int(0, 100)
    for name in value:
        if name not in ("numbers", "letters", *JOKERS):
            raise Refusal(f"{where}.{name}", "is no kind of tile")
    if "numbers" not in value:
        raise Refusal(f"{where}.numbers", "is missing")
    jokers = tuple((kind, copies(value.get(kind, 0), f"{where}.{kind}")) for kind in JOKERS)
    letters = value.get("letters", {})
    if not isinstance(letters, Mapping):
        raise Refusal(f"{where}.letters", "must be an object")
    for letter in letters:
        if not isinstance(letter, str) or len(letter) != 1:
            raise Refusal(f"{where}.letters.{letter}", "must be a single letter")
    counts = tuple((letter, copies(count, f"{where}.letters.{letter}")) for letter, count in letters.items())
    return TileSet(copies(value["numbers"], f"{where}.numbers"), jokers, counts)


_SCORING = _or_none(_one_of_words(SCORING_NAMES))
_ORDER = _list_of(_one_of_words(CRITERION_NAMES))
_READERS: Mapping[str, Callable[[object, str], object]] = MappingProxyType(
    {
        "tiles": _tile_set,
        "joker_value": _int(0),
        "dealt_tiles": _int(0),
        "opening_minimum": _int(0),
        "opening_jokers": _bool,
        "unopened_unable": _or_none(_int(0)),
        "unopened_able": _or_none(_int(0)),
        "pushed_over": _or_none(_int(0)),
        "pool_scoring": _SCORING,
        "time_up_scoring": _SCORING,
        "lowest_tie": _one_of_words(LOWEST_TIE_NAMES),
        "games": _or_none(_int(1)),
        "average_over": _one_of_words(DIVISOR_NAMES),
        "minutes": _or_none(_int(1)),
        "turn_seconds": _or_none(_int(1)),
        "overtime_tiles": _or_none(_int(0)),
        "table_sizes": _list_of(_int(2, 4)),
        "order": _ORDER,
        "family_order": _ORDER,
        "advance": _or_none(_int(1, 1_000_000)),
        "joker_from_hand": _bool,
        "weather_deadline_minutes": _int(0),
    }
)

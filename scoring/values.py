"""The values handed from rule to rule. Frozen, slotted, without behaviour.

Points are exact `Fraction`s whose denominator divides 12 (a share among up to four is whole in
twelfths). Rack values and face values are integers >= 0; a sheet shows a rack value as minus points.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoring.marks import Marks

ALL_SEAT_LETTERS = ("A", "B", "C", "D")
"""The seats of a table in the order of play."""


@dataclass(frozen=True, slots=True)
class Rack(Marks):
    """One seat at the end of one game (R23-R31).

    `tiles` counts what is left. Either `rack` (tile names such as "R13", "J") or `face_value` says what
    they are worth by their faces, jokers included; a pushed-over rack, an empty one and nothing else
    needs neither. `could_open` is a referee's verdict on an unopened rack; None: worked out from `rack`.
    """

    seat: str
    tiles: int
    face_value: int | None = None
    rack: tuple[str, ...] | None = None
    opened: bool = True
    could_open: bool | None = None
    left: bool = False


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What one game gave one seat: `win` 0 or 1, `because` in the order of scoring-cli's codes."""

    win: int
    points: Fraction
    tiles: int
    rack_value: int
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game scored: seats in letter order; the points sum to exactly 0."""

    seats: Mapping[str, SeatScore]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """What counts of one game for one entrant."""

    win: int
    points: Fraction
    tiles: int


@dataclass(frozen=True, slots=True)
class Record:
    """One entrant over a stage, game by game. `status`: "ok", "forfeited", "withdrawn", "disqualified"."""

    id: str
    games: tuple[GameResult, ...]
    status: str = "ok"


@dataclass(frozen=True, slots=True)
class Tally:
    """A record summed: `games` counts the games played."""

    id: str
    games: int
    wins: int
    points: Fraction
    tiles: int
    status: str = "ok"


@dataclass(frozen=True, slots=True)
class Standing:
    """One ranked entrant. `tied`: the rank is shared. `average`: None where no number of games is fixed."""

    id: str
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int


@dataclass(frozen=True, slots=True)
class Unranked:
    """An entrant without a rank: `because` is "not_played" or the entrant's status."""

    id: str
    because: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """`standings` by rank, then id by code points (for display alone); `unranked` by id."""

    standings: tuple[Standing, ...]
    unranked: tuple[Unranked, ...]


@dataclass(frozen=True, slots=True)
class UnresolvedTie:
    """A full tie across the line: `places` are left for `ids` (R37). Only people may decide it."""

    places: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Qualification:
    """Who advances: those certainly in, the tie across the line, and the reserves, each best first."""

    advancing: tuple[str, ...]
    unresolved: UnresolvedTie | None
    reserves: tuple[str, ...]

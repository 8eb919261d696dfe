"""Every code with which the rules answer about what was typed or given.

A `Refusal` stops: the input cannot be taken at all. A `SheetProblem` is one fault of a sheet, of which all are
reported at once, each with its place and the figures a sentence needs; the words are the caller's.
Codes are stable: pages, files and tests know them. Each names its clause of the event's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

ProblemFact = int | str | Fraction | tuple["ProblemFact", ...]
ProblemSeverity = Literal["mend", "look"]


class Refusal(ValueError):
    """Input that cannot be taken. `where` is its place (`seats[1].face_value`, "" for the whole), `why` a
    plain sentence for the person who gave it."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.where = where
        self.why = why


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """One fault of a sheet. `where` is the cell (`games[0].seats.C.points`, `totals.B.tiles`), the game
    (`games[1]`) or the row (`totals.C`); `weight` `mend`: impossible as it stands, `look`: unusual, a person
    confirms it with a reason. `facts` are the figures; what each code carries stands beside it below."""

    code: str
    where: str
    weight: ProblemSeverity
    facts: Mapping[str, ProblemFact] = field(default_factory=lambda: MappingProxyType({}))


SEVERITY_ERROR: ProblemSeverity = "mend"
SEVERITY_WARNING: ProblemSeverity = "look"

# --- Reading a cell -------------------------------------------------------------------------------------
CELL_BLANK = "blank"  # mend. suggest, where the row leaves one value. Nothing typed where a figure belongs.
CELL_UNREADABLE = "unreadable"  # mend. typed. No figure of this kind; also an unknown ending, starter or tile.
WIN_NOT_0_OR_1 = "win_not_0_or_1"  # mend. typed.
READ_AS = "read_as"  # look. typed, read; in a game also whole, among: `whole` points shared by `among`.
ROUNDED_NOT_UNIQUE = "rounded_not_unique"  # mend. typed, candidates. The game leaves several shares possible.

# --- The games of a sheet (R28-R31, R42) ----------------------------------------------------------------
GAMES_COUNT = "games_count"  # mend, at `games`. given, expected.
ENDING_MISSING = "ending_missing"  # mend, at ended_by. fits: the endings under which the row is without fault.
ENDING_NOT_IN_RULESET = "ending_not_in_ruleset"  # mend, at ruling. ended_by, fits. The ruleset does not say how.
RULING_NOT_OPEN = "ruling_not_open"  # mend, at ruling. ruling, fits. The ruleset itself decides this game.
RULED = "ruled"  # look, at ruling. ruling, seats that share the lowest. Confirmed with who ruled, and why.
NOT_PLAYED_FILLED = "not_played_filled"  # mend, at the first cell. typed. Not played, yet figures stand there.
PLAYED_AFTER_NOT_PLAYED = "played_after_not_played"  # mend, at the game not played. later (1-based game). R31
PLAYED_AFTER_TIME = "played_after_time"  # mend, at ended_by. earlier (1-based game cut off by the clock). R31
NOTHING_PLAYED = "nothing_played"  # look, at `games`. No game of the sheet was played.
SAME_AS_GAME = "same_as_game"  # look. earlier (1-based). Every figure equals that of an earlier game.
STARTER_NOT_PLAYING = "starter_not_playing"  # mend, at starter. starter.
STARTER_NOT_WINNER = "starter_not_winner"  # look, at starter. starter, winners. The last game's winner starts.

# --- Who takes part (R6, R62) -----------------------------------------------------------------------
TOO_FEW_PLAYERS = "too_few_players"  # mend, at the game. players. Void: the chief judge decides.
NOT_RECORDED_AS_LEFT = "not_recorded_as_left"  # mend, at absent or left. Present all the session by the records.
PLAYS_AFTER_LEAVING = "plays_after_leaving"  # mend, at absent. earlier (1-based game). Left, yet in a later game.
LEFT_AND_ABSENT = "left_and_absent"  # mend, at left. One who takes no part cannot leave.
ABSENT_FILLED = "absent_filled"  # mend, at the first cell. typed. Takes no part, yet has figures.
EMPTY_SEAT_FILLED = "empty_seat_filled"  # mend, at the first cell. typed. Nobody sits there, yet has figures.
LEAVER_PLAYED_ALL = "leaver_played_all"  # look, at `totals.X`. Recorded as having left, played every game.

# --- One game on paper (R28-R31) ------------------------------------------------------------------------
# Where exactly one changed cell mends a game, the problem stands at that cell and carries `suggest`;
# `fits` are all (seat, value) that would; `also` are the codes that the same change mends.
# `totals`: typed totals that agree once it is mended, and are therefore not told again.
NOT_ZERO_SUM = "not_zero_sum"  # mend. sum; typed, suggest, also, totals; or, at the game, fits.
RACK_VALUES_TYPED = "rack_values_typed"  # mend, at the game. sum, due ((seat, points), ...): what they come to. R29
NOBODY_OUT = "nobody_out"  # mend, at a tiles cell (suggest 0) or the game. fits: endings that would do. R28
SEVERAL_OUT = "several_out"  # mend, at each wrong cell of tiles. out: seats with 0 tiles. R28
SOMEBODY_OUT = "somebody_out"  # mend, at tiles. ended_by, fits: endings that would do. R29
LEAVER_OUT = "leaver_out"  # mend, at tiles. A frozen rack has tiles.
WIN_NOT_DUE = "win_not_due"  # mend, at win. suggest 0, why: not_out, not_lowest, more_tiles, fewer_points, left.
WIN_MISSING = "win_missing"  # mend, at win. suggest 1, why: went_out, lowest_rack, fewest_tiles, most_points. R28-R30
NO_WINNER = "no_winner"  # mend, at the game. At least one win a game.
POINTS_NOT_NEGATIVE = "points_not_negative"  # mend, at points. typed. Neither out nor lowest. R28-R29
OUT_NOT_POSITIVE = "out_not_positive"  # mend, at points. typed. Went out, yet no points won. R28
LOWEST_UNEQUAL = "lowest_unequal"  # mend, at each points cell of the lowest. points ((seat, points), ...), suggest. R29
NO_LOWEST = "no_lowest"  # mend, at the game. Nobody has the points of the lowest rack. R29
LEAVER_POSITIVE = "leaver_positive"  # mend, at points. typed. A leaver never is the lowest.
POINTS_NOT_WHOLE = "points_not_whole"  # mend, at points. typed. Only shared points have a fraction.
LOWEST_TIE_UNRESOLVED = "lowest_tie_unresolved"  # mend, at ruling. seats, or why; fits. The ruleset leaves it open.
VALUE_IMPOSSIBLE = "value_impossible"  # mend, at points or face_value. value, tiles, least, greatest. R23-R24
# The three of tiles and value stand at the tiles, with typed and suggest, where the typed total knows better.
FLAT_UNDER_14 = "flat_under_14"  # mend, at tiles. value, tiles. An unopened rack has 14 tiles or more. R25-R26
PUSHED_OVER_VALUE = "pushed_over_value"  # look, at points. value, tiles. Only a ruling makes it so. R27
DIFFERENCE_IMPOSSIBLE = "difference_impossible"  # mend, at points; all of them at the game. difference, tiles. R29
JOKERS_BEYOND_SET = "jokers_beyond_set"  # mend, at the game. jokers, most. These racks need more jokers.
TOO_MANY_TILES = "too_many_tiles"  # mend, at the game. tiles, most. More than the set holds.
RACKS_BEYOND_SET = "racks_beyond_set"  # mend, at the game. value, tiles, least, greatest: all racks together.
ALL_EQUAL = "all_equal"  # look, at the game. Nobody out and all racks equal: 0 points each.
MANY_TILES = "many_tiles"  # look, at tiles. tiles, usual (the most that is usual).
HIGH_VALUE = "high_value"  # look, at points or face_value. value, usual.
HIGH_WIN = "high_win"  # look, at points. value, usual.
BOTH_JOKERS = "both_jokers"  # look, at points or face_value. value, tiles. Possible only with every joker.

# --- One game from its racks (R23-R31) ------------------------------------------------------------------
NO_SUCH_TILE = "no_such_tile"  # mend, at rack. typed: the tile. The set has none such.
TILES_NOT_AS_RACK = "tiles_not_as_rack"  # mend, at tiles. typed, rack: how many the rack shows.
VALUE_NOT_AS_RACK = "value_not_as_rack"  # mend, at face_value. typed, rack: what the rack comes to.
COPIES_BEYOND_SET = "copies_beyond_set"  # mend, at the game. tile, copies, most.
UNOPENED_UNDER_14 = "unopened_under_14"  # mend (look for a rack pushed over), at tiles. tiles. R25-R26
COULD_OPEN_MISSING = "could_open_missing"  # mend, at could_open. Neither a rack to judge by nor a verdict. R25
COULD_OPEN_OVERRULED = "could_open_overruled"  # look, at could_open. worked_out: yes or no. R25-R26
OUT_NOT_OPENED = "out_not_opened"  # mend, at opened. Who has 0 tiles has opened.
# And `out_` with the name of each mark (scoring.marks): mend, at the mark. 0 tiles cannot be pushed over. R27
FLAT_VALUE_WINS = "flat_value_wins"  # look, at the seat's face_value. value. By the letter correct. R25, R29
NOT_AS_COMPUTED = "not_as_computed"  # mend, at win or points. typed, suggest.
SCORING_REFUSED = "refused"  # mend. why. The game cannot be scored; a refusal of the scoring itself.

# --- A sheet of turns (R58) -----------------------------------------------------------------------------
# `jokers` is the cell of the jokers left, which is typed as the seat's tiles.
WORD_UNREADABLE = "word_unreadable"  # mend, at own or rearranged. typed: the word. A character that no tile has.
WORD_TOO_SHORT = "word_too_short"  # mend, at own or rearranged. word, least.
WORD_TWICE = "word_twice"  # mend, at own or rearranged. word, earlier (1-based turn), by: the seat that laid it first.
WORDS_BEYOND_SET = "words_beyond_set"  # mend, at own or rearranged. letters: of which one turn has more than the set.
OPENING_SHORT = "opening_short"  # look, at own or rearranged. least. The first word of a player breaks the ice.
EMPTIED_WITHOUT_WORDS = "emptied_without_words"  # mend, at emptied. Whoever empties the rack has laid a word.
NOBODY_EMPTIED = "nobody_emptied"  # mend, at ended_by. fits. Ended by Rummikub, yet no rack was emptied.
SOMEBODY_EMPTIED = "somebody_emptied"  # mend, at ended_by. by, ended_by, fits. A rack was emptied.
SEVERAL_EMPTIED = "several_emptied"  # mend, at emptied. earlier (1-based turn), by. Only one goes out.
TURN_AFTER_END = "turn_after_end"  # mend, at own or rearranged. earlier (1-based turn), by: who had emptied the rack.
JOKERS_AFTER_EMPTYING = "jokers_after_emptying"  # mend, at jokers. suggest 0. An empty rack holds no joker.
JOKERS_LEFT_BEYOND_SET = "jokers_left_beyond_set"  # mend, at the game. jokers, most.
TURNS_TOTAL_DIFFERS = "turns_total_differs"  # mend, at the total. typed, suggest (the sum), parts.

# --- The row 總結 ----------------------------------------------------------------------------------------
TOTAL_BLANK = "total_blank"  # look, at the cell, the seat or `totals`. The row was left empty.
TOTAL_DIFFERS = "total_differs"  # mend. typed, suggest (the sum), parts.
TOTAL_FILLED = "total_filled"  # mend. typed. Nobody sits there, yet has a total.

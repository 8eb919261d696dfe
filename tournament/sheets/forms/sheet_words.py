"""The sentence of every fault of a sheet: what is wrong with its figures, and what to do."""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

from scoring import problems as code
from tournament.sheets.exports.mark_words import MARK_WORDS

# code: (what is wrong, what to do). Facts: those of the problem, and game, seat, cell of its place.
# Of a value between the least and the greatest that no such tiles make: a joker more leaps over it.
VALUE_GAP_SENTENCE = _("%(tiles)s tiles cannot be worth %(value)s, whatever jokers are among them.")
PROBLEM_SENTENCES: Mapping[str, tuple[str, str]] = {
    code.CELL_BLANK: (_("Nothing is written here."), _("Type what the paper has; a dash on the paper is a 0.")),
    code.CELL_UNREADABLE: (
        _('"%(typed)s" cannot be read as %(cell)s.'),
        _("Type the figure again, as 11.5, 11 1/2 or 23/2."),
    ),
    code.WIN_NOT_0_OR_1: (_('"%(typed)s" is no win: a game is won once or not.'), _("Type 1 for a win, 0 for none.")),
    code.READ_AS: (_("%(typed)s is read as %(read)s."), ""),
    code.ROUNDED_NOT_UNIQUE: (_("%(typed)s may stand for %(candidates)s."), _("Type the exact share, as 10 2/3.")),
    code.GAMES_COUNT: (
        _("The sheet has %(given)s games; this stage plays %(expected)s."),
        _("Reload the page and type the sheet again."),
    ),
    code.ENDING_MISSING: (
        _("How game %(game)s ended is not chosen."),
        _("R Rummikub, P pool empty, T time up, N not played."),
    ),
    code.ENDING_NOT_IN_RULESET: (
        _('These rules do not say how a game that ends by "%(ended_by)s" is scored: the chief judge rules on it.'),
        _("Choose the ruling for this game."),
    ),
    code.RULING_NOT_OPEN: (
        _("A ruling is noted for game %(game)s, but the rules themselves decide it."),
        _("Take the ruling away, or look again at how the game ended and at its figures."),
    ),
    code.RULED: (
        _("Ruling for game %(game)s: %(ruling)s."),
        _("Write who ruled, and why."),
    ),
    code.NOT_PLAYED_FILLED: (
        _('Game %(game)s is marked as not played, yet "%(typed)s" stands here.'),
        _("Choose how it ended, or clear the row."),
    ),
    code.PLAYED_AFTER_NOT_PLAYED: (
        _("Game %(game)s is marked as not played, yet game %(later)s was."),
        _("Games are played in order; look at the paper again."),
    ),
    code.PLAYED_AFTER_TIME: (
        _("Game %(earlier)s was cut off by the clock, yet game %(game)s was played."),
        _("A game cut off by the clock is the last. Which of the two endings is wrong?"),
    ),
    code.NOTHING_PLAYED: (_("No game of this sheet was played."), _("Confirm with the reason.")),
    code.SAME_AS_GAME: (
        _("Game %(game)s has the very figures of game %(earlier)s."),
        _("Was one row typed twice? Compare with the paper."),
    ),
    code.STARTER_NOT_PLAYING: (
        _("%(starter)s is noted as the starter but does not play in this game."),
        _("Choose another seat, or none."),
    ),
    code.STARTER_NOT_WINNER: (
        _("%(starter)s is noted as the starter; the last game was won by %(winners)s."),
        _("The last game's winner starts. Confirm if it was so."),
    ),
    code.TOO_FEW_PLAYERS: (
        _("Game %(game)s has only %(players)s player."),
        _("With one player left the game is void; the chief judge decides."),
    ),
    code.NOT_RECORDED_AS_LEFT: (
        _("%(seat)s is marked as away, but the records have %(seat)s present all the session."),
        _("Record the absence or withdrawal on the entrant's page first."),
    ),
    code.PLAYS_AFTER_LEAVING: (
        _("%(seat)s left in game %(earlier)s, yet takes part in game %(game)s."),
        _("A leaver's seat stays empty in later games."),
    ),
    code.LEFT_AND_ABSENT: (
        _("%(seat)s cannot both leave during game %(game)s and take no part in it."),
        _("Choose one of the two."),
    ),
    code.ABSENT_FILLED: (
        _('%(seat)s takes no part in game %(game)s, yet "%(typed)s" stands here.'),
        _("Clear the cells, or mark %(seat)s as playing."),
    ),
    code.EMPTY_SEAT_FILLED: (
        _('Nobody sits at %(seat)s, yet "%(typed)s" stands here.'),
        _("Is it another table's sheet? Clear the cell, or correct the entrant's record."),
    ),
    code.LEAVER_PLAYED_ALL: (
        _("%(seat)s is recorded as having left, yet played every game."),
        _("Confirm with the reason, for instance: left after the last game."),
    ),
    code.NOT_ZERO_SUM: (_("The points of game %(game)s add up to %(sum)s; they must come to 0."), ""),
    code.NOBODY_OUT: (
        _("Game %(game)s ended by Rummikub, yet nobody has 0 tiles."),
        _("Who went out has 0 tiles; otherwise it ended in another way."),
    ),
    code.SEVERAL_OUT: (
        _("%(out)s all have 0 tiles in game %(game)s; only one can go out."),
        _("Correct the tiles of the others."),
    ),
    code.SOMEBODY_OUT: (
        _('%(seat)s has 0 tiles, yet game %(game)s is marked "%(ended_by)s".'),
        _("If %(seat)s went out, choose Rummikub."),
    ),
    code.LEAVER_OUT: (
        _("%(seat)s left during game %(game)s; a frozen rack has tiles."),
        _("Type the tiles on the rack when %(seat)s left."),
    ),
    code.WIN_NOT_DUE: (_("The win of %(seat)s in game %(game)s does not fit: %(why)s."), ""),
    code.WIN_MISSING: (_("%(seat)s should have the win of game %(game)s: %(why)s."), ""),
    code.NO_WINNER: (_("Game %(game)s has no winner."), _("Every game has at least one win.")),
    code.POINTS_NOT_NEGATIVE: (
        _("%(seat)s has %(typed)s in game %(game)s, but was neither out nor lowest, so the points are minus."),
        _("Is the minus sign missing?"),
    ),
    code.OUT_NOT_POSITIVE: (
        _("%(seat)s went out in game %(game)s, yet has %(typed)s."),
        _("Who goes out wins the others' rack values."),
    ),
    code.LOWEST_UNEQUAL: (
        _("The lowest racks of game %(game)s share alike, but the paper has %(points)s."),
        _("Each of them has the same points."),
    ),
    code.RACK_VALUES_TYPED: (
        _("Game %(game)s seems to have rack values in place of points: they add up to %(sum)s."),
        _("When nobody goes out the points are the differences: %(due)s."),
    ),
    code.NO_LOWEST: (
        _("Nobody in game %(game)s has the points of the lowest rack."),
        _("When nobody goes out, the lowest rack wins the differences."),
    ),
    code.LEAVER_POSITIVE: (
        _("%(seat)s left during game %(game)s, yet has %(typed)s."),
        _("A leaver's rack is scored as a loser's."),
    ),
    code.POINTS_NOT_WHOLE: (
        _("%(typed)s of %(seat)s in game %(game)s has a fraction."),
        _("Only points shared by several lowest racks have one."),
    ),
    code.LOWEST_TIE_UNRESOLVED: (
        _("Several have the lowest rack of game %(game)s, which these rules leave open: the chief judge rules on it."),
        _("Choose the ruling for this game."),
    ),
    code.VALUE_IMPOSSIBLE: (
        _("%(tiles)s tiles cannot be worth %(value)s: they come to %(least)s to %(greatest)s."),
        _("Look at the points and the tiles of %(seat)s again."),
    ),
    code.FLAT_UNDER_14: (
        _("A rack worth %(value)s whose ice was not broken has 14 tiles or more, not %(tiles)s."),
        _("Look at the tiles of %(seat)s again."),
    ),
    code.PUSHED_OVER_VALUE: (
        _("%(value)s with %(tiles)s tiles is only possible for a rack pushed over."),
        _("Write who ruled it (rule 4)."),
    ),
    code.DIFFERENCE_IMPOSSIBLE: (
        _("No racks with these tiles differ by %(difference)s in game %(game)s."),
        _("Look at the points and the tiles of this game again."),
    ),
    code.JOKERS_BEYOND_SET: (
        _("The racks of game %(game)s need %(jokers)s jokers; the set has %(most)s."),
        _("Look at the points and the tiles of this game again."),
    ),
    code.TOO_MANY_TILES: (
        _("The tiles of game %(game)s add up to %(tiles)s; the set has %(most)s."),
        _("Look at the tiles of this game again."),
    ),
    code.RACKS_BEYOND_SET: (
        _(
            "All racks of game %(game)s, %(tiles)s tiles, are together worth %(value)s; the set allows "
            "%(least)s to %(greatest)s."
        ),
        _("Look at the points and the tiles of this game again."),
    ),
    code.ALL_EQUAL: (
        _("All racks of game %(game)s are equal: 0 points for everyone."),
        _("Possible, but seldom; compare with the paper."),
    ),
    code.MANY_TILES: (
        _("%(seat)s has %(tiles)s tiles left in game %(game)s; more than %(usual)s is seldom."),
        _("Compare with the paper."),
    ),
    code.HIGH_VALUE: (
        _("A rack of %(value)s (%(seat)s, game %(game)s) is high; more than %(usual)s is seldom."),
        _("Compare with the paper."),
    ),
    code.HIGH_WIN: (
        _("%(value)s points (%(seat)s, game %(game)s) is high; more than %(usual)s is seldom."),
        _("Compare with the paper."),
    ),
    code.BOTH_JOKERS: (
        _("%(tiles)s tiles are worth %(value)s only with every joker of the set among them (%(seat)s, game %(game)s)."),
        _("Possible; compare with the paper."),
    ),
    code.NO_SUCH_TILE: (
        _('"%(typed)s" is no tile of this set.'),
        _("Write tiles as R5 B6 K7 O8 J, apart by spaces."),
    ),
    code.TILES_NOT_AS_RACK: (_("The rack shows %(rack)s tiles, the count says %(typed)s."), ""),
    code.VALUE_NOT_AS_RACK: (_("The rack comes to %(rack)s, the value says %(typed)s."), ""),
    code.COPIES_BEYOND_SET: (
        _("%(tile)s is on the racks of game %(game)s %(copies)s times; the set has %(most)s."),
        _("Look at the racks of this game again."),
    ),
    code.UNOPENED_UNDER_14: (
        _("%(seat)s had not broken the ice, yet has only %(tiles)s tiles in game %(game)s."),
        _("An unopened rack has 14 tiles or more."),
    ),
    code.COULD_OPEN_MISSING: (
        _("Whether %(seat)s could have broken the ice in game %(game)s is not known."),
        _("Type the rack, or choose yes or no as the referee noted."),
    ),
    code.COULD_OPEN_OVERRULED: (
        _('By the rack of %(seat)s the answer to "could open" is %(worked_out)s; the referee ruled otherwise.'),
        _("Write the referee's reason."),
    ),
    code.OUT_NOT_OPENED: (_("%(seat)s has 0 tiles in game %(game)s, so the ice was broken."), _("Mark it as opened.")),
    **{f"out_{name}": words.out for name, words in MARK_WORDS.items()},
    code.FLAT_VALUE_WINS: (
        _("The flat %(value)s of %(seat)s is the lowest rack of game %(game)s and wins."),
        _("By the letter of the rules this is right; compare with the paper."),
    ),
    code.NOT_AS_COMPUTED: (
        _("%(cell)s of %(seat)s in game %(game)s is typed as %(typed)s; the racks give %(suggest)s."),
        "",
    ),
    code.SCORING_REFUSED: (_("Game %(game)s cannot be scored: %(why)s."), _("Look at the row again.")),
    code.WORD_UNREADABLE: (
        _('"%(typed)s" has a character that no tile has.'),
        _("Type the letters alone, for a joker the letter that it stands for; put spaces between words."),
    ),
    code.WORD_TOO_SHORT: (
        _("%(word)s has fewer than %(least)s letters."),
        _("Such a word does not count; compare with the paper."),
    ),
    code.WORD_TWICE: (
        _("%(word)s was laid by %(by)s in turn %(earlier)s already; no word lies twice on the table."),
        _("Compare with the paper."),
    ),
    code.WORDS_BEYOND_SET: (
        _("The words of this turn need more of %(letters)s than the set has, its jokers among them."),
        _("Compare with the paper."),
    ),
    code.OPENING_SHORT: (
        _("The first word of %(seat)s breaks the ice: own tiles alone, %(least)s letters or more."),
        _("Confirm if the referee let it stand."),
    ),
    code.EMPTIED_WITHOUT_WORDS: (
        _("The rack of %(seat)s is marked as emptied in turn %(turn)s, in which no word was laid."),
        _("Type the words, or take the mark away."),
    ),
    code.NOBODY_EMPTIED: (
        _("The game ended by Rummikub, yet no rack is marked as emptied."),
        _("Mark the turn in which a rack was emptied; otherwise it ended in another way."),
    ),
    code.SOMEBODY_EMPTIED: (
        _('%(by)s emptied the rack, yet the game is marked "%(ended_by)s".'),
        _("If %(by)s went out, choose Rummikub."),
    ),
    code.SEVERAL_EMPTIED: (
        _("%(by)s had emptied the rack in turn %(earlier)s; only one can go out."),
        _("Take one of the two marks away."),
    ),
    code.TURN_AFTER_END: (
        _("%(by)s had emptied the rack in turn %(earlier)s, and the game was over."),
        _("Compare with the paper: which turn was the last?"),
    ),
    code.JOKERS_AFTER_EMPTYING: (_("%(seat)s emptied the rack, so no joker was left on it."), ""),
    code.JOKERS_LEFT_BEYOND_SET: (
        _("%(jokers)s jokers are left in all; the set has %(most)s."),
        _("Compare with the paper."),
    ),
    code.TURNS_TOTAL_DIFFERS: (_("The total says %(typed)s; the turns come to %(suggest)s."), ""),
    code.TOTAL_BLANK: (_("The total is not filled in."), _("Is it empty on the paper too?")),
    code.TOTAL_DIFFERS: (_("The total says %(typed)s; the games come to %(suggest)s."), ""),
    code.TOTAL_FILLED: (
        _('Nobody sits at %(seat)s, yet a total of "%(typed)s" stands here.'),
        _("Clear the cell, or correct the entrant's record."),
    ),
}

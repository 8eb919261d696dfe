"""The sentences of a rulebook (scoring.rulebook) in words: for the public page, the leaflet and the tablet's card."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.rulebook import RuleSection, RuleSentence
from tournament.core.dateformat import is_chinese
from tournament.sheets.exports.mark_words import MARK_WORDS

SECTION_TITLES: Mapping[str, Any] = {
    "win": _("How to win"),
    "sets": _("Sets"),
    "words": _("Words"),
    "opening": _("Breaking the ice"),
    "jokers": _("Jokers"),
    "turn": _("A turn"),
    "penalties": _("Penalties"),
    "scoring": _("Scoring"),
    "order": _("Ranking order"),
    "ties": _("Ties"),
}
RANKING_CRITERION_WORDS = {
    "wins": gettext_noop("games won"),
    "average": gettext_noop("average points"),
    "total": gettext_noop("total points"),
    "tiles": gettext_noop("fewer tiles left"),
}
CRITERION_CHAIN_WORDS = (
    gettext_noop("%(a)s."),
    gettext_noop("%(a)s, then %(b)s."),
    gettext_noop("%(a)s, then %(b)s, then %(c)s."),
    gettext_noop("%(a)s, then %(b)s, then %(c)s, then %(d)s."),
)
SENTENCES: Mapping[str, Any] = {
    # How to win
    "win": _('Be the first with no tile left on the rack and say "Rummikub": you win the game.'),
    "match_games": ngettext_lazy("A match is %(games)s game.", "A match is %(games)s games.", "games"),
    "match_games_open": _("A table plays as many games as it has players."),
    "match_minutes": ngettext_lazy(
        "The match ends after %(minutes)s minute.", "The match ends after %(minutes)s minutes.", "minutes"
    ),
    "dealt": ngettext_lazy(
        "Each player starts with %(dealt_tiles)s tile.",
        "Each player starts with %(dealt_tiles)s tiles.",
        "dealt_tiles",
    ),
    "tables_1": _("A table has %(a)s players."),
    "tables_2": _("A table has %(a)s players, or %(b)s where the numbers do not work out."),
    "tables_3": _("A table has %(a)s players, or %(b)s or %(c)s where the numbers do not work out."),
    # Sets
    "box": ngettext_lazy(
        "The box has %(size)s tiles: the numbers 1 to 13 in four colours, %(copies)s of each, and %(jokers)s joker.",
        "The box has %(size)s tiles: the numbers 1 to 13 in four colours, %(copies)s of each, and %(jokers)s jokers.",
        "jokers",
    ),
    "box_no_joker": _("The box has %(size)s tiles: the numbers 1 to 13 in four colours, %(copies)s of each."),
    "sets": _(
        "A run: 3 or more numbers of one colour that follow one another, 1 to 13; after 13 comes no 1. A group: 3 or 4 "
        "tiles of one number, each in another colour."
    ),
    "sets_otherwise": _("Sets with special jokers have rules of their own: see Jokers."),
    # Breaking the ice
    "opening": _(
        "The first time only tiles of one's own rack, jokers included; together %(opening_minimum)s or more. A "
        "joker counts as the tile it stands for."
    ),
    "opening_no_joker": _(
        "The first time only tiles of one's own rack, without jokers; together %(opening_minimum)s or more."
    ),
    "opening_table": _("Until then you may not touch the sets on the table."),
    # Jokers
    "joker_taken": _(
        "One on the table may be taken if valid sets remain, at least one tile of one's own is played, and the joker "
        "is used in the same turn."
    ),
    "joker_from_hand": _(
        "One on the table is taken only for the tile it stands for, from one's own rack, and is used in the same turn."
    ),
    "joker_kinds_apart": _("A joker never takes the place of a joker of another kind."),
    "joker_cost": _("A joker left on the rack counts −%(joker_value)s."),
    "kind_J": _("Stands for any tile that the set lacks. In the box: %(copies)s."),
    "kind_JD": _(
        "Stands for two tiles: two that follow one another in a run, or two colours in a group. It is one tile, so two "
        "others must lie with it. In the box: %(copies)s."
    ),
    "kind_JC": _(
        "For runs only: on its two sides the run has different colours. At an end it stands for a tile of another "
        "colour. In the box: %(copies)s."
    ),
    "kind_JM": _(
        "Read outwards from it, both sides have the same numbers. One side may be one place longer; whoever next "
        "moves that set evens it out. In the box: %(copies)s."
    ),
    "kind_JM_alone": _("In one set with it lies no second mirror joker and no colour-change joker."),
    # A turn
    "turn_no_limit": _("Without a time limit. No play: draw 1."),
    "turn_time": _("%(turn_seconds)s seconds. No play: draw 1."),
    "turn_overtime": _(
        "Out of time: take back what was played, put the table as it was, draw %(overtime_tiles)s; what cannot be put "
        "back goes to the rack."
    ),
    "turn_pool": _("Whoever touches the pool has given up playing this turn."),
    "turn_end": _(
        "After breaking the ice you may rearrange the sets on the table with tiles of your rack. At the end every set "
        "is valid, and at least one tile is yours."
    ),
    # Penalties
    "penalty_unable": _("Not opened and not able to: −%(unopened_unable)s in all."),
    "penalty_able": _("Not opened, yet able to: −%(unopened_able)s in all."),
    "unopened_counts": _("A rack that has not opened counts its tiles."),
    "penalty_pushed_over": _(MARK_WORDS["pushed_over"].rule),
    "penalty_overtime": _("Out of time with the table not in order: draw %(overtime_tiles)s."),
    "conduct": _(
        "At most two verbal warnings; at the third breach the chief judge decides. A dispute is raised before signing."
    ),
    # Scoring
    "rack_value": _("Tiles count their faces, a joker %(joker_value)s."),
    "rack_value_no_joker": _("Tiles count their faces."),
    "out": _("Out: the others lose what they hold, the winner gets the sum."),
    "nobody_out_unstated": _("When nobody is out, the chief judge says how the game counts."),
    "pool_or_time_difference": _("Pool empty or time up: the lowest rack wins; the others lose the difference to it."),
    "pool_or_time_raw": _("Pool empty or time up: the lowest rack wins; the others lose what they hold."),
    "pool_difference": _("Pool empty: the lowest rack wins; the others lose the difference to it."),
    "pool_raw": _("Pool empty: the lowest rack wins; the others lose what they hold."),
    "pool_unstated": _("Pool empty and nobody out: the chief judge says how the game counts."),
    "time_difference": _("Time up: the lowest rack wins; the others lose the difference to it."),
    "time_raw": _("Time up: the lowest rack wins; the others lose what they hold."),
    "time_unstated": _("Time up and nobody out: the chief judge says how the game counts."),
    "tie_fewest_tiles": _(
        "The lowest gets the sum. Several equally low share it; of them those with the fewest tiles win."
    ),
    "tie_unresolved": _("The lowest gets the sum. If several are equally low, the chief judge decides."),
    # Ranking order and ties
    "average_over": _(
        "The average is the sum of the points divided by %(games)s; a game not played for want of time counts 0."
    ),
    "average_over_played": _("The average is the sum of the points divided by the games played."),
    "ties_share": _("Players who are equal in all of this share the rank."),
    "ties_decided": _(
        "Where such a tie decides who advances or wins a prize, people decide it on record, never names or numbers."
    ),
    # Letters
    "letters_win": _(
        "The highest total of points wins. The game ends when a rack is empty, or when the pool is empty and nobody "
        "can play."
    ),
    "letters_box": _("The box has %(size)s tiles. Letters, and how many of each: %(letters)s. Jokers: %(jokers)s."),
    "letters_sets": _(
        "An English word of %(least)s letters or more; no word lies on the table twice. Whether it is a word the "
        "referee decides."
    ),
    "letters_opening": _(
        "The first word has %(letters)s letters or more, from one's own rack; a joker counts as a letter."
    ),
    "letters_opening_no_joker": _(
        "The first word has %(letters)s letters or more, from one's own rack, without jokers."
    ),
    "letters_joker": _("Stands for any letter."),
    "letters_joker_taken": _(
        "One on the table may be taken for the letter it stands for, from the rack or the table, and is used in the "
        "same turn."
    ),
    "letters_joker_from_hand": _(
        "One on the table is taken only for the letter it stands for, from one's own rack, and is used in the same "
        "turn."
    ),
    "letters_own": _("Words from the rack alone: one point a letter, a joker too."),
    "letters_rearranged": _("Of the words made by rearranging the table only the longest counts."),
    "letters_emptied": _("Whoever empties the rack in a turn gets double for that turn."),
}


def section_title(section: RuleSection) -> str:
    """Its heading, in the language of the moment."""
    return str(SECTION_TITLES[section.key])


def sentence_text(sentence: RuleSentence) -> str:
    """One sentence, in the language of the moment."""
    facts: dict[str, Any] = dict(sentence.facts)
    if "order" in facts:
        return ranking_order_words(facts["order"])
    if "sizes" in facts:
        facts |= dict(zip("abc", facts.pop("sizes"), strict=False))
    if "letters" in facts and not isinstance(facts["letters"], int):
        facts["letters"] = " ".join(facts["letters"])
    return str(SENTENCES[sentence.code] % facts)


def ranking_order_words(order: Sequence[str]) -> str:
    """The ranking's criteria in their order (R34-R36)."""
    words = dict(zip("abcd", (gettext(RANKING_CRITERION_WORDS[name]) for name in order), strict=False))
    return capfirst(gettext(CRITERION_CHAIN_WORDS[len(words) - 1]) % words)


def join_sentences(sentences: Sequence[str]) -> str:
    """One after the other; in Chinese nothing stands between them."""
    return ("" if is_chinese() else " ").join(sentence for sentence in sentences if sentence)

"""The rules as a card, each line from a ruleset's own fields, in the language of the moment."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.ruleset import Ruleset
from tournament.moments import chinese

CRITERIA = {
    "wins": gettext_noop("games won"),
    "average": gettext_noop("average points"),
    "total": gettext_noop("total points"),
    "tiles": gettext_noop("fewer tiles left"),
}
CHAINS = (
    gettext_noop("%(a)s."),
    gettext_noop("%(a)s, then %(b)s."),
    gettext_noop("%(a)s, then %(b)s, then %(c)s."),
    gettext_noop("%(a)s, then %(b)s, then %(c)s, then %(d)s."),
)


class Line(NamedTuple):
    """What it is about, and what the rules say."""

    head: str
    said: str


def card_of(ruleset: Ruleset) -> list[Line]:
    """The rules in short. Sets are of numbers: a game of letters has its own book."""
    facts = ruleset.fields_as_data()
    lines = [
        Line(_("Breaking the ice"), ice_of(ruleset) % facts),
        Line(_("The turn"), turn_of(ruleset) % facts),
        Line(_("Jokers"), jokers_of(ruleset)),
        Line(_("End of a game"), end_of(ruleset)),
        Line(_("The rack"), rack_of(ruleset) % facts),
        Line(_("Order"), order_of(ruleset)),
        Line(
            _("Conduct"),
            _(
                "At most two verbal warnings; at the third breach the chief judge decides. A dispute is raised before "
                "signing."
            ),
        ),
    ]
    return [Line(_("Sets"), sets()), *lines] if ruleset.tiles.numbers else lines


def sets() -> str:
    """Runs and groups."""
    return _(
        "A run: 3 or more numbers of one colour that follow one another, 1 to 13; after 13 comes no 1. A group: 3 or 4 "
        "tiles of one number, each in another colour."
    )


def ice_of(ruleset: Ruleset) -> str:
    """The first play."""
    if ruleset.opening_jokers:
        return _(
            "The first time only tiles of one's own rack, jokers included; together %(opening_minimum)s or more. A "
            "joker counts as the tile it stands for."
        )
    return _("The first time only tiles of one's own rack, without jokers; together %(opening_minimum)s or more.")


def turn_of(ruleset: Ruleset) -> str:
    """The time of a turn, and what running over it costs."""
    if ruleset.turn_seconds is None:
        return _("Without a time limit. No play: draw 1. Whoever touches the pool has given up playing this turn.")
    if ruleset.overtime_tiles is None:
        return _("%(turn_seconds)s seconds. No play: draw 1. Whoever touches the pool has given up playing this turn.")
    return _(
        "%(turn_seconds)s seconds. No play: draw 1. Out of time: take back what was played, put the table as it was, "
        "draw %(overtime_tiles)s; what cannot be put back goes to the rack. Whoever touches the pool has given up "
        "playing this turn."
    )


def jokers_of(ruleset: Ruleset) -> str:
    """A joker on the table."""
    if ruleset.joker_from_hand:
        return _(
            "One on the table is taken only for the tile it stands for, from one's own rack, and is used in the same "
            "turn."
        )
    return _(
        "One on the table may be taken if valid sets remain, at least one tile of one's own is played, and the joker "
        "is used in the same turn."
    )


def end_of(ruleset: Ruleset) -> str:
    """Who wins, by how the game ends (R28-R31)."""
    out = _("Out: the others lose what they hold, the winner gets the sum.")
    if ruleset.pool_scoring is None:
        return joined([out, _("When nobody is out, the chief judge says how the game counts.")])
    if ruleset.pool_scoring == "raw":
        rest = _(
            "Pool empty or time up: the lowest rack wins; the others lose what they hold, the lowest share the sum."
        )
    else:
        rest = _(
            "Pool empty or time up: the lowest rack wins; the others lose the difference to it, the lowest share the "
            "sum."
        )
    tie = _("Equally low: fewer tiles wins.") if ruleset.lowest_tie == "fewest_tiles" else ""
    return joined([out, rest, tie])


def joined(sentences: Sequence[str]) -> str:
    """One after the other; in Chinese nothing stands between them."""
    return ("" if chinese() else " ").join(sentence for sentence in sentences if sentence)


def rack_of(ruleset: Ruleset) -> str:
    """What is left counts (R23-R27)."""
    said = [_("Tiles count their faces, a joker %(joker_value)s.")]
    if ruleset.unopened_unable is not None:
        said.append(_("Not opened and not able to: −%(unopened_unable)s in all."))
    if ruleset.unopened_able is not None:
        said.append(_("Not opened, yet able to: −%(unopened_able)s in all."))
    if ruleset.pushed_over is not None:
        said.append(_("Pushed over on purpose: −%(pushed_over)s in all."))
    return joined(said)


def order_of(ruleset: Ruleset) -> str:
    """What ranks first (R34-R36)."""
    words = dict(zip("abcd", (_(CRITERIA[name]) for name in ruleset.order), strict=False))
    return capfirst(_(CHAINS[len(words) - 1]) % words)

"""Why somebody stands where they stand, in sentences with exact figures: for officials by number, for the public
as "you".

Every sentence is markup with figures of our own and nothing that anybody typed. Written as plain text joined, since a
release says two thousand pages of it.
"""

from dataclasses import dataclass
from fractions import Fraction

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from scoring.separation import STEP_DECIDED, STEP_EQUAL, Separation, SeparationStep
from tournament.core.numberformat import entrant_number_text, rank_text, split_quantity

CRITERION_HEADS = {"wins": _("Wins"), "average": _("Average"), "total": _("Points"), "tiles": _("Tiles")}

# For the entrant who reads about the own place.
YOU_EQUAL = _("You and %(other)s have %(one)s each: level.")
YOU_DECIDED = _("Yours: %(one)s, theirs: %(two)s. The difference, %(difference)s, decided it.")
YOU_NEEDLESS_AHEAD = _("Not needed. Level before it, your %(one)s against their %(two)s would have put you ahead.")
YOU_NEEDLESS_BEHIND = _("Not needed: your %(one)s, their %(two)s.")
# For officials, who read about two entrants.
BOTH_EQUAL = _("%(self)s and %(other)s have %(one)s each: level.")
BOTH_DECIDED = _("%(self)s: %(one)s, %(other)s: %(two)s. The difference, %(difference)s, decided it.")
BOTH_NEEDLESS_AHEAD = _("Not needed. Level before it, %(one)s against %(two)s would have put %(self)s ahead.")
BOTH_NEEDLESS_BEHIND = _("Not needed: %(self)s %(one)s, %(other)s %(two)s.")
NEEDLESS_EQUAL = _("Not needed, and level: %(one)s each.")


@dataclass(frozen=True, slots=True)
class CriterionComparisonWords:
    """One criterion of a comparison in words: `outcome` as scoring.separation has it."""

    criterion: str
    outcome: str
    sentence: SafeString

    @property
    def head(self) -> str:
        """The criterion's word, such as Wins."""
        return criterion_head_words(self.criterion)

    @property
    def decided(self) -> bool:
        return self.outcome == STEP_DECIDED


def quantity_markup(value: Fraction | int, *, signed: bool = False) -> str:
    """The markup of a figure, as the template filter `quantity` writes it."""
    taken = split_quantity(value, signed=signed)
    fraction = ""
    if taken.numerator:
        fraction = f"{' ' if taken.whole else ''}<sup>{taken.numerator}</sup>/<sub>{taken.denominator}</sub>"
    return f'<span class="q">{taken.sign}{taken.whole}<span class="fr">{fraction}</span></span>'


def measure_markup(criterion: str, value: Fraction) -> str:
    """A figure with what it measures, bold and unbroken: 2 wins, 12 1/2, 8 tiles."""
    if criterion in ("wins", "tiles"):
        sentence = (
            ngettext("%(n)d win", "%(n)d wins", int(value))
            if criterion == "wins"
            else ngettext("%(n)d tile", "%(n)d tiles", int(value))
        )
        said = sentence % {"n": value}
    else:
        said = gettext("%(points)s points") % {"points": quantity_markup(value)}
    return f'<b class="nb">{said}</b>'


def rank_and_number_words(rank: int, number: int, *, tied: bool = False) -> str:
    """Such as rank 120 (0485); = where `tied`."""
    return gettext("rank %(rank)s (%(number)s)") % {
        "rank": rank_text(rank, shared=tied),
        "number": entrant_number_text(number),
    }


def comparison_words_for_entrant(separation: Separation, *, other: str) -> list[CriterionComparisonWords]:
    """The comparison as the first of the two reads it; `other` is how the other is called."""
    return [
        _criterion_comparison_words(
            step, {"other": other}, YOU_EQUAL, YOU_DECIDED, YOU_NEEDLESS_AHEAD, YOU_NEEDLESS_BEHIND
        )
        for step in separation.steps
    ]


def comparison_words_for_officials(separation: Separation) -> list[CriterionComparisonWords]:
    """The comparison of two entrants by number."""
    names = {"self": separation.one, "other": separation.other}
    return [
        _criterion_comparison_words(step, names, BOTH_EQUAL, BOTH_DECIDED, BOTH_NEEDLESS_AHEAD, BOTH_NEEDLESS_BEHIND)
        for step in separation.steps
    ]


def _criterion_comparison_words(
    step: SeparationStep, names: dict[str, str], equal: str, decided: str, ahead: str, behind: str
) -> CriterionComparisonWords:
    if step.outcome == STEP_EQUAL:
        msgid = equal
    elif step.outcome == STEP_DECIDED:
        msgid = decided
    elif not step.favours:
        msgid = NEEDLESS_EQUAL
    else:
        msgid = ahead if step.favours > 0 else behind
    facts = {
        **names,
        "one": measure_markup(step.criterion, step.one),
        "two": measure_markup(step.criterion, step.other),
        "difference": measure_markup(step.criterion, step.difference),
    }
    return CriterionComparisonWords(step.criterion, step.outcome, mark_safe(gettext(msgid) % facts))


def criterion_head_words(name: str) -> str:
    """The head of a criterion: Wins."""
    return gettext(CRITERION_HEADS[name])

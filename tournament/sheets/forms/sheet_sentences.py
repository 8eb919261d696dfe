"""A fault of a sheet as a person reads it: place, what is wrong with the figures, what to do, a way out to press."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from scoring import problems as code
from scoring.problems import SEVERITY_WARNING, SheetProblem
from tournament.core import dateformat
from tournament.core.enums import GameEnd, GameRuling
from tournament.core.numberformat import MINUS_SIGN, format_quantity
from tournament.sheets.domain.scoresheets import confirmation_key
from tournament.sheets.forms.sheet_place import SheetPlace, sheet_place_of
from tournament.sheets.forms.sheet_words import PROBLEM_SENTENCES, VALUE_GAP_SENTENCE

WIN_REASON_WORDS: Mapping[str, str] = {
    "went_out": _("went out"),
    "lowest_rack": _("has the lowest rack"),
    "fewest_tiles": _("of the lowest racks, has the fewest tiles"),
    "not_out": _("did not go out"),
    "not_lowest": _("does not have the lowest rack"),
    "more_tiles": _("another of the lowest racks has fewer tiles"),
    "left": _("had left"),
    "most_points": _("has the most points"),
    "fewer_points": _("somebody else has more points"),
}
YES_NO_WORDS: Mapping[str, str] = {"yes": _("yes"), "no": _("no")}
FITS_ONE = _("%(seat)s fits with %(value)s; compare with the paper.")
FITS_ANY = _("One of these would fit: %(fits)s. Compare with the paper.")
SUM_OF_PARTS_SENTENCE = _("%(parts)s = %(suggest)s.")
SHARED_AMONG_SENTENCE = _("%(whole)s shared by %(among)s.")
CHANGE_TO_VALUE = _("Change to %(value)s")
CHANGE_TO_DIFFERENCES = _("Change to the differences")
RULED_SO, NOT_RULED = _("Ruled: %(ruling)s"), _("No ruling")

# A tick is not enough: somebody decided this, and the sheet says who and why.
CODES_NEEDING_REASON = frozenset(
    {
        code.PUSHED_OVER_VALUE,
        code.UNOPENED_UNDER_14,
        code.COULD_OPEN_OVERRULED,
        code.LEAVER_PLAYED_ALL,
        code.NOTHING_PLAYED,
        code.RULED,
    }
)
SIGNED_FACTS = frozenset({"suggest", "sum", "typed", "points", "value", "candidates"})


@dataclass(frozen=True)
class FixOffer:
    """A way out: a button that writes a value into each of these inputs."""

    label: str
    changes: Sequence[tuple[str, str]]

    @property
    def sent(self) -> str:
        """As the button sends it: `games-1-C-points=-12`, several apart by `;`."""
        return ";".join(f"{name}={value}" for name, value in self.changes)


@dataclass(frozen=True)
class ProblemSentence:
    """One fault, numbered in the order of the sheet; the same unusual reading of several cells of a game is one.

    `look`: it is confirmed with a reason instead of mended. `key`: the keys of all it stands for, joined by `|`.
    """

    number: int
    key: str
    code: str
    places: Sequence[SheetPlace]
    bold: str
    plain: str
    offers: Sequence[FixOffer]
    look: bool
    needs_reason: bool
    reason: str = ""

    @property
    def place(self) -> SheetPlace:
        """The first of its places."""
        return self.places[0]

    @property
    def label(self) -> str:
        """All its places, such as Game 3·A, D points."""
        letters = ("、" if dateformat.is_chinese() else ", ").join(place.seat for place in self.places)
        return replace(self.place, seat=letters).label

    @property
    def text(self) -> str:
        """Both sentences, one after the other."""
        return between_sentences().join(filter(None, (self.bold, self.plain)))

    @property
    def after(self) -> str:
        """The second sentence as it follows the first."""
        return between_sentences() + self.plain if self.plain else ""

    @property
    def waits(self) -> bool:
        """Whether it still stops the sheet."""
        return not self.look or not self.reason


def problem_sentences(
    problems: Sequence[SheetProblem], confirmations: Mapping[str, str] | None = None
) -> list[ProblemSentence]:
    """All problems in the language of the moment, in their order, numbered from 1."""
    found: list[ProblemSentence] = []
    for problem in problems:
        one = problem_sentence(len(found) + 1, problem, confirmations or {})
        same = next((place for place, other in enumerate(found) if is_same_unusual_reading(other, one)), None)
        if same is None:
            found.append(one)
        else:
            found[same] = join_problem_sentences(found[same], one)
    return found


def is_same_unusual_reading(first: ProblemSentence, second: ProblemSentence) -> bool:
    """Whether one tick answers both: the same unusual reading in several cells of one game."""
    alike = first.code == second.code and (first.bold, first.plain) == (second.bold, second.plain)
    return alike and first.look and second.look and first.place.game == second.place.game


def join_problem_sentences(first: ProblemSentence, second: ProblemSentence) -> ProblemSentence:
    """A reason is kept only where both have one."""
    reason = first.reason if second.reason else ""
    return replace(first, key=f"{first.key}|{second.key}", places=(*first.places, *second.places), reason=reason)


def is_value_gap(problem: SheetProblem) -> bool:
    """A value within its bounds that cannot be all the same: saying the bounds would contradict it."""
    figures: list[Any] = [problem.facts.get(name) for name in ("least", "value", "greatest")]
    return problem.code == code.VALUE_IMPOSSIBLE and None not in figures and figures == sorted(figures)


def problem_sentence(number: int, problem: SheetProblem, confirmations: Mapping[str, str]) -> ProblemSentence:
    """One problem with its figures put into words."""
    place = sheet_place_of(problem.where)
    facts = fact_texts_of_problem(problem, place)
    bold, plain = PROBLEM_SENTENCES[problem.code]
    if is_value_gap(problem):
        bold = VALUE_GAP_SENTENCE
    key = confirmation_key(problem)
    return ProblemSentence(
        number=number,
        key=key,
        code=problem.code,
        places=(place,),
        bold=fill_pattern(bold, facts),
        plain=between_sentences().join(filter(None, (fill_pattern(plain, facts), fix_sentence(problem, facts)))),
        offers=fix_offers(problem, place),
        look=problem.weight == SEVERITY_WARNING,
        needs_reason=problem.code in CODES_NEEDING_REASON,
        reason=confirmations.get(key, ""),
    )


def between_sentences() -> str:
    """What stands between two sentences: nothing in Chinese, whose full stop has its own space."""
    return "" if dateformat.is_chinese() else " "


class FactTexts(dict[str, str]):
    """Facts as text; one that a problem does not carry reads as nothing."""

    def __missing__(self, name: str) -> str:
        return ""


def fill_pattern(pattern: str, facts: Mapping[str, str]) -> str:
    """The pattern in the language of the moment with its figures."""
    return gettext(pattern) % facts if pattern else ""


def fix_sentence(problem: SheetProblem, facts: Mapping[str, str]) -> str:
    """What would mend it, where the rules know."""
    said = []
    if "whole" in problem.facts and "among" in problem.facts:
        said.append(gettext(SHARED_AMONG_SENTENCE) % facts)
    if "parts" in problem.facts:
        said.append(gettext(SUM_OF_PARTS_SENTENCE) % facts)
    elif "suggest" in problem.facts and problem.code != code.NOT_AS_COMPUTED:
        said.append(gettext(FITS_ONE) % {"seat": facts["seat"], "value": facts["suggest"]})
    if problem.facts.get("fits") and not problem.where.endswith(".ruling"):
        said.append(gettext(FITS_ANY) % facts)
    return between_sentences().join(said)


def fix_offers(problem: SheetProblem, place: SheetPlace) -> list[FixOffer]:
    """The buttons: the one value that fits, or each of those that would."""
    suggest = problem.facts.get("suggest")
    if suggest is not None and place.field:
        return [fix_offer_button(place.field, suggest)]
    if problem.code == code.READ_AS or place.game is None:
        return []
    if problem.code == code.RACK_VALUES_TYPED:
        due = [
            (points_field_name(place, seat), keyboard_figure(signed_figure_text(value, signed=True)))
            for seat, value in points_due_by_seat(problem)
        ]
        return [FixOffer(gettext(CHANGE_TO_DIFFERENCES), due)] if due else []
    fits: Any = problem.facts.get("fits", ())
    return [fix_offer_for(fit, place) for fit in fits[:4]]


def points_due_by_seat(problem: SheetProblem) -> Any:
    """The points that the typed rack values come to, by seat."""
    return problem.facts.get("due", ())


def fix_offer_for(fit: Any, place: SheetPlace) -> FixOffer:
    """One of several ways out: a ruling, an ending, or a seat and its value."""
    if place.cell == "ruling":
        said = gettext(RULED_SO) % {"ruling": ruling_words(fit)} if fit else gettext(NOT_RULED)
        return FixOffer(said, [(place.field, fit)])
    if isinstance(fit, str):
        return FixOffer(change_button_text(ending_words(fit)), [(SheetPlace(place.game, cell="ended_by").field, fit)])
    return fix_offer_button(SheetPlace(place.game, str(fit[0]), place.cell or "points").field, fit[1], f"{fit[0]} ")


def points_field_name(place: SheetPlace, letter: Any) -> str:
    """The input of a seat's points in this game."""
    return SheetPlace(place.game, str(letter), "points").field


def fix_offer_button(field: str, value: Any, before: str = "") -> FixOffer:
    """A button that writes a figure: shown with its proper minus, written as a keyboard has it."""
    shown = signed_figure_text(value, signed=field.endswith("points"))
    return FixOffer(change_button_text(before + shown), [(field, keyboard_figure(shown))])


def keyboard_figure(shown: str) -> str:
    """A figure as a keyboard has it."""
    return shown.replace(MINUS_SIGN, "-")


def change_button_text(value: str) -> str:
    """A button's text: 改為 −12, Change to −12."""
    return gettext(CHANGE_TO_VALUE) % {"value": value}


# --- Figures as words -----------------------------------------------------------------------------------
def fact_texts_of_problem(problem: SheetProblem, place: SheetPlace) -> dict[str, str]:
    """Every fact as text, with the game, seat, turn and cell of the place."""
    facts = {
        "game": str((place.game or 0) + 1),
        "seat": place.seat,
        "turn": str((place.turn or 0) + 1),
        "cell": place.cell_word,
    }
    signed = place.cell == "points"
    return FactTexts({**facts, **{name: fact_text(name, value, signed) for name, value in problem.facts.items()}})


def fact_text(name: str, value: Any, signed: bool) -> str:
    """One fact as text; what its name says decides how."""
    if isinstance(value, tuple):
        return (
            " + ".join(signed_figure_text(part) for part in value)
            if name == "parts"
            else list_facts_text(name, value, signed)
        )
    if isinstance(value, (int, Fraction)):
        return signed_figure_text(
            value, signed=isinstance(value, Fraction) and (signed or name == "sum") and name in SIGNED_FACTS
        )
    if name == "ended_by":
        return ending_words(value)
    if name == "ruling":
        return ruling_words(value)
    if name == "why":
        return gettext(WIN_REASON_WORDS.get(value, value))
    if name == "worked_out":
        return gettext(YES_NO_WORDS.get(value, value))
    return str(value)


def list_facts_text(name: str, values: tuple[Any, ...], signed: bool) -> str:
    """Several facts, with the comma of the language; alternatives with its "or"."""
    items = []
    for value in values:
        if isinstance(value, tuple):
            items.append(
                " ".join(part if isinstance(part, str) else signed_figure_text(part, signed=True) for part in value)
            )
        elif isinstance(value, str):
            items.append(ending_words(value) if value in GameEnd.values else value)
        else:
            items.append(signed_figure_text(value, signed=signed))
    alternatives = name in ("candidates", "fits")
    if dateformat.is_chinese():
        return (" 或 " if alternatives else "、").join(items)
    return (" or " if alternatives else ", ").join(items)


def signed_figure_text(value: Any, signed: bool = False) -> str:
    """A figure with the proper minus: −12, 10 2/3; signed +44."""
    return format_quantity(value, signed=signed) if isinstance(value, (int, Fraction)) else str(value)


def ruling_words(value: str) -> str:
    """What the chief judge ruled, in words."""
    return str(GameRuling(value).label) if value in GameRuling.values else value


def ending_words(value: str) -> str:
    """How a game ended, in words."""
    return str(GameEnd(value).label) if value in GameEnd.values else value

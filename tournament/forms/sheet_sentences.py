"""A fault of a sheet as a person reads it: place, what is wrong with the figures, what to do, a way out to press."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from scoring import problems as code
from scoring.problems import LOOK, Problem
from tournament import moments
from tournament.bridge.scoresheets import problem_key
from tournament.enums import GameEnd
from tournament.forms.sheet_words import SENTENCES, VALUE_GAP
from tournament.quantities import MINUS, quantity_text

CELLS: Mapping[str, str] = {
    "win": _("win"),
    "wins": _("wins"),
    "points": _("points"),
    "tiles": _("tiles"),
    "face_value": _("rack value"),
    "rack": _("rack"),
    "opened": _("opened"),
    "unopened": _("opened"),
    "part": _("takes part"),
    "could_open": _("could open"),
    "pushed_over": _("pushed over"),
    "left": _("left the game"),
    "absent": _("takes no part"),
    "ended_by": _("how it ended"),
    "starter": _("starter"),
    "serial": _("serial"),
    "same": _("as on the paper"),
    "date": _("date"),
    "session": _("session"),
    "table": _("table"),
    "referee": _("referee"),
    "reason": _("Reason"),
}
# Cells that a page asks in another way than the rules do.
INPUTS: Mapping[str, str] = {"opened": "unopened", "left": "part", "absent": "part"}
WHY: Mapping[str, str] = {
    "went_out": _("went out"),
    "lowest_rack": _("has the lowest rack"),
    "fewest_tiles": _("of the lowest racks, has the fewest tiles"),
    "not_out": _("did not go out"),
    "not_lowest": _("does not have the lowest rack"),
    "more_tiles": _("another of the lowest racks has fewer tiles"),
    "left": _("had left"),
}
YES_NO: Mapping[str, str] = {"yes": _("yes"), "no": _("no")}
FITS_ONE = _("%(seat)s fits with %(value)s; compare with the paper.")
FITS_ANY = _("One of these would fit: %(fits)s. Compare with the paper.")
PARTS = _("%(parts)s = %(suggest)s.")
SHARED = _("%(whole)s shared by %(among)s.")
CHANGE = _("Change to %(value)s")
CHANGE_ALL = _("Change to the differences")

# A tick is not enough: somebody decided this, and the sheet says who and why.
NEEDS_REASON = frozenset(
    {
        code.PUSHED_OVER_VALUE,
        code.UNOPENED_UNDER_14,
        code.COULD_OPEN_OVERRULED,
        code.LEAVER_PLAYED_ALL,
        code.NOTHING_PLAYED,
    }
)
SIGNED = frozenset({"suggest", "sum", "typed", "points", "value", "candidates"})


@dataclass(frozen=True)
class Place:
    """Where a fault stands: `game` 0-based or None, seat letter and cell or "", and whether in the row 總結."""

    game: int | None = None
    seat: str = ""
    cell: str = ""
    totals: bool = False
    heading: bool = False

    @property
    def field(self) -> str:
        """The name of the cell's input on the page; "" where the fault is no single cell's."""
        if self.heading:
            return f"heading-{self.cell}"
        if self.totals:
            return f"totals-{self.seat}-{self.cell}" if self.seat and self.cell else ""
        if self.game is None or not self.cell:
            return ""
        cell = INPUTS.get(self.cell, self.cell)
        return f"games-{self.game}-{self.seat}-{cell}" if self.seat else f"games-{self.game}-{cell}"

    @property
    def label(self) -> str:
        """Game 2·C points; 第 2 局·C 得分."""
        facts = {"game": (self.game or 0) + 1, "seat": self.seat, "cell": gettext(CELLS.get(self.cell, ""))}
        if self.heading:
            pattern = "Paper·%(cell)s"
        elif self.totals:
            pattern = "Totals·%(seat)s %(cell)s" if self.cell else "Totals·%(seat)s" if self.seat else "Totals"
        elif self.game is None:
            pattern = "The sheet"
        elif self.cell:
            pattern = "Game %(game)s·%(seat)s %(cell)s" if self.seat else "Game %(game)s·%(cell)s"
        else:
            pattern = "Game %(game)s·%(seat)s" if self.seat else "Game %(game)s"
        return gettext(pattern) % facts


def place_of(where: str) -> Place:
    """The place that a problem's `where` names: `games[0].seats.C.points`, `games[1]`, `totals.B.tiles`."""
    parts = where.replace("[", ".").replace("]", "").split(".")
    if parts[0] == "totals":
        return Place(seat=parts[1] if len(parts) > 1 else "", cell=parts[2] if len(parts) > 2 else "", totals=True)
    if len(parts) < 2:
        return Place()
    if len(parts) > 2 and parts[2] == "seats":
        return Place(int(parts[1]), parts[3], parts[4] if len(parts) > 4 else "")
    return Place(int(parts[1]), cell=parts[2] if len(parts) > 2 else "")


@dataclass(frozen=True)
class Offer:
    """A way out: a button that writes a value into each of these inputs."""

    label: str
    changes: Sequence[tuple[str, str]]

    @property
    def sent(self) -> str:
        """As the button sends it: `games-1-C-points=-12`, several apart by `;`."""
        return ";".join(f"{name}={value}" for name, value in self.changes)


@dataclass(frozen=True)
class Sentence:
    """One fault, numbered in the order of the sheet; the same unusual reading of several cells of a game is one.

    `look`: it is confirmed with a reason instead of mended. `key`: the keys of all it stands for, joined by `|`.
    """

    number: int
    key: str
    code: str
    places: Sequence[Place]
    bold: str
    plain: str
    offers: Sequence[Offer]
    look: bool
    needs_reason: bool
    reason: str = ""

    @property
    def place(self) -> Place:
        """The first of its places."""
        return self.places[0]

    @property
    def label(self) -> str:
        """Game 3·A, D points."""
        letters = ("、" if moments.chinese() else ", ").join(place.seat for place in self.places)
        return replace(self.place, seat=letters).label

    @property
    def text(self) -> str:
        """Both sentences, one after the other."""
        return between().join(filter(None, (self.bold, self.plain)))

    @property
    def after(self) -> str:
        """The second sentence as it follows the first."""
        return between() + self.plain if self.plain else ""

    @property
    def waits(self) -> bool:
        """Whether it still stops the sheet."""
        return not self.look or not self.reason


def sentences(problems: Sequence[Problem], confirmations: Mapping[str, str] | None = None) -> list[Sentence]:
    """All problems in the language of the moment, in their order, numbered from 1."""
    found: list[Sentence] = []
    for problem in problems:
        one = sentence(len(found) + 1, problem, confirmations or {})
        same = next((place for place, other in enumerate(found) if is_same(other, one)), None)
        if same is None:
            found.append(one)
        else:
            found[same] = joined(found[same], one)
    return found


def is_same(first: Sentence, second: Sentence) -> bool:
    """Whether one tick answers both: the same unusual reading in several cells of one game."""
    alike = first.code == second.code and (first.bold, first.plain) == (second.bold, second.plain)
    return alike and first.look and second.look and first.place.game == second.place.game


def joined(first: Sentence, second: Sentence) -> Sentence:
    """Both as one."""
    reason = first.reason if second.reason else ""
    return replace(first, key=f"{first.key}|{second.key}", places=(*first.places, *second.places), reason=reason)


def is_gap(problem: Problem) -> bool:
    """A value within its bounds that cannot be all the same: saying the bounds would contradict it."""
    figures: list[Any] = [problem.facts.get(name) for name in ("least", "value", "greatest")]
    return problem.code == code.VALUE_IMPOSSIBLE and None not in figures and figures == sorted(figures)


def sentence(number: int, problem: Problem, confirmations: Mapping[str, str]) -> Sentence:
    """One problem with its figures put into words."""
    place = place_of(problem.where)
    facts = words_of(problem, place)
    bold, plain = SENTENCES[problem.code]
    if is_gap(problem):
        bold = VALUE_GAP
    key = problem_key(problem)
    return Sentence(
        number=number,
        key=key,
        code=problem.code,
        places=(place,),
        bold=filled(bold, facts),
        plain=between().join(filter(None, (filled(plain, facts), fitting(problem, facts)))),
        offers=offers(problem, place),
        look=problem.weight == LOOK,
        needs_reason=problem.code in NEEDS_REASON,
        reason=confirmations.get(key, ""),
    )


def between() -> str:
    """What stands between two sentences: nothing in Chinese, whose full stop has its own space."""
    return "" if moments.chinese() else " "


class Facts(dict[str, str]):
    """Facts as text; one that a problem does not carry reads as nothing."""

    def __missing__(self, name: str) -> str:
        return ""


def filled(pattern: str, facts: Mapping[str, str]) -> str:
    """The pattern in the language of the moment with its figures."""
    return gettext(pattern) % facts if pattern else ""


def fitting(problem: Problem, facts: Mapping[str, str]) -> str:
    """What would mend it, where the rules know."""
    said = []
    if "whole" in problem.facts and "among" in problem.facts:
        said.append(gettext(SHARED) % facts)
    if "parts" in problem.facts:
        said.append(gettext(PARTS) % facts)
    elif "suggest" in problem.facts and problem.code != code.NOT_AS_COMPUTED:
        said.append(gettext(FITS_ONE) % {"seat": facts["seat"], "value": facts["suggest"]})
    if problem.facts.get("fits"):
        said.append(gettext(FITS_ANY) % facts)
    return between().join(said)


def offers(problem: Problem, place: Place) -> list[Offer]:
    """The buttons: the one value that fits, or each of those that would."""
    suggest = problem.facts.get("suggest")
    if suggest is not None and place.field:
        return [offer(place.field, suggest)]
    if problem.code == code.READ_AS or place.game is None:
        return []
    if problem.code == code.RACK_VALUES_TYPED:
        due = [(points_field(place, seat), written(figure(value, signed=True))) for seat, value in due_of(problem)]
        return [Offer(gettext(CHANGE_ALL), due)] if due else []
    return [offer_of(fit, place) for fit in problem.facts.get("fits", ())[:4]]


def due_of(problem: Problem) -> Any:
    """The points that the typed rack values come to, by seat."""
    return problem.facts.get("due", ())


def offer_of(fit: Any, place: Place) -> Offer:
    """One of several ways out: an ending, or a seat and its value."""
    if isinstance(fit, str):
        return Offer(change(ending(fit)), [(Place(place.game, cell="ended_by").field, fit)])
    return offer(Place(place.game, str(fit[0]), place.cell or "points").field, fit[1], f"{fit[0]} ")


def points_field(place: Place, letter: Any) -> str:
    """The input of a seat's points in this game."""
    return Place(place.game, str(letter), "points").field


def offer(field: str, value: Any, before: str = "") -> Offer:
    """A button that writes a figure: shown with its proper minus, written as a keyboard has it."""
    shown = figure(value, signed=field.endswith("points"))
    return Offer(change(before + shown), [(field, written(shown))])


def written(shown: str) -> str:
    """A figure as a keyboard has it."""
    return shown.replace(MINUS, "-")


def change(value: str) -> str:
    """改為 −12."""
    return gettext(CHANGE) % {"value": value}


# --- Figures as words -----------------------------------------------------------------------------------
def words_of(problem: Problem, place: Place) -> dict[str, str]:
    """Every fact as text, with the game, seat and cell of the place."""
    facts = {
        "game": str((place.game or 0) + 1),
        "seat": place.seat,
        "cell": gettext(CELLS.get(place.cell, "")),
    }
    signed = place.cell == "points"
    return Facts({**facts, **{name: fact_text(name, value, signed) for name, value in problem.facts.items()}})


def fact_text(name: str, value: Any, signed: bool) -> str:
    """One fact as text; what its name says decides how."""
    if isinstance(value, tuple):
        return " + ".join(figure(part) for part in value) if name == "parts" else listed(name, value, signed)
    if isinstance(value, (int, Fraction)):
        return figure(value, signed=isinstance(value, Fraction) and (signed or name == "sum") and name in SIGNED)
    if name == "ended_by":
        return ending(value)
    if name == "why":
        return gettext(WHY.get(value, value))
    if name == "worked_out":
        return gettext(YES_NO.get(value, value))
    return value


def listed(name: str, values: tuple[Any, ...], signed: bool) -> str:
    """Several facts, with the comma of the language; alternatives with its "or"."""
    items = []
    for value in values:
        if isinstance(value, tuple):
            items.append(" ".join(part if isinstance(part, str) else figure(part, signed=True) for part in value))
        elif isinstance(value, str):
            items.append(ending(value) if value in GameEnd.values else value)
        else:
            items.append(figure(value, signed=signed))
    alternatives = name in ("candidates", "fits")
    if moments.chinese():
        return (" 或 " if alternatives else "、").join(items)
    return (" or " if alternatives else ", ").join(items)


def figure(value: Any, signed: bool = False) -> str:
    """A figure with the proper minus: −12, 10 2/3; signed +44."""
    return quantity_text(value, signed=signed) if isinstance(value, (int, Fraction)) else str(value)


def ending(value: str) -> str:
    """How a game ended, in words."""
    return str(GameEnd(value).label) if value in GameEnd.values else value

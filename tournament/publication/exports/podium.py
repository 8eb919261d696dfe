"""The podium and the award in a final's release, as pages, files and certificates read them. No database."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core.names import has_latin_letter
from tournament.core.numberformat import entrant_number_text, from_twelfths
from tournament.messages.exports.typed_words import is_english_active
from tournament.publication.exports.decisions import DecisionText, podium_decision_text
from tournament.publication.exports.released import (
    ReleasedEntrant,
    ReleasedRanking,
    call_in_both_languages,
    message_in_both_languages,
    name_markup,
)
from tournament.stages.exports import FAMILY_SUM_WORDS, ReleasedUnit, family_sum_text

PODIUM_PLACE_WORDS = {1: _("Champion"), 2: _("First runner-up"), 3: _("Second runner-up")}
AWARD_TITLE_WORDS = _("Parent-child award")
FAMILY_ROLE_WORDS = {"child": _("Child"), "parent": _("Parent")}


@dataclass(frozen=True, slots=True)
class ReleasedWinner:
    """Somebody who is named: in full with consent, else masked."""

    number: int
    name_zh: str
    name_en: str

    @property
    def name(self) -> str:
        """The name in the language of the moment, the other where there is only one."""
        return (self.name_en or self.name_zh) if is_english_active() else (self.name_zh or self.name_en)

    @property
    def name_markup(self) -> SafeString:
        """The same for a page."""
        return name_markup(self.name)

    @property
    def other_name(self) -> str:
        """The name in the other language; nothing where there is only one."""
        other = self.name_zh if is_english_active() else self.name_en
        return "" if other == self.name else other

    @property
    def both_names(self) -> str:
        """陳大文 CHAN Tai Man, or the one masked name."""
        return " ".join(name for name in (self.name_zh, self.name_en) if name)


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A place of the podium: who holds it, with the line of the ranking; `decided` where equals were parted."""

    place: int
    winner: ReleasedWinner
    entrant: ReleasedEntrant
    decided: bool

    @property
    def title(self) -> str:
        return gettext(PODIUM_PLACE_WORDS[self.place])


@dataclass(frozen=True, slots=True)
class ReleasedAward:
    """The award: its family with both names, or nobody; every family that stood for it, best first."""

    child: ReleasedWinner | None
    parent: ReleasedWinner | None
    decided: bool
    unit: ReleasedUnit | None
    families: tuple[ReleasedUnit, ...]
    decisions: tuple[Mapping[str, Any], ...]
    others: int = 0
    order: tuple[str, ...] = ()

    @property
    def keys(self) -> list[str]:
        """What was added up and compared, in that order; the final ranks that come after have their own column."""
        return [key for key in self.order if key in FAMILY_SUM_WORDS]

    @property
    def heads(self) -> list[str]:
        """The heads of those columns."""
        return [gettext(FAMILY_SUM_WORDS[key]) for key in self.keys]

    @property
    def figures(self) -> list[str]:
        """What the winning family has together, key by key: 5 wins, 240 points."""
        return [family_sum_with_word(key, self.unit) for key in self.keys] if self.unit else []

    @property
    def rows(self) -> list[tuple["ReleasedUnit", list[str]]]:
        """Every family with its figures under those heads."""
        return [(unit, [family_sum_text(key, unit) for key in self.keys]) for unit in self.families]

    @property
    def members(self) -> list[tuple[str, ReleasedWinner]]:
        """Each member's role and name, the child first; nobody where the award is not given."""
        return [(role, winner) for role, winner in (("child", self.child), ("parent", self.parent)) if winner]

    @property
    def named(self) -> list[tuple[str, ReleasedWinner]]:
        """The same with the role in words."""
        return [(gettext(FAMILY_ROLE_WORDS[role]), winner) for role, winner in self.members]

    @property
    def decision_words(self) -> list[DecisionText]:
        """The decisions between equal families, the oldest first."""
        return [podium_decision_text(one, of_award=True) for one in reversed(self.decisions)]


@dataclass(frozen=True, slots=True)
class ReleasedPodium:
    """Places 1 to 3, fewer in a small field, and the award; None where no pair was declared."""

    places: tuple[PodiumPlace, ...]
    award: ReleasedAward | None
    decisions: tuple[Mapping[str, Any], ...]

    @property
    def decision_words(self) -> list[DecisionText]:
        """The decisions between equals on the podium, the oldest first."""
        return [podium_decision_text(one, of_award=False) for one in reversed(self.decisions)]

    @property
    def winners(self) -> list[ReleasedWinner]:
        """Everyone who is named, the family of the award included."""
        members = [winner for _role, winner in self.award.members] if self.award else []
        return [*(place.winner for place in self.places), *members]

    def place_of(self, number: int) -> PodiumPlace | None:
        """The place of an entrant."""
        return next((place for place in self.places if place.winner.number == number), None)


def family_sum_with_word(key: str, unit: ReleasedUnit) -> str:
    """The same with its word."""
    return gettext("%(head)s %(figure)s") % {
        "head": gettext(FAMILY_SUM_WORDS[key]),
        "figure": family_sum_text(key, unit),
    }


def read_podium(released: ReleasedRanking) -> ReleasedPodium | None:
    """The winners in a release's content; None in one that is of no final."""
    podium, award = released.content.get("podium"), released.content.get("award")
    if podium is None:
        return None
    lines = {entrant.number: entrant for entrant in released.ranking}
    places = tuple(
        PodiumPlace(one["place"], _read_winner(one), lines[one["number"]], one["decided"]) for one in podium["holders"]
    )
    return ReleasedPodium(places, _read_award(award) if award else None, tuple(podium["decisions"]))


def _read_winner(line: Mapping[str, Any]) -> ReleasedWinner:
    """In full with both names; masked with one."""
    if "name" not in line:
        return ReleasedWinner(line["number"], line["name_zh"], line["name_en"])
    masked = line["name"]
    return ReleasedWinner(line["number"], *(("", masked) if has_latin_letter(masked) else (masked, "")))


def _read_award(award: Mapping[str, Any]) -> ReleasedAward:
    families = tuple(map(_read_award_unit, award["families"]))
    winner = award["winner"]
    decisions, others = tuple(award["decisions"]), award["others"]
    order = tuple(award["order"])
    if winner is None:
        return ReleasedAward(None, None, False, None, families, decisions, others, order)
    child, parent = _read_winner(winner["child"]), _read_winner(winner["parent"])
    unit = next(one for one in families if (one.child, one.parent) == (child.number, parent.number))
    return ReleasedAward(child, parent, winner["decided"], unit, families, decisions, others, order)


def _read_award_unit(line: Mapping[str, Any]) -> ReleasedUnit:
    return ReleasedUnit(
        child=line["child"],
        parent=line["parent"],
        rank=line["rank"],
        tied=line["tied"],
        wins=line["wins"],
        points=from_twelfths(line["points_twelfths"]),
        average=None if line["average"] is None else Fraction(line["average"]),
        tiles=line["tiles"],
        better_rank=line["better_rank"],
        other_rank=line["other_rank"],
    )


def podium_label_values(
    released: ReleasedRanking, named: Callable[[ReleasedWinner], str] = lambda winner: winner.both_names
) -> list[tuple[str, str]]:
    """What every file of a final says of its winners, in both languages: label and value; `named` says a winner's name
    as the file can have it."""
    podium = read_podium(released)
    if podium is None:
        return []
    facts = [
        (
            message_in_both_languages(PODIUM_PLACE_WORDS[one.place]),
            f"{entrant_number_text(one.winner.number)} {named(one.winner)}",
        )
        for one in podium.places
    ]
    facts.append(
        (
            message_in_both_languages(_("Tie on the podium")),
            call_in_both_languages(lambda: " ".join(podium.decision_words)),
        )
    )
    if podium.award:
        members = "; ".join(
            f"{message_in_both_languages(FAMILY_ROLE_WORDS[role])} {entrant_number_text(winner.number)} {named(winner)}"
            for role, winner in podium.award.members
        )
        facts.append(
            (
                message_in_both_languages(AWARD_TITLE_WORDS),
                members or call_in_both_languages(lambda: award_words(podium.award)),
            )
        )
        facts.append(
            (
                message_in_both_languages(_("Tie for the award")),
                call_in_both_languages(lambda: " ".join(podium.award.decision_words)),
            )
        )
    return facts


def award_words(award: ReleasedAward) -> str:
    """Both members by role, number and name; or that nobody has it."""
    if award.unit is None:
        return gettext("No family played the final to its end: the award is not given.")
    return gettext("; ").join(
        f"{role} {entrant_number_text(winner.number)} {winner.both_names}" for role, winner in award.named
    )

"""The podium and the award in a final's release, as pages, files and certificates read them. No database."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import TieMethod
from tournament.exports.released import (
    METHODS,
    SPACE,
    ReleasedEntrant,
    ReleasedRanking,
    both,
    in_both,
    in_english,
    in_order,
)
from tournament.quantities import entrant_number_text, from_twelfths, rank_text

PLACES = {1: _("Champion"), 2: _("First runner-up"), 3: _("Second runner-up")}
AWARD = _("Parent-child award")
ROLES = {"child": _("Child"), "parent": _("Parent")}
PODIUM_SHARED = _(
    "%(tied)s share a rank of the final in full. Decided %(method)s. First: %(first)s. "
    "The chief judge's reason: %(reason)s"
)
AWARD_SHARED = _(
    "The families %(tied)s are level in everything. Decided %(method)s. First: %(first)s. "
    "The chief judge's reason: %(reason)s"
)


@dataclass(frozen=True, slots=True)
class Winner:
    """Somebody who is named: in full with consent, else masked."""

    number: int
    name_zh: str
    name_en: str

    @property
    def name(self) -> str:
        """The name in the language of the moment, the other where there is only one."""
        return (self.name_en or self.name_zh) if in_english() else (self.name_zh or self.name_en)

    @property
    def other_name(self) -> str:
        """The name in the other language; nothing where there is only one."""
        other = self.name_zh if in_english() else self.name_en
        return "" if other == self.name else other

    @property
    def both_names(self) -> str:
        """陳大文 CHAN Tai Man."""
        return " ".join(name for name in (self.name_zh, self.name_en) if name)


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A place of the podium: who holds it, with the line of the ranking; `decided` where equals were parted."""

    place: int
    winner: Winner
    entrant: ReleasedEntrant
    decided: bool

    @property
    def title(self) -> str:
        """Champion."""
        return gettext(PLACES[self.place])


@dataclass(frozen=True, slots=True)
class ReleasedUnit:
    """One family of the award: both numbers, the rank among families, the sums, both final ranks."""

    child: int
    parent: int
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int
    better_rank: int
    other_rank: int

    @property
    def rank_text(self) -> str:
        """1=."""
        return rank_text(self.rank, shared=self.tied)


@dataclass(frozen=True, slots=True)
class ReleasedAward:
    """The award: its family with both names, or nobody; every family that stood for it, best first."""

    child: Winner | None
    parent: Winner | None
    decided: bool
    unit: ReleasedUnit | None
    families: tuple[ReleasedUnit, ...]
    decisions: tuple[Mapping[str, Any], ...]

    @property
    def members(self) -> list[tuple[str, Winner]]:
        """Each member's role and name, the child first; nobody where the award is not given."""
        return [(role, winner) for role, winner in (("child", self.child), ("parent", self.parent)) if winner]

    @property
    def named(self) -> list[tuple[str, Winner]]:
        """The same with the role in words."""
        return [(gettext(ROLES[role]), winner) for role, winner in self.members]

    @property
    def decision_words(self) -> list[str]:
        """The decisions between equal families, the oldest first."""
        return [_told(one, AWARD_SHARED) for one in reversed(self.decisions)]


@dataclass(frozen=True, slots=True)
class ReleasedPodium:
    """Places 1 to 3, fewer in a small field, and the award; None where no pair was declared."""

    places: tuple[PodiumPlace, ...]
    award: ReleasedAward | None
    decisions: tuple[Mapping[str, Any], ...]

    @property
    def decision_words(self) -> list[str]:
        """The decisions between equals on the podium, the oldest first."""
        return [_told(one, PODIUM_SHARED) for one in reversed(self.decisions)]

    def place_of(self, number: int) -> PodiumPlace | None:
        """The place of an entrant."""
        return next((place for place in self.places if place.winner.number == number), None)


def read_podium(released: ReleasedRanking) -> ReleasedPodium | None:
    """The winners in a release's content; None in one that is of no final."""
    podium, award = released.content.get("podium"), released.content.get("award")
    if podium is None:
        return None
    lines = {entrant.number: entrant for entrant in released.ranking}
    places = tuple(
        PodiumPlace(one["place"], _winner(one), lines[one["number"]], one["decided"]) for one in podium["holders"]
    )
    return ReleasedPodium(places, _award(award) if award else None, tuple(podium["decisions"]))


def _winner(line: Mapping[str, Any]) -> Winner:
    return Winner(line["number"], line["name_zh"], line["name_en"])


def _award(award: Mapping[str, Any]) -> ReleasedAward:
    families = tuple(map(_unit, award["families"]))
    winner = award["winner"]
    decisions = tuple(award["decisions"])
    if winner is None:
        return ReleasedAward(None, None, False, None, families, decisions)
    child, parent = _winner(winner["child"]), _winner(winner["parent"])
    unit = next(one for one in families if one.child == child.number)
    return ReleasedAward(child, parent, winner["decided"], unit, families, decisions)


def _unit(line: Mapping[str, Any]) -> ReleasedUnit:
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


def _told(decision: Mapping[str, Any], sentence: str) -> str:
    """One decision in a sentence, with the games that were played for it and how its lots are drawn again."""
    method = gettext(METHODS[TieMethod(decision["method"])])
    comma = gettext(", ")
    said = gettext(sentence) % {
        "tied": comma.join(decision["tied"]),
        "method": gettext("%(method)s (seed: %(seed)s)") % {**decision, "method": method}
        if decision["seed"]
        else method,
        "first": comma.join(decision["order"][: decision["places"]]),
        "reason": decision["reason"],
    }
    drawn = [f"{id} = {text}" for id, text in zip(decision["tied"], decision["drawn_as"], strict=False) if id != text]
    as_words = [gettext("In the lots: %(texts)s.") % {"texts": comma.join(drawn)}] if drawn else []
    return SPACE[in_english()].join([said, *in_order(decision), *as_words])


def podium_facts(released: ReleasedRanking) -> list[tuple[str, str]]:
    """What every file of a final says of its winners, in both languages: label and value."""
    podium = read_podium(released)
    if podium is None:
        return []
    facts = [
        (both(PLACES[one.place]), f"{entrant_number_text(one.winner.number)} {one.winner.both_names}")
        for one in podium.places
    ]
    facts.append((both(_("Tie on the podium")), in_both(lambda: " ".join(podium.decision_words))))
    if podium.award:
        named = "; ".join(
            f"{both(ROLES[role])} {entrant_number_text(winner.number)} {winner.both_names}"
            for role, winner in podium.award.members
        )
        facts.append((both(AWARD), named or in_both(lambda: award_words(podium.award))))
        facts.append((both(_("Tie for the award")), in_both(lambda: " ".join(podium.award.decision_words))))
    return facts


def award_words(award: ReleasedAward) -> str:
    """Both members by role, number and name; or that nobody has it."""
    if award.unit is None:
        return gettext("No family played the final to its end: the award is not given.")
    return gettext("; ").join(
        f"{role} {entrant_number_text(winner.number)} {winner.both_names}" for role, winner in award.named
    )

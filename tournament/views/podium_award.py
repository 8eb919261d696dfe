"""The parent-child award: every unit with its keys, who is out and why, the tie ladder step by step (R40)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_http_methods

from scoring import eligibility, family
from scoring.family import FamilyStanding, Rung, steps_of
from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.podium_families import NOT_TWO, FamilyMember, FamilyPair
from tournament.enums import UNRANKED_BECAUSE, ContestOf
from tournament.exports.released_podium import SUMS, sum_text
from tournament.permissions import for_act
from tournament.quantities import entrant_number_text
from tournament.queries.finalists import final_of
from tournament.views.podium import decided, shared
from tournament.views.qualification import told_of

STEPS = {family.BETTER_RANK: _("The better one's final rank"), family.OTHER_RANK: _("The other one's final rank")}
PROBLEMS = {
    eligibility.CHILD_TOO_YOUNG: _("the child is younger than 7"),
    eligibility.CHILD_TOO_OLD: _("the child is older than 18"),
    eligibility.PARENT_TOO_YOUNG: _("the parent is younger than 18"),
    eligibility.PARENT_NOT_OLDER: _("the parent is not older than the child"),
    NOT_TWO: _("not one child and one parent"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the ladder for families level before it: each group with its value, the best first."""

    head: str
    groups: tuple[tuple[tuple[str, ...], Fraction], ...]
    is_rank: bool

    @property
    def decided(self) -> bool:
        """Whether it parted somebody."""
        return len(self.groups) > 1


@dataclass(frozen=True, slots=True)
class Checked:
    """A declared pair as it was looked at: `because` it is out, in words; empty for one that stands for the award."""

    pair: FamilyPair
    because: str


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def award(request: HttpRequest) -> HttpResponse:
    """The units and the one place; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = final_of(request.event)
    if stage is None:
        return redirect("final", request.event.slug)
    live = live_podium(stage)
    labels = {id: label_of(pair) for id, pair in live.families.items()}
    decisions = decided(request, stage, live, ContestOf.AWARD, labels)
    if decisions.made is not None:
        return told_of(request, decisions.made, "award")
    first = {one.id for one in live.award.standings if one.rank == 1}
    keys = live.ranking.ruleset.family_order
    ladder = [(rung, step_of(live, rung)) for rung in live.award.rungs]
    checked = [Checked(pair, because_of(live, pair)) for pair in live.families.values() if pair.has_finalist]
    context = {
        **shared(request, stage, live, decisions),
        "of_award": True,
        "heads": [gettext(SUMS[key]) for key in keys],
        "units": [(one, live.families[one.id], [sum_text(key, one) for key in keys]) for one in live.award.standings],
        "holder": live.families[live.award_place.holders[0].id] if live.award_place.holders else None,
        "by_decision": any(one.decided for one in live.award_place.holders),
        "place": live.award_place,
        "steps": [words_of(step) for step in steps_of(live.ranking.ruleset)],
        "first_level": first,
        "ladder": [step for rung, step in ladder if first <= set(rung.level)],
        "other_steps": [step for rung, step in ladder if not first <= set(rung.level)],
        "checked": sorted(checked, key=lambda one: bool(one.because)),
        "not_there": [pair.id for pair in live.families.values() if not pair.has_finalist],
    }
    return render(request, "podium/award.html", context, status=decisions.status)


def label_of(pair: FamilyPair) -> str:
    """F1: 0302, 0303."""
    return f"{pair.id}: {', '.join(entrant_number_text(member.number) for member in pair.members)}"


def words_of(step: str) -> str:
    """The head of a step: Wins together."""
    return gettext(STEPS[step] if step in STEPS else SUMS[step])


def step_of(live: LivePodium, rung: Rung) -> Step:
    """A rung with what each group has."""
    standings: dict[str, FamilyStanding] = {one.id: one for one in live.award.standings}
    value, _direction = family.VALUES[rung.step]
    groups = tuple((ids, value(standings[ids[0]])) for ids in rung.groups)
    return Step(words_of(rung.step), groups, rung.step in STEPS)


def because_of(live: LivePodium, pair: FamilyPair) -> str:
    """Why the pair cannot have the award, in words; empty where it can."""
    out = next((one.because for one in live.award.out if one.id == pair.id), "")
    if out == family.NOT_CHILD_AND_PARENT:
        return ", ".join(gettext(PROBLEMS[problem]) for problem in pair.problems)
    if out == family.NOT_FINALIST:
        return gettext("%(who)s: not in the final") % {
            "who": called([one for one in pair.members if not one.is_finalist])
        }
    if not out:
        return ""
    status = "not_played" if out == family.NOT_FINISHED else out
    who = called([member for member in pair.members if member.because == status])
    return f"{who}: {gettext(UNRANKED_BECAUSE[status])}"


def called(members: Sequence[FamilyMember]) -> str:
    """0302, 0303."""
    return ", ".join(entrant_number_text(member.number) for member in members)


urlpatterns = [path("final/award/", award, name="award")]

"""The parent-child award: every unit with its keys, who is out and why, the tie ladder step by step (R40)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_http_methods

from scoring import eligibility, family
from scoring.family import FamilyStanding, FamilyTieStep, award_steps
from tournament.core.enums import UNRANKED_REASON_WORDS, DecisionOf
from tournament.core.numberformat import entrant_number_text
from tournament.core.permissions import EventRequest, for_act
from tournament.stages.domain.podium import LivePodium, live_podium
from tournament.stages.domain.podium_families import PAIR_NOT_TWO, FamilyMember, FamilyPair
from tournament.stages.exports import FAMILY_SUM_WORDS, family_sum_text
from tournament.stages.views.podium import handle_tie_break_post, podium_award_context
from tournament.stages.views.qualification import redirect_after_tie_decision

AWARD_STEP_WORDS = {
    family.BETTER_RANK: _("The better one's final rank"),
    family.OTHER_RANK: _("The other one's final rank"),
}
PAIR_PROBLEM_WORDS = {
    eligibility.CHILD_TOO_YOUNG: _("the child is younger than 7"),
    eligibility.CHILD_TOO_OLD: _("the child is older than 18"),
    eligibility.PARENT_TOO_YOUNG: _("the parent is younger than 18"),
    eligibility.PARENT_NOT_OLDER: _("the parent is not older than the child"),
    PAIR_NOT_TWO: _("not one child and one parent"),
}


@dataclass(frozen=True, slots=True)
class AwardStep:
    """One step of the ladder for families level before it: each group with its value, the best first."""

    head: str
    groups: tuple[tuple[tuple[str, ...], Fraction], ...]
    is_rank: bool

    @property
    def decided(self) -> bool:
        """Whether the step parted any families."""
        return len(self.groups) > 1


@dataclass(frozen=True, slots=True)
class CheckedPair:
    """A declared pair as it was looked at: `because` it is out, in words; empty for one that stands for the award."""

    pair: FamilyPair
    because: str


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def award_page(request: EventRequest) -> HttpResponse:
    """The units and the one place; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = request.stage
    if stage is None:
        return redirect("final", request.event.slug)
    if not stage.is_last:
        return redirect("qualification", request.event.slug, stage.kind)
    if stage.is_first:  # R40: the award is for who completes a final
        return redirect("podium", request.event.slug, stage.kind)
    live = live_podium(stage)
    labels = {id: pair_label(pair) for id, pair in live.families.items()}
    decisions = handle_tie_break_post(request, stage, live, DecisionOf.AWARD, labels)
    if decisions.made is not None:
        return redirect_after_tie_decision(request, decisions.made, "award")
    first = {one.id for one in live.award.standings if one.rank == 1}
    keys = live.ranking.ruleset.family_order
    ladder = [(rung, award_step(live, rung)) for rung in live.award.rungs]
    checked = [
        CheckedPair(pair, pair_exclusion_text(live, pair)) for pair in live.families.values() if pair.has_finalist
    ]
    context = {
        **podium_award_context(request, stage, live, decisions),
        "of_award": True,
        "heads": [gettext(FAMILY_SUM_WORDS[key]) for key in keys],
        "units": [
            (one, live.families[one.id], [family_sum_text(key, one) for key in keys]) for one in live.award.standings
        ],
        "holder": live.families[live.award_place.holders[0].id] if live.award_place.holders else None,
        "by_decision": any(one.decided for one in live.award_place.holders),
        "place": live.award_place,
        "steps": [award_step_heading(step) for step in award_steps(live.ranking.ruleset)],
        "first_level": first,
        "ladder": [step for rung, step in ladder if first <= set(rung.level)],
        "other_steps": [step for rung, step in ladder if not first <= set(rung.level)],
        "checked": sorted(checked, key=lambda one: bool(one.because)),
        "not_there": [pair.id for pair in live.families.values() if not pair.has_finalist],
    }
    return render(request, "stages/podium/award.html", context, status=decisions.status)


def pair_label(pair: FamilyPair) -> str:
    """The pair's id with its entrant numbers, such as F1: 0302, 0303."""
    return f"{pair.id}: {', '.join(entrant_number_text(member.number) for member in pair.members)}"


def award_step_heading(step: str) -> str:
    """The head of a step: Wins together."""
    return gettext(AWARD_STEP_WORDS[step] if step in AWARD_STEP_WORDS else FAMILY_SUM_WORDS[step])


def award_step(live: LivePodium, rung: FamilyTieStep) -> AwardStep:
    """A rung with what each group has."""
    standings: dict[str, FamilyStanding] = {one.id: one for one in live.award.standings}
    value, _direction = family.FAMILY_CRITERION_VALUES[rung.step]
    groups = tuple((ids, value(standings[ids[0]])) for ids in rung.groups)
    return AwardStep(award_step_heading(rung.step), groups, rung.step in AWARD_STEP_WORDS)


def pair_exclusion_text(live: LivePodium, pair: FamilyPair) -> str:
    """Why the pair cannot have the award, in words; empty where it can."""
    out = next((one.because for one in live.award.out if one.id == pair.id), "")
    if out == family.NOT_CHILD_AND_PARENT:
        return ", ".join(gettext(PAIR_PROBLEM_WORDS[problem]) for problem in pair.problems)
    if out == family.NOT_FINALIST:
        return gettext("%(who)s: not in the final") % {
            "who": member_numbers_text([one for one in pair.members if not one.is_finalist])
        }
    if not out:
        return ""
    status = "not_played" if out == family.NOT_FINISHED else out
    who = member_numbers_text([member for member in pair.members if member.because == status])
    return f"{who}: {UNRANKED_REASON_WORDS[status]}"


def member_numbers_text(members: Sequence[FamilyMember]) -> str:
    """Entrant numbers with four digits: 0302, 0303."""
    return ", ".join(entrant_number_text(member.number) for member in members)


urlpatterns = [path("<slug:stage>/award/", award_page, name="award")]

"""The podium of the final: who stands on it, who contests a place, and the chief judge's decision (R39)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from scoring.podium import PodiumTie
from tournament.accounts.models import Proposal
from tournament.core.enums import DecisionOf
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.messages.forms import add_refusal
from tournament.ranking.domain.rounds import rounds_played
from tournament.ranking.domain.standings import RankedEntrant
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.standings import sheet_counts
from tournament.stages.domain.podium import LivePodium, live_podium
from tournament.stages.forms.ids_in_address import join_ids_for_form
from tournament.stages.forms.podium import PodiumDecisionForm, tied_ids_sent
from tournament.stages.services.decisions import decide_tie
from tournament.stages.services.podium import tie_break_stale_error
from tournament.stages.views.qualification import open_lots_context, redirect_after_tie_decision


@dataclass(frozen=True, slots=True)
class PodiumRow:
    """A line of the podium: the place, also where several contest it (`2–3`), and who."""

    place: str
    entrant: RankedEntrant
    decided: bool
    contested: bool


@dataclass
class TieBreakPart:
    """A contest with its form, or the decision in force about it with the form that replaces it."""

    contest: PodiumTie
    decision: TieBreak | None
    form: PodiumDecisionForm

    @property
    def tied(self) -> str:
        """Those it is about, as an address names them."""
        return join_ids_for_form(self.contest.ids)

    @property
    def places(self) -> str:
        """The places it is about: 1, 2–3."""
        return tied_places_text(self.contest)


@dataclass
class TieBreakForms:
    """The contests of a page with their forms; `sent` is the form that came back, `lost` one about no contest now."""

    parts: list[TieBreakPart]
    sent: PodiumDecisionForm | None = None
    lost: str = ""
    typed: str = ""
    status: int = 200
    made: TieBreak | Proposal | None = None


def tied_places_text(contest: PodiumTie) -> str:
    """The places of the podium that are contested."""
    last = contest.place + contest.places - 1
    return f"{contest.place}" if last == contest.place else f"{contest.place}–{last}"


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def podium_page(request: EventRequest) -> HttpResponse:
    """Places 1 to 3; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = request.stage
    if stage is None:
        return redirect("final", request.event.slug)
    if not stage.is_last:
        return redirect("qualification", request.event.slug, stage.kind)
    live = live_podium(stage)
    labels = {id: f"{id} {one.name_zh or one.name_en}" for id, one in live.entrants.items()}
    decisions = handle_tie_break_post(request, stage, live, DecisionOf.PODIUM, labels)
    if decisions.made is not None:
        return redirect_after_tie_decision(request, decisions.made, "podium")
    context = {
        **podium_award_context(request, stage, live, decisions),
        "of_award": False,
        "rows": podium_rows(live),
        "by_average": "average" in live.ranking.ruleset.order,
        "place": live.podium,
    }
    return render(request, "stages/podium/podium.html", context, status=decisions.status)


def podium_award_context(
    request: EventRequest, stage: Stage, live: LivePodium, decisions: TieBreakForms
) -> dict[str, Any]:
    """What the pages of podium and award have in common."""
    match = request.resolver_match
    of = DecisionOf.AWARD if match is not None and match.url_name == "award" else DecisionOf.PODIUM
    return {
        "stage": "podium",
        "of": stage,
        "of_equals": str(of),
        "aside": open_lots_context(stage, of),
        "live": live.ranking,
        "is_over": live.is_over,
        "is_settled": live.is_settled,
        "rounds": rounds_played(stage),
        "sheets": sheet_counts(stage),
        "decisions": decisions,
        "lapsed": [one for one in live.lapsed if one.of == of],
        "may_decide": is_act_allowed(request.roles, "decide_tie") and live.is_over,
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
    }


def podium_rows(live: LivePodium) -> list[PodiumRow]:
    """Holders and those who contest a place, best first."""
    entrants = live.entrants
    held = [(one.place, PodiumRow(f"{one.place}", entrants[one.id], one.decided, False)) for one in live.podium.holders]
    contested = [
        (contest.place, PodiumRow(tied_places_text(contest), entrants[id], False, True))
        for contest in live.podium.contests
        for id in contest.ids
    ]
    return [row for _place, row in sorted([*held, *contested], key=lambda one: (one[0], one[1].entrant.number))]


def handle_tie_break_post(
    request: EventRequest, stage: Stage, live: LivePodium, of: str, labels: Mapping[str, str]
) -> TieBreakForms:
    """The contests to show; `made` is what a decision that was sent has become."""
    found = TieBreakForms(
        [TieBreakPart(one, None, PodiumDecisionForm(one, None, labels)) for one in live.place_of(of).contests]
    )
    for decision in reversed(live.decided(of)):
        contest, _standing = live.contest(of, decision.tied)
        if contest is not None:
            found.parts.append(TieBreakPart(contest, decision, PodiumDecisionForm(contest, decision, labels)))
    if request.method != "POST":
        return found
    require_act(request.roles, "decide_tie")
    part = find_tie_break_part(found.parts, tied_ids_sent(request.POST.get("tied", "")))
    if part is None:
        refused = tie_break_stale_error(stage, live)
        found.lost, found.typed, found.status = str(refused), request.POST.get("reason", ""), refused.status
        return found
    found.sent = part.form = posted_tie_break_form(part, labels, request.POST)
    found.status = 400
    if part.form.is_valid():
        try:
            found.made = decide_tie(stage, of=of, by=request.user, **part.form.decision())
        except Refused as refused:
            add_refusal(
                part.form, refused, TIE_BREAK_FIELD_OF_CODE.get(refused.code) if isinstance(refused, BadInput) else None
            )
            found.status = refused.status
        else:
            found.status = 302
    return found


def find_tie_break_part(parts: Sequence[TieBreakPart], tied: Sequence[str]) -> TieBreakPart | None:
    """The contest between exactly these."""
    return next((part for part in parts if set(part.contest.ids) == set(tied)), None)


def posted_tie_break_form(part: TieBreakPart, labels: Mapping[str, str], given: QueryDict) -> PodiumDecisionForm:
    """The form as it came."""
    return PodiumDecisionForm(part.contest, part.decision, labels, given)


TIE_BREAK_FIELD_OF_CODE = {
    "wrong_method": "method",
    "value_missing": "value",
    "value_unreadable": "value",
    "witnesses_missing": "witnesses",
    "reason_missing": "reason",
}

urlpatterns = [path("<slug:stage>/podium/", podium_page, name="podium")]

"""The cut: who advances, who waits, and the chief judge's decision of a tie across the line."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.accounts.models import Proposal
from tournament.core.enums import DecisionOf
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.messages.forms import add_refusal
from tournament.ranking.domain import grounds_ranking
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.ranking.queries.lots import open_lots, open_proposals_about
from tournament.ranking.queries.standings import sheet_counts
from tournament.stages.domain.qualification import LiveQualification, live_qualification
from tournament.stages.forms.qualification import TieDecisionForm
from tournament.stages.services.decisions import decide_tie

RESERVES_SHOWN = 60


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def qualification_page(request: EventRequest) -> HttpResponse:
    """The line as it stands; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = request.stage
    if stage is None or stage.is_last:
        return redirect("podium", request.event.slug, request.last_stage)
    cut = live_qualification(stage)
    form, status = form_of(cut), 200
    if request.method == "POST":
        require_act(request.roles, "decide_tie")
        form = form_of(cut, request.POST)
        status = 400
        if form.is_valid():
            try:
                made = decide_tie(stage, of=DecisionOf.LINE, by=request.user, **form.decision())
            except Refused as refused:
                add_refusal(form, refused, field_of(refused))
                status = refused.status
            else:
                return redirect_after_tie_decision(request, made, "qualification")
    context = {
        "stage": "qualification",
        "cut": cut,
        "live": cut.ranking,
        "form": form,
        "may_decide": is_act_allowed(request.roles, "decide_tie"),
        "aside": open_lots_context(stage, DecisionOf.LINE),
        "tied": " ".join(sorted(ranking_entrant_id(entrant.number) for entrant in cut.tie)),
        "open_decision": bool(cut.tie and (cut.decision is None or form.is_bound)),
        "advancing": cut.advancing,
        "admitted": set(map(int, cut.decision.admitted)) if cut.decision else set(),
        "reserves": cut.reserves[:RESERVES_SHOWN],
        "more_reserves": max(len(cut.reserves) - RESERVES_SHOWN, 0),
        "by_average": "average" in cut.ranking.ruleset.order,
        "is_settled": is_qualification_settled(stage, cut),
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug, stage.kind]),
    }
    return render(request, "stages/qualification/qualification.html", context, status=status)


def is_qualification_settled(stage: Stage, cut: LiveQualification) -> bool:
    """Whether nothing but its hour is missing for a release of the stage."""
    if not cut.ranking.ranked:
        return False
    return grounds_ranking.is_ready_but_for_hour(
        grounds_ranking.stage_still_open(stage), contested=cut.settled.unresolved is not None
    )


def redirect_after_tie_decision(request: EventRequest, made: object, page: str) -> HttpResponse:
    """Back to the page, with what was made: recorded, or waiting for a second person."""
    if isinstance(made, Proposal):
        messages.success(request, _("It waits for a second person. Nothing counts before they have agreed."))
        return redirect("decision_proposal", request.event.slug, made.pk)
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect(page, request.event.slug, request.stage.kind if request.stage else request.last_stage)


def open_lots_context(stage: Stage, of: str) -> dict[str, Any]:
    """Draws that wait for their figure, and what waits for a second person."""
    return {"lots": open_lots(stage, of), "waiting": open_proposals_about(stage, of)}


def form_of(cut: LiveQualification, *given: QueryDict) -> TieDecisionForm:
    """The form for the tie across the line."""
    return TieDecisionForm(cut.tie, cut.tie_places, cut.decision, *given)


TIE_FIELD_OF_CODE = {
    "value_missing": "value",
    "value_unreadable": "value",
    "witnesses_missing": "witnesses",
    "wrong_number_admitted": "admitted",
    "order_missing": "order",
    "wrong_order": "order",
    "reason_missing": "reason",
}


def field_of(refused: Refused) -> str | None:
    """The field that a refusal is about; None for the form as a whole."""
    return TIE_FIELD_OF_CODE.get(refused.code) if isinstance(refused, BadInput) else None


urlpatterns = [path("<slug:stage>/qualification/", qualification_page, name="qualification")]

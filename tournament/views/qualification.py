"""The cut: who advances, who waits, and the chief judge's decision of a tie across the line."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge import grounds
from tournament.bridge.qualification import LiveCut, live_cut
from tournament.bridge.standings import entrant_id
from tournament.enums import DecisionOf, StageKind
from tournament.errors import BadInput, Refused
from tournament.forms.published_text import add_refusal
from tournament.forms.qualification import DecisionForm
from tournament.models import Proposal, Stage
from tournament.permissions import allowed, for_act, require
from tournament.queries.lots import open_lots, waiting_about
from tournament.queries.standings import sheet_counts
from tournament.services.qualification import decide_tie

RESERVES_SHOWN = 60


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_standings")
def qualification(request: HttpRequest) -> HttpResponse:
    """The line as it stands; a POST records the chief judge's decision. A refusal keeps what was typed."""
    stage = get_object_or_404(request.event.stages.all(), kind=StageKind.PRELIMINARY)
    cut = live_cut(stage)
    form, status = form_of(cut), 200
    if request.method == "POST":
        require(request.roles, "decide_tie")
        form = form_of(cut, request.POST)
        status = 400
        if form.is_valid():
            try:
                made = decide_tie(stage, by=request.user, **form.decision())
            except Refused as refused:
                add_refusal(form, refused, field_of(refused))
                status = refused.status
            else:
                return told_of(request, made, "qualification")
    context = {
        "stage": "qualification",
        "cut": cut,
        "live": cut.ranking,
        "form": form,
        "may_decide": allowed(request.roles, "decide_tie"),
        "aside": aside_of(stage, DecisionOf.LINE),
        "tied": " ".join(sorted(entrant_id(entrant.number) for entrant in cut.tie)),
        "open_decision": bool(cut.tie and (cut.decision is None or form.is_bound)),
        "advancing": cut.advancing,
        "admitted": set(cut.decision.admitted) if cut.decision else set(),
        "reserves": cut.reserves[:RESERVES_SHOWN],
        "more_reserves": max(len(cut.reserves) - RESERVES_SHOWN, 0),
        "by_average": "average" in cut.ranking.ruleset.order,
        "is_settled": is_settled(stage, cut),
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug]),
    }
    return render(request, "qualification/qualification.html", context, status=status)


def is_settled(stage: Stage, cut: LiveCut) -> bool:
    """Whether nothing but its hour is missing for a release of the stage."""
    if not cut.ranking.ranked:
        return False
    return grounds.settled(grounds.finished(stage), contested=cut.settled.unresolved is not None)


def told_of(request: HttpRequest, made: object, page: str) -> HttpResponse:
    """Back to the page, with what was made: recorded, or waiting for a second person."""
    if isinstance(made, Proposal):
        messages.success(request, _("It waits for a second person. Nothing counts before they have agreed."))
        return redirect("decision_proposal", request.event.slug, made.pk)
    messages.success(request, _("The decision is recorded. It is published with the ranking."))
    return redirect(page, request.event.slug)


def aside_of(stage: Stage, of: str) -> dict[str, Any]:
    """Draws that wait for their figure, and what waits for a second person."""
    return {"lots": open_lots(stage, of), "waiting": waiting_about(stage, of)}


def form_of(cut: LiveCut, *given: QueryDict) -> DecisionForm:
    """The form for the tie across the line."""
    return DecisionForm(cut.tie, cut.tie_places, cut.decision, *given)


FIELDS = {
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
    return FIELDS.get(refused.code) if isinstance(refused, BadInput) else None


urlpatterns = [path("qualification/", qualification, name="qualification")]

"""The cut: who advances, who waits, and the chief judge's decision of a tie across the line."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge.qualification import LiveCut, live_cut
from tournament.enums import StageKind
from tournament.errors import BadInput, Refused
from tournament.forms.qualification import DecisionForm
from tournament.permissions import allowed, for_act, require
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
                decide_tie(stage, by=request.user, **form.decision())
            except Refused as refused:
                form.add_error(field_of(refused), str(refused))
                status = refused.status
            else:
                messages.success(request, _("The decision is recorded. It is published with the ranking."))
                return redirect("qualification", request.event.slug)
    context = {
        "stage": "qualification",
        "cut": cut,
        "live": cut.ranking,
        "form": form,
        "may_decide": allowed(request.roles, "decide_tie"),
        "open_decision": bool(cut.tie and (cut.decision is None or form.is_bound)),
        "advancing": cut.advancing,
        "admitted": set(cut.decision.admitted) if cut.decision else set(),
        "reserves": cut.reserves[:RESERVES_SHOWN],
        "more_reserves": max(len(cut.reserves) - RESERVES_SHOWN, 0),
        "by_average": "average" in cut.ranking.ruleset.order,
        "sheets": sheet_counts(stage),
        "standings_url": reverse("standings", args=[request.event.slug]),
    }
    return render(request, "qualification/qualification.html", context, status=status)


def form_of(cut: LiveCut, *given: QueryDict) -> DecisionForm:
    """The form for the tie across the line."""
    return DecisionForm(cut.tie, cut.tie_places, cut.decision, *given)


FIELDS = {
    "seed_missing": "seed",
    "not_these_lots": "seed",
    "witnesses_missing": "witnesses",
    "wrong_number_admitted": "admitted",
    "order_missing": "order",
    "wrong_order": "order",
    "wrong_play_off": "games",
    "points_unreadable": "games",
    "reason_missing": "reason",
    "reason_names_somebody": "reason",
}


def field_of(refused: Refused) -> str | None:
    """The field that a refusal is about; None for the form as a whole."""
    return FIELDS.get(refused.code) if isinstance(refused, BadInput) else None


urlpatterns = [path("qualification/", qualification, name="qualification")]

"""A change of somebody behind a locked sheet, as the second person sees it: old, new, the effect, and the yes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.errors import Refused
from tournament.models import Proposal
from tournament.permissions import allowed, for_act, require
from tournament.queries.proposals import proposals_of
from tournament.services import registration_second as second
from tournament.services import seating_leaving
from tournament.services.importing_second import ACT
from tournament.services.people_effect import effects


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_proposed_change")
def proposed_change(request: HttpRequest, proposal: int) -> HttpResponse:
    """Shown with its effect; a POST is the second person's yes."""
    found = proposals_of(request.event).filter(pk=proposal, act=ACT).first()
    if found is None:
        raise Http404
    if request.method != "POST":
        return show(request, found)
    require(request.roles, "answer_proposal")
    try:
        birthday = bool(request.POST.get("accept_birthday")) and allowed(request.roles, "decide_entry")
        seating_leaving.agree(request.event, proposal, by=request.user, accept_birthday=birthday)
    except Refused as refused:
        return show(request, found, refused)
    messages.success(request, _("Agreed to: the entry is changed."))
    return redirect("proposals", request.event.slug)


def show(request: HttpRequest, found: Proposal, refusal: Refused | None = None) -> HttpResponse:
    """The page, with why it was refused."""
    found.refresh_from_db()
    shown = second.proposed(request.event, found) if not found.outcome else None
    own = found.proposed_by_id == request.user.pk
    context = {
        "stage": "registration",
        "proposal": found,
        "shown": shown,
        "effects": effects(request.event, shown) if shown else [],
        "sees_ranks": allowed(request.roles, "see_standings"),
        "own": own,
        "may_answer": allowed(request.roles, "answer_proposal") and not own,
        "asks_birthday": bool(shown and second.may_need_birthday(shown)),
        "may_decide": allowed(request.roles, "decide_entry"),
        "refusal": refusal,
    }
    return render(request, "people/proposed_change.html", context, status=refusal.status if refusal else 200)


urlpatterns = [path("proposals/<int:proposal>/person/", proposed_change, name="proposed_change")]

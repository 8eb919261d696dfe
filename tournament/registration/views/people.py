"""A change of somebody behind a locked sheet, as the second person sees it: old, new, the effect, and the yes."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import proposals_of
from tournament.core.errors import Refused
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.registration.services import seating_leaving, second
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT
from tournament.registration.services.people_effect import entrant_change_effects


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_proposed_change")
def proposed_change(request: EventRequest, proposal: int) -> HttpResponse:
    """Shown with its effect; a POST is the second person's yes."""
    found = proposals_of(request.event).filter(pk=proposal, act=CHANGE_ENTRANT_ACT).first()
    if found is None:
        raise Http404
    if request.method != "POST":
        return render_proposed_change(request, found)
    require_act(request.roles, "answer_proposal")
    try:
        birthday = bool(request.POST.get("accept_birthday")) and is_act_allowed(request.roles, "decide_entry")
        seating_leaving.agree_change_with_seat(request.event, proposal, by=request.user, accept_birthday=birthday)
    except Refused as refused:
        return render_proposed_change(request, found, refused)
    messages.success(request, _("Agreed to: the entry is changed."))
    return redirect("proposals", request.event.slug)


def render_proposed_change(request: EventRequest, found: Proposal, refusal: Refused | None = None) -> HttpResponse:
    """The page, with why it was refused."""
    found.refresh_from_db()
    shown = second.read_entrant_proposal(request.event, found) if not found.outcome else None
    own = found.proposed_by_id == request.user.pk
    context = {
        "stage": "registration",
        "proposal": found,
        "shown": shown,
        "effects": entrant_change_effects(request.event, shown) if shown else [],
        "sees_ranks": is_act_allowed(request.roles, "see_standings"),
        "own": own,
        "may_answer": is_act_allowed(request.roles, "answer_proposal") and not own,
        "asks_birthday": bool(shown and second.may_need_birthday(shown)),
        "may_decide": is_act_allowed(request.roles, "decide_entry"),
        "refusal": refusal,
    }
    return render(
        request, "registration/people/proposed_change.html", context, status=refusal.status if refusal else 200
    )


urlpatterns = [path("proposals/<int:proposal>/person/", proposed_change, name="proposed_change")]

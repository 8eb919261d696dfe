"""A role that waits for a third person: who gave it to whom, what it would complete, and the third person's answer."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.accounts import views
from tournament.accounts.forms.accounts import ROLE_DESCRIPTIONS
from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import open_proposals
from tournament.accounts.services import roles as service
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.permissions import EventRequest, for_act


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("agree_role")
def waiting_role_page(request: EventRequest, question: int) -> HttpResponse:
    """The question; a POST with `answer` is the third person's yes, or the no with its reason."""
    asked = open_proposals(request.event).filter(act=service.ROLE_PROPOSAL_ACT, pk=question).first()
    if asked is None:
        raise Http404
    if request.method != "POST":
        return render_waiting_role(request, asked)
    agrees = request.POST.get("answer") == "agree"
    try:
        if agrees:
            service.confirm_role(request.event, question, by=request.user)
        else:
            service.refuse_role(request.event, question, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refused:
        return render_waiting_role(request, asked, refused)
    messages.success(request, _("The role is in effect.") if agrees else _("The role is taken away."))
    return redirect("proposals", request.event.slug)


def render_waiting_role(request: EventRequest, asked: Proposal, refusal: Refused | None = None) -> HttpResponse:
    """The page; after a refusal with what was typed."""
    row = service.role_of_question(asked)
    context = {
        "stage": "audit",
        "proposal": asked,
        "one": row,
        "words": ROLE_DESCRIPTIONS[Role(row.role)] if row else "",
        "may_answer": row is not None and service.may_confirm_role(row, request.user),
        "reason": request.POST.get("reason", ""),
        "refusal": refusal,
    }
    return render(request, "accounts/waiting_role.html", context, status=refusal.status if refusal else 200)


def waiting_role_url(proposal: Proposal) -> str:
    """The page of one question."""
    return reverse("waiting_role", args=[proposal.event.slug, proposal.pk])


views.PROPOSAL_URL_OF_ACT[service.ROLE_PROPOSAL_ACT] = waiting_role_url

urlpatterns = [path("proposals/<int:question>/role/", waiting_role_page, name="waiting_role")]

"""A role that waits for a third person: who gave it to whom, what it would complete, and the third person's answer."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.errors import Refused
from tournament.forms.accounts import ROLE_WORDS
from tournament.models import Proposal
from tournament.permissions import for_act
from tournament.queries.proposals import open_proposals
from tournament.services import roles as service
from tournament.views import proposals


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("agree_role")
def waiting_role(request: HttpRequest, question: int) -> HttpResponse:
    """The question; a POST with `answer` is the third person's yes, or the no with its reason."""
    asked = open_proposals(request.event).filter(act=service.ACT, pk=question).first()
    if asked is None:
        raise Http404
    if request.method != "POST":
        return show(request, asked)
    agrees = request.POST.get("answer") == "agree"
    try:
        if agrees:
            service.agree(request.event, question, by=request.user)
        else:
            service.disagree(request.event, question, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refused:
        return show(request, asked, refused)
    messages.success(request, _("The role is in effect.") if agrees else _("The role is taken away."))
    return redirect("proposals", request.event.slug)


def show(request: HttpRequest, asked: Proposal, refusal: Refused | None = None) -> HttpResponse:
    """The page; after a refusal with what was typed."""
    row = service.waiting_role(asked)
    context = {
        "stage": "audit",
        "proposal": asked,
        "one": row,
        "words": ROLE_WORDS[row.role] if row else "",
        "may_answer": row is not None and service.may_agree(row, request.user),
        "reason": request.POST.get("reason", ""),
        "refusal": refusal,
    }
    return render(request, "accounts/waiting_role.html", context, status=refusal.status if refusal else 200)


def address_of(proposal: Proposal) -> str:
    """The page of one question."""
    return reverse("waiting_role", args=[proposal.event.slug, proposal.pk])


proposals.PAGES[service.ACT] = address_of

urlpatterns = [path("proposals/<int:question>/role/", waiting_role, name="waiting_role")]

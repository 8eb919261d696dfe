"""What waits for a second person: one list, with a way to each act's own page, where its effect is shown."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.errors import Refused
from tournament.models import Proposal
from tournament.permissions import allowed, for_act
from tournament.queries.proposals import open_proposals, proposals_of, readable
from tournament.services import proposals as services

A_PAGE = 50
# By act: the address of the page that shows what is proposed, with its effect, and takes the second person's yes.
PAGES: dict[str, Callable[[Proposal], str]] = {
    "change_entrant": lambda one: reverse("proposed_change", args=[one.event.slug, one.pk]),
}


@require_safe
@for_act("see_proposals")
def proposals(request: HttpRequest) -> HttpResponse:
    """The open ones first, then the closed ones, a page at a time."""
    return proposals_page(request)


def proposals_page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    """The list; after a refusal with what was typed."""
    sees_ranks = allowed(request.roles, "see_standings")
    closed = Paginator(readable(proposals_of(request.event).exclude(outcome=""), sees_ranks=sees_ranks), A_PAGE)
    context = {
        "stage": "audit",
        "open": [(one, address_of_act(one, request.roles), one.proposed_by_id == request.user.pk) for one in
                 readable(open_proposals(request.event), sees_ranks=sees_ranks)],
        "closed": closed.get_page(request.GET.get("page")),
        "may_answer": allowed(request.roles, "answer_proposal"),
        "refusal": refusal,
    }  # fmt: skip
    return render(request, "proposals/proposals.html", context, status=refusal.status if refusal else 200)


def address_of_act(proposal: Proposal, roles: frozenset[str]) -> str:
    """Where it is looked at and agreed to; nothing for who may not go there, nor for an act of another version."""
    page = PAGES.get(proposal.act)
    address = page(proposal) if page else ""
    return address if address and allowed(roles, resolve(address.partition("?")[0]).func.act) else ""


@require_POST
@for_act("answer_proposal")
def refuse_proposal(request: HttpRequest, proposal: int) -> HttpResponse:
    """The second person's no."""
    try:
        services.refuse(request.event, proposal, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refused:
        return proposals_page(request, refused)
    messages.success(request, _("The proposal is refused."))
    return redirect("proposals", request.event.slug)


@require_POST
@for_act("see_proposals")
def withdraw_proposal(request: HttpRequest, proposal: int) -> HttpResponse:
    """Its author takes it back."""
    try:
        services.withdraw(request.event, proposal, by=request.user)
    except Refused as refused:
        return proposals_page(request, refused)
    messages.success(request, _("The proposal is withdrawn."))
    return redirect("proposals", request.event.slug)


urlpatterns = [
    path("proposals/", proposals, name="proposals"),
    path("proposals/<int:proposal>/refuse/", refuse_proposal, name="refuse_proposal"),
    path("proposals/<int:proposal>/withdraw/", withdraw_proposal, name="withdraw_proposal"),
]

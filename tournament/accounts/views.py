"""What waits for a second person: one list, with a way to each act's own page, where its effect is shown."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import open_proposals, proposals_of, proposals_readable_by
from tournament.accounts.services import proposals as services
from tournament.core.errors import Refused
from tournament.core.permissions import EventRequest, for_act, is_act_allowed

PROPOSALS_PAGE_SIZE = 50
# By act: the address of the page that shows what is proposed, with its effect, and takes the second person's yes.
PROPOSAL_URL_OF_ACT: dict[str, Callable[[Proposal], str]] = {
    "change_entrant": lambda one: reverse("proposed_change", args=[one.event.slug, one.pk]),
}


@require_safe
@for_act("see_proposals")
def proposal_list(request: EventRequest) -> HttpResponse:
    """The open ones first, then the closed ones, a page at a time."""
    return proposals_page(request)


def proposals_page(request: EventRequest, refusal: Refused | None = None) -> HttpResponse:
    """The list; after a refusal with what was typed."""
    sees_ranks = is_act_allowed(request.roles, "see_standings")
    closed = Paginator(
        proposals_readable_by(proposals_of(request.event).exclude(outcome=""), sees_ranks=sees_ranks),
        PROPOSALS_PAGE_SIZE,
    )
    context = {
        "stage": "audit",
        "open": [(one, address_of_act(one, request.roles), one.proposed_by_id == request.user.pk) for one in
                 proposals_readable_by(open_proposals(request.event), sees_ranks=sees_ranks)],
        "closed": closed.get_page(request.GET.get("page")),
        "may_answer": is_act_allowed(request.roles, "answer_proposal"),
        "refusal": refusal,
    }  # fmt: skip
    return render(request, "accounts/proposals/proposals.html", context, status=refusal.status if refusal else 200)


def address_of_act(proposal: Proposal, roles: frozenset[str]) -> str:
    """Where it is looked at and agreed to; nothing for who may not go there, nor for an act of another version."""
    page = PROPOSAL_URL_OF_ACT.get(proposal.act)
    address = page(proposal) if page else ""
    return address if address and is_act_allowed(roles, vars(resolve(address.partition("?")[0]).func)["act"]) else ""


@require_POST
@for_act("answer_proposal")
def refuse_proposal_view(request: EventRequest, proposal: int) -> HttpResponse:
    try:
        services.refuse_proposal(request.event, proposal, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refused:
        return proposals_page(request, refused)
    messages.success(request, _("The proposal is refused."))
    return redirect("proposals", request.event.slug)


@require_POST
@for_act("see_proposals")
def withdraw_proposal_view(request: EventRequest, proposal: int) -> HttpResponse:
    """Its author takes it back."""
    try:
        services.withdraw_proposal(request.event, proposal, by=request.user)
    except Refused as refused:
        return proposals_page(request, refused)
    messages.success(request, _("The proposal is withdrawn."))
    return redirect("proposals", request.event.slug)


urlpatterns = [
    path("proposals/", proposal_list, name="proposals"),
    path("proposals/<int:proposal>/refuse/", refuse_proposal_view, name="refuse_proposal"),
    path("proposals/<int:proposal>/withdraw/", withdraw_proposal_view, name="withdraw_proposal"),
]

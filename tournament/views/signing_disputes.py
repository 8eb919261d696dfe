"""A sheet in dispute: raised with a reason, decided by the chief judge; made void by the chief judge and an
organiser."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets_fields import from_fields
from tournament.enums import SheetState
from tournament.errors import Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.scoresheets import take_offer
from tournament.forms.sheet_grid import grid_of
from tournament.forms.sheet_sentences import sentences
from tournament.models import Dispute, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import scoresheets as queries
from tournament.queries import signing_disputes as disputes
from tournament.services import signing_disputes as services
from tournament.views.scoresheets import game_count, sent_games, sent_revision, table_or_404

# What a button asks for, and the right it needs.
RIGHTS = {
    "raise": "dispute_scoresheet",
    "uphold": "decide_dispute",
    "decide": "decide_dispute",
    "withdraw": "dispute_scoresheet",
    "propose_void": "void_scoresheet",
    "approve_void": "void_scoresheet",
}


@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def dispute(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """What is disputed and by whom, what was decided, and the acts that this account has."""
    row = table_or_404(request.event, session, table)
    if request.method != "POST":
        return dispute_page(request, row)
    do = request.POST.get("do", "")
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        require(request.roles, "decide_dispute")
        return dispute_page(request, row, sent=take_offer(sent, do.removeprefix("offer:")))
    require(request.roles, RIGHTS.get(do, "dispute_scoresheet"))
    try:
        said = act(request, row, do)
    except Refused as refusal:
        return dispute_page(request, row, refusal, sent if do == "decide" else None)
    messages.success(request, said % {"serial": queries.serial(row)})
    return redirect("scoresheet", request.event.slug, session, table)


def act(request: HttpRequest, table: Table, do: str) -> str:
    """One act, and what is said of it."""
    seen = {
        "revision": sent_revision(request),
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    reason = request.POST.get("reason", "")
    if do == "uphold":
        services.decide_dispute(table, decision=reason, **seen)
        return _("%(serial)s is decided: its values stand.")
    if do == "decide":
        typed = from_fields(request.POST.dict(), sent_games(request.POST.dict(), table))
        services.decide_dispute(table, decision=reason, typed=typed, **seen)
        return _("%(serial)s is decided with the values typed.")
    if do == "withdraw":
        dispute = request.POST.get("dispute", "")
        services.withdraw_dispute(table, dispute=int(dispute) if dispute.isdecimal() else 0, reason=reason, **seen)
        return _("The dispute of %(serial)s is taken back; it is a draft again.")
    if do == "propose_void":
        services.propose_void(table, reason=reason, **seen)
        return _("%(serial)s is proposed to be void; the other of the two agrees or not.")
    if do == "approve_void":
        services.approve_void(table, **seen)
        return _("%(serial)s is void and does not count.")
    services.raise_dispute(table, reason=reason, **seen)
    return _("%(serial)s is disputed; the chief judge decides.")


def dispute_page(
    request: HttpRequest, table: Table, refusal: Refused | None = None, sent: Mapping[str, str] | None = None
) -> HttpResponse:
    """The sheet as typed, to be changed by the chief judge while it is disputed."""
    sheet = queries.current_sheet(table)
    seats = queries.seats_of(table)
    typed = sheet.typed if sheet and sheet.typed else bridge.empty_typed(game_count(table))
    if sent is not None:
        typed = from_fields(sent, sent_games(sent, table))
    form = sheet.form if sheet else "paper"
    check = bridge.judge(ruleset_of(table.session.stage), form, typed, seats) if sheet else None
    voiding = disputes.voiding_of(sheet) if sheet else None
    state = sheet.state if sheet else SheetState.OPEN
    found = list(disputes.disputes_of(sheet)) if sheet else []
    shown: dict[str, Any] = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.serial(table),
        "sheet": sheet,
        "state": state,
        "form": form,
        "grid": grid_of(form, typed, seats, check, sentences(check.problems) if check else []),
        "disputes": found,
        "voiding": voiding,
        "may_raise": state in services.DISPUTABLE and allowed(request.roles, "dispute_scoresheet"),
        "may_decide": state == SheetState.DISPUTED and allowed(request.roles, "decide_dispute"),
        "own_dispute": own_dispute(request, found) if state == SheetState.DISPUTED else None,
        "may_void": state in services.VOIDABLE and allowed(request.roles, "void_scoresheet"),
        "own_void": voiding is not None and voiding.proposed_by_id == request.user.pk,
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "signing/dispute.html", shown, status=refusal.status if refusal else 200)


def own_dispute(request: HttpRequest, found: list[Dispute]) -> Dispute | None:
    """The open dispute, where this account may take it back: who raised it, or the chief judge."""
    mine = [one for one in found if one.decided_at is None and one.raised_by_id == request.user.pk]
    if allowed(request.roles, "decide_dispute"):
        mine = [one for one in found if one.decided_at is None]
    return mine[0] if mine and allowed(request.roles, "dispute_scoresheet") else None


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/dispute/", dispute, name="dispute"),
]

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

from tournament.core.acts import ACTS
from tournament.core.enums import SheetState
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets.views.scoresheets import sent_revision, table_or_404
from tournament.scoresheets.views.sheet_forms import chosen_form, empty_sheet, sent_games, turn_lines_shown
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.fields import typed_sheet_from_fields
from tournament.sheets.forms.scoresheets import apply_fix_offer
from tournament.sheets.forms.sheet_grid import build_sheet_grid
from tournament.sheets.forms.sheet_sentences import problem_sentences
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries import signing_disputes as disputes
from tournament.sheets.services import signing_disputes as services
from tournament.tables.models import Table

# What a button asks for, and the right it needs.
DISPUTE_ACT_RIGHTS = {
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
def dispute_detail(request: EventRequest, session: int, table: int) -> HttpResponse:
    """What is disputed and by whom, what was decided, and the acts that this account has."""
    row = table_or_404(request.event, session, table)
    if request.method != "POST":
        return dispute_page(request, row)
    do = request.POST.get("do", "")
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        require_act(request.roles, "decide_dispute")
        return dispute_page(request, row, sent=apply_fix_offer(sent, do.removeprefix("offer:")))
    require_act(request.roles, DISPUTE_ACT_RIGHTS.get(do, "dispute_scoresheet"))
    try:
        said = run_dispute_act(request, row, do)
    except Refused as refusal:
        return dispute_page(request, row, refusal, sent if do == "decide" else None)
    messages.success(request, said % {"serial": queries.sheet_serial(row)})
    return redirect("scoresheet", request.event.slug, session, table)


def run_dispute_act(request: HttpRequest, table: Table, do: str) -> str:
    """One act, and what is said of it."""
    seen: dict[str, Any] = {
        "revision": sent_revision(request),
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    reason = request.POST.get("reason", "")
    if do == "uphold":
        services.decide_dispute(table, decision=reason, **seen)
        return _("%(serial)s is decided: its values stand.")
    if do == "decide":
        typed = typed_sheet_from_fields(request.POST.dict(), sent_games(request.POST.dict(), table))
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
    request: EventRequest, table: Table, refusal: Refused | None = None, sent: Mapping[str, str] | None = None
) -> HttpResponse:
    """The sheet as typed, to be changed by the chief judge while it is disputed."""
    sheet = queries.current_sheet(table)
    seats = queries.seats_as_judged(table)
    typed = sheet.typed if sheet and sheet.typed else empty_sheet(table)
    if sent is not None:
        typed = typed_sheet_from_fields(sent, sent_games(sent, table))
    form = chosen_form(table, None, sheet)
    check = bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), form, typed, seats) if sheet else None
    said = problem_sentences(check.problems) if check else []
    voiding = disputes.voiding_of(sheet) if sheet else None
    state = sheet.state if sheet else SheetState.OPEN
    found = list(disputes.disputes_of(sheet)) if sheet else []
    shown: dict[str, Any] = {
        "stage": "scoresheets",
        "table": table,
        "serial": queries.sheet_serial(table),
        "sheet": sheet,
        "state": state,
        "form": form,
        "grid": build_sheet_grid(form, typed, seats, check, said, turn_lines_shown(request)),
        "disputes": found,
        "voiding": voiding,
        "may_raise": ACTS["dispute_scoresheet"].allows(state) and is_act_allowed(request.roles, "dispute_scoresheet"),
        "may_decide": state == SheetState.DISPUTED and is_act_allowed(request.roles, "decide_dispute"),
        "own_dispute": own_dispute(request, found) if state == SheetState.DISPUTED else None,
        "may_void": ACTS["propose_void"].allows(state) and is_act_allowed(request.roles, "void_scoresheet"),
        "own_void": voiding is not None and voiding.proposed_by_id == request.user.pk,
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "scoresheets/signing/dispute.html", shown, status=refusal.status if refusal else 200)


def own_dispute(request: EventRequest, found: list[Dispute]) -> Dispute | None:
    """The open dispute, where this account may take it back: who raised it, or the chief judge."""
    mine = [one for one in found if one.decided_at is None and one.raised_by_id == request.user.pk]
    if is_act_allowed(request.roles, "decide_dispute"):
        mine = [one for one in found if one.decided_at is None]
    return mine[0] if mine and is_act_allowed(request.roles, "dispute_scoresheet") else None


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/dispute/", dispute_detail, name="dispute"),
]

"""The second person's page, and the stamp."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament.core.enums import SheetState
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, require_act
from tournament.scoresheets.services.readiness import readiness
from tournament.scoresheets.views.scans import keep_scan
from tournament.scoresheets.views.scoresheets import sent_revision, sheet_read_only_context, table_or_404
from tournament.sheets.forms.heading import heading_on_page
from tournament.sheets.forms.signing import read_signatures, signers_of
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import quick_signatures
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import signing as services
from tournament.tables.models import Table

# The page on which what stands against certifying is settled, by its code.
DONE_ELSEWHERE = {
    services.CORRECTS: "correction",
    second.WANTED: "type_scoresheet_again",
    second.DIFFERS: "type_scoresheet_again",
}
# What stands against it however it is signed: the sheet has to go back.
OF_VALUES = frozenset({services.NO_LONGER_HOLDS, services.VALUES_ALTERED})


# --- The second person ----------------------------------------------------------------------------------
@for_act("certify_scoresheet")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def check_scoresheet(request: EventRequest, session: int, table: int) -> HttpResponse:
    """Compare the values with the paper, record the signatures, certify or send back."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        return (
            handle_scan_without_script(request, row)
            if request.POST.get("do") == "attach"
            else handle_certify_or_reject(request, row)
        )
    return check_page_or_redirect(request, row)


def check_page_or_redirect(request: EventRequest, table: Table, refusal: Refused | None = None) -> HttpResponse:
    """The second person's page, while there is something for them to compare; with what they ticked already."""
    where = (request.event.slug, table.session.number, table.number)
    sheet = queries.current_sheet(table)
    if sheet is None or sheet.state != SheetState.READY:
        return redirect("scoresheet", *where)
    found = readiness(sheet, request.user, table)
    elsewhere = [DONE_ELSEWHERE[one.code] for one in found.certify if one.code in DONE_ELSEWHERE]
    return redirect(elsewhere[0], *where) if elsewhere else check_page(request, table, sheet, refusal)


def check_page(request: EventRequest, table: Table, sheet: Scoresheet, refusal: Refused | None = None) -> HttpResponse:
    """The values, read-only, and a control for each signature; what was recorded before a refusal or beside a scan
    stays, for the revision that was compared."""
    shown: dict[str, Any] = sheet_read_only_context(request, table, sheet)
    second = queries.double_entry_of(sheet)
    shown["second_head"] = heading_on_page(table, second.typed) if second else None
    shown["against"] = [one for one in shown["readiness"].certify if one.code in OF_VALUES and not refusal]
    shown["refusal"] = refusal
    shown["revision"] = sent_revision(request) if request.method == "POST" else sheet.revision
    drawn = queries.live_signatures(sheet)
    quick = quick_signatures.quick_letters(quick_signatures.earlier_signature_claims(sheet))
    shown["drawn"] = drawn
    shown["signers"] = signers_of(shown["grid"].heads, request.POST, drawn, quick)
    shown["heading_seen"] = bool(request.POST.get("heading-seen"))
    shown["reason"] = request.POST.get("reason", "")
    return render(
        request, "scoresheets/signing/check_scoresheet.html", shown, status=refusal.status if refusal else 200
    )


def handle_scan_without_script(request: EventRequest, table: Table) -> HttpResponse:
    """Without script: keep the scan that was chosen beside the ticks, and show the page again with every tick."""
    require_act(request.roles, "type_scoresheet")
    try:
        keep_scan(request, table)
    except Refused as refusal:
        return check_page_or_redirect(request, table, refusal)
    messages.success(request, _("The scan of %(serial)s is kept.") % {"serial": queries.sheet_serial(table)})
    return check_page_or_redirect(request, table)


def handle_certify_or_reject(request: EventRequest, table: Table) -> HttpResponse:
    """Certify or reject; then the next sheet that waits for this account, else the board."""
    act: dict[str, Any] = {
        "revision": sent_revision(request),
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    serial = {"serial": queries.sheet_serial(table)}
    try:
        if request.POST.get("do") == "reject":
            services.reject_scoresheet(table, reason=request.POST.get("reason", ""), **act)
            messages.success(request, _("%(serial)s went back to its typist.") % serial)
        else:
            services.certify_scoresheet(
                table,
                signatures=read_signatures(request.POST),
                heading_seen=bool(request.POST.get("heading-seen")),
                **act,
            )
            messages.success(request, _("%(serial)s is certified and locked.") % serial)
    except Refused as refusal:
        sheet = queries.current_sheet(table)
        if sheet is None or sheet.state != SheetState.READY:
            messages.warning(request, str(refusal))
            return redirect("scoresheet", request.event.slug, table.session.number, table.number)
        return check_page(request, table, sheet, refusal)
    waiting = queries.session_board(table.session).to_check(request.user.pk, table.number)
    if waiting:
        return redirect("check_scoresheet", request.event.slug, table.session.number, waiting.table.number)
    return redirect("session_scoresheets", request.event.slug, table.session.number)


# --- The stamp ------------------------------------------------------------------------------------------
@for_act("stamp")
@require_POST
def stamp_scoresheet(request: EventRequest, session: int, table: int) -> HttpResponse:
    row = table_or_404(request.event, session, table)
    sheet = queries.official_sheet(row) or queries.current_sheet(row)
    if sheet is None:
        raise Http404
    services.stamp_sheet(sheet, by=request.user)
    messages.success(request, _("%(serial)s is stamped and official.") % {"serial": queries.sheet_serial(row)})
    return redirect("scoresheet", request.event.slug, session, table)


@for_act("stamp")
@require_POST
def stamp_scoresheets(request: EventRequest, session: int) -> HttpResponse:
    """Stamp all that is certified in a session."""
    row = queries.find_session_of_event(request.event, session)
    if row is None:
        raise Http404
    count = services.stamp_session(row, by=request.user)
    said = ngettext("%(n)d scoresheet is stamped.", "%(n)d scoresheets are stamped.", count) % {"n": count}
    messages.success(request, said)
    return redirect("session_scoresheets", request.event.slug, session)


urlpatterns = [
    path("scoresheets/<int:session>/stamp/", stamp_scoresheets, name="stamp_scoresheets"),
    path("scoresheets/<int:session>/<int:table>/check/", check_scoresheet, name="check_scoresheet"),
    path("scoresheets/<int:session>/<int:table>/stamp/", stamp_scoresheet, name="stamp_scoresheet"),
]

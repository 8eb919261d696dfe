"""The second person's page, and the stamp."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament.bridge.scoresheets_second import Stand
from tournament.enums import SheetState
from tournament.errors import Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.scoresheets_heading import head_of
from tournament.forms.signing import read_signatures, signers_of
from tournament.models import Scoresheet, Table
from tournament.permissions import for_act, require
from tournament.queries import scoresheets as queries
from tournament.services import scoresheets_second as second
from tournament.services import signing as services
from tournament.services import tablet_sheets
from tournament.views.scoresheets import sent_revision, standing, table_or_404
from tournament.views.scoresheets_scans import keep_scan


# --- The second person ----------------------------------------------------------------------------------
@for_act("certify_scoresheet")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def check_scoresheet(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """Compare the values with the paper, record the signatures, certify or send back."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        return attached(request, row) if request.POST.get("do") == "attach" else decided(request, row)
    return page_of(request, row)


def page_of(request: HttpRequest, table: Table, refusal: Refused | None = None) -> HttpResponse:
    """The second person's page, while there is something for them to compare; with what they ticked already."""
    where = (request.event.slug, table.session.number, table.number)
    sheet = queries.current_sheet(table)
    if sheet is None or sheet.state != SheetState.READY:
        return redirect("scoresheet", *where)
    if sheet.version > 1:
        return redirect("correction", *where)
    if second.stand_now(table, sheet).stand in (Stand.WANTED, Stand.DIFFERS):
        return redirect("type_scoresheet_again", *where)
    return check_page(request, table, sheet, refusal)


def check_page(request: HttpRequest, table: Table, sheet: Scoresheet, refusal: Refused | None = None) -> HttpResponse:
    """The values, read-only, and a control for each signature; what was recorded before a refusal or beside a scan
    stays, for the revision that was compared."""
    shown: dict[str, Any] = standing(request, table, sheet)
    second_typing = queries.second_typing_of(sheet)
    shown["second_head"] = head_of(table, second_typing.typed) if second_typing else None
    shown["refusal"] = refusal
    shown["revision"] = sent_revision(request) if request.method == "POST" else sheet.revision
    drawn = queries.live_signatures(sheet)
    quick = tablet_sheets.quick_letters(tablet_sheets.earlier(sheet))
    shown["drawn"] = drawn
    shown["signers"] = signers_of(shown["grid"].heads, request.POST, drawn, quick)
    shown["heading_seen"] = bool(request.POST.get("heading-seen"))
    shown["reason"] = request.POST.get("reason", "")
    return render(request, "signing/check_scoresheet.html", shown, status=refusal.status if refusal else 200)


def attached(request: HttpRequest, table: Table) -> HttpResponse:
    """Without script: keep the scan that was chosen beside the ticks, and show the page again with every tick."""
    require(request.roles, "type_scoresheet")
    try:
        keep_scan(request, table)
    except Refused as refusal:
        return page_of(request, table, refusal)
    messages.success(request, _("The scan of %(serial)s is kept.") % {"serial": queries.serial(table)})
    return page_of(request, table)


def decided(request: HttpRequest, table: Table) -> HttpResponse:
    """Certify or reject; then the next sheet that waits for this account, else the board."""
    act = {
        "revision": sent_revision(request),
        "by": request.user,
        "request_key": request.POST.get("request_key", ""),
    }
    serial = {"serial": queries.serial(table)}
    try:
        if request.POST.get("do") == "reject":
            services.reject(table, reason=request.POST.get("reason", ""), **act)
            messages.success(request, _("%(serial)s went back to its typist.") % serial)
        else:
            services.certify(
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
    waiting = queries.board(table.session).to_check(request.user.pk, table.number)
    if waiting:
        return redirect("check_scoresheet", request.event.slug, table.session.number, waiting.table.number)
    return redirect("session_scoresheets", request.event.slug, table.session.number)


# --- The stamp ------------------------------------------------------------------------------------------
@for_act("stamp")
@require_POST
def stamp_scoresheet(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """Stamp one sheet."""
    row = table_or_404(request.event, session, table)
    sheet = queries.official_sheet(row) or queries.current_sheet(row)
    if sheet is None:
        raise Http404
    services.stamp(sheet, by=request.user)
    messages.success(request, _("%(serial)s is stamped and official.") % {"serial": queries.serial(row)})
    return redirect("scoresheet", request.event.slug, session, table)


@for_act("stamp")
@require_POST
def stamp_scoresheets(request: HttpRequest, session: int) -> HttpResponse:
    """Stamp all that is certified in a session."""
    row = queries.find_session(request.event, session)
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

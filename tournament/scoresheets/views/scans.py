"""Scans of the papers: attached at the typing page and the second person's, and shown to who may see the sheets."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.core.enums import ScanKind
from tournament.core.errors import BadInput, Refused, TooLarge
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act
from tournament.scoresheets.views.double_entry import handle_double_entry_post
from tournament.scoresheets.views.scoresheet_rights import scoresheet_rights
from tournament.scoresheets.views.scoresheets import handle_entry_post, is_live, table_or_404
from tournament.scoresheets.views.sheet_forms import sent_games
from tournament.sheets.domain.fields import fields_of_typed_sheet, typed_sheet_from_fields
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.readers import MAX_SCAN_BYTES, SCAN_TOO_LARGE
from tournament.sheets.services import scans as services
from tournament.tables.models import Table

SCAN_CONTENT_TYPES = {ScanKind.JPEG: "image/jpeg", ScanKind.PDF: "application/pdf"}
# The file runs nothing and asks for nothing, whatever is in it.
SCAN_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


SCAN_BACK_PAGES = {"check": "check_scoresheet", "again": "type_scoresheet_again"}


@for_act("type_scoresheet")
@require_POST
@keyed_by_service
def attach_scan(request: EventRequest, session: int, table: int) -> HttpResponse:
    """Keep the scan that was chosen, photographed or dropped; then back to the page it came from.

    Sent by the page's script the answer is the scan's card, or the sentence of the refusal. Sent with the cells of a
    sheet that is being typed, these are saved as its draft first. A refusal never leads away from the sheet.
    """
    row = table_or_404(request.event, session, table)
    if are_cells_posted(request) and (not_saved := save_draft_before_scan(request, row)):
        return not_saved
    try:
        keep_scan(request, row)
    except Refused as refusal:
        return refused_scan(request, row, refusal)
    if is_live(request):
        return render(request, "scoresheets/_scan.html", scan_card_context(request, row))
    messages.success(request, _("The scan of %(serial)s is kept.") % {"serial": queries.sheet_serial(row)})
    return redirect(scan_back_url(request, row))


def keep_scan(request: EventRequest, table: Table) -> None:
    """Of what was sent, the file."""
    sent = request.FILES.get("scan")
    if sent is None:
        raise BadInput("scan_missing", gettext_noop("Choose a scan or a photo of the paper."))
    if (sent.size or 0) > MAX_SCAN_BYTES:
        raise TooLarge("scan_too_large", SCAN_TOO_LARGE)
    key = request.POST.get("request_key", "")
    # With the cells the form has one key for two acts; the draft has it, the scan one made from it.
    services.attach_scan_to_table(
        table,
        content=sent.read(),
        by=request.user,
        request_key=f"{key[:60]}.s" if key and are_cells_posted(request) else key,
    )


def are_cells_posted(request: HttpRequest) -> bool:
    """Whether the cells of a sheet came with it."""
    return "revision" in request.POST


def save_draft_before_scan(request: EventRequest, table: Table) -> HttpResponse | None:
    """The cells that came with the file, saved as a draft unless nothing was typed; the page that says why not."""
    sent = request.POST.copy()
    sent["do"] = "save"
    request.POST = sent  # type: ignore[assignment]  # the stubs take an immutable one alone
    again, sheet = sent.get("back") == "again", queries.current_sheet(table)
    kept = queries.double_entry_of(sheet) if again and sheet else sheet
    typed = typed_sheet_from_fields(sent, sent_games(sent, table))
    if is_same_typed(typed, kept.typed if kept else {}):
        return None
    response = handle_double_entry_post(request, table, sheet) if again else handle_entry_post(request, table)
    return None if response.status_code < 400 else response


def is_same_typed(typed: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """Whether both have the same texts; what is empty is as good as not there."""
    mine, theirs = ({name: text for name, text in fields_of_typed_sheet(one).items() if text} for one in (typed, kept))
    return mine == theirs


def refused_scan(request: EventRequest, table: Table, refusal: Refused) -> HttpResponse:
    """Why the scan is not kept; the way leads back to the sheet, whose cells are as they were."""
    if is_live(request):
        return JsonResponse({"said": str(refusal)}, status=refusal.status)
    shown = {
        "stage": "scoresheets",
        "serial": queries.sheet_serial(table),
        "refusal": refusal,
        "typed": are_cells_posted(request),
        "way_back": scan_back_url(request, table),
    }
    return render(request, "scoresheets/scan_refused.html", shown, status=refusal.status)


def scan_back_url(request: EventRequest, table: Table) -> str:
    """The page from which the scan came."""
    page = request.POST.get("back", "")
    where = reverse(
        SCAN_BACK_PAGES.get(page, "scoresheet"), args=[request.event.slug, table.session.number, table.number]
    )
    paper = request.POST.get("print", "")
    return f"{where}?print={paper}" if page == "typing" and paper.isdecimal() else where


def scan_card_context(request: EventRequest, table: Table) -> dict[str, Any]:
    """What the scan's card shows."""
    return {
        "table": table,
        "serial": queries.sheet_serial(table),
        "scans": queries.scans_of(table),
        "may": scoresheet_rights(request),
        "back": request.POST.get("back", "") if request.POST.get("back") != "check" else "",
        "beside_ticks": request.POST.get("back") == "check",
    }


@for_act("see_scoresheets")
@require_safe
def scan_file_view(request: EventRequest, session: int, table: int, number: int) -> HttpResponse:
    """The bytes of one scan; a table's scans are numbered from 1 in the order in which they came."""
    row = table_or_404(request.event, session, table)
    scans = queries.scans_of(row)
    if not 1 <= number <= len(scans):
        raise Http404
    found = scans[-number]
    people = row.seats.count()
    record_export(request.event, request.user, "scan", people=people, among=f"{queries.sheet_serial(row)}-{number}")
    response = HttpResponse(services.content_of(found), content_type=SCAN_CONTENT_TYPES[ScanKind(found.kind)])
    name = f"{queries.sheet_serial(row)}-{number}.{found.kind}"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Content-Security-Policy"] = SCAN_CONTENT_SECURITY_POLICY
    response["X-Content-Type-Options"] = "nosniff"
    return response


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/scan/", attach_scan, name="attach_scan"),
    path("scoresheets/<int:session>/<int:table>/scan/<int:number>/", scan_file_view, name="scan"),
]

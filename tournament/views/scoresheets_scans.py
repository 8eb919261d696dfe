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

from tournament.bridge.scoresheets_fields import from_fields, to_fields
from tournament.enums import ScanKind
from tournament.errors import BadInput, Refused, TooLarge
from tournament.form_keys import keyed_by_service
from tournament.models import Table
from tournament.permissions import for_act
from tournament.queries import scoresheets as queries
from tournament.readers.scans import MOST_BYTES, TOO_LARGE
from tournament.services import scoresheets_scans as services
from tournament.services.personal_exports import record_export
from tournament.views.scoresheets import is_live, rights, sent_games, table_or_404, typed_page
from tournament.views.scoresheets_second import typed_again

TYPES = {ScanKind.JPEG: "image/jpeg", ScanKind.PDF: "application/pdf"}
# The file runs nothing and asks for nothing, whatever is in it.
ALONE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


BACK = {"check": "check_scoresheet", "again": "type_scoresheet_again"}


@for_act("type_scoresheet")
@require_POST
@keyed_by_service
def attach_scan(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """Keep the scan that was chosen, photographed or dropped; then back to the page it came from.

    Sent by the page's script the answer is the scan's card, or the sentence of the refusal. Sent with the cells of a
    sheet that is being typed, these are saved as its draft first. A refusal never leads away from the sheet.
    """
    row = table_or_404(request.event, session, table)
    if is_typed(request) and (not_saved := draft_first(request, row)):
        return not_saved
    try:
        keep_scan(request, row)
    except Refused as refusal:
        return refused_scan(request, row, refusal)
    if is_live(request):
        return render(request, "scoresheets/_scan.html", card_of(request, row))
    messages.success(request, _("The scan of %(serial)s is kept.") % {"serial": queries.serial(row)})
    return redirect(way_back(request, row))


def keep_scan(request: HttpRequest, table: Table) -> None:
    """Of what was sent, the file."""
    sent = request.FILES.get("scan")
    if sent is None:
        raise BadInput("scan_missing", gettext_noop("Choose a scan or a photo of the paper."))
    if sent.size > MOST_BYTES:
        raise TooLarge("scan_too_large", TOO_LARGE)
    key = request.POST.get("request_key", "")
    # With the cells the form has one key for two acts; the draft has it, the scan one made from it.
    services.attach(
        table, content=sent.read(), by=request.user, request_key=f"{key[:60]}.s" if key and is_typed(request) else key
    )


def is_typed(request: HttpRequest) -> bool:
    """Whether the cells of a sheet came with it."""
    return "revision" in request.POST


def draft_first(request: HttpRequest, table: Table) -> HttpResponse | None:
    """The cells that came with the file, saved as a draft unless nothing was typed; the page that says why not."""
    request.POST = request.POST.copy()
    request.POST["do"] = "save"
    again, sheet = request.POST.get("back") == "again", queries.current_sheet(table)
    kept = queries.second_typing_of(sheet) if again and sheet else sheet
    typed = from_fields(request.POST, sent_games(request.POST, table))
    if same_typed(typed, kept.typed if kept else {}):
        return None
    response = typed_again(request, table, sheet) if again else typed_page(request, table)
    return None if response.status_code < 400 else response


def same_typed(typed: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """Whether both have the same texts; what is empty is as good as not there."""
    mine, theirs = ({name: text for name, text in to_fields(one).items() if text} for one in (typed, kept))
    return mine == theirs


def refused_scan(request: HttpRequest, table: Table, refusal: Refused) -> HttpResponse:
    """Why the scan is not kept; the way leads back to the sheet, whose cells are as they were."""
    if is_live(request):
        return JsonResponse({"said": str(refusal)}, status=refusal.status)
    shown = {
        "stage": "scoresheets",
        "serial": queries.serial(table),
        "refusal": refusal,
        "typed": is_typed(request),
        "way_back": way_back(request, table),
    }
    return render(request, "scoresheets/scan_refused.html", shown, status=refusal.status)


def way_back(request: HttpRequest, table: Table) -> str:
    """The page from which the scan came."""
    page = request.POST.get("back", "")
    where = reverse(BACK.get(page, "scoresheet"), args=[request.event.slug, table.session.number, table.number])
    paper = request.POST.get("print", "")
    return f"{where}?print={paper}" if page == "typing" and paper.isdecimal() else where


def card_of(request: HttpRequest, table: Table) -> dict[str, Any]:
    """What the scan's card shows."""
    return {
        "table": table,
        "serial": queries.serial(table),
        "scans": queries.scans_of(table),
        "may": rights(request),
        "back": request.POST.get("back", "") if request.POST.get("back") != "check" else "",
        "beside_ticks": request.POST.get("back") == "check",
    }


@for_act("see_scoresheets")
@require_safe
def scan(request: HttpRequest, session: int, table: int, number: int) -> HttpResponse:
    """The bytes of one scan; a table's scans are numbered from 1 in the order in which they came."""
    row = table_or_404(request.event, session, table)
    scans = queries.scans_of(row)
    if not 1 <= number <= len(scans):
        raise Http404
    found = scans[-number]
    people = row.seats.count()
    record_export(request.event, request.user, "scan", people=people, among=f"{queries.serial(row)}-{number}")
    response = HttpResponse(services.content_of(found), content_type=TYPES[found.kind])
    name = f"{queries.serial(row)}-{number}.{found.kind}"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Content-Security-Policy"] = ALONE
    response["X-Content-Type-Options"] = "nosniff"
    return response


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/scan/", attach_scan, name="attach_scan"),
    path("scoresheets/<int:session>/<int:table>/scan/<int:number>/", scan, name="scan"),
]

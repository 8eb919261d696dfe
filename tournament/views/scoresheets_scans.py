"""Scans of the papers: attached at the typing page and the second person's, and shown to who may see the sheets."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.enums import ScanKind
from tournament.errors import BadInput, TooLarge
from tournament.permissions import for_act
from tournament.queries import scoresheets as queries
from tournament.readers.scans import MOST_BYTES, TOO_LARGE
from tournament.services import scoresheets_scans as services
from tournament.views.scoresheets import table_or_404

TYPES = {ScanKind.JPEG: "image/jpeg", ScanKind.PDF: "application/pdf"}
# The file runs nothing and asks for nothing, whatever is in it.
ALONE = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


@for_act("type_scoresheet")
@require_POST
def attach_scan(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """Keep the scan that was chosen, photographed or dropped; then back to the page it came from."""
    row = table_or_404(request.event, session, table)
    sent = request.FILES.get("scan")
    if sent is None:
        raise BadInput("scan_missing", _("Choose a scan or a photo of the paper."))
    if sent.size > MOST_BYTES:
        raise TooLarge("scan_too_large", TOO_LARGE)
    key = request.POST.get("request_key", "")
    services.attach(row, content=sent.read(), by=request.user, request_key=key)
    messages.success(request, _("The scan of %(serial)s is kept.") % {"serial": queries.serial(row)})
    page = request.POST.get("back", "")
    back: dict[str, str] = {"check": "check_scoresheet", "again": "type_scoresheet_again"}
    answer = redirect(back.get(page, "scoresheet"), request.event.slug, session, table)
    if page == "typing" and request.POST.get("print", "").isdecimal():
        answer["Location"] += f"?print={request.POST['print']}"
    return answer


@for_act("see_scoresheets")
@require_safe
def scan(request: HttpRequest, session: int, table: int, number: int) -> HttpResponse:
    """The bytes of one scan; a table's scans are numbered from 1 in the order in which they came."""
    row = table_or_404(request.event, session, table)
    scans = queries.scans_of(row)
    if not 1 <= number <= len(scans):
        raise Http404
    found = scans[-number]
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

"""Scoresheets to print: one table's, a session's, all.

Printing is an act (POST): it gives each paper its serial, then leads to the file. The file itself is only read (GET):
the papers as they were printed; a table that has none yet is shown as a sample. A file of more than one table names
many people: each time it is taken out is an entry of the log.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.models.stage import Session, Stage
from tournament.core.permissions import EventRequest, for_act
from tournament.core.services.one_at_a_time import exclusive_large_file
from tournament.events.domain import ruleset_of_stage
from tournament.events.views import seating_session_or_404, sent_stage
from tournament.seating.services import print as services
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.sheets.exports.pdf import scoresheets_pdf
from tournament.sheets.services.seating_contents import require_unaltered
from tournament.tables.models import SheetPrint, Table
from tournament.tables.queries import seating as queries

FEW_TABLES = 4  # papers that are made in no time
NO_SHEETS_TO_PRINT = _("Nothing to print yet: a scoresheet is printed when the seats are confirmed.")


@require_safe
@for_act("print_scoresheets")
def all_scoresheets_pdf(request: EventRequest) -> HttpResponse:
    """Every sheet of a stage's sessions whose seats are confirmed; with `since`, of one printing and those after it."""
    stage = sent_stage(request)
    return scoresheets_pdf_response(request, stage, queries.tables_to_print(stage), "scoresheets.pdf")


@require_safe
@for_act("print_scoresheets")
def session_scoresheets_pdf(request: EventRequest, session: int) -> HttpResponse:
    found = seating_session_or_404(request, session)
    tables = queries.tables_to_print(found.stage, session)
    return scoresheets_pdf_response(request, found.stage, tables, f"scoresheets-{found.code}.pdf")


@require_safe
@for_act("print_scoresheets")
def scoresheet_pdf(request: EventRequest, session: int, table: int) -> HttpResponse:
    found = seating_session_or_404(request, session)
    return scoresheets_pdf_response(
        request, found.stage, printable_tables(found, table), f"scoresheet-{found.code}-{table:02d}.pdf"
    )


@require_POST
@for_act("print_scoresheets")
def print_all_scoresheets(request: EventRequest) -> HttpResponse:
    """Papers for every confirmed session of a stage that lacks some; `again`: new ones for all."""
    stage = sent_stage(request)
    done = services.print_stage(stage, by=request.user, again=wants_new_papers(request))
    if not done.papers and not done.left:
        raise Refused("nothing_to_print", NO_SHEETS_TO_PRINT, stage)
    if not done.papers:
        raise next((refusal for _session, refusal in done.left if refusal.code == "paper_stands"), done.left[0][1])
    address = _to_file(reverse("all_scoresheets_pdf", args=[request.event.slug]), done.papers)
    address["Location"] += f"&stage={stage.kind}"
    return address


@require_POST
@for_act("print_scoresheets")
@keyed_by_service
def print_session_scoresheets(request: EventRequest, session: int) -> HttpResponse:
    """Papers for the tables of a session that lack one; `again`: new ones for all."""
    found = seating_session_or_404(request, session)
    try:
        papers = services.print_session(
            found, by=request.user, again=wants_new_papers(request), request_key=request.POST.get("request_key", "")
        )
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("session_seating", request.event.slug, session)
    return _to_file(reverse("session_scoresheets_pdf", args=[request.event.slug, session]), papers)


@require_POST
@for_act("print_scoresheets")
@keyed_by_service
def print_scoresheet(request: EventRequest, session: int, table: int) -> HttpResponse:
    """A new paper for one table, whether it lacks one or not: the older one counts no more."""
    found = seating_session_or_404(request, session)
    printable_tables(found, table)
    try:
        papers = services.print_session(
            found,
            by=request.user,
            tables=[table],
            again=True,
            request_key=request.POST.get("request_key", ""),
        )
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("session_seating", request.event.slug, session)
    return _to_file(reverse("scoresheet_pdf", args=[request.event.slug, session, table]), papers)


def wants_new_papers(request: HttpRequest) -> bool:
    return request.POST.get("again") == "on"


def _to_file(address: str, papers: Sequence[SheetPrint]) -> HttpResponse:
    """The file of just these papers."""
    return redirect(f"{address}?since={papers[0].pk}")


def printable_tables(session: Session, table: int) -> list[Table]:
    tables = queries.tables_to_print(session.stage, session.number, table)
    if not tables:
        raise Http404
    return tables


def scoresheets_pdf_response(request: EventRequest, stage: Stage, tables: Sequence[Table], name: str) -> HttpResponse:
    """The file; an unconfirmed draw may still be replaced, so its sheets are not printed."""
    confirmed = [table for table in tables if table.session.draw.confirmed_at]
    prints = queries.newest_prints({table.session for table in confirmed})
    since = request.GET.get("since", "")
    if since.isdecimal() and len(since) < 19:
        prints = {key: paper for key, paper in prints.items() if paper.pk >= int(since)}
        confirmed = [table for table in confirmed if (table.session_id, table.number) in prints]
    if not confirmed:
        raise Refused("nothing_to_print", NO_SHEETS_TO_PRINT, stage)
    require_unaltered(prints.values())
    with exclusive_large_file("papers", request.user) if len(confirmed) > FEW_TABLES else nullcontext():
        sheets = printed_sheets_of_tables(confirmed, prints, ruleset_of_stage(stage), partial(paper_qr_url, request))
        content = scoresheets_pdf(sheets)
    if len(confirmed) > 1:
        people = sum(len(table.seats.all()) for table in confirmed)
        record_export(request.event, request.user, name, people=people)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def paper_qr_url(request: HttpRequest, table: Table, number: int) -> str:
    """Where the QR code leads: the table's page, which is told which paper this is."""
    session = table.session
    page = reverse("scoresheet", args=[session.stage.event.slug, session.number, table.number])
    if number:
        page += f"?print={number}"
    return settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page)


urlpatterns = [
    path("scoresheets/scoresheets.pdf", all_scoresheets_pdf, name="all_scoresheets_pdf"),
    path("scoresheets/print/", print_all_scoresheets, name="print_all_scoresheets"),
    path("scoresheets/<int:session>/scoresheets.pdf", session_scoresheets_pdf, name="session_scoresheets_pdf"),
    path("scoresheets/<int:session>/print/", print_session_scoresheets, name="print_session_scoresheets"),
    path("scoresheets/<int:session>/<int:table>/scoresheet.pdf", scoresheet_pdf, name="scoresheet_pdf"),
    path("scoresheets/<int:session>/<int:table>/print/", print_scoresheet, name="print_scoresheet"),
]

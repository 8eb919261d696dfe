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

from tournament.bridge.rulesets import ruleset_of
from tournament.errors import Refused
from tournament.exports.scoresheet_papers import papers_of
from tournament.exports.scoresheet_pdf import scoresheets_pdf
from tournament.form_keys import keyed_by_service
from tournament.models import Session, SheetPrint, Stage, Table
from tournament.permissions import for_act
from tournament.queries import seating as queries
from tournament.services import seating_print as services
from tournament.services.one_at_a_time import one_at_a_time
from tournament.services.personal_exports import record_export
from tournament.services.seating_contents import require_unaltered
from tournament.views.seating import sent_stage
from tournament.views.seating_room import find_session

FEW = 4  # papers that are made in no time
NOTHING = _("Nothing to print yet: a scoresheet is printed when the seats are confirmed.")


@require_safe
@for_act("print_scoresheets")
def all_scoresheets_pdf(request: HttpRequest) -> HttpResponse:
    """Every sheet of a stage's sessions whose seats are confirmed; with `since`, of one printing and those after it."""
    stage = sent_stage(request)
    return _file(request, stage, queries.tables_to_print(stage), "scoresheets.pdf")


@require_safe
@for_act("print_scoresheets")
def session_scoresheets_pdf(request: HttpRequest, session: int) -> HttpResponse:
    """One session's sheets."""
    found = find_session(request, session)
    tables = queries.tables_to_print(found.stage, session)
    return _file(request, found.stage, tables, f"scoresheets-{found.code}.pdf")


@require_safe
@for_act("print_scoresheets")
def scoresheet_pdf(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """One table's sheet."""
    found = find_session(request, session)
    return _file(request, found.stage, _tables(found, table), f"scoresheet-{found.code}-{table:02d}.pdf")


@require_POST
@for_act("print_scoresheets")
def print_all_scoresheets(request: HttpRequest) -> HttpResponse:
    """Papers for every confirmed session of a stage that lacks some; `again`: new ones for all."""
    stage = sent_stage(request)
    done = services.print_stage(stage, by=request.user, again=_again(request))
    if not done.papers and not done.left:
        raise Refused("nothing_to_print", NOTHING, stage)
    if not done.papers:
        raise next((refusal for _session, refusal in done.left if refusal.code == "paper_stands"), done.left[0][1])
    address = _to_file(reverse("all_scoresheets_pdf", args=[request.event.slug]), done.papers)
    address["Location"] += f"&stage={stage.kind}"
    return address


@require_POST
@for_act("print_scoresheets")
@keyed_by_service
def print_session_scoresheets(request: HttpRequest, session: int) -> HttpResponse:
    """Papers for the tables of a session that lack one; `again`: new ones for all."""
    found = find_session(request, session)
    try:
        papers = services.print_session(
            found, by=request.user, again=_again(request), request_key=request.POST.get("request_key", "")
        )
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("session_seating", request.event.slug, session)
    return _to_file(reverse("session_scoresheets_pdf", args=[request.event.slug, session]), papers)


@require_POST
@for_act("print_scoresheets")
@keyed_by_service
def print_scoresheet(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """A new paper for one table, whether it lacks one or not: the older one counts no more."""
    found = find_session(request, session)
    _tables(found, table)
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


def _again(request: HttpRequest) -> bool:
    return request.POST.get("again") == "on"


def _to_file(address: str, papers: Sequence[SheetPrint]) -> HttpResponse:
    """The file of just these papers."""
    return redirect(f"{address}?since={papers[0].pk}")


def _tables(session: Session, table: int) -> list[Table]:
    tables = queries.tables_to_print(session.stage, session.number, table)
    if not tables:
        raise Http404
    return tables


def _file(request: HttpRequest, stage: Stage, tables: Sequence[Table], name: str) -> HttpResponse:
    """The file; an unconfirmed draw may still be replaced, so its sheets are not printed."""
    confirmed = [table for table in tables if table.session.draw.confirmed_at]
    prints = queries.newest_prints({table.session for table in confirmed})
    since = request.GET.get("since", "")
    if since.isdecimal() and len(since) < 19:
        prints = {key: paper for key, paper in prints.items() if paper.pk >= int(since)}
        confirmed = [table for table in confirmed if (table.session_id, table.number) in prints]
    if not confirmed:
        raise Refused("nothing_to_print", NOTHING, stage)
    require_unaltered(prints.values())
    with one_at_a_time("papers", request.user) if len(confirmed) > FEW else nullcontext():
        sheets = papers_of(confirmed, prints, ruleset_of(stage).games, partial(_address, request))
        content = scoresheets_pdf(sheets)
    if len(confirmed) > 1:
        people = sum(len(table.seats.all()) for table in confirmed)
        record_export(request.event, request.user, name, people=people)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _address(request: HttpRequest, table: Table, number: int) -> str:
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

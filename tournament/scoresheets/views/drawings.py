"""The drawn signatures of a sheet, for organisers and the chief judge alone; each look is in the audit log (Y4)."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_GET

from tournament.core.permissions import EventRequest, for_act
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets.views.scoresheets import table_or_404
from tournament.sheets.exports.drawn_signature import strokes_svg_path
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.sheets.exports.recorded import recorded_pdf_file
from tournament.sheets.exports.recorded_rows import recorded_sheet_of
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import drawings as services
from tournament.sheets.services.seating_contents import require_unaltered
from tournament.tables.models import Table
from tournament.tables.queries.seating import newest_prints, tables_to_print


@for_act("see_drawings")
@require_GET
def drawn_signatures_page(request: EventRequest, session: int, table: int) -> HttpResponse:
    """The signatures that count of the version asked for, else of the one that counts, else of the one in hand."""
    row = table_or_404(request.event, session, table)
    sheet = version_or_404(row, request.GET.get("version", ""))
    shown = [
        {"signature": one.signature, "path": strokes_svg_path(one.strokes or ())}
        for one in services.view_signatures(row, sheet, by=request.user)
    ]
    facts = {"stage": "scoresheets", "table": row, "sheet": sheet, "serial": queries.sheet_serial(row), "shown": shown}
    return render(request, "scoresheets/signing/drawings.html", facts)


@for_act("see_drawings")
@require_GET
def recorded_sheet(request: EventRequest, session: int, table: int) -> HttpResponse:
    """A locked version as it was recorded, its signatures as lines in a PDF: a look at them like any other (Y4).

    Head and names are those of the paper that was printed; where there was none, those of now, and the page says so.
    """
    row = table_or_404(request.event, session, table)
    sheet = version_or_404(row, request.GET.get("version", ""))
    if not sheet.locked:
        raise Http404
    shown = [(one.signature, one.strokes) for one in services.view_signatures(row, sheet, by=request.user)]
    stage = row.session.stage
    tables = tables_to_print(stage, session, table)
    address = request.build_absolute_uri(reverse("scoresheet", args=[request.event.slug, session, table]))
    prints = newest_prints([row.session])
    require_unaltered(prints.values())
    [paper] = printed_sheets_of_tables(tables, prints, ruleset_of_stage(stage), lambda _table, _number: address)
    pdf = recorded_pdf_file(
        recorded_sheet_of(paper, sheet, queries.games_with_lines(sheet), shown, queries.stamp_of_sheet(sheet))
    )
    name = f"{queries.sheet_serial(row)}-v{sheet.version}.pdf"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(pdf, content_type="application/pdf", headers=headers)


def version_or_404(table: Table, asked: str) -> Scoresheet:
    """The version asked for; without one the official sheet, else the current one."""
    versions = queries.all_versions_of_table(table)
    if asked:
        found = next((one for one in versions if str(one.version) == asked), None)
    else:
        found = queries.official_sheet(table) or queries.current_sheet(table)
    if found is None:
        raise Http404
    return found


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/signatures/", drawn_signatures_page, name="drawings"),
    path("scoresheets/<int:session>/<int:table>/recorded.pdf", recorded_sheet, name="recorded_sheet"),
]

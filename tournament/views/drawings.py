"""The drawn signatures of a sheet, for organisers and the chief judge alone; each look is in the audit log (Y4)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_GET

from tournament.bridge.rulesets import ruleset_of
from tournament.exports.drawn_signature import svg_path
from tournament.exports.scoresheet_papers import papers_of
from tournament.exports.scoresheet_recorded import recorded_pdf
from tournament.exports.scoresheet_recorded_rows import recorded_of
from tournament.models import Scoresheet, Table
from tournament.permissions import for_act
from tournament.queries import scoresheets as queries
from tournament.queries.seating import newest_prints, tables_to_print
from tournament.services import drawings as services
from tournament.services.seating_contents import require_unaltered
from tournament.views.scoresheets import table_or_404


@for_act("see_drawings")
@require_GET
def drawings(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """The signatures that count of the version asked for, else of the one that counts, else of the one in hand."""
    row = table_or_404(request.event, session, table)
    sheet = version_or_404(row, request.GET.get("version", ""))
    shown = [
        {"signature": one.signature, "path": svg_path(one.strokes or ())}
        for one in services.look_at(row, sheet, by=request.user)
    ]
    facts = {"stage": "scoresheets", "table": row, "sheet": sheet, "serial": queries.serial(row), "shown": shown}
    return render(request, "signing/drawings.html", facts)


@for_act("see_drawings")
@require_GET
def recorded_sheet(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """A locked version as it was recorded, its signatures as lines in a PDF: a look at them like any other (Y4).

    Head and names are those of the paper that was printed; where there was none, those of now, and the page says so.
    """
    row = table_or_404(request.event, session, table)
    sheet = version_or_404(row, request.GET.get("version", ""))
    if not sheet.locked:
        raise Http404
    shown = [(one.signature, one.strokes) for one in services.look_at(row, sheet, by=request.user)]
    stage = row.session.stage
    tables = tables_to_print(stage, session, table)
    address = request.build_absolute_uri(reverse("scoresheet", args=[request.event.slug, session, table]))
    prints = newest_prints([row.session])
    require_unaltered(prints.values())
    [paper] = papers_of(tables, prints, ruleset_of(stage).games, lambda _table, _number: address)
    pdf = recorded_pdf(recorded_of(paper, sheet, queries.games_of(sheet), shown, queries.stamp_of(sheet)))
    name = f"{queries.serial(row)}-v{sheet.version}.pdf"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(pdf, content_type="application/pdf", headers=headers)


def version_or_404(table: Table, asked: str) -> Scoresheet:
    """The version."""
    versions = queries.versions_of(table)
    if asked:
        found = next((one for one in versions if str(one.version) == asked), None)
    else:
        found = queries.official_sheet(table) or queries.current_sheet(table)
    if found is None:
        raise Http404
    return found


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/signatures/", drawings, name="drawings"),
    path("scoresheets/<int:session>/<int:table>/recorded.pdf", recorded_sheet, name="recorded_sheet"),
]

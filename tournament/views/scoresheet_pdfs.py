"""Scoresheets to print: one table's, a session's, all."""

from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from tournament.bridge.rulesets import ruleset_of
from tournament.errors import Refused
from tournament.exports.scoresheet_pdf import PrintedSeat, PrintedSheet, scoresheets_pdf
from tournament.models import Entrant, Session, Stage, Table
from tournament.permissions import for_act
from tournament.queries import seating as queries


@require_safe
@for_act("print_scoresheets")
def all_scoresheets_pdf(request: HttpRequest) -> HttpResponse:
    """Every sheet of the sessions whose seats are confirmed."""
    stage = queries.stage_of(request.event)
    return _printed(request, stage, queries.tables_to_print(stage), "scoresheets.pdf")


@require_safe
@for_act("print_scoresheets")
def session_scoresheets_pdf(request: HttpRequest, session: int) -> HttpResponse:
    """One session's sheets."""
    stage = queries.stage_of(request.event)
    found = _session(stage, session)
    return _printed(request, stage, queries.tables_to_print(stage, session), f"scoresheets-{found.code}.pdf")


@require_safe
@for_act("print_scoresheets")
def scoresheet_pdf(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """One table's sheet."""
    stage = queries.stage_of(request.event)
    found = _session(stage, session)
    tables = queries.tables_to_print(stage, session, table)
    if not tables:
        raise Http404
    return _printed(request, stage, tables, f"scoresheet-{found.code}-{table:02d}.pdf")


def _session(stage: Stage, number: int) -> Session:
    session = queries.sessions_of(stage).filter(number=number).first()
    if session is None:
        raise Http404
    return session


def _printed(request: HttpRequest, stage: Stage, tables: Sequence[Table], name: str) -> HttpResponse:
    """The file; an unconfirmed draw may still be replaced, so its sheets are not printed."""
    confirmed = [table for table in tables if table.session.draw.confirmed_at]
    if not confirmed:
        raise Refused(
            "nothing_to_print", _("Nothing to print yet: a scoresheet is printed when the seats are confirmed."), stage
        )
    ruleset = ruleset_of(stage)
    sheets = [_sheet(request, table, ruleset.games) for table in confirmed]
    response = HttpResponse(scoresheets_pdf(sheets), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _sheet(request: HttpRequest, table: Table, games: int | None) -> PrintedSheet:
    """One table's values. A ruleset without a number of games plays as many as there are players (twist)."""
    session = table.session
    event = session.stage.event
    seats = {seat.letter: _seat(seat.entrant) for seat in table.seats.all()}
    starts, ends = timezone.localtime(session.play_at), timezone.localtime(session.ends_at)
    page = reverse("scoresheet", args=[event.slug, session.number, table.number])
    return PrintedSheet(
        event_zh=event.name_zh,
        event_en=event.name_en,
        stage=session.stage.kind,
        day=starts.date(),
        session=session.number_of_day,
        starts=starts.time(),
        ends=ends.time(),
        table=table.number,
        referee=(table.referee.first_name or table.referee.username) if table.referee else "",
        games=games or len(seats),
        seats=seats,
        serial=f"{session.code}-{table.number:02d}",
        url=settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page),
    )


def _seat(entrant: Entrant) -> PrintedSeat:
    person = entrant.person
    if person.name_zh:
        return PrintedSeat(entrant.number, person.name_zh, person.name_en)
    return PrintedSeat(entrant.number, person.name_en)


urlpatterns = [
    path("scoresheets/scoresheets.pdf", all_scoresheets_pdf, name="all_scoresheets_pdf"),
    path("scoresheets/<int:session>/scoresheets.pdf", session_scoresheets_pdf, name="session_scoresheets_pdf"),
    path("scoresheets/<int:session>/<int:table>/scoresheet.pdf", scoresheet_pdf, name="scoresheet_pdf"),
]

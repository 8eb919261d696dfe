"""Scoresheets at the desk: the sessions with their progress, and a session's board of tables."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.bridge.scoresheets_heading import read_asked
from tournament.enums import StageKind
from tournament.errors import Refused
from tournament.models import Session, Stage
from tournament.permissions import allowed, for_act
from tournament.queries import clock as clock_queries
from tournament.queries import scoresheets as queries
from tournament.queries.finalists import rounds_in_order
from tournament.queries.session_life import life_of
from tournament.views.clock import clock_of
from tournament.views.scoresheets import judge_print, rights


# --- The sessions ---------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_safe
def scoresheets(request: HttpRequest) -> HttpResponse:
    """Every session with its progress, the final first once a session of it is drawn; a field that goes to a sheet by
    its serial."""
    if found := asked(request, None):
        return found
    by_stage = groupby(queries.progress(request.event), lambda row: row.session.stage)
    groups = [
        {
            "kind": stage.kind,
            "final": stage.kind == StageKind.FINAL,
            "rounds": stage.rounds if stage.kind == StageKind.FINAL else 1,
            "percent": stage.second_typing_percent,
            "rows": in_order(stage, list(rows)),
        }
        for stage, rows in by_stage
    ]
    groups.sort(key=lambda group: not (group["final"] and any(row.drawn for row in group["rows"])))
    shown = {
        "stage": "scoresheets",
        "groups": groups,
        "may_set_up": allowed(request.roles, "set_up_event"),
    }
    return render(request, "scoresheets/scoresheets.html", shown)


def in_order(stage: Stage, rows: list[Any]) -> list[Any]:
    """Of a final round by round: a replay where the session was that it replays, void ones behind all."""
    if stage.kind != StageKind.FINAL or stage.rounds == 1:
        return rows
    places = {one.pk: place for place, one in enumerate(rounds_in_order(stage))}
    return sorted(rows, key=lambda row: places.get(row.session.pk, len(rows)))


@for_act("see_scoresheets")
@require_safe
def session_scoresheets(request: HttpRequest, session: int) -> HttpResponse:
    """A session's tables with the state of each sheet, what is next, and the stamp."""
    row = queries.find_session(request.event, session)
    if row is None:
        raise Http404
    if found := asked(request, row):
        return found
    board = queries.board(row)
    after = int(request.GET["after"]) if request.GET.get("after", "").isdecimal() else 0
    drawn = queries.is_drawn(row)
    shown = {
        "stage": "scoresheets",
        "session": row,
        "board": board,
        "drawn": drawn,
        "clock": clock_of(row, clock_queries.events_of(row), request.roles, life_of(row)),
        "after": after,
        "longest": request.GET.get("order") == "longest",
        "to_type": board.to_type(after),
        "to_check": board.to_check(request.user.pk, after),
        "to_type_again": board.to_type_again(request.user.pk, after),
        "may": rights(request),
    }
    return render(request, "scoresheets/session_scoresheets.html", shown)


def asked(request: HttpRequest, here: Session | None) -> HttpResponse | None:
    """To the sheet that `?find=` names: a table of this session, a serial, or the address of its QR code."""
    text = request.GET.get("find", "").strip()
    if not text:
        return None
    wanted = read_asked(text)
    table = None
    if wanted and wanted.month:
        table = queries.find_by_serial(
            request.event, wanted.month, wanted.day or 0, wanted.number_of_day or 0, wanted.table
        )
    elif wanted and (wanted.session or here):
        table = queries.find_table(request.event, wanted.session or here.number, wanted.table)
    if table:
        try:
            judge_print(table, wanted.paper if wanted else None)
        except Refused as refusal:
            messages.warning(request, str(refusal))
            return None
        page = redirect("scoresheet", request.event.slug, table.session.number, table.number)
        page["Location"] += f"?print={wanted.paper}" if wanted and wanted.paper else ""
        return page
    messages.warning(
        request,
        _('No scoresheet "%(text)s" here. Type a table number or a serial such as 0406-3-06.') % {"text": text[:80]},
    )
    return None


urlpatterns = [
    path("scoresheets/", scoresheets, name="scoresheets"),
    path("scoresheets/<int:session>/", session_scoresheets, name="session_scoresheets"),
]

"""Scoresheets at the desk: the sessions with their progress, and a session's board of tables."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.events.queries import rounds_in_order
from tournament.scoresheets.views.clock_shown import session_clock_of
from tournament.scoresheets.views.scoresheet_rights import judge_print, scoresheet_rights
from tournament.sheets.domain.heading import read_requested_sheet
from tournament.sheets.queries import clock as clock_queries
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.session_life import session_life_of
from tournament.tables.queries import seating


# --- The sessions ---------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_safe
def scoresheet_board(request: EventRequest) -> HttpResponse:
    """Every session with its progress, the final first once a session of it is drawn; a field that goes to a sheet by
    its serial."""
    if found := redirect_to_found_sheet(request, None):
        return found
    by_stage = groupby(queries.session_progress_list(request.event), lambda row: row.session.stage)
    groups = [
        {
            "kind": stage.kind,
            "final": not stage.is_first,
            "rounds": stage.rounds,
            "percent": stage.second_typing_percent,
            "rows": sessions_in_round_order(stage, list(rows)),
        }
        for stage, rows in by_stage
    ]
    groups.sort(key=lambda group: not (group["final"] and any(row.drawn for row in group["rows"])))
    shown = {
        "stage": "scoresheets",
        "groups": groups,
        "may_set_up": is_act_allowed(request.roles, "set_up_event"),
    }
    return render(request, "scoresheets/scoresheets.html", shown)


def sessions_in_round_order(stage: Stage, rows: list[Any]) -> list[Any]:
    """Of a final round by round: a replay where the session was that it replays, void ones behind all."""
    if stage.rounds == 1:
        return rows
    places = {one.pk: place for place, one in enumerate(rounds_in_order(stage))}
    return sorted(rows, key=lambda row: places.get(row.session.pk, len(rows)))


@for_act("see_scoresheets")
@require_safe
def session_scoresheets(request: EventRequest, session: int) -> HttpResponse:
    """A session's tables with the state of each sheet, what is next, and the stamp."""
    row = queries.find_session_of_event(request.event, session)
    if row is None:
        raise Http404
    if found := redirect_to_found_sheet(request, row):
        return found
    board = queries.session_board(row)
    after = int(request.GET["after"]) if request.GET.get("after", "").isdecimal() else 0
    drawn = seating.is_draw_confirmed(row)
    shown = {
        "stage": "scoresheets",
        "session": row,
        "board": board,
        "drawn": drawn,
        "clock": session_clock_of(row, clock_queries.clock_events_of_session(row), request.roles, session_life_of(row)),
        "after": after,
        "longest": request.GET.get("order") == "longest",
        "to_type": board.to_type(after),
        "to_check": board.to_check(request.user.pk, after),
        "to_type_again": board.to_type_again(request.user.pk, after),
        "may": scoresheet_rights(request),
    }
    return render(request, "scoresheets/session_scoresheets.html", shown)


def redirect_to_found_sheet(request: EventRequest, here: Session | None) -> HttpResponse | None:
    """To the sheet that `?find=` names: a table of this session, a serial, or the address of its QR code."""
    text = request.GET.get("find", "").strip()
    if not text:
        return None
    wanted = read_requested_sheet(text)
    table = None
    if wanted and wanted.month:
        table = queries.find_table_by_serial(
            request.event, wanted.month, wanted.day or 0, wanted.number_of_day or 0, wanted.table
        )
    elif wanted and (session := wanted.session or (here.number if here else None)):
        table = queries.find_table_of_event(request.event, session, wanted.table)
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
    path("scoresheets/", scoresheet_board, name="scoresheets"),
    path("scoresheets/<int:session>/", session_scoresheets, name="session_scoresheets"),
]

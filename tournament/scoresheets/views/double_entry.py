"""The second typing's pages: an empty form for another account, then only the differing cells for a third look."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.core.enums import SheetState
from tournament.core.errors import Refused, StaleVersion
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets.views.scoresheet_rights import scanned_paper, scoresheet_rights
from tournament.scoresheets.views.scoresheets import (
    is_live,
    sent_revision,
    side_by_side,
    table_or_404,
)
from tournament.scoresheets.views.sheet_forms import chosen_form, empty_sheet, sent_games, turn_lines_shown
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.double_entry import DoubleEntryComparison, DoubleEntryStatus, merge_adjudicated_cells
from tournament.sheets.domain.fields import typed_sheet_from_fields
from tournament.sheets.forms.adjudication import read_adjudicated_cells, read_double_entry_percent
from tournament.sheets.forms.heading import heading_on_page
from tournament.sheets.forms.scoresheets import (
    AS_ON_PAPER_REASON,
    apply_fix_offer,
    cell_differences,
    read_confirmations,
)
from tournament.sheets.forms.sheet_grid import build_sheet_grid
from tournament.sheets.forms.sheet_sentences import problem_sentences
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.values import value_setters_of
from tournament.sheets.services import double_entry as services
from tournament.tables.models import Table


@for_act("certify_scoresheet")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def double_entry_page(request: EventRequest, session: int, table: int) -> HttpResponse:
    """Typed blind while it is wanted; decided cell by cell where the two differ; else to the sheet."""
    row = table_or_404(request.event, session, table)
    sheet = queries.current_sheet(row)
    if request.method == "POST" and request.POST.get("do", "settle") == "settle":
        return handle_adjudication(request, row, sheet)
    if request.method == "POST":
        require_act(request.roles, "type_scoresheet")
        return handle_double_entry_post(request, row, sheet)
    stand = services.double_entry_status(row, sheet) if sheet and sheet.state == SheetState.READY else None
    if sheet and stand and stand.stand is DoubleEntryStatus.DIFFERS:
        return render_adjudication(request, row, sheet, stand)
    wanted = stand is not None and stand.stand is DoubleEntryStatus.WANTED
    if sheet is None or not wanted or request.user.pk in value_setters_of(sheet):
        return redirect("scoresheet", request.event.slug, session, table)
    if not is_act_allowed(request.roles, "type_scoresheet"):
        return render(request, "scoresheets/second_wanted.html", double_entry_base_context(row, sheet))
    second = queries.double_entry_of(sheet)
    mine = second if second and second.typed_by_id == request.user.pk and second.form == sheet.form else None
    typed = mine.typed if mine else empty_sheet(row)
    return render_double_entry(request, row, sheet, second, typed, shown_own=mine is not None)


def double_entry_base_context(table: Table, sheet: Scoresheet | None) -> dict[str, Any]:
    """What every page here says of the sheet, and no value of it."""
    return {"stage": "scoresheets", "table": table, "serial": queries.sheet_serial(table), "first": sheet}


# --- Typing blind ---------------------------------------------------------------------------------------
def handle_double_entry_post(request: EventRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """Save, hand in, a fault's way out, or only: judge it."""
    do = request.POST.get("do", "save")
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        sent = apply_fix_offer(sent, do.removeprefix("offer:"))
    typed = typed_sheet_from_fields(sent, sent_games(sent, table))
    second = queries.double_entry_of(sheet) if sheet else None
    if sheet and do not in ("save", "submit"):
        return render_double_entry(request, table, sheet, second, typed, revision=sent_revision(request))
    try:
        second = services.save_second_entry(
            table,
            revision=sent_revision(request),
            typed=typed,
            done=do == "submit",
            by=request.user,
            request_key=request.POST.get("request_key", ""),
        )
    except StaleVersion as refusal:
        return render_changed_double_entry(request, table, refusal, typed)
    except Refused as refusal:
        if refusal.code == "second_typing_done":
            return render_changed_double_entry(request, table, refusal, typed)
        if sheet is None:
            raise
        # The draft as this very act left it, not as somebody may have saved it since.
        mine = refusal.about if isinstance(refusal.about, DoubleEntry) else None
        seen = mine.revision if mine else sent_revision(request)
        return render_double_entry(request, table, sheet, mine or second, typed, refusal=refusal, revision=seen)
    if sheet and is_live(request):
        return render_double_entry(request, table, sheet, second, typed)
    serial = {"serial": queries.sheet_serial(table)}
    if do == "save":
        messages.success(request, _("%(serial)s is saved as a draft.") % serial)
        return redirect("type_scoresheet_again", request.event.slug, table.session.number, table.number)
    messages.success(request, _("%(serial)s has been typed a second time.") % serial)
    board = redirect("session_scoresheets", request.event.slug, table.session.number)
    board["Location"] += f"?after={table.number}"
    return board


def render_changed_double_entry(
    request: HttpRequest, table: Table, refusal: Refused, typed: Mapping[str, Any]
) -> HttpResponse:
    """Two accounts at the second typing: what the other has typed of the same paper beside one's own."""
    sheet = queries.current_sheet(table)
    second = queries.double_entry_of(sheet) if sheet else None
    action = "type_scoresheet_again" if isinstance(refusal, StaleVersion) else ""
    return side_by_side(request, table, refusal, chosen_form(table, None, sheet), typed, second, action)


def render_double_entry(
    request: EventRequest,
    table: Table,
    sheet: Scoresheet,
    second: DoubleEntry | None,
    typed: Mapping[str, Any],
    refusal: Refused | None = None,
    revision: int | None = None,
    shown_own: bool = True,
) -> HttpResponse:
    """The same grid as the first typist's, in the same form, with nothing of the first one's."""
    seats = queries.seats_as_judged(table)
    check = (
        bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), sheet.form, typed, seats) if shown_own else None
    )
    said = [one for one in problem_sentences(check.problems) if not one.look] if check else []
    shown = {
        **double_entry_base_context(table, sheet),
        "sheet": second if shown_own else None,
        "revision": revision if revision is not None else (second.revision if second else 0),
        "form": sheet.form,
        "grid": build_sheet_grid(sheet.form, typed, seats, check, said, turn_lines_shown(request)),
        "judged": shown_own,
        "head": heading_on_page(table, typed, scanned_paper(request)),
        "scans": queries.scans_of(table),
        "back": "again",
        "again": True,
        "action": "type_scoresheet_again",
        "refusal": refusal,
        "kept_as_draft": refusal is not None and isinstance(refusal.about, DoubleEntry),
        "may": scoresheet_rights(request),
        "as_on_paper": AS_ON_PAPER_REASON,
    }
    template = "scoresheets/_typing.html" if is_live(request) else "scoresheets/scoresheet.html"
    return render(request, template, shown, status=refusal.status if refusal else 200)


# --- The third look -------------------------------------------------------------------------------------
def handle_adjudication(request: EventRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """Every differing cell as decided; then to the second person's page."""
    choices = read_adjudicated_cells(request.POST)
    try:
        services.adjudicate_double_entry(
            table,
            revision=sent_revision(request),
            choices=choices,
            confirmations=read_confirmations(request.POST),
            by=request.user,
            request_key=request.POST.get("request_key", ""),
        )
    except Refused as refusal:
        stand = services.double_entry_status(table, sheet) if sheet and sheet.state == SheetState.READY else None
        if sheet is None or stand is None or stand.stand is not DoubleEntryStatus.DIFFERS:
            messages.warning(request, str(refusal))
            return redirect("scoresheet", request.event.slug, table.session.number, table.number)
        return render_adjudication(request, table, sheet, stand, refusal, choices)
    messages.success(request, _("%(serial)s: every cell is decided.") % {"serial": queries.sheet_serial(table)})
    return redirect("check_scoresheet", request.event.slug, table.session.number, table.number)


def render_adjudication(
    request: HttpRequest,
    table: Table,
    sheet: Scoresheet,
    stand: DoubleEntryComparison,
    refusal: Refused | None = None,
    choices: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Only the cells that differ, both texts side by side, nothing chosen beforehand."""
    second = queries.double_entry_of(sheet)
    found = cell_differences(sheet.typed, second.typed) if second else []
    kept = choices or {}
    said = []
    if refusal and refusal.code == "scoresheet_has_faults":
        typed = bridge.clean_typed(merge_adjudicated_cells(sheet.typed, kept))
        check = bridge.check_typed_sheet(
            ruleset_of_stage(table.session.stage), sheet.form, typed, queries.seats_as_judged(table)
        )
        notes = {**sheet.confirmations, **read_confirmations(request.POST)}
        said = [one for one in problem_sentences(check.problems, notes) if not one.look or one.waits]
    shown = {
        **double_entry_base_context(table, sheet),
        "second": second,
        "cells": [(one, kept.get(one.name)) for one in found if one.name in stand.cells],
        "said": said,
        "refusal": refusal,
        "may_decide": second is not None and request.user.pk not in (*value_setters_of(sheet), second.typed_by_id),
    }
    return render(request, "scoresheets/third_look.html", shown, status=refusal.status if refusal else 200)


# --- The setting ----------------------------------------------------------------------------------------
@for_act("set_up_event")
@require_POST
def set_double_entry_view(request: EventRequest) -> HttpResponse:
    """Which share of the sheets is typed twice."""
    asked = {"kind": request.POST["stage"]} if "stage" in request.POST else {"order": 1}
    stage = get_object_or_404(request.event.stages.all(), **asked)
    percent = services.set_double_entry_percent(stage, percent=read_double_entry_percent(request.POST), by=request.user)
    messages.success(request, _("Second typing: %(percent)s%% of the scoresheets.") % {"percent": percent})
    return redirect("scoresheets", request.event.slug)


urlpatterns = [
    path("scoresheets/second-typing/", set_double_entry_view, name="set_second_typing"),
    path("scoresheets/<int:session>/<int:table>/again/", double_entry_page, name="type_scoresheet_again"),
]

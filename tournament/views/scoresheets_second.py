"""The second typing's pages: an empty form for another account, then only the differing cells for a third look."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets_fields import from_fields
from tournament.bridge.scoresheets_second import SecondStand, Stand, merged
from tournament.enums import SheetState, StageKind
from tournament.errors import Refused, StaleVersion
from tournament.form_keys import keyed_by_service
from tournament.forms.scoresheets import AS_ON_PAPER, differences, read_confirmations, take_offer
from tournament.forms.scoresheets_heading import head_of
from tournament.forms.scoresheets_second import read_choices, read_percent
from tournament.forms.sheet_grid import grid_of
from tournament.forms.sheet_sentences import sentences
from tournament.models import Scoresheet, SecondTyping, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import scoresheets as queries
from tournament.queries.scoresheets_values import setters_of
from tournament.services import scoresheets_second as services
from tournament.views.scoresheets import (
    game_count,
    is_live,
    rights,
    scanned_paper,
    sent_games,
    sent_revision,
    side_by_side,
    table_or_404,
)


@for_act("certify_scoresheet")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def type_scoresheet_again(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """Typed blind while it is wanted; decided cell by cell where the two differ; else to the sheet."""
    row = table_or_404(request.event, session, table)
    sheet = queries.current_sheet(row)
    if request.method == "POST" and request.POST.get("do", "settle") == "settle":
        return settled(request, row, sheet)
    if request.method == "POST":
        require(request.roles, "type_scoresheet")
        return typed_again(request, row, sheet)
    stand = services.stand_now(row, sheet) if sheet and sheet.state == SheetState.READY else None
    if sheet and stand and stand.stand is Stand.DIFFERS:
        return third_look(request, row, sheet, stand)
    wanted = stand is not None and stand.stand is Stand.WANTED
    if sheet is None or not wanted or request.user.pk in setters_of(sheet):
        return redirect("scoresheet", request.event.slug, session, table)
    if not allowed(request.roles, "type_scoresheet"):
        return render(request, "scoresheets/second_wanted.html", base(row, sheet))
    second = queries.second_typing_of(sheet)
    mine = second if second and second.typed_by_id == request.user.pk and second.form == sheet.form else None
    typed = mine.typed if mine else bridge.empty_typed(game_count(row))
    return typing_page(request, row, sheet, second, typed, shown_own=mine is not None)


def base(table: Table, sheet: Scoresheet | None) -> dict[str, Any]:
    """What every page here says of the sheet, and no value of it."""
    return {"stage": "scoresheets", "table": table, "serial": queries.serial(table), "first": sheet}


# --- Typing blind ---------------------------------------------------------------------------------------
def typed_again(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """Save, hand in, a fault's way out, or only: judge it."""
    do = request.POST.get("do", "save")
    sent: Mapping[str, str] = request.POST.dict()
    if do.startswith("offer:"):
        sent = take_offer(sent, do.removeprefix("offer:"))
    typed = from_fields(sent, sent_games(sent, table))
    second = queries.second_typing_of(sheet) if sheet else None
    if sheet and do not in ("save", "submit"):
        return typing_page(request, table, sheet, second, typed, revision=sent_revision(request))
    try:
        second = services.type_again(
            table,
            revision=sent_revision(request),
            typed=typed,
            done=do == "submit",
            by=request.user,
            request_key=request.POST.get("request_key", ""),
        )
    except StaleVersion as refusal:
        return changed_page(request, table, refusal, typed)
    except Refused as refusal:
        if refusal.code == "second_typing_done":
            return changed_page(request, table, refusal, typed)
        if sheet is None:
            raise
        # The draft as this very act left it, not as somebody may have saved it since.
        mine = refusal.about if isinstance(refusal.about, SecondTyping) else None
        seen = mine.revision if mine else sent_revision(request)
        return typing_page(request, table, sheet, mine or second, typed, refusal=refusal, revision=seen)
    if sheet and is_live(request):
        return typing_page(request, table, sheet, second, typed)
    serial = {"serial": queries.serial(table)}
    if do == "save":
        messages.success(request, _("%(serial)s is saved as a draft.") % serial)
        return redirect("type_scoresheet_again", request.event.slug, table.session.number, table.number)
    messages.success(request, _("%(serial)s has been typed a second time.") % serial)
    board = redirect("session_scoresheets", request.event.slug, table.session.number)
    board["Location"] += f"?after={table.number}"
    return board


def changed_page(request: HttpRequest, table: Table, refusal: Refused, typed: Mapping[str, Any]) -> HttpResponse:
    """Two accounts at the second typing: what the other has typed of the same paper beside one's own."""
    sheet = queries.current_sheet(table)
    second = queries.second_typing_of(sheet) if sheet else None
    action = "type_scoresheet_again" if isinstance(refusal, StaleVersion) else ""
    return side_by_side(request, table, refusal, sheet.form if sheet else "paper", typed, second, action)


def typing_page(
    request: HttpRequest,
    table: Table,
    sheet: Scoresheet,
    second: SecondTyping | None,
    typed: Mapping[str, Any],
    refusal: Refused | None = None,
    revision: int | None = None,
    shown_own: bool = True,
) -> HttpResponse:
    """The same grid as the first typist's, in the same form, with nothing of the first one's."""
    seats = queries.seats_of(table)
    check = bridge.judge(ruleset_of(table.session.stage), sheet.form, typed, seats) if shown_own else None
    said = [one for one in sentences(check.problems) if not one.look] if check else []
    shown = {
        **base(table, sheet),
        "sheet": second if shown_own else None,
        "revision": revision if revision is not None else (second.revision if second else 0),
        "form": sheet.form,
        "grid": grid_of(sheet.form, typed, seats, check, said),
        "judged": shown_own,
        "head": head_of(table, typed, scanned_paper(request)),
        "scans": queries.scans_of(table),
        "back": "again",
        "again": True,
        "action": "type_scoresheet_again",
        "refusal": refusal,
        "kept_as_draft": refusal is not None and isinstance(refusal.about, SecondTyping),
        "may": rights(request),
        "as_on_paper": AS_ON_PAPER,
    }
    template = "scoresheets/_typing.html" if is_live(request) else "scoresheets/scoresheet.html"
    return render(request, template, shown, status=refusal.status if refusal else 200)


# --- The third look -------------------------------------------------------------------------------------
def settled(request: HttpRequest, table: Table, sheet: Scoresheet | None) -> HttpResponse:
    """Every differing cell as decided; then to the second person's page."""
    choices = read_choices(request.POST)
    try:
        services.settle(
            table,
            revision=sent_revision(request),
            choices=choices,
            confirmations=read_confirmations(request.POST),
            by=request.user,
            request_key=request.POST.get("request_key", ""),
        )
    except Refused as refusal:
        stand = services.stand_now(table, sheet) if sheet and sheet.state == SheetState.READY else None
        if sheet is None or stand is None or stand.stand is not Stand.DIFFERS:
            messages.warning(request, str(refusal))
            return redirect("scoresheet", request.event.slug, table.session.number, table.number)
        return third_look(request, table, sheet, stand, refusal, choices)
    messages.success(request, _("%(serial)s: every cell is decided.") % {"serial": queries.serial(table)})
    return redirect("check_scoresheet", request.event.slug, table.session.number, table.number)


def third_look(
    request: HttpRequest,
    table: Table,
    sheet: Scoresheet,
    stand: SecondStand,
    refusal: Refused | None = None,
    choices: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Only the cells that differ, both texts side by side, nothing chosen beforehand."""
    second = queries.second_typing_of(sheet)
    found = differences(sheet.typed, second.typed) if second else []
    kept = choices or {}
    said = []
    if refusal and refusal.code == "scoresheet_has_faults":
        typed = bridge.clean_typed(merged(sheet.typed, kept))
        check = bridge.judge(ruleset_of(table.session.stage), sheet.form, typed, queries.seats_of(table))
        notes = {**sheet.confirmations, **read_confirmations(request.POST)}
        said = [one for one in sentences(check.problems, notes) if not one.look or one.waits]
    shown = {
        **base(table, sheet),
        "second": second,
        "cells": [(one, kept.get(one.name)) for one in found if one.name in stand.cells],
        "said": said,
        "refusal": refusal,
        "may_decide": second is not None and request.user.pk not in (*setters_of(sheet), second.typed_by_id),
    }
    return render(request, "scoresheets/third_look.html", shown, status=refusal.status if refusal else 200)


# --- The setting ----------------------------------------------------------------------------------------
@for_act("set_up_event")
@require_POST
def set_second_typing(request: HttpRequest) -> HttpResponse:
    """Which share of the sheets is typed twice."""
    stage = get_object_or_404(request.event.stages.all(), kind=request.POST.get("stage", StageKind.PRELIMINARY))
    percent = services.set_second_typing(stage, percent=read_percent(request.POST), by=request.user)
    messages.success(request, _("Second typing: %(percent)s%% of the scoresheets.") % {"percent": percent})
    return redirect("scoresheets", request.event.slug)


urlpatterns = [
    path("scoresheets/second-typing/", set_second_typing, name="set_second_typing"),
    path("scoresheets/<int:session>/<int:table>/again/", type_scoresheet_again, name="type_scoresheet_again"),
]

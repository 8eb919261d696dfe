"""A locked sheet's correction: begun, typed, its effect shown, proposed by one and approved by the other."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.core.enums import SheetState
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.scoresheets import domain as bridge
from tournament.scoresheets import queries
from tournament.scoresheets.forms import changed_cells, crossing_field, read_crossing
from tournament.scoresheets.models import Correction
from tournament.scoresheets.services import corrections as services
from tournament.scoresheets.views.scoresheets import sent_revision, sheet_read_only_context, table_or_404
from tournament.sheets.queries.scoresheets import official_sheet, sheet_serial
from tournament.sheets.queries.values import value_setters_of
from tournament.sheets.services import signing
from tournament.tables.models import Table


@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def correction_page(request: EventRequest, session: int, table: int) -> HttpResponse:
    """The correction in hand of one sheet with all that it would change, and those there were."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        require_act(request.roles, "correct_scoresheet")
        return handle_correction_post(request, row)
    return render_correction(request, row)


def handle_correction_post(request: EventRequest, table: Table) -> HttpResponse:
    """Begin, propose, approve, send back, give up; a refusal shows the page as things stand, with the reason kept."""
    act: dict[str, Any] = {"by": request.user, "request_key": request.POST.get("request_key", "")}
    seen: dict[str, Any] = {**act, "revision": sent_revision(request)}
    reason, crossing = request.POST.get("reason", ""), read_crossing(request.POST)
    place = (request.event.slug, table.session.number, table.number)
    do, named = request.POST.get("do", ""), {"serial": sheet_serial(table)}
    try:
        if do == "propose":
            services.propose_correction(table, crossing=crossing, **seen)
            messages.success(
                request, _("The correction of %(serial)s is proposed; the other of the two approves it.") % named
            )
        elif do == "approve":
            services.approve_correction(
                table, crossing=crossing, heading_seen=bool(request.POST.get("heading-seen")), **seen
            )
            messages.success(request, _("The new version of %(serial)s counts. It needs the stamp again.") % named)
        elif do == "send_back":
            signing.reject_scoresheet(table, reason=reason, **seen)
            messages.success(request, _("%(serial)s went back to its typist.") % named)
        elif do == "give_up":
            services.abandon_correction(table, reason=reason, **seen)
            messages.success(request, _("The correction of %(serial)s is given up; the locked version counts.") % named)
        else:
            services.begin_correction(table, reason=reason, **act)
            messages.success(request, _("A new version of %(serial)s is begun. The locked one stays as it is.") % named)
            if not is_act_allowed(request.roles, "type_scoresheet"):
                return redirect("correction", *place)
            return redirect("scoresheet", *place)
    except Refused as refusal:
        return render_correction(request, table, refusal)
    return redirect("correction", *place)


def render_correction(request: EventRequest, table: Table, refusal: Refused | None = None) -> HttpResponse:
    """Both versions cell by cell, both rankings entrant by entrant, and who agrees to it."""
    found = queries.correction_in_hand(table)
    counts = official_sheet(table)
    sheet = found.scoresheet if found else counts
    waits = found is not None and found.scoresheet.state == SheetState.READY
    stands = found is not None and counts is not None and counts.pk == found.supersedes_id
    effect = None
    if found is not None and counts is not None and waits and stands:
        effect = bridge.correction_effect(table.session.stage, counts, found.scoresheet)
    sees_ranks = is_act_allowed(request.roles, "see_standings")
    release = queries.release_in_force(table.session.stage)
    shown: dict[str, Any] = {
        **sheet_read_only_context(request, table, sheet),
        "stage": "corrections",
        "in_hand": found,
        "counts": counts,
        "effect": effect,
        "sees_ranks": sees_ranks,
        "crossing": crossing_field(effect) if sees_ranks else "",
        "cells": changed_cells(found.supersedes, found.scoresheet) if found else [],
        "proposal": found if found and is_proposed(found) else None,
        **correction_buttons(request.user, found),
        "past": [one for one in queries.corrections_of_table(table) if one != found],
        "release": release,
        "outdated": release is not None
        and any(session_code_and_table(table) == one[:2] for one in queries.sheets_recounted_since(release)),
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "scoresheets/corrections/correction.html", shown, status=refusal.status if refusal else 200)


def correction_buttons(user: Any, found: Correction | None) -> dict[str, bool]:
    """Which of the two buttons there is: who set values of the version proposes it and never approves it."""
    if found is None:
        return {"may_approve": False, "may_propose": False}
    sets, proposed = user.pk in value_setters_of(found.scoresheet), is_proposed(found)
    others = proposed and found.proposed_by_id != user.pk
    return {
        "may_approve": others and not sets,
        "may_propose": not proposed or services.may_replace_proposer(found.scoresheet, found, user),
    }


def is_proposed(found: Correction) -> bool:
    """Whether somebody has proposed the very values that wait now."""
    waits = found.scoresheet.state == SheetState.READY
    return waits and found.proposed_by_id is not None and found.proposed_digest == found.scoresheet.digest


def session_code_and_table(table: Table) -> tuple[str, int]:
    """A table as a release names it."""
    return table.session.code, table.number


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/correction/", correction_page, name="correction"),
]

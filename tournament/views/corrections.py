"""A locked sheet's correction: begun, typed, its effect shown, proposed by one and approved by the other."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge import corrections as bridge
from tournament.enums import SheetState
from tournament.errors import Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.corrections import changed_cells, crossing_field, read_crossing
from tournament.models import Correction, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import corrections as queries
from tournament.queries.scoresheets import official_sheet, serial
from tournament.queries.scoresheets_values import setters_of
from tournament.services import corrections as services
from tournament.services import signing
from tournament.views.scoresheets import sent_revision, standing, table_or_404


@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
@keyed_by_service
def correction(request: HttpRequest, session: int, table: int) -> HttpResponse:
    """The correction in hand of one sheet with all that it would change, and those there were."""
    row = table_or_404(request.event, session, table)
    if request.method == "POST":
        require(request.roles, "correct_scoresheet")
        return decided(request, row)
    return correction_page(request, row)


def decided(request: HttpRequest, table: Table) -> HttpResponse:
    """Begin, propose, approve, send back, give up; a refusal shows the page as things stand, with the reason kept."""
    act = {"by": request.user, "request_key": request.POST.get("request_key", "")}
    seen = {**act, "revision": sent_revision(request)}
    reason, crossing = request.POST.get("reason", ""), read_crossing(request.POST)
    place = (request.event.slug, table.session.number, table.number)
    do, named = request.POST.get("do", ""), {"serial": serial(table)}
    try:
        if do == "propose":
            services.propose(table, crossing=crossing, **seen)
            messages.success(
                request, _("The correction of %(serial)s is proposed; the other of the two approves it.") % named
            )
        elif do == "approve":
            services.approve(table, crossing=crossing, heading_seen=bool(request.POST.get("heading-seen")), **seen)
            messages.success(request, _("The new version of %(serial)s counts. It needs the stamp again.") % named)
        elif do == "send_back":
            signing.reject(table, reason=reason, **seen)
            messages.success(request, _("%(serial)s went back to its typist.") % named)
        elif do == "give_up":
            services.give_up(table, reason=reason, **seen)
            messages.success(request, _("The correction of %(serial)s is given up; the locked version counts.") % named)
        else:
            services.begin(table, reason=reason, **act)
            messages.success(request, _("A new version of %(serial)s is begun. The locked one stays as it is.") % named)
            if not allowed(request.roles, "type_scoresheet"):
                return redirect("correction", *place)
            return redirect("scoresheet", *place)
    except Refused as refusal:
        return correction_page(request, table, refusal)
    return redirect("correction", *place)


def correction_page(request: HttpRequest, table: Table, refusal: Refused | None = None) -> HttpResponse:
    """Both versions cell by cell, both rankings entrant by entrant, and who agrees to it."""
    found = queries.correction_in_hand(table)
    counts = official_sheet(table)
    sheet = found.scoresheet if found else counts
    waits = found is not None and found.scoresheet.state == SheetState.READY
    stands = found is not None and counts is not None and counts.pk == found.supersedes_id
    effect = bridge.effect_of(table.session.stage, counts, found.scoresheet) if waits and stands else None
    sees_ranks = allowed(request.roles, "see_standings")
    release = queries.standing_release(table.session.stage)
    shown: dict[str, Any] = {
        **standing(request, table, sheet),
        "stage": "corrections",
        "in_hand": found,
        "counts": counts,
        "effect": effect,
        "sees_ranks": sees_ranks,
        "crossing": crossing_field(effect) if sees_ranks else "",
        "cells": changed_cells(found.supersedes, found.scoresheet) if found else [],
        "proposal": found if found and is_proposed(found) else None,
        **agreeing(request.user, found),
        "past": [one for one in queries.corrections_of(table) if one != found],
        "release": release,
        "outdated": release is not None and any(place_of(table) == one[:2] for one in queries.changed_since(release)),
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "corrections/correction.html", shown, status=refusal.status if refusal else 200)


def agreeing(user: Any, found: Correction | None) -> dict[str, bool]:
    """Which of the two buttons there is: who set values of the version proposes it and never approves it."""
    if found is None:
        return {"may_approve": False, "may_propose": False}
    sets, proposed = user.pk in setters_of(found.scoresheet), is_proposed(found)
    others = proposed and found.proposed_by_id != user.pk
    return {
        "may_approve": others and not sets,
        "may_propose": not proposed or services.may_take_over(found.scoresheet, found, user),
    }


def is_proposed(found: Correction) -> bool:
    """Whether somebody has proposed the very values that wait now."""
    waits = found.scoresheet.state == SheetState.READY
    return waits and found.proposed_by_id is not None and found.proposed_digest == found.scoresheet.digest


def place_of(table: Table) -> tuple[str, int]:
    """A table as a release names it."""
    return table.session.code, table.number


urlpatterns = [
    path("scoresheets/<int:session>/<int:table>/correction/", correction, name="correction"),
]

"""Seats: the sessions of each stage, their draws and confirmations, the list for the wall."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament.core import dateformat
from tournament.core.errors import BadInput, Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.models.stage import Session, Stage
from tournament.core.names import public_name
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.entrants.models.people import Person
from tournament.events.domain import ruleset_of_stage
from tournament.events.views import seating_session_or_404, sent_stage
from tournament.seating.forms import DrawAllForm, DrawForm, SeenDrawForm
from tournament.seating.services import seating as services
from tournament.seating.views.room import room_page
from tournament.seating.views.room import urlpatterns as room_urlpatterns
from tournament.tables import domain as bridge
from tournament.tables.queries import seating as queries


@require_safe
@for_act("see_seating")
def seating_overview_page(request: EventRequest) -> HttpResponse:
    """The sessions with their entrants, tables, seed and state; what is still missing before all are confirmed."""
    return _stages_page(request)


@require_POST
@for_act("draw_seats")
def draw_all_seats(request: EventRequest) -> HttpResponse:
    """Draw every session of a stage that is not, or all that are not confirmed."""
    stage = sent_stage(request)
    form = DrawAllForm(request.POST)
    if not form.is_valid():
        return _stages_page(request, stage, form, status=400)
    result = services.draw_all(
        stage, seed=form.cleaned_data["seed"], by=request.user, redraw=form.cleaned_data["redraw"]
    )
    message_stage_result(request, result, ngettext("%(n)s session drawn.", "%(n)s sessions drawn.", len(result.done)))
    return redirect("seating", request.event.slug)


@require_POST
@for_act("draw_seats")
def confirm_all_seats(request: EventRequest) -> HttpResponse:
    """Confirm every session of a stage that can be."""
    result = services.confirm_stage_draws(sent_stage(request), by=request.user)
    message_stage_result(
        request, result, ngettext("%(n)s session confirmed.", "%(n)s sessions confirmed.", len(result.done))
    )
    return redirect("seating", request.event.slug)


def message_stage_result(request: HttpRequest, result: services.AllSessions, sentence: str) -> None:
    """What was done; then each reason once, with the sessions that it held back."""
    messages.success(request, sentence % {"n": len(result.done)})
    held: dict[str, list[str]] = {}
    for session, refusal in result.left:
        held.setdefault(str(refusal), []).append(_session_text(session))
    for reason, sessions in held.items():
        messages.warning(request, _(", ").join(sessions) + _(": ") + reason)


def _session_text(session: Session) -> str:
    return dateformat.session_with_day_text(session.original_date, *session.name_of_day)


def _stages_page(
    request: EventRequest, asked: Stage | None = None, form: DrawAllForm | None = None, status: int = 200
) -> HttpResponse:
    """The stage in hand first: the final as soon as its list is fixed."""
    stages = sorted(queries.stages_of(request.event), key=lambda stage: stage.frozen_at is None)
    shown = [seating_stage_context(stage, form if asked and stage.pk == asked.pk else None) for stage in stages]
    context = {
        "stage": "seating",
        "groups": [one for one in shown if one["rows"] or len(shown) == 1],
        "referees": len(queries.referees_by_account_name(request.event)),
        "may_draw": is_act_allowed(request.roles, "draw_seats"),
        "may_print": is_act_allowed(request.roles, "print_scoresheets"),
    }
    return render(request, "seating/seating.html", context, status=status)


def seating_stage_context(stage: Stage, form: DrawAllForm | None) -> dict[str, Any]:
    rows = queries.stage_seats(stage)
    sizes = ruleset_of_stage(stage).table_sizes
    for row in rows:
        row.cannot = not bridge.can_seat(row.entrants, row.session.table_count, sizes)
        row.other_sizes = bridge.tables_of_other_sizes(row.held, sizes)
    papers = queries.papers_of_stage(stage)
    undrawn = [row for row in rows if row.state == "undrawn"]
    return {
        "kind": stage.kind,
        "final": not stage.is_first,
        "rounds": stage.rounds,
        "rows": rows,
        "entrants": entrants_over_sessions(stage, rows),
        "drawn": sum(row.draw is not None for row in rows),
        "confirmed": sum(row.state == "confirmed" for row in rows),
        "undrawn": [row.session for row in undrawn if not row.cannot and not row.waits_for],
        "waiting": [row.session for row in undrawn if not row.cannot and row.waits_for],
        "impossible": [row.session for row in undrawn if row.cannot],
        "outdated": [row.session for row in rows if row.state == "outdated"],
        "ready": [row.session for row in rows if row.state == "drawn"],
        "empty": [row.session for row in rows if row.state == "empty"],
        "to_print": papers.to_print,
        "print_again": papers.print_again,
        "printed": papers.printed,
        "referees_needed": bridge.referees_for_tables(max((row.tables for row in rows), default=0)),
        "without_referee": sum(row.without_referee for row in rows),
        "form": form or DrawAllForm(auto_id=f"id_{stage.kind}_%s"),
    }


def entrants_over_sessions(stage: Stage, rows: list[queries.SessionSeats]) -> int:
    """Everybody who plays the stage, once: in each of its sessions, or in one of them."""
    counts = [row.entrants for row in rows]
    return max(counts, default=0) if stage.has_rounds_for_all else sum(counts)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def draw_session_seats(request: EventRequest, session: int) -> HttpResponse:
    """Draw one session, or draw it again."""
    found = seating_session_or_404(request, session)
    form = DrawForm(request.POST)
    if not form.is_valid():
        return room_page(request, found, draw_form=form, status=400)
    given = form.cleaned_data
    try:
        draw = services.draw_session(
            found,
            seed=given["seed"],
            by=request.user,
            revision=given["revision"],
            request_key=given["request_key"],
        )
    except Refused as refusal:
        return room_page(request, found, draw_form=form, refusal=refusal)
    messages.success(request, _("Seats drawn with seed %(seed)s.") % {"seed": draw.seed})
    return redirect("session_seating", request.event.slug, session)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def confirm_session_seats(request: EventRequest, session: int) -> HttpResponse:
    found = seating_session_or_404(request, session)
    form = SeenDrawForm(request.POST)
    if not form.is_valid():
        raise BadInput("form_incomplete", gettext_noop("The form came incomplete. Reload the page and try again."))
    given = form.cleaned_data
    try:
        services.confirm_session_draw(
            found, revision=given["revision"], by=request.user, request_key=given["request_key"]
        )
    except Refused as refusal:
        return room_page(request, found, refusal=refusal)
    messages.success(request, _("Seats confirmed. The scoresheets can be printed."))
    return redirect("session_seating", request.event.slug, session)


@require_safe
@for_act("see_seating")
def seating_list(request: EventRequest, session: int) -> HttpResponse:
    """Who sits where by entrant number, to print for the hall's wall: names masked where consent is missing."""
    found = seating_session_or_404(request, session)
    seats = sorted(queries.seats_of_session(found), key=lambda seat: seat.entrant.number)
    shown = [(seat, _wall_name(seat.entrant.person)) for seat in seats]
    context = {"stage": "seating", "session": found, "draw": queries.current_draw_of(found), "seats": shown}
    return render(request, "seating/seating_list.html", context)


def _wall_name(person: Person) -> str:
    """The name in the page's language, the other where there is none; without consent the one public name (PDPO)."""
    if not person.consent_name:
        return public_name(person.name_zh, person.name_en)
    own = person.name_zh if dateformat.is_chinese() else person.name_en
    return own or person.name_en or person.name_zh


urlpatterns = [
    path("seating/", seating_overview_page, name="seating"),
    path("seating/draw/", draw_all_seats, name="draw_all_seats"),
    path("seating/confirm/", confirm_all_seats, name="confirm_all_seats"),
    path("seating/<int:session>/draw/", draw_session_seats, name="draw_session_seats"),
    *room_urlpatterns,
    path("seating/<int:session>/confirm/", confirm_session_seats, name="confirm_session_seats"),
    path("seating/<int:session>/list/", seating_list, name="seating_list"),
]

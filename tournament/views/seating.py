"""Seats: the sessions of each stage, their draws and confirmations, the list for the wall."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from tournament import moments
from tournament.bridge import seating as bridge
from tournament.enums import StageKind
from tournament.errors import BadInput, Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.seating import DrawAllForm, DrawForm, SeenForm
from tournament.models import Person, Session, Stage
from tournament.names import public_name
from tournament.permissions import allowed, for_act
from tournament.queries import seating as queries
from tournament.services import seating as services
from tournament.views.seating_room import find_session, room_page
from tournament.views.seating_room import urlpatterns as room_urlpatterns


@require_safe
@for_act("see_seating")
def seating(request: HttpRequest) -> HttpResponse:
    """The sessions with their entrants, tables, seed and state; what is still missing before all are confirmed."""
    return _stages_page(request)


@require_POST
@for_act("draw_seats")
def draw_all_seats(request: HttpRequest) -> HttpResponse:
    """Draw every session of a stage that is not, or all that are not confirmed."""
    stage = sent_stage(request)
    form = DrawAllForm(request.POST)
    if not form.is_valid():
        return _stages_page(request, stage, form, status=400)
    result = services.draw_all(
        stage, seed=form.cleaned_data["seed"], by=request.user, redraw=form.cleaned_data["redraw"]
    )
    _say_all(request, result, ngettext("%(n)s session drawn.", "%(n)s sessions drawn.", len(result.done)))
    return redirect("seating", request.event.slug)


@require_POST
@for_act("draw_seats")
def confirm_all_seats(request: HttpRequest) -> HttpResponse:
    """Confirm every session of a stage that can be."""
    result = services.confirm_all(sent_stage(request), by=request.user)
    _say_all(request, result, ngettext("%(n)s session confirmed.", "%(n)s sessions confirmed.", len(result.done)))
    return redirect("seating", request.event.slug)


def _say_all(request: HttpRequest, result: services.AllSessions, sentence: str) -> None:
    """What was done; then each reason once, with the sessions that it held back."""
    messages.success(request, sentence % {"n": len(result.done)})
    held: dict[str, list[str]] = {}
    for session, refusal in result.left:
        held.setdefault(str(refusal), []).append(_session_text(session))
    for reason, sessions in held.items():
        messages.warning(request, f"{_(', ').join(sessions)}{_(': ')}{reason}")


def _session_text(session: Session) -> str:
    return moments.session_text(session.original_date, *session.name_of_day)


def sent_stage(request: HttpRequest) -> Stage:
    """The stage that a form or an address names; the preliminary where it names none."""
    sent = request.POST if request.method == "POST" else request.GET
    stage = queries.find_stage(request.event, sent.get("stage", StageKind.PRELIMINARY))
    if stage is None:
        raise Http404
    return stage


def _stages_page(
    request: HttpRequest, asked: Stage | None = None, form: DrawAllForm | None = None, status: int = 200
) -> HttpResponse:
    """The stage in hand first: the final as soon as its list is fixed."""
    stages = sorted(queries.stages_of(request.event), key=lambda stage: stage.frozen_at is None)
    shown = [_stage_shown(stage, form if asked and stage.pk == asked.pk else None) for stage in stages]
    context = {
        "stage": "seating",
        "groups": [one for one in shown if one["rows"] or len(shown) == 1],
        "referees": len(queries.referees_of(request.event)),
        "may_draw": allowed(request.roles, "draw_seats"),
        "may_print": allowed(request.roles, "print_scoresheets"),
    }
    return render(request, "seating/seating.html", context, status=status)


def _stage_shown(stage: Stage, form: DrawAllForm | None) -> dict[str, Any]:
    rows = queries.stage_seats(stage)
    for row in rows:
        row.cannot = not bridge.can_seat(row.entrants, row.session.table_count)
    papers = queries.papers_of_stage(stage)
    undrawn = [row for row in rows if row.state == "undrawn"]
    return {
        "kind": stage.kind,
        "final": stage.kind == StageKind.FINAL,
        "rounds": stage.rounds if stage.kind == StageKind.FINAL else 1,
        "rows": rows,
        "entrants": max((row.entrants for row in rows), default=0) if stage.kind == StageKind.FINAL else total(rows),
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
        "referees_needed": bridge.referees_needed(max((row.tables for row in rows), default=0)),
        "without_referee": sum(row.without_referee for row in rows),
        "form": form or DrawAllForm(auto_id=f"id_{stage.kind}_%s"),
    }


def total(rows: list[queries.SessionSeats]) -> int:
    """Entrants of sessions that share none."""
    return sum(row.entrants for row in rows)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def draw_session_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Draw one session, or draw it again."""
    found = find_session(request, session)
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
def confirm_session_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Fix one session's seats."""
    found = find_session(request, session)
    form = SeenForm(request.POST)
    if not form.is_valid():
        raise BadInput("form_incomplete", gettext_noop("The form came incomplete. Reload the page and try again."))
    given = form.cleaned_data
    try:
        services.confirm(found, revision=given["revision"], by=request.user, request_key=given["request_key"])
    except Refused as refusal:
        return room_page(request, found, refusal=refusal)
    messages.success(request, _("Seats confirmed. The scoresheets can be printed."))
    return redirect("session_seating", request.event.slug, session)


@require_safe
@for_act("see_seating")
def seating_list(request: HttpRequest, session: int) -> HttpResponse:
    """Who sits where by entrant number, to print for the hall's wall: names masked where consent is missing."""
    found = find_session(request, session)
    seats = sorted(queries.seats_of(found), key=lambda seat: seat.entrant.number)
    for seat in seats:
        seat.shown = _wall_name(seat.entrant.person)
    context = {"stage": "seating", "session": found, "draw": queries.draw_of(found), "seats": seats}
    return render(request, "seating/seating_list.html", context)


def _wall_name(person: Person) -> str:
    """The name in the page's language, the other where there is none; without consent the one public name (PDPO)."""
    if not person.consent_name:
        return public_name(person.name_zh, person.name_en)
    own = person.name_zh if moments.chinese() else person.name_en
    return own or person.name_en or person.name_zh


urlpatterns = [
    path("seating/", seating, name="seating"),
    path("seating/draw/", draw_all_seats, name="draw_all_seats"),
    path("seating/confirm/", confirm_all_seats, name="confirm_all_seats"),
    path("seating/<int:session>/draw/", draw_session_seats, name="draw_session_seats"),
    *room_urlpatterns,
    path("seating/<int:session>/confirm/", confirm_session_seats, name="confirm_session_seats"),
    path("seating/<int:session>/list/", seating_list, name="seating_list"),
]

"""Seats: the sessions of the stage, the room of one, and the acts on them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament import moments
from tournament.bridge import seating as bridge
from tournament.enums import EntrantStatus
from tournament.errors import BadInput, Refused
from tournament.forms.seating import ConfirmForm, DrawAllForm, DrawForm, SwapForm, SwapSeatsForm
from tournament.masking import public_name
from tournament.models import Entrant, Person, Session, Table
from tournament.permissions import allowed, for_act
from tournament.queries import seating as queries
from tournament.services import seating as services


@require_safe
@for_act("see_seating")
def seating(request: HttpRequest) -> HttpResponse:
    """The sessions with their entrants, tables, seed and state; what is still missing before all are confirmed."""
    return _stage_page(request)


@require_POST
@for_act("draw_seats")
def draw_all_seats(request: HttpRequest) -> HttpResponse:
    """Draw every session that is not, or all that are not confirmed."""
    form = DrawAllForm(request.POST)
    if not form.is_valid():
        return _stage_page(request, form, status=400)
    stage = queries.stage_of(request.event)
    result = services.draw_all(
        stage, seed=form.cleaned_data["seed"], by=request.user, redraw=form.cleaned_data["redraw"]
    )
    _say_all(request, result, ngettext("%(n)s session drawn.", "%(n)s sessions drawn.", len(result.done)))
    return redirect("seating", request.event.slug)


@require_POST
@for_act("draw_seats")
def confirm_all_seats(request: HttpRequest) -> HttpResponse:
    """Confirm every session that can be."""
    result = services.confirm_all(queries.stage_of(request.event), by=request.user)
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
    return moments.session_text(session.original_date, session.number_of_day)


def _stage_page(request: HttpRequest, form: DrawAllForm | None = None, status: int = 200) -> HttpResponse:
    stage = queries.stage_of(request.event)
    rows = queries.stage_seats(stage)
    for row in rows:
        row.cannot = not bridge.can_seat(row.entrants, row.session.table_count)
    drawn = [row for row in rows if row.draw]
    most_tables = max((row.tables for row in rows), default=0)
    context = {
        "stage": "seating",
        "rows": rows,
        "entrants": sum(row.entrants for row in rows),
        "drawn": len(drawn),
        "confirmed": sum(row.state == "confirmed" for row in rows),
        "undrawn": [row.session for row in rows if row.state == "undrawn" and not row.cannot],
        "impossible": [row.session for row in rows if row.state == "undrawn" and row.cannot],
        "outdated": [row.session for row in rows if row.state == "outdated"],
        "ready": [row.session for row in rows if row.state == "drawn"],
        "empty": [row.session for row in rows if row.state == "empty"],
        "to_print": sum(row.tables for row in rows if row.state == "confirmed"),
        "referees": len(queries.referees_of(request.event)),
        "referees_needed": bridge.referees_needed(most_tables),
        "without_referee": sum(row.without_referee for row in rows),
        "form": form or DrawAllForm(),
        "may_draw": allowed(request.roles, "draw_seats"),
        "may_print": allowed(request.roles, "print_scoresheets"),
    }
    return render(request, "seating/seating.html", context, status=status)


@require_safe
@for_act("see_seating")
def session_seating(request: HttpRequest, session: int) -> HttpResponse:
    """The room of one session; with two entrants chosen, what their swap would do."""
    found = _session(request, session)
    if not {"first", "second", "seat"} & request.GET.keys():
        return _room_page(request, found)
    form = SwapForm(_chosen(request))
    if not form.is_valid():
        return _room_page(request, found, swap=form)
    first, second = form.cleaned_data["first"], form.cleaned_data["second"]
    try:
        _only_two(request)
        foreseen = services.foresee_swap(found, first, second)
    except Refused as refusal:
        return _room_page(request, found, swap=form, refusal=refusal)
    return _room_page(request, found, swap=form, foreseen=foreseen)


def _chosen(request: HttpRequest) -> dict[str, str]:
    """The two numbers, typed or ticked; what is typed counts before what is ticked."""
    typed = [request.GET.get("first", "").strip(), request.GET.get("second", "").strip()]
    ticked = [number for number in request.GET.getlist("seat") if number not in typed]
    first, second = (number or (ticked.pop(0) if ticked else "") for number in typed)
    return {"first": first, "second": second}


def _only_two(request: HttpRequest) -> None:
    """Nobody who was chosen is left out in silence."""
    typed = {request.GET.get("first", "").strip(), request.GET.get("second", "").strip()} - {""}
    if len(typed | set(request.GET.getlist("seat"))) > 2:
        raise BadInput("two_entrants", gettext_noop("More than two entrants are chosen. Choose two to swap."))


@require_POST
@for_act("draw_seats")
def draw_session_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Draw one session, or draw it again."""
    found = _session(request, session)
    form = DrawForm(request.POST)
    if not form.is_valid():
        return _room_page(request, found, draw_form=form, status=400)
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
        return _room_page(request, found, draw_form=form, refusal=refusal)
    messages.success(request, _("Seats drawn with seed %(seed)s.") % {"seed": draw.seed})
    return redirect("session_seating", request.event.slug, session)


@require_POST
@for_act("draw_seats")
def swap_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Exchange two entrants, as it was looked at."""
    found = _session(request, session)
    form = SwapSeatsForm(request.POST)
    if not form.is_valid():
        return _room_page(request, found, swap=form, status=400)
    given = form.cleaned_data
    try:
        done = services.swap(
            found,
            revision=given["revision"],
            first=given["first"],
            second=given["second"],
            by=request.user,
            request_key=given["request_key"],
        )
    except Refused as refusal:
        return _room_page(request, found, swap=form, refusal=refusal)
    told = {"first": f"{given['first']:04d}", "second": f"{given['second']:04d}"}
    messages.success(request, _("%(first)s and %(second)s have changed seats.") % told)
    for one in done.broke:
        messages.warning(request, _broken_text(one))
    return redirect("session_seating", request.event.slug, session)


def _broken_text(one: bridge.Together) -> str:
    """A rule that a swap has broken, as one sentence."""
    told = {"numbers": ", ".join(f"{number:04d}" for number in one["ids"]), "table": one["table"]}
    if one["kind"] == "family":
        return _("A family now sits at one table: %(numbers)s at table %(table)s.") % told
    return _("Pupils of one school now sit at one table: %(numbers)s at table %(table)s.") % told


@require_POST
@for_act("draw_seats")
def confirm_session_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Fix one session's seats."""
    found = _session(request, session)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        raise BadInput("form_incomplete", gettext_noop("The form came incomplete. Reload the page and try again."))
    given = form.cleaned_data
    try:
        services.confirm(found, revision=given["revision"], by=request.user, request_key=given["request_key"])
    except Refused as refusal:
        return _room_page(request, found, refusal=refusal)
    messages.success(request, _("Seats confirmed. The scoresheets can be printed."))
    return redirect("session_seating", request.event.slug, session)


@require_safe
@for_act("see_seating")
def seating_list(request: HttpRequest, session: int) -> HttpResponse:
    """Who sits where by entrant number, to print for the hall's wall: names masked where consent is missing."""
    found = _session(request, session)
    seats = sorted(queries.seats_of(found), key=lambda seat: seat.entrant.number)
    for seat in seats:
        seat.shown = _wall_name(seat.entrant.person)
    context = {"stage": "seating", "session": found, "draw": queries.draw_of(found), "seats": seats}
    return render(request, "seating/seating_list.html", context)


def _wall_name(person: Person) -> str:
    """The name in the page's language, the other where there is none; masked without consent (PDPO)."""
    if not person.consent_name:
        return public_name(person.name_zh, person.name_en, get_language() or "")
    own = person.name_zh if moments.chinese() else person.name_en
    return own or person.name_en or person.name_zh


def _session(request: HttpRequest, number: int) -> Session:
    found = queries.sessions_of(queries.stage_of(request.event)).filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _room_page(
    request: HttpRequest,
    session: Session,
    *,
    draw_form: DrawForm | None = None,
    swap: SwapForm | None = None,
    foreseen: services.Swap | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    tables = queries.room_of(session)
    draw = queries.draw_of(session)
    typed = queries.typed_tables(session)
    could_not = draw.could_not if draw else []
    entrants = {seat.entrant.number: seat.entrant for table in tables for seat in table.seats.all()}
    waiting = {entrant.number for entrant in queries.entrants_to_seat(session)}
    _mark(tables, could_not, typed)
    context: dict[str, Any] = {
        "stage": "seating",
        "session": session,
        "draw": draw,
        "pairs": bridge.pairs(tables),
        "tables": len(tables),
        "threes": sum(len(table.seats.all()) == 3 for table in tables),
        "seated": len(entrants),
        "entrants": len(waiting),
        "unseated": sorted(waiting - entrants.keys()) if draw else [],
        "gone": [entrant for entrant in entrants.values() if entrant.status != EntrantStatus.OK],
        "without_referee": [table.number for table in tables if table.referee_id is None],
        "could_not": _told(could_not, entrants),
        "draw_form": draw_form or DrawForm(initial={"revision": draw.revision if draw else 0}),
        "swap": swap or SwapForm(),
        "picked": [swap.data.get("first"), swap.data.get("second")] if swap else [],
        "swapped": _swapped(swap, foreseen, tables, entrants) if foreseen and swap else None,
        "refusal": refusal,
        "may_draw": allowed(request.roles, "draw_seats"),
        "may_print": allowed(request.roles, "print_scoresheets"),
        "drawable": not typed,
        "cannot": not bridge.can_seat(len(waiting), session.table_count),
    }
    return render(request, "seating/session_seating.html", context, status=refusal.status if refusal else status)


def _mark(tables: Sequence[Table], could_not: Iterable[bridge.Together], typed: set[int]) -> None:
    """Set on each seat what its table could not keep apart, and on each table whether its sheet is begun."""
    marks = {(one["table"], number): one["kind"] for one in reversed(list(could_not)) for number in one["ids"]}
    for table in tables:
        table.typed = table.number in typed
        for seat in table.seats.all():
            seat.mark = marks.get((table.number, seat.entrant.number), "")


def _told(could_not: Iterable[bridge.Together], entrants: dict[int, Entrant]) -> list[dict[str, Any]]:
    """What is not kept, with the entrants themselves."""
    return [{**one, "entrants": [entrants[number] for number in one["ids"] if number in entrants]} for one in could_not]


def _swapped(
    form: SwapForm, foreseen: services.Swap, tables: Sequence[Table], entrants: dict[int, Entrant]
) -> dict[str, Any]:
    """The two with their seats before and after, and what breaks and what mends."""
    numbers = form.cleaned_data["first"], form.cleaned_data["second"]
    places = {seat.entrant.number: (table.number, seat.letter) for table in tables for seat in table.seats.all()}
    first, second = ({"entrant": entrants[number], "place": places[number]} for number in numbers)
    return {
        "first": {**first, "after": second["place"]},
        "second": {**second, "after": first["place"]},
        "broke": _told(foreseen.broke, entrants),
        "mended": _told(foreseen.mended, entrants),
    }


urlpatterns = [
    path("seating/", seating, name="seating"),
    path("seating/draw/", draw_all_seats, name="draw_all_seats"),
    path("seating/confirm/", confirm_all_seats, name="confirm_all_seats"),
    path("seating/<int:session>/", session_seating, name="session_seating"),
    path("seating/<int:session>/draw/", draw_session_seats, name="draw_session_seats"),
    path("seating/<int:session>/swap/", swap_seats, name="swap_seats"),
    path("seating/<int:session>/confirm/", confirm_session_seats, name="confirm_session_seats"),
    path("seating/<int:session>/list/", seating_list, name="seating_list"),
]

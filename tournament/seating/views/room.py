"""The room of one session: rearranged by hand, each act foreseen before it is done and undone with one press."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from tournament.core.errors import BadInput, Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.models.stage import Session
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.events.domain import ruleset_of_stage
from tournament.events.views import seating_session_or_404
from tournament.seating.forms import (
    DrawForm,
    EntrantSeenForm,
    ExchangeSeatsForm,
    MoveSeatForm,
    OpenTableForm,
    RefereeForm,
    RoomPreviewForm,
    SeatChoiceForm,
    SeenDrawForm,
    TableSeenForm,
)
from tournament.seating.services import moves, plans, seating
from tournament.seating.services import room as services
from tournament.seating.services.checks import size_limits
from tournament.seating.services.moves import SeatMovePlan, SeatMovePreview, SeparationChange
from tournament.seating.views.shown import broken_text, final_round_context, seat_moves_in_words, seating_room_context
from tournament.tables import domain as bridge
from tournament.tables.queries import seating as queries

MORE_THAN_TWO_CHOSEN = gettext_noop("More than two are chosen. Choose two entrants to swap, or one and an empty seat.")
SEATING_FORM_INCOMPLETE = gettext_noop("The form came incomplete. Reload the page and try again.")


@dataclass(frozen=True, slots=True)
class SeatingActPreview:
    """What an act would do, and the form that does it: its address, its hidden fields, its button's word."""

    foreseen: SeatMovePreview
    action: str
    fields: Mapping[str, Any]
    word: str


# --- Reading --------------------------------------------------------------------------------------------
@require_safe
@for_act("see_seating")
def session_seating(request: EventRequest, session: int) -> HttpResponse:
    """The room; with something chosen, what it would do."""
    found = seating_session_or_404(request, session)
    if {"first", "second", "seat"} & request.GET.keys():
        return _choice_page(request, found)
    asked = RoomPreviewForm(request.GET)
    if not asked.is_valid():
        raise BadInput("form_incomplete", SEATING_FORM_INCOMPLETE)
    given = {name: value for name, value in asked.cleaned_data.items() if value}
    if not given:
        return room_page(request, found)
    try:
        preview = requested_preview(request, found, **given)
    except Refused as refusal:
        return room_page(request, found, refusal=refusal)
    return room_page(request, found, preview=preview)


def requested_preview(
    request: EventRequest, session: Session, dissolve: int = 0, late: int = 0, open: int = 0
) -> SeatingActPreview:
    """A table dissolved, a late entrant seated, or a table opened for one."""
    if dissolve:
        foreseen = moves.preview_plan(session, plans.without_table(dissolve))
        word = _("Dissolve table %(n)s") % {"n": dissolve}
        return SeatingActPreview(foreseen, seating_url(request, "dissolve_table", session), {"table": dissolve}, word)
    if late:
        foreseen = moves.preview_plan(session, plans.to_best_seat(late))
        return _move_preview(request, session, late, foreseen)
    foreseen = moves.preview_plan(session, plans.table_for(open))
    numbers = " ".join(f"{number:04d}" for number in foreseen.move.places)
    return SeatingActPreview(
        foreseen, seating_url(request, "open_table", session), {"entrants": numbers}, _("Open this table")
    )


def _move_preview(request: EventRequest, session: Session, number: int, foreseen: SeatMovePreview) -> SeatingActPreview:
    place = foreseen.move.places[number]
    fields = {"entrant": number, "table": place[0], "letter": place[1], "all_the_same": "on"} if place else {}
    swapped = foreseen.move.act == "swap_seats"
    word = _("Swap these two") if swapped else _("Move to this seat")
    if foreseen.change.broke:
        word = _("Swap all the same") if swapped else _("Move all the same")
    return SeatingActPreview(foreseen, seating_url(request, "move_seat", session), fields, word)


def seating_url(request: EventRequest, name: str, session: Session) -> str:
    return reverse(name, args=[request.event.slug, session.number])


def _choice_page(request: EventRequest, session: Session) -> HttpResponse:
    """Two seats ticked or typed: two entrants, or one and an empty seat."""
    form = SeatChoiceForm(chosen_seats(request))
    if not form.is_valid():
        return room_page(request, session, choice=form)
    first, second = form.cleaned_data["first"], form.cleaned_data["second"]
    try:
        _only_two(request)
        if isinstance(second, int):
            foreseen = moves.preview_plan(session, plans.plan_exchange(first, second))
        else:
            foreseen = moves.preview_plan(session, plans.to_seat(first, second))
        preview = _move_preview(request, session, first, foreseen)
    except Refused as refusal:
        return room_page(request, session, choice=form, refusal=refusal)
    return room_page(request, session, choice=form, preview=preview)


def chosen_seats(request: HttpRequest) -> dict[str, str]:
    """The two, typed or ticked; what is typed counts before what is ticked, an entrant before an empty seat."""
    typed = [request.GET.get("first", "").strip(), request.GET.get("second", "").strip()]
    ticked = [seat for seat in request.GET.getlist("seat") if seat not in typed]
    ticked.sort(key=lambda seat: not seat.isdecimal())
    first, second = (value or (ticked.pop(0) if ticked else "") for value in typed)
    return {"first": first, "second": second}


def _only_two(request: HttpRequest) -> None:
    """Nobody who was chosen is left out in silence."""
    typed = {request.GET.get("first", "").strip(), request.GET.get("second", "").strip()} - {""}
    if len(typed | set(request.GET.getlist("seat"))) > 2:
        raise BadInput("two_entrants", MORE_THAN_TWO_CHOSEN)


@require_safe
@for_act("draw_seats")
def seat_moves(request: EventRequest, session: int, number: int) -> HttpResponse:
    """What each seat of the room would mean for this entrant, for the page's script: one question a pick."""
    found = seating_session_or_404(request, session)
    if not any(entrant.number == number for entrant in moves.read_seating_room(found).entrants.values()):
        raise Http404
    return JsonResponse(seat_moves_in_words(number, services.foresee_all(found, number)))


# --- Acts -----------------------------------------------------------------------------------------------
@require_POST
@for_act("draw_seats")
@keyed_by_service
def swap_seats_view(request: EventRequest, session: int) -> HttpResponse:
    """Exchange two entrants, as it was looked at."""

    def do(found: Session, seen: dict[str, Any], first: int, second: int) -> SeparationChange:
        return seating.exchange_two_seats(found, first=first, second=second, **seen)

    return run_seating_act(request, session, ExchangeSeatsForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def move_seat(request: EventRequest, session: int) -> HttpResponse:
    """An entrant to a seat. What it breaks is shown first, unless that has been looked at."""
    found = seating_session_or_404(request, session)
    form = MoveSeatForm(request.POST)
    if form.is_valid() and not form.cleaned_data["all_the_same"]:
        given = form.cleaned_data
        plan: SeatMovePlan = plans.to_seat(given["entrant"], (given["table"], given["letter"]))
        try:
            foreseen = moves.preview_plan(found, plan)
        except Refused as refusal:
            return room_page(request, found, refusal=refusal)
        if foreseen.change.broke and foreseen.room.draw.revision == given["revision"]:
            return room_page(request, found, preview=_move_preview(request, found, given["entrant"], foreseen))

    def do(
        found: Session, seen: dict[str, Any], entrant: int, table: int, letter: str, all_the_same: bool
    ) -> SeparationChange:
        return services.move_seat_to(found, entrant=entrant, place=(table, letter), **seen)

    return run_seating_act(request, session, MoveSeatForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def open_table_view(request: EventRequest, session: int) -> HttpResponse:
    """A table of their own for three or four."""

    def do(found: Session, seen: dict[str, Any], entrants: list[int]) -> SeparationChange:
        return services.open_extra_table(found, entrants=entrants, **seen)

    return run_seating_act(request, session, OpenTableForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def dissolve_table(request: EventRequest, session: int) -> HttpResponse:
    """A table's entrants to other tables."""

    def do(found: Session, seen: dict[str, Any], table: int) -> SeparationChange:
        return services.dissolve_seated_table(found, table=table, **seen)

    return run_seating_act(request, session, TableSeenForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def free_seat_view(request: EventRequest, session: int) -> HttpResponse:
    """The seat of one who no longer takes part."""

    def do(found: Session, seen: dict[str, Any], entrant: int) -> SeparationChange:
        return services.free_entrant_seat(found, entrant=entrant, **seen)

    return run_seating_act(request, session, EntrantSeenForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def undo_move(request: EventRequest, session: int) -> HttpResponse:
    def do(found: Session, seen: dict[str, Any]) -> SeparationChange:
        return services.undo_last_seat_move(found, **seen)

    return run_seating_act(request, session, SeenDrawForm, do)


@require_POST
@for_act("draw_seats")
def assign_referee_view(request: EventRequest, session: int) -> HttpResponse:
    """Another referee for a table."""

    def do(found: Session, seen: dict[str, Any], table: int, referee: str) -> SeparationChange:
        account = next(
            (one for one in queries.referees_by_account_name(request.event) if one.username == referee), None
        )
        if referee and account is None:
            raise BadInput("not_a_referee", services.NOT_A_REFEREE, found)
        services.assign_table_referee(found, table=table, referee=account, **seen)
        said = _("Table %(n)s now has this referee.") if account else _("Table %(n)s has no referee now.")
        messages.success(request, said % {"n": table})
        return SeparationChange([], [])

    return run_seating_act(request, session, RefereeForm, do, moved=False)


def run_seating_act(
    request: EventRequest,
    session: int,
    form_class: type[forms.Form],
    do: Callable[..., SeparationChange],
    moved: bool = True,
) -> HttpResponse:
    """One act of the room: the form read, the service called, what broke told, and back to the room."""
    found = seating_session_or_404(request, session)
    form = form_class(request.POST)
    if not form.is_valid():
        said = str(next(iter(form.errors.values()))[0]) if form.errors else SEATING_FORM_INCOMPLETE
        return room_page(request, found, refusal=BadInput("form_incomplete", said))
    given = dict(form.cleaned_data)
    seen = {"revision": given.pop("revision"), "request_key": given.pop("request_key"), "by": request.user}
    try:
        change = do(found, seen, **given)
    except Refused as refusal:
        return room_page(request, found, refusal=refusal)
    for one in change.broke:
        messages.warning(request, broken_text(one))
    room = redirect("session_seating", request.event.slug, session)
    if moved:
        room["Location"] += "?moved=1"
    return room


def room_page(
    request: EventRequest,
    session: Session,
    *,
    draw_form: DrawForm | None = None,
    choice: SeatChoiceForm | None = None,
    preview: SeatingActPreview | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The room as it stands, with what was asked of it."""
    shown = seating_room_context(session)
    may_draw = is_act_allowed(request.roles, "draw_seats")
    context: dict[str, Any] = {
        **shown,
        "stage": "seating",
        "session": session,
        "draw_form": draw_form or DrawForm(initial={"revision": shown["revision"]}),
        "choice": choice or SeatChoiceForm(),
        "picked": [choice.data.get("first"), choice.data.get("second")] if choice else [],
        "preview": preview,
        "preview_rows": preview_move_rows(preview) if preview else [],
        "preview_change": preview_separation_change(preview.foreseen) if preview else None,
        "moved": "moved" in request.GET and request.method == "GET",
        "refusal": refusal,
        "may_draw": may_draw,
        "may_print": is_act_allowed(request.roles, "print_scoresheets"),
        "referees": queries.referees_by_account_name(request.event) if may_draw else [],
        "cannot": not bridge.can_seat(
            shown["entrants"], session.table_count, ruleset_of_stage(session.stage).table_sizes
        ),
        "limits": size_limits(session),
        **final_round_context(session),
    }
    return render(request, "seating/session_seating.html", context, status=refusal.status if refusal else status)


def preview_move_rows(preview: SeatingActPreview) -> list[dict[str, Any]]:
    """Each who moves, from where to where."""
    room = preview.foreseen.room
    return [
        {"entrant": room.entrants[number], "before": room.places.get(number), "after": place}
        for number, place in preview.foreseen.move.places.items()
    ]


def preview_separation_change(foreseen: SeatMovePreview) -> SeparationChange:
    """What breaks and what mends, with the entrants themselves."""
    entrants = foreseen.room.entrants

    def told(those: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "entrants": [entrants[number] for number in one["ids"]]} for one in those]

    return replace(foreseen.change, broke=told(foreseen.change.broke), mended=told(foreseen.change.mended))


urlpatterns = [
    path("seating/<int:session>/", session_seating, name="session_seating"),
    path("seating/<int:session>/moves/<int:number>/", seat_moves, name="seat_moves"),
    path("seating/<int:session>/swap/", swap_seats_view, name="swap_seats"),
    path("seating/<int:session>/move/", move_seat, name="move_seat"),
    path("seating/<int:session>/open-table/", open_table_view, name="open_table"),
    path("seating/<int:session>/dissolve/", dissolve_table, name="dissolve_table"),
    path("seating/<int:session>/free/", free_seat_view, name="free_seat"),
    path("seating/<int:session>/undo/", undo_move, name="undo_move"),
    path("seating/<int:session>/referee/", assign_referee_view, name="assign_referee"),
]

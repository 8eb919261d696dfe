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

from tournament.bridge import seating as bridge
from tournament.errors import BadInput, Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.seating import (
    AskedForm,
    ChoiceForm,
    DrawForm,
    EntrantSeenForm,
    MoveForm,
    OpenTableForm,
    RefereeForm,
    SeenForm,
    SwapSeatsForm,
    TableSeenForm,
)
from tournament.models import Session
from tournament.permissions import allowed, for_act
from tournament.queries import seating as queries
from tournament.services import seating, seating_moves, seating_plans
from tournament.services import seating_room as services
from tournament.services.seating_moves import Change, Foreseen, Plan
from tournament.views.seating_shown import broken_text, round_shown, shown_moves, shown_room

MORE_THAN_TWO = gettext_noop("More than two are chosen. Choose two entrants to swap, or one and an empty seat.")
INCOMPLETE = gettext_noop("The form came incomplete. Reload the page and try again.")


@dataclass(frozen=True, slots=True)
class Preview:
    """What an act would do, and the form that does it: its address, its hidden fields, its button's word."""

    foreseen: Foreseen
    action: str
    fields: Mapping[str, Any]
    word: str


# --- Reading --------------------------------------------------------------------------------------------
@require_safe
@for_act("see_seating")
def session_seating(request: HttpRequest, session: int) -> HttpResponse:
    """The room; with something chosen, what it would do."""
    found = find_session(request, session)
    if {"first", "second", "seat"} & request.GET.keys():
        return _choice_page(request, found)
    asked = AskedForm(request.GET)
    if not asked.is_valid():
        raise BadInput("form_incomplete", INCOMPLETE)
    given = {name: value for name, value in asked.cleaned_data.items() if value}
    if not given:
        return room_page(request, found)
    try:
        preview = _asked(request, found, **given)
    except Refused as refusal:
        return room_page(request, found, refusal=refusal)
    return room_page(request, found, preview=preview)


def _asked(request: HttpRequest, session: Session, dissolve: int = 0, late: int = 0, open: int = 0) -> Preview:
    """A table dissolved, a late entrant seated, or a table opened for one."""
    if dissolve:
        foreseen = seating_moves.foresee(session, seating_plans.without_table(dissolve))
        word = _("Dissolve table %(n)s") % {"n": dissolve}
        return Preview(foreseen, _address(request, "dissolve_table", session), {"table": dissolve}, word)
    if late:
        foreseen = seating_moves.foresee(session, seating_plans.to_best_seat(late))
        return _move_preview(request, session, late, foreseen)
    foreseen = seating_moves.foresee(session, seating_plans.table_for(open))
    numbers = " ".join(f"{number:04d}" for number in foreseen.move.places)
    return Preview(foreseen, _address(request, "open_table", session), {"entrants": numbers}, _("Open this table"))


def _move_preview(request: HttpRequest, session: Session, number: int, foreseen: Foreseen) -> Preview:
    place = foreseen.move.places[number]
    fields = {"entrant": number, "table": place[0], "letter": place[1], "all_the_same": "on"} if place else {}
    swapped = foreseen.move.act == "swap_seats"
    word = _("Swap these two") if swapped else _("Move to this seat")
    if foreseen.change.broke:
        word = _("Swap all the same") if swapped else _("Move all the same")
    return Preview(foreseen, _address(request, "move_seat", session), fields, word)


def _address(request: HttpRequest, name: str, session: Session) -> str:
    return reverse(name, args=[request.event.slug, session.number])


def _choice_page(request: HttpRequest, session: Session) -> HttpResponse:
    """Two seats ticked or typed: two entrants, or one and an empty seat."""
    form = ChoiceForm(_chosen(request))
    if not form.is_valid():
        return room_page(request, session, choice=form)
    first, second = form.cleaned_data["first"], form.cleaned_data["second"]
    try:
        _only_two(request)
        if isinstance(second, int):
            foreseen = seating_moves.foresee(session, seating_plans.exchange(first, second))
        else:
            foreseen = seating_moves.foresee(session, seating_plans.to_seat(first, second))
        preview = _move_preview(request, session, first, foreseen)
    except Refused as refusal:
        return room_page(request, session, choice=form, refusal=refusal)
    return room_page(request, session, choice=form, preview=preview)


def _chosen(request: HttpRequest) -> dict[str, str]:
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
        raise BadInput("two_entrants", MORE_THAN_TWO)


@require_safe
@for_act("draw_seats")
def seat_moves(request: HttpRequest, session: int, number: int) -> HttpResponse:
    """What each seat of the room would mean for this entrant, for the page's script: one question a pick."""
    found = find_session(request, session)
    if not any(entrant.number == number for entrant in seating_moves.room_of(found).entrants.values()):
        raise Http404
    return JsonResponse(shown_moves(number, services.foresee_all(found, number)))


# --- Acts -----------------------------------------------------------------------------------------------
@require_POST
@for_act("draw_seats")
@keyed_by_service
def swap_seats(request: HttpRequest, session: int) -> HttpResponse:
    """Exchange two entrants, as it was looked at."""

    def do(found: Session, seen: dict[str, Any], first: int, second: int) -> Change:
        return seating.swap(found, first=first, second=second, **seen)

    return _act(request, session, SwapSeatsForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def move_seat(request: HttpRequest, session: int) -> HttpResponse:
    """An entrant to a seat. What it breaks is shown first, unless that has been looked at."""
    found = find_session(request, session)
    form = MoveForm(request.POST)
    if form.is_valid() and not form.cleaned_data["all_the_same"]:
        given = form.cleaned_data
        plan: Plan = seating_plans.to_seat(given["entrant"], (given["table"], given["letter"]))
        try:
            foreseen = seating_moves.foresee(found, plan)
        except Refused as refusal:
            return room_page(request, found, refusal=refusal)
        if foreseen.change.broke and foreseen.room.draw.revision == given["revision"]:
            return room_page(request, found, preview=_move_preview(request, found, given["entrant"], foreseen))

    def do(found: Session, seen: dict[str, Any], entrant: int, table: int, letter: str, all_the_same: bool) -> Change:
        return services.move(found, entrant=entrant, place=(table, letter), **seen)

    return _act(request, session, MoveForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def open_table(request: HttpRequest, session: int) -> HttpResponse:
    """A table of their own for three or four."""

    def do(found: Session, seen: dict[str, Any], entrants: list[int]) -> Change:
        return services.open_table(found, entrants=entrants, **seen)

    return _act(request, session, OpenTableForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def dissolve_table(request: HttpRequest, session: int) -> HttpResponse:
    """A table's entrants to other tables."""

    def do(found: Session, seen: dict[str, Any], table: int) -> Change:
        return services.dissolve(found, table=table, **seen)

    return _act(request, session, TableSeenForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def free_seat(request: HttpRequest, session: int) -> HttpResponse:
    """The seat of one who no longer takes part."""

    def do(found: Session, seen: dict[str, Any], entrant: int) -> Change:
        return services.free_seat(found, entrant=entrant, **seen)

    return _act(request, session, EntrantSeenForm, do)


@require_POST
@for_act("draw_seats")
@keyed_by_service
def undo_move(request: HttpRequest, session: int) -> HttpResponse:
    """The last move back."""

    def do(found: Session, seen: dict[str, Any]) -> Change:
        return services.undo(found, **seen)

    return _act(request, session, SeenForm, do)


@require_POST
@for_act("draw_seats")
def assign_referee(request: HttpRequest, session: int) -> HttpResponse:
    """Another referee for a table."""

    def do(found: Session, seen: dict[str, Any], table: int, referee: str) -> Change:
        account = next((one for one in queries.referees_of(request.event) if one.username == referee), None)
        if referee and account is None:
            raise BadInput("not_a_referee", services.NOT_A_REFEREE, found)
        services.assign_referee(found, table=table, referee=account, **seen)
        said = _("Table %(n)s now has this referee.") if account else _("Table %(n)s has no referee now.")
        messages.success(request, said % {"n": table})
        return Change([], [])

    return _act(request, session, RefereeForm, do, moved=False)


def _act(
    request: HttpRequest,
    session: int,
    form_class: type[forms.Form],
    do: Callable[..., Change],
    moved: bool = True,
) -> HttpResponse:
    """One act of the room: the form read, the service called, what broke told, and back to the room."""
    found = find_session(request, session)
    form = form_class(request.POST)
    if not form.is_valid():
        refusal = BadInput("form_incomplete", next(iter(form.errors.values()))[0] if form.errors else INCOMPLETE)
        return room_page(request, found, refusal=refusal)
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


# --- The page -------------------------------------------------------------------------------------------
def find_session(request: HttpRequest, number: int) -> Session:
    """A session of the event, or the same 404 as for any address that is not there."""
    found = queries.find_session(request.event, number)
    if found is None:
        raise Http404
    return found


def room_page(
    request: HttpRequest,
    session: Session,
    *,
    draw_form: DrawForm | None = None,
    choice: ChoiceForm | None = None,
    preview: Preview | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The room as it stands, with what was asked of it."""
    shown = shown_room(session)
    may_draw = allowed(request.roles, "draw_seats")
    context: dict[str, Any] = {
        **shown,
        "stage": "seating",
        "session": session,
        "draw_form": draw_form or DrawForm(initial={"revision": shown["revision"]}),
        "choice": choice or ChoiceForm(),
        "picked": [choice.data.get("first"), choice.data.get("second")] if choice else [],
        "preview": preview,
        "preview_rows": _rows(preview) if preview else [],
        "preview_change": _told(preview.foreseen) if preview else None,
        "moved": "moved" in request.GET and request.method == "GET",
        "refusal": refusal,
        "may_draw": may_draw,
        "may_print": allowed(request.roles, "print_scoresheets"),
        "referees": queries.referees_of(request.event) if may_draw else [],
        "cannot": not bridge.can_seat(shown["entrants"], session.table_count),
        **round_shown(session),
    }
    return render(request, "seating/session_seating.html", context, status=refusal.status if refusal else status)


def _rows(preview: Preview) -> list[dict[str, Any]]:
    """Each who moves, from where to where."""
    room = preview.foreseen.room
    return [
        {"entrant": room.entrants[number], "before": room.places.get(number), "after": place}
        for number, place in preview.foreseen.move.places.items()
    ]


def _told(foreseen: Foreseen) -> Change:
    """What breaks and what mends, with the entrants themselves."""
    entrants = foreseen.room.entrants

    def told(those: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "entrants": [entrants[number] for number in one["ids"]]} for one in those]

    return replace(foreseen.change, broke=told(foreseen.change.broke), mended=told(foreseen.change.mended))


urlpatterns = [
    path("seating/<int:session>/", session_seating, name="session_seating"),
    path("seating/<int:session>/moves/<int:number>/", seat_moves, name="seat_moves"),
    path("seating/<int:session>/swap/", swap_seats, name="swap_seats"),
    path("seating/<int:session>/move/", move_seat, name="move_seat"),
    path("seating/<int:session>/open-table/", open_table, name="open_table"),
    path("seating/<int:session>/dissolve/", dissolve_table, name="dissolve_table"),
    path("seating/<int:session>/free/", free_seat, name="free_seat"),
    path("seating/<int:session>/undo/", undo_move, name="undo_move"),
    path("seating/<int:session>/referee/", assign_referee, name="assign_referee"),
]

"""What the desk tells the hall: lines announced, tables called, each ended by hand or by its moment."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from tournament.core.enums import TableCallKind
from tournament.core.errors import BadInput, Refused
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.hall import queries, services
from tournament.messages.services.published_text import PersonalDataQuestion
from tournament.tables.models import Table

NO_TABLE_OF_TODAY = gettext_noop("None of today's sessions has a table of this number.")


@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
def hall_desk(request: EventRequest) -> HttpResponse:
    """What the hall is told now; who may run the clock adds to it and ends it."""
    if request.method != "POST":
        return hall_desk_page(request)
    require_act(request.roles, "move_session")
    try:
        HALL_ACTS.get(request.POST.get("do", ""), refuse_unknown_act)(request)
    except Refused as refusal:
        return hall_desk_page(request, refusal)
    return redirect("hall_desk", request.event.slug)


def hall_desk_page(request: EventRequest, refusal: Refused | None = None) -> HttpResponse:
    """The page, with what was typed where it was refused."""
    now = timezone.now()
    about = refusal.about if refusal is not None else None
    shown = {
        "stage": "scoresheets",
        "announcements": queries.announcements_in_force(request.event, now),
        "calls": queries.open_table_calls(request.event),
        "sessions": queries.sessions_of_day(request.event, now),
        "kinds": TableCallKind.choices,
        "acts": is_act_allowed(request.roles, "move_session"),
        "refusal": refusal,
        "asked": about if isinstance(about, PersonalDataQuestion) else None,
        "typed": request.POST if refusal is not None else {},
    }
    return render(request, "hall/desk.html", shown, status=refusal.status if refusal else 200)


def announce_line(request: EventRequest) -> None:
    given = request.POST
    services.announce(
        request.event,
        text_zh=given.get("text_zh", ""),
        text_en=given.get("text_en", ""),
        until=end_typed(given.get("until", "")),
        by=request.user,
        request_key=given.get("request_key", ""),
        words_confirmed=given.get("words_confirmed", ""),
    )


def end_typed(text: str) -> datetime:
    """The next moment at which the hall's clock shows this hour; BadInput for none."""
    try:
        hour = datetime.strptime(text.strip(), "%H:%M").time()
    except ValueError:
        raise BadInput("announcement_end", services.ANNOUNCEMENT_END_PAST) from None
    now = timezone.localtime()
    found = timezone.make_aware(datetime.combine(now.date(), hour))
    # An hour that has just passed is a slip; one before midnight typed for the morning after is not.
    return found + timedelta(days=1) if now - found > timedelta(hours=12) else found


def call_one_table(request: EventRequest) -> None:
    given = request.POST
    session, number = (numeral(given.get(name, "")) for name in ("session", "table"))
    rows = Table.objects.filter(session__stage__event=request.event, session__number=session, number=number)
    table = rows.select_related("session__stage__event").first()
    if table is None:
        raise BadInput("no_such_table", NO_TABLE_OF_TODAY)
    services.call_table(table, given.get("kind", ""), by=request.user, request_key=given.get("request_key", ""))


def end_one_announcement(request: EventRequest) -> None:
    services.end_announcement(request.event, numeral(request.POST.get("key", "")), **by_request(request))


def end_one_call(request: EventRequest) -> None:
    services.end_table_call(request.event, numeral(request.POST.get("key", "")), **by_request(request))


def refuse_unknown_act(request: EventRequest) -> None:
    raise BadInput("no_such_move", services.HALL_SIGN_ENDED)


def by_request(request: EventRequest) -> dict[str, Any]:
    return {"by": request.user, "request_key": request.POST.get("request_key", "")}


def numeral(text: str) -> int:
    """A small whole number; 0, which is nobody's, for whatever else was sent."""
    typed = text.strip()
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0


HALL_ACTS = {
    "announce": announce_line,
    "end_announcement": end_one_announcement,
    "call": call_one_table,
    "end_call": end_one_call,
}

urlpatterns = [path("hall/", hall_desk, name="hall_desk")]

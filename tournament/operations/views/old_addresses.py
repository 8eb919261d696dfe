"""Addresses of before stages had their own: papers, mails and bookmarks that carry them lead to the new ones."""

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import path
from django.views.decorators.http import require_http_methods

from tournament.core.form_keys import mark_not_acted
from tournament.core.permissions import EventRequest, for_act
from tournament.operations.views.navigation import navigation_url

# That what was sent is sent on, as it was.
KEEPS_THE_METHOD = 307


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_desk")
def moved(request: EventRequest, *, to: str, last: bool = False, **more: Any) -> HttpResponse:
    """To the page of the event's first stage, or of its last; whether it may be opened is asked there."""
    last = last or more.get("of") in ("podium", "award")
    address = navigation_url(
        to, request.event.slug, request.last_stage if last else request.first_stage, *more.values()
    )
    query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
    response = mark_not_acted(HttpResponseRedirect(f"{address}{query}"))
    if request.method == "POST":
        response.status_code = KEEPS_THE_METHOD
    return response


def old(address: str, to: str, **more: Any) -> Any:
    """An address of before, and the page that it is now."""
    return path(address, moved, {"to": to, **more}, name=f"old_{'final_' if more else ''}{to}")


urlpatterns = [
    old("standings/", "standings"),
    old("standings/<int:number>/", "standing"),
    old("final/standings/", "standings", last=True),
    old("final/standings/<int:number>/", "standing", last=True),
    old("qualification/", "qualification"),
    old("places/", "places"),
    old("places/decide/", "decide_reserve_tie"),
    old("places/until/", "set_answers_until"),
    old("places/<int:number>/answer/", "record_answer"),
    old("play-off/<slug:of>/", "play_off"),
    old("lots/<slug:of>/", "lots"),
]

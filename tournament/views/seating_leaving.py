"""An entrant to another session, from the entrant's page: the seat, if there is one, goes with the same act."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from tournament.forms.registration_changes import MoveForm
from tournament.models import Entrant
from tournament.permissions import for_act, require
from tournament.services import seating_leaving as services
from tournament.views.registration import session_words
from tournament.views.registration_changes import acted


@require_POST
@for_act("change_entrant")
def move_entrant(request: HttpRequest, number: int) -> HttpResponse:
    """A boundary birthday is the organiser's to accept (R1), as the seats are the organiser's to change (R7)."""

    def act(found: Entrant, typed: Any, told: Any) -> None:
        if typed["accept_birthday"]:
            require(request.roles, "decide_entry")
        if typed["seat"]:
            require(request.roles, "draw_seats")
        services.move(found, **typed, by=request.user, waits=told["waits"])

    form = MoveForm(request.POST, sessions=session_words(request.event))
    return acted(request, number, form, "moving", act)


urlpatterns = [
    path("entrants/<int:number>/move/", move_entrant, name="move_entrant"),
]

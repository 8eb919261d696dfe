"""An entrant to another session, from the entrant's page: the seat, if there is one, goes with the same act."""

from typing import Any

from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from tournament.core.permissions import EventRequest, for_act, require_act
from tournament.entrants.models.people import Entrant
from tournament.registration.forms.changes import MoveSessionForm
from tournament.registration.services import seating_leaving as services
from tournament.registration.views.changes import run_entrant_form
from tournament.registration.views.registration import session_choices_in_words


@require_POST
@for_act("change_entrant")
def move_entrant(request: EventRequest, number: int) -> HttpResponse:
    """A boundary birthday is the organiser's to accept (R1), as the seats are the organiser's to change (R7)."""

    def act(found: Entrant, typed: Any, told: Any) -> None:
        if typed["accept_birthday"]:
            require_act(request.roles, "decide_entry")
        if typed["seat"]:
            require_act(request.roles, "draw_seats")
        services.move_entrant_and_seat(found, **typed, by=request.user, waits=told["waits"])

    form = MoveSessionForm(request.POST, sessions=session_choices_in_words(request.event))
    return run_entrant_form(request, number, form, "moving", act)


urlpatterns = [
    path("entrants/<int:number>/move/", move_entrant, name="move_entrant"),
]

"""An entrant to another session, and the seat, if there is one, given up with the same act."""

from django.urls import path
from django.utils.translation import gettext_noop as _

from tournament.api.fields import Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.registration import LONGEST_REASON
from tournament.api.registration_changes import ENTRANT, ChangedAnswer, ChangedEntrant
from tournament.api.resource import writes
from tournament.models import Entrant, Proposal
from tournament.permissions import require
from tournament.services import seating_leaving as services


class OtherSessionRequest(Strict):
    """To this session. `accept_birthday`: an organiser accepts one whose seventh birthday is that very day. `seat`: the
    seat given up with it, `5C`."""

    session = Whole(min_value=1)
    reason = Text(max_length=LONGEST_REASON)
    accept_birthday = Truth(required=False)
    seat = Text(required=False, allow_blank=True, max_length=5)


class OtherSession(ChangedEntrant):
    """Another session."""

    @writes(
        "move_entrant",
        "change_entrant",
        _("Move an entrant to another session"),
        ChangedAnswer,
        takes=OtherSessionRequest,
        match=True,
        waits=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """A boundary birthday is an organiser's to accept (R1), a seat an organiser's to free (R7)."""
        accept = given.data.get("accept_birthday", False)
        if accept:
            require(self.roles, "decide_entry")
        seat = given.data.get("seat", "")
        if seat:
            require(self.roles, "draw_seats")
        waits: list[Proposal] = []
        services.move(
            found,
            session=given.data["session"],
            seat=seat,
            revision=given.revision or 0,
            reason=given.data["reason"],
            by=given.by,
            accept_birthday=accept,
            waits=waits,
        )
        return self.now(waits)


urlpatterns = [
    path(f"{ENTRANT}move/", OtherSession.as_view(), name="api_move_entrant"),
]

"""The seats of a session: read, drawn, swapped, confirmed. Entrants by number; their names are under entrants."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Strict, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.enums import EntrantStatus
from tournament.errors import Refused, StaleVersion
from tournament.models import Session
from tournament.queries import seating as queries
from tournament.services import seating

LETTERS = [(letter, letter) for letter in "ABCD"]
NOT_KEPT = [(kind, kind) for kind in ("family", "meeting", "letter", "school")]


class SeatAnswer(serializers.Serializer):
    """Who sits where."""

    letter = serializers.ChoiceField(choices=LETTERS)
    entrant = serializers.IntegerField(source="entrant.number")
    status = serializers.ChoiceField(choices=EntrantStatus.choices, source="entrant.status")


class RoomSeatAnswer(SeatAnswer):
    """The same in the room, with the status in this stage."""

    status = serializers.ChoiceField(choices=EntrantStatus.choices)


class TableAnswer(serializers.Serializer):
    """A table, its referee's account and its seats."""

    number = serializers.IntegerField()
    referee = serializers.CharField(source="referee.username", default=None, allow_null=True)
    seats = RoomSeatAnswer(many=True)


class TogetherAnswer(serializers.Serializer):
    """What the draw could not keep: a family or a school at one table; in a final's round also two who meet again, and
    one who sits too often at this letter. `rounds`, from 1: where it was so before."""

    kind = serializers.ChoiceField(choices=NOT_KEPT)
    ids = serializers.ListField(child=serializers.IntegerField())
    table = serializers.IntegerField()
    letter = serializers.ChoiceField(choices=LETTERS, required=False)
    rounds = serializers.ListField(child=serializers.IntegerField(), required=False)


class SeatingAnswer(serializers.Serializer):
    """A session's seats; `revision` is 0 and `seed` null before its draw."""

    session = serializers.IntegerField()
    revision = serializers.IntegerField()
    seed = serializers.IntegerField(allow_null=True)
    drawn_at = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    could_not = TogetherAnswer(many=True)
    tables = TableAnswer(many=True)


class DrawRequest(Strict):
    """`seed` left out: one that nobody could foresee."""

    seed = Whole(required=False, allow_null=True, max_value=2**seating.SEED_BITS - 1)


class SwapRequest(Strict):
    """Two entrants of the session, by number."""

    first = Whole(min_value=1)
    second = Whole(min_value=1)


def seating_of(session: Session) -> Answer:
    """The seats as they stand; three queries."""
    draw = queries.draw_of(session)
    revision = draw.revision if draw else 0
    told = {
        "session": session.number,
        "revision": revision,
        "seed": draw.seed if draw else None,
        "drawn_at": draw.drawn_at if draw else None,
        "confirmed_at": draw.confirmed_at if draw else None,
        "could_not": draw.could_not if draw else [],
        "tables": queries.room_of(session),
    }
    return Answer(told, revision)


class SeatingResource(Resource):
    """What all addresses about a session's seats share."""

    def find(self, session: int, **path: Any) -> Session:
        """The event's session of this number, of whichever stage."""
        found = queries.find_session(self.event, session)
        if found is None:
            raise not_found()
        return found

    def members(self, refusal: Refused, found: Session, given: Given) -> Mapping[str, Any]:
        """The seats as somebody else has left them, and the versions that differ."""
        if not isinstance(refusal, StaleVersion):
            return {}
        now = seating_of(found)
        differing = {"where": "revision", "mine": given.revision, "theirs": now.revision}
        return {"current": SeatingAnswer(now.thing).data, "differences": [differing]}


class Seating(SeatingResource):
    """A session's seats."""

    @reads("get_seating", "see_seating", _("The seats of a session"), SeatingAnswer, versioned=True)
    def get(self, found: Session, asked: Any) -> Answer:
        """As they stand."""
        return seating_of(found)


class SeatingDraw(SeatingResource):
    """The draw."""

    @writes("draw_seats", "draw_seats", _("Draw the seats of a session"), SeatingAnswer, takes=DrawRequest, match=True)
    def post(self, found: Session, given: Given) -> Answer:
        """Replaces a draw that is not confirmed."""
        seed = given.data.get("seed")
        seating.draw_session(found, seed=seed, by=given.by, revision=given.revision, request_key=given.key)
        return seating_of(found)


class SeatingSwap(SeatingResource):
    """Two in each other's seats."""

    @writes("swap_seats", "draw_seats", _("Swap two entrants"), SeatingAnswer, takes=SwapRequest, match=True)
    def post(self, found: Session, given: Given) -> Answer:
        """`could_not` of the answer says what it breaks."""
        seating.swap(found, revision=given.revision or 0, by=given.by, request_key=given.key, **given.data)
        return seating_of(found)


class SeatingConfirmation(SeatingResource):
    """The seats fixed."""

    @writes("confirm_seats", "draw_seats", _("Confirm the seats of a session"), SeatingAnswer, match=True)
    def post(self, found: Session, given: Given) -> Answer:
        """Confirmed already: as it stands."""
        seating.confirm(found, revision=given.revision or 0, by=given.by, request_key=given.key)
        return seating_of(found)


urlpatterns = [
    path("sessions/<int:session>/seating/", Seating.as_view(), name="api_seating"),
    path("sessions/<int:session>/seating/draw/", SeatingDraw.as_view(), name="api_draw"),
    path("sessions/<int:session>/seating/swap/", SeatingSwap.as_view(), name="api_swap"),
    path("sessions/<int:session>/seating/confirm/", SeatingConfirmation.as_view(), name="api_confirm"),
]

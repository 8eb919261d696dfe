"""Acts in a room that stands: an entrant moved, a late one seated, a table opened or dissolved, a move undone."""

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Choice, Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import writes
from tournament.api.seating import LETTERS, SeatingAnswer, SeatingResource, seating_of
from tournament.errors import BadInput
from tournament.models import Session
from tournament.queries import seating as queries
from tournament.services import seating_moves as moves
from tournament.services import seating_plans as plans
from tournament.services import seating_room as services

HIGHEST_TABLE = 999


class EntrantRequest(Strict):
    """By number."""

    entrant = Whole(min_value=1)


class MoveRequest(EntrantRequest):
    """To a seat: an empty one, or in exchange with who sits there."""

    table = Whole(min_value=1, max_value=HIGHEST_TABLE)
    letter = Choice(choices=LETTERS)


class TableRequest(Strict):
    """By number."""

    table = Whole(min_value=1, max_value=HIGHEST_TABLE)


class OpenTableRequest(Strict):
    """Three or four entrants, by number."""

    entrants = serializers.ListField(child=Whole(min_value=1), max_length=len(LETTERS))


class RefereeRequest(TableRequest):
    """The account of a referee of this event; null: nobody."""

    referee = Text(max_length=150, allow_null=True)


class SeatMove(SeatingResource):
    """To a seat."""

    @writes("move_seat", "draw_seats", _("Move an entrant to a seat"), SeatingAnswer, takes=MoveRequest, match=True)
    def post(self, found: Session, given: Given) -> Answer:
        """`could_not` of the answer says what it breaks."""
        data = given.data
        services.move(
            found,
            revision=given.revision or 0,
            entrant=data["entrant"],
            place=(data["table"], data["letter"]),
            by=given.by,
            request_key=given.key,
        )
        return seating_of(found)


class LateSeat(SeatingResource):
    """One without a seat."""

    @writes(
        "seat_late_entrant",
        "draw_seats",
        _("Seat a late entrant where it breaks least; nobody else moves"),
        SeatingAnswer,
        takes=EntrantRequest,
        match=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """The seat that the page offers."""
        late = given.data["entrant"]
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        moves.rearrange(found, plans.to_best_seat(late), payload=["late", late], **seen)
        return seating_of(found)


class NewTable(SeatingResource):
    """One more table."""

    @writes(
        "open_table",
        "draw_seats",
        _("Open a table for three or four entrants"),
        SeatingAnswer,
        takes=OpenTableRequest,
        match=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """The lowest unused number."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.open_table(found, entrants=given.data["entrants"], **seen)
        return seating_of(found)


class Dissolving(SeatingResource):
    """One table fewer."""

    @writes(
        "dissolve_table",
        "draw_seats",
        _("Dissolve a table: its entrants go to empty seats elsewhere"),
        SeatingAnswer,
        takes=TableRequest,
        match=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """Nobody else moves."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.dissolve(found, table=given.data["table"], **seen)
        return seating_of(found)


class FreeSeat(SeatingResource):
    """An empty seat more."""

    @writes(
        "free_seat",
        "draw_seats",
        _("Free the seat of one who no longer takes part"),
        SeatingAnswer,
        takes=EntrantRequest,
        match=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """The absence is recorded first."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.free_seat(found, entrant=given.data["entrant"], **seen)
        return seating_of(found)


class Undoing(SeatingResource):
    """Back."""

    @writes("undo_move", "draw_seats", _("Undo the last move"), SeatingAnswer, match=True)
    def post(self, found: Session, given: Given) -> Answer:
        """A move of its own, which can be undone in turn."""
        services.undo(found, revision=given.revision or 0, by=given.by, request_key=given.key)
        return seating_of(found)


class TableReferee(SeatingResource):
    """Who watches."""

    @writes(
        "assign_referee",
        "draw_seats",
        _("Give a table another referee, or none"),
        SeatingAnswer,
        takes=RefereeRequest,
        match=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """By account."""
        name = given.data["referee"]
        account = next((one for one in queries.referees_of(self.event) if one.get_username() == name), None)
        if name is not None and account is None:
            raise BadInput("not_a_referee", services.NOT_A_REFEREE, found)
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.assign_referee(found, table=given.data["table"], referee=account, **seen)
        return seating_of(found)


ROOM = "sessions/<int:session>/seating/"
urlpatterns = [
    path(f"{ROOM}move/", SeatMove.as_view(), name="api_move_seat"),
    path(f"{ROOM}late/", LateSeat.as_view(), name="api_seat_late_entrant"),
    path(f"{ROOM}open/", NewTable.as_view(), name="api_open_table"),
    path(f"{ROOM}dissolve/", Dissolving.as_view(), name="api_dissolve_table"),
    path(f"{ROOM}free/", FreeSeat.as_view(), name="api_free_seat"),
    path(f"{ROOM}undo/", Undoing.as_view(), name="api_undo_move"),
    path(f"{ROOM}referee/", TableReferee.as_view(), name="api_assign_referee"),
]

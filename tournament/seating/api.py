"""The seats of a session: drawn, swapped, confirmed, changed in a room that stands; and the papers printed for it.

Entrants by number; their names are under entrants.
"""

from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import PlainTextField, StrictBody, StrictBooleanField, StrictIntegerField, WordChoiceField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import VersionedViewSet
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput
from tournament.core.models.stage import Session
from tournament.seating.services import moves, plans, room, seating
from tournament.seating.services import print as printing
from tournament.tables.api import API_SEAT_LETTERS, SeatAnswer, SessionViewSet
from tournament.tables.models import SheetPrint
from tournament.tables.queries import seating as queries

SEPARATION_KIND_CHOICES = [(kind, kind) for kind in ("family", "meeting", "letter", "school")]


class RoomSeatAnswer(SeatAnswer):
    status = serializers.ChoiceField(choices=EntrantStatus.choices)


class TableAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    referee = serializers.CharField(source="referee.username", default=None, allow_null=True)
    seats = RoomSeatAnswer(many=True)


class TogetherAnswer(serializers.Serializer[Any]):
    """What the draw could not keep: a family or a school at one table; in a final's round also two who meet again, and
    one who sits too often at this letter. `rounds`, from 1: where it was so before."""

    kind = serializers.ChoiceField(choices=SEPARATION_KIND_CHOICES)
    ids = serializers.ListField(child=serializers.IntegerField())
    table = serializers.IntegerField()
    letter = serializers.ChoiceField(choices=API_SEAT_LETTERS, required=False)
    rounds = serializers.ListField(child=serializers.IntegerField(), required=False)


class SeatingAnswer(serializers.Serializer[Any]):
    """A session's seats; `revision` is 0 and `seed` null before its draw."""

    session = serializers.IntegerField()
    revision = serializers.IntegerField()
    seed = serializers.IntegerField(allow_null=True)
    drawn_at = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    could_not = TogetherAnswer(many=True)
    tables = TableAnswer(many=True)


class DrawRequest(StrictBody):
    """`seed` left out: one that nobody could foresee."""

    seed = StrictIntegerField(required=False, allow_null=True, max_value=2**seating.SEED_BITS - 1)


class SwapRequest(StrictBody):
    first = StrictIntegerField(min_value=1)
    second = StrictIntegerField(min_value=1)


HIGHEST_TABLE = 999


class EntrantRequest(StrictBody):
    entrant = StrictIntegerField(min_value=1)


class MoveRequest(EntrantRequest):
    """To a seat: an empty one, or in exchange with who sits there."""

    table = StrictIntegerField(min_value=1, max_value=HIGHEST_TABLE)
    letter = WordChoiceField(choices=API_SEAT_LETTERS)


class TableRequest(StrictBody):
    table = StrictIntegerField(min_value=1, max_value=HIGHEST_TABLE)


class OpenTableRequest(StrictBody):
    entrants = serializers.ListField(child=StrictIntegerField(min_value=1), max_length=len(API_SEAT_LETTERS))


class RefereeRequest(TableRequest):
    """The account of a referee of this event; null: nobody."""

    referee = PlainTextField(max_length=150, allow_null=True)


PRINT_MAX_TABLES = 200


class SeatingViewSet(SessionViewSet, VersionedViewSet):
    """`could_not` of the answer says what an act breaks."""

    chapter = "seating"
    serializer_class = SeatingAnswer

    def told(self, session: Session) -> dict[str, Any]:
        draw = queries.current_draw_of(session)
        return {
            "session": session.number,
            "revision": draw.revision if draw else 0,
            "seed": draw.seed if draw else None,
            "drawn_at": draw.drawn_at if draw else None,
            "confirmed_at": draw.confirmed_at if draw else None,
            "could_not": draw.could_not if draw else [],
            "tables": queries.tables_of_session_room(session),
        }

    @reads("/", "see_seating", _("The seats of a session"))
    def get_seating(self, session: Session) -> dict[str, Any]:
        return self.told(session)

    @changes("/draw/", "draw_seats", _("Draw the seats of a session"), DrawRequest, name="draw")
    def draw_seats(self, session: Session, given: RequestData) -> None:
        seating.draw_session(session, **given.seen, **given.data)

    @changes("/swap/", "draw_seats", _("Swap two entrants"), SwapRequest, name="swap")
    def swap_seats(self, session: Session, given: RequestData) -> None:
        seating.exchange_two_seats(session, **given.seen, **given.data)

    @changes("/confirm/", "draw_seats", _("Confirm the seats of a session"), name="confirm")
    def confirm_seats(self, session: Session, given: RequestData) -> None:
        seating.confirm_session_draw(session, **given.seen)

    @changes("/move/", "draw_seats", _("Move an entrant to a seat"), MoveRequest)
    def move_seat(self, session: Session, given: RequestData) -> None:
        place = given.data["table"], given.data["letter"]
        room.move_seat_to(session, entrant=given.data["entrant"], place=place, **given.seen)

    @changes("/late/", "draw_seats", _("Seat a late entrant where it breaks least; nobody else moves"), EntrantRequest)
    def seat_late_entrant(self, session: Session, given: RequestData) -> None:
        late = given.data["entrant"]
        moves.apply_seat_plan(session, plans.to_best_seat(late), payload=["late", late], **given.seen)

    @changes("/open/", "draw_seats", _("Open a table for three or four entrants"), OpenTableRequest)
    def open_table(self, session: Session, given: RequestData) -> None:
        room.open_extra_table(session, **given.seen, **given.data)

    @changes("/dissolve/", "draw_seats", _("Dissolve a table: its entrants go to empty seats elsewhere"), TableRequest)
    def dissolve_table(self, session: Session, given: RequestData) -> None:
        room.dissolve_seated_table(session, **given.seen, **given.data)

    @changes("/free/", "draw_seats", _("Free the seat of one who no longer takes part"), EntrantRequest)
    def free_seat(self, session: Session, given: RequestData) -> None:
        room.free_entrant_seat(session, **given.seen, **given.data)

    @changes("/undo/", "draw_seats", _("Undo the last move"))
    def undo_move(self, session: Session, given: RequestData) -> None:
        room.undo_last_seat_move(session, **given.seen)

    @changes("/referee/", "draw_seats", _("Give a table another referee, or none"), RefereeRequest)
    def assign_referee(self, session: Session, given: RequestData) -> None:
        name, known = given.data["referee"], queries.referees_by_account_name(self.event)
        account = next((one for one in known if one.get_username() == name), None)
        if name is not None and account is None:
            raise BadInput("not_a_referee", room.NOT_A_REFEREE, session)
        room.assign_table_referee(session, table=given.data["table"], referee=account, **given.seen)


class PaperAnswer(serializers.Serializer[Any]):
    """One printing of a table's sheet. `newest` false: it was replaced and is refused by its serial."""

    table = serializers.IntegerField(source="table_number")
    number = serializers.IntegerField()
    serial = serializers.CharField()
    newest = serializers.BooleanField()
    seats = serializers.DictField(child=serializers.IntegerField())
    referee = serializers.CharField(source="referee.username", default=None, allow_null=True)
    printed_by = serializers.CharField(source="printed_by.username")
    printed_at = serializers.DateTimeField()


class PapersAnswer(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    papers = PaperAnswer(many=True)


class PrintRequest(StrictBody):
    """`tables` left out: all. `again`: new papers also where the old ones stand."""

    tables = serializers.ListField(child=StrictIntegerField(min_value=1), required=False, max_length=PRINT_MAX_TABLES)
    again = StrictBooleanField(required=False)


def session_papers(session: Session) -> list[Any]:
    newest = {one.pk for one in queries.newest_prints([session]).values()}
    papers = SheetPrint.objects.filter(session=session).select_related("referee", "printed_by")
    found: list[Any] = list(papers.order_by("table_number", "number"))
    for one in found:
        one.serial = queries.paper_serial(session, one.table_number, one.number)
        one.newest = one.pk in newest
    return found


class PaperListViewSet(SessionViewSet):
    """A session's papers. The file to print is the page's."""

    chapter = "seating"
    serializer_class = PapersAnswer

    @reads("/", "print_scoresheets", _("The papers printed for a session"))
    def list_prints(self, session: Session) -> dict[str, Any]:
        return {"session": session.number, "papers": session_papers(session)}

    @list_prints.mapping.post
    @changes(
        "",
        "print_scoresheets",
        _("Record that scoresheets are printed, each with a serial of its own"),
        PrintRequest,
        status=201,
    )
    def print_scoresheets(self, session: Session, given: RequestData) -> dict[str, Any]:
        new = {one.pk for one in printing.print_session(session, **given.seen, **given.data)}
        return {"session": session.number, "papers": [one for one in session_papers(session) if one.pk in new]}

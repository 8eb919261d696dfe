"""The papers of a session: which were printed, what each is worth, and new ones recorded as printed."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Strict, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import reads, writes
from tournament.api.seating import SeatingResource
from tournament.models import Session, SheetPrint
from tournament.queries import seating as queries
from tournament.services import seating_print as services

MOST_TABLES = 200


class PaperAnswer(serializers.Serializer):
    """One printing of a table's sheet. `newest` false: it was replaced and is refused by its serial."""

    table = serializers.IntegerField(source="table_number")
    number = serializers.IntegerField()
    serial = serializers.CharField()
    newest = serializers.BooleanField()
    seats = serializers.DictField(child=serializers.IntegerField())
    referee = serializers.CharField(source="referee.username", default=None, allow_null=True)
    printed_by = serializers.CharField(source="printed_by.username")
    printed_at = serializers.DateTimeField()


class PapersAnswer(serializers.Serializer):
    """By table, then in the order of printing."""

    session = serializers.IntegerField()
    papers = PaperAnswer(many=True)


class PrintRequest(Strict):
    """`tables` left out: all. `again`: new papers also where the old ones stand."""

    tables = serializers.ListField(child=Whole(min_value=1), required=False, max_length=MOST_TABLES)
    again = Truth(required=False)


def papers_of(session: Session) -> list[SheetPrint]:
    """Every paper there was; two queries."""
    newest = {one.pk for one in queries.newest_prints([session]).values()}
    papers = SheetPrint.objects.filter(session=session).select_related("referee", "printed_by")
    found = list(papers.order_by("table_number", "number"))
    for one in found:
        one.serial = queries.paper_serial(session, one.table_number, one.number)
        one.newest = one.pk in newest
    return found


class Prints(SeatingResource):
    """A session's papers. The file to print is the page's."""

    @reads("list_prints", "print_scoresheets", _("The papers printed for a session"), PapersAnswer)
    def get(self, found: Session, asked: Any) -> Answer:
        """Replaced ones too."""
        return Answer({"session": found.number, "papers": papers_of(found)})

    @writes(
        "print_scoresheets",
        "print_scoresheets",
        _("Record that scoresheets are printed, each with a serial of its own"),
        PapersAnswer,
        takes=PrintRequest,
        status=201,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """Answers the new papers alone."""
        made = services.print_session(
            found,
            by=given.by,
            tables=given.data.get("tables"),
            again=given.data.get("again", False),
            request_key=given.key,
        )
        new = {one.pk for one in made}
        return Answer({"session": found.number, "papers": [one for one in papers_of(found) if one.pk in new]})


urlpatterns = [path("sessions/<int:session>/prints/", Prints.as_view(), name="api_prints")]

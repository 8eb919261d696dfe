"""Entrants: found, read, absent, changed, moved. Names are told by reads alone, contacts to whom they are for: the
answer to a change is kept with its key."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.response import Response

from tournament.accounts.models import Proposal
from tournament.accounts.services.personal_exports import record_export
from tournament.api.errors import found_or_404
from tournament.api.fields import (
    MaybeReasonRequest,
    PageParams,
    PlainTextField,
    QueryIntegerField,
    ReasonRequest,
    StrictBooleanField,
    StrictIntegerField,
    WordChoiceField,
    page_of,
)
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.schema import FaultAnswer
from tournament.api.viewsets import EventViewSet, VersionedViewSet
from tournament.core.entrant_column_kinds import ColumnKind, Edited, EntrantColumn, Seen
from tournament.core.entrant_columns import ENTRY_COLUMNS, PERSON_COLUMNS, columns_where
from tournament.core.enums import EntrantStatus, FamilyRole, Language, Role
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.permissions import MAX_FOUND_WITH_FAMILY, require_act, sees_school_and_family
from tournament.entrants.exports.file import importer_cell_text
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries import entrants as queries
from tournament.entrants.queries.entrant_values import value_of
from tournament.entrants.readers.faults import ImportFault
from tournament.registration.services import changes as services
from tournament.registration.services import seating_leaving
from tournament.sheets.services import registration
from tournament.tables.models import Seat

API_CONTACT_ROLES = frozenset({Role.ORGANISER, Role.CLERK})
ABSENCE_STATUS_CHOICES = [choice for choice in EntrantStatus.choices if choice[0] != EntrantStatus.OK]
CHOICES = {ColumnKind.LANGUAGE: Language.choices, ColumnKind.FAMILY_ROLE: FamilyRole.choices}


def answer_field(column: EntrantColumn, **kwargs: Any) -> serializers.Field[Any, Any, Any, Any]:
    if column.kind in CHOICES:
        return serializers.ChoiceField(choices=CHOICES[column.kind], **kwargs)
    if column.kind is ColumnKind.YES_NO:
        return serializers.BooleanField(**kwargs)
    if column.kind is ColumnKind.DATE:
        return serializers.DateField(allow_null=True, **kwargs)
    return serializers.CharField(**kwargs)


class ContactAnswer(serializers.Serializer[Any]):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        columns = columns_where(lambda column: column.api is Seen.CONTACTS)
        found = sorted(columns, key=lambda column: column.kind is ColumnKind.DATE)
        return {column.key: answer_field(column) for column in found}


def is_open_column(column: EntrantColumn) -> bool:
    """Whether an answer tells the column to all who may see entrants; number and session have fields of their own."""
    keyed = (ColumnKind.NUMBER, ColumnKind.SESSION)
    return column.api in (Seen.EVERYBODY, Seen.FEW_AT_ONCE) and column.kind not in keyed


OPEN_COLUMNS = tuple(filter(is_open_column, (*PERSON_COLUMNS, *ENTRY_COLUMNS)))
ONLY_FEW = tuple(column.key for column in OPEN_COLUMNS if column.api is Seen.FEW_AT_ONCE)


def open_field(column: EntrantColumn) -> serializers.Field[Any, Any, Any, Any]:
    """A column for all who may see entrants; null in a list for whom it is not."""
    few = {"allow_null": True} if column.api is Seen.FEW_AT_ONCE else {}
    blank = {"allow_blank": True} if column.kind is ColumnKind.FAMILY_ROLE else {}
    nobodys = {"default": None} if column.kind is ColumnKind.FAMILY else {}
    return answer_field(column, source=f"open_values.{column.key}", **few, **blank, **nobodys)


class EntrantAnswer(serializers.Serializer[Any]):
    """One entrant; `contact` is null for whom it is not for, `seat` (such as 6B) before the draw.

    `school`, `family` and `family_role` are null in a list for who may not take out personal data in bulk, unless a
    `text` is searched for that finds 20 or fewer. Elsewhere `family` is null for nobody's, `family_role` then empty.
    """

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    status = serializers.ChoiceField(choices=EntrantStatus.choices)
    session = serializers.IntegerField(source="session.number")
    seat = serializers.CharField(source="place", allow_null=True)
    contact = ContactAnswer(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        own = super().get_fields()
        last = {name: own.pop(name) for name in ("seat", "contact")}
        return {**own, **{column.key: open_field(column) for column in OPEN_COLUMNS}, **last}


class EntrantsAnswer(serializers.Serializer[Any]):
    """A part of the list: `count` are all that were asked for, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    entrants = EntrantAnswer(many=True)


class StatusAnswer(serializers.Serializer[Any]):
    """What is recorded now, without a name: this answer is kept with its key."""

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    status = serializers.ChoiceField(choices=EntrantStatus.choices)
    session = serializers.IntegerField(source="session.number")
    family = serializers.CharField(source="family.code", default=None, allow_null=True)
    family_role = serializers.ChoiceField(choices=FamilyRole.choices, allow_blank=True)


class EntrantQueryParams(PageParams):
    """By number, name or the phone's last digits, four or more; by session; by status."""

    text = PlainTextField(required=False, max_length=100, allow_blank=True)
    session = QueryIntegerField()
    status = WordChoiceField(choices=EntrantStatus.choices, required=False)


class AbsenceRequest(ReasonRequest):
    status = WordChoiceField(choices=ABSENCE_STATUS_CHOICES)


def prefetch_entrant_seats() -> "Prefetch[Any]":
    return Prefetch("seats", queryset=Seat.objects.select_related("table"), to_attr="seats_here")


class EntrantsViewSet(EventViewSet):
    chapter = "registration"

    def visible(self, entrant: Any, *, contacts: bool = True, in_full: bool = True) -> Entrant:
        """The entrant as this account may see it; not `in_full`: without school and family."""
        values = {column.key: value_of(entrant, column.key) for column in OPEN_COLUMNS}
        values["family"] = values["family"] or None
        entrant.open_values = values if in_full else values | dict.fromkeys(ONLY_FEW)
        held = [seat for seat in entrant.seats_here if seat.session_id == entrant.session_id]
        entrant.place = f"{held[0].table.number}{held[0].letter}" if held else None
        entrant.contact = entrant.person if contacts and self.roles & API_CONTACT_ROLES else None
        found: Entrant = entrant
        return found


class EntrantListViewSet(EntrantsViewSet):
    """The list. No contacts: these leave in bulk by the desk's files alone. More people than a search finds are an
    entry of the log."""

    @reads("/", "see_entrants", _("Find entrants"), EntrantsAnswer, asks=EntrantQueryParams)
    def list_entrants(
        self, event: Event, *, after: int, limit: int, text: str = "", session: int | None = None, status: str = ""
    ) -> dict[str, Any]:
        """By number, a part at a time; as many queries for one as for two hundred."""
        phones = bool(self.roles & API_CONTACT_ROLES)
        matching = queries.search_entrants(event, text=text, session=session, status=status, phones=phones)
        rows, following = page_of(matching.prefetch_related(prefetch_entrant_seats()), "number", after, limit)
        count = matching.count()
        in_full = sees_school_and_family(self.roles, text=text, found=count)
        page = [self.visible(entrant, contacts=False, in_full=in_full) for entrant in rows]
        if count > MAX_FOUND_WITH_FAMILY and page:
            among = f"from {page[0].number:04d}, of {count}"
            record_export(event, self.account, "api entrants", people=len(page), among=among)
        return {"count": count, "next": following, "entrants": page}


class EntrantByNumberViewSet(EntrantsViewSet, VersionedViewSet):
    serializer_class = StatusAnswer

    def get_object(self) -> Entrant:
        found = queries.search_entrants(self.event).filter(number=self.kwargs["number"])
        return found_or_404(found.prefetch_related(prefetch_entrant_seats()).first())


class EntrantViewSet(EntrantByNumberViewSet):
    @reads("/", "see_entrants", _("One entrant"), EntrantAnswer)
    def get_entrant(self, entrant: Entrant) -> Entrant:
        return self.visible(entrant)

    @changes("/absence/", "record_absence", _("Record an absence"), AbsenceRequest, name="absence")
    def record_absence(self, entrant: Entrant, given: RequestData) -> Entrant:
        """A no-show, a withdrawal, a disqualification: the chief judge alone disqualifies."""
        status = EntrantStatus(given.data["status"])
        if status == EntrantStatus.DISQUALIFIED:
            require_act(self.roles, "disqualify")
        return registration.record_absence(entrant, **{**given.sent, "status": status})

    @changes("/readmit/", "record_absence", _("Readmit an entrant"), ReasonRequest)
    def readmit(self, entrant: Entrant, given: RequestData) -> Entrant:
        """A disqualification is taken back by those who may disqualify."""
        if entrant.status == EntrantStatus.DISQUALIFIED:
            require_act(self.roles, "disqualify")
        return registration.readmit_entrant(entrant, **given.sent)


ENTRANT_CELL_MAX_LENGTH = 1000
ENTRANT_NUMBER_UNKNOWN = _("Nobody has number %(number)s.")


def request_field(column: EntrantColumn) -> serializers.Field[Any, Any, Any, Any]:
    if column.kind is ColumnKind.YES_NO:
        return StrictBooleanField(required=False)
    if column.kind in CHOICES:
        return WordChoiceField(choices=CHOICES[column.kind], required=False)
    return PlainTextField(required=False, allow_blank=True, max_length=ENTRANT_CELL_MAX_LENGTH)


def by_input(column: EntrantColumn) -> int:
    """Texts come before choices, these before yes or no."""
    return 2 if column.kind is ColumnKind.YES_NO else 1 if column.kind in CHOICES else 0


class ChangeRequest(MaybeReasonRequest):
    """What shall stand, as a list has it; what is left out stays. `accept_name`: an unusual name is really so."""

    accept_name = StrictBooleanField(required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        columns = sorted(columns_where(lambda column: column.edited is Edited.FORM), key=by_input)
        return {column.key: request_field(column) for column in columns} | super().get_fields()


class JoinRequest(MaybeReasonRequest):
    """The other one of the pair, and which of the two this entrant is."""

    role = WordChoiceField(choices=FamilyRole.choices)
    other = StrictIntegerField(min_value=1)


class OtherSessionRequest(ReasonRequest):
    """To this session. `accept_birthday`: an organiser accepts one whose seventh birthday is that very day. `seat`: the
    seat given up with it, `5C`."""

    session = StrictIntegerField(min_value=1)
    accept_birthday = StrictBooleanField(required=False)
    seat = PlainTextField(required=False, allow_blank=True, max_length=5)


class ChangedAnswer(StatusAnswer):
    """What is recorded now; `proposal` is the number of the proposal that waits for a second person: what is in it is
    not recorded yet. Null where all is recorded. `notes` tell what was taken and is unusual; there is nothing to do."""

    proposal = serializers.IntegerField(allow_null=True)
    notes = FaultAnswer(many=True)


def serialize_import_fault(fault: ImportFault) -> dict[str, str]:
    return {"where": str(fault.place.column or ""), "code": fault.code, "sentence": f"{fault.what} {fault.do}"}


class EntrantChangesViewSet(EntrantByNumberViewSet):
    """What needs a second person waits, and is answered 202."""

    serializer_class, current_class = ChangedAnswer, StatusAnswer

    def members(self, refusal: Refused, found: Entrant, given: RequestData) -> Mapping[str, Any]:
        """Each fault at its column, as in a list."""
        if isinstance(refusal.about, tuple) and all(isinstance(one, ImportFault) for one in refusal.about):
            return {"faults": [serialize_import_fault(one) for one in refusal.about]}
        return super().members(refusal, found, given)

    def now(self, waits: Sequence[Proposal], notes: Sequence[ImportFault] = ()) -> Response:
        """The entrant after the change, what waits, and what is only told."""
        found: Any = self.get_object()
        found.proposal, found.notes = waits[0].pk if waits else None, [serialize_import_fault(one) for one in notes]
        return self.respond(found, 202 if waits else 200)


class EntrantChangeViewSet(EntrantChangesViewSet):
    """Person and consents, a family joined or parted."""

    @changes("/change/", "change_entrant", _("Correct an entrant's data and consents"), ChangeRequest, waits=True)
    def change_entrant(self, entrant: Entrant, given: RequestData) -> Response:
        """Names, date of birth, contact data, consents, fee: judged as a list with this row would be."""
        sent = given.sent
        told = {name: sent.pop(name) for name in ("by", "revision", "reason", "accept_name") if name in sent}
        cells = {name: importer_cell_text(name, value) for name, value in sent.items()}
        waits, notes = list[Proposal](), list[ImportFault]()
        services.change_person(entrant, cells=cells, waits=waits, notes=notes, **told)
        return self.now(waits, notes)

    @changes("/family/", "change_entrant", _("Join an entrant with a parent or child"), JoinRequest, waits=True)
    def join_family(self, entrant: Entrant, given: RequestData) -> Response:
        sent, waits = given.sent, list[Proposal]()
        number = sent.pop("other")
        other = queries.entrant_of(self.event, number)
        if other is None:
            raise BadInput("no_such_entrant", ENTRANT_NUMBER_UNKNOWN, number=number)
        pair = (entrant, other) if sent.pop("role") == FamilyRole.CHILD else (other, entrant)
        services.join_family(*pair, about=entrant, waits=waits, **sent)
        return self.now(waits)

    @changes(
        "/part/",
        "change_entrant",
        _("Take an entrant out of the family; of a pair both are single again"),
        MaybeReasonRequest,
        waits=True,
    )
    def part_family(self, entrant: Entrant, given: RequestData) -> Response:
        waits: list[Proposal] = []
        services.part_family(entrant, waits=waits, **given.sent)
        return self.now(waits)


class EntrantMoveViewSet(EntrantChangesViewSet):
    """To another session, and the seat, if there is one, given up with the same act."""

    chapter = "seating"

    @changes("/move/", "change_entrant", _("Move an entrant to another session"), OtherSessionRequest, waits=True)
    def move_entrant(self, entrant: Entrant, given: RequestData) -> Response:
        """A boundary birthday is an organiser's to accept (R1), a seat an organiser's to free (R7)."""
        if given.data.get("accept_birthday"):
            require_act(self.roles, "decide_entry")
        if given.data.get("seat"):
            require_act(self.roles, "draw_seats")
        waits: list[Proposal] = []
        seating_leaving.move_entrant_and_seat(entrant, waits=waits, **given.sent)
        return self.now(waits)

"""Entrants: found, read, recorded as absent, readmitted. Names are told here alone, contacts to whom they are for."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Prefetch
from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Asked, Choice, Page, Strict, Text
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.enums import EntrantStatus, FamilyRole, Language, Role
from tournament.errors import Refused, StaleVersion
from tournament.models import Entrant, Event, Seat
from tournament.permissions import FEW, require, sees_school_and_family
from tournament.queries import entrants as queries
from tournament.services import registration
from tournament.services.personal_exports import record_export

CONTACTS_FOR = frozenset({Role.ORGANISER, Role.CLERK})
ABSENCES = [choice for choice in EntrantStatus.choices if choice[0] != EntrantStatus.OK]
LONGEST_REASON = registration.LONGEST_REASON


class ContactAnswer(serializers.Serializer):
    """For those who write to people and check documents."""

    phone = serializers.CharField()
    email = serializers.CharField()
    language = serializers.ChoiceField(choices=Language.choices)
    guardian = serializers.CharField()
    birth_date = serializers.DateField(allow_null=True)


class EntrantAnswer(serializers.Serializer):
    """One entrant; `contact` is null for whom it is not for, `seat` (such as 6B) before the draw.

    `school`, `family` and `family_role` are null in a list for who may not take out personal data in bulk, unless a
    `text` is searched for that finds 20 or fewer. Elsewhere `family` is null for nobody's, `family_role` then empty.
    """

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    status = serializers.ChoiceField(choices=EntrantStatus.choices)
    session = serializers.IntegerField(source="session.number")
    name_zh = serializers.CharField(source="person.name_zh")
    name_en = serializers.CharField(source="person.name_en")
    school = serializers.CharField(source="told_school", allow_null=True)
    consent_name = serializers.BooleanField(source="person.consent_name")
    family = serializers.CharField(source="told_family.code", default=None, allow_null=True)
    family_role = serializers.ChoiceField(
        choices=FamilyRole.choices, source="told_role", allow_blank=True, allow_null=True
    )
    seat = serializers.CharField(source="place", allow_null=True)
    contact = ContactAnswer(allow_null=True)


class EntrantsAnswer(serializers.Serializer):
    """A part of the list: `count` are all that were asked for, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    entrants = EntrantAnswer(many=True)


class StatusAnswer(serializers.Serializer):
    """What is recorded now, without a name: this answer is kept with its key."""

    number = serializers.IntegerField()
    revision = serializers.IntegerField()
    status = serializers.ChoiceField(choices=EntrantStatus.choices)
    session = serializers.IntegerField(source="session.number")
    family = serializers.CharField(source="family.code", default=None, allow_null=True)
    family_role = serializers.ChoiceField(choices=FamilyRole.choices, allow_blank=True)


class EntrantsAsked(Page):
    """By number, name or the phone's last digits, four or more; by session; by status."""

    text = Text(required=False, max_length=100, allow_blank=True)
    session = Asked()
    status = Choice(choices=EntrantStatus.choices, required=False)


class AbsenceRequest(Strict):
    """What became of the entrant, and why."""

    status = Choice(choices=ABSENCES)
    reason = Text(max_length=LONGEST_REASON)


class ReadmitRequest(Strict):
    """Why the entrant takes part after all."""

    reason = Text(max_length=LONGEST_REASON)


def seats() -> Prefetch:
    """Each entrant's seat in one query."""
    return Prefetch("seats", queryset=Seat.objects.select_related("table"), to_attr="seats_here")


class EntrantResource(Resource):
    """What all addresses about entrants share."""

    def told(self, entrant: Entrant, *, contacts: bool = True, in_full: bool = True) -> Entrant:
        """The entrant as this account may see it; not `in_full`: without school and family."""
        entrant.told_school = entrant.person.school if in_full else None
        entrant.told_family = entrant.family if in_full else None
        entrant.told_role = entrant.family_role if in_full else None
        held = [seat for seat in entrant.seats_here if seat.session_id == entrant.session_id]
        entrant.place = f"{held[0].table.number}{held[0].letter}" if held else None
        entrant.contact = entrant.person if contacts and self.roles & CONTACTS_FOR else None
        return entrant


class Entrants(EntrantResource):
    """The list. No contacts: these leave in bulk by the desk's files alone. More people than a search finds are an
    entry of the log."""

    @reads("list_entrants", "see_entrants", _("Find entrants"), EntrantsAnswer, asks=EntrantsAsked)
    def get(self, found: Event, asked: Mapping[str, Any]) -> Answer:
        """By number, a part at a time; as many queries for one as for two hundred."""
        matching = queries.matching(
            found,
            text=asked.get("text", ""),
            session=asked.get("session"),
            status=asked.get("status", ""),
            phones=bool(self.roles & CONTACTS_FOR),
        )
        limit = asked["limit"]
        rows = list(matching.filter(number__gt=asked["after"]).prefetch_related(seats())[: limit + 1])
        following = rows[limit - 1].number if len(rows) > limit else None
        count = matching.count()
        in_full = sees_school_and_family(self.roles, text=asked.get("text", ""), found=count)
        page = [self.told(entrant, contacts=False, in_full=in_full) for entrant in rows[:limit]]
        if count > FEW and page:
            among = f"from {page[0].number:04d}, of {count}"
            record_export(found, self.request.user, "api entrants", people=len(page), among=among)
        return Answer({"count": count, "next": following, "entrants": page})


class NumberedEntrant(EntrantResource):
    """What the addresses about one entrant share."""

    def find(self, number: int, **path: Any) -> Entrant:
        """The event's entrant of this number."""
        found = queries.matching(self.event).filter(number=number).prefetch_related(seats()).first()
        if found is None:
            raise not_found()
        return found

    def members(self, refusal: Refused, found: Entrant, given: Given) -> Mapping[str, Any]:
        """The entrant as somebody has left it meanwhile."""
        if not isinstance(refusal, StaleVersion):
            return {}
        now = self.find(number=found.number)
        differing = {"where": "revision", "mine": given.revision, "theirs": now.revision}
        return {"current": StatusAnswer(now).data, "differences": [differing]}


class OneEntrant(NumberedEntrant):
    """One, by number."""

    @reads("get_entrant", "see_entrants", _("One entrant"), EntrantAnswer, versioned=True)
    def get(self, found: Entrant, asked: Any) -> Answer:
        """As it stands."""
        return Answer(self.told(found), found.revision)


class Absence(NumberedEntrant):
    """A no-show, a withdrawal, a disqualification."""

    @writes("record_absence", "record_absence", _("Record an absence"), StatusAnswer, takes=AbsenceRequest, match=True)
    def post(self, found: Entrant, given: Given) -> Answer:
        """The chief judge alone disqualifies."""
        status = EntrantStatus(given.data["status"])
        if status == EntrantStatus.DISQUALIFIED:
            require(self.roles, "disqualify")
        reason = given.data["reason"]
        now = registration.record_absence(found, status=status, reason=reason, by=given.by, revision=given.revision)
        return Answer(now, now.revision)


class Readmission(NumberedEntrant):
    """An absence taken back."""

    @writes("readmit", "record_absence", _("Readmit an entrant"), StatusAnswer, takes=ReadmitRequest, match=True)
    def post(self, found: Entrant, given: Given) -> Answer:
        """A disqualification is taken back by those who may disqualify."""
        if found.status == EntrantStatus.DISQUALIFIED:
            require(self.roles, "disqualify")
        now = registration.readmit(found, reason=given.data["reason"], by=given.by, revision=given.revision)
        return Answer(now, now.revision)


urlpatterns = [
    path("entrants/", Entrants.as_view(), name="api_entrants"),
    path("entrants/<int:number>/", OneEntrant.as_view(), name="api_entrant"),
    path("entrants/<int:number>/absence/", Absence.as_view(), name="api_absence"),
    path("entrants/<int:number>/readmit/", Readmission.as_view(), name="api_readmit"),
]

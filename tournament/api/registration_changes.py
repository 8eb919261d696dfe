"""One entrant changed: person and consents, a family joined or parted. The answer tells no name,
since it is kept with its key."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _

from tournament.api.fields import Choice, Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.registration import LONGEST_REASON, NumberedEntrant, StatusAnswer
from tournament.api.resource import writes
from tournament.enums import FamilyRole, Language
from tournament.errors import BadInput, Refused
from tournament.exports.entrants_file import written
from tournament.models import Entrant
from tournament.queries import entrants as queries
from tournament.readers.faults import Fault
from tournament.services import registration_changes as services

LONGEST = 1000
NOBODY = _("Nobody has number %(number)s.")


def column() -> Text:
    """A cell of a list; left out it stays as it is."""
    return Text(required=False, allow_blank=True, max_length=LONGEST)


class ChangeRequest(Strict):
    """What shall stand, as a list has it; what is left out stays."""

    name_zh = column()
    name_en = column()
    birth_date = column()
    phone = column()
    email = column()
    school = column()
    guardian = column()
    fee = column()
    language = Choice(choices=Language.choices, required=False)
    consent_guardian = Truth(required=False)
    consent_name = Truth(required=False)
    consent_photo = Truth(required=False)
    consent_marketing = Truth(required=False)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class JoinRequest(Strict):
    """The other one of the pair, and which of the two this entrant is."""

    role = Choice(choices=FamilyRole.choices)
    other = Whole(min_value=1)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class PartRequest(Strict):
    """Why, if anything is to be said."""

    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class ChangedEntrant(NumberedEntrant):
    """What the changes share."""

    def members(self, refusal: Refused, found: Entrant, given: Given) -> Mapping[str, Any]:
        """Each fault at its column, as in a list."""
        if isinstance(refusal.about, tuple) and all(isinstance(one, Fault) for one in refusal.about):
            return {"faults": [told_fault(one) for one in refusal.about]}
        return super().members(refusal, found, given)

    def now(self) -> Answer:
        """The entrant after the change."""
        found = self.find(**self.kwargs)
        return Answer(found, found.revision)


def told_fault(fault: Fault) -> dict[str, str]:
    """Its column, code and sentence."""
    return {"where": str(fault.place.column or ""), "code": fault.code, "sentence": f"{fault.what} {fault.do}"}


class PersonChange(ChangedEntrant):
    """Names, date of birth, contact data, consents, fee."""

    @writes(
        "change_entrant",
        "change_entrant",
        _("Correct an entrant's data and consents"),
        StatusAnswer,
        takes=ChangeRequest,
        match=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """Judged as a list with this row would be."""
        data = dict(given.data)
        reason = data.pop("reason", "")
        cells = {name: written(name, value) for name, value in data.items()}
        services.change_person(found, revision=given.revision or 0, cells=cells, reason=reason, by=given.by)
        return self.now()


class FamilyJoining(ChangedEntrant):
    """A pair."""

    @writes(
        "join_family",
        "change_entrant",
        _("Join an entrant with a parent or child"),
        StatusAnswer,
        takes=JoinRequest,
        match=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """A child and a parent (R40)."""
        other = queries.entrant_of(self.event, given.data["other"])
        if other is None:
            raise BadInput("no_such_entrant", NOBODY, number=given.data["other"])
        child, parent = (found, other) if given.data["role"] == FamilyRole.CHILD else (other, found)
        reason = given.data.get("reason", "")
        services.join_family(child, parent, revision=given.revision or 0, about=found, reason=reason, by=given.by)
        return self.now()


class FamilyParting(ChangedEntrant):
    """A pair no more."""

    @writes(
        "part_family",
        "change_entrant",
        _("Part an entrant's family: both are single again"),
        StatusAnswer,
        takes=PartRequest,
        match=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """Both members."""
        reason = given.data.get("reason", "")
        services.part_family(found, revision=given.revision or 0, reason=reason, by=given.by)
        return self.now()


ENTRANT = "entrants/<int:number>/"
urlpatterns = [
    path(f"{ENTRANT}change/", PersonChange.as_view(), name="api_change_entrant"),
    path(f"{ENTRANT}family/", FamilyJoining.as_view(), name="api_join_family"),
    path(f"{ENTRANT}part/", FamilyParting.as_view(), name="api_part_family"),
]

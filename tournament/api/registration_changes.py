"""One entrant changed: person and consents, a family joined or parted. The answer tells no name,
since it is kept with its key."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Choice, Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.registration import LONGEST_REASON, NumberedEntrant, StatusAnswer
from tournament.api.resource import writes
from tournament.api.schema import FaultAnswer
from tournament.enums import FamilyRole, Language
from tournament.errors import BadInput, Refused
from tournament.exports.entrants_file import written
from tournament.models import Entrant, Proposal
from tournament.queries import entrants as queries
from tournament.readers.faults import Fault
from tournament.services import registration_changes as services

LONGEST = 1000
NOBODY = _("Nobody has number %(number)s.")


def column() -> Text:
    """A cell of a list; left out it stays as it is."""
    return Text(required=False, allow_blank=True, max_length=LONGEST)


class ChangeRequest(Strict):
    """What shall stand, as a list has it; what is left out stays. `accept_name`: an unusual name is really so."""

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
    accept_name = Truth(required=False)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class JoinRequest(Strict):
    """The other one of the pair, and which of the two this entrant is."""

    role = Choice(choices=FamilyRole.choices)
    other = Whole(min_value=1)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class PartRequest(Strict):
    """Why, if anything is to be said."""

    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)


class ChangedAnswer(StatusAnswer):
    """What is recorded now; `proposal` is the number of the proposal that waits for a second person: what is in it is
    not recorded yet. Null where all is recorded. `notes` tell what was taken and is unusual; there is nothing to do."""

    proposal = serializers.IntegerField(allow_null=True)
    notes = FaultAnswer(many=True)


class ChangedEntrant(NumberedEntrant):
    """What the changes share."""

    def members(self, refusal: Refused, found: Entrant, given: Given) -> Mapping[str, Any]:
        """Each fault at its column, as in a list."""
        if isinstance(refusal.about, tuple) and all(isinstance(one, Fault) for one in refusal.about):
            return {"faults": [told_fault(one) for one in refusal.about]}
        return super().members(refusal, found, given)

    def now(self, waits: Sequence[Proposal], notes: Sequence[Fault] = ()) -> Answer:
        """The entrant after the change, what waits, and what is only told."""
        found = self.find(**self.kwargs)
        found.proposal, found.notes = waits[0].pk if waits else None, [told_fault(one) for one in notes]
        return Answer(found, found.revision, status=202 if waits else None)


def told_fault(fault: Fault) -> dict[str, str]:
    """Its column, code and sentence."""
    return {"where": str(fault.place.column or ""), "code": fault.code, "sentence": f"{fault.what} {fault.do}"}


class PersonChange(ChangedEntrant):
    """Names, date of birth, contact data, consents, fee."""

    @writes(
        "change_entrant",
        "change_entrant",
        _("Correct an entrant's data and consents"),
        ChangedAnswer,
        takes=ChangeRequest,
        match=True,
        waits=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """Judged as a list with this row would be."""
        data = dict(given.data)
        reason, accept_name = data.pop("reason", ""), data.pop("accept_name", False)
        cells = {name: written(name, value) for name, value in data.items()}
        waits, notes = list[Proposal](), list[Fault]()
        told = {"reason": reason, "by": given.by, "accept_name": accept_name, "waits": waits, "notes": notes}
        services.change_person(found, revision=given.revision or 0, cells=cells, **told)
        return self.now(waits, notes)


class FamilyJoining(ChangedEntrant):
    """A pair."""

    @writes(
        "join_family",
        "change_entrant",
        _("Join an entrant with a parent or child"),
        ChangedAnswer,
        takes=JoinRequest,
        match=True,
        waits=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """A child and a parent (R40)."""
        other = queries.entrant_of(self.event, given.data["other"])
        if other is None:
            raise BadInput("no_such_entrant", NOBODY, number=given.data["other"])
        child, parent = (found, other) if given.data["role"] == FamilyRole.CHILD else (other, found)
        reason = given.data.get("reason", "")
        waits: list[Proposal] = []
        services.join_family(
            child, parent, revision=given.revision or 0, about=found, reason=reason, by=given.by, waits=waits
        )
        return self.now(waits)


class FamilyParting(ChangedEntrant):
    """A pair no more, or one fewer."""

    @writes(
        "part_family",
        "change_entrant",
        _("Take an entrant out of the family; of a pair both are single again"),
        ChangedAnswer,
        takes=PartRequest,
        match=True,
        waits=True,
    )
    def post(self, found: Entrant, given: Given) -> Answer:
        """Everybody where no child and parent would stay."""
        reason = given.data.get("reason", "")
        waits: list[Proposal] = []
        services.part_family(found, revision=given.revision or 0, reason=reason, by=given.by, waits=waits)
        return self.now(waits)


ENTRANT = "entrants/<int:number>/"
urlpatterns = [
    path(f"{ENTRANT}change/", PersonChange.as_view(), name="api_change_entrant"),
    path(f"{ENTRANT}family/", FamilyJoining.as_view(), name="api_join_family"),
    path(f"{ENTRANT}part/", FamilyParting.as_view(), name="api_part_family"),
]

"""What waits for a second person: listed, refused, withdrawn; a change of an entrant seen and agreed to."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Strict, Text, Truth
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.errors import Forbidden
from tournament.models import Event, Proposal
from tournament.permissions import allowed
from tournament.queries.proposals import open_proposals, proposals_of, readable
from tournament.services import proposals as services
from tournament.services import registration_second as second
from tournament.services import seating_leaving
from tournament.services.importing_second import ACT

NO_BIRTHDAY = _("Only an organiser accepts a birthday on its very day.")


class WaitingActAnswer(serializers.Serializer):
    """One proposal without what is in it; `outcome` is empty while it is open."""

    number = serializers.IntegerField(source="pk")
    act = serializers.CharField()
    subject = serializers.CharField()
    reason = serializers.CharField()
    proposed_by = serializers.CharField(source="proposed_by.username")
    proposed_at = serializers.DateTimeField()
    outcome = serializers.CharField()
    closed_by = serializers.CharField(source="closed_by.username", default=None, allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    closing_reason = serializers.CharField()


class ProposalsAnswer(serializers.Serializer):
    """The open ones, newest first."""

    proposals = WaitingActAnswer(many=True)


class PersonCellAnswer(serializers.Serializer):
    """One field of an entry: what is entered and what is proposed."""

    column = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class EntryChangeAnswer(serializers.Serializer):
    """What a proposal would change of one entrant; `seat` is given up with it, `5C`, empty for none."""

    number = serializers.IntegerField()
    seat = serializers.CharField()
    cells = PersonCellAnswer(many=True)


class ProposedChangeAnswer(serializers.Serializer):
    """A proposal with what is in it; `outdated` where an entry has changed since."""

    proposal = WaitingActAnswer()
    outdated = serializers.BooleanField()
    changes = EntryChangeAnswer(many=True)


class RefuseRequest(Strict):
    """Why not."""

    reason = Text(max_length=services.LONGEST_REASON)


class AgreeToChangeRequest(Strict):
    """Whether an organiser accepts a birthday on its very day (R1)."""

    accept_birthday = Truth(required=False)


class Proposals(Resource):
    """The list."""

    @reads("list_proposals", "see_proposals", _("What waits for a second person"), ProposalsAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """Open ones alone; those about equals to who may see ranks."""
        rows = readable(open_proposals(found), sees_ranks=allowed(self.roles, "see_standings"))
        return Answer({"proposals": rows})


class NumberedProposal(Resource):
    """What the addresses about one share."""

    def find(self, proposal: int, **path: Any) -> Proposal:
        """Of this event."""
        found = proposals_of(self.event).filter(pk=proposal).first()
        if found is None:
            raise not_found()
        return found

    def told(self, proposal: Proposal) -> Answer:
        """As it stands now."""
        return Answer(proposals_of(self.event).get(pk=proposal.pk))


class Refusal(NumberedProposal):
    """The second person's no."""

    @writes("refuse_proposal", "answer_proposal", _("Refuse a proposal"), WaitingActAnswer, takes=RefuseRequest)
    def post(self, found: Proposal, given: Given) -> Answer:
        """With a reason."""
        return self.told(services.refuse(self.event, found.pk, reason=given.data["reason"], by=given.by))


class TakingBack(NumberedProposal):
    """Its author takes it back."""

    @writes("withdraw_proposal", "see_proposals", _("Withdraw one's own proposal"), WaitingActAnswer)
    def post(self, found: Proposal, given: Given) -> Answer:
        """Its own author alone."""
        return self.told(services.withdraw(self.event, found.pk, by=given.by))


class ProposedChange(NumberedProposal):
    """A change of an entrant who has played."""

    def find(self, proposal: int, **path: Any) -> Proposal:
        """Of this act alone."""
        found = super().find(proposal)
        if found.act != ACT:
            raise not_found()
        return found

    @reads("get_proposed_change", "see_proposed_change", _("A proposed change of an entrant"), ProposedChangeAnswer)
    def get(self, found: Proposal, asked: Mapping[str, Any]) -> Answer:
        """Old and new; nothing once it is answered."""
        shown = second.proposed(self.event, found)
        changes = [second.facts(change) for change in shown.changes]
        return Answer({"proposal": found, "outdated": bool(changes) and shown.outdated, "changes": changes})

    @writes(
        "agree_to_change",
        "answer_proposal",
        _("Agree to a change of an entrant who has played"),
        WaitingActAnswer,
        takes=AgreeToChangeRequest,
    )
    def post(self, found: Proposal, given: Given) -> Answer:
        """By another account than its author's."""
        birthday = bool(given.data.get("accept_birthday"))
        if birthday and not allowed(self.roles, "decide_entry"):
            raise Forbidden("not_your_role", NO_BIRTHDAY)
        seating_leaving.agree(self.event, found.pk, by=given.by, accept_birthday=birthday)
        return self.told(found)


urlpatterns = [
    path("proposals/", Proposals.as_view(), name="api_proposals"),
    path("proposals/<int:proposal>/refuse/", Refusal.as_view(), name="api_refuse_proposal"),
    path("proposals/<int:proposal>/withdraw/", TakingBack.as_view(), name="api_withdraw_proposal"),
    path("proposals/<int:proposal>/person/", ProposedChange.as_view(), name="api_proposed_change"),
]

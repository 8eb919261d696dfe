"""What waits for a second person: listed, refused, withdrawn; a change of an entrant seen and agreed to."""

from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import open_proposals, proposals_of, proposals_readable_by
from tournament.accounts.services import proposals as services
from tournament.api.errors import found_or_404
from tournament.api.fields import ReasonRequest, StrictBody, StrictBooleanField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.api.waiting import WaitingActAnswer
from tournament.core.errors import Forbidden
from tournament.core.models.event import Event
from tournament.core.permissions import is_act_allowed
from tournament.registration.services import seating_leaving, second
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT

BIRTHDAY_NEEDS_ORGANISER = _("Only an organiser accepts a birthday on its very day.")


class ProposalsAnswer(serializers.Serializer[Any]):
    proposals = WaitingActAnswer(many=True)


class PersonCellAnswer(serializers.Serializer[Any]):
    """One field of an entry: what is entered and what is proposed."""

    column = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class EntryChangeAnswer(serializers.Serializer[Any]):
    """What a proposal would change of one entrant; `seat` is given up with it, `5C`, empty for none."""

    number = serializers.IntegerField()
    seat = serializers.CharField()
    cells = PersonCellAnswer(many=True)


class ProposedChangeAnswer(serializers.Serializer[Any]):
    """A proposal with what is in it; `outdated` where an entry has changed since."""

    proposal = WaitingActAnswer()
    outdated = serializers.BooleanField()
    changes = EntryChangeAnswer(many=True)


class AgreeToChangeRequest(StrictBody):
    """Whether an organiser accepts a birthday on its very day (R1)."""

    accept_birthday = StrictBooleanField(required=False)


class ProposalListViewSet(EventViewSet):
    chapter = "proposals"

    @reads("/", "see_proposals", _("What waits for a second person"), ProposalsAnswer)
    def list_proposals(self, event: Event) -> dict[str, Any]:
        """Open ones alone; those about equals to who may see ranks."""
        sees_ranks = is_act_allowed(self.roles, "see_standings")
        return {"proposals": proposals_readable_by(open_proposals(event), sees_ranks=sees_ranks)}


class ProposalViewSet(EventViewSet):
    """One proposal; `person/`: a change of an entrant who has played."""

    chapter = "proposals"
    serializer_class = WaitingActAnswer

    def get_object(self) -> Proposal:
        found = proposals_of(self.event).filter(pk=self.kwargs["proposal"])
        of_person = self.action in ("get_proposed_change", "agree_to_change")
        return found_or_404((found.filter(act=CHANGE_ENTRANT_ACT) if of_person else found).first())

    @changes("/refuse/", "answer_proposal", _("Refuse a proposal"), ReasonRequest)
    def refuse_proposal(self, proposal: Proposal, given: RequestData) -> None:
        services.refuse_proposal(self.event, proposal.pk, **given.sent)

    @changes("/withdraw/", "see_proposals", _("Withdraw one's own proposal"))
    def withdraw_proposal(self, proposal: Proposal, given: RequestData) -> None:
        services.withdraw_proposal(self.event, proposal.pk, **given.sent)

    @reads("/person/", "see_proposed_change", _("A proposed change of an entrant"), ProposedChangeAnswer)
    def get_proposed_change(self, proposal: Proposal) -> dict[str, Any]:
        shown = second.read_entrant_proposal(self.event, proposal)
        facts = [second.entrant_change_facts(change) for change in shown.changes]
        return {"proposal": proposal, "outdated": bool(facts) and shown.outdated, "changes": facts}

    @get_proposed_change.mapping.post
    @changes("", "answer_proposal", _("Agree to a change of an entrant who has played"), AgreeToChangeRequest)
    def agree_to_change(self, proposal: Proposal, given: RequestData) -> None:
        if given.data.get("accept_birthday") and not is_act_allowed(self.roles, "decide_entry"):
            raise Forbidden("not_your_role", BIRTHDAY_NEEDS_ORGANISER)
        seating_leaving.agree_change_with_seat(self.event, proposal.pk, **given.sent)

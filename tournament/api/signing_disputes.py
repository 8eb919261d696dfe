"""What stands in a sheet's way before it locks: a dispute that the chief judge decides, and a sheet made void."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Strict, Text
from tournament.api.keys import Answer, Given
from tournament.api.resource import reads, writes
from tournament.api.scoresheets import SHEET, SheetResource, plain
from tournament.api.scoresheets_answers import ScoresheetAnswer
from tournament.api.scoresheets_requests import SheetTyped
from tournament.enums import DisputeOutcome, SheetState
from tournament.models import Table
from tournament.queries import scoresheets as queries
from tournament.queries import signing_disputes as disputes
from tournament.services import signing_disputes as services

LONGEST = 500


class DisputeAnswer(serializers.Serializer):
    """One dispute; `outcome` is "" until it is decided."""

    reason = serializers.CharField()
    raised_by = serializers.CharField(source="raised_by.username")
    raised_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(choices=DisputeOutcome.choices, allow_blank=True)
    decision = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", default=None, allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)


class VoidingAnswer(serializers.Serializer):
    """Proposed by one of the two, approved by the other."""

    reason = serializers.CharField()
    proposed_by = serializers.CharField(source="proposed_by.username")
    proposed_at = serializers.DateTimeField()
    approved_by = serializers.CharField(source="approved_by.username", default=None, allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)


class DisputesAnswer(serializers.Serializer):
    """Every dispute of the version in hand, oldest first, and whether it is or shall be void."""

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=SheetState.choices)
    revision = serializers.IntegerField()
    disputes = DisputeAnswer(many=True)
    voiding = VoidingAnswer(allow_null=True)


class ReasonRequest(Strict):
    """Why."""

    reason = Text(max_length=LONGEST)


class DecideRequest(Strict):
    """Why it is decided so. `typed` left out: the values stand; else these take their place."""

    decision = Text(max_length=LONGEST)
    typed = SheetTyped(required=False)


class Disputes(SheetResource):
    """A sheet's disputes."""

    @reads("get_dispute", "see_scoresheets", _("The disputes of a scoresheet"), DisputesAnswer, versioned=True)
    def get(self, found: Table, asked: Any) -> Answer:
        """With the revision that an act on them takes."""
        sheet = queries.current_sheet(found)
        told = {
            "session": found.session.number,
            "table": found.number,
            "serial": queries.serial(found),
            "state": sheet.state if sheet else SheetState.OPEN,
            "revision": sheet.revision if sheet else 0,
            "disputes": disputes.disputes_of(sheet) if sheet else [],
            "voiding": disputes.voiding_of(sheet) if sheet else None,
        }
        return Answer(told, told["revision"])

    @writes(
        "dispute_scoresheet",
        "dispute_scoresheet",
        _("Dispute a scoresheet: it rests until the chief judge decides"),
        ScoresheetAnswer,
        takes=ReasonRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Draft or ready to disputed."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.raise_dispute(found, reason=given.data["reason"], **seen)
        return self.told(found)


class Decision(SheetResource):
    """The chief judge's."""

    @writes(
        "decide_dispute",
        "decide_dispute",
        _("Decide a dispute: the values stand, or others take their place"),
        ScoresheetAnswer,
        takes=DecideRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Disputed to ready."""
        typed = plain(given.data["typed"]) if "typed" in given.data else None
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.decide_dispute(found, decision=given.data["decision"], typed=typed, **seen)
        return self.told(found)


class DisputeTakenBack(SheetResource):
    """By whoever raised it, or the chief judge."""

    @writes(
        "withdraw_dispute",
        "dispute_scoresheet",
        _("Take a dispute back: the scoresheet is a draft again"),
        ScoresheetAnswer,
        takes=ReasonRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Disputed to draft; the revision says which dispute."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.withdraw_dispute(found, reason=given.data["reason"], **seen)
        return self.told(found)


class VoidProposal(SheetResource):
    """A sheet that shall not count."""

    @writes(
        "propose_void",
        "void_scoresheet",
        _("Propose to make a scoresheet void"),
        ScoresheetAnswer,
        takes=ReasonRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """It stays as it is until the other of the two agrees."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.propose_void(found, reason=given.data["reason"], **seen)
        return self.told(found)


class VoidApproval(SheetResource):
    """The other of the two."""

    @writes(
        "approve_void",
        "void_scoresheet",
        _("Agree to make a scoresheet void"),
        ScoresheetAnswer,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Never from locked."""
        services.approve_void(found, revision=given.revision or 0, by=given.by, request_key=given.key)
        return self.told(found)


urlpatterns = [
    path(f"{SHEET}dispute/", Disputes.as_view(), name="api_dispute"),
    path(f"{SHEET}dispute/decide/", Decision.as_view(), name="api_decide_dispute"),
    path(f"{SHEET}dispute/withdraw/", DisputeTakenBack.as_view(), name="api_withdraw_dispute"),
    path(f"{SHEET}void/", VoidProposal.as_view(), name="api_propose_void"),
    path(f"{SHEET}void/approve/", VoidApproval.as_view(), name="api_approve_void"),
]

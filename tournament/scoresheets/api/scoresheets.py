"""Scoresheets: a session's list, one sheet with its version, certified and stamped, disputed, made void."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import found_or_404
from tournament.api.fields import REASON_MAX_LENGTH, PlainTextField, ReasonRequest, StrictBody, StrictBooleanField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import VersionedViewSet
from tournament.core.enums import DisputeOutcome, SheetState
from tournament.core.errors import Refused, SheetHasErrors, StaleVersion
from tournament.core.models.stage import Session
from tournament.scoresheets.api.answers import (
    ScoresheetAnswer,
    ScoresheetsAnswer,
    scoresheet_of,
    serialize_board_line,
    serialize_sheet_problems,
)
from tournament.sheets.api import ReadyRequest, SaveRequest, SheetTyped, to_plain_data
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.forms.scoresheets import cell_differences
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries import signing_disputes as disputes
from tournament.sheets.services import moves, signing
from tournament.sheets.services import scoresheets as services
from tournament.sheets.services import signing_disputes as disputing
from tournament.tables.api import SessionViewSet
from tournament.tables.models import Table
from tournament.tables.queries import seating


class ScoresheetsViewSet(VersionedViewSet):
    chapter = "scoresheets"
    serializer_class: type[serializers.Serializer[Any]] = ScoresheetAnswer

    def get_object(self) -> Table:
        return found_or_404(queries.find_table_of_event(self.event, self.kwargs["session"], self.kwargs["table"]))

    def told(self, table: Table) -> dict[str, Any]:
        return scoresheet_of(table, self.account, self.roles)

    def members(self, refusal: Refused, found: Table, given: RequestData) -> Mapping[str, Any]:
        """What stands now and every cell that differs from what was sent; or every fault that is in the way."""
        if isinstance(refusal, SheetHasErrors):
            return {"problems": serialize_sheet_problems(refusal.check)}
        members = dict(super().members(refusal, found, given))
        if members and "typed" in given.data and not members["current"].get("blind", True):
            mine = bridge.clean_typed(to_plain_data(given.data["typed"]))
            differing = cell_differences(mine, members["current"]["typed"])
            members["differences"] += [{"where": one.name, "mine": one.mine, "theirs": one.theirs} for one in differing]
        return members


class ScoresheetListViewSet(SessionViewSet):
    chapter = "scoresheets"

    @reads("/", "see_scoresheets", _("The scoresheets of a session"), ScoresheetsAnswer)
    def list_scoresheets(self, session: Session) -> dict[str, Any]:
        """By table; as many queries for one as for thirty."""
        lines = [serialize_board_line(row) for row in queries.session_board(session).tables]
        return {"session": session.number, "confirmed": seating.is_draw_confirmed(session), "scoresheets": lines}


class ScoresheetViewSet(ScoresheetsViewSet):
    @reads("/", "see_scoresheets", _("One scoresheet"))
    def get_scoresheet(self, table: Table) -> dict[str, Any]:
        return self.told(table)

    @get_scoresheet.mapping.put
    @changes("", "type_scoresheet", _("Save a scoresheet"), SaveRequest)
    def save_scoresheet(self, table: Table, given: RequestData) -> None:
        services.save_scoresheet(table, **given.seen, **to_plain_data(given.data))

    @changes(
        "/submit/", "type_scoresheet", _("Save a scoresheet and hand it on, or neither"), SaveRequest, name="submit"
    )
    def submit_scoresheet(self, table: Table, given: RequestData) -> None:
        """Where faults stand, nothing is kept and the answer names them."""
        data = {"confirmations": {}, **to_plain_data(given.data)}
        services.submit_scoresheet(table, or_nothing=True, **given.seen, **data)

    @changes("/ready/", "type_scoresheet", _("Hand a draft to the second person"), ReadyRequest, name="ready")
    def ready_scoresheet(self, table: Table, given: RequestData) -> None:
        sheet = queries.current_sheet(table)
        notes = {**(sheet.confirmations if sheet else {}), **given.data.get("confirmations", {})}
        services.hand_in_scoresheet(table, confirmations=notes, **given.seen)

    @changes("/reopen/", "type_scoresheet", _("Take a scoresheet back"), name="reopen")
    def reopen_scoresheet(self, table: Table, given: RequestData) -> None:
        services.reopen_scoresheet(table, **given.seen)


class SignaturesGiven(StrictBody):
    """ "" where the signature is there; else the chief judge's reason for a missing one."""

    A, B, C, D = (PlainTextField(required=False, allow_blank=True, max_length=REASON_MAX_LENGTH) for _letter in "ABCD")


class CertifyRequest(StrictBody):
    """Every seated entrant who has not left, by letter. `heading_seen`: the head differs, and the reason holds."""

    signatures = SignaturesGiven()
    heading_seen = StrictBooleanField(required=False)


def seen_sheet(table: Table, given: RequestData) -> Any:
    """The newest sheet, refused where its author has seen another revision."""
    sheet = queries.current_sheet(table)
    if sheet is None:
        raise Refused("not_official", signing.NOT_OFFICIAL, about=table)
    if sheet.revision != given.revision:
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=sheet, current=sheet)
    return sheet


class DisputeAnswer(serializers.Serializer[Any]):
    """One dispute; `outcome` is "" until it is decided."""

    reason = serializers.CharField()
    raised_by = serializers.CharField(source="raised_by.username")
    raised_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(choices=DisputeOutcome.choices, allow_blank=True)
    decision = serializers.CharField()
    decided_by = serializers.CharField(source="decided_by.username", default=None, allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)


class VoidingAnswer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    proposed_by = serializers.CharField(source="proposed_by.username")
    proposed_at = serializers.DateTimeField()
    approved_by = serializers.CharField(source="approved_by.username", default=None, allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)


class DisputesAnswer(serializers.Serializer[Any]):
    """Every dispute of the version in hand, oldest first, and whether it is or shall be void."""

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=SheetState.choices)
    revision = serializers.IntegerField()
    disputes = DisputeAnswer(many=True)
    voiding = VoidingAnswer(allow_null=True)


class DecideRequest(StrictBody):
    """Why it is decided so. `typed` left out: the values stand; else these take their place."""

    decision = PlainTextField(max_length=REASON_MAX_LENGTH)
    typed = SheetTyped(required=False)


class SigningViewSet(ScoresheetsViewSet):
    """Compared with the paper by a second account, sent back, stamped, disputed; void by two."""

    chapter = "signing"

    @changes(
        "/certify/",
        "certify_scoresheet",
        _("Certify a scoresheet: it is locked, and only a correction by two people changes it"),
        CertifyRequest,
        name="certify",
    )
    def certify_scoresheet(self, table: Table, given: RequestData) -> None:
        signing.certify_scoresheet(table, **given.seen, **to_plain_data(given.data))

    @changes("/reject/", "certify_scoresheet", _("Send a scoresheet back to its typist"), ReasonRequest, name="reject")
    def reject_scoresheet(self, table: Table, given: RequestData) -> None:
        signing.reject_scoresheet(table, **given.seen, **given.data)

    @changes("/stamp/", "stamp", _("Stamp a certified scoresheet"), name="stamp")
    def stamp_scoresheet(self, table: Table, given: RequestData) -> None:
        signing.stamp_sheet(seen_sheet(table, given), by=given.by)

    @reads("/dispute/", "see_scoresheets", _("The disputes of a scoresheet"), DisputesAnswer)
    def get_dispute(self, table: Table) -> dict[str, Any]:
        sheet = queries.current_sheet(table)
        return {
            "session": table.session.number,
            "table": table.number,
            "serial": queries.sheet_serial(table),
            "state": sheet.state if sheet else SheetState.OPEN,
            "revision": sheet.revision if sheet else 0,
            "disputes": disputes.disputes_of(sheet) if sheet else [],
            "voiding": disputes.voiding_of(sheet) if sheet else None,
        }

    @get_dispute.mapping.post
    @changes("", "dispute_scoresheet", _("Dispute a scoresheet: it rests until the chief judge decides"), ReasonRequest)
    def dispute_scoresheet(self, table: Table, given: RequestData) -> None:
        disputing.raise_dispute(table, **given.seen, **given.data)

    @changes(
        "/dispute/decide/",
        "decide_dispute",
        _("Decide a dispute: the values stand, or others take their place"),
        DecideRequest,
    )
    def decide_dispute(self, table: Table, given: RequestData) -> None:
        disputing.decide_dispute(table, **given.seen, **to_plain_data(given.data))

    @changes(
        "/dispute/withdraw/",
        "dispute_scoresheet",
        _("Take a dispute back: the scoresheet is a draft again"),
        ReasonRequest,
    )
    def withdraw_dispute(self, table: Table, given: RequestData) -> None:
        """By whoever raised it, or the chief judge; the revision says which dispute."""
        disputing.withdraw_dispute(table, **given.seen, **given.data)

    @changes("/void/", "void_scoresheet", _("Propose to make a scoresheet void"), ReasonRequest)
    def propose_void(self, table: Table, given: RequestData) -> None:
        disputing.propose_void(table, **given.seen, **given.data)

    @changes("/void/approve/", "void_scoresheet", _("Agree to make a scoresheet void"))
    def approve_void(self, table: Table, given: RequestData) -> None:
        disputing.approve_void(table, **given.seen)

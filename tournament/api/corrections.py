"""Corrections of locked sheets: listed, begun, shown with their effect on ranks and line, proposed, approved."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Strict, Text, Truth
from tournament.api.keys import Answer, Given
from tournament.api.qualification import Numbers
from tournament.api.resource import Resource, reads, writes
from tournament.api.scoresheets import SHEET, SheetResource
from tournament.api.scoresheets_answers import ScoresheetAnswer
from tournament.bridge import corrections as bridge
from tournament.enums import Role, SheetState
from tournament.errors import Refused, StaleVersion
from tournament.forms.corrections import changed_cells
from tournament.models import Correction, Event, Table
from tournament.permissions import allowed
from tournament.queries import corrections as queries
from tournament.queries.scoresheets import official_sheet, serial
from tournament.services import corrections as services

LONGEST = 500
SIDES = [(side, side) for side in (bridge.IN, bridge.TIED, bridge.OUT, bridge.UNRANKED)]


class PlaceAnswer(serializers.Serializer):
    """The rank, shared or not, and the side of the line."""

    rank = serializers.IntegerField(allow_null=True)
    tied = serializers.BooleanField()
    side = serializers.ChoiceField(choices=SIDES)


class MoveAnswer(serializers.Serializer):
    """One entrant's place as it counts and as it would be."""

    number = serializers.IntegerField(source="entrant.number")
    crosses = serializers.BooleanField()
    before = PlaceAnswer()
    after = PlaceAnswer()


class EffectAnswer(serializers.Serializer):
    """Who would change rank. `crossing` is what an agreement is sent with."""

    places = serializers.IntegerField(allow_null=True)
    crossing = serializers.ListField(child=serializers.IntegerField(), source="crossing_numbers")
    moves = MoveAnswer(many=True)


class ChangedCellAnswer(serializers.Serializer):
    """A cell as it is locked, and as it shall be."""

    where = serializers.CharField(source="name")
    locked = serializers.CharField(source="mine")
    corrected = serializers.CharField(source="theirs")


class CorrectionLine(serializers.Serializer):
    """One correction. Neither approved nor given up: it is in hand."""

    session = serializers.IntegerField(source="scoresheet.table.session.number")
    table = serializers.IntegerField(source="scoresheet.table.number")
    serial = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="scoresheet.version")
    supersedes = serializers.IntegerField(source="supersedes.version")
    state = serializers.ChoiceField(choices=SheetState.choices, source="scoresheet.state")
    reason = serializers.CharField()
    begun_by = serializers.CharField(source="begun_by.username")
    begun_at = serializers.DateTimeField()
    proposed_by = serializers.CharField(source="proposed_by.username", default=None, allow_null=True)
    proposed_at = serializers.DateTimeField(allow_null=True)
    approved_by = serializers.CharField(source="approved_by.username", default=None, allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)
    given_up_by = serializers.CharField(source="given_up_by.username", default=None, allow_null=True)
    given_up_at = serializers.DateTimeField(allow_null=True)
    given_up_reason = serializers.CharField()

    def get_serial(self, found: Correction) -> str:
        """The serial on the paper."""
        return serial(found.scoresheet.table)


class CorrectionsAnswer(serializers.Serializer):
    """By session, table and version."""

    corrections = CorrectionLine(many=True)


class CorrectionAnswer(serializers.Serializer):
    """The correction in hand of one sheet. `proposed`: the values that wait are those that somebody proposed.

    `effect` is there while they wait, for those who may see ranks; `revision` is 0 where none is in hand.
    """

    revision = serializers.IntegerField()
    in_hand = CorrectionLine(allow_null=True)
    proposed = serializers.BooleanField()
    cells = ChangedCellAnswer(many=True)
    effect = EffectAnswer(allow_null=True)
    past = CorrectionLine(many=True)


class BeginRequest(Strict):
    """What is wrong on the locked sheet."""

    reason = Text(max_length=LONGEST)


class AgreeRequest(Strict):
    """`crossing` of the effect that was shown: the agreement is to that."""

    crossing = Numbers()


class ApproveRequest(AgreeRequest):
    """And `heading_seen` where the paper's head differs: the reason holds."""

    heading_seen = Truth(required=False)


class GiveUpRequest(Strict):
    """Why the locked version stays."""

    reason = Text(max_length=LONGEST)


def correction_of(table: Table, roles: frozenset[Role | str]) -> Answer:
    """All that the page shows of it; its effect to those who may see ranks."""
    found = queries.correction_in_hand(table)
    counts = official_sheet(table)
    waits = found is not None and found.scoresheet.state == SheetState.READY
    stands = found is not None and counts is not None and counts.pk == found.supersedes_id
    shown = waits and stands and allowed(roles, "see_standings")
    told = {
        "revision": found.scoresheet.revision if found else 0,
        "in_hand": at(table, found) if found else None,
        "proposed": bool(found and waits and found.proposed_digest == found.scoresheet.digest),
        "cells": changed_cells(found.supersedes, found.scoresheet) if found else [],
        "effect": bridge.effect_of(table.session.stage, counts, found.scoresheet) if shown else None,
        "past": [at(table, one) for one in queries.corrections_of(table) if one != found],
    }
    return Answer(told, told["revision"])


def at(table: Table, found: Correction) -> Correction:
    """The correction with its table at hand."""
    found.scoresheet.table = table
    return found


class Corrections(Resource):
    """Every one of the event."""

    @reads("list_corrections", "see_scoresheets", _("Every correction of a locked scoresheet"), CorrectionsAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """One query however many there are."""
        rows = Correction.objects.filter(scoresheet__table__session__stage__event=found).select_related(
            "scoresheet__table__session", "supersedes", "begun_by", "proposed_by", "approved_by", "given_up_by"
        )
        place = ("scoresheet__table__session__number", "scoresheet__table__number", "scoresheet__version")
        return Answer({"corrections": rows.order_by(*place)})


class CorrectionResource(SheetResource):
    """What the addresses about one sheet's correction share."""

    def members(self, refusal: Refused, found: Table, given: Given) -> Mapping[str, Any]:
        """The correction and its effect as they stand now."""
        if not isinstance(refusal, StaleVersion):
            return super().members(refusal, found, given)
        now = correction_of(found, self.roles)
        differing = [{"where": "revision", "mine": given.revision, "theirs": now.revision}]
        return {"current": CorrectionAnswer(now.thing).data, "differences": differing}


class OneCorrection(CorrectionResource):
    """One sheet's."""

    @reads(
        "get_correction",
        "see_scoresheets",
        _("The correction in hand of a scoresheet, and what it would do to ranks and line"),
        CorrectionAnswer,
        versioned=True,
    )
    def get(self, found: Table, asked: Any) -> Answer:
        """Nothing is changed by looking."""
        return correction_of(found, self.roles)

    @writes(
        "begin_correction",
        "correct_scoresheet",
        _("Begin a version that shall supersede the locked one"),
        ScoresheetAnswer,
        takes=BeginRequest,
        status=201,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """A draft of the same texts, typed and handed on as any sheet."""
        services.begin(found, reason=given.data["reason"], by=given.by, request_key=given.key)
        return self.told(found)


class Proposal(CorrectionResource):
    """The first of the two."""

    @writes(
        "propose_correction",
        "agree_correction",
        _("Propose a correction: the first of the two agrees"),
        ScoresheetAnswer,
        takes=AgreeRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """To these values and this effect."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.propose(found, crossing=given.data["crossing"], **seen)
        return self.told(found)


class Approval(CorrectionResource):
    """The second of the two."""

    @writes(
        "approve_correction",
        "agree_correction",
        _("Approve a correction: the new version counts"),
        ScoresheetAnswer,
        takes=ApproveRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Ready to certified; the signed one stays as it is."""
        seen = {"revision": given.revision or 0, "heading_seen": given.data.get("heading_seen", False)}
        services.approve(found, crossing=given.data["crossing"], by=given.by, request_key=given.key, **seen)
        return self.told(found)


class GivingUp(CorrectionResource):
    """Refused, or not needed after all."""

    @writes(
        "give_up_correction",
        "agree_correction",
        _("Give a correction up: the locked version counts"),
        ScoresheetAnswer,
        takes=GiveUpRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Draft or ready to void."""
        seen = {"revision": given.revision or 0, "by": given.by, "request_key": given.key}
        services.give_up(found, reason=given.data["reason"], **seen)
        return self.told(found)


CORRECTION = f"{SHEET}correction/"
urlpatterns = [
    path("corrections/", Corrections.as_view(), name="api_corrections"),
    path(CORRECTION, OneCorrection.as_view(), name="api_correction"),
    path(f"{CORRECTION}propose/", Proposal.as_view(), name="api_propose_correction"),
    path(f"{CORRECTION}approve/", Approval.as_view(), name="api_approve_correction"),
    path(f"{CORRECTION}give-up/", GivingUp.as_view(), name="api_give_up_correction"),
]

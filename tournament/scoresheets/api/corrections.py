"""Corrections of locked sheets: listed, begun, shown with their effect on ranks and line, proposed, approved."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import ReasonRequest, StrictBody, StrictBooleanField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import SheetState
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.permissions import is_act_allowed
from tournament.scoresheets import domain as bridge
from tournament.scoresheets import queries
from tournament.scoresheets.api.scoresheets import ScoresheetsViewSet
from tournament.scoresheets.forms import changed_cells
from tournament.scoresheets.models import Correction
from tournament.scoresheets.services import corrections as services
from tournament.sheets.queries.scoresheets import official_sheet, sheet_serial
from tournament.stages.api.decisions import EntrantNumbersField
from tournament.tables.models import Table

QUALIFICATION_SIDE_CHOICES = [
    (side, side) for side in (bridge.CUTOFF_IN, bridge.CUTOFF_TIED, bridge.CUTOFF_OUT, bridge.CUTOFF_UNRANKED)
]


class PlaceAnswerSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(allow_null=True)
    tied = serializers.BooleanField()
    side = serializers.ChoiceField(choices=QUALIFICATION_SIDE_CHOICES)


class MoveAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="entrant.number")
    crosses = serializers.BooleanField()
    before = PlaceAnswerSerializer()
    after = PlaceAnswerSerializer()


class EffectAnswer(serializers.Serializer[Any]):
    """Who would change rank. `crossing` is what an agreement is sent with."""

    places = serializers.IntegerField(allow_null=True)
    crossing = serializers.ListField(child=serializers.IntegerField(), source="crossing_numbers")
    moves = MoveAnswer(many=True)


class ChangedCellAnswer(serializers.Serializer[Any]):
    where = serializers.CharField(source="name")
    locked = serializers.CharField(source="mine")
    corrected = serializers.CharField(source="theirs")


class CorrectionLine(serializers.Serializer[Any]):
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
    given_up_by = serializers.CharField(source="abandoned_by.username", default=None, allow_null=True)
    given_up_at = serializers.DateTimeField(source="abandoned_at", allow_null=True)
    given_up_reason = serializers.CharField(source="abandoned_reason")

    def get_serial(self, found: Correction) -> str:
        """The serial on the paper."""
        return sheet_serial(found.scoresheet.table)


class CorrectionsAnswer(serializers.Serializer[Any]):
    corrections = CorrectionLine(many=True)


class CorrectionAnswer(serializers.Serializer[Any]):
    """The correction in hand of one sheet. `proposed`: the values that wait are those that somebody proposed.

    `effect` is there while they wait, for those who may see ranks; `revision` is 0 where none is in hand.
    """

    revision = serializers.IntegerField()
    in_hand = CorrectionLine(allow_null=True)
    proposed = serializers.BooleanField()
    cells = ChangedCellAnswer(many=True)
    effect = EffectAnswer(allow_null=True)
    past = CorrectionLine(many=True)


class AgreeRequest(StrictBody):
    """`crossing` of the effect that was shown: the agreement is to that."""

    crossing = EntrantNumbersField()


class ApproveRequest(AgreeRequest):
    """And `heading_seen` where the paper's head differs: the reason holds."""

    heading_seen = StrictBooleanField(required=False)


def attach_table(table: Table, found: Correction) -> Correction:
    found.scoresheet.table = table
    return found


class CorrectionListViewSet(EventViewSet):
    chapter = "corrections"

    @reads("/", "see_scoresheets", _("Every correction of a locked scoresheet"), CorrectionsAnswer)
    def list_corrections(self, event: Event) -> dict[str, Any]:
        rows = Correction.objects.filter(scoresheet__table__session__stage__event=event).select_related(
            "scoresheet__table__session", "supersedes", "begun_by", "proposed_by", "approved_by", "abandoned_by"
        )
        place = ("scoresheet__table__session__number", "scoresheet__table__number", "scoresheet__version")
        return {"corrections": rows.order_by(*place)}


class CorrectionViewSet(ScoresheetsViewSet):
    """One sheet's correction: begun, proposed by the first of two, approved by the second, given up."""

    chapter = "corrections"

    def correction(self, table: Table) -> dict[str, Any]:
        """All that the page shows of it; its effect to those who may see ranks."""
        found, counts = queries.correction_in_hand(table), official_sheet(table)
        waits = found is not None and found.scoresheet.state == SheetState.READY
        effect = None
        if (
            waits
            and found
            and counts
            and counts.pk == found.supersedes_id
            and is_act_allowed(self.roles, "see_standings")
        ):
            effect = bridge.correction_effect(table.session.stage, counts, found.scoresheet)
        return {
            "revision": found.scoresheet.revision if found else 0,
            "in_hand": attach_table(table, found) if found else None,
            "proposed": bool(found and waits and found.proposed_digest == found.scoresheet.digest),
            "cells": changed_cells(found.supersedes, found.scoresheet) if found else [],
            "effect": effect,
            "past": [attach_table(table, one) for one in queries.corrections_of_table(table) if one != found],
        }

    def members(self, refusal: Refused, found: Table, given: RequestData) -> Mapping[str, Any]:
        """The correction and its effect as they stand now."""
        if not isinstance(refusal, StaleVersion):
            return super().members(refusal, found, given)
        now = CorrectionAnswer(self.correction(found)).data
        differing = {"where": "revision", "mine": given.revision, "theirs": now["revision"]}
        return {"current": now, "differences": [differing]}

    @reads(
        "/",
        "see_scoresheets",
        _("The correction in hand of a scoresheet, and what it would do to ranks and line"),
        CorrectionAnswer,
    )
    def get_correction(self, table: Table) -> dict[str, Any]:
        return self.correction(table)

    @get_correction.mapping.post
    @changes(
        "",
        "correct_scoresheet",
        _("Begin a version that shall supersede the locked one"),
        ReasonRequest,
        status=201,
        match=False,
    )
    def begin_correction(self, table: Table, given: RequestData) -> None:
        services.begin_correction(table, **given.seen, **given.data)

    @changes("/propose/", "agree_correction", _("Propose a correction: the first of the two agrees"), AgreeRequest)
    def propose_correction(self, table: Table, given: RequestData) -> None:
        services.propose_correction(table, **given.seen, **given.data)

    @changes("/approve/", "agree_correction", _("Approve a correction: the new version counts"), ApproveRequest)
    def approve_correction(self, table: Table, given: RequestData) -> None:
        services.approve_correction(table, **given.seen, **given.data)

    @changes("/give-up/", "agree_correction", _("Give a correction up: the locked version counts"), ReasonRequest)
    def give_up_correction(self, table: Table, given: RequestData) -> None:
        services.abandon_correction(table, **given.seen, **given.data)

"""The blind second typing: what is wanted, the sheet typed again, and the third look that decides."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import PlainTextField, StrictBody, StrictBooleanField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.core.enums import SheetForm, SheetState
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets.api.answers import ProblemOfSheet, serialize_sheet_problems, usual_form
from tournament.scoresheets.api.scoresheets import ScoresheetsViewSet
from tournament.sheets.api import SheetTyped, confirmation_reasons_field, to_plain_data
from tournament.sheets.domain import double_entry
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.double_entry import DoubleEntryStatus
from tournament.sheets.forms.scoresheets import cell_differences
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as services
from tournament.tables.models import Table

DOUBLE_ENTRY_STATUS_CHOICES = [(stand.value, stand.value) for stand in DoubleEntryStatus]


class CellAnswer(serializers.Serializer[Any]):
    where = serializers.CharField()
    first = serializers.CharField(allow_blank=True)
    second = serializers.CharField(allow_blank=True)


class SecondTypingAnswer(serializers.Serializer[Any]):
    """`revision` (the ETag) is the second typing's own, `scoresheet_revision` what a third look is decided on.

    `typed` and `problems` are one's own; `cells` are there for the third look alone.
    """

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=SheetState.choices)
    scoresheet_revision = serializers.IntegerField()
    stand = serializers.ChoiceField(choices=DOUBLE_ENTRY_STATUS_CHOICES)
    revision = serializers.IntegerField()
    form = serializers.ChoiceField(choices=SheetForm.choices)
    typed_by = serializers.CharField(allow_null=True)
    typed_at = serializers.DateTimeField(allow_null=True)
    typed = serializers.DictField()
    problems = ProblemOfSheet(many=True)
    cells = CellAnswer(many=True)


class TypeAgainRequest(StrictBody):
    """The whole sheet as this account reads the paper; `done` hands it in, or keeps nothing where it has faults."""

    typed = SheetTyped()
    done = StrictBooleanField(required=False)


class SettleRequest(StrictBody):
    """The text decided for every cell that differs, by its `where`; reasons for what is then unusual."""

    choices = serializers.DictField(child=PlainTextField(max_length=500, allow_blank=True))
    confirmations = confirmation_reasons_field()


def judge_second_entry(table: Table, sheet: Scoresheet, typed: Mapping[str, Any]) -> Any:
    """These texts as the rules read them, in the form of the first typing."""
    return bridge.check_typed_sheet(
        ruleset_of_stage(table.session.stage), sheet.form, typed, queries.seats_as_judged(table)
    )


def serialize_differing_cells(sheet: Any, second: Any, wanted: tuple[str, ...]) -> list[dict[str, str]]:
    found = cell_differences(sheet.typed, second.typed)
    return [{"where": one.name, "first": one.mine, "second": one.theirs} for one in found if one.name in wanted]


class DoubleEntryViewSet(ScoresheetsViewSet):
    serializer_class = SecondTypingAnswer

    def told(self, table: Table) -> dict[str, Any]:
        """Where the second typing stands, with nothing of the first typist's while it is wanted."""
        sheet = queries.current_sheet(table)
        second = queries.double_entry_of(sheet) if sheet else None
        found = double_entry.DoubleEntryComparison(DoubleEntryStatus.NOT_ASKED)
        if sheet and sheet.state == SheetState.READY:
            found = services.double_entry_status(table, sheet)
        own = second if second and second.typed_by_id == self.account.pk else None
        differs = found.stand is DoubleEntryStatus.DIFFERS
        return {
            "session": table.session.number,
            "table": table.number,
            "serial": queries.sheet_serial(table),
            "state": sheet.state if sheet else SheetState.OPEN,
            "scoresheet_revision": sheet.revision if sheet else 0,
            "stand": found.stand.value,
            "revision": second.revision if second else 0,
            "form": sheet.form if sheet else usual_form(table),
            "typed_by": second.typed_by.username if second else None,
            "typed_at": second.typed_at if second else None,
            "typed": own.typed if own else {},
            "problems": serialize_sheet_problems(judge_second_entry(table, sheet, own.typed)) if own and sheet else [],
            "cells": serialize_differing_cells(sheet, second, found.cells) if differs else [],
        }

    @reads("/", "certify_scoresheet", _("Where the second typing of a scoresheet stands"))
    def get_second_typing(self, table: Table) -> dict[str, Any]:
        return self.told(table)

    @get_second_typing.mapping.put
    @changes("", "type_scoresheet", _("Type a scoresheet a second time, without seeing the first"), TypeAgainRequest)
    def type_scoresheet_again(self, table: Table, given: RequestData) -> None:
        data = {"done": False, **to_plain_data(given.data)}
        services.save_second_entry(table, or_nothing=True, **given.seen, **data)


class AdjudicationViewSet(ScoresheetsViewSet):
    @changes(
        "/settle/",
        "certify_scoresheet",
        _("Decide every cell on which the two typings differ; If-Match is the scoresheet's own revision"),
        SettleRequest,
        name="settle",
    )
    def settle_second_typing(self, table: Table, given: RequestData) -> None:
        services.adjudicate_double_entry(table, **given.seen, **{"confirmations": {}, **to_plain_data(given.data)})

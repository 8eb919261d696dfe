"""The blind second typing: what is wanted, the sheet typed again, and the third look that decides."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Strict, Text, Truth
from tournament.api.keys import Answer, Given
from tournament.api.resource import reads, writes
from tournament.api.scoresheets import SHEET, SheetResource, plain
from tournament.api.scoresheets_answers import ProblemOfSheet, ScoresheetAnswer, told_problems
from tournament.api.scoresheets_requests import SheetTyped, reasons
from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets_second import Stand
from tournament.enums import SheetForm, SheetState
from tournament.errors import HasFaults, Refused, StaleVersion
from tournament.forms.scoresheets import differences
from tournament.models import Scoresheet, Table
from tournament.queries import scoresheets as queries
from tournament.services import scoresheets_second as services

STANDS = [(stand.value, stand.value) for stand in Stand]


class CellAnswer(serializers.Serializer):
    """A cell on which the two differ, with both texts."""

    where = serializers.CharField()
    first = serializers.CharField(allow_blank=True)
    second = serializers.CharField(allow_blank=True)


class SecondTypingAnswer(serializers.Serializer):
    """`revision` (the ETag) is the second typing's own, `scoresheet_revision` what a third look is decided on.

    `typed` and `problems` are one's own; `cells` are there for the third look alone.
    """

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=SheetState.choices)
    scoresheet_revision = serializers.IntegerField()
    stand = serializers.ChoiceField(choices=STANDS)
    revision = serializers.IntegerField()
    form = serializers.ChoiceField(choices=SheetForm.choices)
    typed_by = serializers.CharField(allow_null=True)
    typed_at = serializers.DateTimeField(allow_null=True)
    typed = serializers.DictField()
    problems = ProblemOfSheet(many=True)
    cells = CellAnswer(many=True)


class TypeAgainRequest(Strict):
    """The whole sheet as this account reads the paper; `done` hands it in, or keeps nothing where it has faults."""

    typed = SheetTyped()
    done = Truth(required=False)


class SettleRequest(Strict):
    """The text decided for every cell that differs, by its `where`; reasons for what is then unusual."""

    choices = serializers.DictField(child=Text(max_length=500, allow_blank=True))
    confirmations = reasons()


def second_typing_of(table: Table, account: Any) -> Answer:
    """Where the second typing stands, with nothing of the first typist's while it is wanted."""
    sheet = queries.current_sheet(table)
    second = queries.second_typing_of(sheet) if sheet else None
    waits = sheet is not None and sheet.state == SheetState.READY
    found = services.stand_now(table, sheet) if waits else services.SecondStand(Stand.NOT_ASKED)
    own = second if second and second.typed_by_id == account.pk else None
    told = {
        "session": table.session.number,
        "table": table.number,
        "serial": queries.serial(table),
        "state": sheet.state if sheet else SheetState.OPEN,
        "scoresheet_revision": sheet.revision if sheet else 0,
        "stand": found.stand.value,
        "revision": second.revision if second else 0,
        "form": sheet.form if sheet else SheetForm.PAPER,
        "typed_by": second.typed_by.username if second else None,
        "typed_at": second.typed_at if second else None,
        "typed": own.typed if own else {},
        "problems": told_problems(judged(table, sheet, own.typed)) if own and sheet else [],
        "cells": told_cells(sheet, second, found.cells) if found.stand is Stand.DIFFERS else [],
    }
    return Answer(told, told["revision"])


def judged(table: Table, sheet: Scoresheet, typed: Mapping[str, Any]) -> Any:
    """These texts as the rules read them, in the form of the first typing."""
    return bridge.judge(ruleset_of(table.session.stage), sheet.form, typed, queries.seats_of(table))


def told_cells(sheet: Any, second: Any, wanted: tuple[str, ...]) -> list[dict[str, str]]:
    """Both texts of every cell that waits for a decision."""
    found = differences(sheet.typed, second.typed)
    return [{"where": one.name, "first": one.mine, "second": one.theirs} for one in found if one.name in wanted]


class SecondTypings(SheetResource):
    """The sheet typed again."""

    def members(self, refusal: Refused, found: Table, given: Given) -> Mapping[str, Any]:
        """One's own faults; or that somebody else has typed it meanwhile."""
        if isinstance(refusal, HasFaults):
            return {"problems": told_problems(refusal.check)}
        if isinstance(refusal, StaleVersion):
            now = second_typing_of(found, given.by)
            differing = {"where": "revision", "mine": given.revision, "theirs": now.revision}
            return {"current": SecondTypingAnswer(now.thing).data, "differences": [differing]}
        return {}

    @reads(
        "get_second_typing",
        "certify_scoresheet",
        _("Where the second typing of a scoresheet stands"),
        SecondTypingAnswer,
        versioned=True,
    )
    def get(self, found: Table, asked: Any) -> Answer:
        """As it stands."""
        return second_typing_of(found, self.request.user)

    @writes(
        "type_scoresheet_again",
        "type_scoresheet",
        _("Type a scoresheet a second time, without seeing the first"),
        SecondTypingAnswer,
        takes=TypeAgainRequest,
        match=True,
    )
    def put(self, found: Table, given: Given) -> Answer:
        """A draft, or done."""
        typed, done = plain(given.data["typed"]), given.data.get("done", False)
        services.type_again(
            found,
            revision=given.revision or 0,
            typed=typed,
            done=done,
            by=given.by,
            request_key=given.key,
            or_nothing=True,
        )
        return second_typing_of(found, given.by)


class Settling(SheetResource):
    """The third look."""

    @writes(
        "settle_second_typing",
        "certify_scoresheet",
        _("Decide every cell on which the two typings differ; If-Match is the scoresheet's own revision"),
        ScoresheetAnswer,
        takes=SettleRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """The sheet stays ready, with the values decided."""
        services.settle(
            found,
            revision=given.revision or 0,
            choices=dict(given.data["choices"]),
            confirmations=dict(given.data.get("confirmations", {})),
            by=given.by,
            request_key=given.key,
        )
        return self.told(found)


urlpatterns = [
    path(f"{SHEET}again/", SecondTypings.as_view(), name="api_second_typing"),
    path(f"{SHEET}again/settle/", Settling.as_view(), name="api_settle"),
]

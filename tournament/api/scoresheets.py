"""Scoresheets: a session's list, one sheet with its version, and its way to the second person."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _

from tournament.api.errors import not_found
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.api.scoresheets_answers import (
    ScoresheetAnswer,
    ScoresheetsAnswer,
    scoresheet_of,
    told_line,
    told_problems,
)
from tournament.api.scoresheets_requests import ReadyRequest, SaveRequest
from tournament.api.seating import SeatingResource
from tournament.bridge import scoresheets as bridge
from tournament.errors import HasFaults, Refused, StaleVersion
from tournament.forms.scoresheets import differences
from tournament.models import Session, Table
from tournament.queries import scoresheets as queries
from tournament.services import scoresheets as services


class SheetResource(Resource):
    """What all addresses about one sheet share."""

    def find(self, session: int, table: int, **path: Any) -> Table:
        """The table of this event's preliminary."""
        found = queries.find_table(self.event, session, table)
        if found is None:
            raise not_found()
        return found

    def told(self, found: Table) -> Answer:
        """The sheet as this account may see it."""
        return scoresheet_of(found, self.request.user, self.roles)

    def members(self, refusal: Refused, found: Table, given: Given) -> Mapping[str, Any]:
        """What stands now and every cell that differs from what was sent; or every fault that is in the way."""
        if isinstance(refusal, StaleVersion):
            return self.told_stale(found, given)
        if isinstance(refusal, HasFaults):
            return {"problems": told_problems(refusal.check)}
        return {}

    def told_stale(self, found: Table, given: Given) -> Mapping[str, Any]:
        """Both values side by side."""
        now = self.told(found)
        differing: list[dict[str, Any]] = [{"where": "revision", "mine": given.revision, "theirs": now.revision}]
        if "typed" in given.data and not now.thing["blind"]:
            mine, theirs = bridge.clean_typed(plain(given.data["typed"])), now.thing["typed"]
            differing += [
                {"where": one.name, "mine": one.mine, "theirs": one.theirs} for one in differences(mine, theirs)
            ]
        return {"current": ScoresheetAnswer(now.thing).data, "differences": differing}


class Scoresheets(SeatingResource):
    """A session's sheets."""

    @reads("list_scoresheets", "see_scoresheets", _("The scoresheets of a session"), ScoresheetsAnswer)
    def get(self, found: Session, asked: Any) -> Answer:
        """By table; as many queries for one as for thirty."""
        rows = list(queries.board(found).tables)
        lines = [told_line(row) for row in rows]
        return Answer({"session": found.number, "confirmed": queries.is_drawn(found), "scoresheets": lines})


def plain(data: Any) -> Any:
    """What was read, as plain data."""
    if isinstance(data, Mapping):
        return {name: plain(part) for name, part in data.items()}
    return [plain(part) for part in data] if isinstance(data, list) else data


class OneScoresheet(SheetResource):
    """One sheet."""

    @reads("get_scoresheet", "see_scoresheets", _("One scoresheet"), ScoresheetAnswer, versioned=True)
    def get(self, found: Table, asked: Any) -> Answer:
        """As it stands."""
        return self.told(found)

    @writes(
        "save_scoresheet", "type_scoresheet", _("Save a scoresheet"), ScoresheetAnswer, takes=SaveRequest, match=True
    )
    def put(self, found: Table, given: Given) -> Answer:
        """Faults and all."""
        services.save(found, by=given.by, revision=given.revision or 0, request_key=given.key, **plain(given.data))
        return self.told(found)


class Submission(SheetResource):
    """Saved and handed on, or neither."""

    @writes(
        "submit_scoresheet",
        "type_scoresheet",
        _("Save a scoresheet and hand it on, or neither"),
        ScoresheetAnswer,
        takes=SaveRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Where faults stand, nothing is kept and the answer names them."""
        data = {"confirmations": {}, **plain(given.data)}
        services.submit(
            found, by=given.by, revision=given.revision or 0, request_key=given.key, or_nothing=True, **data
        )
        return self.told(found)


class Handing(SheetResource):
    """To the second person."""

    @writes(
        "ready_scoresheet",
        "type_scoresheet",
        _("Hand a draft to the second person"),
        ScoresheetAnswer,
        takes=ReadyRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Draft to ready."""
        notes = {**(sheet.confirmations if (sheet := queries.current_sheet(found)) else {})}
        notes |= given.data.get("confirmations", {})
        services.ready(found, revision=given.revision or 0, confirmations=notes, by=given.by, request_key=given.key)
        return self.told(found)


class Reopening(SheetResource):
    """Taken back by its typist."""

    @writes("reopen_scoresheet", "type_scoresheet", _("Take a scoresheet back"), ScoresheetAnswer, match=True)
    def post(self, found: Table, given: Given) -> Answer:
        """Ready to draft."""
        services.reopen(found, revision=given.revision or 0, by=given.by, request_key=given.key)
        return self.told(found)


SHEET = "sessions/<int:session>/scoresheets/<int:table>/"
urlpatterns = [
    path("sessions/<int:session>/scoresheets/", Scoresheets.as_view(), name="api_scoresheets"),
    path(SHEET, OneScoresheet.as_view(), name="api_scoresheet"),
    path(f"{SHEET}submit/", Submission.as_view(), name="api_submit"),
    path(f"{SHEET}ready/", Handing.as_view(), name="api_ready"),
    path(f"{SHEET}reopen/", Reopening.as_view(), name="api_reopen"),
]

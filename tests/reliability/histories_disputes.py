"""What random histories do with a sheet before it locks: disputes raised, decided and taken back, sheets made void."""

from collections.abc import Callable
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tournament.core.enums import SheetState
from tournament.core.models.stage import Session
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import signing_disputes
from tournament.tables.models import Table

REASON = "B says that A had 12 tiles"
# As often as they need to be met: each needs what another has left.
ACTS = ("dispute", "dispute", "decide", "decide", "recall", "recall", "propose_void", "approve_void")


class DisputeActs:
    """Mixed into a history: its random numbers, people, session, keys and texts are used."""

    random: Random
    people: dict[str, User]
    session: Session
    given: Callable[[Table], dict[str, Any]]
    key: Callable[[], str]
    anybody: Callable[..., User]
    texts: Callable[[], dict[str, Any]]
    again: Callable[[Table], Table]
    newest: Callable[[Table], Scoresheet]

    def dispute(self, table: Table) -> None:
        signing_disputes.raise_dispute(table, reason=REASON, **self.given(table))

    def disputed(self, table: Table) -> Table | None:
        """One whose sheet is disputed, as the pages load it."""
        sheet = Scoresheet.objects.filter(table__session=self.session, state=SheetState.DISPUTED).first()
        if sheet is None:
            return None
        return queries.find_table_of_event(self.session.stage.event, self.session.number, sheet.table.number) or table

    def decide(self, table: Table) -> None:
        if found := self.disputed(table):
            given = {**self.given(found), "by": self.people["judge"]}
            signing_disputes.decide_dispute(found, decision="as on the paper", typed=self.texts(), **given)

    def recall(self, table: Table) -> None:
        """Taken back, mostly by who raised it."""
        if found := self.disputed(table):
            raised = Dispute.objects.get(scoresheet__table=found, decided_at=None)
            given = {**self.given(found), "by": self.random.choice([raised.raised_by, self.anybody()])}
            signing_disputes.withdraw_dispute(found, dispute=raised.pk, reason="B counted again", **given)

    def propose_void(self, table: Table) -> None:
        given = {**self.given(table), "by": self.anybody("judge", "organiser", "organiser2")}
        signing_disputes.propose_void(table, reason="the rain ended it", **given)

    def approve_void(self, table: Table) -> None:
        voiding = Voiding.objects.filter(scoresheet__table=table, approved_at=None).first()
        if voiding:
            given = {**self.given(table), "by": self.anybody("judge", "organiser")}
            signing_disputes.approve_void(table, **given)

    # --- Each once --------------------------------------------------------------------------------------
    def raise_one(self, table: Table) -> None:
        given = {"revision": self.newest(table).revision, "by": self.people["clerk2"], "request_key": self.key()}
        signing_disputes.raise_dispute(self.again(table), reason=REASON, **given)

    def raise_one_and_take_it_back(self, table: Table) -> None:
        """By the second clerk; the sheet is a draft again."""
        self.raise_one(table)
        given = {"revision": self.newest(table).revision, "by": self.people["clerk2"], "request_key": self.key()}
        signing_disputes.withdraw_dispute(self.again(table), reason="B counted again", **given)

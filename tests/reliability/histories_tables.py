"""What a referee, the desk and the chief judge do at the tables and with the tablets, in any order."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tournament.accounts.services import accounts
from tournament.core import errors
from tournament.core.enums import ClockKind, IncidentKind, NoteKind, QuarantineReason, Role, SubmissionOutcome
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import devices
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.tablets.queries.conduct import note_end_of
from tournament.tablets.services import conduct, conduct_notes, held
from tournament.tablets.services.held import OutboxItem

REASON = "took a tile too late"


def make_referee(event: Event, password: str) -> None:
    """The referee of every table that is seated; the PIN has tests of its own."""
    referee = accounts.create_account(event, "referee", password, "referee", [Role.REFEREE])
    Table.objects.filter(session__stage__event=event).update(referee=referee)
    RefereePin.objects.create(event=event, user=referee, hash="no PIN opens it", set_at=timezone.now())


class TableActs:
    """Mixed into a history: its random numbers, people, session and keys are used."""

    random: Random
    counts: Counter[str]
    people: dict[str, User]
    session: Session
    key: Callable[[], str]
    seed: int

    def acting(self, table: Table) -> ActingAccount:
        """The referee, at the table's tablet where there is one."""
        referee = User.objects.get(username="referee")
        device = Device.objects.filter(device_tables__table=table, device_tables__ended_at=None).first()
        return ActingAccount(referee, self.key(), device, timezone.now() if device else None)

    def warn(self, table: Table) -> None:
        letter = self.random.choice("ABCD")
        conduct.warn_entrant(
            table, letter=letter, game=self.random.randint(1, 3), reason=REASON, acting=self.acting(table)
        )

    def happen(self, table: Table) -> None:
        """A rack pushed over, or a new deal."""
        given: dict[str, Any] = {"kind": IncidentKind.PUSHED_OVER, "letter": "B", "tiles": 7}
        if self.random.random() < 0.5:
            given = {"kind": IncidentKind.LEFT, "letter": "C", "note": "was ill"}
        conduct.record_incident(table, game=2, acting=self.acting(table), **given)

    def take_back(self, table: Table) -> None:
        """The newest note of the table, by its referee."""
        for row in Incident.objects.filter(table=table).order_by("-pk")[:1]:
            if note_end_of(NoteKind.INCIDENT, row.pk) is None:
                conduct_notes.withdraw_note(table, note=row, reason="pressed by mistake", acting=self.acting(table))

    def call(self, table: Table) -> None:
        """For the chief judge; now and then taken or answered at once."""
        made = conduct.call_judge(table, reason=REASON, letter="A", game=1, acting=self.acting(table))
        if self.random.random() < 0.5:
            conduct.take_judge_call(made, by=self.people["judge"], request_key=self.key())

    def answer_call(self, table: Table) -> None:
        """The oldest, whether taken or not."""
        for call in JudgeCall.objects.filter(answered_at=None).order_by("pk")[:1]:
            conduct.answer_judge_call(call, answer="the turn is over", by=self.people["judge"], request_key=self.key())

    def move_session(self, table: Table) -> None:
        """On with the day, and seldom its end, which is taken back."""
        kinds = [ClockKind.START, ClockKind.SUSPEND, ClockKind.RESUME, ClockKind.TAKE_BACK]
        by = self.people["organiser"]
        clock.move_session(self.session, self.random.choice(kinds), by=by, request_key=self.key())

    def end_session(self, table: Table) -> None:
        """Closed all the same, and opened again."""
        for kind in (ClockKind.CLOSE, ClockKind.REOPEN):
            by = self.people["organiser"]
            clock.move_session(self.session, kind, by=by, request_key=self.key(), reason="the hall closes")

    def stop(self, table: Table) -> None:
        """Somebody leaves the table for a while, comes back, and it plays longer."""
        clock.pause_table(table, letter="A", escort="a helper", acting=self.acting(table))
        clock.unpause_table(table, acting=self.acting(table))
        clock.give_overtime(table, minutes=5, reason="the pause", acting=self.acting(table))

    def pair(self, table: Table) -> None:
        """A tablet by a code; it takes the table over from the one before. Some codes are never used."""
        event, referee, by = self.session.stage.event, User.objects.get(username="referee"), self.people["organiser"]
        _row, code = devices.make_pairing(self.session, referee, (table.number,), by=by)
        if self.random.random() < 0.8:
            devices.pair_tablet(event, code, f"{self.key()} of a pairing's tablet")

    def revoke(self, table: Table) -> None:
        """The table's tablet, if it has one."""
        if device := self.acting(table).device:
            devices.revoke_tablet(device, reason="was lost", by=self.people["organiser"])

    def hold(self, table: Table) -> None:
        """What the table's tablet says came too late."""
        device = self.acting(table).device
        if device is None:
            return
        body = {"reason": REASON, "made_at": "2026-08-08T03:00:00.123456Z", "referee": device.referee_id}
        item = OutboxItem(self.key(), "call", self.session.number, table.number, None, body)
        held.quarantine_items(device, [item], QuarantineReason.CONFLICT)

    def settle_held(self, table: Table) -> None:
        def enter(item: QuarantinedSubmission) -> None:
            conduct.call_judge(table, reason=REASON, acting=ActingAccount(self.people["judge"], self.key()))

        outcome = self.random.choice([SubmissionOutcome.ENTERED, SubmissionOutcome.SET_ASIDE])
        for item in QuarantinedSubmission.objects.filter(outcome="").order_by("pk")[:1]:
            by, key = self.people["judge"], self.key()
            held.resolve_submission(item, outcome=outcome, reason="as it was", by=by, request_key=key, enter=enter)

    def lead_a_session(self, table: Table) -> None:
        """Each of these once and more."""
        for name in (
            "move_session",
            "pair",
            "pair",
            "pair",
            "hold",
            "hold",
            "settle_held",
            "settle_held",
            "warn",
            "happen",
            "take_back",
            "happen",
            "call",
        ):
            getattr(self, name)(table)
        for kind in (ClockKind.START, ClockKind.SUSPEND, ClockKind.RESUME):
            try:
                clock.move_session(self.session, kind, by=self.people["organiser"], request_key=self.key())
            except errors.Refused:
                continue
        for name in ("stop", "answer_call", "call", "revoke"):
            getattr(self, name)(table)


ACTS = (
    *(
        "warn",
        "happen",
        "take_back",
        "call",
        "call",
        "answer_call",
        "move_session",
        "move_session",
        "end_session",
        "stop",
        "stop",
    ),
    *("pair", "pair", "revoke", "hold", "hold", "settle_held"),
)

"""What random histories do with a session that is not played: held back, postponed, brought back; and one of each."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from random import Random

from django.contrib.auth.models import User

from tests.sheets.tables import settle
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.weather.services import postponing, postponing_replay
from tournament.weather.services.postponing_times import set_times, times_on_day

ACTS = ("hold_back", "put_off", "go_on_as_planned", "hold_after_all")
# Before the results of these events, which were published in 2020.
THEN = datetime(2019, 1, 1, tzinfo=UTC)


class PostponingActs:
    """The acts, for a history that has its accounts, its stage and its dice."""

    people: dict[str, User]
    random: Random
    session: Session
    key: Callable[[], str]

    def other_session(self) -> list[Session]:
        """The event's second session, at which nobody plays."""
        return list(Session.objects.filter(stage=self.session.stage_id, number=2).select_related("stage__event"))

    def hold_back(self, table: Table) -> None:
        postponing.hold_sessions(self.other_session(), reason="TC8NE", by=self.people["organiser"])

    def put_off(self, table: Table) -> None:
        postponing.postpone_sessions(self.other_session(), reason="black rain", by=self.people["organiser2"])

    def go_on_as_planned(self, table: Table) -> None:
        postponing.unhold_sessions(self.other_session(), by=self.people["organiser"])

    def hold_after_all(self, table: Table) -> None:
        postponing.bring_back_sessions(self.other_session(), reason="cancelled at 09:40", by=self.people["organiser"])


def some_moved(event: Event, by: User) -> None:
    """Two more sessions: one postponed, with new times; one broken off, void and to be played anew."""
    stage = Stage.objects.get(event=event, kind="preliminary")
    second = Session.objects.get(stage=stage, number=2)
    moved, broken = (copied(second, number) for number in (21, 22))
    postponing.postpone_sessions([moved], reason="black rain", by=by, now=THEN)
    set_times(event, [times_on_day(moved, date(2019, 12, 1))], reason="the hall is free", by=by, now=THEN)
    settle(broken, by, sizes=(4,), first=7001)
    for kind in ("start", "suspend"):
        clock.move_session(broken, kind, by=by, request_key=f"{kind} {broken.number}")
    postponing_replay.replay_session(broken, reason="TC8NE", by=by)


def copied(session: Session, number: int) -> Session:
    """A session more, at the same hours."""
    given = {"number": number, "number_of_day": number, "original_date": session.original_date}
    hours = {name: getattr(session, name) for name in ("check_in_at", "seating_at", "play_at", "ends_at")}
    return Session.objects.create(stage=session.stage, table_count=1, capacity=4, **given, **hours)

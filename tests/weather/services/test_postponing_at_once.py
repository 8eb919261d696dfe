"""Several desks at the same moment: one postponement, one start or one postponement, one replay, one set of times."""

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User

from tests.sheets.services.test_scoresheets_at_once import WRITERS, at_once, people, table  # noqa: F401
from tournament.core.models.stage import Session
from tournament.events.models import SessionMove
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.weather.services import postponing
from tournament.weather.services.postponing_replay import replay_session, revert_session_decision
from tournament.weather.services.postponing_times import set_times, times_on_day

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 3, 28, 2, 0, tzinfo=UTC)


def kinds() -> list[str]:
    return list(ClockEvent.objects.order_by("id").values_list("kind", flat=True))


def test_of_many_at_once_one_postpones_one_gives_times_one_starts_and_one_lets_it_be_played_anew(
    table: Table,  # noqa: F811
    people: list[User],  # noqa: F811
) -> None:
    session = table.session
    event = session.stage.event
    put_off = at_once(lambda n: postponing.postpone_sessions([session], reason="TC8", by=people[n], now=NOW))
    wanted = [times_on_day(session, date(2026, 4, 5))]
    given = at_once(lambda n: set_times(event, wanted, reason="free", by=people[n], now=NOW))
    assert (put_off, given, kinds()) == ({"done": WRITERS}, {"done": WRITERS}, ["postpone", "new_times"])
    assert SessionMove.objects.count() == 1

    def start_or_postpone(n: int) -> None:
        if n % 2:
            clock.move_session(session, "start", by=people[n], request_key=f"s{n}")
        else:
            postponing.postpone_sessions([session], reason="TC8", by=people[n])

    # Whoever is first: a session that is played is not postponed, a postponed one does not start.
    said = at_once(start_or_postpone)
    last = kinds()[2:]
    assert last in (["start"], ["postpone"])
    refused = {"session_moved"} if last == ["postpone"] else {"session_moved", "play_has_begun"}
    assert set(said) - {"done"} <= refused
    if last == ["postpone"]:
        postponing.bring_back_sessions([session], by=people[0])
        clock.move_session(session, "start", by=people[0], request_key="start")
    clock.move_session(session, "suspend", by=people[0], request_key="suspend")
    before = Session.objects.count()
    assert at_once(lambda n: replay_session(session, reason="TC8", by=people[n])) == {"done": WRITERS}
    assert Session.objects.count() == before + 1
    assert at_once(lambda n: revert_session_decision(session, by=people[n])) == {"done": WRITERS}
    session.refresh_from_db()
    assert (session.state, kinds().count("undecide")) == ("suspended", 2)
    assert {finding.code for finding in verify_events(files=False).findings} == set()

"""Two organisers at once, and a writer in the middle: one number, one snapshot. Threads with a connection each."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from tests.conftest import account, event_data
from tests.sheets.sheets import mirrored_tables
from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant
from tournament.publication.services.release import release_results
from tournament.releases.models import Release
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db(transaction=True)
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")


@pytest.fixture
def stage() -> Stage:
    event = setup.create_event(event_data())
    session = event.stages.get().sessions.get(number=1)
    mirrored_tables(session, account(event, Role.ORGANISER), advance=4)
    return Stage.objects.select_related("event").get(pk=session.stage_id)


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act answers, or the exception it raised; all are let go together."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return act()
        except Exception as problem:
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_of_organisers_at_once_one_releases_and_the_others_are_told(stage: Stage) -> None:
    by = User.objects.get()
    answers = at_once(*[lambda: release_results(stage, by=by, now=ANNOUNCED, number=1)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "Refused", "Refused", "Release"]
    assert {answer.code for answer in answers if isinstance(answer, Refused)} == {"already_released"}
    assert list(Release.objects.values_list("number", flat=True)) == [1]


def test_an_act_during_a_release_is_wholly_before_it_or_wholly_after(stage: Stage) -> None:
    by = User.objects.get()

    def withdraw_two() -> None:
        with transaction.atomic():
            Entrant.objects.filter(number=7).update(status="withdrawn")
            Entrant.objects.filter(number=8).update(status="withdrawn")
            services.append_audit_entry(stage.event, by, "record_withdrawal", "entrant 0007")

    for number in range(1, 7):
        Entrant.objects.update(status="ok")
        made, done = at_once(lambda: release_results(stage, by=by, now=ANNOUNCED), withdraw_two)
        assert (type(made), done) == (Release, None)
        unranked = [entry["number"] for entry in made.content["unranked"]]
        act = stage.event.audit_entries.filter(action="record_withdrawal").order_by("seq").last()
        assert (made.number, unranked) == (number, [7, 8] if act.seq <= made.audit_seq else [])
        # the next round has something new to say
        Entrant.objects.filter(number=6).update(status="withdrawn" if number % 2 else "ok")
        stage.releases.filter(withdrawn_at=None).update(withdrawn_at=ANNOUNCED)

"""Workers of their own processes, without a broker on SQLite and through Celery and Redis on PostgreSQL."""

import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.entrant_lists import csv_of, sound_row
from tests.reliability.databases import database_url
from tests.reliability.mail_workers import with_broker, without_broker
from tests.reliability.mailings import run
from tournament.enums import JobState
from tournament.models import Entrant, Event, Job
from tournament.services import importing


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_killed_twice_and_nobody_is_left_out_or_told_what_is_anothers(
    event: Event, organiser: User, tmp_path: Path
) -> None:
    hands = without_broker if connection.vendor == "sqlite" else with_broker
    given: dict[str, Any] = {"count": 40, "kills": 2, "seed": 1, "patience": 60, "database": database_url()}
    outcome = run(event, organiser, hands, tmp_path, **given)
    assert (outcome.mails, outcome.kills, outcome.failures, outcome.repeats <= 2) == (40, 2, 0, True), outcome


@pytest.mark.django_db(transaction=True)
def test_a_list_is_imported_by_celery_as_soon_as_it_is_asked_for(
    event: Event, organiser: User, tmp_path: Path, settings: Any
) -> None:
    workers = with_broker(tmp_path, {"DATABASE_URL": database_url(), "OBSERVATORY_URL": ""})
    assert workers.redis is not None
    settings.REDIS_URL = workers.redis.url
    try:
        workers.start()
        kept = importing.read_file(event, name="list.csv", content=csv_of([sound_row(1), sound_row(2)]), by=organiser)
        importing.import_later(kept, by=organiser, seen=importing.preview(kept).digest)
        until = time.monotonic() + 60
        while time.monotonic() < until and not Job.objects.filter(state=JobState.DONE).exists():
            time.sleep(0.1)
    finally:
        workers.end()
    assert (Job.objects.get().state, Entrant.objects.count()) == (JobState.DONE, 2)

"""Workers of their own processes, without a broker on SQLite and through Celery and Redis on PostgreSQL."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection

from tests.entrant_lists import csv_of, sound_row
from tests.messages.mailed import FIRST, address, begin, enter
from tests.reliability.databases import database_url
from tests.reliability.mail_workers import with_broker, without_broker
from tests.reliability.mailings import is_wrong, run
from tournament.core.enums import JobState, MailingState
from tournament.core.models.event import Event
from tournament.core.models.job import Job
from tournament.core.services import jobs
from tournament.entrants.models.people import Entrant
from tournament.mail.services.mailings_sending import freeze_message_bytes, message_for, send_some
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.mailings import delivery_to_send
from tournament.registration.services import importing, importing_preview

PATIENCE = 60.0


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_with_five_connections_a_killed_worker_repeats_each_mail_at_most_once_and_leaves_nobody_out(
    event: Event, organiser: User, tmp_path: Path
) -> None:
    given: dict[str, Any] = {"count": 40, "kills": 2, "seed": 2, "patience": 60, "database": database_url()}
    outcome = run(event, organiser, without_broker, tmp_path, connections=5, **given)
    assert (outcome.mails, outcome.failures, outcome.often <= 2, outcome.repeats <= 10) == (40, 0, True, True), outcome


def wait_until(it_is_so: Callable[[], bool]) -> None:
    """Waits until it is so; returns without an error when PATIENCE has passed."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not it_is_so():
        time.sleep(0.1)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_list_is_imported_by_celery_whose_broker_was_restarted(
    event: Event, organiser: User, tmp_path: Path, settings: Any
) -> None:
    workers = with_broker(tmp_path, {"DATABASE_URL": database_url(), "OBSERVATORY_URL": ""})
    assert workers.redis is not None
    settings.REDIS_URL = workers.redis.url
    try:
        workers.start()
        wait_until(jobs.is_worker_alive_now)
        workers.redis.restart()
        kept = importing.read_file(event, name="list.csv", content=csv_of([sound_row(1), sound_row(2)]), by=organiser)
        importing.import_later(kept, by=organiser, seen=importing_preview.build_preview(kept).digest)
        wait_until(Job.objects.filter(state=JobState.DONE).exists)
    finally:
        workers.end()
    assert (Job.objects.get().state, Entrant.objects.count()) == (JobState.DONE, 2)


@pytest.mark.django_db(transaction=True)
def test_four_workers_at_once_send_each_mail_once(event: Event, organiser: User) -> None:
    enter(event, 24)
    begin(event, organiser)

    def work(worker: str) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and Mailing.objects.filter(state=MailingState.SENDING).exists():
            send_some(worker, 0.05)
        connection.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(to for one in mail.outbox for to in one.to) == [
        address(number) for number in range(FIRST, FIRST + 24)
    ]


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        pytest.param(b"", b"", False, id="as it was sent"),
        pytest.param(b"To: family-5001@", b"To: family-5002@", True, id="to another address"),
        pytest.param(b"To: family-5001@", b"Cc: family-5002@families.example\r\nTo: family-5001@", True, id="to two"),
        pytest.param(b".5001.", b".5002.", True, id="under another's Message-ID"),
    ],
)
def test_what_is_anothers_is_seen(
    before: bytes, after: bytes, wrong: bool, event: Event, organiser: User, tmp_path: Path
) -> None:
    enter(event, 2)
    begin(event, organiser)
    rows = {row.entrant.number: row for row in Delivery.objects.select_related("entrant")}
    path = tmp_path / "00001"
    path.write_bytes(freeze_message_bytes(message_for(delivery_to_send(rows[FIRST].pk))).replace(before, after))
    assert is_wrong(address(FIRST), path, rows) == wrong


def test_another_entrants_number_in_a_mail_is_seen(event: Event, organiser: User, tmp_path: Path) -> None:
    enter(event, 2)
    begin(event, organiser)
    Delivery.objects.filter(entrant__number=FIRST).update(also=[FIRST + 1])
    rows = {row.entrant.number: row for row in Delivery.objects.select_related("entrant")}
    path = tmp_path / "00001"
    path.write_bytes(freeze_message_bytes(message_for(delivery_to_send(rows[FIRST].pk))))
    assert is_wrong(address(FIRST), path, rows)

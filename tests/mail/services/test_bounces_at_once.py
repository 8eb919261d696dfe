"""Two workers, and a worker beside a provider's program, report of the same mails at the same moment."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.mail.imap_server import Mails, Server, certify
from tests.messages.bounced import RETURN, mailed, report_of
from tournament.audit.models import AuditEntry
from tournament.core.enums import BounceKind
from tournament.core.models.event import Event
from tournament.mail.services import bounces
from tournament.mail.services.bounces_mailbox import read_mailbox
from tournament.messages.models import BounceReading, Delivery
from tournament.operations.services.audit_verification import verify_events

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.fault("X5")]
MANY = 12


@pytest.fixture
def box(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mails]:
    """A mailbox that the settings name."""
    pair = certify(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
    mails = Mails()
    with Server(mails, pair) as server:
        settings.MAIL_BOUNCES, settings.MAIL_BOUNCES_BOX = RETURN, server.url
        yield mails


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """What came of each act, all begun at the same moment."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_two_workers_and_a_program_write_each_mail_down_once(event: Event, organiser: User, box: Mails) -> None:
    rows = mailed(event, organiser, count=MANY)[1]
    for row in rows:
        box.put(report_of("postfix", row))
    told = [{"mail": row.message_id, "kind": "hard", "status": "5.1.1"} for row in rows[::-1]]
    first, second, program = at_once([read_mailbox, read_mailbox, lambda: bounces.process_bounce_reports(told)])
    read = BounceReading.objects.get()
    assert sum((*first.values(), *second.values())) == MANY
    assert (read.recorded, read.repeated, read.unknown, read.last_uid) == (MANY, MANY, 0, MANY)
    assert program["recorded"] + program["repeated"] == MANY
    assert set(Delivery.objects.values_list("bounce", flat=True)) == {BounceKind.HARD}
    assert AuditEntry.objects.filter(action="record_bounce").count() == MANY
    assert [one.subject for one in verify_events(files=False).findings] == []

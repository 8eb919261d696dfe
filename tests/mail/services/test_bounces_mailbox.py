"""The mailbox for returned mail is read by IMAP over TLS: each mail once, and what goes wrong is told."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.mail.imap_server import Mails, Server, certify
from tests.messages.bounced import RETURN, mailed, report_of
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.mail.adapters import mailbox
from tournament.mail.services import bounces_mailbox
from tournament.mail.services.bounces_mailbox import read_due, read_mailbox
from tournament.messages.models import BounceReading, Delivery
from tournament.operations.tasks import due

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X5")]
COUNTS = ("recorded", "repeated", "ignored", "unknown", "unreadable")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certify(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def box(pair: tuple[Path, Path], settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mails]:
    """A mailbox whose certificate is trusted, and that the settings name."""
    monkeypatch.setenv("SSL_CERT_FILE", str(pair[0]))
    mails = Mails()
    with Server(mails, pair) as server:
        settings.MAIL_BOUNCES, settings.MAIL_BOUNCES_BOX = RETURN, server.url
        settings.MAIL_FROM = "desk@desk.example"
        yield mails


@pytest.fixture
def rows(event: Event, organiser: User, box: Mails) -> list[Delivery]:
    """Three mails that the server took."""
    return mailed(event, organiser)[1]


def counts() -> dict[str, int]:
    """What is shown of all reports, without the zeros."""
    row = BounceReading.objects.get()
    return {name: getattr(row, name) for name in COUNTS if getattr(row, name)}


def states(rows: list[Delivery]) -> list[str]:
    return [Delivery.objects.get(pk=row.pk).bounce for row in rows]


def test_each_new_mail_is_read_once_and_marked_as_read_or_to_be_looked_at(rows: list[Delivery], box: Mails) -> None:
    for content in (
        report_of("postfix", rows[0]),
        report_of("out-of-office", rows[1]),
        report_of("answer", rows[1]),
        report_of("gmail", rows[1], token=f"1-{'0' * 20}"),
        report_of("exchange", rows[0]),
    ):
        box.put(content)
    expected = {"recorded": 1, "ignored": 1, "unreadable": 1, "unknown": 1, "repeated": 1}
    assert (read_mailbox(), counts(), states(rows)) == (expected, expected, ["hard", "", ""])
    read, flagged = {r"\Seen"}, {r"\Seen", r"\Flagged"}
    assert box.flags == {1: read, 2: read, 3: flagged, 4: flagged, 5: read}
    assert (read_mailbox(), counts()) == ({}, expected)
    box.put(report_of("exim", rows[2]))
    assert (read_mailbox(), states(rows)) == ({"recorded": 1}, ["hard", "", "hard"])


def test_a_worker_that_dies_before_it_marks_a_mail_as_read_changes_nothing_the_second_time(
    rows: list[Delivery], box: Mails
) -> None:
    box.put(report_of("postfix", rows[0]))
    box.put(report_of("postfix", rows[1]))
    box.faults = ["STORE"]
    assert (read_mailbox(), BounceReading.objects.get().trouble) == ({"recorded": 1}, mailbox.MAILBOX_BROKEN)
    assert (read_mailbox(), states(rows), BounceReading.objects.get().trouble) == (
        {"recorded": 1},
        ["hard", "hard", ""],
        "",
    )
    assert AuditEntry.objects.filter(action="record_bounce").count() == 2


def test_mails_that_somebody_has_read_or_deleted_are_not_missed_and_break_nothing(
    rows: list[Delivery], box: Mails
) -> None:
    box.put(report_of("postfix", rows[0]))
    gone, kept = box.put(b"x"), box.put(report_of("postfix", rows[1]))
    box.flags = {1: {r"\Seen"}, kept: {r"\Seen"}}
    box.after = lambda command: box.mails.pop(gone, None) if command == "SEARCH" else None  # type: ignore[assignment,return-value]
    assert (read_mailbox(), states(rows)) == ({"recorded": 2}, ["hard", "hard", ""])


def test_another_numbering_of_the_server_is_read_anew_without_effect(rows: list[Delivery], box: Mails) -> None:
    box.put(report_of("postfix", rows[0]))
    read_mailbox()
    box.validity = 2
    assert (read_mailbox(), states(rows)) == ({"repeated": 1}, ["hard", "", ""])


def test_of_a_huge_mail_its_beginning_is_read(rows: list[Delivery], box: Mails) -> None:
    box.put(report_of("postfix", rows[0]).replace(b"A body.", b"A body." + b"x" * 3_000_000))
    box.put(b"To: x\r\n\r\n" + b"y" * 3_000_000)
    assert (read_mailbox(), states(rows)) == ({"recorded": 1, "unreadable": 1}, ["hard", "", ""])


@pytest.mark.parametrize("at", ["LOGIN", "SELECT", "SEARCH", "FETCH"])
def test_a_connection_that_breaks_off_is_told_and_the_next_look_goes_on(
    at: str, rows: list[Delivery], box: Mails
) -> None:
    box.put(report_of("postfix", rows[0]))
    box.faults = [at]
    assert (read_mailbox(), BounceReading.objects.get().trouble in ("broken", "no_answer")) == ({}, True)
    assert (read_mailbox(), states(rows), BounceReading.objects.get().trouble) == (
        {"recorded": 1},
        ["hard", "", ""],
        "",
    )


def test_what_is_wrong_with_the_mailbox_is_told_by_its_code(
    rows: list[Delivery], box: Mails, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, found = settings.MAIL_BOUNCES_BOX, {}
    wrong = {
        "password": right.replace("let%20me%20in", "guessed"),
        "folder": right.replace("INBOX", "None"),
        "nobody there": "imaps://a:b@127.0.0.1:1/INBOX",
        "no host": "imaps:///INBOX",
    }
    for name, url in wrong.items():
        settings.MAIL_BOUNCES_BOX = url
        read_mailbox()
        found[name] = BounceReading.objects.get().trouble
    monkeypatch.delenv("SSL_CERT_FILE")
    settings.MAIL_BOUNCES_BOX = right
    read_mailbox()
    found["certificate"] = BounceReading.objects.get().trouble
    assert found == {
        "password": "not_signed_in",
        "folder": "no_folder",
        "nobody there": "no_answer",
        "no host": "no_answer",
        "certificate": "not_safe",
    }


def test_it_is_read_once_a_minute_over_all_workers_and_never_without_the_setting(
    rows: list[Delivery], box: Mails, settings: Any
) -> None:
    now = timezone.now()
    looks = [read_due(now), read_due(now + timedelta(seconds=30)), read_due(now + timedelta(seconds=61))]
    assert [one is not None for one in looks] == [True, False, True]
    settings.MAIL_BOUNCES_BOX = ""
    assert (read_due(now + timedelta(hours=1)), box.asked.count("LOGIN")) == (None, 2)


def test_the_task_and_the_command_read_it(rows: list[Delivery], box: Mails, settings: Any) -> None:
    box.put(report_of("postfix", rows[0]))
    due.read_bounces()
    box.put(report_of("postfix", rows[1]))
    said = StringIO()
    call_command("read_bounces", stdout=said)
    assert (said.getvalue(), states(rows)) == ("recorded 1\n", ["hard", "hard", ""])
    settings.MAIL_BOUNCES_BOX = settings.MAIL_BOUNCES_BOX.replace("INBOX", "None")
    with pytest.raises(CommandError, match="no_folder"):
        call_command("read_bounces")


def test_of_one_look_so_many_are_read_and_the_rest_by_the_next(
    rows: list[Delivery], box: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounces_mailbox, "MAILBOX_MAX_MAILS", 2)
    for row in rows:
        box.put(report_of("postfix", row))
    assert [read_mailbox(), read_mailbox(), read_mailbox()] == [{"recorded": 2}, {"recorded": 1}, {}]

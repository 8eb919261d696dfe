"""A full disk is told in words, at every door, with 503; what only reads goes on."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client

from tests.squeezed import squeezed
from tournament.audit import triggers
from tournament.audit.models import AuditEntry
from tournament.core import storage
from tournament.core.models.event import Event

pytestmark = pytest.mark.django_db
NEW = {"username": "newcomer", "name": "Newcomer", "roles": ["clerk"]}
REFUSE = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON tournament_auditentry FOR EACH ROW EXECUTE FUNCTION no_room();
"""


@contextmanager
def full_disk() -> Iterator[None]:
    """The database finds no room: SQLite may take no more pages, PostgreSQL answers as it does when a file cannot be
    made longer."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(REFUSE)
            yield
            cursor.execute("DROP FUNCTION no_room CASCADE")
            return
        cursor.execute("VACUUM")  # pages that other tests have left free are room
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute("PRAGMA max_page_count = 1073741823")


@pytest.fixture
def at_desk(event: Event, organiser: User, signed_in: Any) -> Client:
    """The organiser's browser; what breaks is answered, not raised."""
    client: Client = signed_in(organiser)
    client.raise_request_exception = False
    return client


def low(monkeypatch: pytest.MonkeyPatch, free: int, total: int) -> None:
    """A disk with so much room."""
    stat = type("Stat", (), {"f_bavail": free, "f_frsize": 1, "f_blocks": total})
    monkeypatch.setattr("os.statvfs", lambda _path: stat)
    usage = type("Usage", (), {"free": free, "total": total})
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)


def test_an_error_of_a_full_disk_is_known_and_no_other() -> None:
    full = [OperationalError("database or disk is full"), OperationalError("disk I/O error"), OSError(errno.ENOSPC, "")]
    others = [OperationalError("database is locked"), OSError(errno.EACCES, ""), ValueError("disk full"), None]
    assert [storage.storage_refusal_of(error) is not None for error in full] == [True, True, True]
    assert [storage.storage_refusal_of(error) for error in others] == [None, None, None, None]


@pytest.mark.fault("P4")
@pytest.mark.django_db(transaction=True)
def test_a_page_that_cannot_be_recorded_answers_503_with_a_word_and_reading_goes_on(
    event: Event, at_desk: Client
) -> None:
    page = f"/desk/{event.slug}/accounts/"
    triggers.require_triggers()  # the server has looked once, before the disk was full
    with full_disk():
        for number in range(200):  # some have room on pages that are there
            answer = at_desk.post(page, NEW | {"username": f"newcomer{number}"}, headers={"Accept-Language": "en"})
            if answer.status_code == 503:
                break
        text = squeezed(answer.content.decode())
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        assert "disk is full" in text.replace("&#x27;", "'")
        assert [at_desk.get(path).status_code for path in (page, f"/desk/{event.slug}/", "/p/no/")] == [200, 200, 404]


@pytest.mark.fault("P4")
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_near_the_end_of_the_disk_nothing_is_written_any_more(
    event: Event, at_desk: Client, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    entries = AuditEntry.objects.count()
    low(monkeypatch, free=20_000_000, total=1_000_000_000)
    page = f"/desk/{event.slug}/accounts/"
    answer = getattr(at_desk, method)(page, NEW)
    assert (answer.status_code, answer["Retry-After"], AuditEntry.objects.count()) == (503, "30", entries)
    assert at_desk.get(page).status_code == 200
    low(monkeypatch, free=40_000_000, total=1_000_000_000)
    assert at_desk.post(page, NEW).status_code in (200, 302)


def test_a_program_is_told_by_code(event: Event, organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    low(monkeypatch, free=0, total=1_000_000_000)
    answer = Client().post("/api/v1/tablet/pair/", {"event": event.slug}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "storage_full", "30")


@pytest.mark.parametrize(("free", "told"), [(140, True), (160, False)])
def test_the_overview_warns_from_15_percent_on(
    event: Event, at_desk: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, free: int, told: bool
) -> None:
    settings.DISK_WARNING = 15
    low(monkeypatch, free=free * 10**9, total=1000 * 10**9)
    text = squeezed(at_desk.get(f"/desk/{event.slug}/", headers={"Accept-Language": "en"}).content.decode())
    assert ("Only 14 % of the server" in text) is told


def test_a_body_beyond_the_limit_is_refused_files_and_all(event: Event, settings: Any) -> None:
    settings.MOST_BODY = 1 << 20
    big = {"username": "x", "password": "y", "file": "z" * (2 << 20)}
    refused = Client().post("/sign-in/", big, headers={"Accept-Language": "en"})
    assert (refused.status_code, "At most 1 MiB" in squeezed(refused.content.decode())) == (413, True)
    assert Client().post("/sign-in/", {"username": "x", "password": "y"}).status_code == 200


def test_one_connection_is_held_so_that_the_next_needs_no_room(tmp_path: Path) -> None:
    names = {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "one.sqlite3"}
    assert storage.hold_sqlite_open(names) is None
    (tmp_path / "one.sqlite3").touch()
    held = storage.hold_sqlite_open(names)
    assert held is not None
    held.close()
    assert storage.hold_sqlite_open({"ENGINE": "django.db.backends.postgresql", "NAME": "one"}) is None

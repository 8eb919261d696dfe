"""A backup is whole or refused, and comes back only where it can do no harm."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction

from tests.conftest import PASSWORD, account, event_data
from tests.reliability import forged_backups
from tests.reliability.damages import damages
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.services import cipher
from tournament.devices.models.backup_point import Epoch, SafePoint
from tournament.devices.services import epochs
from tournament.operations.services import backup, backup_engines, backup_scans
from tournament.operations.services.audit_chain import ChainAnchor
from tournament.operations.services.backup_anchors import Acknowledgement, LostEntries, lost_entries
from tournament.setup.services import setup
from tournament.sheets.services import scans

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(event: Event, organiser: User, settings: Any, tmp_path: Path) -> backup.CheckedBackup:
    settings.VAR_DIR = tmp_path
    return backup.create_backup()


def refusal_of(*command: str) -> int:
    """The exit status of a command that refuses."""
    with pytest.raises(CommandError) as refused:
        call_command(*command)
    return refused.value.returncode


@pytest.mark.fault("B1")
def test_a_backup_was_restored_and_verified_before_it_has_its_name(made: backup.CheckedBackup, tmp_path: Path) -> None:
    assert made.findings == []
    assert made.manifest["rows"]["tournament_event"] == 1
    assert made.manifest["heads"]["hk-2026"]["seq"] == AuditEntry.objects.count()
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [made.path.name]
    assert made.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.fault("X29")
def test_a_finished_backup_says_how_far_it_reaches_and_a_restore_begins_another_epoch(
    made: backup.CheckedBackup,
) -> None:
    assert SafePoint.objects.get().seq == made.manifest["heads"]["hk-2026"]["seq"] > 0
    before = epochs.current_epoch_mark()
    backup.finish_restore(made.manifest, {})
    after = Epoch.objects.get()
    assert (after.mark != before, after.mark, after.restores) == (True, epochs.current_epoch_mark(), 1)


@pytest.fixture
def with_a_scan(event: Event, organiser: User, settings: Any, tmp_path: Path) -> backup.CheckedBackup:
    settings.VAR_DIR = tmp_path
    table = settle(Session.objects.get(stage__event=event, number=1), organiser)[0]
    scans.attach_scan_to_table(table, content=b"%PDF-1.4 %%EOF", by=organiser, request_key="scan")
    return backup.create_backup()


@pytest.mark.fault("B4")
def test_a_damaged_backup_is_refused_wherever_it_is_damaged(with_a_scan: backup.CheckedBackup) -> None:
    let_through = []
    for name, body in damages(with_a_scan.path.read_bytes()):
        with_a_scan.path.write_bytes(body)
        status = refusal_of("backup", "verify", str(with_a_scan.path))
        if status not in (2, 3):
            let_through.append((name, status))
    assert let_through == []
    assert refusal_of("restore", str(with_a_scan.path)) in (2, 3)


def test_what_a_killed_backup_has_left_unsealed_goes_with_the_next_one(
    made: backup.CheckedBackup, tmp_path: Path
) -> None:
    old, new = (tmp_path / "backups" / f"backup-{name}" for name in ("killed", "running"))
    for folder in (old, new):
        folder.mkdir()
        (folder / "database").write_text("not enciphered")
    os.utime(old, (0, 0))
    backup.create_backup()
    assert (old.exists(), new.exists(), made.path.exists()) == (False, True, True)


def test_a_backup_made_without_the_key_is_taken_by_nobody(with_a_scan: backup.CheckedBackup, tmp_path: Path) -> None:
    outcome = forged_backups.try_all(tmp_path)
    assert (outcome.taken, outcome.tried) == ([], 32)
    assert outcome.careless > 5


@pytest.mark.fault("B6")
def test_a_backup_tells_nothing_to_who_has_no_key_and_says_what_was_checked(
    with_a_scan: backup.CheckedBackup, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    body = with_a_scan.path.read_bytes()
    assert [word for word in (b"hk-2026", b"%PDF", b"manifest", b"SQLite", b"PGDMP", b"rows") if word in body] == []
    call_command("backup", "verify", str(with_a_scan.path))
    said = capsys.readouterr().err
    assert (
        f"made with the key {cipher.key_marks()[0]}, no byte altered" in said and "not checked: people's data" in said
    )
    (tmp_path / "signature_key").rename(tmp_path / "sealed")
    commands = (("backup", "verify"), ("restore",))
    assert [refusal_of(*command, str(with_a_scan.path)) for command in commands] == [3, 3]


@pytest.mark.fault("B5")
def test_a_backup_below_the_last_anchor_takes_two_people(
    event: Event, organiser: User, made: backup.CheckedBackup
) -> None:
    judge, head = account(event, Role.CHIEF_JUDGE, "judge"), made.manifest["heads"]["hk-2026"]
    account(event, Role.CLERK, "clerk")
    reached, later = (
        ChainAnchor("hk-2026", head["seq"], head["hash"]),
        ChainAnchor("hk-2026", head["seq"] + 7, "f" * 64),
    )
    both = [Acknowledgement(user.username, PASSWORD) for user in (organiser, judge)]

    def lost(anchors: list[ChainAnchor], given: list[Acknowledgement]) -> Any:
        try:
            return lost_entries("default", made.manifest, anchors, given)
        except backup_engines.NotRestorable as refusal:
            return refusal.code

    assert lost([reached], []) == {}
    assert lost([reached, later], []) == "behind_the_anchor"
    for given in (both[:1], [both[0], both[0]], [both[0], Acknowledgement("clerk", PASSWORD)],
                  [both[0], Acknowledgement("judge", "wrong")]):  # fmt: skip
        assert lost([later], given) == "not_acknowledged"
    assert lost([later], both) == {"hk-2026": LostEntries(7, tuple(sorted((organiser.pk, judge.pk))))}
    assert lost([reached._replace(hash="0" * 64)], both) == "other_log"
    backup.record_restore(event, made.manifest, lost([later], both)["hk-2026"])
    entry = AuditEntry.objects.latest("seq")
    missing = f"; 7 entries missing, acknowledged by accounts {organiser.pk} and {judge.pk}"
    assert entry.reason == f"{made.manifest['at']}, entry {head['seq']}{missing}"


def test_the_scans_of_the_papers_come_back_and_one_that_is_lost_is_named(
    event: Event, organiser: User, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    table = settle(Session.objects.get(stage__event=event, number=1), organiser)[0]
    scan = scans.attach_scan_to_table(table, content=b"%PDF-1.4 %%EOF", by=organiser, request_key="scan")
    made = backup.create_backup()
    kept = tmp_path / "scans" / scan.file_name
    kept.unlink()
    with backup.open_backup(made.path) as (manifest, file):
        backup_scans.restore_scans(file, manifest)
    assert (kept.read_bytes(), made.findings) == (b"%PDF-1.4 %%EOF", [])
    kept.unlink()
    assert [str(found) for found in backup.create_backup().findings] == ["hk-2026: scan 0328-1-01: scan missing"]


@pytest.mark.fault("B2")
def test_a_database_that_is_not_empty_stays_as_it_is(made: backup.CheckedBackup, event: Event) -> None:
    assert refusal_of("restore", str(made.path)) == 3
    assert Event.objects.get() == event


@pytest.mark.fault("B3")
@pytest.mark.parametrize("changed", [{"engine": "oracle"}, {"migrations": ["tournament.9999_later"]}])
def test_another_engine_or_a_newer_schema_is_refused(
    made: backup.CheckedBackup, changed: dict[str, Any], tmp_path: Path
) -> None:
    with backup.open_backup(made.path) as (manifest, file):
        backup.unpack_dump(file, tmp_path / "copy", manifest)
    backup.pack_backup(made.path, {**made.manifest, **changed}, tmp_path / "copy")
    assert refusal_of("restore", str(made.path)) == 3


def test_only_an_organiser_of_every_event_takes_a_backup_away(
    made: backup.CheckedBackup, event: Event, organiser: User, signed_in: Any
) -> None:
    page = f"/desk/{event.slug}/backup/"
    answer = signed_in(organiser).post(page, {"name": made.path.name})
    assert b"".join(answer.streaming_content) == made.path.read_bytes()
    setup.create_event(event_data() | {"slug": "other-2026"})
    assert signed_in(organiser).post(page, {"name": made.path.name}).status_code == 409
    assert signed_in(organiser).post(page, {"name": "../secret_key"}).status_code in (404, 409)


def test_the_page_says_what_to_do_and_makes_one(
    event: Event, organiser: User, signed_in: Any, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    page = f"/desk/{event.slug}/backup/"
    assert "未有備份" in squeezed(signed_in(organiser).get(page).content.decode())
    assert signed_in(organiser).post(page).status_code == 302
    assert "已備份" in squeezed(signed_in(organiser).get(page).content.decode())
    assert AuditEntry.objects.filter(action="create_backup").count() == 1
    assert signed_in(account(event, Role.CLERK)).get(page).status_code == 403


def test_the_changes_are_searched_with_as_many_queries_for_1_as_for_100(
    event: Event, organiser: User, signed_in: Any, django_assert_num_queries: Any
) -> None:
    client, page = signed_in(organiser), f"/desk/{event.slug}/audit/"
    with django_assert_num_queries(8):
        client.get(page)
    before = AuditEntry.objects.count()
    for number in range(99):
        audit_note(event, organiser, f"entrant {number:04d}")
    with django_assert_num_queries(8):
        answer = squeezed(client.get(page).content.decode())
    assert "entrant 0098" in answer and f"{before + 99}" in answer
    found = squeezed(client.get(page, {"thing": "0042"}).content.decode())
    assert ("entrant 0042" in found, "entrant 0041" in found) == (True, False)
    assert signed_in(account(event, Role.CLERK)).get(page).status_code == 403


def audit_note(event: Event, by: User, thing: str) -> None:
    """An entry of its own."""
    with transaction.atomic():
        services.append_audit_entry(event, by, "accept_age", thing)

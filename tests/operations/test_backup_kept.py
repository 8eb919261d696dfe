"""The backups that are there: by their own word, whole or not, on a second disk or not, and one every few minutes."""

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from tests.operations.test_backup import refusal_of
from tests.squeezed import squeezed
from tournament.core.adapters.static_files import LastKnownStaticFiles
from tournament.core.models.event import Event
from tournament.operations.services import backup, backup_kept, erasure_files

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data(event: Event, organiser: User, settings: Any, tmp_path: Path) -> Path:
    """The folder of an event."""
    settings.VAR_DIR = tmp_path / "data"
    settings.VAR_DIR.mkdir()
    return tmp_path / "data"


@pytest.fixture
def second(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that counts as another disk."""
    settings.BACKUP_SECOND_DIR = str(tmp_path / "stick")
    (tmp_path / "stick").mkdir()
    monkeypatch.setattr(backup_kept, "on_another_disk", lambda: (tmp_path / "stick").is_dir())
    return tmp_path / "stick"


def page(client: Any) -> str:
    """The page as a person reads it."""
    text = squeezed(client.get("/desk/hk-2026/backup/", headers={"Accept-Language": "en"}).content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


@pytest.mark.fault("X27")
def test_a_backup_is_as_old_as_it_says_itself_whenever_it_was_copied(
    data: Path, organiser: User, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    four_days_ago = timezone.now() - timedelta(days=4)
    with monkeypatch.context() as then:
        then.setattr(timezone, "now", lambda: four_days_ago)
        made = backup.create_backup()
    os.utime(made.path)
    said = page(signed_in(organiser))
    assert ("backup is old" in said, "5760 minutes ago" in said, "backed up " in said) == (True, True, False)


@pytest.mark.fault("X27")
def test_a_backup_that_was_cut_off_is_called_damaged_and_the_one_before_it_counts(
    data: Path, organiser: User, signed_in: Any
) -> None:
    whole, cut = backup.create_backup().path, backup.create_backup().path
    assert "damaged" not in page(signed_in(organiser))
    cut.write_bytes(cut.read_bytes()[:2000])
    standing = backup_kept.backup_status()
    assert standing.last is not None
    assert (standing.last.path, [one.path for one in standing.damaged]) == (whole, [cut])
    assert "damaged" in page(signed_in(organiser))
    whole.unlink()
    said = page(signed_in(organiser))
    assert ("no backup yet" in said, "backed up " in said) == (True, False)


@pytest.mark.fault("X27")
def test_the_page_says_whether_the_newest_lies_on_this_machine_only(
    data: Path, second: Path, organiser: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    backup.create_backup()
    assert "No copy on another disk is known" in page(client)
    client.post("/desk/hk-2026/backup/")
    [copy] = second.glob("*.backup")
    assert copy.read_bytes() == (data / "backups" / copy.name).read_bytes()
    assert copy.stat().st_mode & 0o777 == 0o600
    assert ("No copy on another disk is known" in page(client), "on a second disk" in page(client)) == (False, True)
    assert copy.name in [one.name for one in erasure_files.remaining_backups()]
    second.rename(second.with_name("pulled out"))
    assert client.post("/desk/hk-2026/backup/").status_code == 302
    assert "No copy on another disk is known" in page(client)


def test_a_folder_on_the_same_disk_is_no_second_disk(data: Path, settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_SECOND_DIR = str(tmp_path)
    assert backup_kept.on_another_disk() is False


def test_one_is_made_every_few_minutes_and_no_two_at_once(
    data: Path, second: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert backup_kept.make_due() is None
    settings.BACKUP_MINUTES = 5
    made = backup_kept.make_due()
    assert made is not None
    assert (backup_kept.make_due(), (second / made.path.name).exists()) == (None, True)
    later = timezone.now() + timedelta(minutes=5, seconds=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    again = backup_kept.make_due()
    assert again is not None
    assert [one.path for one in backup_kept.kept_backups()] == [again.path, made.path]


def test_of_the_regular_ones_one_an_hour_stays_and_then_one_a_day(
    data: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = timezone.now
    now = real().replace(minute=50)
    today, hours, days = [3, 9], [180, 190, 250], [4000, 4005, 9000]
    by_hand = None
    for minutes in sorted([*today, *hours, *days], reverse=True):
        moment = now - timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        backup.create_backup(suffix=backup_kept.REGULAR_BACKUP_SUFFIX)
        by_hand = by_hand or backup.create_backup()
    backup_kept.thin_out(backup.backup_folder(), now)
    left = sorted(round((now - one.at).total_seconds() / 60) for one in backup_kept.kept_backups() if one.at)
    assert left == [3, 9, 180, 250, 4000, 9000, 9000]


def test_a_timer_and_a_hand_make_them_by_the_same_command(data: Path, second: Path, tmp_path: Path) -> None:
    call_command("backup", "create")
    call_command("backup", "create", "--regular")
    call_command("backup", "create", "--to", str(tmp_path / "elsewhere"))
    names = sorted(path.name for path in second.iterdir())
    assert [name.endswith(backup_kept.REGULAR_BACKUP_SUFFIX) for name in names] == [False, True]
    assert refusal_of("backup", "verify", str(second / "none.backup")) == 3


@pytest.mark.fault("X22")
def test_a_page_of_new_code_beside_old_static_files_is_no_failure(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text(
        '{"version": "1.1", "paths": {"css/old.css": "css/old.012345678901.css"}}'
    )
    storage = LastKnownStaticFiles(location=str(tmp_path), base_url="/static/")
    assert storage.url("css/old.css") == "/static/css/old.012345678901.css"
    assert storage.url("css/base.css") == "/static/css/base.css"
    with pytest.raises(ValueError, match="Missing staticfiles manifest entry"):
        storage.url("css/nobody-has-this.css")

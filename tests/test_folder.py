"""One folder for the server and for every command beside it; root leaves nothing that its owner cannot read."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scripts import serving
from tournament.core import installation_folder

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534


def chosen(var: Path) -> str:
    """The folder of a command that says nothing."""
    return installation_folder.data_folder({}, var).name


def test_a_command_means_the_folder_of_the_server_that_runs_else_the_last_one_used(tmp_path: Path) -> None:
    demo, event = tmp_path / "demo", tmp_path / "event"
    assert chosen(tmp_path) == "event"
    demo.mkdir()
    event.mkdir()
    installation_folder.write_word_file(tmp_path / "current", "demo")
    assert chosen(tmp_path) == "demo"
    with installation_folder.hold_folder_while_serving(event):
        assert chosen(tmp_path) == "event"
        with (
            installation_folder.hold_folder_while_serving(demo),
            pytest.raises(installation_folder.AmbiguousFolder, match=f"VAR_DIR={event} or VAR_DIR={demo}"),
        ):
            chosen(tmp_path)
    assert chosen(tmp_path) == "demo"
    assert installation_folder.data_folder({"VAR_DIR": "/elsewhere"}, tmp_path) == Path("/elsewhere")


def test_who_serves_a_folder_is_known_until_it_ends_and_nobody_else_changes_that(tmp_path: Path) -> None:
    assert installation_folder.server_of_folder(tmp_path) is None
    with installation_folder.hold_folder_while_serving(tmp_path, "make demo at http://localhost:8000/"):
        with suppress(BlockingIOError), installation_folder.hold_folder_while_serving(tmp_path, "make lan"):
            pass
        assert installation_folder.server_of_folder(tmp_path) == "make demo at http://localhost:8000/"
    assert installation_folder.server_of_folder(tmp_path) is None


def test_one_server_at_a_time_has_a_folder(tmp_path: Path) -> None:
    with (
        installation_folder.hold_folder_while_serving(tmp_path),
        pytest.raises(BlockingIOError),
        installation_folder.hold_folder_while_serving(tmp_path),
    ):
        pass
    assert not installation_folder.is_folder_served(tmp_path)


def test_a_demo_and_an_event_never_share_a_folder(tmp_path: Path) -> None:
    installation_folder.use_folder(tmp_path / "one", installation_folder.DEMO_KIND)
    installation_folder.use_folder(tmp_path / "one", installation_folder.DEMO_KIND)
    with pytest.raises(installation_folder.OtherFolderKind, match="holds the demo; it is left as it is"):
        installation_folder.use_folder(tmp_path / "one", installation_folder.EVENT_KIND)
    assert (tmp_path / "one").stat().st_mode & 0o777 == 0o700


def manage(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """manage.py with these settings and no others of ours."""
    own = {name: value for name, value in os.environ.items() if name not in ("VAR_DIR", "DATABASE_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=own | environment, capture_output=True, text=True
    )


def test_the_key_that_is_shown_is_the_one_that_was_made_and_none_is_made_by_showing(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    none = manage("signature_key", "--show", VAR_DIR=data)
    assert (none.returncode, f"No key was made yet in {data}" in none.stderr, none.stdout) == (3, True, "")
    assert not (tmp_path / "data" / "signature_key").exists()
    made = manage("signature_key", VAR_DIR=data)
    shown = manage("signature_key", "--show", VAR_DIR=data)
    assert shown.stdout.split()[1] == (tmp_path / "data" / "signature_key").read_text().strip()
    assert (shown.stdout.split()[0], shown.stderr) == (made.stdout.split()[0], f"of {data}\n")


def test_a_backup_where_no_database_is_says_so_without_a_traceback(tmp_path: Path) -> None:
    done = manage("backup", "create", VAR_DIR=str(tmp_path))
    assert (done.returncode, str(tmp_path) in done.stderr, "Traceback" in done.stderr) == (3, True, False)


def test_the_demo_is_not_played_where_an_event_lies(tmp_path: Path) -> None:
    installation_folder.use_folder(tmp_path / "one", installation_folder.EVENT_KIND)
    done = manage("seed", VAR_DIR=str(tmp_path / "one"))
    assert (done.returncode, "is kept for a real event" in done.stderr) == (3, True)


def test_a_file_of_settings_is_read_as_it_stands_and_what_is_set_wins(tmp_path: Path) -> None:
    settings = tmp_path / "settings"
    data = tmp_path / "data"
    data.mkdir()
    settings.write_text(f"VAR_DIR={data}\nMAIL_FROM=Rummikub <desk@tournament.example>\nMAIL_RATE=3\n")
    (data / "environment").write_text("BACKUP_SECOND_DIR=/media/stick\n")
    asked = "from django.conf import settings as s; print(s.VAR_DIR, s.MAIL_FROM, s.MAIL_RATE, s.BACKUP_SECOND_DIR)"
    done = manage("shell", "-c", asked, ENVIRONMENT_FILE=str(settings), MAIL_RATE="7")
    assert done.stdout.strip().splitlines()[-1] == f"{data} Rummikub <desk@tournament.example> 7 /media/stick"


@pytest.mark.fault("X23")
def test_a_command_of_root_leaves_nothing_that_the_owner_of_the_folder_cannot_read(tmp_path: Path) -> None:
    assert os.geteuid() == 0, "run as root, as the whole suite is"
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, NOBODY, NOBODY)
    # As manage.py does it; the interpreter of this machine may be one that nobody else can read.
    act = "import sys, pathlib; from tournament.core.installation_folder import act_as_owner\n"
    act += "at = pathlib.Path(sys.argv[1]); print(act_as_owner(at)); (at / 'made').touch()"
    for part in data.parents:
        if part.stat().st_mode & 0o005 != 0o005:
            part.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", act, str(data)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "nobody\n"), done.stderr
    assert {path.stat().st_uid for path in data.rglob("*")} == {NOBODY}
    assert installation_folder.act_as_owner(tmp_path) is None


def test_a_line_of_the_log_says_the_zone_of_its_hour(tmp_path: Path) -> None:
    said = "import logging; logging.getLogger('django').warning('a word')"
    done = manage("shell", "-c", said, VAR_DIR=str(tmp_path))
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0800 WARNING django a word$", done.stderr, re.MULTILINE)


def test_a_restored_event_that_nobody_has_served_is_not_hidden_by_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation_folder, "VAR_FOLDER", tmp_path)
    monkeypatch.setattr(installation_folder, "CURRENT_KIND_FILE", tmp_path / "current")
    monkeypatch.delenv("VAR_DIR", raising=False)
    data = tmp_path / "event"
    data.mkdir()
    with closing(sqlite3.connect(data / serving.DATABASE_FILE_NAME)) as database, database:
        database.execute("CREATE TABLE tournament_event (id)")
        database.execute("INSERT INTO tournament_event VALUES (1)")
    with pytest.raises(SystemExit, match="To serve it: make event"):
        serving.begin_data_folder(installation_folder.DEMO_KIND)
    installation_folder.use_folder(data, installation_folder.EVENT_KIND)
    assert serving.begin_data_folder(installation_folder.DEMO_KIND) == tmp_path / "demo"

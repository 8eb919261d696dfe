"""One folder for the server and for every command beside it; root leaves nothing that its owner cannot read."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scripts import serving
from tournament import folder

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534


def chosen(var: Path) -> str:
    """The folder of a command that says nothing."""
    return folder.data_folder({}, var).name


def test_a_command_means_the_folder_of_the_server_that_runs_else_the_last_one_used(tmp_path: Path) -> None:
    demo, event = tmp_path / "demo", tmp_path / "event"
    assert chosen(tmp_path) == "event"
    demo.mkdir()
    event.mkdir()
    folder.write(tmp_path / "current", "demo")
    assert chosen(tmp_path) == "demo"
    with folder.served(event):
        assert chosen(tmp_path) == "event"
        with folder.served(demo), pytest.raises(folder.Ambiguous, match=f"VAR_DIR={event} or VAR_DIR={demo}"):
            chosen(tmp_path)
    assert chosen(tmp_path) == "demo"
    assert folder.data_folder({"VAR_DIR": "/elsewhere"}, tmp_path) == Path("/elsewhere")


def test_one_server_at_a_time_has_a_folder(tmp_path: Path) -> None:
    with folder.served(tmp_path), pytest.raises(BlockingIOError), folder.served(tmp_path):
        pass
    assert not folder.is_served(tmp_path)


def test_a_demo_and_an_event_never_share_a_folder(tmp_path: Path) -> None:
    folder.use(tmp_path / "one", folder.DEMO)
    folder.use(tmp_path / "one", folder.DEMO)
    with pytest.raises(folder.OtherKind, match="holds the demo; it is left as it is"):
        folder.use(tmp_path / "one", folder.EVENT)
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
    folder.use(tmp_path / "one", folder.EVENT)
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


@pytest.mark.fault("O6")
def test_a_command_of_root_leaves_nothing_that_the_owner_of_the_folder_cannot_read(tmp_path: Path) -> None:
    assert os.geteuid() == 0, "run as root, as the whole suite is"
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, NOBODY, NOBODY)
    # As manage.py does it; the interpreter of this machine may be one that nobody else can read.
    act = "import sys, pathlib; from tournament import folder; at = pathlib.Path(sys.argv[1])\n"
    act += "print(folder.act_as_owner(at)); (at / 'made').touch()"
    for part in list(data.parents)[:3]:
        part.chmod(0o755)
    done = subprocess.run([sys.executable, "-c", act, str(data)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "nobody\n"), done.stderr
    assert {path.stat().st_uid for path in data.rglob("*")} == {NOBODY}
    assert folder.act_as_owner(tmp_path) is None


def test_a_restored_event_that_nobody_has_served_is_not_hidden_by_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "VAR", tmp_path)
    monkeypatch.setattr(folder, "CURRENT", tmp_path / "current")
    monkeypatch.delenv("VAR_DIR", raising=False)
    data = tmp_path / "event"
    data.mkdir()
    with closing(sqlite3.connect(data / serving.DATABASE)) as database, database:
        database.execute("CREATE TABLE tournament_event (id)")
        database.execute("INSERT INTO tournament_event VALUES (1)")
    with pytest.raises(SystemExit, match="To serve it: make event"):
        serving.begin(folder.DEMO)
    folder.use(data, folder.EVENT)
    assert serving.begin(folder.DEMO) == tmp_path / "demo"

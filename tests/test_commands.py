"""Every command of README and documents, as it is written there, on what `make demo` has left: a small event's demo in
a copy of the tree. What cannot run here is in a table, with why and what holds it.
"""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import pytest

from scripts.doc_tests import places
from tests.documents import MANAGE, MODULE, NOT_HERE, PYTEST, Elsewhere, documented_commands
from tests.laptops import PATIENCE, Laptop, free_port
from tests.manage_commands import PROGRAM
from tests.small_event import small_fixtures
from tournament.core.installation_folder import KIND_FILE_NAME, SERVING_LOCK_NAME

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parent.parent
DAY = "fixtures/weather/black_rain_between.json"


class Run(NamedTuple):
    """What a command says, what is typed for its words in capitals, and its exit status."""

    says: str
    typed: str = ""
    status: int = 0


# Typed one after another, each in a process of its own, where the demo was ended by Ctrl-C.
ON_THE_DEMO: Mapping[str, Run] = {
    "audit verify": Run("clean"),
    "signature_key": Run("enciphers"),
    "signature_key --show": Run("enciphers"),
    "collectstatic --noinput": Run("static"),
    "migrate": Run("No migrations to apply"),
    'migrate --force --reason "WHY"': Run("No migrations to apply", 'migrate --force --reason "nobody waits"'),
    "public_files": Run("/p/hk-2026/"),
    "create_organiser USER": Run("head may sign in with", "create_organiser head"),
    "token USER": Run("Token 1 of clerk", "token clerk"),
    "axes_reset": Run("No attempts found."),
    "axes_reset_username USER": Run("No attempts found.", "axes_reset_username clerk"),
    "import_entrants FILE": Run("沒有任何改動", "import_entrants fixtures/entrants.xlsx"),
    "read_bounces": Run("MAIL_BOUNCES_BOX names no mailbox", status=1),
    "audit anchor FILE": Run("hk-2026: ", "audit anchor anchors"),
    "backup create": Run(".backup"),
    "backup verify": Run("checked: its seal", "backup verify var/demo/backups/*.backup"),
    "subject NUMBER": Run("Hand them to the person alone", "subject 12"),
    "subject 0012 --event hk-2026": Run("Hand them to the person alone"),
    'erase --entrant hk-2026 0012 --reason "a parent asked by telephone" --do': Run("erased: "),
    "erase EVENT": Run("Nothing was erased. --do erases.", "erase hk-2026"),
    "erase hk-2026": Run("Nothing was erased. --do erases."),
    "erase hk-2026 --do": Run("hk-2026: erased: "),
}
# Typed in a shell, in the copy of the tree, which they leave as it is.
IN_A_SHELL: Mapping[str, Run] = {
    f"VAR_DIR=var/demo {MANAGE}audit verify": Run("clean"),
    "python3 -m scoring": Run("verb: is missing", status=2),
    "python3 -m scoring VERB": Run('"rulesets"', "echo '{}' | python3 -m scoring rulesets"),
    "make help": Run("make demo "),
    "make words": Run(""),
    "make format": Run("All checks passed!"),
    "make figures": Run("functions of complexity over 20"),
    "make third-party": Run(""),
    f"{MODULE}scripts.doc_tests": Run("every test is where it says"),
}
# Served, each after the other: what is typed, and a page that it has then.
SERVED: Mapping[str, tuple[str, str]] = {
    "make demo": ("make demo", "/p/"),
    "make demo HOST=0.0.0.0": ("make demo HOST=0.0.0.0", "/p/"),
    "make demo STAGE=...": ("make demo STAGE=results", "/p/"),
    "make demo EVENT=...": ("make demo EVENT=twist STAGE=seated", "/p/twist/"),
    "make lan": ("make lan", "/p/"),
    "make demo-reset STAGE=...": ("make demo-reset STAGE=imported", "/p/"),
    "make demo-reset STAGE=playing": ("make demo-reset STAGE=playing", "/p/"),
    "make demo-reset STAGE=released": ("make demo-reset STAGE=released", "/p/hk-2026/"),
}
# Each has a test of its own below.
ALONE = {
    f"{MANAGE}signature_key --add",
    f"{MANAGE}restore FILE",
    f"{MANAGE}work",
    f"{MODULE}scripts.observatory FILE",
}


# --- The tables and the documents -----------------------------------------------------------------------------------
def is_of_pytest(command: str) -> bool:
    return command.startswith(PYTEST)


def test_every_command_that_a_document_names_is_tried_here_or_said_to_be_held_elsewhere_and_no_other_is() -> None:
    tables = [
        *([f"{MANAGE}{command}" for command in ON_THE_DEMO], list(IN_A_SHELL), list(SERVED), list(ALONE)),
        *(list(row.commands) for row in NOT_HERE),
    ]
    told = [command for table in tables for command in table]
    assert sorted(told) == sorted(command for command in documented_commands() if not is_of_pytest(command))


@pytest.mark.parametrize("row", NOT_HERE, ids=lambda row: row.held_by)
def test_what_holds_a_command_that_cannot_run_here_is_there(row: Elsewhere) -> None:
    path, _, name = row.held_by.partition("::")
    assert (ROOT / path).is_file()
    assert not name or path in places()[name]


def test_a_command_of_pytest_names_tests_that_are_there() -> None:
    commands = sorted(filter(is_of_pytest, documented_commands()))
    assert len(commands) > 3
    for command in commands:
        words = shlex.split(command.partition(PYTEST)[2])
        path, _, name = words[-1].partition("::")
        if "-k" in words:
            wanted = words[-1].split(" and ")
            assert [one for one in places() if all(word in one for word in wanted)], command
        else:
            assert (ROOT / path).exists(), command
            assert not name or path in places()[name], command


# --- A laptop on which somebody types them --------------------------------------------------------------------------
@dataclass
class Demo(Laptop):
    """A laptop that somebody has typed `make demo` on, or `make lan`."""

    scheme: str = "http"

    def __post_init__(self) -> None:
        """The whole tree, for commands that read or write it, and a small event."""
        super().__post_init__()
        for part in ("tests", "docs", "benchmarks"):
            copytree(ROOT / part, self.home / part)
        for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "requirements-dev.txt"):
            (self.home / path.name).write_bytes(path.read_bytes())
        small_fixtures(self.home / "fixtures")
        for name in ("account", "passing"):
            (self.folder / name).mkdir()

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.port}"

    @property
    def data(self) -> Path:
        return self.home / "var" / "demo"

    @property
    def shell(self) -> dict[str, str]:
        """With a home and a place for passing files in which it can be seen what was left."""
        own = {"HOME": str(self.folder / "account"), "TMPDIR": str(self.folder / "passing")}
        return {**super().shell, **own}

    def serve(self, command: str) -> str:
        """A make command; what it has said when it answers."""
        self.scheme = "https" if command == "make lan" else "http"
        return self.start(command)

    def running(self) -> list[str]:
        """The commands that run in the server's process group."""
        listed = subprocess.run(["ps", "-eo", "pgid=,args="], capture_output=True, text=True, check=True).stdout
        rows = [line.split(maxsplit=1) for line in listed.splitlines()]
        group = str(self.server.pid) if self.server else ""
        return [args for pgid, args in rows if pgid == group and "<defunct>" not in args]

    def interrupt(self) -> list[str]:
        """Ctrl-C, which the whole process group is told; what of it still runs when make has ended."""
        assert self.server is not None
        os.killpg(self.server.pid, signal.SIGINT)
        self.server.wait(PATIENCE)
        outlived = self.running()
        self.end()
        return outlived

    def tree(self) -> dict[Path, tuple[bytes, ...]]:
        """What commands could write in the tree: code, documents, words; a catalogue's entries in any order."""
        return {
            path: tuple(sorted(path.read_bytes().split(b"\n\n"))) if path.suffix == ".po" else (path.read_bytes(),)
            for path in self.home.rglob("*")
            if path.suffix in (".py", ".md", ".po", ".mo") and self.home / "var" not in path.parents
        }

    def snapshot(self) -> dict[str, tuple[int, int]]:
        """Which files the demo has, and when each was written; not the lock and the kind, which each start writes."""
        files = {path.relative_to(self.data).as_posix(): path.stat() for path in self.data.rglob("*") if path.is_file()}
        return {
            name: (told.st_ino, told.st_mtime_ns)
            for name, told in files.items()
            if name not in (KIND_FILE_NAME, SERVING_LOCK_NAME)
        }

    def count(self, question: str) -> int:
        """A number from the demo's database."""
        with closing(sqlite3.connect(self.data / "tournament.sqlite3", timeout=PATIENCE)) as database:
            return int(database.execute(question).fetchone()[0])


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Served, as `make demo` has made it; nothing of it is left when the tests have ended."""
    made = Demo(tmp_path_factory.mktemp("documents"), free_port())
    try:
        made.serve("make demo")
        yield made
    finally:
        made.end()


@pytest.fixture
def served(demo: Demo) -> Demo:
    """The same where another test has ended it: whatever the order of the tests, it answers."""
    if not demo.running():
        demo.serve("make demo")
    return demo


@pytest.fixture
def left(demo: Demo) -> Demo:
    """What `make demo` has left when it was ended."""
    demo.end()
    return demo


# --- Served ---------------------------------------------------------------------------------------------------------
@pytest.mark.long
def test_the_addresses_are_said_when_they_answer_and_listen_on_this_machine_alone(served: Demo) -> None:
    assert f"It answers:\n  http://localhost:{served.port}/        the desk\n" in served.said()
    assert served.status("/p/") == 200
    tables = [Path(f"/proc/net/{name}").read_text(encoding="ascii") for name in ("tcp", "tcp6")]
    assert re.findall(rf": ([0-9A-F]+):{served.port:04X} \S+ 0A ", "\n".join(tables)) == ["0100007F"]


@pytest.mark.long
def test_a_demo_in_use_is_neither_reset_nor_shared_and_its_server_is_named(served: Demo) -> None:
    before = (served.data / "tournament.sqlite3").stat().st_ino
    for command in ("make demo-reset", "make lan", "make demo PORT=8002"):
        done = served.run(command)
        assert done.returncode != 0, command
        assert f"{served.data} is served by make demo (process " in done.stderr, command
        assert f"at http://localhost:{served.port}/; make " in done.stderr, command
    assert (served.data / "tournament.sqlite3").stat().st_ino == before
    assert served.status("/p/") == 200


@pytest.mark.long
def test_ctrl_c_ends_every_process_and_leaves_nothing_outside_the_checkout(served: Demo) -> None:
    assert len(served.running()) > 3
    assert served.interrupt() == []
    assert "Traceback" not in served.said()
    assert [path for name in ("account", "passing") for path in (served.folder / name).rglob("*")] == []


# --- What it has left -----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def answers(demo: Demo) -> dict[str, tuple[int, str]]:
    """Status and words of each of ON_THE_DEMO, by what was typed."""
    demo.end()
    typed = json.dumps([row.typed or command for command, row in ON_THE_DEMO.items()])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=demo.home, env=demo.shell, input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {command: (status, said) for command, (status, said) in json.loads(done.stdout).items()}


@pytest.mark.long
@pytest.mark.parametrize("command", ON_THE_DEMO)
def test_a_command_of_manage_py_does_what_the_documents_say(
    command: str, answers: Mapping[str, tuple[int, str]]
) -> None:
    row = ON_THE_DEMO[command]
    status, said = answers[row.typed or command]
    assert (status, row.says in said, "Traceback" in said) == (row.status, True, False), said


@pytest.mark.long
def test_an_erasure_takes_nothing_that_make_demo_left_for_somebody_s_own_file(
    answers: Mapping[str, tuple[int, str]],
) -> None:
    assert re.findall(r"beside the installation's own (\S+),", answers["erase hk-2026"][1]) == []


@pytest.mark.long
@pytest.mark.parametrize("command", IN_A_SHELL)
def test_a_command_typed_in_a_shell_says_what_it_should_and_leaves_the_tree_as_it_is(command: str, left: Demo) -> None:
    row = IN_A_SHELL[command]
    before = left.tree()
    done = left.run(row.typed or command)
    said = done.stdout + done.stderr
    assert (done.returncode % 256, row.says in said, "Traceback" in said) == (row.status, True, False), said
    assert {path for path, _ in before.items() ^ left.tree().items()} == set()


@pytest.mark.long
def test_a_backup_of_it_is_restored_where_no_event_is_once_the_key_is_brought(left: Demo) -> None:
    made = left.run(f"{MANAGE}backup create")
    sealed = (left.data / "signature_key").read_text(encoding="ascii").strip()
    here = f"VAR_DIR={left.folder / 'second'} {MANAGE}"
    added = left.run(f"{here}signature_key --add", typed=f"{sealed}\n")
    assert (added.returncode, "added: " in added.stdout) == (0, True), added.stderr
    restored = left.run(f"{here}restore {made.stdout.strip()}")
    assert (restored.returncode, "restored as it was at" in restored.stdout) == (0, True), restored.stderr


def ended_by_ctrl_c(left: Demo, command: str, is_ready: Callable[[], bool]) -> tuple[int, str]:
    """Begin, wait until it is ready, Ctrl-C: its exit status and all that it has said."""
    out = left.folder / "alone.txt"
    with out.open("w", encoding="utf-8") as said:
        process = subprocess.Popen(
            shlex.split(command), cwd=left.home, env=left.shell, stdout=said, stderr=said, start_new_session=True
        )
    until = time.monotonic() + PATIENCE
    try:
        while not is_ready() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        ready = is_ready()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert ready, out.read_text(encoding="utf-8")
    return process.returncode, out.read_text(encoding="utf-8")


@pytest.mark.long
def test_a_worker_signs_in_and_out_again_by_ctrl_c(left: Demo) -> None:
    signs = "SELECT count(*) FROM tournament_worker"
    before = left.count(signs)
    status, said = ended_by_ctrl_c(left, f"{MANAGE}work", lambda: left.count(signs) > before)
    assert (status, "Traceback" in said, left.count(signs)) == (0, False, before), said


@pytest.mark.long
def test_a_day_of_rain_is_served_until_ctrl_c(left: Demo) -> None:
    address = f"http://127.0.0.1:{(port := free_port())}/"

    def answers() -> bool:
        try:
            with urllib.request.urlopen(address, timeout=10) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False

    status, said = ended_by_ctrl_c(left, f"{MODULE}scripts.observatory {DAY} --port {port}", answers)
    assert (status, f"OBSERVATORY_URL={address}" in said, "Traceback" in said) == (0, True, False), said


# --- Served again, and reset ----------------------------------------------------------------------------------------
@pytest.mark.long
def test_a_reset_that_ctrl_c_ends_while_it_plays_leaves_the_demo_as_it_was(left: Demo) -> None:
    before = left.snapshot()
    left.begin("make demo-reset STAGE=released")
    until = time.monotonic() + PATIENCE
    while "Playing the event up to: released ...\n" not in left.said() and time.monotonic() < until:
        time.sleep(0.1)
    assert left.interrupt() == []
    assert "\nStopped before anything was served.\n" in left.said()
    assert "Traceback" not in left.said()
    assert left.snapshot() == before


@pytest.mark.long
@pytest.mark.parametrize("command", SERVED)
def test_a_command_that_serves_answers_and_ends_by_ctrl_c_with_all_that_it_started(command: str, left: Demo) -> None:
    typed, page = SERVED[command]
    said = left.serve(typed)
    assert left.status(page) == 200
    everybody = "Everybody in this network can open it and sign in with the passwords above"
    assert (everybody in said) == (command in ("make lan", "make demo HOST=0.0.0.0"))
    assert left.interrupt() == []
    assert "Traceback" not in left.said()

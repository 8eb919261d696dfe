"""What serves on a laptop is known by its own process, is begun again when it ends, and ends with its parent."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from scripts.restarting import answers_first_page, listens_at
from tests.laptops import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import os, sys
from pathlib import Path
from scripts.restarting import RestartingProcesses
first, then = sys.argv[1:]
commands = {"front": [sys.executable, "-c", first], "worker": [sys.executable, "-c", "import time; time.sleep(600)"]}
watched = RestartingProcesses(commands, dict(os.environ), Path.cwd())
watched.watch(lambda process: then == "answers", lambda: print("ready", flush=True))
"""


def test_it_is_the_process_that_listens_and_no_other() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        assert not listens_at(os.getpid(), port)
        listener.listen()
        assert listens_at(os.getpid(), port)
        assert not listens_at(os.getppid(), port)


def test_where_nobody_listens_no_page_answers() -> None:
    assert not answers_first_page("127.0.0.1", free_port(), https=False)


def test_one_that_ends_before_it_answers_ends_all_and_is_named() -> None:
    command = [sys.executable, "-c", PROGRAM, "raise SystemExit(3)", "never answers"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "front ended (3) before anything was served.\n"


def test_one_that_ends_later_is_begun_again_and_all_end_when_they_are_told(tmp_path: Path) -> None:
    first = (
        f"import pathlib, time; at = pathlib.Path({str(tmp_path)!r}); (at / str(time.time())).touch(); time.sleep(1)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, first, "answers"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    assert lines == ["ready\n", "front ended (0); it is begun again.\n"]
    process.terminate()
    process.stdout.close()
    assert process.wait(60) == 0

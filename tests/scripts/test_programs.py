"""Nothing that a command of the house started outlives it, neither what ignores Ctrl-C nor what has its own session."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A suite that ignores being asked, and a server that it started in a session of its own.
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print(server.pid, flush=True)
time.sleep(600)
"""
COMMAND = f"""
import os, sys
from pathlib import Path
from scripts import programs
programs.SECONDS_TO_END = 0.5
with programs.no_program_outlives() as own:
    programs.run_shown([sys.executable, "-c", {STUBBORN!r}], Path(sys.argv[1]), {{**os.environ, **own}}, Path.cwd())
"""


def test_what_ignores_being_interrupted_ends_with_the_command_and_so_does_what_it_started(tmp_path: Path) -> None:
    command = subprocess.Popen([sys.executable, "-c", COMMAND, str(tmp_path / "log")], cwd=ROOT, stdout=subprocess.PIPE)
    assert command.stdout is not None
    server = int(command.stdout.readline())
    assert Path(f"/proc/{server}").exists()
    command.send_signal(signal.SIGINT)
    command.wait(timeout=30)
    assert not is_running(server)


def is_running(process: int) -> bool:
    """Whether it goes on; one that ended and that nobody has asked about is a zombie."""
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rpartition(") ")[2][0] != "Z"


def test_without_the_guard_a_server_of_its_own_session_goes_on(tmp_path: Path) -> None:
    command = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    assert command.stdout is not None
    server = int(command.stdout.readline())
    command.terminate()
    command.wait(timeout=30)
    time.sleep(0.2)
    assert is_running(server)
    os.kill(server, signal.SIGKILL)


def test_what_a_program_prints_is_shown_and_kept(tmp_path: Path) -> None:
    program = f"""
import os, sys
from pathlib import Path
from scripts import programs
said = [sys.executable, "-c", "print('拉密'); raise SystemExit(3)"]
print(programs.run_shown(said, Path({str(tmp_path / "log")!r}), os.environ, Path.cwd()))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["拉密", "3"]
    assert (tmp_path / "log").read_text().split() == ["拉密"]

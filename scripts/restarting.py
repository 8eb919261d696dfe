"""Processes that are begun again when they end, until the one that started them ends: what serves on a laptop."""

import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from types import FrameType

RESTART_DELAY = 1.0
STOP_TIMEOUT = 12.0
LISTENING_STATE = "0A"
FIRST_PAGE = "/sign-in/"


class RestartingProcesses:
    """By their names; the first is the one that listens. All end with this process even when it is killed."""

    def __init__(self, commands: Mapping[str, Sequence[str]], env: dict[str, str], folder: Path) -> None:
        bound = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
        self.commands = {name: [*bound, *command] for name, command in commands.items()}
        self.env, self.folder = env, folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.stopping = False

    def watch(self, answers: Callable[[int], bool], ready: Callable[[], None]) -> None:
        """Start all; call `ready` once `answers` is true of the first one's process number; begin again what ends.

        SIGTERM and Ctrl-C end it; SIGHUP begins the program anew. SystemExit where one ends before it answers.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        signal.signal(signal.SIGHUP, self.pass_on)
        try:
            self.running = {name: self.start(name) for name in self.commands}
            self.wait_until(answers)
            if not self.stopping:
                ready()
            while not self.stopping:
                time.sleep(RESTART_DELAY / 2)
                self.begin_ended_again()
        finally:
            self.end()

    def wait_until(self, answers: Callable[[int], bool]) -> None:
        """Until the first one answers."""
        first = next(iter(self.running.values()))
        while not self.stopping and not answers(first.pid):
            for name in self.ended():
                sys.exit(f"{name} ended ({self.running[name].returncode}) before anything was served.")
            time.sleep(RESTART_DELAY / 10)

    def ended(self) -> list[str]:
        """Those that run no more, unless all are to end."""
        return [name for name, process in self.running.items() if process.poll() is not None and not self.stopping]

    def begin_ended_again(self) -> None:
        for name in self.ended():
            print(f"{name} ended ({self.running[name].returncode}); it is begun again.", flush=True)
            time.sleep(RESTART_DELAY)
            self.running[name] = self.start(name)

    def start(self, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.commands[name], cwd=self.folder, env=self.env)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """The signal handler that ends the loop of `watch`."""
        self.stopping = True

    def pass_on(self, number: int, _frame: FrameType | None) -> None:
        """Let the program read its code again; the front stays."""
        for process in self.running.values():
            process.send_signal(signal.SIGTERM if "manage.py" in process.args else number)  # type: ignore[operator]

    def end(self) -> None:
        """End all, the front last."""
        for process in reversed(self.running.values()):
            process.terminate()
        until = time.monotonic() + STOP_TIMEOUT
        for process in self.running.values():
            try:
                process.wait(max(until - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def listens_at(process: int, port: int) -> bool:
    """Whether it is this process that listens at the port, and not another program."""
    sockets = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(FileNotFoundError):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            sockets |= {f"socket:[{row[9]}]" for row in rows if row[3] == LISTENING_STATE and ends_with(row[1], port)}
    with suppress(OSError):
        return any(os.readlink(path) in sockets for path in Path(f"/proc/{process}/fd").iterdir())
    return False


def ends_with(address: str, port: int) -> bool:
    """Whether a local address of /proc/net/tcp, `0100007F:1F40`, has this port."""
    return int(address.rpartition(":")[2], 16) == port


def answers_first_page(host: str, port: int, https: bool) -> bool:
    """Whether a person who opens the address sees a page; whose certificate it is does not matter here."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    address = f"{'https' if https else 'http'}://{host}:{port}{FIRST_PAGE}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    with suppress(OSError), opener.open(address, timeout=5) as reply:
        return bool(reply.status == HTTPStatus.OK)
    return False

"""What a mailing needs besides the database: a mail server that fails, Redis, and workers that can be killed whole."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tests.reliability.server import ROOT, free_port

CELERY = (sys.executable, "-m", "celery", "--quiet", "-A", "tournament")
# Nothing that takes seconds in a hall takes seconds here. A killed worker's mailing is free after three.
QUICK = {"MAIL_TIMEOUT": "5", "MAIL_RETRY_AFTER": "0.2", "MAIL_STALE_AFTER": "3"}


class Process:
    """A process group of its own; `errors` has what it says."""

    def __init__(self, command: tuple[str, ...], environment: Mapping[str, str], errors: Path) -> None:
        self.command, self.environment, self.errors = command, {**os.environ, **environment}, errors
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start; it is not waited for."""
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
            )

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End all of the group, children and all; gone when this returns."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.wait()
        self.process = None


class Post:
    """The mail server as a process: what it said yes to is in its folder."""

    def __init__(self, folder: Path, seed: int, *, slow: bool = False) -> None:
        self.folder, self.port = folder / "taken", free_port()
        self.folder.mkdir()
        command = (sys.executable, "-m", "tests.reliability.mail_server", str(self.port), str(seed), str(self.folder))
        command += ("slow",) if slow else ()
        self.process = Process(command, {}, folder / "post.log")

    @property
    def environment(self) -> dict[str, str]:
        return {"EMAIL_URL": f"smtp://127.0.0.1:{self.port}", "MAIL_FROM": "desk@tournament.example", **QUICK}

    def taken(self) -> list[Path]:
        """The mails it said yes to, in order."""
        return sorted(path for path in self.folder.iterdir() if path.name != "part")


class Redis:
    """Debian's own, which keeps nothing: restarted it has forgotten every message."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        found = shutil.which("redis-server") or "/usr/bin/redis-server"
        options = ("--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder))
        self.process = Process((found, *options), {}, folder / "redis.log")

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """It answers after a moment; whoever wants it tries again."""
        self.process.start()

    def restart(self) -> None:
        """All that it held is lost."""
        self.process.kill()
        time.sleep(0.5)
        self.process.start()


class Workers:
    """Whoever sends: `manage.py work`, a Celery worker with its beat, or the careless sender."""

    def __init__(self, processes: list[Process], helpers: list[Process], redis: Redis | None = None) -> None:
        self.processes, self.helpers, self.redis = processes, helpers, redis

    def start(self) -> None:
        for one in (*self.helpers, *self.processes):
            one.start()

    def kill_and_start(self) -> None:
        """SIGKILL to every process of the worker at once; another takes its place. Beat and broker live on."""
        for one in self.processes:
            one.kill()
        for one in self.processes:
            one.start()

    def end(self) -> None:
        for one in (*self.processes, *self.helpers):
            one.kill()
        if self.redis:
            self.redis.process.kill()


def without_broker(folder: Path, environment: Mapping[str, str]) -> Workers:
    """`manage.py work`, as beside a demo."""
    command = (sys.executable, "manage.py", "work")
    return Workers([Process(command, {**environment, "REDIS_URL": ""}, folder / "work.log")], [])


def with_broker(folder: Path, environment: Mapping[str, str]) -> Workers:
    """A Celery worker of two processes and beat, over a Redis of their own."""
    redis = Redis(folder)
    redis.start()
    own = {**environment, "REDIS_URL": redis.url, "C_FORCE_ROOT": "1"}
    worker = (*CELERY, "worker", "--concurrency", "2", "--loglevel", "WARNING", "--without-gossip", "--without-mingle")
    beat = (*CELERY, "beat", "--loglevel", "WARNING", "--schedule", str(folder / "beat"), "--pidfile", "")
    return Workers([Process(worker, own, folder / "worker.log")], [Process(beat, own, folder / "beat.log")], redis)


def careless(folder: Path, environment: Mapping[str, str]) -> Workers:
    command = (sys.executable, "-m", "tests.reliability.naive_mail")
    return Workers([Process(command, environment, folder / "naive.log")], [])


def unasking(folder: Path, environment: Mapping[str, str]) -> Workers:
    """The control of the last word."""
    command = (sys.executable, "-m", "tests.reliability.naive_words")
    return Workers([Process(command, {**environment, "REDIS_URL": ""}, folder / "naive.log")], [])


Hands = Callable[[Path, Mapping[str, str]], Workers]

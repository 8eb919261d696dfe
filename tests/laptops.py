"""Laptops with a copy of the program each: commands typed in its folder, its server, and what its pages say."""

import html
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("tournament", "scoring", "templates", "scripts", "fixtures", "deploy")
FILES = ("Makefile", "manage.py", "requirements.txt")
PATIENCE = 900
# What a person's shell has not, and a test's has.
OURS = ("VAR_DIR", "DATABASE_URL", "DJANGO_SETTINGS_MODULE", "BACKUP_DIR", "SECRET_KEY", "SIGNATURE_KEY", "HTTPS")


def free_port() -> int:
    """One that nobody in the network listens at."""
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        return int(probe.getsockname()[1])


@dataclass
class Laptop:
    """The program in `folder`/rummikub, as if it had just been cloned there; one server at a time."""

    folder: Path
    port: int
    typed: list[str] = field(default_factory=list)
    server: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        self.home = self.folder / "rummikub"
        self.home.mkdir(parents=True)
        for part in PARTS:
            copytree(ROOT / part, self.home / part)
        for name in FILES:
            (self.home / name).write_bytes((ROOT / name).read_bytes())
        # What `make runtime` makes is there; nothing is installed in a test.
        self.home.joinpath("scripts", "set_up.sh").write_text("exit 0\n", encoding="utf-8")
        (self.home / ".venv").symlink_to(Path(sys.prefix))

    @property
    def shell(self) -> dict[str, str]:
        """The environment of somebody who sits down at it."""
        return {name: value for name, value in os.environ.items() if name not in OURS}

    def run(self, command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """One command, typed in the program's folder as it is written."""
        self.typed.append(command)
        return subprocess.run(
            command, shell=True, cwd=self.home, env=self.shell, input=typed, capture_output=True, text=True
        )

    def said(self) -> str:
        """What the server has said up to now."""
        return (self.folder / "said.txt").read_text(encoding="utf-8")

    def begin(self, command: str, more: Mapping[str, str] | None = None) -> None:
        """A make command that serves at this laptop's port."""
        self.typed.append(command)
        own = {**self.shell, **(more or {})}
        with (self.folder / "said.txt").open("w", encoding="utf-8") as out:
            self.server = subprocess.Popen(
                f"exec {command} PORT={self.port}",
                **{"shell": True, "cwd": self.home, "env": own, "start_new_session": True},
                **{"stdout": out, "stderr": out, "text": True},
            )

    def start(self, command: str, more: Mapping[str, str] | None = None) -> str:
        """The same; what it has said when it answers."""
        self.begin(command, more)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.server is not None and self.server.poll() is None:
            if "Stop with Ctrl-C" in (text := self.said()):
                assert self.status("/sign-in/") == 200
                return text
            time.sleep(0.2)
        raise AssertionError(self.said())

    def die(self) -> None:
        """Its battery: nothing is said goodbye to."""
        self.end(signal.SIGKILL)

    def end(self, how: int = signal.SIGTERM) -> None:
        """Ends the whole process group: server, front and worker."""
        if self.server is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.server.pid, how)
            self.server.wait()
            self.server = None
            self.wait_for_silence()

    def wait_for_silence(self) -> None:
        """Until nobody listens at the port any more."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.status("/sign-in/") != 0:
            time.sleep(0.1)

    def status(self, path: str) -> int:
        """What an address answers to a program that trusts the authority; 0 where nobody does."""
        try:
            is_https = self.url.startswith("https:")
            context = ssl.create_default_context(cafile=str(self.authority)) if is_https else None
            with urllib.request.urlopen(self.url + path, context=context, timeout=10) as reply:
                return int(reply.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def data(self) -> Path:
        """Where an event's data lies."""
        return self.home / "var" / "event"

    @property
    def authority(self) -> Path:
        """What a tablet is to trust."""
        return self.data / "lan" / "authority.crt"

    def python(self, code: str, *arguments: str) -> str:
        """A program of ours on the data of this laptop, with the tests' own ways of making people."""
        own = {**self.shell, "VAR_DIR": str(self.data), "DJANGO_SETTINGS_MODULE": "tournament.settings"}
        program = f"import django; django.setup()\n{code}"
        command = [sys.executable, "-c", program, *arguments]
        done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def counts(self) -> dict[str, int]:
        """What is to come back: how many of each."""
        return dict(json.loads(self.python(COUNTS)))


COUNTS = """
import json
from tournament.models import AuditEntry, Entrant, Event, Table
found = {"events": Event, "entrants": Entrant, "tables": Table, "entries": AuditEntry}
print(json.dumps({name: model.objects.count() for name, model in found.items()}))
"""

# An event in play: seats confirmed, the first referee with a PIN at the first two tables.
WORLD = """
from tests.recorded import recorded
from tests.reliability.world import PASSWORD, make_world
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.devices.services import pins
from tournament.tables.models import Table
world = make_world(tables=2)
referee = accounts.create_account(world.event, "referee01", PASSWORD, "referee01", [Role.REFEREE])
pins.set_pin(world.event, referee, pin="7301", by=world.organiser)
with recorded(world.event):
    Table.objects.filter(session=world.session).update(referee=referee)
"""


def commands_of(page: str) -> list[str]:
    """What a page tells somebody to type, in its order."""
    return [html.unescape(text).strip() for text in re.findall(r"<code>([^<]*)</code>", page)]


def only(commands: Sequence[str], words: str) -> str:
    """The one command with these words in it."""
    [found] = [command for command in commands if words in command]
    return found

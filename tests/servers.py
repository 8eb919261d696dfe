"""A server as deploy/README.md sets it up, in a folder. `sudo` and `systemctl` are of here, all else is the machine's.

`systemctl` starts what a unit of deploy/ says, with the settings that it names, in this folder in place of
/opt/tournament and at a port of its own in place of 8000.
"""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests.laptops import FILES, OURS, PARTS, PATIENCE, ROOT, free_port

HOST = "tournament.example"
SUDO = '#!/bin/sh\nexec "$@"\n'
SYSTEMCTL = """#!{python}
import os, signal, subprocess, sys, time
from pathlib import Path

home, units = Path("{home}"), Path("{units}")

def stop(name):
    try:
        pid = int((units / name).read_text())
        os.kill(pid, signal.SIGTERM)
        while Path(f"/proc/{{pid}}/stat").exists() and Path(f"/proc/{{pid}}/stat").read_text().split(") ")[1][0] != "Z":
            time.sleep(0.05)
    except (FileNotFoundError, ProcessLookupError):
        pass

def start(name):
    lines = (home / "deploy" / f"{{name}}.service").read_text().splitlines()
    said = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    here = {{key: text.replace("/opt/tournament", str(home)).replace("/etc/tournament", "{etc}")
            for key, text in said.items()}}
    own = Path(here["EnvironmentFile"]).read_text().splitlines()
    env = {{**os.environ, **dict(line.split("=", 1) for line in own if line and not line.startswith("#"))}}
    command = here["ExecStart"].replace(":8000 ", ":{port} ").split()
    with open(units / f"{{name}}.log", "ab") as log:
        one = subprocess.Popen(command, cwd=here["WorkingDirectory"], env=env, stdout=log, stderr=log,
                               stdin=subprocess.DEVNULL, start_new_session=True)
    (units / name).write_text(str(one.pid))

for name in sys.argv[2:]:
    {{"start": start, "stop": stop}}[sys.argv[1]](name)
"""


@dataclass
class Server:
    """The program cloned into `folder`/opt from `folder`/published, where its makers put new versions."""

    folder: Path

    def __post_init__(self) -> None:
        self.port = free_port()
        self.published, self.home = self.folder / "published", self.folder / "opt"
        self.data, self.etc, self.units = (self.folder / name for name in ("data", "etc", "units"))
        for made in (self.published, self.data, self.etc, self.units, self.folder / "bin"):
            made.mkdir(parents=True)
        for part in PARTS:
            copytree(ROOT / part, self.published / part, ignore=ignore_patterns("__pycache__"))
        for name in FILES:
            (self.published / name).write_bytes((ROOT / name).read_bytes())
        # What `make runtime` makes is there; nothing is installed in a test.
        self.published.joinpath("scripts", "set_up.sh").write_text("exit 0\n", encoding="utf-8")
        settings = (ROOT / "deploy" / "environment.example").read_text(encoding="utf-8")
        (self.etc / "environment").write_text(self.filled_in(settings), encoding="utf-8")
        facts = {"home": self.home, "units": self.units, "etc": self.etc, "port": self.port, "python": sys.executable}
        for name, text in (("sudo", SUDO), ("systemctl", SYSTEMCTL.format(**facts))):
            (self.folder / "bin" / name).write_text(text, encoding="utf-8")
            (self.folder / "bin" / name).chmod(0o755)

    def filled_in(self, settings: str) -> str:
        """The example, as somebody has filled it in who has SQLite and neither Redis nor a mail server."""
        own = {
            "SECRET_KEY": "s" * 64,
            "VAR_DIR": str(self.data),
            "REDIS_URL": "",
            "EMAIL_URL": "",
            "BACKUP_MINUTES": "0",
        }
        own |= {"DATABASE_URL": f"sqlite:///{self.data}/tournament.sqlite3", "OBSERVATORY_URL": ""}
        lines = [line for line in settings.splitlines() if line.partition("=")[0] not in own]
        return "\n".join([*lines, *(f"{name}={text}" for name, text in own.items())]) + "\n"

    def publish(self, *, subject: str) -> None:
        """A version of the program, where `git pull` finds it."""
        git = "git -c user.name=maker -c user.email=maker@tournament.example"
        for line in ("git init --quiet --initial-branch main", "git add --all", f"{git} commit --quiet -m '{subject}'"):
            subprocess.run(line, shell=True, cwd=self.published, check=True)

    def install(self) -> None:
        """As the first steps of deploy/README.md leave it."""
        subprocess.run(["git", "clone", "--quiet", str(self.published), str(self.home)], check=True)
        (self.home / ".venv").symlink_to(Path(sys.prefix))

    def run(self, command: str) -> str:
        """One command, typed in the program's folder as it is written; what it printed."""
        own = {name: text for name, text in os.environ.items() if name not in OURS}
        own |= {"PATH": f"{self.folder / 'bin'}:{own['PATH']}", "ENVIRONMENT_FILE": str(self.etc / "environment")}
        done = subprocess.run(command, shell=True, cwd=self.home, env=own, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def ask(self, path: str) -> tuple[int, str]:
        """What the program answers to whom nginx lets through by https."""
        heads = {"Host": HOST, "X-Forwarded-Proto": "https", "Accept-Language": "en"}
        try:
            asked = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=heads)
            with urllib.request.urlopen(asked, timeout=20) as reply:
                return int(reply.status), reply.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as refused:
            return refused.code, ""
        except OSError:
            return 0, ""

    def wait(self) -> None:
        """Waits until it answers; AssertionError with its logs where it never does."""
        until = time.monotonic() + PATIENCE
        while self.ask("/sign-in/")[0] != 200:
            logs = "".join(path.read_text() for path in self.units.glob("*.log"))
            assert time.monotonic() < until, logs
            time.sleep(0.2)

    def page(self, path: str) -> str:
        """A page that answers, and each static file that it names with it."""
        status, text = self.ask(path)
        assert status == 200, path
        named = re.findall(r'(?:href|src)="(/static/[^"]+)"', text)
        assert named, path
        assert {name: self.ask(name)[0] for name in named} == dict.fromkeys(named, 200)
        return text

"""deploy/ begun for real, beside a PostgreSQL whose first start was `first_start.sh` and a Redis: what the containers
run, then what each unit starts. The program's folder is read only meanwhile, as ProtectSystem=strict has it."""

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from scripts import postgres_cluster
from tests.laptops import OURS
from tests.reliability.mail_workers import Process, Redis
from tests.reliability.server import ROOT, free_port
from tests.test_deploy import DEPLOY, HOME, said_by, services

PATIENCE = 120
HEADS = {"Host": "tournament.example", "X-Forwarded-Proto": "https"}
OWN = {
    "SECRET_KEY": "s" * 64,
    "ALLOWED_HOSTS": "tournament.example",
    "CSRF_TRUSTED_ORIGINS": "https://tournament.example",
    "SITE_URL": "https://tournament.example",
    "DATABASE_PASSWORD": "secret",
    "OBSERVATORY_URL": "",
}
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
SIGNS, NO_SIGNS = "SELECT count(*) FROM tournament_worker", "DELETE FROM tournament_worker"


def unshared() -> list[str]:
    """What comes before a command to which the program's folder is read only; nothing where that is not allowed."""
    shield = ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY, str(ROOT)]
    return shield if subprocess.run([*shield, "true"], capture_output=True).returncode == 0 else []


class Installation:
    """A database, a broker, a folder for the data, and what was begun beside them."""

    def __init__(self, folder: Path, database: postgres_cluster.Cluster) -> None:
        self.folder, self.database, self.port = folder, database, free_port()
        self.data, self.redis = folder / "data", Redis(folder)
        self.data.mkdir()
        self.shield = unshared()
        self.begun: dict[str, Process] = {}
        self.redis.start()

    def url(self, role: str) -> str:
        """Of the database, for one who signs in."""
        return f"postgres://{role}:secret@127.0.0.1:{self.database.port}/tournament"

    def environment(self, settings: Mapping[str, str | None], role: str = "tournament", **own: str) -> dict[str, str]:
        """These settings and nothing of a test's; what compose.yaml leaves open, filled in."""

        def filled(text: str) -> str:
            return re.sub(r"\$\{(\w+):(?:\?|-([^}]*))\}", lambda found: OWN.get(found[1], found[2] or ""), text)

        said = {name: filled(text) for name, text in settings.items() if text is not None}
        shell = {name: text for name, text in os.environ.items() if name not in {*OURS, *read_otherwise()}}
        here = {"DATABASE_URL": self.url(role), "REDIS_URL": self.redis.url, "EMAIL_URL": "", "VAR_DIR": str(self.data)}
        path = {"PATH": f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}", "C_FORCE_ROOT": "1"}
        return {
            **shell,
            **said,
            **{name: OWN[name] for name in ("SECRET_KEY", "OBSERVATORY_URL")},
            **here,
            **path,
            **own,
        }

    def command(self, line: str) -> list[str]:
        """As it is written, in this folder and at a port of its own."""
        for written, here in ((f"{HOME}/.venv", sys.prefix), (HOME, str(ROOT)), ("0.0.0.0:8000", "127.0.0.1:8000")):
            line = line.replace(written, here)
        return [*self.shield, *shlex.split(line.replace(":8000", f":{self.port}"))]

    def begin(self, name: str, line: str, environment: Mapping[str, str]) -> None:
        """Start; what it says goes into its log."""
        one = Process(tuple(self.command(line)), {}, self.folder / f"{name}.log")
        one.environment = dict(environment)
        one.start()
        self.begun[name] = one

    def end(self) -> None:
        """Nothing is left running, and no worker's sign of life."""
        for one in self.begun.values():
            one.kill()
        self.begun = {}
        self.asked("-c", NO_SIGNS)

    def asked(self, *said: str) -> str:
        """What the database answers its superuser."""
        line = ["psql", "-X", "-q", "-A", "-t", "-h", "127.0.0.1", "-p", str(self.database.port), "-U", "postgres"]
        done = subprocess.run([*line, "-d", "tournament", *said], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def run(self, line: str, environment: Mapping[str, str]) -> None:
        """A command that ends, and well."""
        done = subprocess.run(self.command(line), cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    def serves(self) -> bool:
        """Whether the sign-in page is answered as to nginx."""
        asked = Request(f"http://127.0.0.1:{self.port}/sign-in/", headers=HEADS)
        with suppress(OSError), urlopen(asked, timeout=20) as reply:
            return int(reply.status) == 200
        return False

    def works(self) -> bool:
        """Whether a worker has said that it is there."""
        return self.asked("-c", SIGNS) != "0"

    def wait(self, what: str) -> None:
        """Until it `serves` or `works`; nothing that was begun has ended."""
        until = time.monotonic() + PATIENCE
        while not getattr(self, what)():
            ended = {name for name, one in self.begun.items() if one.process and one.process.poll() is not None}
            assert time.monotonic() < until and not ended, (what, ended, self.logs())
            time.sleep(0.3)

    def logs(self) -> str:
        return "\n".join(f"{path.name}: {path.read_text()[-3000:]}" for path in self.folder.glob("*.log"))


def read_otherwise() -> set[str]:
    """Settings that this run of the tests may have."""
    return {*services()["web"]["environment"], "DEBUG", "PLAIN_STATIC", "ENVIRONMENT_FILE"}


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """Its database has had its first start and no more."""
    with postgres_cluster.running_cluster() as database:
        one = Installation(tmp_path, database)
        reached = {"PGHOST": "127.0.0.1", "PGPORT": str(database.port), "DATABASE_PASSWORD": "secret"}
        subprocess.run(["sh", str(DEPLOY / "first_start.sh")], env={**os.environ, **reached}, check=True)
        yield one
        one.end()
        one.redis.process.kill()


def example() -> dict[str, str]:
    lines = (DEPLOY / "environment.example").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def started_by(unit: str) -> str:
    return said_by(DEPLOY / f"{unit}.service")["ExecStart"]


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_a_container_and_a_unit_start_the_same(name: str) -> None:
    assert started_by(f"tournament-{name}") == f"{HOME}/.venv/bin/{services()[name]['command']}"


@pytest.mark.long
@pytest.mark.fault("X26")
@pytest.mark.fault("X21")
def test_what_containers_run_and_units_start_serves_works_and_backs_up(installation: Installation) -> None:
    web = services()["web"]
    installation.begin("web", web["command"], installation.environment(web["environment"]))
    installation.wait("serves")
    health = shlex.join(web["healthcheck"]["test"][1:])
    installation.run(health.replace("8000", str(installation.port)), installation.environment({}))
    installation.end()

    for role in ("owner", "app"):
        installation.asked("-f", str(DEPLOY / "roles.sql"), "-c", f"ALTER ROLE tournament_{role} PASSWORD 'secret'")
    settings = installation.environment(example(), "tournament_app", BACKUP_MINUTES="0")
    owner = installation.environment(example(), "tournament_owner")
    installation.run(f"{HOME}/.venv/bin/python manage.py signature_key", owner)
    for unit in ("tournament", "tournament-worker", "tournament-beat"):
        installation.begin(unit, started_by(unit), settings)
    installation.wait("serves")
    installation.wait("works")
    installation.end()
    installation.begin("tournament-work", started_by("tournament-work"), {**settings, "REDIS_URL": ""})
    installation.wait("works")
    installation.run(started_by("tournament-backup"), owner)
    assert [path.name for path in installation.data.glob("backups/*") if path.is_file()] != []

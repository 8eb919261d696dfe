"""What deploy/ ships fits the program: its role in PostgreSQL, and every command, path, setting and file that units,
containers and the guide name."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from celery.bin.celery import celery
from django.core.management import get_commands, load_command_class
from gunicorn.config import Config

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
GUIDE = (DEPLOY / "README.md").read_text(encoding="utf-8")
START = "first_start.sh"
UNITS = sorted(DEPLOY.glob("*.service"))
HOME, DATA = "/opt/tournament", "/var/lib/tournament"
# How the program reads a setting by its name.
READ = re.compile(
    r"""(?:\benv(?:\.\w+)?\(|environ\.get\(|environment\.get\(|ENVIRONMENT_FILE_VARIABLE = )\s*"([A-Z_]+)\""""
)
# Of the developer, and of the image itself.
NOT_OF_AN_INSTALLATION = {"DEBUG", "PLAIN_STATIC", "VAR_DIR", "ENVIRONMENT_FILE"}


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return found


def role_of_program(name: str) -> str | None:
    """As whom a service signs in, which knows no superuser's password."""
    given = services()[name]["environment"]
    assert "SUPERUSER_PASSWORD" not in str(given)
    return urlsplit(re.sub(r"\$\{[^}]*\}", "x", given["DATABASE_URL"])).username


@pytest.mark.fault("X21")
def test_the_program_is_no_superuser_of_the_database_that_ships_with_it() -> None:
    superuser = services()["database"]["environment"].get("POSTGRES_USER", "postgres")
    roles = {role_of_program(name) for name in ("web", "worker", "beat")}
    assert (superuser, roles) == ("postgres", {"tournament"})


@pytest.mark.fault("X21")
def test_the_first_start_makes_that_role_without_any_right_beyond_its_database() -> None:
    mounted = [place for place in services()["database"]["volumes"] if START in place]
    assert mounted == [f"./{START}:/docker-entrypoint-initdb.d/{START}:ro"]
    made = re.findall(r"CREATE ROLE (\w+) ([^;]*) PASSWORD", (DEPLOY / START).read_text(encoding="utf-8"))
    assert [(name, set(rights.split())) for name, rights in made] == [
        ("tournament", {"LOGIN", "CREATEDB", "NOSUPERUSER", "NOCREATEROLE", "NOREPLICATION"})
    ]


@pytest.mark.fault("X21")
def test_no_role_of_a_database_that_is_there_already_is_a_superuser_and_the_auditor_reads_no_door() -> None:
    text = (DEPLOY / "roles.sql").read_text(encoding="utf-8")
    assert re.findall(r"CREATE ROLE %I ([A-Z ]+)'", text) == ["LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION"]
    [revoked] = re.findall(r"REVOKE SELECT ON ([^;]*?)\s+FROM tournament_auditor", text)
    doors = {"tournament_refereepin", "tournament_invitation", "tournament_person", "tournament_apitoken"}
    assert doors <= set(re.split(r",\s*", revoked))


# --- Commands -------------------------------------------------------------------------------------------
def said_by(unit: Path) -> dict[str, str]:
    """A unit's lines by their keys."""
    lines = unit.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def commands_of_containers() -> Iterator[str]:
    """Each command of the program's own containers, one by one."""
    for name in ("web", "worker", "beat"):
        whole = shlex.split(services()[name]["command"])
        inner = whole[2] if whole[:2] == ["sh", "-c"] else shlex.join(whole)
        yield from (part.strip().removeprefix("exec ") for part in inner.split("&&"))


def commands_of_the_guide() -> Iterator[str]:
    """What is typed as `deploy/manage.py ...` or `manage.py ...`, with its options, in guide and README."""
    text = GUIDE + (ROOT / "README.md").read_text(encoding="utf-8")
    for line in re.findall(
        r"`[^`\n]*\bmanage\.py ([a-z_]+[^`\n]*)`|^sudo deploy/manage\.py ([^#\n]+)", text, re.MULTILINE
    ):
        yield "python manage.py " + "".join(line).replace("...", "").strip()


def takes(command: str) -> None:
    """Fail where the program has no such command, or not with these options."""
    program, *given = shlex.split(command)
    if program.endswith("python"):
        assert given[0] == "manage.py" and (ROOT / given[0]).is_file(), command
        name = given[1]
        found = load_command_class(get_commands()[name], name)
        # What is missing a person fills in (a file, a name); an option that is not known nobody can.
        known = {option for action in options_of(found.create_parser("manage.py", name)) for option in action}
        assert {part for part in given[2:] if part.startswith("--")} <= known, command
    elif program.endswith("gunicorn"):
        asked = Config().parser().parse_args(given)
        assert asked.args == ["tournament.wsgi"], command
    else:
        assert Path(program).name == "celery", command
        assert given[:2] == ["-A", "tournament"], command
        known = {option for part in celery.commands[given[2]].params for option in (*part.opts, *part.secondary_opts)}
        assert {part.partition("=")[0] for part in given[3:] if part.startswith("-")} <= known, command


def options_of(parser: Any) -> Iterator[list[str]]:
    """Those of a command and of its own commands."""
    for action in parser._actions:
        yield action.option_strings
        for one in getattr(action, "choices", None) or {}:
            if hasattr(action.choices, "values"):
                yield from options_of(action.choices[one])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_what_is_there_in_the_folders_of_the_guide(unit: Path) -> None:
    said = said_by(unit)
    program = said["ExecStart"].split()[0]
    assert program.startswith(f"{HOME}/.venv/bin/")
    assert (Path(sys.prefix) / "bin" / Path(program).name).is_file()
    takes(said["ExecStart"])
    assert (said["User"], said["WorkingDirectory"], said["ReadWritePaths"]) == ("tournament", HOME, DATA)
    for path in (said["EnvironmentFile"], said["WorkingDirectory"], said["ReadWritePaths"]):
        assert path in GUIDE, f"{path}: nobody is told to make it"


def test_every_unit_is_in_the_guide_and_every_unit_of_the_guide_is_there() -> None:
    there = {path.name for path in DEPLOY.iterdir() if path.suffix in {".service", ".timer"}}
    named = {f"{name}.{kind}" for name, kind in re.findall(r"\b(tournament[a-z-]*)\.(service|timer)\b", GUIDE)}
    stopped = {f"{name}.service" for name in re.findall(r"systemctl (?:start|stop) (.*?) ", GUIDE)}
    assert named | {"tournament-backup.service"} == there
    assert stopped <= there
    assert (DEPLOY / "tournament-backup.timer").with_suffix(".service") in UNITS


def test_systemd_finds_no_fault_in_the_units_where_it_is_there(tmp_path: Path) -> None:
    for unit in DEPLOY.glob("tournament*"):
        text = unit.read_text(encoding="utf-8").replace(f"{HOME}/.venv", sys.prefix).replace(HOME, str(ROOT))
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    if (verify := shutil.which("systemd-analyze")) is None:
        return  # the other tests here read the units themselves
    units = [str(unit) for unit in sorted(tmp_path.iterdir())]
    done = subprocess.run([verify, "verify", *units], capture_output=True, text=True)
    assert (done.returncode, [line for line in done.stderr.splitlines() if str(tmp_path) in line]) == (0, [])


def test_containers_and_the_guide_type_commands_that_the_program_takes() -> None:
    typed = [*commands_of_containers(), *commands_of_the_guide()]
    assert len(typed) > 20
    for command in typed:
        takes(command)


# --- Settings and files ---------------------------------------------------------------------------------
def read_by_the_program() -> set[str]:
    """Every setting that the code reads."""
    files = [*(ROOT / "tournament").rglob("*.py"), *(ROOT / "deploy").glob("*.py")]
    return {name for file in files for name in READ.findall(file.read_text(encoding="utf-8"))}


def test_every_setting_that_is_named_is_read_and_each_can_be_given_to_the_containers() -> None:
    read = read_by_the_program()
    example = (DEPLOY / "environment.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) <= read
    documented = set(re.findall(r"`?\b([A-Z]{3,}(?:_[A-Z]+)+)\b(?:=|`)", GUIDE))
    assert documented - read == {"ORIG_HEAD"}  # which is git's
    assert set(services()["web"]["environment"]) == read - NOT_OF_AN_INSTALLATION
    for name in ("worker", "beat"):
        assert services()[name]["environment"] == services()["web"]["environment"]


@pytest.mark.fault("X26")
def test_no_secret_of_an_installation_gets_into_the_image_or_the_repository() -> None:
    assert ".env" in (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    assert "/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


@pytest.mark.fault("X24")
def test_the_image_has_the_files_that_it_names_and_the_database_s_own_programs_for_backups() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for source in re.findall(r"^COPY (\S+) ", text, re.MULTILINE):
        assert (ROOT / source).exists(), source
    for script in re.findall(r"python (\S+\.py)", text):
        assert (ROOT / script).is_file(), script
    [version] = re.findall(r"^postgres:(\d+)-bookworm$", services()["database"]["image"])
    assert f"postgresql-client-{version}" in text and "bookworm" in text.splitlines()[0]
    build = services()["web"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DEPLOY / "Dockerfile"


@pytest.mark.fault("X26")
def test_nothing_begins_before_what_it_needs() -> None:
    waits = {name: services()[name]["depends_on"] for name in ("web", "worker", "beat")}
    healthy, started = {"condition": "service_healthy"}, {"condition": "service_started"}
    assert waits["web"] == {"database": healthy, "redis": started}
    assert waits["worker"] == waits["beat"] == {"web": healthy, "redis": started}
    assert all("healthcheck" in services()[name] for name in ("web", "database"))

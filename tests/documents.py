"""The commands that the documents tell somebody to type, as they are written there, and which cannot run in a test."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "deploy" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
MANAGE = ".venv/bin/python manage.py "
MODULE = ".venv/bin/python -m "
PYTEST = f"{MODULE}pytest "
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The first line of a command that stands further in than the text around it.
INDENTED = re.compile(r"^    (\w+ .*?)(?: \\)?$", re.MULTILINE)
INLINE = re.compile(r"`([^`]+)`")
SHELLS = {"sh", "bash", "shell"}
PROGRAMS = {"make", "manage.py", ".venv/bin/python", "python", "python3", "sudo", "apt-get", "git", "docker", "curl"}
PROGRAMS |= {"sh", "pip", "uv", "systemctl", "psql", "redis-cli", "celery", "gunicorn", "nginx", "deploy/manage.py"}


def lines_of_fence(language: str, text: str) -> Iterator[str]:
    """What is typed in a block: every line of a shell's, and of a console's those behind the prompt."""
    for line in text.splitlines():
        if language == "console" and line.startswith("$ "):
            # What is fed to a command is an example of its own.
            yield re.sub(r"^\$ (?:echo '.*' \| )?", "", line)
        elif language in SHELLS and line.strip():
            yield re.sub(r"\s+# .*$", "", line)


def is_typed(text: str) -> bool:
    """Whether words between backticks are a command, and not a name: a program, or a command of manage.py, with more
    behind it."""
    program, *more = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", text).split(" ")
    return bool(more) and (program in PROGRAMS or program in get_commands())


def whole_command(text: str) -> str:
    """With the Python of the project where manage.py or its command is named alone."""
    text = " ".join(text.split())
    if text.partition(" ")[0] in get_commands():
        return MANAGE + text
    return re.sub(r"^manage\.py ", MANAGE, text)


def commands_of(text: str) -> Iterator[str]:
    """All commands of one document: its blocks, then its lines."""
    for language, block in FENCE.findall(text):
        yield from map(whole_command, lines_of_fence(language, block))
    prose = FENCE.sub("", text)
    found = [*INDENTED.findall(prose), *(code for part in prose.split("\n\n") for code in INLINE.findall(part))]
    yield from (whole_command(code) for code in found if is_typed(" ".join(code.split())))


def documented_commands() -> set[str]:
    """Those of all documents."""
    return {command for path in DOCUMENTS for command in commands_of(path.read_text(encoding="utf-8"))}


class Elsewhere(NamedTuple):
    """Why commands cannot run here, and the file or the test that holds them."""

    why: str
    held_by: str
    commands: tuple[str, ...]


NOT_HERE = (
    Elsewhere("is the suite that this test is in", "tests/scripts/test_run_tests.py", ("make test",)),
    Elsewhere("make test begins with its steps", "scripts/check_steps.py", ("make check",)),
    Elsewhere("takes hours, and its long tests have this one", "scripts/run_reliability.py", ("make reliability",)),
    Elsewhere("takes an hour, and runs the tests itself", "tests/scripts/test_mutants.py", ("make mutations",)),
    Elsewhere("measures for minutes; its types are checked", "scripts/check_steps.py", ("make benchmarks",)),
    Elsewhere(
        "wants the settings of a server, which the check's step has",
        "scripts/check_steps.py",
        (f"{MANAGE}check --deploy", f"{MANAGE}check --deploy --fail-level WARNING"),
    ),
    Elsewhere(
        "takes pictures in Chromium for minutes, for a person to look at; the same skies are tested",
        "tests/day/test_black_rain.py",
        (f"{MODULE}scripts.screenshots_weather",),
    ),
    Elsewhere("two laptops of its own", "tests/day/test_second_laptop.py", ("make event", "make restore FILE=...")),
    Elsewhere(
        "its examples are run as printed",
        "tests/test_readme.py::test_an_example_answers_as_printed",
        ("python3 -m scoring opening", "python3 -m scoring game"),
    ),
    Elsewhere(
        "changes the machine; what is missing is named by these words",
        "tests/scripts/test_preflight.py",
        ("apt-get install make python3 python3-venv", "apt-get install nginx-light", "apt-get install redis-server"),
    ),
    Elsewhere(
        "a server's update, typed line by line on a server of its own",
        "tests/test_update.py",
        (
            *("git rev-parse HEAD", "git pull", "git checkout ORIG_HEAD", "sudo git pull", "sudo git checkout"),
            *("sudo systemctl stop tournament-work tournament", "sudo systemctl start tournament tournament-work"),
            "sudo make runtime",
            *(f"sudo deploy/manage.py {act}" for act in ("backup create", "migrate", "collectstatic --noinput")),
            *(f"sudo deploy/manage.py {act}" for act in ("public_files", "audit verify", "restore FILE")),
        ),
    ),
    Elsewhere(
        "accounts, folders, units and databases of a server; what they lead to is started",
        "tests/test_deploy_starts.py",
        (
            "sudo useradd --system --home /var/lib/tournament tournament",
            "sudo install -d -o tournament -g www-data -m 0750 /var/lib/tournament",
            "sudo install -D -m 0600 deploy/environment.example /etc/tournament/environment",
            "sudo git clone ADDRESS /opt/tournament",
            "sudo -u postgres createuser --createdb --pwprompt tournament",
            "sudo -u postgres createdb --owner tournament tournament",
            "sudo cp deploy/tournament.service /etc/systemd/system/",
            *("sudo systemctl daemon-reload", "sudo systemctl enable --now tournament"),
        ),
    ),
    Elsewhere(
        "wants the settings of a server, or a container; that the program takes it is read",
        "tests/test_deploy.py::test_containers_and_the_guide_type_commands_that_the_program_takes",
        (
            *("sudo deploy/manage.py ...", "sudo deploy/manage.py COMMAND"),
            "sudo deploy/manage.py create_organiser USER",
            "sudo env ENVIRONMENT_FILE=/etc/tournament/owner deploy/manage.py migrate",
            "docker compose -f deploy/compose.yaml --env-file .env exec web python manage.py COMMAND",
        ),
    ),
    Elsewhere(
        "writes what nginx of the machine reads",
        "tests/test_front.py::test_the_site_of_a_server_is_one_that_nginx_takes",
        (
            f"{MODULE}scripts.front --names tournament.example --certificate FILE --key FILE"
            " | sudo tee /etc/nginx/sites-enabled/tournament",
            "sudo nginx -t && sudo systemctl reload nginx",
        ),
    ),
    Elsewhere(
        "asks a server in the internet; the operation is asked by a program",
        "tests/messages/api/test_bounces.py",
        ('curl -X POST https://tournament.example/api/v1/bounces/ -H "Authorization: Bearer $MAIL_BOUNCES_SECRET"',),
    ),
    Elsewhere(
        "a PostgreSQL of its own, as others are begun",
        "tests/test_deploy_starts.py",
        (f".venv/bin/python scripts/postgres_cluster.py {PYTEST}-q tests/test_docs.py",),
    ),
)

"""`make check`: format, lint, types, words, migrations, deployment, and the tests that ask no database. Under a minute.

`make test` begins with the same steps.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scripts import programs

PROJECT_ROOT = Path(__file__).resolve().parent.parent
SUITE_REPORTS = PROJECT_ROOT / "reports"
PYTHON = sys.executable
# The rules of the house and of the game; no database.
QUICK_TESTS = ["tests/scoring", "tests/test_architecture.py", "tests/scripts/test_house_figures.py"]
MEMORY_FOLDER = Path("/dev/shm")
# What a whole run leaves in its folder at most, before it is removed.
FOLDER_BYTES = 4 * 2**30

# As in production: what `check --deploy` looks at.
PRODUCTION_ENVIRONMENT = {
    "DEBUG": "0",
    "HTTPS": "1",
    "ALLOWED_HOSTS": "tournament.example",
    "SECRET_KEY": "for-the-deployment-check-only-0123456789-abcdefghijklmnopqrstuvwxyz",
}


@contextmanager
def folder_of_run() -> Iterator[Path]:
    """What a run writes, in memory where there is room; removed with the run, so that /tmp stays as it was."""
    parent = None
    if MEMORY_FOLDER.is_dir():
        room = os.statvfs(MEMORY_FOLDER)
        parent = MEMORY_FOLDER if room.f_bavail * room.f_frsize >= FOLDER_BYTES else None
    with tempfile.TemporaryDirectory(prefix="tests-", dir=parent, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL's own account passes through
        before, tempfile.tempdir = tempfile.tempdir, name
        try:
            yield folder
        finally:
            tempfile.tempdir = before


def run_checked_step(title: str, *command: str, environment: Mapping[str, str]) -> None:
    """One step; its failure ends everything and shows what it printed."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=dict(environment), capture_output=True, text=True)
    print(f"{title:28} {'ok' if done.returncode == 0 else 'FAILED':7} {time.monotonic() - started:6.1f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        sys.exit(1)


def static_steps(folder: Path, environment: Mapping[str, str]) -> None:
    """Everything that needs no test."""
    manage = [PYTHON, "-W", "error::DeprecationWarning", "manage.py"]
    database = f"sqlite:///{folder / 'checks.sqlite3'}"
    plain = {**os.environ, **environment, "VAR_DIR": str(folder), "DATABASE_URL": database}
    production = {**plain, **PRODUCTION_ENVIRONMENT}
    deployment = ("check", "--deploy", "--fail-level", "WARNING")
    run_checked_step("format", PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".", environment=plain)
    run_checked_step("lint", PYTHON, "-m", "ruff", "check", "--quiet", ".", environment=plain)
    run_checked_step("templates", PYTHON, "-m", "scripts.format_templates", "--check", environment=plain)
    run_checked_step("types", PYTHON, "-m", "mypy", environment=plain)
    run_checked_step("migrations match models", *manage, "makemigrations", "--check", "--dry-run", environment=plain)
    run_checked_step("deployment check", *manage, *deployment, environment=production)
    run_checked_step("static files", *manage, "collectstatic", "--noinput", environment=plain)


def main() -> int:
    """The steps, then the quick tests with their progress."""
    started = time.monotonic()
    SUITE_REPORTS.mkdir(exist_ok=True)
    with programs.no_program_outlives() as environment, folder_of_run() as folder:
        static_steps(folder, environment)
        own = {**os.environ, **environment, "TMPDIR": str(folder), "VAR_DIR": str(folder)}
        command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *QUICK_TESTS]
        status = programs.run_shown(command, SUITE_REPORTS / "check.log", own, PROJECT_ROOT)
    print(f"in {time.monotonic() - started:.0f} s")
    return status


if __name__ == "__main__":
    sys.exit(main())

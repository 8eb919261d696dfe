"""A copy of the last commit for a trial: what is put in, what changed by it, and what its tests say."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TREE_ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def copy_of_last_commit() -> Iterator[Path]:
    """A worktree of its own, removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(copy)], cwd=TREE_ROOT, check=True)
        try:
            yield copy
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(copy)], cwd=TREE_ROOT, check=True)


def run_in_copy(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command in the copy, with a database of its own."""
    var = copy / "var"
    var.mkdir(exist_ok=True)
    own = {"VAR_DIR": str(var), "DATABASE_URL": f"sqlite:///{var / 'trial.sqlite3'}", "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    return subprocess.run(command, cwd=copy, env={**os.environ, **own}, capture_output=True, text=True)


def insert_text(file: Path, before: str, text: str) -> None:
    """The text before the only place of that wording. Ends the trial where there is none, or more than one."""
    whole = file.read_text(encoding="utf-8")
    if whole.count(before) != 1:
        sys.exit(f"{file}: {before!r} is there {whole.count(before)} times")
    file.write_text(whole.replace(before, text + before), encoding="utf-8")


def append_text(file: Path, text: str) -> None:
    """The text at the end of a file."""
    with file.open("a", encoding="utf-8") as end:
        end.write(text)


def make_derived(copy: Path, migration: str = "") -> None:
    """The migration of this name, where one is asked for, and the compiled words."""
    commands = [["make", "--old-file=runtime", "words", f"PYTHON={sys.executable}"]]
    if migration:
        commands.insert(0, [sys.executable, "manage.py", "makemigrations", "tournament", "--name", migration])
    for command in commands:
        made = run_in_copy(copy, *command)
        if made.returncode:
            sys.exit(made.stdout + made.stderr)


def changed_files(copy: Path) -> list[str]:
    """What was changed or made by hand or by a command, but for the compiled words."""
    status = run_in_copy(copy, "git", "status", "--porcelain", "--untracked-files=all")
    names = (line[3:] for line in status.stdout.splitlines())
    return sorted(name for name in names if not name.startswith("var/") and not name.endswith(".mo"))


def run_tests_in_copy(copy: Path, *tests: str) -> tuple[bool, str]:
    """Whether these pass, and what was printed."""
    done = run_in_copy(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    return done.returncode == 0, done.stdout + done.stderr


def report_trial(files: list[str], most: int, tests: tuple[bool, str]) -> list[str]:
    """Print what a trial took; what is wrong with it."""
    passed, told = tests
    print(f"{len(files)} files: {', '.join(files)}", flush=True)
    print("its tests are", "green" if passed else "RED", flush=True)
    return [*([f"more than {most} files"] if len(files) > most else []), *([] if passed else [told])]

"""Makes .venv and installs one requirements file into it, whole or not at all.

    python3 -m scripts.set_up requirements.txt [--target demo --host ... --port ... --stage ... --seed ... --event ...]

Runs on the machine's own Python, by the standard library alone. A change that was interrupted is known by a mark: the
next start goes back to what was there before it, or makes .venv anew. What is whole and current is left as it is,
without the network.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts import preflight

UV = "uv==0.13.9"
UNFINISHED_MARK = "unfinished"
# Measured: what is installed, its downloads beside it, and the demo's data.
MEGABYTES_NEEDED = {"requirements": 600, "requirements-dev": 1500}
VERSION_PROGRAM = "import pip, sys; print('%d.%d' % sys.version_info[:2])"
SHOWN_LINES = 5


class SetUpFailed(Exception):
    """A step did not succeed; the text says why."""


class Environment:
    """The .venv of a folder, and what is kept beside it while it is changed."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".venv"
        self.kept = root / ".venv.before"
        self.copy = root / ".venv.copy"
        self.python = self.folder / "bin" / "python"
        self.mark = self.folder / UNFINISHED_MARK

    def version(self) -> str:
        """`3.11` where its Python runs, is supported and has pip; empty where one of these is not so."""
        if not self.python.exists():
            return ""
        done = subprocess.run([self.python, "-c", VERSION_PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = done.stdout.decode().strip()
        return found if found in ["{}.{}".format(*one) for one in preflight.SUPPORTED_PYTHONS] else ""

    def stamp(self, requirements: Path) -> Path:
        """Where the checksum of an installed file is kept."""
        return self.folder / f"installed-{requirements.stem}"

    def has(self, requirements: Path) -> bool:
        """Whether this very file is installed, for the Python that is there."""
        stamp = self.stamp(requirements)
        if self.mark.exists() or not stamp.exists():
            return False
        return stamp.read_text() == requirements_checksum(requirements, self.version())

    def undo_unfinished_change(self) -> None:
        """What Ctrl-C, a full disk or the power has left goes; what was whole before it comes back."""
        if self.mark.exists():
            remove(self.folder)
            if self.kept.exists():
                os.replace(self.kept, self.folder)
        remove(self.kept)
        remove(self.copy)

    def begin_change(self) -> None:
        """Keep what is whole, by links, and mark .venv; one that cannot be used is made anew."""
        if self.version():
            shutil.copytree(self.folder, self.copy, symlinks=True, copy_function=os.link)
            os.replace(self.copy, self.kept)
            self.mark.touch()
        else:
            remove(self.folder)
            self.folder.mkdir()
            self.mark.touch()
            print("Making .venv with Python {}.{} ...".format(*sys.version_info[:2]), flush=True)
            run_step([sys.executable, "-m", "venv", str(self.folder)])
        for stamp in self.folder.glob("installed-*"):
            stamp.unlink()

    def install(self, requirements: Path) -> None:
        """With uv, which is many times quicker; with pip where uv cannot be had or does not reach the packages."""
        pip = [str(self.python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        options = ["--quiet", "--compile-bytecode", "--python", str(self.python)]
        uv = [str(self.python), "-m", "uv", "pip", "install", *options]
        print(f"Installing {requirements.name}: a minute or two, and the network this once ...", flush=True)
        cache = self.folder / "cache"
        try:
            run_step([*pip, UV])
            run_step([*uv, "-r", str(requirements)], UV_PYTHON_DOWNLOADS="never", UV_CACHE_DIR=str(cache))
        except SetUpFailed:
            run_step([*pip, "-r", str(requirements)])
        remove(cache)

    def end_change(self, requirements: Path) -> None:
        """From here on it is whole; a file that includes another has installed that too."""
        for path in requirement_files(requirements):
            self.stamp(path).write_text(requirements_checksum(path, self.version()))
        self.mark.unlink()
        remove(self.kept)


def remove(path: Path) -> None:
    """A folder or a link to one, if it is there."""
    if path.is_symlink():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def run_step(command: list[str], **environment: str) -> None:
    """A command whose words are shown only if it fails: SetUpFailed has its last lines."""
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        lines = done.stdout.decode(errors="replace").strip().splitlines()
        raise SetUpFailed("\n".join(lines[-SHOWN_LINES:]))


def requirement_files(requirements: Path) -> list[Path]:
    """The file and those it includes with -r."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return [requirements, *(requirements.parent / line.split()[1] for line in lines if line.startswith("-r "))]


def requirements_checksum(requirements: Path, version: str) -> str:
    """SHA-256 over the files and this Python's version."""
    digest = hashlib.sha256(version.encode())
    for path in requirement_files(requirements):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@contextmanager
def one_set_up_at_a_time(root: Path) -> Iterator[None]:
    """Whoever comes second waits, and finds it done."""
    folder = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another make command sets up this folder; this one waits for it ...", flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def all_faults(requirements: Path, request: preflight.ServingRequest | None) -> list[preflight.Fault]:
    """All that is in the way of the installation, and of the server that is to come after it."""
    root = requirements.parent
    faults = [
        *preflight.python_faults(),
        *preflight.folder_faults(root),
        *preflight.disk_faults(MEGABYTES_NEEDED.get(requirements.stem, 0), root),
        *preflight.network_faults(),
    ]
    if request:
        faults += preflight.serving_faults(request, preflight.data_folder_of(request.target))
    return faults


def set_up(requirements: Path, request: preflight.ServingRequest | None = None) -> None:
    """Make what is missing beside the requirements file; SystemExit with words where that cannot be."""
    environment = Environment(requirements.parent)
    if environment.has(requirements):
        return
    with one_set_up_at_a_time(requirements.parent):
        if environment.has(requirements):
            return
        if faults := all_faults(requirements, request):
            sys.exit(preflight.report_of(faults))
        environment.undo_unfinished_change()
        if environment.has(requirements):
            return
        try:
            environment.begin_change()
            environment.install(requirements)
            environment.end_change(requirements)
        except (SetUpFailed, OSError) as failure:
            environment.undo_unfinished_change()
            sys.exit(f"The packages could not be installed; nothing was changed.\n{failure}")
        except KeyboardInterrupt:
            environment.undo_unfinished_change()
            sys.exit("\nStopped; nothing was changed.")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("requirements")
    parser.add_argument("--target", choices=sorted(preflight.DEFAULT_PORTS))
    preflight.add_request_options(parser)
    options = parser.parse_args()
    request = preflight.request_of(options, options.target) if options.target else None
    set_up(preflight.PREFLIGHT_PROJECT_ROOT / options.requirements, request)


if __name__ == "__main__":
    main()

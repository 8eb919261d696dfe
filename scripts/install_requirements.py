"""Installs a requirements file into the .venv that runs this, once: a stamp remembers the files that were installed."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv==0.13.9"


def files_of(requirements: Path) -> list[Path]:
    """The file and those it includes with -r."""
    included = [
        requirements.parent / line.split()[1]
        for line in requirements.read_text().splitlines()
        if line.startswith("-r ")
    ]
    return [requirements, *included]


def checksum(requirements: Path) -> str:
    """SHA-256 over the files and this Python's version."""
    digest = hashlib.sha256(sys.version.encode())
    for path in files_of(requirements):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def install(requirements: Path) -> None:
    """With uv, which is many times quicker; with pip where uv cannot be had or does not reach the packages."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable, "-r", str(requirements)]
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    print(f"Installing {requirements.name} ...", flush=True)
    if subprocess.run([*pip, "install", UV]).returncode == 0 and subprocess.run(uv, env=environment).returncode == 0:
        return
    print("uv did not do it; pip takes over.", flush=True)
    subprocess.run([*pip, "install", "-r", str(requirements)], check=True)


def main(name: str) -> None:
    """Install unless the stamp says that these very files are in."""
    requirements = ROOT / name
    stamp = Path(sys.prefix) / f"installed-{requirements.stem}"
    wanted = checksum(requirements)
    if not stamp.exists() or stamp.read_text() != wanted:
        install(requirements)
        stamp.write_text(wanted)


if __name__ == "__main__":
    main(sys.argv[1])

"""What the project needs of the machine, and how it comes there: Debian's packages, installed as root, else named."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

FOUND_AT = {
    "postgresql": lambda: any(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
    "chromium": lambda: Path("/usr/bin/chromium").exists(),
    "chromium-headless-shell": lambda: Path("/usr/bin/chromium-headless-shell").exists(),
    "redis-server": lambda: shutil.which("redis-server") is not None or Path("/usr/bin/redis-server").exists(),
    "nginx-light": lambda: shutil.which("nginx") is not None or Path("/usr/sbin/nginx").exists(),
    "gettext": lambda: shutil.which("xgettext") is not None,
    "strace": lambda: shutil.which("strace") is not None,
    "libnss3-tools": lambda: shutil.which("certutil") is not None,
}


def missing_packages(packages: Iterable[str]) -> list[str]:
    """Those that are not on the machine."""
    return [package for package in packages if not FOUND_AT[package]()]


def install_packages(packages: Iterable[str]) -> None:
    """Install what is missing with apt-get; without root or apt-get say what is missing and end with status 1."""
    wanted = missing_packages(packages)
    if not wanted:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *wanted]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise SystemExit(f"Missing: {', '.join(wanted)}\nIt comes, on Debian as root, with: {' '.join(command)}")
    print(f"Installing {', '.join(wanted)} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for each in (["apt-get", "update", "-q"], command):
        subprocess.run(each, check=True, env=environment, stdout=subprocess.DEVNULL)
    if missing_packages(wanted):
        raise SystemExit(f"apt-get ended well, but {', '.join(missing_packages(wanted))} is still not there")

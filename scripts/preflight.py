"""What stands in the way of a make command: every fault of this machine at once, each with the command that mends it.

Runs on the machine's own Python before anything is installed: it needs the standard library alone, and is written so
that a Python which is too old for the program can still say so.
"""

from __future__ import annotations

import argparse
import configparser
import errno
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import NamedTuple

PREFLIGHT_PROJECT_ROOT = Path(__file__).resolve().parent.parent
SUPPORTED_PYTHONS = ((3, 11), (3, 12), (3, 13))
SUPPORTED_PYTHON_NAMES = "Python 3.11, 3.12 or 3.13"
SERVED_DEMO_STAGES = ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")
THIS_MACHINE, WHOLE_NETWORK = "127.0.0.1", "0.0.0.0"
SERVED_DEMO_EVENTS = ("hk-2026", "twist", "school", "word", "french")
# Only the first goes on to a final, and has weather to look at.
STAGES_OF_FIRST_EVENT = ("weather", "final", "awarded")
DEFAULT_HOSTS = {"demo": THIS_MACHINE, "demo-reset": THIS_MACHINE, "lan": WHOLE_NETWORK, "event": WHOLE_NETWORK}
DEFAULT_PORTS = {"demo": 8000, "demo-reset": 8000, "lan": 8443, "event": 8443}
PORT_RANGE = range(1, 65536)
# Where Python and Debian keep the pip that a new environment gets; pip itself says which index it asks.
PIP_WHEELS = (Path(os.__file__).with_name("ensurepip") / "_bundled", Path("/usr/share/python-wheels"))
ASK_PIP_FOR_ITS_INDEX = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
INDEX_TIMEOUT = 10.0
# What lets pip find packages by other means than an index that can be asked here.
OTHER_PIP_WAYS = ("no-index", "find-links", "extra-index-url", "proxy")
APT_LISTS = Path("/var/lib/apt/lists")


class Fault(NamedTuple):
    """One thing that is in the way: a sentence, and what mends it: a command, or Debian's packages."""

    what: str
    command: str = ""
    packages: tuple[str, ...] = ()


class ServingRequest(NamedTuple):
    """What was typed behind `make`, as it was typed; empty where nothing was said."""

    target: str
    host: str = ""
    port: str = ""
    stage: str = ""
    seed: str = ""
    event: str = ""

    @property
    def chosen_host(self) -> str:
        """An address to listen at; only that of this machine alone is known by a name here."""
        return (self.host or DEFAULT_HOSTS[self.target]).replace("localhost", THIS_MACHINE)

    @property
    def chosen_port(self) -> int:
        """The port; ValueError where it is no number."""
        return int(self.port) if self.port else DEFAULT_PORTS[self.target]

    @property
    def chosen_seed(self) -> int:
        return int(self.seed or 1)

    @property
    def is_for_this_machine_alone(self) -> bool:
        return self.chosen_host.startswith("127.")


def apt_command(packages: list[str]) -> str:
    """One command for all packages; where apt has no lists yet, they come first."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    has_lists = any(APT_LISTS.glob("*_Packages*")) or not APT_LISTS.exists()
    update = "" if has_lists else f"{sudo}apt-get update && "
    return f"{update}{sudo}apt-get install {' '.join(packages)}"


def report_of(faults: list[Fault]) -> str:
    """All faults as text: each with its command, Debian's packages together in one."""
    lines = ["This is in the way:"]
    for fault in faults:
        lines.append(f"  - {fault.what}")
        if fault.command:
            lines.append(f"      {fault.command}")
    packages = list(dict.fromkeys(name for fault in faults for name in fault.packages))
    if packages:
        lines.append("  What is missing comes with (Debian 12 and 13, Ubuntu 24.04):")
        lines.append(f"      {apt_command(packages)}")
    return "\n".join(lines)


def python_faults() -> list[Fault]:
    """Of the Python that runs this: its version, and its venv module."""
    version = "{}.{}".format(*sys.version_info[:2])
    if sys.version_info[:2] not in SUPPORTED_PYTHONS:
        what = f"{SUPPORTED_PYTHON_NAMES} is missing; python3 here is {version}."
        return [Fault(what, packages=("python3", "python3-venv"))]
    if importlib.util.find_spec("ensurepip") is None:
        return [Fault(f"The venv module of Python {version} is missing.", packages=(f"python{version}-venv",))]
    return []


def folder_faults(root: Path = PREFLIGHT_PROJECT_ROOT) -> list[Fault]:
    """Whether .venv can be made in the program's folder."""
    if os.access(root, os.W_OK):
        return []
    return [
        Fault(f"{root} cannot be written to. A copy that is yours can:", f"cp -r '{root}' ~/ && cd ~/'{root.name}'")
    ]


def disk_faults(megabytes: int, root: Path = PREFLIGHT_PROJECT_ROOT) -> list[Fault]:
    """Whether the disk has this much left."""
    free = shutil.disk_usage(root).free // 1_000_000
    if free >= megabytes:
        return []
    return [Fault(f"The disk of {root} has {free} MB left, and {megabytes} MB are needed.", "df -h .")]


def pip_settings() -> dict[str, str]:
    """What pip was told, in its files and by the environment, by its options' names."""
    home = Path(os.path.expanduser("~"))
    files = [
        Path("/etc/pip.conf"),
        Path("/etc/xdg/pip/pip.conf"),
        home / ".pip/pip.conf",
        home / ".config/pip/pip.conf",
    ]
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read([*files, Path(os.environ.get("PIP_CONFIG_FILE", os.devnull))], encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return {"proxy": "a file that pip itself will complain about"}
    found = {
        name: text for section in ("global", "install") if section in parser for name, text in parser[section].items()
    }
    own = {name[4:].lower(): text for name, text in os.environ.items() if name.startswith("PIP_")}
    return {name.replace("_", "-"): text for name, text in {**found, **own}.items()}


def default_package_index() -> str:
    """What pip asks unless it is told otherwise; empty where no pip can be asked."""
    wheels = [str(wheel) for folder in PIP_WHEELS for wheel in sorted(folder.glob("pip-*.whl"))]
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(wheels)}
    done = subprocess.run([sys.executable, "-c", ASK_PIP_FOR_ITS_INDEX], env=own, capture_output=True, text=True)
    return done.stdout.strip()


def network_faults() -> list[Fault]:
    """Whether the place that packages come from answers; not asked where pip has other ways."""
    settings = pip_settings()
    if any(settings.get(name) for name in OTHER_PIP_WAYS):
        return []
    index = settings.get("index-url") or default_package_index()
    if not index:
        return []  # pip says it in its own words
    try:
        urllib.request.urlopen(index, timeout=INDEX_TIMEOUT).close()
    except urllib.error.HTTPError:
        return []
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if "CERTIFICATE" in str(reason):
            return []  # it answered; pip knows its own certificates
        host = urllib.parse.urlsplit(index).hostname or index
        what = f"There is no network: {host} does not answer ({reason}). Packages come from there, this once."
        return [Fault(what, f"curl -sI {index}")]
    return []


def add_request_options(parser: argparse.ArgumentParser) -> None:
    """What make passes on of what was typed behind it, unread."""
    for name in ("--host", "--port", "--stage", "--seed", "--event"):
        parser.add_argument(name, default="")


def request_of(options: argparse.Namespace, target: str) -> ServingRequest:
    """The request in the options that add_request_options has added."""
    return ServingRequest(target, options.host, options.port, options.stage, options.seed, options.event)


def data_folder_of(target: str) -> Path:
    """Where the data of a make command lies unless it lies elsewhere by VAR_DIR."""
    kind = "event" if target == "event" else "demo"
    return Path(os.environ.get("VAR_DIR") or PREFLIGHT_PROJECT_ROOT / "var" / kind)


def has_nginx() -> bool:
    """Whether this machine has nginx."""
    return Path(nginx_program()).exists()


def nginx_program() -> str:
    """Where nginx is, or would be; /usr/sbin is in no ordinary account's PATH on Debian."""
    return shutil.which("nginx") or "/usr/sbin/nginx"


def nginx_faults(request: ServingRequest) -> list[Fault]:
    """For others in the network nginx stands in front; root gets it installed on the way."""
    if request.is_for_this_machine_alone or has_nginx():
        return []
    if request.target in ("lan", "event") and os.geteuid() == 0 and shutil.which("apt-get"):
        return []
    return [
        Fault("nginx is missing; it stands in front wherever others in the network are served.", "", ("nginx-light",))
    ]


def bind_error(host: str, port: int) -> OSError | None:
    """Why a server could not listen there; None where it could."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None


def next_free_port(host: str, first: int) -> int:
    """The first port from this one on that a server may have, for a suggestion."""
    return next((port for port in range(first, PORT_RANGE.stop) if bind_error(host, port) is None), first)


def port_faults(request: ServingRequest) -> list[Fault]:
    """Whether the server may listen at this address and port, and if not, why."""
    try:
        port = request.chosen_port
    except ValueError:
        port = 0
    default = DEFAULT_PORTS[request.target]
    if port not in PORT_RANGE:
        what = f"PORT={request.port} is no port; one is a number from 1 to {PORT_RANGE.stop - 1}."
        return [Fault(what, f"make {request.target} PORT={default}")]
    error = bind_error(request.chosen_host, port)
    if error is None:
        return []
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        what = f"HOST={request.chosen_host} is no address of this machine; HOST={WHOLE_NETWORK} means all of them."
        return [Fault(what, f"make {request.target} HOST={WHOLE_NETWORK}")]
    free = next_free_port(request.chosen_host, port + 1 if port >= default else default)
    what = f"Port {port} is taken by another program."
    if error.errno in (errno.EACCES, errno.EPERM):
        what = f"Port {port} is not permitted: those below 1024 are for root."
    elif error.errno != errno.EADDRINUSE:
        what = f"Port {port} cannot be used: {error.strerror}."
    return [Fault(what, f"make {request.target} PORT={free}")]


def word_faults(request: ServingRequest) -> list[Fault]:
    """Whether EVENT, STAGE and SEED are what the demo knows."""
    faults = []
    if request.event and request.event not in SERVED_DEMO_EVENTS:
        what = f"EVENT={request.event} is no event of the demo: {', '.join(SERVED_DEMO_EVENTS)}."
        faults.append(Fault(what, f"make {request.target} EVENT=twist"))
    elif request.event not in ("", SERVED_DEMO_EVENTS[0]) and request.stage in STAGES_OF_FIRST_EVENT:
        what = f"EVENT={request.event} ends with its first stage: it has no STAGE={request.stage}."
        faults.append(Fault(what, f"make {request.target} EVENT={request.event} STAGE=released"))
    if request.stage and request.stage not in SERVED_DEMO_STAGES:
        what = f"STAGE={request.stage} is no stage of the demo: {', '.join(SERVED_DEMO_STAGES)}."
        faults.append(Fault(what, f"make {request.target} STAGE=results"))
    if request.seed and not request.seed.isdecimal():
        faults.append(Fault(f"SEED={request.seed} is no number.", f"make {request.target} SEED=1"))
    return faults


def data_folder_faults(folder: Path) -> list[Fault]:
    """Whether the data can lie where it is to lie, whose folder may not be there yet."""
    nearest = next(path for path in (folder, *folder.resolve().parents) if path.exists())
    if os.access(nearest, os.W_OK):
        return []
    return [Fault(f"{folder} cannot be written to; VAR_DIR names another folder:", "export VAR_DIR=~/rummikub-data")]


def serving_faults(request: ServingRequest, folder: Path) -> list[Fault]:
    """All that is in the way of a server with its data in this folder."""
    return [
        *word_faults(request),
        *port_faults(request),
        *nginx_faults(request),
        *data_folder_faults(folder),
    ]

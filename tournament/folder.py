"""Where the data lies: one folder for the server and for every command beside it. Needs nothing of Django.

On a laptop there are two, `var/demo` (make demo, make lan) and `var/event` (make event, make restore); VAR_DIR names
any other. A command without VAR_DIR follows the server that runs; where none runs, the folder that a make command has
used last, which `var/current` names; and before any of that the event's. A folder's `environment` holds its settings.
"""

import fcntl
import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import environ

ROOT = Path(__file__).resolve().parent.parent
VAR = ROOT / "var"
CURRENT = VAR / "current"
DEMO, EVENT = "demo", "event"
KINDS = (DEMO, EVENT)
KIND, SERVING, OWN = "kind", "serving.lock", "environment"
SERVER = "ENVIRONMENT_FILE"


class Ambiguous(Exception):
    """Two servers run here, and a command does not say whose data it means."""


class OtherKind(Exception):
    """The folder belongs to the other command."""


def read_environment(environment: Mapping[str, str] = os.environ) -> Path:
    """The data folder; what the server's file (ENVIRONMENT_FILE) and the folder's own `environment` set is in the
    process's environment from now on, unless it was there already."""
    if file := environment.get(SERVER):
        with open(file, encoding="utf-8") as given:
            environ.Env.read_env(given)
    folder = data_folder(environment)
    if (folder / OWN).is_file():
        environ.Env.read_env(folder / OWN)
    return folder


def data_folder(environment: Mapping[str, str] = os.environ, var: Path = VAR) -> Path:
    """Where the data of this installation lies. Raises Ambiguous where nobody can tell."""
    if given := environment.get("VAR_DIR"):
        return Path(given)
    serving = [kind for kind in KINDS if is_served(var / kind)]
    if len(serving) > 1:
        raise Ambiguous(
            f"Two servers run here, the demo on {var / DEMO} and an event on {var / EVENT}. Say which one you mean: "
            f"put VAR_DIR={var / EVENT} or VAR_DIR={var / DEMO} before the command. Nothing was changed."
        )
    return var / (serving or [last_used(var)])[0]


def last_used(var: Path = VAR) -> str:
    """`demo` or `event`, as the last make command has left it; `event` before the first."""
    with suppress(OSError):
        named = (var / CURRENT.name).read_text(encoding="utf-8").strip()
        if named in KINDS:
            return named
    return EVENT


def is_served(folder: Path) -> bool:
    """Whether a make command serves this folder now."""
    try:
        with (folder / SERVING).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """Hold the folder while serving it. Raises BlockingIOError where somebody else does."""
    with (folder / SERVING).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def kind_of(folder: Path) -> str | None:
    """Whether demo or event, as it was begun; None for a folder that no make command has begun."""
    with suppress(OSError):
        return (folder / KIND).read_text(encoding="utf-8").strip()
    return None


def refuse_other_kind(folder: Path, kind: str) -> None:
    """A demo is never played where an event lies, nor the other way round."""
    found = kind_of(folder)
    if found not in (None, kind):
        raise OtherKind(
            f"{folder} holds {'the demo' if found == DEMO else 'an event'}; it is left as it is. "
            "make demo and make lan play the demo in var/demo, make event serves an event from var/event; "
            "VAR_DIR names another folder."
        )


def use(folder: Path, kind: str) -> None:
    """Begin or go on with a folder of this kind; commands without VAR_DIR mean it from now on."""
    refuse_other_kind(folder, kind)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write(folder / KIND, kind)
    if folder == VAR / kind:
        write(CURRENT, kind)


def write(path: Path, word: str) -> None:
    """One word in a file, whole at every moment."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(f"{word}\n", encoding="utf-8")
    os.replace(fresh, path)


def act_as_owner(folder: Path) -> str | None:
    """Root becomes the account that the folder belongs to, so that nothing is left which the service cannot read; the
    account's name, None where nothing had to change."""
    if os.geteuid() != 0 or not folder.is_dir():
        return None
    owner = folder.stat()
    if owner.st_uid == 0:
        return None
    try:
        account = pwd.getpwuid(owner.st_uid)
        os.initgroups(account.pw_name, owner.st_gid)
        name, home = account.pw_name, account.pw_dir
    except KeyError:
        os.setgroups([])
        name, home = str(owner.st_uid), str(folder)
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
    os.environ["HOME"] = home
    return name

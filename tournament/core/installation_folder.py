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

PROJECT_ROOT = Path(__file__).resolve().parents[2]
VAR_FOLDER = PROJECT_ROOT / "var"
CURRENT_KIND_FILE = VAR_FOLDER / "current"
DEMO_KIND, EVENT_KIND = "demo", "event"
FOLDER_KINDS = (DEMO_KIND, EVENT_KIND)
ENVIRONMENT_FILE_VARIABLE = "ENVIRONMENT_FILE"
KIND_FILE_NAME, SERVING_LOCK_NAME, OWN_ENVIRONMENT_NAME = "kind", "serving.lock", "environment"


class AmbiguousFolder(Exception):
    """Two servers run here, and a command does not say whose data it means."""


class OtherFolderKind(Exception):
    """The folder belongs to the other command."""


def read_environment(environment: Mapping[str, str] = os.environ) -> Path:
    """The data folder; what the server's file (ENVIRONMENT_FILE) and the folder's own `environment` set is in the
    process's environment from now on, unless it was there already."""
    if file := environment.get(ENVIRONMENT_FILE_VARIABLE):
        with open(file, encoding="utf-8") as given:
            environ.Env.read_env(given)
    folder = data_folder(environment)
    if (folder / OWN_ENVIRONMENT_NAME).is_file():
        environ.Env.read_env(folder / OWN_ENVIRONMENT_NAME)
    return folder


def data_folder(environment: Mapping[str, str] = os.environ, var: Path = VAR_FOLDER) -> Path:
    """Where the data of this installation lies. Raises Ambiguous where nobody can tell."""
    if given := environment.get("VAR_DIR"):
        return Path(given)
    serving = [kind for kind in FOLDER_KINDS if is_folder_served(var / kind)]
    if len(serving) > 1:
        raise AmbiguousFolder(
            f"Two servers run here, the demo on {var / DEMO_KIND} and an event on {var / EVENT_KIND}. "
            f"Say which one you mean: put VAR_DIR={var / EVENT_KIND} or VAR_DIR={var / DEMO_KIND} before the command. "
            "Nothing was changed."
        )
    return var / (serving or [last_used_kind(var)])[0]


def last_used_kind(var: Path = VAR_FOLDER) -> str:
    """`demo` or `event`, as the last make command has left it; `event` before the first."""
    with suppress(OSError):
        named = (var / CURRENT_KIND_FILE.name).read_text(encoding="utf-8").strip()
        if named in FOLDER_KINDS:
            return named
    return EVENT_KIND


def is_folder_served(folder: Path) -> bool:
    """Whether a make command serves this folder now."""
    return server_of_folder(folder) is not None


def server_of_folder(folder: Path) -> str | None:
    """Who serves this folder now, as that server has said of itself; None where nobody does."""
    try:
        with (folder / SERVING_LOCK_NAME).open("r", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return lock.read()
    except FileNotFoundError:
        return None
    except PermissionError:
        return "another account"
    return None


@contextmanager
def hold_folder_while_serving(folder: Path, server: str = "") -> Iterator[None]:
    """Hold the folder while serving it; `server` says by whom and where. Raises BlockingIOError where somebody else
    does."""
    with (folder / SERVING_LOCK_NAME).open("a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.truncate(0)
        lock.write(server)
        lock.flush()
        yield


def kind_of_folder(folder: Path) -> str | None:
    """Whether demo or event, as it was begun; None for a folder that no make command has begun."""
    with suppress(OSError):
        return (folder / KIND_FILE_NAME).read_text(encoding="utf-8").strip()
    return None


def refuse_other_kind(folder: Path, kind: str) -> None:
    """A demo is never played where an event lies, nor the other way round."""
    found = kind_of_folder(folder)
    if found not in (None, kind):
        raise OtherFolderKind(
            f"{folder} holds {'the demo' if found == DEMO_KIND else 'an event'}; it is left as it is. "
            "make demo and make lan play the demo in var/demo, make event serves an event from var/event; "
            "VAR_DIR names another folder."
        )


def use_folder(folder: Path, kind: str) -> None:
    """Begin or go on with a folder of this kind; commands without VAR_DIR mean it from now on."""
    refuse_other_kind(folder, kind)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_word_file(folder / KIND_FILE_NAME, kind)
    if folder == VAR_FOLDER / kind:
        write_word_file(CURRENT_KIND_FILE, kind)


def write_word_file(path: Path, word: str) -> None:
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

"""What `make demo`, `make lan` and `make event` have in common: the way to a server that answers, and the server.

One process looks after three: nginx in front where it is there, gunicorn, and the worker for long work. One that ends
is begun again, while the front goes on; all end with this one.
"""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from scripts import front, preflight
from scripts.preflight import ServingRequest
from scripts.restarting import RestartingProcesses, answers_first_page, listens_at
from tournament.core import installation_folder

SERVING_PROJECT_ROOT = installation_folder.PROJECT_ROOT
# Of the person's own environment; nothing of a production reaches the laptop's server.
DROPPED_VARIABLES = (
    "DATABASE_URL",
    "HTTPS",
    "DEBUG",
    "REDIS_URL",
    "ENVIRONMENT_FILE",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
)
DROPPED_VARIABLES_OF_DEMO = (
    *DROPPED_VARIABLES,
    "SECRET_KEY",
    "SIGNATURE_KEY",
    "EMAIL_URL",
    "BACKUP_DIR",
    "BACKUP_SECOND_DIR",
)
DATABASE_FILE_NAME = "tournament.sqlite3"


def local_addresses() -> list[str]:
    """This machine's own addresses in its network, without sending anything."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    return [address for address in found if not address.startswith("127.")]


def local_host_names() -> list[str]:
    """What this machine is called in its network; tablets find the second by the network's own means."""
    return [*local_addresses(), f"{socket.gethostname().partition('.')[0]}.local", "localhost", "127.0.0.1"]


def server_environment(data: Path, kind: str, host: str = "") -> dict[str, str]:
    """The server's own, and that of every command on the way to it; `host` is an address that was asked for."""
    drop = DROPPED_VARIABLES_OF_DEMO if kind == installation_folder.DEMO_KIND else DROPPED_VARIABLES
    own = {name: value for name, value in os.environ.items() if name not in drop}
    hosts = [*local_host_names(), "[::1]", socket.gethostname(), *([host] if host else [])]
    return {**own, "VAR_DIR": str(data), "ALLOWED_HOSTS": ",".join(dict.fromkeys(hosts)), "PYTHONUNBUFFERED": "1"}


def https_environment(own: dict[str, str], port: int) -> dict[str, str]:
    """The same behind https on this port; printed codes lead to the first of the names."""
    url = own.get("SITE_URL") or f"https://{local_host_names()[0]}:{port}"
    return {**own, "HTTPS": "1", "HSTS_SECONDS": "0", "SITE_URL": url}


def has_event_in_folder(data: Path) -> bool:
    """Whether the folder's database has an event in it."""
    return bool(query_count(data, "SELECT count(*) FROM tournament_event"))


def is_demo_folder(data: Path) -> bool:
    """Whether it is one that tournament.demo.stages has played, as the log says."""
    return bool(query_count(data, "SELECT count(*) FROM tournament_auditentry WHERE action = 'seed_event'"))


def query_count(data: Path, question: str) -> int:
    """A number from the folder's database; 0 where there is none yet."""
    if not (data / DATABASE_FILE_NAME).exists():
        return 0
    with closing(sqlite3.connect(data / DATABASE_FILE_NAME)) as database:
        try:
            return int(database.execute(question).fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def refuse_restored(kind: str) -> None:
    """A command before the first make command worked on the event's folder; a make command that serves another one
    would show something else than what was restored there."""
    data = installation_folder.VAR_FOLDER / installation_folder.EVENT_KIND
    demo = installation_folder.VAR_FOLDER / installation_folder.DEMO_KIND
    is_served = kind == installation_folder.EVENT_KIND or installation_folder.kind_of_folder(data)
    if is_served or not has_event_in_folder(data):
        return
    if is_demo_folder(data) and not (demo / DATABASE_FILE_NAME).exists():
        data.rename(demo)
        print(f"The demo that was restored in {data} is in {demo} now.", flush=True)
        return
    what = f"VAR_DIR={data} make lan" if is_demo_folder(data) else "make event"
    sys.exit(f"{data} has an event that no make command has served yet. To serve it: {what}")


def begin_data_folder(kind: str) -> Path:
    """The data folder of a make command, which every command without VAR_DIR means from now on; ends with words where
    it is the other kind's."""
    data = Path(os.environ.get("VAR_DIR") or installation_folder.VAR_FOLDER / kind).absolute()
    if not os.environ.get("VAR_DIR"):
        refuse_restored(kind)
    installation_folder.act_as_owner(data)
    try:
        installation_folder.use_folder(data, kind)
    except (installation_folder.OtherFolderKind, OSError) as refusal:
        sys.exit(str(refusal))
    return data


def run_step_before_serving(env: dict[str, str], *command: str, shown: bool = False, typed: str | None = None) -> None:
    """A step before serving; its failure is shown and ends everything."""
    done = subprocess.run(
        [sys.executable, *command], cwd=SERVING_PROJECT_ROOT, env=env, capture_output=True, text=True, input=typed
    )
    if done.returncode != 0:
        print((done.stdout + done.stderr).rstrip(), file=sys.stderr)
        sys.exit(done.returncode)
    if shown:
        print(done.stdout, end="", flush=True)


def prepare_installation(env: dict[str, str]) -> None:
    """Tables, static files, the key: each step finds out for itself whether there is anything to do."""
    run_step_before_serving(env, "manage.py", "migrate", "--verbosity", "0")
    run_step_before_serving(env, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    run_step_before_serving(env, "manage.py", "signature_key")


def free_gunicorn_port() -> int:
    """One of this machine's own, for gunicorn behind the front."""
    with socket.socket() as probe:
        probe.bind((preflight.THIS_MACHINE, 0))
        return int(probe.getsockname()[1])


def server_commands(data: Path, request: ServingRequest, certificate: tuple[Path, Path] | None) -> dict[str, list[str]]:
    """Front, program and worker. Without a front the program answers this machine alone."""
    has_front = preflight.has_nginx()
    behind = f"{preflight.THIS_MACHINE}:{free_gunicorn_port() if has_front else request.chosen_port}"
    gunicorn = ["-m", "gunicorn", "tournament.wsgi", "--bind", behind, "--no-control-socket"]
    threads = ["--workers", "2", "--threads", "4", "--graceful-timeout", "10", "--log-level", "warning"]
    own = {
        "gunicorn": [sys.executable, *gunicorn, *threads],
        "manage.py work": [sys.executable, "manage.py", "work", "--with-parent"],
    }
    if not has_front:
        return own
    listen = f"{request.chosen_host}:{request.chosen_port}"
    return {"nginx": front.prepare_nginx_command(data, listen, behind, certificate), **own}


def refuse_faults(request: ServingRequest, folder: Path) -> None:
    """End with words, before anything was changed, where this cannot be served."""
    if (server := installation_folder.server_of_folder(folder)) is not None:
        sys.exit(served_already(folder, server, request))
    if faults := preflight.serving_faults(request, folder):
        sys.exit(preflight.report_of(faults))


def served_already(folder: Path, server: str, request: ServingRequest) -> str:
    """Who serves the folder, and the three ways from there."""
    target = request.target
    other = f"VAR_DIR={folder}-2 make {'demo' if target == 'demo-reset' else target} PORT="
    free = preflight.next_free_port(request.chosen_host, preflight.DEFAULT_PORTS[target])
    return (
        f"{folder} is served by {server or 'another command, which has not said its address yet'}; "
        f"make {target} has changed nothing.\n"
        "Open that address; or end that server (Ctrl-C where it runs, or kill its process) and type this again;\n"
        f"or serve another beside it: {other}{free}"
    )


@contextmanager
def held_folder(folder: Path, request: ServingRequest, address: str) -> Iterator[None]:
    """Nobody else prepares, resets or serves this folder meanwhile; Ctrl-C ends it without a traceback."""
    server = f"make {request.target} (process {os.getpid()}) at {address}"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with installation_folder.hold_folder_while_serving(folder, server):
            yield
    except BlockingIOError:
        sys.exit(served_already(folder, installation_folder.server_of_folder(folder) or "", request))
    except KeyboardInterrupt:
        sys.exit("\nStopped before anything was served.")


def serve_processes(
    data: Path,
    env: dict[str, str],
    request: ServingRequest,
    ready: Callable[[], None],
    certificate: tuple[Path, Path] | None = None,
) -> None:
    """Serve until this process is told to end; `ready` is called when the first page answers."""
    if faults := preflight.port_faults(request):
        sys.exit(preflight.report_of(faults))
    host = preflight.THIS_MACHINE if request.chosen_host == preflight.WHOLE_NETWORK else request.chosen_host
    port = request.chosen_port

    def answers(process: int) -> bool:
        return listens_at(process, port) and answers_first_page(host, port, certificate is not None)

    commands = server_commands(data, request, certificate)
    RestartingProcesses(commands, env, SERVING_PROJECT_ROOT).watch(answers, ready)

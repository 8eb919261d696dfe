"""What `make demo`, `make lan` and `make event` have in common: the way to a server that answers, and the server.

One process looks after three: nginx in front where it is there, gunicorn, and the worker for long work. One that ends
is begun again, while the front goes on; all end with this one.
"""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import FrameType

from scripts import front
from tournament import folder

ROOT = folder.ROOT
# Of the person's own environment; nothing of a production reaches the laptop's server.
OTHERS = ("DATABASE_URL", "HTTPS", "DEBUG", "REDIS_URL", "ENVIRONMENT_FILE", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS")
OTHERS_OF_A_DEMO = (*OTHERS, "SECRET_KEY", "SIGNATURE_KEY", "EMAIL_URL", "BACKUP_DIR", "BACKUP_SECOND_DIR")
DATABASE = "tournament.sqlite3"
AGAIN_AFTER = 1.0
PATIENCE = 20.0


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


def names_here() -> list[str]:
    """What this machine is called in its network; tablets find the second by the network's own means."""
    return [*local_addresses(), f"{socket.gethostname().partition('.')[0]}.local", "localhost", "127.0.0.1"]


def environment(data: Path, kind: str) -> dict[str, str]:
    """The server's own, and that of every command on the way to it."""
    drop = OTHERS_OF_A_DEMO if kind == folder.DEMO else OTHERS
    own = {name: value for name, value in os.environ.items() if name not in drop}
    hosts = [*names_here(), "[::1]", socket.gethostname()]
    return {**own, "VAR_DIR": str(data), "ALLOWED_HOSTS": ",".join(dict.fromkeys(hosts)), "PYTHONUNBUFFERED": "1"}


def secure(own: dict[str, str], port: int) -> dict[str, str]:
    """The same behind https on this port; printed codes lead to the first of the names."""
    url = own.get("SITE_URL") or f"https://{names_here()[0]}:{port}"
    return {**own, "HTTPS": "1", "HSTS_SECONDS": "0", "SITE_URL": url}


def has_event(data: Path) -> bool:
    """Whether the folder's database has an event in it."""
    return bool(asked(data, "SELECT count(*) FROM tournament_event"))


def is_demo(data: Path) -> bool:
    """Whether it is one that tournament.demo.stages has played, as the log says."""
    return bool(asked(data, "SELECT count(*) FROM tournament_auditentry WHERE action = 'seed_event'"))


def asked(data: Path, question: str) -> int:
    """A number from the folder's database; 0 where there is none yet."""
    if not (data / DATABASE).exists():
        return 0
    with closing(sqlite3.connect(data / DATABASE)) as database:
        try:
            return int(database.execute(question).fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def refuse_restored(kind: str) -> None:
    """A command before the first make command worked on the event's folder; a make command that serves another one
    would show something else than what was restored there."""
    data = folder.VAR / folder.EVENT
    if kind == folder.EVENT or folder.kind_of(data) or not has_event(data):
        return
    if is_demo(data) and not (folder.VAR / folder.DEMO / DATABASE).exists():
        data.rename(folder.VAR / folder.DEMO)
        print(f"The demo that was restored in {data} is in {folder.VAR / folder.DEMO} now.", flush=True)
        return
    what = f"VAR_DIR={data} make lan" if is_demo(data) else "make event"
    sys.exit(f"{data} has an event that no make command has served yet. To serve it: {what}")


def begin(kind: str) -> Path:
    """The data folder of a make command, which every command without VAR_DIR means from now on; ends with words where
    it is the other kind's."""
    data = Path(os.environ.get("VAR_DIR") or folder.VAR / kind)
    if not os.environ.get("VAR_DIR"):
        refuse_restored(kind)
    folder.act_as_owner(data)
    try:
        folder.use(data, kind)
    except (folder.OtherKind, OSError) as refusal:
        sys.exit(str(refusal))
    return data


def run(env: dict[str, str], *command: str, shown: bool = False, typed: str | None = None) -> None:
    """A step before serving; its failure is shown and ends everything."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, input=typed)
    if done.returncode != 0:
        print((done.stdout + done.stderr).rstrip(), file=sys.stderr)
        sys.exit(done.returncode)
    if shown:
        print(done.stdout, end="", flush=True)


def prepare(env: dict[str, str]) -> None:
    """Words, tables, static files, the key: each step finds out for itself whether there is anything to do."""
    run(env, "scripts/compile_words.py")
    run(env, "manage.py", "migrate", "--verbosity", "0")
    run(env, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    run(env, "manage.py", "signature_key")


def port_is_free(port: int) -> bool:
    """Whether the server may have it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def refuse_taken(port: int, target: str) -> None:
    """End with words where somebody has the port."""
    if not port_is_free(port):
        sys.exit(f"Port {port} is taken. Stop what uses it, or: make {target} PORT={port + 1}")


def free_port() -> int:
    """One of this machine's own, for gunicorn behind the front."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def processes(data: Path, port: int, certificate: tuple[Path, Path] | None) -> list[list[str]]:
    """Front, program and worker. Without a front the program answers this machine alone."""
    behind = free_port() if front.is_there() else port
    gunicorn = ["-m", "gunicorn", "tournament.wsgi", "--bind", f"127.0.0.1:{behind}", "--no-control-socket"]
    program = [sys.executable, *gunicorn, "--workers", "2", "--threads", "4", "--log-level", "warning"]
    worker = [sys.executable, "manage.py", "work", "--with-parent"]
    own = [program, worker]
    return [front.command(data, port, f"127.0.0.1:{behind}", certificate), *own] if front.is_there() else own


def serve(data: Path, env: dict[str, str], port: int, certificate: tuple[Path, Path] | None = None) -> None:
    """Serve until this process is told to end."""
    try:
        with folder.served(data):
            Kept(processes(data, port, certificate), env).watch()
    except BlockingIOError:
        sys.exit(f"{data} is served already. Stop that server first.")


class Kept:
    """Processes that are begun again when they end, until the end of this one; they end with it even when it is
    killed."""

    def __init__(self, commands: Sequence[Sequence[str]], env: dict[str, str]) -> None:
        bound = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
        self.commands = [[*bound, *command] for command in commands]
        self.env = env
        self.running: list[subprocess.Popen[bytes]] = []
        self.stopping = False

    def watch(self) -> None:
        """Start all; begin again what ends. SIGTERM and Ctrl-C end it; SIGHUP begins the program anew."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        signal.signal(signal.SIGHUP, self.pass_on)
        self.running = [self.start(command) for command in self.commands]
        while not self.stopping:
            time.sleep(AGAIN_AFTER / 2)
            for place, process in enumerate(self.running):
                if process.poll() is not None and not self.stopping:
                    print(f"{self.commands[place][-1]} ended ({process.returncode}); it is begun again.", flush=True)
                    time.sleep(AGAIN_AFTER)
                    self.running[place] = self.start(self.commands[place])
        self.end()

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """One of them."""
        return subprocess.Popen(command, cwd=ROOT, env=self.env)

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Told to end."""
        self.stopping = True

    def pass_on(self, number: int, _frame: FrameType | None) -> None:
        """Let the program read its code again; the front stays."""
        for process in self.running:
            process.send_signal(signal.SIGTERM if "manage.py" in process.args else number)  # type: ignore[operator]

    def end(self) -> None:
        """End all, the front last."""
        for process in reversed(self.running):
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in self.running:
            try:
                process.wait(max(until - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()

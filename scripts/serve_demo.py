"""`make demo`: the made-up event in SQLite, seeded once, served by gunicorn on this machine and its network."""

import argparse
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# DEMO_DIR: elsewhere, so that a test leaves the demo that somebody is looking at alone.
VAR = Path(os.environ.get("DEMO_DIR") or ROOT / "var" / "demo")
STAGES = ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")


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


def environment(port: int) -> dict[str, str]:
    """The demo's own settings; nothing of a production environment reaches it."""
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "HTTPS", "DEBUG", "SECRET_KEY", "REDIS_URL", "EMAIL_URL")
    }
    hosts = ["localhost", "127.0.0.1", "[::1]", socket.gethostname(), *local_addresses()]
    return {**own, "VAR_DIR": str(VAR), "ALLOWED_HOSTS": ",".join(dict.fromkeys(hosts)), "PYTHONUNBUFFERED": "1"}


def run(env: dict[str, str], *command: str) -> None:
    """A step before serving; its failure is shown and ends the demo."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit((done.stdout + done.stderr).rstrip())
    if "seed" in command:
        print(done.stdout, end="", flush=True)


def port_is_free(port: int) -> bool:
    """Whether the server may have it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def prepare(env: dict[str, str], stage: str, seed: int) -> None:
    """Words, tables, static files, the event: each step finds out for itself whether there is anything to do."""
    run(env, "scripts/compile_words.py")
    run(env, "manage.py", "migrate", "--verbosity", "0")
    run(env, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    if not (VAR / "seeded").exists():
        print(f"Playing the event up to: {stage or 'results'} ...", flush=True)
    run(env, "manage.py", "seed", "--keep", "--seed", str(seed), *(["--stage", stage] if stage else []))
    (VAR / "seeded").touch()


def say_addresses(port: int) -> None:
    """Where it is to be seen."""
    for host in ["localhost", *local_addresses()]:
        print(f"  http://{host}:{port}/        the desk")
        print(f"  http://{host}:{port}/p/      what the public sees")
    print("Stop with Ctrl-C. `make demo` goes on where you left it, `make demo-reset` starts over.", flush=True)


def main() -> None:
    """Prepare, say, serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", choices=["", *STAGES], default="")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reset", action="store_true")
    options = parser.parse_args()
    if not port_is_free(options.port):
        sys.exit(f"Port {options.port} is taken. Stop what uses it, or: make demo PORT={options.port + 1}")
    if options.reset:
        shutil.rmtree(VAR, ignore_errors=True)
    VAR.mkdir(parents=True, exist_ok=True)
    env = environment(options.port)
    prepare(env, options.stage, options.seed)
    say_addresses(options.port)
    # Long work, beside the server: it ends when the server does, whose process this one becomes.
    subprocess.Popen([sys.executable, "manage.py", "work", "--with-parent"], cwd=ROOT, env=env)
    gunicorn = [sys.executable, "-m", "gunicorn", "tournament.wsgi", "--bind", f"0.0.0.0:{options.port}"]
    os.chdir(ROOT)
    os.execve(sys.executable, [*gunicorn, "--workers", "2", "--threads", "4", "--log-level", "warning"], env)


if __name__ == "__main__":
    main()

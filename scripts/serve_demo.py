"""`make demo`: the made-up event in SQLite, seeded once, served on this machine and, where nginx can stand in front, in
its network."""

import argparse
import os
import shutil
import sys
from pathlib import Path

from scripts import front, serving
from tournament.folder import DEMO, VAR, OtherKind, is_served, kind_of, refuse_other_kind

STAGES = ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")


def play(data: Path, env: dict[str, str], stage: str, seed: int) -> None:
    """Everything up to a server: what is there already is left as it is."""
    serving.prepare(env)
    if not (data / "seeded").exists():
        print(f"Playing the event up to: {stage or 'results'} ...", flush=True)
    chosen = ["--stage", stage] if stage else []
    serving.run(env, "manage.py", "seed", "--keep", "--seed", str(seed), *chosen, shown=True)
    (data / "seeded").touch()


def reset(data: Path) -> None:
    """Throw the demo away; whatever is no demo stays."""
    try:
        refuse_other_kind(data, DEMO)
    except OtherKind as refusal:
        sys.exit(str(refusal))
    if is_served(data):
        sys.exit(f"{data} is being served. Stop that server first: Ctrl-C where it was started.")
    if data.exists() and kind_of(data) is None and data != VAR / DEMO:
        sys.exit(f"{data} is not known to be a demo's folder; it is left as it is. Remove it by hand if it is one.")
    shutil.rmtree(data, ignore_errors=True)


def say_addresses(port: int) -> None:
    """Where it is to be seen."""
    for host in ["localhost", *(serving.local_addresses() if front.is_there() else [])]:
        print(f"  http://{host}:{port}/        the desk")
        print(f"  http://{host}:{port}/p/      what the public sees")
    if not front.is_there():
        print(
            "On this machine alone; for others in its network nginx has to stand in front: apt-get install nginx-light"
        )
    print("Stop with Ctrl-C. `make demo` goes on where you left it, `make demo-reset` starts over.", flush=True)


def main() -> None:
    """Prepare, say, serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", choices=["", *STAGES], default="")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reset", action="store_true")
    options = parser.parse_args()
    serving.refuse_taken(options.port, "demo")
    if options.reset:
        reset(Path(os.environ.get("VAR_DIR") or VAR / DEMO))
    data = serving.begin(DEMO)
    env = serving.environment(data, DEMO)
    play(data, env, options.stage, options.seed)
    say_addresses(options.port)
    serving.serve(data, env, options.port)


if __name__ == "__main__":
    main()

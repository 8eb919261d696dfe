"""`make demo`: the made-up event in SQLite, seeded once, served on this machine alone unless HOST says otherwise."""

import argparse
import sys
from pathlib import Path

from scripts import demo_reset, preflight, serving
from scripts.preflight import ServingRequest
from tournament.core.installation_folder import (
    DEMO_KIND,
    VAR_FOLDER,
    OtherFolderKind,
    kind_of_folder,
    refuse_other_kind,
)

NETWORK_WARNING = (
    "Everybody in this network can open it and sign in with the passwords above, as an organiser too: "
    "it is for rehearsals, with made-up people."
)


def play_demo_until(data: Path, env: dict[str, str], request: ServingRequest) -> None:
    """Everything up to a server: what is there already is left as it is, and an event that is not yet there is played
    beside it."""
    demo_reset.settle_replacement(data)
    serving.prepare_installation(env)
    if not (data / "seeded").exists():
        print(f"Playing the event up to: {request.stage or 'results'} ...", flush=True)
    elif request.event:
        print(f"Playing {request.event} beside what is there, unless it is there too ...", flush=True)
    chosen = ["--stage", request.stage] if request.stage else []
    chosen += ["--event", request.event] if request.event else []
    seed = ["--keep", "--seed", str(request.chosen_seed)]
    serving.run_step_before_serving(env, "manage.py", "seed", *seed, *chosen, shown=True)
    (data / "seeded").touch()


def refuse_reset(data: Path) -> None:
    """End with words where the folder is not known to be a demo's."""
    try:
        refuse_other_kind(data, DEMO_KIND)
    except OtherFolderKind as refusal:
        sys.exit(str(refusal))
    if data.exists() and kind_of_folder(data) is None and data != VAR_FOLDER / DEMO_KIND:
        sys.exit(f"{data} is not known to be a demo's folder; it is left as it is. Remove it by hand if it is one.")


def play_demo_anew(data: Path, request: ServingRequest) -> None:
    """In place of the demo that is there, which stays as it is until the new one is whole."""

    def play(folder: Path) -> None:
        env = serving.server_environment(folder, DEMO_KIND, request.host)
        play_demo_until(folder, env, request)

    demo_reset.replace_demo(data, play)


def print_addresses(request: ServingRequest) -> None:
    """Where it is to be seen, and by whom."""
    hosts = ["localhost"]
    if not request.is_for_this_machine_alone:
        hosts = serving.local_addresses() if request.chosen_host == preflight.WHOLE_NETWORK else []
        hosts = ["localhost", *hosts] if hosts else [request.chosen_host]
    print("It answers:")
    for host in hosts:
        print(f"  http://{host}:{request.chosen_port}/        the desk")
        print(f"  http://{host}:{request.chosen_port}/p/      what the public sees")
    if request.is_for_this_machine_alone:
        print("On this machine alone. For others in its network: make lan, or HOST=0.0.0.0 for plain http.")
    else:
        print(NETWORK_WARNING)
    print("Stop with Ctrl-C. `make demo` goes on where you left it, `make demo-reset` starts over.", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    preflight.add_request_options(parser)
    parser.add_argument("--reset", action="store_true")
    options = parser.parse_args()
    request = preflight.request_of(options, "demo-reset" if options.reset else "demo")
    folder = preflight.data_folder_of(request.target)
    serving.refuse_faults(request, folder)
    if options.reset:
        refuse_reset(folder)
    data = serving.begin_data_folder(DEMO_KIND)
    with serving.held_folder(data, request, f"http://localhost:{request.chosen_port}/"):
        env = serving.server_environment(data, DEMO_KIND, request.host)
        if options.reset:
            play_demo_anew(data, request)
        else:
            play_demo_until(data, env, request)
        serving.serve_processes(data, env, request, lambda: print_addresses(request))


if __name__ == "__main__":
    main()

"""`python -m tests.reliability.one FIGURE`: one figure on the empty database of DATABASE_URL, printed as JSON.

Figures: `races` and `races_http` (Q6, Q7), `fuzz` (Q10), `guards` (Q16) and `drill` (Q18) with their controls, `kills`
(Q4), `syncs` (Q5), `tampers` and `alarms` (Q15), `mutations` (Q11, on SQLite); `--control` runs kills, syncs and
mutations with the safety off.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from django.db import connection, transaction

from tests.reliability import (
    django_ready,
    drill,
    false_alarms,
    fuzz,
    guard_paths,
    histories,
    injections,
    kills,
    lifecycle,
    mutations,
    races,
    races_http,
    tracing,
)
from tests.reliability.databases import kill_cluster, own_cluster
from tests.reliability.figures import Figure
from tests.reliability.fuzz_world import make_fuzz_world
from tests.reliability.server import Server
from tests.reliability.world import make_world
from tests.small_event import small_fixtures
from tournament.demo.stages import seed_event

LOST = "kill -9 of the server while 25 people save: acknowledged writes lost, doubled or not audited"
STEPS = 50
CONTROL_TRIES = 12
UNSYNCED = "replies sent while a write was not yet synced to the disk"


def run_races(options: argparse.Namespace) -> list[Figure]:
    """Q6 and Q7."""
    return races.figures(make_world(tables=4, clerks=4), options.n, max(options.n // 10, 10))


def run_races_http(options: argparse.Namespace) -> list[Figure]:
    """Q6 and Q7 at the API of a real server."""
    return races_http.figures(make_world(tables=4, clerks=4), options.n, max(options.n // 10, 10))


def run_kills(options: argparse.Namespace) -> list[Figure]:
    """Q4."""
    world = make_world(tables=25, clerks=25)
    made = own_cluster()
    server = Server("tests.reliability.naive_wsgi" if options.control else "tournament.wsgi")
    kill_database = (lambda: kill_cluster(made)) if made else None
    outcome = kills.kill_and_count(world, server, options.n, options.acks, options.seed, kill_database)
    acknowledged, tried = outcome.acknowledged, 1
    while options.control and not outcome.failures and tried < CONTROL_TRIES:
        # Whether a kill falls between two of the careless server's commits is chance: it goes on until one does.
        outcome = kills.kill_and_count(world, server, options.n, 0, options.seed + 1000 * tried, kill_database)
        acknowledged, tried = acknowledged + outcome.acknowledged, tried + 1
    figure = Figure("Q4", LOST, connection.vendor, acknowledged, outcome.failures, options.acks, options.seed)
    figure.facts = asdict(outcome)
    return [figure]


def run_syncs(options: argparse.Namespace) -> list[Figure]:
    """Q5."""
    trace = tracing.trace_saves(make_world(tables=1), options.n, options.control)
    figure = Figure("Q5", UNSYNCED, connection.vendor, trace.acknowledged, trace.unsynced, options.n, options.seed)
    figure.facts = {"log_writes": trace.log_writes, "calls": [] if options.control else trace.calls}
    return [figure]


def run_fuzz(options: argparse.Namespace) -> list[Figure]:
    """Q10."""
    return [fuzz.figure(make_fuzz_world(), options.n, options.seed, connection.vendor)]


def run_mutations(options: argparse.Namespace) -> list[Figure]:
    """Q11, or its control: the same files given to a reader without limits, order of encodings or care."""
    read = mutations.read_carelessly if options.control else mutations.read_safely
    outcome = mutations.run(*mutations.empty_event(), options.n, options.seed, read)
    title = "damaged or forged lists that crash, hang, take 256 MiB, are entered in part or read as other text"
    failures = sum(outcome.failures.values())
    figure = Figure("Q11", title, connection.vendor, outcome.tried, failures, options.n, options.seed)
    figure.facts = asdict(outcome)
    return [figure]


def run_tampers(options: argparse.Namespace) -> list[Figure]:
    """Q15: every kind of tampering there is, each in the world that it is about."""
    missed, counts = [], {}
    with tempfile.TemporaryDirectory(prefix="fixtures-") as folder:
        worlds = {False: lambda: seed_event("released", 2, small_fixtures(Path(folder))), True: histories.make_conduct}
        for conduct, make in worlds.items():
            with suppress(false_alarms.Undone), transaction.atomic():
                kinds = injections.of_world(conduct)
                counts["conduct" if conduct else "rows and guards"] = len(kinds)
                missed += injections.unfound(make(), kinds)
                raise false_alarms.Undone
    tried = sum(counts.values())
    title = "kinds of tampering not found, or another thing named, by either verifier"
    figure = Figure("Q15", title, connection.vendor, tried, len(missed), 40, options.seed, need_control=False)
    figure.facts = {**counts, "detected": tried - len(missed), "missed": missed}
    return [figure]


def run_alarms(options: argparse.Namespace) -> list[Figure]:
    """Q15: verifiers after random legal histories, where nothing has been altered."""
    found, done = false_alarms.run(histories.make_event(), options.n, options.seed)
    title = "false alarms after a random legal history of 45 acts"
    figure = Figure("Q15", title, connection.vendor, options.n, len(found), options.n, options.seed, need_control=False)
    figure.facts = {"acts": dict(sorted(done.items())), "alarms": found}
    return [figure]


def run_guards(options: argparse.Namespace) -> list[Figure]:
    """Q16."""
    return guard_paths.figures(options.seed)


def run_drill(options: argparse.Namespace) -> list[Figure]:
    """Q18: one whole backup brought back twice, the others damaged or behind the anchors."""
    outcome = drill.run()
    title = "backups damaged or behind the anchors that were taken, or touched the target; whole ones not as they were"
    figure = Figure("Q18", title, connection.vendor, outcome.tried, len(outcome.problems), 51, options.seed)
    figure.control_n, figure.control_failures = outcome.tried, outcome.careless
    figure.facts = asdict(outcome)
    return [figure]


def run_lifecycle(options: argparse.Namespace) -> list[Figure]:
    """Q3, `n` lives; or its control: a writer who overwrites what he has not seen, whom the model has to notice."""
    if options.control:
        return [lifecycle.control(options.n, STEPS, connection.vendor)]
    return [lifecycle.figure(options.n, STEPS, connection.vendor, options.seed)]


RUNS: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "races": run_races,
    "races_http": run_races_http,
    "kills": run_kills,
    "syncs": run_syncs,
    "fuzz": run_fuzz,
    "mutations": run_mutations,
    "tampers": run_tampers,
    "alarms": run_alarms,
    "lifecycle": run_lifecycle,
    "drill": run_drill,
    "guards": run_guards,
}


def main() -> None:
    """Make the tables, run, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("figure", choices=RUNS)
    parser.add_argument("--n", type=int, default=10, help="rounds, kills or replies")
    parser.add_argument("--acks", type=int, default=0, help="acknowledged writes to go on to")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--control", action="store_true", help="with the safety switched off")
    options = parser.parse_args()
    started = time.monotonic()
    django_ready.make_tables()
    figures = RUNS[options.figure](options)
    for figure in figures:
        figure.seconds = round(figure.seconds or time.monotonic() - started, 1)
    print(json.dumps([figure.as_data() for figure in figures]))


if __name__ == "__main__":
    main()

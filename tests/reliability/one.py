"""`python -m tests.reliability.one FIGURE`: one figure on the empty database of DATABASE_URL, printed as JSON.

Figures: `lifecycle` (Q3), `kills` and `kills_tablets` (Q4), `syncs` and `syncs_tablets` (Q5), `races`, `races_http` and
`races_tablets` (Q6, Q7), `races_decisions` (on PostgreSQL), `network` (Q8), `outbox` (Q9, in Chromium), `bar_said`
(what the bar said, in Chromium), `fuzz` (Q10), `mutations` (Q11, on SQLite), `names`, `tampers` and `alarms` (Q15),
`guards` (Q16), `drill` (Q18), `mails` (Q19), `last_word` and `last_seats` (the newest by mail), `sky` (days of
weather), `falsifier` (what pages say), `privacy` (Q20), `forged` (backups without the key), `roles` (over two events),
`slow_clients`, `big_bodies` and `second_laptop`. Some have their control with them; `--control` runs the others with
the safety off.
"""

import argparse
import json
import os
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection
from playwright.sync_api import sync_playwright

import tests.reliability.django_ready  # before anything that has models
from tests.browser import SHELL
from tests.claims import falsifier
from tests.reliability import (
    bar_said,
    big_bodies,
    clients,
    drill,
    evidence_figures,
    forged_backups,
    fuzz,
    guard_paths,
    kills,
    last_seats,
    last_word,
    lifecycle,
    mail_workers,
    mailings,
    mixed_roles,
    mutations,
    names,
    network,
    outbox,
    privacy_files,
    races,
    races_decisions,
    races_http,
    races_tablets,
    second_laptop,
    sky,
    slow_clients,
    tracing,
)
from tests.reliability.databases import kill_cluster, own_cluster
from tests.reliability.figures import Figure
from tests.reliability.fuzz_world import make_fuzz_world
from tests.reliability.server import Server
from tests.reliability.world import FIXTURES, PASSWORD, make_tablet_world, make_world
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.setup.services import setup

LOST = "kill -9 of the server while 25 people save: acknowledged writes lost, doubled or not audited"
LOST_TABLETS = "kill -9 of the server under 25 tablets that save, sign and deliver: lost, doubled or not audited"
# Each tablet locks one sheet after another; the last of a tablet's is never locked.
SESSIONS = 6
STEPS = 50
CONTROL_TRIES = 12
FAST_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"
UNSYNCED = "replies sent while a write was not yet synced to the disk"
UNSYNCED_TABLET = "answers to a tablet sent while a write was not yet synced to the disk"


def run_races(options: argparse.Namespace) -> list[Figure]:
    return races.figures(make_world(tables=4, clerks=4), options.n, max(options.n // 10, 10))


def run_races_http(options: argparse.Namespace) -> list[Figure]:
    """Q6 and Q7 at the API of a real server."""
    return races_http.figures(make_world(tables=4, clerks=4), options.n, max(options.n // 10, 10))


def run_races_tablets(options: argparse.Namespace) -> list[Figure]:
    """Q6 and Q7 at the tables."""
    control = max(options.n // 10, 10)
    return races_tablets.figures(make_tablet_world(races_tablets.tables_for(options.n, control)), options.n, control)


def run_races_decisions(options: argparse.Namespace) -> list[Figure]:
    """Ties, places, the list of finalists, an exchange, corrections; nobody signs in."""
    settings.PASSWORD_HASHERS = [FAST_HASHER]
    return races_decisions.figures(options.n, max(options.n // 5, 5))


def run_kills(options: argparse.Namespace) -> list[Figure]:
    world = make_world(tables=25, clerks=25)
    application = "tests.reliability.naive_wsgi" if options.control else "tournament.wsgi"
    figure = killed(options, application, LOST, world.event, partial(kills.typists, world))
    figure.facts["sizes"] = "a quarter of the catalogue's 60 kills and 3,000 writes; the tablets have them whole"
    return [figure]


def run_kills_tablets(options: argparse.Namespace) -> list[Figure]:
    world = make_tablet_world(tables=25, sessions=SESSIONS)
    application = "tests.reliability.naive_api_wsgi" if options.control else "tournament.wsgi"
    return [killed(options, application, LOST_TABLETS, world.event, partial(kills.referees, world))]


def killed(
    options: argparse.Namespace,
    application: str,
    title: str,
    event: Event,
    people: Callable[[str, int], list[clients.Person]],
) -> Figure:
    """The server is killed under these people; the careless one until a kill shows what is lost."""
    made, server = own_cluster(), Server(application)
    kill_database = (lambda: kill_cluster(made)) if made else None

    def once(acks: int, seed: int) -> kills.Outcome:
        return kills.kill_and_count(event, people(server.url, seed), server, options.n, acks, seed, kill_database)

    outcome = once(options.acks, options.seed)
    acknowledged, tried = outcome.acknowledged, 1
    while options.control and not outcome.failures and tried < CONTROL_TRIES:
        # Whether a kill falls between two of the careless server's commits is chance: it goes on until one does.
        outcome = once(0, options.seed + 1000 * tried)
        acknowledged, tried = acknowledged + outcome.acknowledged, tried + 1
    figure = Figure("Q4", title, connection.vendor, acknowledged, outcome.failures, options.acks, options.seed)
    figure.facts = asdict(outcome)
    return figure


def run_syncs(options: argparse.Namespace) -> list[Figure]:
    return [traced(options, UNSYNCED, tracing.clerk_at(make_world(tables=1)), tracing.PAGE_SAYS_YES)]


def run_syncs_tablets(options: argparse.Namespace) -> list[Figure]:
    """Q5: the answers to a tablet."""
    return [traced(options, UNSYNCED_TABLET, tracing.tablet_at(make_tablet_world(1)), tracing.TABLET_HEARS_YES)]


def traced(
    options: argparse.Namespace, title: str, person_at: Callable[[str], clients.Person], yes: re.Pattern[str]
) -> Figure:
    """One person's replies against the system calls."""
    trace = tracing.trace_writes(person_at, yes, options.n, options.control)
    figure = Figure("Q5", title, connection.vendor, trace.acknowledged, trace.unsynced, options.n, options.seed)
    figure.facts = {"log_writes": trace.log_writes, "calls": [] if options.control else trace.calls}
    return figure


def run_fuzz(options: argparse.Namespace) -> list[Figure]:
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


def run_guards(options: argparse.Namespace) -> list[Figure]:
    return guard_paths.figures(options.seed)


def run_drill(options: argparse.Namespace) -> list[Figure]:
    """Q18: one whole backup brought back twice, the others damaged or behind the anchors."""
    outcome = drill.run()
    title = "backups damaged or behind the anchors that were taken, or touched the target; whole ones not as they were"
    figure = Figure("Q18", title, connection.vendor, outcome.tried, len(outcome.problems), 51, options.seed)
    figure.control_n, figure.control_failures = outcome.tried, outcome.careless
    figure.facts = asdict(outcome)
    return [figure]


def run_forged_backups(options: argparse.Namespace) -> list[Figure]:
    """Backups made by somebody who lacks the key."""
    make_world(tables=2)
    with tempfile.TemporaryDirectory(prefix="forged-") as folder:
        outcome = forged_backups.try_all(Path(folder))
    title = "forged backups that `verify` or `restore` took for one of ours"
    figure = Figure("forged", title, connection.vendor, outcome.tried, len(outcome.taken), 32, options.seed)
    figure.control_n, figure.control_failures = outcome.tried // 2, outcome.careless
    figure.facts = asdict(outcome)
    return [figure]


def run_privacy(options: argparse.Namespace) -> list[Figure]:
    """Q20: values planted through every door, all erased, every byte searched; who forgets a kind is found."""
    with tempfile.TemporaryDirectory(prefix="fixtures-") as folder:
        outcome = privacy_files.run(Path(folder), options.seed)
    title = "personal values left in rows, files or the database's own files after an erasure, or a finding after it"
    unexpected = outcome.stays_by_design != privacy_files.STAYS_BY_DESIGN
    failures = len(outcome.left) + outcome.findings + len(outcome.unseen_doors) + unexpected
    figure = Figure("Q20", title, connection.vendor, outcome.found_before, failures, 200, options.seed)
    # Every kind that is forgotten has to be found.
    figure.control_n = outcome.kinds
    figure.control_failures = len(outcome.forgotten) if len(outcome.forgotten) == outcome.kinds else 0
    figure.facts = asdict(outcome)
    return [figure]


def run_mails(options: argparse.Namespace) -> list[Figure]:
    """Q19: `n` mails, a kill for every 120, three at least; by Celery on PostgreSQL, without a broker on SQLite."""
    event = setup.create_event(json.loads((FIXTURES / "event.json").read_text(encoding="utf-8")))
    organiser = accounts.create_account(event, "organiser", PASSWORD, "organiser", [Role.ORGANISER])
    hands = mail_workers.without_broker if connection.vendor == "sqlite" else mail_workers.with_broker
    if options.control:
        hands = mail_workers.careless
    with tempfile.TemporaryDirectory(prefix="mails-") as folder:
        kills = max(options.n // 120, 3)
        outcome = mailings.run(event, organiser, hands, Path(folder), count=options.n, kills=kills, seed=options.seed)
    title = "mails left out, sent again more often than a worker was killed, or with what is another's"
    failures = outcome.harmed if options.control else outcome.failures
    figure = Figure("Q19", title, connection.vendor, options.n, failures, options.n, options.seed)
    figure.facts = outcome.facts
    return [figure]


def run_last_word(options: argparse.Namespace) -> list[Figure]:
    """`n` families and a notice for every 150, four at least; or the control, where nothing ends with its subject
    and nobody reads what came back."""
    event = setup.create_event(json.loads((FIXTURES / "event.json").read_text(encoding="utf-8")))
    organiser = accounts.create_account(event, "organiser", PASSWORD, "organiser", [Role.ORGANISER])
    sizes = {"count": options.n, "rounds": max(options.n // 150, 4), "kills": max(options.n // 300, 1)}
    with tempfile.TemporaryDirectory(prefix="words-") as folder:
        hands = mail_workers.unasking if options.control else mail_workers.without_broker
        given = {"seed": options.seed, "careless": options.control, "deaf": options.control, **sizes}
        outcome = last_word.run(event, organiser, hands, Path(folder), **given)
    title = "families whose last mail that stayed is not the newest notice, and who are on no list"
    figure = Figure("words", title, connection.vendor, options.n, outcome.wrong, options.n, options.seed)
    figure.facts = outcome.facts
    return [figure]


def run_last_seats(options: argparse.Namespace) -> list[Figure]:
    """The same of one session's seats and times, a hundred families at most and `n` changes of them."""
    event = setup.create_event(json.loads((FIXTURES / "event.json").read_text(encoding="utf-8")))
    organiser = accounts.create_account(event, "organiser", PASSWORD, "organiser", [Role.ORGANISER])
    sizes = {"count": last_seats.MOST, "rounds": options.n, "kills": max(options.n // 5, 1)}
    with tempfile.TemporaryDirectory(prefix="seats-") as folder:
        hands = mail_workers.unasking if options.control else mail_workers.without_broker
        given = {"seed": options.seed, "careless": options.control, **sizes}
        outcome = last_seats.run(event, organiser, hands, Path(folder), **given)
    title = "families whose last mail has another seat or hour than now, and who are on no list"
    figure = Figure("seats", title, connection.vendor, outcome.families, outcome.wrong, outcome.families, options.seed)
    figure.facts = outcome.facts
    return [figure]


def run_falsifier(options: argparse.Namespace) -> list[Figure]:
    """`n` moments of an event's day, all pages read at each; the control is every ground replaced by "true"."""
    began = time.monotonic()
    outcome, noticed = falsifier.run(options.n, options.seed)
    blind = [name for name, found in noticed.items() if not found]
    title = "moments of an event's day at which a page says what is not true, or a ground whose loss nobody notices"
    failures = len(outcome.wrong) + len(blind)
    figure = Figure("claims", title, connection.vendor, outcome.trials, failures, options.n, options.seed)
    figure.control_n, figure.control_failures = len(noticed), len(noticed) - len(blind)
    refused = sum(outcome.refused.values())
    figure.facts = {"sentences": sum(outcome.read.values()), "refused": refused, "wrong": outcome.wrong, "blind": blind}
    figure.seconds = round(time.monotonic() - began, 1)
    return [figure]


def run_lifecycle(options: argparse.Namespace) -> list[Figure]:
    """Q3, `n` lives; or its control: a writer who overwrites what he has not seen, whom the model has to notice."""
    if options.control:
        return [lifecycle.control(options.n, STEPS, connection.vendor)]
    return [lifecycle.figure(options.n, STEPS, connection.vendor, options.seed)]


def run_network(options: argparse.Namespace) -> list[Figure]:
    """Q8, or its control: tablets that renew keys, tablets that believe any 200."""
    return [network.figure(options.n, options.seed, options.control)]


def run_outbox(options: argparse.Namespace) -> list[Figure]:
    """Q9, or its control: a page whose items never reach the disk."""
    with tempfile.TemporaryDirectory(prefix="tablet-") as folder:
        return [outbox.figure(options.n, options.seed, Path(folder), options.control)]


def run_bar_said(options: argparse.Namespace) -> list[Figure]:
    """`n` histories; or the control: a tablet that believes what it was once told."""
    settings.PASSWORD_HASHERS = [FAST_HASHER]  # a PIN is typed every other moment
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's loop runs in the thread that asks the database
    with sync_playwright() as playwright:
        return [bar_said.figure(playwright.chromium.launch(**SHELL), options.n, options.seed, options.control)]


def run_roles(options: argparse.Namespace) -> list[Figure]:
    """`n` people with chance roles at two events; or the control: roles looked up at any event."""
    return [mixed_roles.figure(options.n, options.seed, connection.vendor, control=options.control)]


def run_names(options: argparse.Namespace) -> list[Figure]:
    """`n` composed names; or the control: masked as their fields are labelled."""
    return [names.figure(options.n, options.seed, control=options.control)]


def run_sky(options: argparse.Namespace) -> list[Figure]:
    """`n` generated days; or the control: a merge that takes every later signal for the one that was stated."""
    return [sky.figure(options.n, options.seed, control=options.control)]


RUNS: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "races": run_races,
    "races_decisions": run_races_decisions,
    "races_http": run_races_http,
    "races_tablets": run_races_tablets,
    "kills": run_kills,
    "kills_tablets": run_kills_tablets,
    "syncs": run_syncs,
    "syncs_tablets": run_syncs_tablets,
    "fuzz": run_fuzz,
    "mutations": run_mutations,
    "names": run_names,
    "roles": run_roles,
    "sky": run_sky,
    "tampers": evidence_figures.run_tampers,
    "alarms": evidence_figures.run_alarms,
    "lifecycle": run_lifecycle,
    "network": run_network,
    "outbox": run_outbox,
    "bar_said": run_bar_said,
    "mails": run_mails,
    "falsifier": run_falsifier,
    "last_seats": run_last_seats,
    "last_word": run_last_word,
    "drill": run_drill,
    "privacy": run_privacy,
    "forged": run_forged_backups,
    "guards": run_guards,
    "slow_clients": slow_clients.figures,
    "big_bodies": big_bodies.figures,
    "second_laptop": second_laptop.figures,
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
    tests.reliability.django_ready.make_tables()
    figures = RUNS[options.figure](options)
    for figure in figures:
        figure.seconds = round(figure.seconds or time.monotonic() - started, 1)
    print(json.dumps([figure.as_data() for figure in figures]))


if __name__ == "__main__":
    main()

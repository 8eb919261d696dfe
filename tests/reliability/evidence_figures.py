"""Q15 as figures: what was done behind the log, legal histories, and the verifiers without each of their checks."""

import argparse

from django.db import connection

from tests.reliability import checks_removed, false_alarms, histories, tamper_entries, tamper_world, tampering
from tests.reliability.figures import Figure
from tournament.core.models.event import Event


def run_tampers(options: argparse.Namespace) -> list[Figure]:
    """Q15: everything that may be done to a recorded row, to the log and to the guards; then both verifiers with each
    of their checks taken away."""
    counts, missed = {}, []
    with tampering.undone():
        event = tamper_world.make_world()
        for what, (tried, unfound) in {
            "rows": tampering.unfound(tampering.row_cases(event)),
            "log": tampering.unfound(tampering.log_cases(event)),
            "entries": tampering.unfound(tamper_entries.entry_cases(event)),
            "guards": tampering.unfound_guards(),
        }.items():
            counts[what] = tried
            missed += unfound
        removed = removed_checks(event, options.seed)
    tried = sum(counts.values())
    title = "tamperings of rows, log and guards not found and named by both verifiers"
    figure = Figure("Q15", title, connection.vendor, tried, len(missed), 40, options.seed, removed.n)
    figure.control_failures = removed.n - removed.failures
    figure.facts = {**counts, "detected": tried - len(missed), "missed": missed}
    return [figure, removed]


def removed_checks(event: Event, seed: int) -> Figure:
    """Each check of a verifier removed; the control has fewer kinds of tampering: nothing but the log is altered."""
    checks, unnoticed = checks_removed.unnoticed(tamper_entries.enough_cases(event))
    title = "checks of a verifier, removed one at a time, whose loss no tampering finds out"
    figure = Figure("Q15", title, connection.vendor, checks, len(unnoticed), 80, seed)
    figure.control_n, left = checks_removed.unnoticed(tampering.log_cases(event))
    figure.control_failures = len(left)
    figure.facts = {"found out": checks - len(unnoticed), "unnoticed": unnoticed}
    return figure


def run_alarms(options: argparse.Namespace) -> list[Figure]:
    """Q15: verifiers after random legal histories, where nothing has been altered; and where one field has."""
    event = histories.make_event()
    found, done = false_alarms.run(event, options.n, options.seed)
    title = "false alarms after a random legal history of 45 acts"
    figure = Figure("Q15", title, connection.vendor, options.n, len(found), options.n, options.seed)
    figure.control_n = max(options.n // 10, 3)
    figure.control_failures = false_alarms.alarms_of_altered(event, figure.control_n, options.seed)
    figure.facts = {"acts": dict(sorted(done.items())), "alarms": found}
    return [figure]

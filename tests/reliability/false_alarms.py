"""Q15's other half: verifiers that find nothing after any legal history, counted."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from django.db import models, transaction

from tests.guards_lifted import lifted, settle_constraints
from tests.reliability import tampers
from tests.reliability.histories import History
from tournament.core.models.event import Event
from tournament.core.models.evidence import kept_fields, recorded_models, rows_of
from tournament.operations.services.audit_export import export_evidence
from tournament.operations.services.audit_verification import verify_events

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "verify_audit.py"


class Undone(Exception):
    """Ends a savepoint without its changes."""


def run(event: Event, count: int, seed: int) -> tuple[list[str], Counter[str]]:
    """So many histories from the same beginning: each alarm in words, and how often each act was done."""
    alarms: list[str] = []
    done: Counter[str] = Counter()
    for number in range(count):
        try:
            with transaction.atomic():
                history = History(event, seed + number)
                done += history.run()
                alarms += [f"{seed + number}: {one}" for one in found(second=number % 5 == 0)]
                raise Undone
        except Undone:
            pass
    return alarms, done


def alarms_of_altered(event: Event, count: int, seed: int) -> int:
    """The control: after how many of so many histories one field, altered behind the log, raises an alarm."""
    noticed = 0
    for number in range(count):
        try:
            with transaction.atomic():
                History(event, seed + number).run()
                alter(event, Random(seed + number))
                noticed += bool(found(second=False))
                raise Undone
        except Undone:
            pass
    return noticed


def alter(event: Event, dice: Random) -> None:
    """Another value in a whole number or a text of some recorded row."""
    there = [model for model in recorded_models() if plain_fields(model) and rows_of(model, event.pk).exists()]
    model = dice.choice(there)
    pk = dice.choice(list(rows_of(model, event.pk).values_list("pk", flat=True)))
    settle_constraints()
    with tampers.checks_lifted(), lifted():
        tampers.change(tampers.Tamper(model, "change", pk, dice.choice(plain_fields(model))), event.pk)


def plain_fields(model: type[models.Model]) -> list[str]:
    """Those that lead to no other row and decide no other row's salt."""
    kinds = (models.IntegerField, models.CharField, models.TextField)
    fields = [field for field, _hides in kept_fields(model) if isinstance(field, kinds)]
    return [field.attname for field in fields if not field.is_relation and field.attname not in tampers.LEADS]


def found(second: bool) -> list[str]:
    """What a verifier finds now; `second`: what the second implementation finds too."""
    report = verify_events(files=False)
    said = [str(one) for one in (*report.findings, *report.incomplete)]
    if second:
        with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
            export_evidence(Path(folder) / "evidence")
            command = [sys.executable, "-I", "-S", str(SCRIPT), str(Path(folder) / "evidence")]
            done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said.append(f"the second implementation: {done.stderr[:500]}")
    return said

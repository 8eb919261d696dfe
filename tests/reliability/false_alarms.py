"""Q15's other half: verifiers that find nothing after any legal history, counted."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from django.db import transaction

from tests.reliability.histories import History
from tournament.models import Event
from tournament.services.audit_export import export
from tournament.services.audit_verification import verify

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


def found(second: bool) -> list[str]:
    """What a verifier finds now; `second`: what the second implementation finds too."""
    report = verify(files=False)
    said = [str(one) for one in (*report.findings, *report.incomplete)]
    if second:
        with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
            export(Path(folder) / "evidence")
            command = [sys.executable, "-I", "-S", str(SCRIPT), str(Path(folder) / "evidence")]
            done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said.append(f"the second implementation: {done.stderr[:500]}")
    return said

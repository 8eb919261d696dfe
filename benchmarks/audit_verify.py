"""Verifying an audit log of 100,000 entries: by the program and by the standalone verifier.

    python benchmarks/audit_verify.py [--entries N]
    python -m scripts.postgres_cluster python benchmarks/audit_verify.py        on PostgreSQL

Twenty-five sheets are saved again and again, so that the log has as many correct entries; they are written in bulk with
the guards lifted. Both verifiers must find nothing; then one entry is altered and both must name it. The figure is
seconds for each: at most 60.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="audit-"))

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test.runner import DiscoverRunner  # noqa: E402

from tests.guards_lifted import lifted  # noqa: E402
from tests.reliability.races import FORM  # noqa: E402
from tests.reliability.world import make_world, typed  # noqa: E402
from tournament.audit.models import AuditEntry, AuditHead  # noqa: E402
from tournament.audit.services import entry_hash  # noqa: E402
from tournament.core.canonical import digest_of  # noqa: E402
from tournament.core.models.event import Event  # noqa: E402
from tournament.operations.services.audit_export import export_evidence  # noqa: E402
from tournament.operations.services.audit_verification import verify_events  # noqa: E402
from tournament.sheets.models.scoresheet import Scoresheet  # noqa: E402
from tournament.sheets.queries.scoresheets import sheet_subject  # noqa: E402
from tournament.sheets.services import scoresheets  # noqa: E402

LIMIT_SECONDS = 60.0
BATCH = 2000
SAME = ("event", "canon_version", "actor", "action", "subject", "digest_before", "digest_after", "reason", "details")
SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "verify_audit.py"


def make_log(entries: int) -> Event:
    """Each sheet is saved once by its service; what follows are the same acts, a second and a revision later."""
    world = make_world(tables=25)
    for place, table in enumerate(world.tables):
        given: dict[str, Any] = {"by": world.clerks[0], "request_key": f"first-{place}"}
        scoresheets.save_scoresheet(table, revision=0, form=FORM, typed=typed(place + 10), **given)
    sheets = {
        sheet_subject(sheet.table, sheet.version): sheet
        for sheet in Scoresheet.objects.select_related("table__session")
    }
    with lifted():
        again = saves_again(world.event, list(sheets), entries)
        while rows := list(islice(again, BATCH)):
            AuditEntry.objects.bulk_create(rows)
            for row in rows:
                sheets[row.subject].revision = row.revision_after or 0
        last = AuditEntry.objects.filter(event=world.event).latest("seq")
        AuditHead.objects.filter(event=world.event).update(seq=last.seq, hash=last.hash)
        Scoresheet._base_manager.bulk_update(sheets.values(), ["revision"])
    return world.event


def saves_again(event: Event, things: list[str], entries: int) -> Iterator[AuditEntry]:
    """Entries on the chain, the sheets in turn, until it has so many."""
    first = {entry.subject: entry for entry in AuditEntry.objects.filter(event=event, subject__in=things)}
    head = AuditHead.objects.get(event=event)
    seq, before, newest = head.seq, head.hash, dict(first)
    for named in islice(cycle(things), max(entries - seq, 0)):
        one = newest[named]
        revision = one.revision_after or 0
        entry = AuditEntry(
            **{name: getattr(one, name) for name in SAME}, seq=seq + 1, prev=before, at=one.at + timedelta(seconds=1),
            revision_before=revision, revision_after=revision + 1, request_key=f"again-{seq}",
            payload=[written_again(one)],
        )  # fmt: skip
        entry.hash = before = entry_hash(entry)
        seq, newest[named] = seq + 1, entry
        yield entry


def written_again(entry: AuditEntry) -> dict[str, Any]:
    """What the next save of the same sheet writes: its revision."""
    [item] = [item for item in entry.payload if item["model"] == "scoresheet"]
    record = item["record"]
    return {**item, "before": digest_of(record), "record": {**record, "revision": record["revision"] + 1}}


def by_program() -> tuple[float, int, str]:
    """Seconds, exit status and the first findings."""
    started = time.perf_counter()
    report = verify_events(files=False)
    return time.perf_counter() - started, report.exit_code, " ".join(map(str, report.findings[:5]))


def by_script(evidence: Path) -> tuple[float, int, str]:
    """The same of the standalone verifier, in a process of its own; the export before it is not counted."""
    export_evidence(evidence)
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-I", "-S", str(SCRIPT), str(evidence)], capture_output=True, text=True)
    return time.perf_counter() - started, done.returncode, done.stderr


def main() -> int:
    """Print the figures; exit status 1 where the limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    options = parser.parse_args()
    runner = DiscoverRunner(verbosity=0, interactive=False)
    made = runner.setup_databases()
    try:
        event = make_log(options.entries)
        entries = AuditEntry.objects.filter(event=event).count()
        with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
            clean = [by_program(), by_script(Path(folder) / "clean")]
            altered = AuditEntry.objects.filter(event=event, seq=entries // 2)
            with lifted():
                altered.update(reason="altered")
            found = [by_program(), by_script(Path(folder) / "altered")]
    finally:
        runner.teardown_databases(made)
    assert [status for _seconds, status, _said in clean] == [0, 0], clean
    assert all(status == 2 and f"audit entry {entries // 2}" in said for _seconds, status, said in found), found
    (own, *_rest), (script, *_others) = clean
    print(f"{connection.vendor}, {entries} entries")
    print(f"audit verify           {own:>8.2f} s   (limit {LIMIT_SECONDS:.0f} s)")
    print(f"scripts/verify_audit   {script:>8.2f} s   (limit {LIMIT_SECONDS:.0f} s)")
    return int(max(own, script) > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

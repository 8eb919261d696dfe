"""Q15: each kind of tampering done, looked for by both verifiers, and undone; what was not found or not named."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from django.db import transaction

from tests.reliability import tampering
from tests.reliability.false_alarms import SCRIPT, Undone
from tournament.models import AuditHead, Event
from tournament.services.audit_export import export
from tournament.services.audit_verification import Anchor, verify


def heads(event: Event) -> list[Anchor]:
    """Heads that were written down along the way, every fiftieth and the last."""
    rows = event.audit_entries.order_by("seq").values_list("seq", "hash")
    return [Anchor(event.slug, seq, digest) for seq, digest in rows if seq % 50 == 0] + [
        Anchor(event.slug, *AuditHead.objects.values_list("seq", "hash").get(event=event))
    ]


def of_world(conduct: bool) -> list[str]:
    """The kinds that are done to a released event, or to one with every record of conduct; the disk's are no row's."""
    rows = [kind for kind in tampering.KINDS if (kind in tampering.CONDUCT) == conduct and kind != tampering.FILES]
    return rows if conduct else [*rows, *tampering.GUARD_KINDS]


def unfound(event: Event, kinds: Iterable[str]) -> list[str]:
    """Every kind that a verifier did not find, or whose thing it did not name, in words."""
    anchors, missed = heads(event), []
    for kind in kinds:
        try:
            with transaction.atomic():
                named = tampering.do(kind)
                missed += [f"{kind}, {named}: {said}" for said in look(named, anchors, kind)]
                raise Undone
        except Undone:
            pass
    return missed


def look(named: str, anchors: list[Anchor], kind: str) -> Iterable[str]:
    """What the first and, where the evidence shows it, the second verifier says, if that is not enough."""
    report = verify(anchors=anchors, files=False)
    if report.exit_code != 2 or not any(named in finding.thing for finding in report.findings):
        yield f"{[str(finding) for finding in report.findings][:3]}"
    if kind in tampering.KINDS.keys() - tampering.OUTSIDE:
        status, said = by_script(anchors)
        if status != 2 or re.split(r" \(| signature| game", named)[0] not in said:
            yield f"the second implementation: {status} {said[:200]}"


def by_script(anchors: list[Anchor]) -> tuple[int, str]:
    """Exit status and findings of the second implementation, which knows nothing of this program."""
    with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
        evidence, written = Path(folder) / "evidence", Path(folder) / "anchors"
        export(evidence)
        written.write_text("".join(json.dumps(anchor._asdict()) + "\n" for anchor in anchors))
        command = [sys.executable, "-I", "-S", str(SCRIPT), str(evidence), str(written)]
        done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr

"""Whether anything was altered behind the log's back: the chain, the sheets, the releases, the guards (D3, Q15).

It finds what whoever owns the database has changed, also with the guards lifted. What it cannot find alone, a log that
was written anew from end to end or cut off, is found by anchors: heads written down outside this database.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.audit import queries, triggers
from tournament.audit.models import AuditHead
from tournament.core.acts import ACTS
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.operations.services.audit_chain import (
    AuditFinding,
    ChainAnchor,
    check_anchors,
    check_recorded_rows,
    read_chain,
)
from tournament.operations.services.audit_digests import check_mails, check_releases, check_sheets
from tournament.operations.services.audit_files import check_files

EXIT_CLEAN, EXIT_TAMPERED, EXIT_INCOMPLETE = 0, 2, 3
COUNTED_KINDS = ("entries", "sheets", "releases", "files", "anchors")


@dataclass
class VerificationReport:
    """What was compared, what was found, and what could not be compared."""

    findings: list[AuditFinding] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED_KINDS, 0))

    @property
    def exit_code(self) -> int:
        """0 clean, 2 something was altered, 3 not all could be compared."""
        if self.findings:
            return EXIT_TAMPERED
        return EXIT_INCOMPLETE if self.incomplete else EXIT_CLEAN


def verify_events(
    *,
    slug: str = "",
    anchors: Iterable[ChainAnchor] = (),
    incomplete: Iterable[str] = (),
    using: str = "default",
    files: bool = True,
) -> VerificationReport:
    """Compare one event, or all, with the log; from one snapshot of the database where it can give one.

    `files` also makes the public's files anew and compares them: only for the database that this installation serves.
    """
    report = VerificationReport(incomplete=list(incomplete))
    written = list(anchors)
    if not triggers.are_tables_made(using):
        report.incomplete.append("There is no table yet.")
        return report
    with transaction.atomic(using=using):
        report.findings += [AuditFinding("database", "guard", name) for name in triggers.trigger_faults(using)]
        events = queries.one_or_all_events(using, slug)
        if not events:
            report.incomplete.append(f"There is no event {slug}." if slug else "There is no event.")
        for event in events:
            verify_event(report, event, written, using, files)
    known = {event.slug for event in events}
    strange = sorted({anchor.event for anchor in written} - known) if not slug else []
    report.incomplete += [f"There are anchors of {name}, but no such event." for name in strange]
    return report


def verify_event(report: VerificationReport, event: Event, anchors: list[ChainAnchor], using: str, files: bool) -> None:
    """One event: its chain, its rows, then what is made from them."""
    chain = read_chain(event, using)
    own = [anchor for anchor in anchors if anchor.event == event.slug]
    check_anchors(chain, own)
    check_recorded_rows(chain, using)
    check_mails(chain, using)
    if not chain.findings:  # rows that are as they were written lead to one another
        sheets = check_sheets(chain, using)
        report.counts["sheets"] += len(sheets)
        report.counts["releases"] += check_releases(chain, sheets, using)
    report.counts["files"] += check_files(chain) if files else 0
    report.counts["entries"] += len(chain.hashes) - 1
    report.counts["anchors"] += len(own)
    report.heads[event.slug] = chain.head
    report.findings += chain.findings
    for action in sorted(chain.by_action.keys() - ACTS.keys()):
        seq = chain.by_action[action][0].seq
        report.incomplete.append(f"{event.slug}: audit entry {seq}: the act {action} is not known here.")


# --- Anchors --------------------------------------------------------------------------------------------
def read_anchors(path: Path) -> tuple[list[ChainAnchor], list[str]]:
    """The heads in a file of anchors, one JSON object a line, and what of it cannot be read."""
    anchors, faults = [], []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return [], [f"{path} cannot be read."]
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            anchors.append(ChainAnchor(str(row["event"]), int(row["seq"]), str(row["hash"])))
        except (ValueError, KeyError, TypeError):
            faults.append(f"{path}, line {number} is no anchor.")
    return anchors, faults


def write_anchor(path: Path, slug: str = "") -> list[ChainAnchor]:
    """Append the head of one event, or of all, to a file that belongs outside this database: another disk, a mail."""
    events = queries.one_or_all_events("default", slug)
    if not events:
        raise BadInput("no_such_event", "There is no such event.")
    heads = {head.event_id: head for head in AuditHead.objects.filter(event__in=events)}
    anchors = [ChainAnchor(event.slug, heads[event.pk].seq, heads[event.pk].hash) for event in events]
    with path.open("a", encoding="utf-8") as file:
        for anchor in anchors:
            file.write(json.dumps({**anchor._asdict(), "at": timezone.now().isoformat(timespec="seconds")}) + "\n")
    return anchors


def as_data(report: VerificationReport) -> dict[str, Any]:
    """The report for a program."""
    return {
        "findings": [
            {"event": one.event, "code": one.code, "subject": one.subject, "said": one.said, "found": one.found}
            for one in report.findings
        ],
        "incomplete": report.incomplete,
        "heads": {slug: {"seq": seq, "hash": digest} for slug, (seq, digest) in report.heads.items()},
        "counts": report.counts,
        "exit_code": report.exit_code,
    }

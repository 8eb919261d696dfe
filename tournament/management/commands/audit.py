"""Verify the audit log, write its evidence to a file, or anchor its head outside the database."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.errors import Refused
from tournament.operations.services import audit_verification
from tournament.operations.services.audit_export import export_evidence


class Command(BaseCommand):
    """`manage.py audit verify [--event SLUG] [--anchors FILE]`, `audit export FILE`, `audit anchor FILE`."""

    help = (
        "verify: exit 0 clean, 2 something was altered, 3 not all could be compared. export: the evidence as a file "
        "for scripts/verify_audit.py. anchor: append the head of the log to a file kept elsewhere."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        verify = acts.add_parser("verify", help="compare everything with the log")
        verify.add_argument("--event", default="", help="an event by slug; none: all")
        verify.add_argument("--anchors", type=Path, help="a file that `audit anchor` has written")
        verify.add_argument("--json", action="store_true", help="the report for a program")
        for act, what in (("export", "write the evidence to FILE"), ("anchor", "append the head to FILE")):
            own = acts.add_parser(act, help=what)
            own.add_argument("file", type=Path)
            own.add_argument("--event", default="", help="an event by slug; none: all")

    def handle(self, *args: Any, **options: Any) -> None:
        """The act that was asked for."""
        try:
            getattr(self, options["act"])(**options)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=3) from None
        except OSError as error:
            raise CommandError(str(error), returncode=3) from None

    def verify(self, *, event: str, anchors: Path | None, **options: Any) -> None:
        """What was compared, then each finding on a line of its own."""
        written, unread = audit_verification.read_anchors(anchors) if anchors else ([], [])
        report = audit_verification.verify_events(slug=event, anchors=written, incomplete=unread)
        if options["json"]:
            self.stdout.write(json.dumps(audit_verification.as_data(report), ensure_ascii=False))
        else:
            self.stdout.write(", ".join(f"{count} {what}" for what, count in report.counts.items()))
            for slug, (seq, digest) in report.heads.items():
                self.stdout.write(f"{slug}: head {seq} {digest}")
            for line in (*report.findings, *report.incomplete):
                self.stderr.write(str(line))
            verdict = {0: "clean", 2: f"ALTERED: {len(report.findings)} findings", 3: "incomplete"}
            self.stdout.write(verdict[report.exit_code])
        if report.exit_code:
            raise SystemExit(report.exit_code)

    def export(self, *, file: Path, event: str, **options: Any) -> None:
        self.stdout.write(f"{file}: {export_evidence(file, event)} lines")

    def anchor(self, *, file: Path, event: str, **options: Any) -> None:
        """The head of each log, and what to do with it."""
        for anchor in audit_verification.write_anchor(file, event):
            self.stdout.write(f"{anchor.event}: {anchor.seq} {anchor.hash}")

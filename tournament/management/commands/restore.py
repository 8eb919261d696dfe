"""Put a backup into this installation's empty database."""

import os
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.commands import migrate

from tournament.core.errors import Refused
from tournament.operations.services import backup, backup_keys
from tournament.operations.services.audit_verification import read_anchors, verify_events
from tournament.operations.services.backup_anchors import Acknowledgement
from tournament.operations.services.backup_engines import BackupDamaged


class Command(BaseCommand):
    """`manage.py restore FILE [--anchors FILE] [--acknowledge NAME --acknowledge NAME]`.

    Exit 2 where the file is damaged or altered; 3 where the key of its seal is not here, where this database is not
    empty, where the file is not for it, or where the anchors reach further than its log and not two people have
    acknowledged that, each with their own password.
    """

    help = "Restore a backup into an empty database, verify it, and write the public's files anew."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Which, and what is known of its log."""
        own = os.environ.get("ANCHORS")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--anchors",
            type=Path,
            default=Path(own) if own else None,
            help="what `audit anchor` has written elsewhere; none: the environment's ANCHORS",
        )
        parser.add_argument(
            "--acknowledge",
            action="append",
            default=[],
            metavar="NAME",
            help="twice: an organiser or chief judge who knows that entries are missing; asks for the password",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, migrate on, verify, note it in the log, publish."""
        anchors, unread = read_anchors(options["anchors"]) if options["anchors"] else ([], [])
        if unread:
            raise CommandError(" ".join(unread), returncode=3)
        acknowledged = [Acknowledgement(name, getpass(f"Password of {name}: ")) for name in options["acknowledge"]]
        try:
            manifest, lost = backup.restore_backup(options["file"], anchors=anchors, acknowledged=acknowledged)
        except BackupDamaged as refusal:
            raise CommandError(str(refusal), returncode=2) from None
        except (Refused, OSError) as refusal:
            raise CommandError(str(refusal), returncode=3) from None
        self.stderr.write("its seal is whole: no byte was altered since it was made with a key that is here")
        # Django's own: sessions that were open in the backup are played by nobody here yet.
        call_command(migrate.Command(), verbosity=0, interactive=False)
        report = verify_events(files=False)
        for finding in report.findings:
            self.stderr.write(str(finding))
        backup.finish_restore(manifest, lost)
        for slug, (seq, digest) in report.heads.items():
            self.stdout.write(f"{slug}: restored as it was at {manifest['at']}, entry {seq} {digest}")
        for slug, gone in lost.items():
            self.stderr.write(f"{slug}: {gone.entries} entries that were anchored are missing")
        if (missing := backup_keys.find_missing_keys(manifest)) is not None:
            self.stderr.write(missing_keys_text(missing))
        if report.findings:
            raise CommandError("The log does not agree with what was restored.", returncode=2)


def missing_keys_text(missing: backup_keys.MissingKeys) -> str:
    """What cannot be read here, and what to do."""
    here = " ".join(missing.here) or "none"
    return (
        f"THE SIGNATURE KEY DOES NOT FIT: {missing.drawings} drawn signatures and {missing.items} held items were "
        f"enciphered where the keys were {' '.join(missing.marks)}; here: {here}. All else is restored. "
        "Bring the sealed key: manage.py signature_key --add"
    )

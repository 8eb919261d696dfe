"""Put a backup into this installation's empty database."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import Refused
from tournament.services import backup
from tournament.services.audit_verification import verify


class Command(BaseCommand):
    """`manage.py restore FILE`: exit 2 where the file is damaged, 3 where this database is not empty or not for it."""

    help = "Restore a backup into an empty database, verify it, and write the public's files anew."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Which."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, migrate on, verify, note it in the log, publish."""
        try:
            manifest = backup.restore(options["file"])
        except backup.BackupDamaged as refusal:
            raise CommandError(str(refusal), returncode=2) from None
        except (Refused, OSError) as refusal:
            raise CommandError(str(refusal), returncode=3) from None
        call_command("migrate", verbosity=0, interactive=False)
        report = verify(files=False)
        for finding in report.findings:
            self.stderr.write(str(finding))
        backup.after_restore(manifest)
        for slug, (seq, digest) in report.heads.items():
            self.stdout.write(f"{slug}: restored as it was at {manifest['at']}, entry {seq} {digest}")
        if report.findings:
            raise CommandError("The log does not agree with what was restored.", returncode=2)

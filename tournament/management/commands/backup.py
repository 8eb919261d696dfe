"""Make a backup of the whole database, or try one out."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.errors import Refused
from tournament.operations.services import backup, backup_kept
from tournament.operations.services.backup_engines import BackupDamaged

# What a verified backup is known to be, and what nothing was compared with.
BACKUP_CHECKED = (
    "checked: its seal, made with the key %(mark)s, no byte altered since; restored into a scratch copy; the rows of "
    "%(tables)d tables as counted; the scans; the log, compared with sheets, decisions and releases.\n"
    "not checked: people's data, accounts and rules against the log: for those the seal alone speaks."
)


class Command(BaseCommand):
    """`manage.py backup create [--to DIR]` prints the file; `backup verify FILE` exits 2 where it is damaged or
    altered, 3 where the key of its seal is not here."""

    help = "create: one file, restored and verified in a scratch copy before it counts. verify: the same, for a file."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="make a backup and print its file")
        create.add_argument("--to", type=Path, help="the folder; none: BACKUP_DIR, or backups beside the database")
        create.add_argument("--regular", action="store_true", help="for a timer: old ones of its kind are thinned out")
        verify = acts.add_parser("verify", help="restore FILE into a scratch copy and verify it")
        verify.add_argument("file", type=Path)

    def create(self, *, to: Path | None, regular: bool, **options: Any) -> backup.CheckedBackup:
        """Where nothing else is said also on the second disk."""
        if to:
            return backup.create_backup(to)
        return backup_kept.make_regular() if regular else backup_kept.create_and_copy()

    def handle(self, *args: Any, **options: Any) -> None:
        """The act that was asked for."""
        try:
            made = self.create(**options) if options["act"] == "create" else backup.try_restore(options["file"])
        except BackupDamaged as refusal:
            raise CommandError(str(refusal), returncode=2) from None
        except (Refused, OSError) as refusal:
            raise CommandError(str(refusal), returncode=3) from None
        heads = ", ".join(f"{slug} entry {head['seq']}" for slug, head in made.manifest["heads"].items())
        self.stderr.write(f"whole: {made.manifest['engine']}, {made.manifest['at']}, {heads}")
        self.stderr.write(BACKUP_CHECKED % {"mark": made.mark, "tables": len(made.manifest["rows"])})
        self.stdout.write(str(made.path))
        for finding in made.findings:
            self.stderr.write(str(finding))
        if made.findings:
            raise CommandError("The file is whole; the log in it does not agree with the rows.", returncode=2)

"""Make a backup of the whole database, or try one out."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import Refused
from tournament.services import backup


class Command(BaseCommand):
    """`manage.py backup create [--to DIR]` prints the file; `backup verify FILE` exits 2 where it is damaged."""

    help = "create: one file, restored and verified in a scratch copy before it counts. verify: the same, for a file."

    def add_arguments(self, parser: CommandParser) -> None:
        """One of the two."""
        acts = parser.add_subparsers(dest="act", required=True)
        create = acts.add_parser("create", help="make a backup and print its file")
        create.add_argument("--to", type=Path, help="the folder; none: BACKUP_DIR, or backups beside the database")
        verify = acts.add_parser("verify", help="restore FILE into a scratch copy and verify it")
        verify.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """The act that was asked for."""
        try:
            made = backup.create(options["to"]) if options["act"] == "create" else backup.try_out(options["file"])
        except backup.BackupDamaged as refusal:
            raise CommandError(str(refusal), returncode=2) from None
        except (Refused, OSError) as refusal:
            raise CommandError(str(refusal), returncode=3) from None
        heads = ", ".join(f"{slug} entry {head['seq']}" for slug, head in made.manifest["heads"].items())
        self.stderr.write(f"whole: {made.manifest['engine']}, {made.manifest['at']}, {heads}")
        self.stdout.write(str(made.path))
        for finding in made.findings:
            self.stderr.write(str(finding))
        if made.findings:
            raise CommandError("The file is whole; the log in it does not agree with the rows.", returncode=2)

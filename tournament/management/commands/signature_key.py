"""The key of what was drawn: made before play, printed to be sealed, brought back after a laptop has died."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.errors import Refused
from tournament.services import backup_keys, cipher


class Command(BaseCommand):
    """`manage.py signature_key [--show | --add]`: the marks of the keys here, the one that enciphers first.

    `--show` prints the keys themselves, to be sealed; `--add` reads one more key, a line, that is tried when something
    is read. Exit 3 where it is none, or where SIGNATURE_KEY gives the keys.
    """

    help = "Make, show or bring back the key of drawn signatures. No backup holds it: keep it apart from the backups."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """One of the two, or neither."""
        acts = parser.add_mutually_exclusive_group()
        acts.add_argument("--show", action="store_true", help="print the keys, to be sealed")
        acts.add_argument("--add", action="store_true", help="read one more key, a line")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make one where there is none; then what was asked for."""
        try:
            if options["add"]:
                self.stdout.write(f"added: {backup_keys.add(input())}")
            else:
                cipher.made_key()
        except (Refused, EOFError) as refusal:
            raise CommandError(str(refusal) or "No key was given.", returncode=3) from None
        keys = backup_keys.lines() if options["show"] else []
        for place, mark in enumerate(cipher.marks()):
            self.stdout.write(f"{mark}{'  ' + keys[place] if keys else ''}{'' if place else '  enciphers'}")

"""The key of backups and of what was drawn: made before play, printed to be sealed, brought to the next laptop."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.errors import Refused
from tournament.core.services import cipher
from tournament.operations.services import backup_keys

SIGNATURE_KEY_NONE_YET = "Whoever serves makes it at its first start, and so does: manage.py signature_key"


def are_keys_in_environment() -> bool:
    """Whether the environment has the keys, and no file."""
    return bool(os.environ.get("SIGNATURE_KEY", "").strip())


class Command(BaseCommand):
    """`manage.py signature_key [--show | --add]`: the marks of the keys here, the one that enciphers first.

    Without an option it makes one where there is none. `--show` prints the keys themselves, to be sealed, and makes
    none: exit 3 where there is none yet. `--add` reads one more key, a line, that is tried when something is read.
    Exit 3 where it is none, or where SIGNATURE_KEY gives the keys. Which folder they are of is said beside them.
    """

    help = "Make, show or bring back the key of backups and signatures. Without it no backup opens: keep it elsewhere."
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
                self.stdout.write(f"added: {backup_keys.add_signature_key(input())}")
            elif not options["show"]:
                cipher.made_key()
            elif not cipher.key_marks():
                raise CommandError(f"No key was made yet in {settings.VAR_DIR}. {SIGNATURE_KEY_NONE_YET}", returncode=3)
        except (Refused, EOFError) as refusal:
            raise CommandError(str(refusal) or "No key was given.", returncode=3) from None
        self.stderr.write(f"of {'SIGNATURE_KEY' if are_keys_in_environment() else settings.VAR_DIR}")
        keys = backup_keys.key_lines() if options["show"] else []
        for place, mark in enumerate(cipher.key_marks()):
            self.stdout.write(f"{mark}{'  ' + keys[place] if keys else ''}{'' if place else '  enciphers'}")

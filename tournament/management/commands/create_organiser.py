"""`manage.py create_organiser USER`: the first account of a fresh installation, which may make events."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournament.accounts.services.accounts import create_organiser


class Command(BaseCommand):
    """Prints the initial password once, in both languages; an account that is there keeps its own, with the right."""

    help = "Make an account that may make events; its initial password is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        """The user name, and the name that the desk shows."""
        parser.add_argument("username", metavar="USER")
        parser.add_argument("--name", default="", help="the name that the desk shows")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, say how to sign in."""
        user, password = create_organiser(options["username"], options["name"])
        for language, _name in settings.LANGUAGES:
            with override(language):
                self.stdout.write(organiser_created_text(user.username, password))


def organiser_created_text(name: str, password: str | None) -> str:
    """What was done, in the language that is active; no password of an account that was there."""
    if password is None:
        return _("%(name)s was there, keeps its password and may now make events.") % {"name": name}
    said = _("%(name)s may sign in with %(password)s (shown only now) and make events.")
    return said % {"name": name, "password": password}

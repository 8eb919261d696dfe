"""`manage.py create_organiser USER`: the first account of a fresh installation, which may make events."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from tournament.services.accounts import create_organiser


class Command(BaseCommand):
    """Prints the initial password once; an account that is there keeps its own and gains the right."""

    help = "Make an account that may make events; its initial password is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        """The user name, and the name that the desk shows."""
        parser.add_argument("username", metavar="USER")
        parser.add_argument("--name", default="", help="the name that the desk shows")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, say how to sign in."""
        user, password = create_organiser(options["username"], options["name"])
        if password is None:
            said = _("%(name)s was there, keeps its password and may now make events.")
            self.stdout.write(said % {"name": user.username})
            return
        said = _("%(name)s may sign in with %(password)s (shown only now) and make events.")
        self.stdout.write(said % {"name": user.username, "password": password})

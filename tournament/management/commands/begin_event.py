"""`manage.py begin_event USER`: what `make event` asks before it serves."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.models.event import Event
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.stages import seeded_stage


class Command(BaseCommand):
    """Exit 3 where the database has the demo, whose passwords everybody knows; the first account where there is none.

    An account with a demo's password counts as the demo, whatever became of its event.
    """

    help = "Refuse the demo's database; make the first organiser of an empty one."

    def add_arguments(self, parser: CommandParser) -> None:
        """The user name of the first account."""
        parser.add_argument("username", metavar="USER")

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse with exit code 3 before anything is made."""
        if (
            demos := [event.slug for event in Event.objects.order_by("pk") if seeded_stage(event)]
            or accounts_with_demo_password()
        ):
            raise CommandError(
                f"This database has the demo ({', '.join(demos)}), whose passwords everybody knows. It is never served "
                "as an event; nothing was changed.",
                returncode=3,
            )
        if not User.objects.exists():
            call_command("create_organiser", options["username"], stdout=self.stdout)


def accounts_with_demo_password() -> list[str]:
    """Accounts that have the password of the demo's account of that name."""
    passwords = {account.username: account.password for account in DEMO_ACCOUNTS}
    there = User.objects.filter(username__in=passwords, is_active=True).order_by("username")
    return [user.username for user in there if user.check_password(passwords[user.username])]

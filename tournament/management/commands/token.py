"""Make or revoke a token of the API for an account."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tournament.api.services import API_TOKEN_DEFAULT_DAYS, make_token, revoke_tokens
from tournament.core.errors import Refused


class Command(BaseCommand):
    """`manage.py token USER`: prints a token once. `manage.py token USER --revoke`: ends those of the account."""

    help = "Print a new bearer token of an account, once; or revoke its tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose, what for, for how long."""
        parser.add_argument("user", help="the account's name")
        parser.add_argument("--name", default="", help="what uses it; with --revoke: only tokens of this name")
        parser.add_argument(
            "--days", type=int, default=API_TOKEN_DEFAULT_DAYS, help=f"how long it holds ({API_TOKEN_DEFAULT_DAYS})"
        )
        parser.add_argument("--revoke", action="store_true", help="revoke instead of make")

    def handle(self, *args: Any, **options: Any) -> None:
        """The token alone on standard output, what it is on standard error."""
        user = User.objects.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(f"No open account is called {options['user']!r}.")
        if options["revoke"]:
            self.stdout.write(f"{revoke_tokens(user, name=options['name'])} revoked")
            return
        try:
            token, text = make_token(user, name=options["name"] or "manage.py token", days=options["days"])
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stderr.write(
            f"Token {token.pk} of {user.username}, until {timezone.localtime(token.expires_at):%Y-%m-%d %H:%M}. "
            "Shown this once: the database keeps its digest alone."
        )
        self.stdout.write(text)

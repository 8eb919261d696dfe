"""A new password for an account, typed at the machine."""

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from tournament.accounts.services import accounts

TRIES = 3


class Command(changepassword.Command):
    """As Django's `manage.py changepassword USER`; and as on the pages it has its entry in the audit log, and what the
    old password opened ends with it: sessions, tokens, opened tablets."""

    def handle(self, *args: Any, **options: Any) -> str:
        """Ask for the password twice, at most three times, and set it."""
        username = options["username"] or getpass.getuser()
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"user '{username}' does not exist")
        self.stdout.write(f"Changing password for user '{user}'")
        for _try in range(TRIES):
            if password := self.typed(user):
                accounts.set_password_at_machine(user, password)
                return f"Password changed successfully for user '{user}'"
        raise CommandError(f"Aborting password change for user '{user}' after {TRIES} attempts")

    def prompt(self, *words: str) -> str:
        return str(self._get_pass(*words))  # type: ignore[attr-defined]  # Django's own prompt is in no stub

    def typed(self, user: User) -> str:
        """The password, typed twice alike and strong enough; nothing otherwise."""
        password = self.prompt()
        if password != self.prompt("Password (again): "):
            self.stdout.write("Passwords do not match. Please try again.")
            return ""
        try:
            validate_password(password, user)
        except ValidationError as weak:
            self.stderr.write("\n".join(weak.messages))
            return ""
        return password

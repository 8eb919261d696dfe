"""A new password for an account, typed at the machine."""

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User

from tournament.services import open_sign_ins


class Command(changepassword.Command):
    """Django's own `manage.py changepassword USER`. As on the pages, what the old password opened ends with it:
    sessions, tokens, opened tablets."""

    def handle(self, *args: Any, **options: Any) -> Any:
        """Django's act, which raises where nothing was changed, and then the end of what was open."""
        said = super().handle(*args, **options)
        username = options["username"] or getpass.getuser()
        open_sign_ins.end_all(User.objects.get(username=username), by=None)
        return said

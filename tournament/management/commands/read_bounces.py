"""`manage.py read_bounces`: reads the mailbox for returned mail now, as the worker does each minute."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.mail.services.bounces_mailbox import read_mailbox
from tournament.messages.queries import bounces as queries


class Command(BaseCommand):
    """Says what the new mails came to; ends with 1 where the mailbox cannot be read."""

    help = "Read the mailbox of MAIL_BOUNCES_BOX for mails that came back."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.MAIL_BOUNCES_BOX:
            raise CommandError("MAIL_BOUNCES_BOX names no mailbox (deploy/README.md).")
        found = read_mailbox()
        if trouble := queries.bounce_reading().trouble:
            raise CommandError(f"The mailbox cannot be read: {trouble}.")
        self.stdout.write(", ".join(f"{name} {many}" for name, many in sorted(found.items())) or "nothing new")

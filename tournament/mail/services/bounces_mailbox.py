"""Reading the mailbox for returned mail: each mail once, in the order of its number there.

What a mail came to and how far was read are one transaction; only after it is the mail marked as read. A worker that is
killed in between reads that mail again, which changes nothing.
"""

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from tournament.mail.adapters.mailbox import IMAP_FLAGGED, IMAP_SEEN, Mailbox, MailboxError
from tournament.mail.services import bounces
from tournament.messages.models import BounceReading
from tournament.messages.queries import bounces as queries

MAILBOX_READ_INTERVAL = timedelta(seconds=60)
# Of one look, so that a worker goes on with what else waits.
MAILBOX_MAX_MAILS, MAILBOX_MAX_SECONDS = 200, 20.0
# A person looks what these are.
KEPT_FOR_A_PERSON = (bounces.BOUNCE_UNKNOWN, bounces.BOUNCE_UNREADABLE)
logger = logging.getLogger(__name__)


def read_due(now: datetime | None = None) -> dict[str, int] | None:
    """Read once a minute over all processes; None: not now, or no mailbox is set."""
    at = now or timezone.now()
    if not settings.MAIL_BOUNCES_BOX:
        return None
    queries.bounce_reading()
    due = BounceReading.objects.filter(Q(looked_at=None) | Q(looked_at__lte=at - MAILBOX_READ_INTERVAL), pk=1)
    return read_mailbox(at) if due.update(looked_at=at) else None


def read_mailbox(now: datetime | None = None) -> dict[str, int]:
    """Whatever is new, up to a limit; what it came to, by the counters' names. A mailbox that cannot be read is told on
    the page of mailings."""
    at, found, until = now or timezone.now(), dict[str, int](), time.monotonic() + MAILBOX_MAX_SECONDS
    queries.bounce_reading()
    try:
        with Mailbox(settings.MAIL_BOUNCES_BOX) as box:
            for uid in box.newer_than(last_read_uid(box.uid_validity))[:MAILBOX_MAX_MAILS]:
                outcome = process_mailbox_mail(uid, box.fetch(uid))
                if outcome:
                    found[outcome] = found.get(outcome, 0) + 1
                    box.flag(uid, IMAP_SEEN, *([IMAP_FLAGGED] if outcome in KEPT_FOR_A_PERSON else []))
                if time.monotonic() > until:
                    break
    except MailboxError as trouble:
        logger.warning("the mailbox for returned mail: %s", trouble)
        BounceReading.objects.filter(pk=1).update(looked_at=at, trouble=trouble.code)
    else:
        BounceReading.objects.filter(pk=1).update(looked_at=at, read_at=at, trouble="")
    return found


def last_read_uid(uid_validity: int) -> int:
    """The last number that was read; 0 where the server has numbered its mails anew, or another mailbox is set."""
    anew = BounceReading.objects.filter(pk=1).exclude(uid_validity=uid_validity)
    anew.update(uid_validity=uid_validity, last_uid=0)
    return queries.bounce_reading().last_uid


def process_mailbox_mail(uid: int, content: bytes | None) -> str:
    """One mail and that it was read, in one transaction; "": another has read it, or it is gone."""
    with transaction.atomic():
        row = BounceReading.objects.select_for_update(no_key=True).get(pk=1)
        if row.last_uid >= uid:
            return ""
        outcome = bounces.process_bounce_mail(content, settings.MAIL_BOUNCES) if content is not None else ""
        counted = {outcome: F(outcome) + 1} if outcome else {}
        BounceReading.objects.filter(pk=1).update(last_uid=uid, **counted)
        return outcome

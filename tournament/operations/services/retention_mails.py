"""A worker's reminder by mail that the day of erasing personal data is near: once for each day that an event sets.

A mail that was sent again after a kill has the same Message-ID, and what is written down is sent no more.
"""

import hashlib
import logging
from datetime import date, datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.dateformat import full_date_text
from tournament.core.enums import Role
from tournament.core.models.event import Event, Membership
from tournament.mail.adapters.mail import MailDeferred, MailRejected, MailServerDown, MailTransport
from tournament.messages.queries.recipients import is_mail_address
from tournament.operations.queries import retention as queries
from tournament.operations.services import retention

RETENTION_MAIL_SUBJECT = _("%(event)s: personal data is kept until %(day)s")
RETENTION_MAIL_LANGUAGES = (("zh-hant", "name_zh"), ("en", "name_en"))
# A mail server that does not answer is asked again so much later.
RETENTION_MAIL_RETRY_AFTER = timedelta(hours=1)
logger = logging.getLogger(__name__)
# By event and day: when this worker last found nobody who took the mail.
failed_reminders: dict[str, datetime] = {}


def organiser_mail_addresses(event: Event) -> list[str]:
    """Where its organisers are reached: their accounts' addresses, else the one that all mail has to answer to. Empty
    where no mail server is set."""
    if not settings.EMAIL_URL:
        return []
    organisers = Membership.objects.filter(event=event, role=Role.ORGANISER, user__is_active=True)
    rows = User.objects.filter(pk__in=organisers.values("user")).exclude(email="").order_by("email")
    own = list(rows.values_list("email", flat=True).distinct())
    return [address for address in own or [settings.MAIL_REPLY_TO] if is_mail_address(address)]


def remind_due(now: datetime | None = None) -> list[Event]:
    """Called again and again by a worker: the events whose organisers it has just mailed."""
    at = now or timezone.now()
    found = [
        event for event in queries.events_not_erased().order_by("pk") if retention.is_reminder_due(event, today_at(at))
    ]
    return [event for event in found if not is_reminded(event) and send_retention_reminder(event, at)]


def today_at(now: datetime) -> date:
    """The day of a moment in local time."""
    return timezone.localtime(now).date()


def is_reminded(event: Event) -> bool:
    """Whether the mails about this very day are out."""
    return AuditEntry.objects.filter(
        event=event, action="remind_of_erasure", reason__startswith=f"{event.retention_on}:"
    ).exists()


def send_retention_reminder(event: Event, now: datetime) -> bool:
    """One mail an address, then the entry of the log; nothing is written while the server does not answer."""
    addresses, key = organiser_mail_addresses(event), f"{event.slug} {event.retention_on}"
    if not addresses or (key in failed_reminders and now - failed_reminders[key] < RETENTION_MAIL_RETRY_AFTER):
        return False
    try:
        sent = send_reminder_mails(event, addresses, now)
    except (MailDeferred, MailServerDown) as trouble:
        failed_reminders[key] = now
        logger.warning("no reminder of the erasure of %s: %s", event.slug, trouble)
        return False
    failed_reminders.pop(key, None)
    return record_reminder(event, f"{event.retention_on}: {sent} of {len(addresses)} mails")


def send_reminder_mails(event: Event, addresses: list[str], now: datetime) -> int:
    """How many of the mails were taken. Raises NotNow or ServerDown: then all of them are sent again later."""
    outlet, sent = MailTransport(), 0
    try:
        for address in addresses:
            try:
                outlet.send(message_to(event, address, now))
                sent += 1
            except MailRejected as refused:
                logger.warning("a reminder of the erasure of %s was refused: %s", event.slug, refused)
    finally:
        outlet.close()
    return sent


@transaction.atomic
def record_reminder(event: Event, said: str) -> bool:
    """That it was done, once."""
    if is_reminded(Event.objects.select_for_update(no_key=True).get(pk=event.pk)):
        return False
    services.append_audit_entry(event, None, "remind_of_erasure", f"event {event.slug}", reason=said)
    return True


def message_to(event: Event, address: str, now: datetime) -> EmailMessage:
    """In both languages; nobody of the event is named."""
    subjects, texts = [], []
    assert event.retention_on is not None
    for language, name in RETENTION_MAIL_LANGUAGES:
        with translation.override(language):
            facts = {"event": getattr(event, name), "day": full_date_text(event.retention_on)}
            subjects.append(gettext(RETENTION_MAIL_SUBJECT) % facts)
            texts.append(
                "\n".join(
                    [facts["event"], retention.retention_sentence(event, today_at(now)), privacy_page_url(event)]
                ).strip()
            )
    digest = hashlib.sha256(f"{event.slug} {event.retention_on} {address}".encode()).hexdigest()[:32]
    headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<erasure-{digest}@tournament>"}
    return EmailMessage(" / ".join(subjects), "\n\n".join(texts) + "\n", None, [address], headers=headers)


def privacy_page_url(event: Event) -> str:
    """Where it is done, if it is known under which address this server is reached."""
    return settings.SITE_URL + reverse("privacy", args=[event.slug]) if settings.SITE_URL else ""

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

from tournament.adapters.mail import NeverTaken, NotNow, Outlet, ServerDown
from tournament.enums import Role
from tournament.models import AuditEntry, Event, Membership
from tournament.moments import full_date_text
from tournament.queries import retention as queries
from tournament.queries.recipients import is_address
from tournament.services import audit, retention

SUBJECT = _("%(event)s: personal data is kept until %(day)s")
LANGUAGES = (("zh-hant", "name_zh"), ("en", "name_en"))
# A mail server that does not answer is asked again so much later.
TRY_AGAIN = timedelta(hours=1)
log = logging.getLogger(__name__)
# By event and day: when this worker last found nobody who took the mail.
failed: dict[str, datetime] = {}


def addresses_of(event: Event) -> list[str]:
    """Where its organisers are reached: their accounts' addresses, else the one that all mail has to answer to. Empty
    where no mail server is set."""
    if not settings.EMAIL_URL:
        return []
    organisers = Membership.objects.filter(event=event, role=Role.ORGANISER, user__is_active=True)
    rows = User.objects.filter(pk__in=organisers.values("user")).exclude(email="").order_by("email")
    own = list(rows.values_list("email", flat=True).distinct())
    return [address for address in own or [settings.MAIL_REPLY_TO] if is_address(address)]


def remind_due(now: datetime | None = None) -> list[Event]:
    """Called again and again by a worker: the events whose organisers it has just mailed."""
    at = now or timezone.now()
    found = [event for event in queries.not_erased().order_by("pk") if retention.reminds(event, today_at(at))]
    return [event for event in found if not is_reminded(event) and remind(event, at)]


def today_at(now: datetime) -> date:
    """The day here."""
    return timezone.localtime(now).date()


def is_reminded(event: Event) -> bool:
    """Whether the mails about this very day are out."""
    return AuditEntry.objects.filter(
        event=event, action="remind_of_erasure", reason__startswith=f"{event.retention_on}:"
    ).exists()


def remind(event: Event, now: datetime) -> bool:
    """One mail an address, then the entry of the log; nothing is written while the server does not answer."""
    addresses, key = addresses_of(event), f"{event.slug} {event.retention_on}"
    if not addresses or (key in failed and now - failed[key] < TRY_AGAIN):
        return False
    try:
        sent = send(event, addresses, now)
    except (NotNow, ServerDown) as trouble:
        failed[key] = now
        log.warning("no reminder of the erasure of %s: %s", event.slug, trouble)
        return False
    failed.pop(key, None)
    return note(event, f"{event.retention_on}: {sent} of {len(addresses)} mails")


def send(event: Event, addresses: list[str], now: datetime) -> int:
    """How many of the mails were taken. Raises NotNow or ServerDown: then all of them are sent again later."""
    outlet, sent = Outlet(), 0
    try:
        for address in addresses:
            try:
                outlet.send(message_to(event, address, now))
                sent += 1
            except NeverTaken as refused:
                log.warning("a reminder of the erasure of %s was refused: %s", event.slug, refused)
    finally:
        outlet.close()
    return sent


@transaction.atomic
def note(event: Event, said: str) -> bool:
    """That it was done, once."""
    if is_reminded(Event.objects.select_for_update(no_key=True).get(pk=event.pk)):
        return False
    audit.record(event, None, "remind_of_erasure", f"event {event.slug}", reason=said)
    return True


def message_to(event: Event, address: str, now: datetime) -> EmailMessage:
    """In both languages; nobody of the event is named."""
    subjects, texts = [], []
    for language, name in LANGUAGES:
        with translation.override(language):
            facts = {"event": getattr(event, name), "day": full_date_text(event.retention_on)}
            subjects.append(gettext(SUBJECT) % facts)
            texts.append(f"{facts['event']}\n{retention.sentence(event, today_at(now))}\n{page_of(event)}".strip())
    digest = hashlib.sha256(f"{event.slug} {event.retention_on} {address}".encode()).hexdigest()[:32]
    headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<erasure-{digest}@tournament>"}
    return EmailMessage(" / ".join(subjects), "\n\n".join(texts) + "\n", None, [address], headers=headers)


def page_of(event: Event) -> str:
    """Where it is done, if it is known under which address this server is reached."""
    return settings.SITE_URL + reverse("privacy", args=[event.slug]) if settings.SITE_URL else ""

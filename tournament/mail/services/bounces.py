"""What is reported of a mail after the mail server took it: one place where it is written down.

A mail that came back counts as told to nobody (queries.mailings_shown.told_already); whose it was is to be telephoned.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.contact_masks import mask_email
from tournament.core.enums import BounceKind
from tournament.mail.readers import (
    MAIL_ADDRESS_PATTERN,
    BounceReport,
    ReportIgnored,
    ReportUnreadable,
    clean_report_words,
    read_report,
)
from tournament.messages.models import BounceReading, Delivery
from tournament.messages.queries import bounces as queries

# What one report came to: the counter of that name.
BOUNCE_RECORDED, BOUNCE_REPEATED, BOUNCE_IGNORED, BOUNCE_UNKNOWN, BOUNCE_UNREADABLE = (
    "recorded",
    "repeated",
    "ignored",
    "unknown",
    "unreadable",
)
# Of a report's words, once every other address in them is hidden.
BOUNCE_WORDS_MAX_LENGTH = 300
BOUNCE_SEVERITY = {"": 0, BounceKind.SOFT: 1, BounceKind.COMPLAINT: 2, BounceKind.HARD: 3}


@transaction.atomic
def record_bounce(
    delivery: Delivery,
    kind: BounceKind,
    *,
    code: str = "",
    words: str = "",
    at: datetime | None = None,
    now: datetime | None = None,
) -> bool:
    """Write down what became of a mail, with its entry; whether that was new.

    The same or less than is known already changes nothing, nor does anything about a mail whose address was erased.
    The words are cut, and every other address in them is hidden.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=delivery.mailing.event_id)
    row = Delivery.objects.select_related("mailing__event", "entrant").get(pk=delivery.pk)
    if BOUNCE_SEVERITY[row.bounce] >= BOUNCE_SEVERITY[kind] or not row.address:
        return False
    earliest = row.sent_at or row.mailing.asked_at
    row.bounce, row.bounce_code = kind, code[:12]
    row.bounced_at = at if at and earliest <= at <= now else now
    row.bounce_words = mask_other_addresses(clean_report_words(words), row.address)[:BOUNCE_WORDS_MAX_LENGTH]
    row.save(update_fields=["bounce", "bounced_at", "bounce_code", "bounce_words"])
    digest, details = ("", bounce_digest(row)), {"kind": kind.value, "code": row.bounce_code}
    services.append_audit_entry(
        row.mailing.event, None, "record_bounce", delivery_subject_ref(row), digest=digest, details=details, at=now
    )
    return True


def delivery_subject_ref(delivery: Delivery) -> str:
    """One mail as the log names it: `mailing 12 entrant 0301`."""
    return f"mailing {delivery.mailing_id} entrant {delivery.entrant.number:04d}"


def bounce_digest(delivery: Delivery) -> str:
    """SHA-256 of what was reported and when; not of the words, which an erasure takes."""
    at = canonical.instant(delivery.bounced_at) if delivery.bounced_at else ""
    return canonical.digest_of([str(delivery.bounce), at, delivery.bounce_code])


def mask_other_addresses(words: str, own: str) -> str:
    """The words with every address hidden but the mail's own."""
    return MAIL_ADDRESS_PATTERN.sub(
        lambda found: found[0] if found[0].casefold() == own.casefold() else mask_email(found[0]), words
    )


# --- From the mailbox -----------------------------------------------------------------------------------
def process_bounce_mail(content: bytes, return_address: str, *, now: datetime | None = None) -> str:
    """What one mail of the mailbox came to."""
    try:
        report = read_report(content, return_address)
    except ReportIgnored:
        return BOUNCE_IGNORED
    except ReportUnreadable:
        return BOUNCE_UNREADABLE
    row = find_reported_delivery(report)
    if row is None:
        return BOUNCE_UNKNOWN
    new = record_bounce(row, report.kind, code=report.code, words=report.words, at=report.at, now=now)
    return BOUNCE_RECORDED if new else BOUNCE_REPEATED


def find_reported_delivery(report: BounceReport) -> Delivery | None:
    """By its token, which has the last word where there is one. A Message-ID, which others can guess, counts only
    where the report names the mail's recipient as well."""
    if report.tokens:
        return next((row for token in report.tokens if (row := queries.delivery_by_token(token))), None)
    for one in report.message_ids:
        row = queries.delivery_by_message_id(one)
        if row is not None and row.address.lower() in report.addresses:
            return row
    return None


# --- From a program -------------------------------------------------------------------------------------
def process_bounce_reports(reports: Iterable[Mapping[str, Any]], *, now: datetime | None = None) -> dict[str, int]:
    """What a provider's reports came to, counted. `mail` is a return address, its token or a Message-ID."""
    found = dict.fromkeys((BOUNCE_RECORDED, BOUNCE_REPEATED, BOUNCE_UNKNOWN), 0)
    for one in reports:
        row = queries.delivery_by_return_address(one["mail"]) or queries.delivery_by_message_id(one["mail"])
        if row is None:
            found[BOUNCE_UNKNOWN] += 1
            continue
        facts = {"code": one.get("status", ""), "words": one.get("diagnostic", ""), "at": one.get("at")}
        found[
            BOUNCE_RECORDED if record_bounce(row, BounceKind(one["kind"]), now=now, **facts) else BOUNCE_REPEATED
        ] += 1
    add_bounce_counts(found)
    return found


def add_bounce_counts(found: Mapping[str, int]) -> None:
    """Add to what is shown of all reports."""
    more = {name: F(name) + many for name, many in found.items() if many}
    if more:
        queries.bounce_reading()
        BounceReading.objects.filter(pk=1).update(**more)

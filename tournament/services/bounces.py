"""What is reported of a mail after the mail server took it: one place where it is written down.

A mail that came back counts as told to nobody (queries.mailings_shown.told_already); whose it was is to be telephoned.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournament.contacts import mask_email
from tournament.enums import BounceKind
from tournament.models import AuditHead, BounceReading, Delivery
from tournament.queries import bounces as queries
from tournament.readers.bounces import ADDRESS, Ignored, Report, Unreadable, cleaned, read_report
from tournament.services import audit

# What one report came to: the counter of that name.
RECORDED, REPEATED, IGNORED, UNKNOWN, UNREADABLE = "recorded", "repeated", "ignored", "unknown", "unreadable"
# Of a report's words, once every other address in them is hidden.
LONGEST_WORDS = 300
WEIGHT = {"": 0, BounceKind.SOFT: 1, BounceKind.COMPLAINT: 2, BounceKind.HARD: 3}


@transaction.atomic
def record(
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
    if WEIGHT[row.bounce] >= WEIGHT[kind] or not row.address:
        return False
    earliest = row.sent_at or row.mailing.asked_at
    row.bounce, row.bounce_code = kind, code[:12]
    row.bounced_at = at if at and earliest <= at <= now else now
    row.bounce_words = without_others(cleaned(words), row.address)[:LONGEST_WORDS]
    row.save(update_fields=["bounce", "bounced_at", "bounce_code", "bounce_words"])
    told, reason = ("", bounce_digest(row)), f"{kind.value} {row.bounce_code}".strip()
    audit.record(row.mailing.event, None, "record_bounce", thing_of(row), digest=told, reason=reason, at=now)
    return True


def thing_of(delivery: Delivery) -> str:
    """One mail as the log names it: `mailing 12 entrant 0301`."""
    return f"mailing {delivery.mailing_id} entrant {delivery.entrant.number:04d}"


def bounce_digest(delivery: Delivery) -> str:
    """SHA-256 of what was reported and when; not of the words, which an erasure takes."""
    at = audit.instant(delivery.bounced_at) if delivery.bounced_at else ""
    return audit.digest_of([str(delivery.bounce), at, delivery.bounce_code])


def without_others(words: str, own: str) -> str:
    """The words with every address hidden but the mail's own."""
    return ADDRESS.sub(lambda found: found[0] if found[0].casefold() == own.casefold() else mask_email(found[0]), words)


# --- From the mailbox -----------------------------------------------------------------------------------
def take_mail(content: bytes, return_address: str, *, now: datetime | None = None) -> str:
    """What one mail of the mailbox came to."""
    try:
        report = read_report(content, return_address)
    except Ignored:
        return IGNORED
    except Unreadable:
        return UNREADABLE
    row = mail_of(report)
    if row is None:
        return UNKNOWN
    new = record(row, report.kind, code=report.code, words=report.words, at=report.at, now=now)
    return RECORDED if new else REPEATED


def mail_of(report: Report) -> Delivery | None:
    """By its token, which has the last word where there is one. A Message-ID, which others can guess, counts only
    where the report names the mail's recipient as well."""
    if report.tokens:
        return next((row for token in report.tokens if (row := queries.by_token(token))), None)
    for one in report.message_ids:
        row = queries.by_message_id(one)
        if row is not None and row.address.lower() in report.addresses:
            return row
    return None


# --- From a program -------------------------------------------------------------------------------------
def take_reports(reports: Iterable[Mapping[str, Any]], *, now: datetime | None = None) -> dict[str, int]:
    """What a provider's reports came to, counted. `mail` is a return address, its token or a Message-ID."""
    found = dict.fromkeys((RECORDED, REPEATED, UNKNOWN), 0)
    for one in reports:
        row = queries.by_return_address(one["mail"]) or queries.by_message_id(one["mail"])
        if row is None:
            found[UNKNOWN] += 1
            continue
        facts = {"code": one.get("status", ""), "words": one.get("diagnostic", ""), "at": one.get("at")}
        found[RECORDED if record(row, BounceKind(one["kind"]), now=now, **facts) else REPEATED] += 1
    count(found)
    return found


def count(found: Mapping[str, int]) -> None:
    """Add to what is shown of all reports."""
    more = {name: F(name) + many for name, many in found.items() if many}
    if more:
        queries.reading()
        BounceReading.objects.filter(pk=1).update(**more)

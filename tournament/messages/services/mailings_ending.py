"""Words end with their subject: whoever withdraws, replaces or changes it ends every mailing about it in the same
transaction. What was left is counted and never sent; what was sent stays sent.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.enums import OPEN_MAILINGS, DeliveryState, MailingKind, MailingState
from tournament.core.models.event import Event
from tournament.messages.domain import grounds_messages
from tournament.messages.domain.mail_subjects import (
    ENDED_LIST_OPENED,
    ENDED_PLACE_CHANGED,
    EndedSubject,
    outdated_deliveries,
)
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries import mailings as queries
from tournament.messages.services import mailings
from tournament.messages.services.mailings_subjects import SUBJECT_CHANGED_ADVICE


@transaction.atomic
def end_outdated(event: Event, *, by: User | None, now: datetime | None = None) -> list[Mailing]:
    """End each mailing that is being sent or paused whose subject is in force no more; those that were ended.

    Of places also the single mails whose own place is another now. Harmless at any time, and when nothing has changed.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    ended = []
    for row in open_mailings(event):
        why = grounds_messages.reason_not_in_force(row)
        if why is not None:
            ended.append(end_mailing(row, why, by=by, now=now))
        else:
            stop_outdated(row, by=by, now=now)
    return ended


@transaction.atomic
def end_places(event: Event, *, by: User | None, now: datetime) -> list[Mailing]:
    """End what is mailed of places because the list of finalists was opened again: those who hold one are to be told
    anew."""
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    rows = [row for row in open_mailings(event) if row.kind == MailingKind.PLACES]
    return [end_mailing(row, EndedSubject(ENDED_LIST_OPENED), by=by, now=now) for row in rows]


def open_mailings(event: Event) -> list[Mailing]:
    """Being sent or paused, in order."""
    return list(queries.mailings_of_event(event).filter(state__in=OPEN_MAILINGS).select_related("event").order_by("id"))


def end_mailing(mailing: Mailing, why: EndedSubject, *, by: User | None, now: datetime) -> Mailing:
    """Stop it for this reason, which it keeps: what waits is never sent. It has ended already: nothing.

    The entry says how many had got it; a mail that is with the server at this moment is counted at the end.
    """
    row = mailings.lock_mailing(mailing)
    if row.state not in OPEN_MAILINGS:
        return row
    counts, data = queries.delivery_counts(row), why.as_data()
    sent, left = counts[DeliveryState.SENT], counts[DeliveryState.WAITING]
    details, digest = {**data, "sent": sent, "count": row.count, "stopped": left}, canonical.digest_of(data)
    fields: dict[str, Any] = {"wait_until": None, "trouble": "", "ended": data}
    row = mailings.update_mailing_state(
        row, MailingState.STOPPED, "end_mailing", by, now, details=details, digest=digest, **fields
    )
    row.deliveries.filter(state=DeliveryState.WAITING).update(state=DeliveryState.STOPPED, next_try_at=None)
    mailings.finish_mailing(row, now=now)
    row.refresh_from_db()
    return row


def end_by_worker(mailing: Mailing, now: datetime | None = None) -> bool:
    """What a worker does that finds the subject ended before a mail; whether it had."""
    now = now or timezone.now()
    with transaction.atomic():
        row = mailings.lock_mailing(mailing)
        why = grounds_messages.reason_not_in_force(row)
        if why is not None:
            end_mailing(row, why, by=None, now=now)
    return why is not None


def stop_outdated(mailing: Mailing, *, by: User | None, now: datetime) -> None:
    """Of a mailing of places the mails that wait and whose place is another now, each with why; in the log by
    number."""
    waiting = mailing.deliveries.filter(state=DeliveryState.WAITING).select_related("entrant")
    stale = outdated_deliveries(mailing, list(waiting.order_by("entrant__number")))
    if not stale:
        return
    chosen = Delivery.objects.filter(pk__in=[one.pk for one in stale], state=DeliveryState.WAITING)
    chosen.update(state=DeliveryState.STOPPED, next_try_at=None, answer=SUBJECT_CHANGED_ADVICE[ENDED_PLACE_CHANGED])
    numbers = " ".join(f"{one.entrant.number:04d}" for one in stale)
    subject, reason = mailings.mailing_subject_ref(mailing), f"{len(stale)}: {numbers}"[:500]
    services.append_audit_entry(mailing.event, by, "stop_mails", subject, reason=reason, at=now)

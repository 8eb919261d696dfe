"""Mail as rows: a mailing is confirmed with its count, then paused, gone on with, stopped, its failures tried again.

One delivery a recipient is written with the mailing, in one transaction with its audit entry; `mailings_sending` claims
them. A mail that a server took stays sent, whatever happens to its mailing afterwards.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.enums import OPEN_MAILINGS, DeliveryState, MailingKind, MailingState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.services import jobs
from tournament.entrants.models.people import Entrant
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries import mailings as queries
from tournament.messages.queries.recipients import Recipient
from tournament.messages.services.mailings_subjects import refuse_out_of_force

SEND_MAIL_TASK = "tournament.send_mail"

MAILING_COUNT_DIFFERS = _("%(confirmed)s recipients were confirmed, but now there are %(count)s. Look at them again.")
MAILING_HAS_NO_RECIPIENTS = _("There is nobody to mail.")
MAILING_STILL_OPEN = _("Mail about this is being sent or paused. Wait for its end, or stop it first.")
MAILING_ENDED = _("This mailing has ended.")
MAILING_STOPPED = _("This mailing was stopped: what was not sent then is not sent any more. Begin a new one.")


@transaction.atomic
def start_mailing(
    event: Event,
    kind: MailingKind,
    subject: str,
    recipients: Sequence[Recipient],
    *,
    confirmed: int,
    by: User,
    notice: Notice | None = None,
    rate: int | None = None,
    seen: int = 0,
    now: datetime | None = None,
) -> Mailing:
    """Write the mailing and a delivery for each recipient; a worker is told once it is committed.

    `confirmed` is the count that the organiser typed: another is `count_differs`. `seen` is the newest mailing of this
    kind and subject that the page knew of, by id (0: none). Sent again it finds a newer one, which is answered as it
    is. Refused also `nobody_to_mail`, `mailing_open`.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    newest = queries.newest_mailing_about(event, kind, subject)
    if newest is not None and newest.pk != seen:
        return newest
    if newest is not None and newest.state in OPEN_MAILINGS:
        raise Refused("mailing_open", MAILING_STILL_OPEN)
    if not recipients:
        raise Refused("nobody_to_mail", MAILING_HAS_NO_RECIPIENTS)
    if confirmed != len(recipients):
        raise Refused("count_differs", MAILING_COUNT_DIFFERS, confirmed=confirmed, count=len(recipients))
    check_recipients_of_event(event, recipients)
    made = Mailing.objects.create(
        event=event,
        kind=kind,
        subject=subject,
        notice=notice,
        count=len(recipients),
        digest=canonical.digest_of(
            [[one.number, one.language, sorted(one.also)] for one in order_recipients(recipients)]
        ),
        rate=rate or settings.MAIL_RATE,
        asked_by=by,
        asked_at=now,
    )
    Delivery.objects.bulk_create([delivery_of(made, one) for one in order_recipients(recipients)])
    said = f"{subject}, {len(recipients)}"
    services.append_audit_entry(
        event, by, "start_mailing", mailing_subject_ref(made), digest=("", start_digest(made)), reason=said, at=now
    )
    jobs.notify_worker_on_commit(SEND_MAIL_TASK)
    return made


def order_recipients(recipients: Sequence[Recipient]) -> list[Recipient]:
    """Sorts the recipients by entrant number."""
    return sorted(recipients, key=lambda one: one.number)


def check_recipients_of_event(event: Event, recipients: Sequence[Recipient]) -> None:
    """Whoever gathers recipients names entrants of this event by their own numbers, each once; else it is our fault."""
    own = dict(Entrant.objects.filter(event=event).values_list("pk", "number"))
    named = {one.entrant_id: one.number for one in recipients}
    if len(named) != len(recipients) or any(own.get(pk) != number for pk, number in named.items()):
        raise ValueError("a recipient is named twice, or is no entrant of this event")


def delivery_of(mailing: Mailing, one: Recipient) -> Delivery:
    """The row of one recipient, with the Message-ID that every try of it has."""
    return Delivery(
        mailing=mailing,
        entrant_id=one.entrant_id,
        also=sorted(one.also),
        address=one.address,
        language=one.language,
        facts=one.facts,
        message_id=delivery_message_id(mailing, one.number),
    )


def delivery_message_id(mailing: Mailing, number: int) -> str:
    """The same for every try of one mail, and no other mail's: a server or reader that knows it shows it once.

    The moment is in it, since a restored database gives an id a second time.
    """
    moment = hashlib.sha256(canonical.instant(mailing.asked_at).encode()).hexdigest()[:10]
    domain = parseaddr(settings.MAIL_FROM)[1].rpartition("@")[2] or "localhost"
    return f"<{mailing.event.slug}.{mailing.pk}.{number:04d}.{moment}@{domain}>"


def mailing_subject_ref(mailing: Mailing) -> str:
    """A mailing as the log names it."""
    return f"mailing {mailing.pk}"


def start_digest(mailing: Mailing, using: str | None = None) -> str:
    """SHA-256 of what is mailed about what, and for each recipient number, language, companions and facts. No address:
    the log holds nothing of which one could be guessed."""
    told = [
        [row.entrant.number, row.language, row.also, row.facts] for row in queries.deliveries_of_mailing(mailing, using)
    ]
    notice = mailing.notice.number if mailing.notice else None
    return canonical.digest_of([mailing.kind, mailing.subject, notice, mailing.count, mailing.digest, told])


def outcome_digest(mailing: Mailing, using: str | None = None) -> str:
    """SHA-256 of how each ended: number, state, moment of the server's yes, digest of what was sent."""
    return canonical.digest_of(
        [
            [row.entrant.number, row.state, canonical.instant(row.sent_at) if row.sent_at else "", row.digest]
            for row in queries.deliveries_of_mailing(mailing, using)
        ]
    )


# --- While it runs --------------------------------------------------------------------------------------
@transaction.atomic
def pause_mailing(mailing: Mailing, *, by: User, now: datetime | None = None) -> Mailing:
    """No further mail goes out; one that is with the server at this moment still may. Paused already: nothing."""
    row = lock_mailing(mailing)
    refuse_ended_mailing(row)
    if row.state == MailingState.PAUSED:
        return row
    return update_mailing_state(row, MailingState.PAUSED, "pause_mailing", by, now or timezone.now())


@transaction.atomic
def resume_mailing(mailing: Mailing, *, by: User, now: datetime | None = None) -> Mailing:
    """Go on at once, also where it waits for the mail server. Being sent already and not waiting: nothing. Refused
    `subject_ended`."""
    row = lock_mailing(mailing)
    refuse_ended_mailing(row)
    refuse_out_of_force(row)
    if row.state == MailingState.SENDING and row.wait_until is None:
        return row
    row.deliveries.filter(state=DeliveryState.WAITING).update(next_try_at=None)
    return update_mailing_state(
        row, MailingState.SENDING, "resume_mailing", by, now or timezone.now(), wait_until=None, trouble=""
    )


@transaction.atomic
def stop_mailing(mailing: Mailing, *, by: User, now: datetime | None = None) -> Mailing:
    """End it between two mails: what waits is never sent. Stopped already: nothing. Refused `mailing_ended`."""
    row, now = lock_mailing(mailing), now or timezone.now()
    if row.state == MailingState.STOPPED:
        return row
    refuse_ended_mailing(row)
    row = update_mailing_state(row, MailingState.STOPPED, "stop_mailing", by, now, wait_until=None, trouble="")
    row.deliveries.filter(state=DeliveryState.WAITING).update(state=DeliveryState.STOPPED, next_try_at=None)
    finish_mailing(row, now=now)
    row.refresh_from_db()
    return row


@transaction.atomic
def retry_failed_deliveries(
    mailing: Mailing, *, by: User, numbers: Sequence[int] = (), now: datetime | None = None
) -> Mailing:
    """Those that failed wait again, all or these entrants'; an ended mailing is open again. None failed: nothing.

    Refused `subject_ended` where what it is about counts no more, `mailing_stopped`, and `mailing_open` where another
    about the same has been begun since.
    """
    row, now = lock_mailing(mailing), now or timezone.now()
    refuse_out_of_force(row)
    if row.state == MailingState.STOPPED:
        raise Refused("mailing_stopped", MAILING_STOPPED)
    failed = row.deliveries.filter(state=DeliveryState.FAILED)
    if numbers:
        failed = failed.filter(entrant__number__in=numbers)
    again = sorted(failed.values_list("entrant__number", flat=True))
    if not again:
        return row
    if queries.has_other_open_mailing(row):
        raise Refused("mailing_open", MAILING_STILL_OPEN)
    state = MailingState.PAUSED if row.state == MailingState.PAUSED else MailingState.SENDING
    reason = f"{len(again)}: {' '.join(f'{number:04d}' for number in again)}"[:500]
    fields: dict[str, Any] = {"wait_until": None, "trouble": "", "finished_at": None}
    again_open = update_mailing_state(row, state, "retry_mailing", by, now, reason=reason, **fields)
    failed.update(state=DeliveryState.WAITING, tries=0, next_try_at=None, claim="", answer="")
    return again_open


def finish_mailing(mailing: Mailing, *, now: datetime | None = None) -> bool:
    """Write down how it ended, once nothing of it waits or is with the server; whether that was now.

    1. The audit head is the lock. 2. Done, unless it was stopped. 3. Counts and outcomes in the log.
    """
    with transaction.atomic():
        row = lock_mailing(mailing)
        counts = queries.delivery_counts(row)
        unsettled = counts[DeliveryState.WAITING] + counts[DeliveryState.SENDING]
        if row.finished_at is not None or unsettled:
            return False
        now = now or timezone.now()
        state = MailingState.STOPPED if row.state == MailingState.STOPPED else MailingState.DONE
        ends = {str(state): counts[state] for state in DELIVERY_END_STATES}
        fields: dict[str, Any] = {"wait_until": None, "trouble": "", "finished_at": now, "claim": ""}
        update_mailing_state(
            row, state, "finish_mailing", None, now, details=ends, digest=outcome_digest(row), **fields
        )
        return True


DELIVERY_END_STATES = (DeliveryState.SENT, DeliveryState.FAILED, DeliveryState.STOPPED)


def lock_mailing(mailing: Mailing) -> Mailing:
    """The row as it is now, with the event's log locked: acts on mailings come one after another."""
    AuditHead.objects.select_for_update(no_key=True).get(event=mailing.event_id)
    return Mailing.objects.select_related("event", "notice").get(pk=mailing.pk)


def refuse_ended_mailing(row: Mailing) -> None:
    """Nothing is paused or gone on with after its end."""
    if row.state not in OPEN_MAILINGS:
        raise Refused("mailing_ended", MAILING_ENDED)


def update_mailing_state(
    row: Mailing,
    state: MailingState,
    act: str,
    by: User | None,
    now: datetime,
    *,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
    digest: str = "",
    **fields: Any,
) -> Mailing:
    """The swap to another state and its entry; a worker is told where there is something to send.

    No worker writes the state, and whoever else does holds the lock, so that the swap cannot miss.
    """
    before = row.state
    assert Mailing.objects.filter(pk=row.pk, state=before).update(state=state, **fields) == 1
    services.append_audit_entry(
        row.event, by, act, mailing_subject_ref(row), digest=("", digest), reason=reason, details=details, at=now
    )
    if state == MailingState.SENDING:
        jobs.notify_worker_on_commit(SEND_MAIL_TASK)
    row.refresh_from_db()
    return row

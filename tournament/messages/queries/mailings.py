"""Mail as rows: what goes out, how far it is, what failed, and what a worker may claim."""

from collections import Counter
from datetime import datetime
from typing import Annotated, TypedDict

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django_stubs_ext import Annotations

from tournament.core.enums import OPEN_MAILINGS, BounceKind, DeliveryState, MailingKind, MailingState
from tournament.core.models.event import Event
from tournament.messages.models import Delivery, Mailing

UNSETTLED_DELIVERY_STATES = (DeliveryState.WAITING, DeliveryState.SENDING)


def mailings_of_event(event: Event) -> QuerySet[Mailing]:
    """Those of an event, the newest first."""
    return Mailing.objects.filter(event=event).select_related("notice", "asked_by").order_by("-id")


def newest_mailing_about(event: Event, kind: str, subject: str) -> Mailing | None:
    """The last mailing about this; None: it was never mailed."""
    return mailings_of_event(event).filter(kind=kind, subject=subject).select_related("event").first()


def has_other_open_mailing(mailing: Mailing) -> bool:
    """Whether another about the same is being sent or paused."""
    same = Mailing.objects.filter(event=mailing.event_id, kind=mailing.kind, subject=mailing.subject)
    return same.filter(state__in=OPEN_MAILINGS).exclude(pk=mailing.pk).exists()


def delivery_counts(mailing: Mailing) -> Counter[str]:
    """How many deliveries are in which state."""
    rows = mailing.deliveries.order_by().values_list("state").annotate(Count("pk"))
    return Counter(dict(rows))


def deliveries_of_mailing(mailing: Mailing, using: str | None = None) -> list[Delivery]:
    """All, by the entrants' numbers."""
    rows = Delivery.objects.using(using).filter(mailing=mailing.pk).select_related("entrant")
    return list(rows.order_by("entrant__number"))


def failed_deliveries(mailing: Mailing) -> list[Delivery]:
    """Those that failed, with the server's last words, by number."""
    failed = mailing.deliveries.filter(state=DeliveryState.FAILED).select_related("entrant__person")
    return list(failed.order_by("entrant__number"))


class MailingWork(TypedDict):
    """Whether deliveries of the mailing wait, or are with a mail server."""

    unsettled: bool


def claimable_mailings(now: datetime, stale_before: datetime) -> QuerySet[Annotated[Mailing, Annotations[MailingWork]]]:
    """What a worker may take: nobody has it, or who had it gives no sign of life. Also stopped ones whose last mail
    nobody has answered for. Notices first, then what was looked at longest ago."""
    unsettled = Delivery.objects.filter(mailing=OuterRef("pk"), state__in=UNSETTLED_DELIVERY_STATES)
    free = Q(claim="") | Q(beat_at__lt=stale_before)
    due = Q(state=MailingState.SENDING) & (Q(wait_until=None) | Q(wait_until__lte=now))
    left = Q(state=MailingState.STOPPED, finished_at=None) & (Q(beat_at=None) | Q(beat_at__lt=stale_before))
    notices_first = Case(When(kind=MailingKind.NOTICE, then=Value(0)), default=Value(1))
    rows = Mailing.objects.filter(free, due | left).annotate(unsettled=Exists(unsettled))
    return rows.select_related("event").order_by(notices_first, F("beat_at").asc(nulls_first=True), "id")


def due_delivery(mailing: Mailing, now: datetime) -> int | None:
    """The id of the next that waits and may be tried now, in the order of the rows; those never tried first."""
    waiting = mailing.deliveries.filter(state=DeliveryState.WAITING)
    due = waiting.filter(Q(next_try_at=None) | Q(next_try_at__lte=now))
    return due.order_by(F("next_try_at").asc(nulls_first=True), "id").values_list("pk", flat=True).first()


def delivery_to_send(pk: int) -> Delivery:
    """One delivery with all that its text needs."""
    rows = Delivery.objects.select_related("entrant__person", "mailing__event", "mailing__notice__corrects")
    return rows.get(pk=pk)


def next_delivery_try(mailing: Mailing) -> datetime | None:
    """When the first of those that wait may be tried; None: at once, or none waits."""
    waiting = mailing.deliveries.filter(state=DeliveryState.WAITING)
    order = waiting.order_by(F("next_try_at").asc(nulls_first=True))
    return order.values_list("next_try_at", flat=True).first()


def deliveries_taken() -> QuerySet[Delivery]:
    """What a mail server took, without what has come back since: more is not known of a mail."""
    return Delivery.objects.filter(state=DeliveryState.SENT).exclude(bounce=BounceKind.HARD)

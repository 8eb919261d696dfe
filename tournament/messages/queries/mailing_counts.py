"""Mailings as the desk reads them: each with how far it is, what is mailed about what, how fast it goes."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple, TypedDict

from django.db.models import Count, Q, QuerySet
from django_stubs_ext import Annotations

from tournament.core.enums import OPEN_MAILINGS, BounceKind, DeliveryState, MailingKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.bounces import dead_addresses, is_sent_to_dead_address
from tournament.messages.queries.mailings import deliveries_taken, mailings_of_event
from tournament.releases.models import Release

# An address, whatever its case, and the facts that were mailed to it.
LastMailed = tuple[str, dict[str, Any]]
# The speed is that of the last mails sent, while the last of them is not long ago.
PACE_SAMPLE_SIZE, PACE_FRESH_FOR = 50, timedelta(seconds=30)


class MailingPace(NamedTuple):
    """How many went out in how many seconds, the last mails alone."""

    mails: int
    seconds: float

    @property
    def rate(self) -> float:
        """Mails a second, for people to read and to guess an end from."""
        return self.mails / self.seconds


class MailingCounts(TypedDict):
    """How many of a mailing's deliveries: see `mailings_with_counts`."""

    sent: int
    back: int
    late: int
    failed: int
    left: int


def mailings_with_counts(event: Event) -> QuerySet[Annotated[Mailing, Annotations[MailingCounts]]]:
    """Those of an event, the newest first, each with `sent` (a mail server took them), `failed`, `left` (waiting or
    with the server), and of the sent those that came `back` or are `late`."""
    left = Q(deliveries__state__in=(DeliveryState.WAITING, DeliveryState.SENDING))
    taken = Q(deliveries__state=DeliveryState.SENT)
    return mailings_of_event(event).annotate(
        sent=Count("deliveries", filter=taken),
        back=Count("deliveries", filter=taken & Q(deliveries__bounce=BounceKind.HARD)),
        late=Count("deliveries", filter=taken & Q(deliveries__bounce=BounceKind.SOFT)),
        failed=Count("deliveries", filter=Q(deliveries__state=DeliveryState.FAILED)),
        left=Count("deliveries", filter=left),
    )


def mailing_with_counts(event: Event, id: int) -> Annotated[Mailing, Annotations[MailingCounts]] | None:
    """One mailing with its counts; None also for another event's."""
    return mailings_with_counts(event).select_related("event", "notice", "asked_by").filter(pk=id).first()


def newest_mailings_by_subject(event: Event) -> dict[tuple[str, str], Annotated[Mailing, Annotations[MailingCounts]]]:
    """The last mailing about each thing that was mailed, by kind and subject, with its counts; one query."""
    return {(one.kind, one.subject): one for one in reversed(mailings_with_counts(event))}


def sessions_by_code(event: Event) -> dict[str, Session]:
    """The event's sessions by the code that a mailing's subject has; one query."""
    rows = Session.objects.filter(stage__event=event).select_related("stage__event")
    return {one.code: one for one in rows}


def last_mailed_by_number(event: Event, kind: str, subject: str) -> dict[int, LastMailed]:
    """What each entrant was told last about this and where, by number, of the mails that a server took and that did
    not come back, at addresses that were not dead by then; two queries."""
    sent = deliveries_taken().filter(mailing__event=event, mailing__kind=kind, mailing__subject=subject)
    rows = sent.order_by("mailing_id", "id").values_list("entrant__number", "also", "address", "facts", "sent_at")
    dead = dead_addresses(event)
    return {
        number: (address.casefold(), facts)
        for first, also, address, facts, sent_at in rows
        if not is_sent_to_dead_address(address, sent_at, dead)
        for number in (first, *also)
    }


def deliveries_in_state(mailing: Mailing, state: str = "") -> QuerySet[Delivery]:
    """Its mails by number, all or those in one state."""
    rows = mailing.deliveries.select_related("entrant").order_by("entrant__number")
    return rows.filter(state=state) if state else rows


def returned_deliveries(mailing: Mailing) -> list[Delivery]:
    """Those of which something was reported after the server had taken them, by number."""
    rows = mailing.deliveries.filter(state=DeliveryState.SENT).exclude(bounce="").select_related("entrant")
    return list(rows.order_by("entrant__number"))


def mailing_pace_of(mailing: Mailing, now: datetime) -> MailingPace | None:
    """How fast it goes now; None while that cannot be said."""
    sent = mailing.deliveries.filter(sent_at__isnull=False).order_by("-sent_at")
    moments = [at for at in sent.values_list("sent_at", flat=True)[:PACE_SAMPLE_SIZE] if at is not None]
    if len(moments) < 2 or now - moments[0] > PACE_FRESH_FOR:
        return None
    seconds = (moments[0] - moments[-1]).total_seconds()
    return MailingPace(len(moments) - 1, seconds) if seconds > 0 else None


# --- About what an act ends -----------------------------------------------------------------------------
def mailings_about_release(release: Release) -> list[Annotated[Mailing, Annotations[MailingCounts]]]:
    """What was mailed of a release with its counts, the newest first; of the preliminary also the places that it gave:
    those still open, and those that ended with it."""
    chosen = Q(kind=MailingKind.RESULTS, subject=f"release {release.number}")
    if not release.stage.is_last:
        with_it = Q(ended__of=str(release.number), ended__code__startswith="release_")
        chosen |= Q(kind=MailingKind.PLACES) & (Q(state__in=OPEN_MAILINGS) | with_it)
    return list(mailings_with_counts(release.stage.event).filter(chosen))


def mailings_about_notices(
    event: Event, notices: Iterable[Notice]
) -> list[Annotated[Mailing, Annotations[MailingCounts]]]:
    """What was mailed of these notices with its counts, the newest first."""
    return list(mailings_with_counts(event).filter(notice__in=[one.pk for one in notices]))


def open_mailings_about_sessions(
    event: Event, sessions: Iterable[Session]
) -> list[Annotated[Mailing, Annotations[MailingCounts]]]:
    """What is being mailed of the seats of these sessions with its counts, the newest first; where a final is among
    them also the places, whose mails have its times. One query."""
    sessions = list(sessions)
    chosen = Q(kind=MailingKind.SEATS, subject__in=[f"session {one.code}" for one in sessions])
    if any(not one.stage.is_first for one in sessions):
        chosen |= Q(kind=MailingKind.PLACES)
    return list(mailings_with_counts(event).filter(chosen, state__in=OPEN_MAILINGS))


def mailings_about_places(event: Event) -> list[Annotated[Mailing, Annotations[MailingCounts]]]:
    """What was mailed of places with its counts, the newest first."""
    return list(mailings_with_counts(event).filter(kind=MailingKind.PLACES))

"""Mailings as the desk reads them: each with how far it is, what is mailed about what, how fast it goes."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet

from tournament.enums import OPEN_MAILINGS, BounceKind, DeliveryState, MailingKind, StageKind
from tournament.models import Delivery, Event, Mailing, Notice, Release, Session
from tournament.queries.bounces import dead_addresses, is_dead
from tournament.queries.ground_rows import mails_taken
from tournament.queries.mailings import mailings

# An address, whatever its case, and the facts that were mailed to it.
Told = tuple[str, dict[str, Any]]
# The speed is that of the last mails sent, while the last of them is not long ago.
MEASURED, FRESH = 50, timedelta(seconds=30)


class Pace(NamedTuple):
    """How many went out in how many seconds, the last mails alone."""

    mails: int
    seconds: float

    @property
    def rate(self) -> float:
        """Mails a second, for people to read and to guess an end from."""
        return self.mails / self.seconds


def with_counts(event: Event) -> QuerySet[Mailing]:
    """Those of an event, the newest first, each with `sent` (a mail server took them), `failed`, `left` (waiting or
    with the server), and of the sent those that came `back` or are `late`."""
    left = Q(deliveries__state__in=(DeliveryState.WAITING, DeliveryState.SENDING))
    taken = Q(deliveries__state=DeliveryState.SENT)
    return mailings(event).annotate(
        sent=Count("deliveries", filter=taken),
        back=Count("deliveries", filter=taken & Q(deliveries__bounce=BounceKind.HARD)),
        late=Count("deliveries", filter=taken & Q(deliveries__bounce=BounceKind.SOFT)),
        failed=Count("deliveries", filter=Q(deliveries__state=DeliveryState.FAILED)),
        left=Count("deliveries", filter=left),
    )


def mailing_of(event: Event, id: int) -> Mailing | None:
    """One mailing with its counts; None also for another event's."""
    return with_counts(event).select_related("event", "notice", "asked_by").filter(pk=id).first()


def newest_by_subject(event: Event) -> dict[tuple[str, str], Mailing]:
    """The last mailing about each thing that was mailed, by kind and subject, with its counts; one query."""
    return {(one.kind, one.subject): one for one in reversed(with_counts(event))}


def sessions_by_code(event: Event) -> dict[str, Session]:
    """The event's sessions by the code that a mailing's subject has; one query."""
    rows = Session.objects.filter(stage__event=event).select_related("stage__event")
    return {one.code: one for one in rows}


def told_already(event: Event, kind: str, subject: str) -> dict[int, Told]:
    """What each entrant was told last about this and where, by number, of the mails that a server took and that did
    not come back, at addresses that were not dead by then; two queries."""
    sent = mails_taken().filter(mailing__event=event, mailing__kind=kind, mailing__subject=subject)
    rows = sent.order_by("mailing_id", "id").values_list("entrant__number", "also", "address", "facts", "sent_at")
    dead = dead_addresses(event)
    return {
        number: (address.casefold(), facts)
        for first, also, address, facts, sent_at in rows
        if not is_dead(address, sent_at, dead)
        for number in (first, *also)
    }


def deliveries_shown(mailing: Mailing, state: str = "") -> QuerySet[Delivery]:
    """Its mails by number, all or those in one state."""
    rows = mailing.deliveries.select_related("entrant").order_by("entrant__number")
    return rows.filter(state=state) if state else rows


def came_back(mailing: Mailing) -> list[Delivery]:
    """Those of which something was reported after the server had taken them, by number."""
    rows = mailing.deliveries.filter(state=DeliveryState.SENT).exclude(bounce="").select_related("entrant")
    return list(rows.order_by("entrant__number"))


def pace_of(mailing: Mailing, now: datetime) -> Pace | None:
    """How fast it goes now; None while that cannot be said."""
    sent = mailing.deliveries.filter(sent_at__isnull=False).order_by("-sent_at")
    moments = list(sent.values_list("sent_at", flat=True)[:MEASURED])
    if len(moments) < 2 or now - moments[0] > FRESH:
        return None
    seconds = (moments[0] - moments[-1]).total_seconds()
    return Pace(len(moments) - 1, seconds) if seconds > 0 else None


# --- About what an act ends -----------------------------------------------------------------------------
def about_release(release: Release) -> list[Mailing]:
    """What was mailed of a release with its counts, the newest first; of the preliminary also the places that it gave:
    those still open, and those that ended with it."""
    chosen = Q(kind=MailingKind.RESULTS, subject=f"release {release.number}")
    if release.stage.kind == StageKind.PRELIMINARY:
        with_it = Q(ended__of=str(release.number), ended__code__startswith="release_")
        chosen |= Q(kind=MailingKind.PLACES) & (Q(state__in=OPEN_MAILINGS) | with_it)
    return list(with_counts(release.stage.event).filter(chosen))


def about_notices(event: Event, notices: Iterable[Notice]) -> list[Mailing]:
    """What was mailed of these notices with its counts, the newest first."""
    return list(with_counts(event).filter(notice__in=[one.pk for one in notices]))


def open_about_sessions(event: Event, sessions: Iterable[Session]) -> list[Mailing]:
    """What is being mailed of the seats of these sessions with its counts, the newest first; where a final is among
    them also the places, whose mails have its times. One query."""
    sessions = list(sessions)
    chosen = Q(kind=MailingKind.SEATS, subject__in=[f"session {one.code}" for one in sessions])
    if any(one.stage.kind == StageKind.FINAL for one in sessions):
        chosen |= Q(kind=MailingKind.PLACES)
    return list(with_counts(event).filter(chosen, state__in=OPEN_MAILINGS))


def about_places(event: Event) -> list[Mailing]:
    """What was mailed of places with its counts, the newest first."""
    return list(with_counts(event).filter(kind=MailingKind.PLACES))

"""Whom no mail has reached with a word that is in force, and why: who is to be telephoned.

Asked of what is so now: a word that was replaced is lacked by nobody, and a mended address is one to be mailed.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournament.core.enums import BounceKind, DeliveryState, MailingKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.mail.domain.mailing_subjects import session_of_mailing, stage_of_mailing
from tournament.mail.domain.recipients import MailingPlan, notice_plan, places_plan, results_plan, seats_plan
from tournament.messages.domain.mail_subjects import mailing_ended_reason
from tournament.messages.domain.told import recipients_not_yet_mailed
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.bounces import dead_addresses
from tournament.messages.queries.mailing_counts import last_mailed_by_number, newest_mailings_by_subject
from tournament.messages.queries.mailings import UNSETTLED_DELIVERY_STATES
from tournament.messages.queries.recipients import Recipient, Recipients
from tournament.releases.models import Release

UNREACHED_NO_ADDRESS, UNREACHED_CAME_BACK, UNREACHED_DEAD_ADDRESS, UNREACHED_UNWANTED = (
    "no_address",
    "came_back",
    "dead",
    "unwanted",
)
UNREACHED_FAILED, UNREACHED_NOT_MAILED = "failed", "not_mailed"
# Why a mail that a server took is no reason to think that they know.
UNREACHED_RETURNED = frozenset({UNREACHED_CAME_BACK, UNREACHED_DEAD_ADDRESS})


@dataclass(frozen=True, slots=True)
class UnreachedEntrant:
    """One entrant and a word that no mail has brought. `why`: one of the codes above; `words` of a report, if any."""

    number: int
    mailing: Mailing
    why: str
    words: str = ""


def unreached_entrants(event: Event) -> list[UnreachedEntrant]:
    """Of every word in force that was mailed, by number. Whose mail still waits is left out, unless mail came back from
    that address before."""
    addresses = dead_addresses(event, (BounceKind.HARD,)), dead_addresses(event, (BounceKind.COMPLAINT,))
    found = [
        one
        for row in newest_mailings_by_subject(event).values()
        for one in unreached_by_mailing(row, event, *addresses)
    ]
    return sorted(found, key=lambda one: (one.number, one.mailing.pk))


def numbers_with_returned_mail(event: Event) -> set[int]:
    """Whose mail came back, of words in force."""
    if not Delivery.objects.filter(mailing__event=event, bounce=BounceKind.HARD).exists():
        return set()
    return {one.number for one in unreached_entrants(event) if one.why in UNREACHED_RETURNED}


def unreached_by_mailing(
    mailing: Mailing, event: Event, dead: Collection[str], unwanted: Collection[str]
) -> Iterator[UnreachedEntrant]:
    """Of one word, by its newest mailing; the addresses from which mail came back, or was called unwanted."""
    mailing.event = event
    if mailing.ended or mailing_ended_reason(mailing) is not None:
        return
    try:
        found = plan_of_mailing(mailing).gather()
    except Refused:
        return
    last, on_the_way = last_delivery_by_number(mailing), numbers_still_waiting(mailing)
    for one in recipients_still_unreached(mailing, found):
        for number in (one.number, *one.also):
            row, known = last.get(number), one.address.casefold() in dead
            if known or number not in on_the_way:
                yield UnreachedEntrant(
                    number, mailing, unreached_reason(one, row, dead, unwanted), row.bounce_words if row else ""
                )
    yield from (UnreachedEntrant(number, mailing, UNREACHED_NO_ADDRESS) for number in found.missing)


def recipients_still_unreached(mailing: Mailing, found: Recipients) -> tuple[Recipient, ...]:
    """Those who have not got it where they are to be reached now."""
    return recipients_not_yet_mailed(found, last_mailed_by_number(mailing.event, mailing.kind, mailing.subject)).found


def plan_of_mailing(mailing: Mailing) -> MailingPlan:
    """What it is about, as a new mailing would be planned."""
    if mailing.notice is not None:
        return notice_plan(mailing.notice)
    if mailing.kind == MailingKind.PLACES:
        return places_plan(stage_of_mailing(mailing))
    if mailing.kind == MailingKind.RESULTS:
        number = int(mailing.subject.partition(" ")[2])
        return results_plan(
            Release.objects.select_related("stage__event").get(stage__event=mailing.event, number=number)
        )
    session = session_of_mailing(mailing)
    if session is None:
        raise Refused("session_gone", "")
    return seats_plan(session)


def last_delivery_by_number(mailing: Mailing) -> dict[int, Delivery]:
    """The newest mail about the same to each entrant, by number; one query."""
    same = Delivery.objects.filter(mailing__event=mailing.event_id, mailing__kind=mailing.kind)
    rows = same.filter(mailing__subject=mailing.subject).select_related("entrant").order_by("mailing_id", "id")
    return {number: row for row in rows for number in (row.entrant.number, *row.also)}


def numbers_still_waiting(mailing: Mailing) -> set[int]:
    """Whose mail of this mailing waits, or is with the server."""
    rows = mailing.deliveries.filter(state__in=UNSETTLED_DELIVERY_STATES).values_list("entrant__number", "also")
    return {number for first, also in rows for number in (first, *also)}


def unreached_reason(one: Recipient, last: Delivery | None, dead: Collection[str], unwanted: Collection[str]) -> str:
    """By the last mail to the address of now."""
    here = last is not None and last.address.casefold() == one.address.casefold()
    if last is not None and here and last.state == DeliveryState.SENT and last.bounce == BounceKind.HARD:
        return UNREACHED_CAME_BACK
    if one.address.casefold() in dead:
        return UNREACHED_DEAD_ADDRESS
    if one.address.casefold() in unwanted:
        return UNREACHED_UNWANTED
    return (
        UNREACHED_FAILED if last is not None and here and last.state == DeliveryState.FAILED else UNREACHED_NOT_MAILED
    )

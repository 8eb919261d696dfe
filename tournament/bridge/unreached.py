"""Whom no mail has reached with a word that is in force, and why: who is to be telephoned.

Asked of what is so now: a word that was replaced is lacked by nobody, and a mended address is one to be mailed.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournament.bridge.mailing_subjects import session_of, stage_of, why_ended
from tournament.bridge.recipients import Plan, not_told, notice_plan, places_plan, results_plan, seats_plan
from tournament.enums import BounceKind, DeliveryState, MailingKind
from tournament.errors import Refused
from tournament.models import Delivery, Event, Mailing, Release
from tournament.queries.bounces import dead_addresses
from tournament.queries.mailings import UNSETTLED
from tournament.queries.mailings_shown import newest_by_subject, told_already
from tournament.queries.recipients import Recipient, Recipients

NO_ADDRESS, CAME_BACK, DEAD, UNWANTED = "no_address", "came_back", "dead", "unwanted"
FAILED, NOT_MAILED = "failed", "not_mailed"
# Why a mail that a server took is no reason to think that they know.
RETURNED = frozenset({CAME_BACK, DEAD})


@dataclass(frozen=True, slots=True)
class Lack:
    """One entrant and a word that no mail has brought. `why`: one of the codes above; `words` of a report, if any."""

    number: int
    mailing: Mailing
    why: str
    words: str = ""


def lacking(event: Event) -> list[Lack]:
    """Of every word in force that was mailed, by number. Whose mail still waits is left out, unless mail came back from
    that address before."""
    addresses = dead_addresses(event, (BounceKind.HARD,)), dead_addresses(event, (BounceKind.COMPLAINT,))
    found = [one for row in newest_by_subject(event).values() for one in lacking_of(row, event, *addresses)]
    return sorted(found, key=lambda one: (one.number, one.mailing.pk))


def came_back(event: Event) -> set[int]:
    """Whose mail came back, of words in force."""
    if not Delivery.objects.filter(mailing__event=event, bounce=BounceKind.HARD).exists():
        return set()
    return {one.number for one in lacking(event) if one.why in RETURNED}


def lacking_of(mailing: Mailing, event: Event, dead: Collection[str], unwanted: Collection[str]) -> Iterator[Lack]:
    """Of one word, by its newest mailing; the addresses from which mail came back, or was called unwanted."""
    mailing.event = event
    if mailing.ended or why_ended(mailing) is not None:
        return
    try:
        found = plan_of(mailing).gather()
    except Refused:
        return
    last, on_the_way = last_mails(mailing), waiting_in(mailing)
    for one in untold(mailing, found):
        for number in (one.number, *one.also):
            row, known = last.get(number), one.address.casefold() in dead
            if known or number not in on_the_way:
                yield Lack(number, mailing, why_not(one, row, dead, unwanted), row.bounce_words if row else "")
    yield from (Lack(number, mailing, NO_ADDRESS) for number in found.missing)


def untold(mailing: Mailing, found: Recipients) -> tuple[Recipient, ...]:
    """Those who have not got it where they are to be reached now."""
    return not_told(found, told_already(mailing.event, mailing.kind, mailing.subject)).found


def plan_of(mailing: Mailing) -> Plan:
    """What it is about, as a new mailing would be planned."""
    if mailing.notice is not None:
        return notice_plan(mailing.notice)
    if mailing.kind == MailingKind.PLACES:
        return places_plan(stage_of(mailing))
    if mailing.kind == MailingKind.RESULTS:
        number = int(mailing.subject.partition(" ")[2])
        return results_plan(
            Release.objects.select_related("stage__event").get(stage__event=mailing.event, number=number)
        )
    session = session_of(mailing)
    if session is None:
        raise Refused("session_gone", "")
    return seats_plan(session)


def last_mails(mailing: Mailing) -> dict[int, Delivery]:
    """The newest mail about the same to each entrant, by number; one query."""
    same = Delivery.objects.filter(mailing__event=mailing.event_id, mailing__kind=mailing.kind)
    rows = same.filter(mailing__subject=mailing.subject).select_related("entrant").order_by("mailing_id", "id")
    return {number: row for row in rows for number in (row.entrant.number, *row.also)}


def waiting_in(mailing: Mailing) -> set[int]:
    """Whose mail of this mailing waits, or is with the server."""
    rows = mailing.deliveries.filter(state__in=UNSETTLED).values_list("entrant__number", "also")
    return {number for first, also in rows for number in (first, *also)}


def why_not(one: Recipient, last: Delivery | None, dead: Collection[str], unwanted: Collection[str]) -> str:
    """By the last mail to the address of now."""
    here = last is not None and last.address.casefold() == one.address.casefold()
    if last is not None and here and last.state == DeliveryState.SENT and last.bounce == BounceKind.HARD:
        return CAME_BACK
    if one.address.casefold() in dead:
        return DEAD
    if one.address.casefold() in unwanted:
        return UNWANTED
    return FAILED if last is not None and here and last.state == DeliveryState.FAILED else NOT_MAILED

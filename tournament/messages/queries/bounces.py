"""Mail that came back: which mail a report is about, and which addresses took none.

A mail's own return address has its token: the row's number and a keyed digest of its Message-ID, in lower-case hex,
since relays fold the case. Nothing in it is about a person.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.core.enums import BounceKind, DeliveryState
from tournament.core.models.event import Event
from tournament.messages.models import BounceReading, Delivery

BOUNCE_TOKEN_SALT = "tournament.bounces"
BOUNCE_TOKEN_PATTERN = re.compile(r"([0-9a-f]{1,15})-([0-9a-f]{20})", re.ASCII)
# A report's status of this class is of the moment: a full mailbox, a server that was away.
TRANSIENT_STATUS_PREFIX = "4."
DEAD_ADDRESS_KINDS = (BounceKind.HARD, BounceKind.COMPLAINT)


def bounce_token_of(delivery: Delivery) -> str:
    """By which a report names this mail."""
    return f"{delivery.pk:x}-{bounce_token_mark(delivery)}"


def bounce_token_mark(delivery: Delivery) -> str:
    """Who does not know the installation's key cannot make it; the Message-ID is in it, since a restored database
    gives a row's number a second time."""
    return salted_hmac(BOUNCE_TOKEN_SALT, f"{delivery.pk}:{delivery.message_id}", algorithm="sha256").hexdigest()[:20]


def bounce_return_address(delivery: Delivery) -> str:
    """`bounces+1f-0123456789abcdef0123@example.org`; empty where no such address is set."""
    local, sign, domain = settings.MAIL_BOUNCES.rpartition("@")
    return f"{local}+{bounce_token_of(delivery)}@{domain}" if sign else ""


def delivery_by_token(token: str) -> Delivery | None:
    """The mail; None for a token that nobody here has made."""
    found = BOUNCE_TOKEN_PATTERN.fullmatch(token.strip().lower())
    row = deliveries_for_reports().filter(pk=int(found[1], 16)).first() if found else None
    return row if found and row and constant_time_compare(bounce_token_mark(row), found[2]) else None


def delivery_by_return_address(said: str) -> Delivery | None:
    """The mail that was sent from this address, or that this token is of."""
    return delivery_by_token(said.strip().strip("<>").rpartition("+")[2].partition("@")[0])


def delivery_by_message_id(message_id: str) -> Delivery | None:
    """The mail, with or without the signs around it."""
    text = message_id.strip().strip("<>")
    return deliveries_for_reports().filter(message_id=f"<{text}>").first() if text and text.isprintable() else None


def deliveries_for_reports() -> QuerySet[Delivery]:
    """Mails with what a report of them needs."""
    return Delivery.objects.select_related("mailing__event", "entrant")


def bounce_reading() -> BounceReading:
    """How far the mailbox was read, and what came of it."""
    return BounceReading.objects.get_or_create(pk=1)[0]


# --- What came back -------------------------------------------------------------------------------------
def dead_addresses(event: Event, kinds: tuple[BounceKind, ...] = DEAD_ADDRESS_KINDS) -> dict[str, datetime | None]:
    """Where mail was refused for good, or is not wanted: the address, whatever its case, and when the first such mail
    had been sent. What was sent there before may have arrived. One query."""
    back = Delivery.objects.filter(mailing__event=event, bounce__in=kinds)
    dead = back.exclude(address="").exclude(bounce=BounceKind.HARD, bounce_code__startswith=TRANSIENT_STATUS_PREFIX)
    found: dict[str, datetime | None] = {}
    for address, at in dead.order_by("sent_at").values_list("address", "sent_at"):
        found.setdefault(address.casefold(), at)
    return found


def is_sent_to_dead_address(address: str, sent_at: datetime | None, dead: dict[str, datetime | None]) -> bool:
    """Whether a mail that was sent there then counts as told to nobody."""
    key = address.casefold()
    if key not in dead:
        return False
    since = dead[key]
    return since is None or sent_at is None or sent_at >= since


def tried_in_vain(event: Event, kind: str, subject: str) -> set[tuple[int, str]]:
    """Number and address of those to whom this was mailed at an address that is dead: another try would be in vain."""
    dead = dead_addresses(event)
    if not dead:
        return set()
    sent = Delivery.objects.filter(mailing__event=event, mailing__kind=kind, mailing__subject=subject)
    rows = sent.filter(state=DeliveryState.SENT).values_list("entrant__number", "also", "address")
    return {
        (number, address.casefold())
        for first, also, address in rows
        if address.casefold() in dead
        for number in (first, *also)
    }


def count_dead_addresses(event: Event, addresses: Iterable[str]) -> int:
    """How many of these addresses took no mail before."""
    dead = dead_addresses(event)
    return sum(one.casefold() in dead for one in addresses)

"""Whom a notice or a mailing reached, counted by its deliveries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournament.core.enums import MailingKind
from tournament.messages.models import Notice
from tournament.messages.queries.mailing_counts import LastMailed, last_mailed_by_number
from tournament.messages.queries.recipients import Recipient, Recipients, for_notice


@dataclass(frozen=True)
class NoticeReach:
    """Of how many mails that should have gone out the mail server has taken how many, to the addresses of now."""

    told: int
    of: int


def notice_reach(notice: Notice) -> NoticeReach:
    """Of a published notice: told against what should be told now."""
    found = for_notice(notice)
    told = last_mailed_by_number(notice.event, MailingKind.NOTICE, f"notice {notice.number}")
    return NoticeReach(len(found.found) - len(recipients_not_yet_mailed(found, told).found), len(found.found))


def recipients_not_yet_mailed(found: Recipients, told: Mapping[int, LastMailed]) -> Recipients:
    """Those who have not got exactly this at the address that they have now: whom no mail reached, whose seat or times
    have changed since, whose address was mended."""
    return replace(found, found=tuple(one for one in found.found if not is_mailed_already(one, told)))


def is_mailed_already(one: Recipient, told: Mapping[int, LastMailed]) -> bool:
    """Whether all whom this mail is for have it already."""
    now = (one.address.casefold(), one.facts)
    return all(told.get(number) == now for number in (one.number, *one.also))

"""What was published about a day with how far it has come: the mail server's yes for how many, the banner, whether it
counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.core.models.event import Event
from tournament.messages.domain.told import NoticeReach, notice_reach
from tournament.messages.models import Notice
from tournament.messages.queries.notices_replaced import replaced_notice_numbers


@dataclass(frozen=True, slots=True)
class PublishedNoticeLine:
    """One notice. `newest`: the number of the one that counts instead; None while it counts itself, and only then
    `reach` is told."""

    notice: Notice
    newest: int | None
    reach: NoticeReach | None

    @property
    def banner_up(self) -> bool:
        return self.notice.banner and self.notice.banner_down_at is None

    @property
    def mark(self) -> tuple[int, int | None, NoticeReach | None, bool]:
        """What of it may change."""
        return self.notice.pk, self.newest, self.reach, self.banner_up


def published_notice_lines(event: Event, notices: Sequence[Notice]) -> list[PublishedNoticeLine]:
    instead = replaced_notice_numbers(event) if notices else {}
    lines = []
    for one in notices:
        newest = instead.get(one.number or 0, (None,))[-1]
        lines.append(PublishedNoticeLine(one, newest, notice_reach(one) if newest is None else None))
    return lines

"""What was published about a day with how far it has come: the mail server's yes for how many, the banner, whether it
counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.bridge.recipients import Reach, reach_of
from tournament.models import Event, Notice
from tournament.queries.notices_replaced import replaced


@dataclass(frozen=True, slots=True)
class Published:
    """One notice. `newest`: the number of the one that counts instead; None while it counts itself, and only then
    `reach` is told."""

    notice: Notice
    newest: int | None
    reach: Reach | None

    @property
    def banner_up(self) -> bool:
        """Whether its banner stands."""
        return self.notice.banner and self.notice.banner_down_at is None

    @property
    def mark(self) -> tuple[int, int | None, Reach | None, bool]:
        """What of it may change."""
        return self.notice.pk, self.newest, self.reach, self.banner_up


def published_lines(event: Event, notices: Sequence[Notice]) -> list[Published]:
    """In their order."""
    instead = replaced(event) if notices else {}
    lines = []
    for one in notices:
        newest = instead.get(one.number or 0, (None,))[-1]
        lines.append(Published(one, newest, reach_of(one) if newest is None else None))
    return lines

"""When nobody looked at the sky: a look says what is in force at its moment, not what came and went before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from scoring.weather_proposal import OBSERVATION_STALE_AFTER


@dataclass(frozen=True, slots=True)
class ObservedPeriod:
    """Good looks at the feed from `first` to `last`, never longer than five minutes apart; or a person's own look,
    who says of the whole journal that it is right."""

    first: datetime
    last: datetime
    by_hand: bool = False


def observation_gaps(
    looks: Iterable[ObservedPeriod], since: datetime, until: datetime
) -> tuple[tuple[datetime, datetime], ...]:
    """The times between two moments, in order, in which a signal may have come and gone unseen.

    A gap is longer than five minutes and ends with a look, or with `until`; whatever was before a person's look is
    known. Looks may come in any order; none counts that was after `until`."""
    known, found = since, list[tuple[datetime, datetime]]()
    for look in sorted((one for one in looks if one.first <= until), key=lambda one: (one.first, one.last)):
        if look.by_hand:
            found.clear()
        elif look.first - known > OBSERVATION_STALE_AFTER:
            found.append((known, look.first))
        known = max(known, min(look.last, until))
    if until - known > OBSERVATION_STALE_AFTER:
        found.append((known, until))
    return tuple(found)

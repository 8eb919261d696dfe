"""Who is in time at the door (R6), and when two facts about one person disagree. Moments and words in, words and counts
out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

ONE_MINUTE = timedelta(minutes=1)
ELSEWHERE = "elsewhere"


def moment_of_arrival(received: datetime, claimed: datetime | None) -> datetime:
    """When somebody came: as the device or the paper says, but never after it was received."""
    return received if claimed is None else min(received, claimed)


def forfeits_from(seating: datetime) -> datetime:
    """The moment from which whoever is not there forfeits: the minute of the seating time is over (R6)."""
    return seating.replace(second=0, microsecond=0) + ONE_MINUTE


def is_in_time(arrived: datetime, seating: datetime) -> bool:
    """Whether an arrival is stamped before or within the minute of the seating time (R6)."""
    return arrived < forfeits_from(seating)


def arrival_conflict(
    *, status: str, status_since: datetime | None, received: datetime, is_expected_here: bool
) -> str | None:
    """What stands against an arrival that was received: another session, or a status that was recorded before it.

    A status recorded after the arrival is what became of somebody who had come, and no conflict. Answers `elsewhere`,
    the status, or None.
    """
    if not is_expected_here:
        return ELSEWHERE
    if status == "ok" or (status_since is not None and received <= status_since):
        return None
    return status


def arrivals_by_minute(moments: Iterable[datetime], first: datetime, last: datetime) -> tuple[int, ...]:
    """How many had come by the end of each minute from `first` to `last`, both included; empty where `last` is before.

    Who came before `first` counts in every minute.
    """
    minutes = (last - first) // ONE_MINUTE + 1 if last >= first else 0
    came = sorted(moments)
    counts, done = [], 0
    for minute in range(minutes):
        end = first + (minute + 1) * ONE_MINUTE
        while done < len(came) and came[done] < end:
            done += 1
        counts.append(done)
    return tuple(counts)

"""Which notice counts now: a newer word about the same takes the place of the older one, on every page and in every
mail.

Read from what was published, which never changes: the answer of an evening is that of the morning.
"""

from collections.abc import Mapping, Sequence

from tournament.core.enums import NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.messages.models import Notice

# A decision told again as its opposite is a correction; what the day brings beside that goes on from it.
OPPOSITE_KIND = {NoticeKind.GOING_AHEAD: NoticeKind.STOPPED, NoticeKind.STOPPED: NoticeKind.GOING_AHEAD}


def replaced_notice_numbers(event: Event) -> dict[int, tuple[int, ...]]:
    """Of each published notice that does not count any more, by number: the numbers of those that count instead, in
    order. Two queries."""
    rows = list(Notice.objects.filter(event=event, number__isnull=False).order_by("-number"))
    first = first_session_numbers(event)
    found: dict[int, tuple[int, ...]] = {}
    for place, row in enumerate(rows):
        newer = {
            number
            for one in rows[:place]
            if does_notice_replace(one, row, first)
            for number in numbers_counting_instead(one, found)
        }
        if newer and row.number:
            found[row.number] = tuple(sorted(newer))
    return found


def numbers_counting_instead(notice: Notice, found: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """Itself, or those that count instead."""
    number = notice.number or 0
    return found.get(number, (number,))


def newest_number_counting_instead(notice: Notice) -> int | None:
    """The number of the newest notice that counts instead of this one; None while it counts itself."""
    instead = replaced_notice_numbers(notice.event).get(notice.number or 0)
    return instead[-1] if instead else None


def notices_replaced_by(notice: Notice) -> list[Notice]:
    """The published notices instead of which this one counts, in order."""
    numbers = [number for number, instead in replaced_notice_numbers(notice.event).items() if notice.number in instead]
    return list(Notice.objects.filter(event=notice.event_id, number__in=numbers).order_by("number"))


def notices_replaced_by_draft(draft: Notice) -> list[Notice]:
    """The published notices that count now and no more once this draft is published, in order."""
    gone, first = replaced_notice_numbers(draft.event), first_session_numbers(draft.event)
    rows = Notice.objects.filter(event=draft.event, number__isnull=False).exclude(number__in=gone).order_by("number")
    return [one for one in rows if does_notice_replace(draft, one, first)]


def notice_reversed_by_draft(draft: Notice) -> Notice | None:
    """The notice in force that told the opposite of this draft about the same; None where nothing was changed."""
    opposite = OPPOSITE_KIND.get(NoticeKind(draft.kind))
    found = [one for one in notices_replaced_by_draft(draft) if one.kind == opposite]
    return found[-1] if found else None


def first_session_numbers(event: Event) -> dict[int, int]:
    """Each session's number with that of the session that it replays, or its own."""
    rows = Session.objects.filter(stage__event=event).values_list("pk", "number", "replays_id")
    by_key = {pk: (number, replays) for pk, number, replays in rows}

    def first(pk: int) -> int:
        number, replays = by_key[pk]
        return first(replays) if replays else number

    return {number: first(pk) for pk, (number, _replays) in by_key.items()}


def does_notice_replace(newer: Notice, older: Notice, first: Mapping[int, int]) -> bool:
    """Whether the newer one corrects the older or tells about the same sessions, or day where one names no sessions.

    What is general goes beside the others: only a correction takes its place.
    """
    if newer.corrects_id is not None and newer.corrects_id in (older.pk, older.corrects_id):
        return True
    if NoticeKind.GENERAL in (newer.kind, older.kind):
        return False
    mine, theirs = (first_numbers_of_sessions(one.sessions, first) for one in (newer, older))
    if mine and theirs:
        return bool(mine & theirs)
    return newer.day is not None and newer.day == older.day


def first_numbers_of_sessions(sessions: Sequence[int], first: Mapping[int, int]) -> set[int]:
    """The sessions' numbers, a replay as the session that it replays."""
    return {first.get(number, number) for number in sessions}

"""Reads of what moved a session's time and its tables', and of what a close would leave behind."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from tournament.enums import LOCKED_STATES, ClockKind, NoteKind, SessionState, SheetState
from tournament.models import ClockEvent, Device, DeviceTable, Event, HeldItem, NoteEnd, Scoresheet, Session, Table
from tournament.queries import devices


def counting() -> QuerySet[ClockEvent]:
    """Every transition but an overtime that was taken back: its minutes do not count."""
    taken_back = NoteEnd.objects.filter(kind=NoteKind.OVERTIME, note=OuterRef("pk"))
    return ClockEvent.objects.exclude(Exists(taken_back), kind=ClockKind.OVERTIME)


def events_of(session: Session) -> list[ClockEvent]:
    """Every transition that counts of a session and of its tables, in order."""
    rows = counting().filter(session=session).select_related("by", "table", "device")
    return list(rows.order_by("at", "id"))


def events_of_sessions(sessions: Iterable[int]) -> dict[int, list[ClockEvent]]:
    """Every transition that counts of each of these sessions and of its tables, in order, by session id; one query."""
    found: dict[int, list[ClockEvent]] = defaultdict(list)
    rows = counting().filter(session__in=set(sessions)).select_related("table")
    for row in rows.order_by("at", "id"):
        found[row.session_id].append(row)
    return found


def last_kinds(sessions: Iterable[Session]) -> dict[int, str]:
    """What last moved each session, without what moved single tables, by its key; one query."""
    rows = ClockEvent.objects.filter(session__in=[row.pk for row in sessions], table=None)
    return dict(rows.order_by("at", "id").values_list("session_id", "kind"))


def last_decisions(sessions: Iterable[Session]) -> dict[int, str]:
    """What was decided last about each session that was broken off, taken back or not, by its key; one query."""
    rows = ClockEvent.objects.filter(session__in=[row.pk for row in sessions], table=None, kind__in=DECISIONS)
    return dict(rows.order_by("at", "id").values_list("session_id", "kind"))


def is_held_back(session: Session) -> bool:
    """Whether it was held back before its start, and not suspended while it was played."""
    return last_kinds([session]).get(session.pk) == ClockKind.HOLD


def open_pause(events: Iterable[ClockEvent]) -> ClockEvent | None:
    """The pause of one table that has not ended, from that table's own transitions in order."""
    moves = [event for event in events if event.kind in (ClockKind.PAUSE, ClockKind.UNPAUSE)]
    return moves[-1] if moves and moves[-1].kind == ClockKind.PAUSE else None


# About a session that was broken off while it was played.
DECISIONS = (ClockKind.STAND, ClockKind.REPLAY, ClockKind.UNDECIDE)


class Holding(NamedTuple):
    """A tablet that holds items, and the numbers of its tables."""

    device: Device
    numbers: Sequence[int]


class Behind(NamedTuple):
    """What a session still waits for: tablets that hold items, items that wait for a person, unsigned tables; and
    tablets that were not heard for a minute, of which nobody knows what they hold."""

    devices: Sequence[Holding]
    held: Sequence[HeldItem]
    tables: Sequence[Table]
    silent: Sequence[devices.Silent] = ()

    def __bool__(self) -> bool:
        """Whether anything does."""
        return bool(self.devices or self.held or self.tables or self.silent)


def behind(session: Session) -> Behind:
    """All that a close of the session would leave behind; a number of queries that does not grow."""
    found = devices.holding(session)
    numbers: dict[int, list[int]] = defaultdict(list)
    served = DeviceTable.objects.filter(device__in=found, ended_at=None).order_by("table__number")
    for device, number in served.values_list("device_id", "table__number"):
        numbers[device].append(number)
    holding = [Holding(device, numbers.get(device.pk, [])) for device in found]
    now = timezone.now()
    silent = devices.silent(session, now, now - devices.SILENT)
    return Behind(holding, devices.unsettled(session.stage.event, session), list(unfinished(session)), silent)


def unheard_since_close(session: Session, events: Iterable[ClockEvent]) -> list[devices.Silent]:
    """Of a session that is closed: tablets that do not know it yet, and may have recorded since they were heard."""
    closed = [event.at for event in events if event.kind == ClockKind.CLOSE]
    if session.state != SessionState.CLOSED or not closed:
        return []
    return devices.silent(session, timezone.now(), closed[-1])


def unfinished(session: Session) -> Iterable[Table]:
    """Tables with people at them whose sheet is neither locked nor void, by number."""
    over = Scoresheet.objects.filter(table=OuterRef("pk"), state__in=(*LOCKED_STATES, SheetState.VOID))
    tables = Table.objects.filter(session=session, seats__isnull=False)
    return tables.filter(~Exists(over)).distinct().order_by("number")


def sessions_of(event: Event) -> list[Session]:
    """Every session of the event by its time, with its draw."""
    return list(Session.objects.filter(stage__event=event).select_related("stage__event", "draw").order_by("play_at"))


def events_by_session(event: Event) -> dict[int, list[ClockEvent]]:
    """Every session's own transitions in order, without those of single tables, by session id."""
    found: dict[int, list[ClockEvent]] = defaultdict(list)
    rows = ClockEvent.objects.filter(session__stage__event=event, table=None).select_related("by")
    for row in rows.order_by("at", "id"):
        found[row.session_id].append(row)
    return found

"""Reads of what moved a session's time and its tables', and of what a close would leave behind."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from tournament.core.enums import LOCKED_STATES, ClockKind, NoteKind, SessionState, SheetState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices import queries
from tournament.devices.models.device import Device, DeviceTable, QuarantinedSubmission
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import NoteEnd
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table


def clock_events_that_count() -> QuerySet[ClockEvent]:
    """Every transition but an overtime that was taken back: its minutes do not count."""
    taken_back = NoteEnd.objects.filter(kind=NoteKind.OVERTIME, note=OuterRef("pk"))
    return ClockEvent.objects.exclude(Exists(taken_back), kind=ClockKind.OVERTIME)


def clock_events_of_session(session: Session) -> list[ClockEvent]:
    """Every transition that counts of a session and of its tables, in order."""
    rows = clock_events_that_count().filter(session=session).select_related("by", "table", "device")
    return list(rows.order_by("at", "id"))


def clock_events_by_session(sessions: Iterable[int]) -> dict[int, list[ClockEvent]]:
    """Every transition that counts of each of these sessions and of its tables, in order, by session id; one query."""
    found: dict[int, list[ClockEvent]] = defaultdict(list)
    rows = clock_events_that_count().filter(session__in=set(sessions)).select_related("table")
    for row in rows.order_by("at", "id"):
        found[row.session_id].append(row)
    return found


def last_clock_kinds(sessions: Iterable[Session]) -> dict[int, str]:
    """What last moved each session, without what moved single tables, by its key; one query."""
    rows = ClockEvent.objects.filter(session__in=[row.pk for row in sessions], table=None)
    return dict(rows.order_by("at", "id").values_list("session_id", "kind"))


def last_session_decisions(sessions: Iterable[Session]) -> dict[int, str]:
    """What was decided last about each session that was broken off, taken back or not, by its key; one query."""
    rows = ClockEvent.objects.filter(
        session__in=[row.pk for row in sessions], table=None, kind__in=SESSION_DECISION_KINDS
    )
    return dict(rows.order_by("at", "id").values_list("session_id", "kind"))


def open_pause(events: Iterable[ClockEvent]) -> ClockEvent | None:
    """The pause of one table that has not ended, from that table's own transitions in order."""
    moves = [event for event in events if event.kind in (ClockKind.PAUSE, ClockKind.UNPAUSE)]
    return moves[-1] if moves and moves[-1].kind == ClockKind.PAUSE else None


# About a session that was broken off while it was played.
SESSION_DECISION_KINDS = (ClockKind.STAND, ClockKind.REPLAY, ClockKind.UNDECIDE)


class TabletWithItems(NamedTuple):
    """A tablet that holds items, and the numbers of its tables."""

    device: Device
    numbers: Sequence[int]


class SessionBacklog(NamedTuple):
    """What a session still waits for: tablets that hold items, items that wait for a person, unsigned tables; and
    tablets that were not heard for a minute, of which nobody knows what they hold."""

    devices: Sequence[TabletWithItems]
    held: Sequence[QuarantinedSubmission]
    tables: Sequence[Table]
    silent: Sequence[queries.SilentTablet] = ()

    def __bool__(self) -> bool:
        return bool(self.devices or self.held or self.tables or self.silent)


def session_backlog(session: Session) -> SessionBacklog:
    """All that a close of the session would leave behind; a number of queries that does not grow."""
    found = queries.devices_holding_items(session)
    numbers: dict[int, list[int]] = defaultdict(list)
    served = DeviceTable.objects.filter(device__in=found, ended_at=None).order_by("table__number")
    for device, number in served.values_list("device_id", "table__number"):
        numbers[device].append(number)
    holding = [TabletWithItems(device, numbers.get(device.pk, [])) for device in found]
    now = timezone.now()
    silent = queries.silent_tablets(session, now, now - queries.SILENT_AFTER)
    return SessionBacklog(
        holding, queries.unresolved_submissions(session.stage.event, session), list(unfinished_tables(session)), silent
    )


def tablets_unheard_since_close(session: Session, events: Iterable[ClockEvent]) -> list[queries.SilentTablet]:
    """Of a session that is closed: tablets that do not know it yet, and may have recorded since they were heard."""
    closed = [event.at for event in events if event.kind == ClockKind.CLOSE]
    if session.state != SessionState.CLOSED or not closed:
        return []
    return queries.silent_tablets(session, timezone.now(), closed[-1])


def unfinished_tables(session: Session) -> Iterable[Table]:
    """Tables with people at them whose sheet is neither locked nor void, by number."""
    over = Scoresheet.objects.filter(table=OuterRef("pk"), state__in=(*LOCKED_STATES, SheetState.VOID))
    tables = Table.objects.filter(session=session, seats__isnull=False)
    return tables.filter(~Exists(over)).distinct().order_by("number")


def sessions_by_time(event: Event) -> list[Session]:
    """Every session of the event by its time, with its draw."""
    return list(Session.objects.filter(stage__event=event).select_related("stage__event", "draw").order_by("play_at"))


def session_transitions_by_session(event: Event) -> dict[int, list[ClockEvent]]:
    """Every session's own transitions in order, without those of single tables, by session id."""
    found: dict[int, list[ClockEvent]] = defaultdict(list)
    rows = ClockEvent.objects.filter(session__stage__event=event, table=None).select_related("by")
    for row in rows.order_by("at", "id"):
        found[row.session_id].append(row)
    return found

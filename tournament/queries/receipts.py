"""What the server has of what tablets made, by sheet: recorded, held at the desk, settled; and whether it is safe.

A tablet compares it with what it keeps: what it took for recorded and is not here goes out again, and nothing leaves
the tablet before its sheet is safe.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Q

from tournament.enums import HeldOutcome, SessionState
from tournament.models import AuditEntry, Device, DeviceTable, Event, HeldItem, RequestKey, SafePoint, Session, Table
from tournament.queries.ground_rows import not_recorded

OVER = (SessionState.CLOSED, SessionState.VOID)
TABLETS = "device:"

# A sheet as tablets name it: the number of its session, the number of its table.
Sheet = tuple[int, int]


class Receipts(NamedTuple):
    """Of one sheet, by the keys of the items. `held`: a person has it before them; `aside`: a person has put it aside.

    `safe`: the session is over, and a backup has that and everything here.
    """

    session: int
    table: int
    recorded: Sequence[str]
    held: Sequence[str]
    aside: Sequence[str]
    safe: bool


def scope_of(device: int) -> str:
    """Where the keys of a tablet's items are its own."""
    return f"{TABLETS}{device}"


def of_sheets(event: Event, sheets: Iterable[Sheet]) -> list[Receipts]:
    """The receipts of these sheets, whichever tablet brought them; six queries, however many. Of a sheet that is not
    there: none."""
    asked = sorted(set(sheets))
    tables = tables_of(event, asked)
    recorded, settled = recorded_keys(tables), held_keys(event, asked, tables)
    keys = {sheet: {*recorded[sheet], *(key for key, _outcome in settled[sheet])} for sheet in tables}
    safe = safe_sheets(event, tables, keys)
    return [
        Receipts(
            *sheet,
            sorted(recorded[sheet]),
            sorted(key for key, outcome in settled[sheet] if not outcome),
            sorted(key for key, outcome in settled[sheet] if outcome == HeldOutcome.SET_ASIDE),
            sheet in safe,
        )
        for sheet in asked
    ]


def tables_of(event: Event, sheets: Sequence[Sheet]) -> dict[Sheet, Table]:
    """The tables of these sheets that there are."""
    wanted = Q()
    for session, table in sheets:
        wanted |= Q(session__number=session, number=table)
    rows = Table.objects.filter(wanted, session__stage__event=event).select_related("session") if sheets else []
    return {(table.session.number, table.number): table for table in rows}


def recorded_keys(tables: Mapping[Sheet, Table]) -> dict[Sheet, set[str]]:
    """What was carried out under the tablets that ever served each table."""
    served: dict[str, list[Sheet]] = defaultdict(list)
    places = {table.pk: sheet for sheet, table in tables.items()}
    for device, table in DeviceTable.objects.filter(table__in=places).values_list("device_id", "table_id"):
        served[scope_of(device)].append(places[table])
    found: dict[Sheet, set[str]] = {sheet: set() for sheet in tables}
    rows = RequestKey.objects.filter(scope__in=list(served), status__gt=0)
    for scope, key in rows.values_list("scope", "key"):
        for sheet in served[scope]:
            found[sheet].add(key)
    return defaultdict(set, found)


def held_keys(
    event: Event, asked: Sequence[Sheet], tables: Mapping[Sheet, Table]
) -> dict[Sheet, list[tuple[str, str]]]:
    """What a person has had before them, with what came of it ("" while nothing has). What is held of a table that
    nobody knows here may be of any that is asked for."""
    places: dict[int | None, list[Sheet]] = {table.pk: [sheet] for sheet, table in tables.items()}
    places[None] = list(asked)
    found: dict[Sheet, list[tuple[str, str]]] = defaultdict(list)
    rows = HeldItem.objects.filter(Q(table__in=[pk for pk in places if pk]) | Q(table=None), event=event)
    for table, key, outcome in rows.values_list("table_id", "key", "outcome"):
        for sheet in places[table]:
            found[sheet].append((key, outcome))
    return found


class WithTheDesk(NamedTuple):
    """An item of a table that waits for a person: what it is, which tablet brought it, when it says it was made."""

    act: str
    tablet: int | None
    made_at: datetime | None


def with_the_desk(tables: Iterable[Table]) -> dict[int, list[WithTheDesk]]:
    """What waits for a person, by the table's id, whichever tablet it came from; one query."""
    found: dict[int, list[WithTheDesk]] = defaultdict(list)
    rows = not_recorded().filter(table__in=list(tables)).order_by("pk")
    for table, *facts in rows.values_list("table_id", "act", "device__number", "made_at"):
        found[table].append(WithTheDesk(*facts))
    return found


def safe_sheets(event: Event, tables: Mapping[Sheet, Table], keys: Mapping[Sheet, set[str]]) -> set[Sheet]:
    """Those whose session is over, where neither its end nor anything of the sheet is newer than the newest backup."""
    over = {sheet: table for sheet, table in tables.items() if table.session.state in OVER}
    reached = SafePoint.objects.filter(event=event).values_list("seq", flat=True).first() if over else None
    if reached is None:
        return set()
    ended = last_entries(event, {table.session for table in over.values()})
    newer = AuditEntry.objects.filter(event=event, seq__gt=reached).exclude(request_key="")
    unsaved = set(newer.values_list("request_key", flat=True))
    return {
        sheet
        for sheet, table in over.items()
        if ended.get(table.session_id, reached + 1) <= reached and not keys[sheet] & unsaved
    }


def last_entries(event: Event, sessions: Iterable[Session]) -> dict[int, int]:
    """Where the log tells last of each session, by its id."""
    by_thing = {f"session {session.code}": session.pk for session in sessions}
    rows = AuditEntry.objects.filter(event=event, thing__in=list(by_thing)).order_by().values_list("thing")
    return {by_thing[thing]: seq for thing, seq in rows.annotate(last=Max("seq"))}


def carried_out(event: Event, key: str, *, but: Device | None = None) -> bool:
    """Whether any tablet of the event has had this key carried out: a tablet that was paired again brings it again."""
    tablets = Device.objects.filter(event=event).exclude(pk=but.pk if but else None)
    scopes = [scope_of(pk) for pk in tablets.values_list("pk", flat=True)]
    return RequestKey.objects.filter(scope__in=scopes, key=key, status__gt=0).exists()


def of_another(device: Device, key: str) -> bool:
    """Whether another tablet of the event has had it carried out."""
    return carried_out(device.event, key, but=device)

"""What the server has of what tablets made, by sheet: recorded, held at the desk, settled; and whether it is safe.

A tablet compares it with what it keeps: what it took for recorded and is not here goes out again, and nothing leaves
the tablet before its sheet is safe.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Q

from tournament.audit.models import AuditEntry
from tournament.core.enums import ENDED, SubmissionOutcome
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.devices.models.backup_point import SafePoint
from tournament.devices.models.device import Device, DeviceTable, QuarantinedSubmission
from tournament.devices.queries import unrecorded_submissions
from tournament.tables.models import Table

DEVICE_SCOPE_PREFIX = "device:"

# A sheet as tablets name it: the number of its session, the number of its table.
SheetNumbers = tuple[int, int]


class SheetReceipts(NamedTuple):
    """Of one sheet, by the keys of the items. `held`: a person has it before them; `aside`: a person has put it aside.

    `safe`: the session is over, and a backup has that and everything here.
    """

    session: int
    table: int
    recorded: Sequence[str]
    held: Sequence[str]
    aside: Sequence[str]
    safe: bool


def device_key_scope(device: int) -> str:
    """Where the keys of a tablet's items are its own."""
    return f"{DEVICE_SCOPE_PREFIX}{device}"


def receipts_of_sheets(event: Event, sheets: Iterable[SheetNumbers]) -> list[SheetReceipts]:
    """The receipts of these sheets, whichever tablet brought them; six queries, however many. Of a sheet that is not
    there: none."""
    asked = sorted(set(sheets))
    tables = tables_of_sheet_numbers(event, asked)
    recorded, settled = recorded_item_keys(tables), submission_keys(event, asked, tables)
    keys = {sheet: {*recorded[sheet], *(key for key, _outcome in settled[sheet])} for sheet in tables}
    safe = sheets_in_newest_backup(event, tables, keys)
    return [
        SheetReceipts(
            *sheet,
            sorted(recorded[sheet]),
            sorted(key for key, outcome in settled[sheet] if not outcome),
            sorted(key for key, outcome in settled[sheet] if outcome == SubmissionOutcome.SET_ASIDE),
            sheet in safe,
        )
        for sheet in asked
    ]


def tables_of_sheet_numbers(event: Event, sheets: Sequence[SheetNumbers]) -> dict[SheetNumbers, Table]:
    """The tables of these sheets that there are."""
    wanted = Q()
    for session, table in sheets:
        wanted |= Q(session__number=session, number=table)
    rows = Table.objects.filter(wanted, session__stage__event=event).select_related("session") if sheets else []
    return {(table.session.number, table.number): table for table in rows}


def recorded_item_keys(tables: Mapping[SheetNumbers, Table]) -> dict[SheetNumbers, set[str]]:
    """What was carried out under the tablets that ever served each table."""
    served: dict[str, list[SheetNumbers]] = defaultdict(list)
    places = {table.pk: sheet for sheet, table in tables.items()}
    for device, table in DeviceTable.objects.filter(table__in=places).values_list("device_id", "table_id"):
        served[device_key_scope(device)].append(places[table])
    found: dict[SheetNumbers, set[str]] = {sheet: set() for sheet in tables}
    rows = RequestKey.objects.filter(scope__in=list(served), status__gt=0)
    for scope, key in rows.values_list("scope", "key"):
        for sheet in served[scope]:
            found[sheet].add(key)
    return defaultdict(set, found)


def submission_keys(
    event: Event, asked: Sequence[SheetNumbers], tables: Mapping[SheetNumbers, Table]
) -> dict[SheetNumbers, list[tuple[str, str]]]:
    """What a person has had before them, with what came of it ("" while nothing has). What is held of a table that
    nobody knows here may be of any that is asked for."""
    places: dict[int | None, list[SheetNumbers]] = {table.pk: [sheet] for sheet, table in tables.items()}
    places[None] = list(asked)
    found: dict[SheetNumbers, list[tuple[str, str]]] = defaultdict(list)
    rows = QuarantinedSubmission.objects.filter(Q(table__in=[pk for pk in places if pk]) | Q(table=None), event=event)
    for table, key, outcome in rows.values_list("table_id", "key", "outcome"):
        for sheet in places[table]:
            found[sheet].append((key, outcome))
    return found


class WaitingSubmission(NamedTuple):
    """An item of a table that waits for a person: what it is, which tablet brought it, when it says it was made."""

    act: str
    tablet: int | None
    made_at: datetime | None


def waiting_submissions_by_table(tables: Iterable[Table]) -> dict[int, list[WaitingSubmission]]:
    """What waits for a person, by the table's id, whichever tablet it came from; one query."""
    found: dict[int, list[WaitingSubmission]] = defaultdict(list)
    rows = unrecorded_submissions().filter(table__in=list(tables)).order_by("pk")
    for table, act, tablet, made_at in rows.values_list("table_id", "act", "device__number", "made_at"):
        found[table].append(WaitingSubmission(act, tablet, made_at))
    return found


def sheets_in_newest_backup(
    event: Event, tables: Mapping[SheetNumbers, Table], keys: Mapping[SheetNumbers, set[str]]
) -> set[SheetNumbers]:
    """Those whose session is over, where neither its end nor anything of the sheet is newer than the newest backup."""
    over = {sheet: table for sheet, table in tables.items() if table.session.state in ENDED}
    reached = SafePoint.objects.filter(event=event).values_list("seq", flat=True).first() if over else None
    if reached is None:
        return set()
    ended = last_entry_by_session(event, {table.session for table in over.values()})
    newer = AuditEntry.objects.filter(event=event, seq__gt=reached).exclude(request_key="")
    unsaved = set(newer.values_list("request_key", flat=True))
    return {
        sheet
        for sheet, table in over.items()
        if ended.get(table.session_id, reached + 1) <= reached and not keys[sheet] & unsaved
    }


def last_entry_by_session(event: Event, sessions: Iterable[Session]) -> dict[int, int]:
    """Where the log tells last of each session, by its id."""
    by_subject = {f"session {session.code}": session.pk for session in sessions}
    rows = AuditEntry.objects.filter(event=event, subject__in=list(by_subject)).order_by().values_list("subject")
    return {by_subject[subject]: seq for subject, seq in rows.annotate(last=Max("seq"))}


def is_key_carried_out(event: Event, key: str, *, but: Device | None = None) -> bool:
    """Whether any tablet of the event has had this key carried out: a tablet that was paired again brings it again."""
    tablets = Device.objects.filter(event=event).exclude(pk__in=[but.pk] if but else [])
    scopes = [device_key_scope(pk) for pk in tablets.values_list("pk", flat=True)]
    return RequestKey.objects.filter(scope__in=scopes, key=key, status__gt=0).exists()


def is_key_of_other_device(device: Device, key: str) -> bool:
    """Whether another tablet of the event has had it carried out."""
    return is_key_carried_out(device.event, key, but=device)

"""All that a tablet is told, as plain data: its tables, their sheets, the clock, conduct, and who may open it.

Nothing of a person but number, name and status, and of nobody who does not sit at these tables.
"""

import base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch

from tournament.bridge import clock
from tournament.bridge.rulesets import ruleset_fields, ruleset_of
from tournament.bridge.scoresheets import empty_typed
from tournament.enums import ClockKind, DisputeOutcome, EntrantStatus, NoteKind, SheetForm, SheetState
from tournament.models import (
    ClockEvent,
    Device,
    Dispute,
    Incident,
    JudgeCall,
    NoteEnd,
    Scoresheet,
    Seat,
    Session,
    Signature,
    Table,
    Warning,
)
from tournament.queries import clock as clock_queries
from tournament.queries import conduct, receipts
from tournament.queries import devices as queries
from tournament.queries.finalists import round_of
from tournament.queries.receipts import Sheet, WithTheDesk
from tournament.queries.scoresheets import serial

SCHEMA = 1
RECEIPT = 8
GAMES_WHERE_NO_NUMBER_IS_FIXED = 3

Data = dict[str, Any]


def receipt_of(sheet: Scoresheet | None) -> str:
    """The receipt code of a locked sheet: eight characters of its digest; none before (4.1)."""
    if sheet is None or not sheet.locked:
        return ""
    return base64.b32encode(bytes.fromhex(sheet.digest)).decode()[:RECEIPT]


def state_of(device: Device, now: datetime, epoch: str, sheets: Sequence[Sheet] = ()) -> Data:
    """The whole state of a tablet; without `server_now` it is the same until something changes.

    `epoch`: whose memory this is; `sheets`: of which it keeps items beside those of its tables.
    """
    session = device.session
    ruleset = ruleset_of(session.stage)
    games = ruleset.games or GAMES_WHERE_NO_NUMBER_IS_FIXED
    tables = tables_at_hand(device)
    events = clock_queries.events_of(session)
    return {
        "server_now": moment(now),
        "schema": SCHEMA,
        "epoch": epoch,
        "receipts": receipts_data(device, tables, sheets),
        "device": device_data(device),
        "event": {
            "slug": device.event.slug,
            "name_zh": device.event.name_zh,
            "name_en": device.event.name_en,
        },
        "session": session_data(device),
        "clock": clock_data(device, events, now),
        "referee": person(device.opened_by) if device.opened_by else None,
        "referees": [person(one) for one in queries.referees(device.event)],
        "next": next_data(device),
        "ruleset": ruleset_fields(ruleset),
        "games": games,
        "tables": tables_data(tables, device, events, games, now),
    }


def moment(at: datetime | None) -> str | None:
    """UTC, ISO 8601."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def person(user: User) -> Data:
    """A referee as the tablet names them."""
    return {"id": user.pk, "name": user.get_full_name() or user.get_username()}


def device_data(device: Device) -> Data:
    """What it is called and seals with, how long it holds, who holds it, which tables moved from or to it."""
    return {
        "number": device.number,
        "seal_key": device.seal_key,
        "paired_at": moment(device.paired_at),
        "referee": person(device.referee),
        "expires_at": moment(device.expires_at),
        "handed_out": device.handed_out.number if device.handed_out else None,
        "lost": [{"table": table, "tablet": tablet} for table, tablet in queries.lost(device)],
        "taken": [{"table": table, "tablet": tablet} for table, tablet in queries.taken(device)],
    }


def session_data(device: Device) -> Data:
    """The session as it is planned and where it stands; `round` and `rounds` of a final that has several, else null."""
    session = device.session
    return {
        **stage_data(session),
        "number": session.number,
        "code": session.code,
        "number_of_day": session.name_of_day[0],
        "replay": session.is_replay,
        "date": session.original_date.isoformat(),
        "state": session.state,
        "play_at": moment(session.play_at),
        "ends_at": moment(session.ends_at),
    }


def stage_data(session: Session) -> Data:
    """The session's stage, and which round of it."""
    found = round_of(session)
    number, rounds = found if found else (None, None)
    return {"stage": session.stage.kind, "round": number, "rounds": rounds}


def clock_data(device: Device, events: Sequence[ClockEvent], now: datetime) -> Data:
    """The session's own clock; `ends_at` is null before the start and while suspended."""
    reading = clock.read(device.session, [event for event in events if event.table_id is None], now)
    return {
        "started_at": moment(reading.started_at),
        "suspended_at": moment(reading.stopped_since),
        "ends_at": moment(reading.ends_at),
        "closed_at": moment(reading.closed_at),
    }


def next_data(device: Device) -> Data | None:
    """Where it goes on to with one tap."""
    found = queries.next_of(device)
    if found is None:
        return None
    return {
        **stage_data(found.session),
        "session": found.session.number,
        "number_of_day": found.session.name_of_day[0],
        "replay": found.session.is_replay,
        "tables": [table.number for table in found.tables],
        "play_at": moment(found.session.play_at),
    }


def receipts_data(device: Device, tables: Sequence[Table], sheets: Sequence[Sheet]) -> list[Data]:
    """What the server has of its tables' sheets, and of those of which it keeps items from before."""
    own = [(device.session.number, table.number) for table in tables]
    return [one._asdict() for one in receipts.of_sheets(device.event, [*own, *sheets])]


# --- The tables -----------------------------------------------------------------------------------------
def tables_at_hand(device: Device) -> list[Table]:
    """Its tables with seats, sheets, live signatures and disputes; a number of queries that does not grow."""
    live = Signature.objects.filter(superseded_at=None).order_by("letter")
    disputes = Dispute.objects.order_by("-id")
    sheets = (
        Scoresheet.objects.exclude(version__gt=1, state=SheetState.VOID)
        .order_by("-version")
        .prefetch_related(Prefetch("signatures", queryset=live), Prefetch("disputes", queryset=disputes))
    )
    seats = Seat.objects.select_related("entrant__person").order_by("letter")
    tables = queries.tables_of(device).prefetch_related(
        Prefetch("scoresheets", queryset=sheets), Prefetch("seats", queryset=seats)
    )
    found = list(tables)
    for table in found:
        table.session = device.session
    return found


def tables_data(
    tables: Sequence[Table], device: Device, events: Sequence[ClockEvent], games: int, now: datetime
) -> list[Data]:
    """Each table whole."""
    warned = conduct.warnings_by_entrant(device.session, tables)
    calls, incidents = conduct.calls_of_tables(tables), conduct.incidents_of(tables)
    warnings, ends = conduct.warnings_at(tables), conduct.ends_at(tables)
    held = receipts.with_the_desk(tables)
    return [
        {
            "number": table.number,
            "serial": serial(table),
            "ends_at": moment(clock.read(device.session, events, now, table).ends_at),
            **own_time([event for event in events if event.table_id == table.pk]),
            "seats": [seat_data(seat, warned) for seat in table.seats.all()],
            "sheet": sheet_data(next(iter(table.scoresheets.all()), None), games),
            "calls": [call_data(call, ends) for call in calls.get(table.pk, [])],
            "incidents": [incident_data(one, ends) for one in incidents.get(table.pk, [])],
            "warnings": [warning_data(one, table, ends) for one in warnings.get(table.pk, [])],
            "held": [held_data(one) for one in held.get(table.pk, [])],
        }
        for table in tables
    ]


def own_time(events: Sequence[ClockEvent]) -> Data:
    """The table's pause, if one lasts, and its minutes of overtime (conduct rule 6)."""
    moves = [event for event in events if event.kind in (ClockKind.PAUSE, ClockKind.UNPAUSE)]
    pause = moves[-1] if moves and moves[-1].kind == ClockKind.PAUSE else None
    lasting = {"since": moment(pause.at), "letter": pause.letter, "escort": pause.escort} if pause else None
    longer = [event for event in events if event.kind == ClockKind.OVERTIME]
    told = [{"id": one.pk, "minutes": one.minutes, "reason": one.reason, "at": moment(one.at)} for one in longer]
    return {"pause": lasting, "overtime": sum(event.minutes or 0 for event in longer), "overtimes": told}


def seat_data(seat: Seat, warned: Mapping[int, int]) -> Data:
    """Who sits there, whether they sign, how often they were warned."""
    entrant = seat.entrant
    return {
        "letter": seat.letter,
        "number": entrant.number,
        "name_zh": entrant.person.name_zh,
        "name_en": entrant.person.name_en,
        "status": entrant.status,
        "signs": entrant.status == EntrantStatus.OK,
        "warnings": warned.get(entrant.pk, 0),
    }


def sheet_data(sheet: Scoresheet | None, games: int) -> Data:
    """The version in hand; one that is not begun has revision 0."""
    if sheet is None:
        sheet = Scoresheet(version=1, revision=0, state=SheetState.OPEN, form=SheetForm.RACK)
        signed, dispute = [], None
    else:
        signed = [signature.letter for signature in sheet.signatures.all() if signature.present]
        dispute = next((one for one in sheet.disputes.all() if one.outcome != DisputeOutcome.WITHDRAWN), None)
    return {
        "version": sheet.version,
        "revision": sheet.revision,
        "state": sheet.state,
        "form": sheet.form,
        "typed": sheet.typed or empty_typed(games),
        "confirmations": sheet.confirmations,
        "digest": sheet.digest,
        "receipt": receipt_of(sheet),
        "signed": signed,
        "locked_at": moment(sheet.locked_at),
        "dispute": dispute_data(dispute) if dispute else None,
    }


def dispute_data(dispute: Dispute) -> Data:
    """The newest that was not taken back; `decision` is "" until it is decided; `by` is the account that raised it."""
    told = {"id": dispute.pk, "at": moment(dispute.raised_at), "by": dispute.raised_by_id}
    return {**told, "reason": dispute.reason, "decision": dispute.decision}


Ends = Mapping[tuple[str, int], NoteEnd]


def end_data(kind: NoteKind, note: int, ends: Ends) -> Data | None:
    """What became of a note: recorded by the desk or not, or taken back; null while it stands open."""
    end = ends.get((kind, note))
    return {"outcome": end.outcome, "reason": end.reason, "by": person(end.by)["name"]} if end else None


def call_data(call: JudgeCall, ends: Ends) -> Data:
    """A call for the chief judge and what came of it."""
    return {
        "id": call.pk,
        "game": call.game,
        "reason": call.reason,
        "at": moment(call.raised_at),
        "taken_by": person(call.taken_by)["name"] if call.taken_by else None,
        "answer": call.answer,
        "end": end_data(NoteKind.CALL, call.pk, ends),
    }


def held_data(held: WithTheDesk) -> Data:
    """What waits at the desk for this table, whichever tablet made it."""
    return {"act": held.act, "tablet": held.tablet, "made_at": moment(held.made_at)}


def incident_data(incident: Incident, ends: Ends) -> Data:
    """What was recorded of a game."""
    return {
        "id": incident.pk,
        "kind": incident.kind,
        "game": incident.game,
        "letter": incident.letter,
        "tiles": incident.tiles,
        "note": incident.note,
        "at": moment(incident.at),
        "end": end_data(NoteKind.INCIDENT, incident.pk, ends),
    }


def warning_data(warning: Warning, table: Table, ends: Ends) -> Data:
    """A verbal warning that was given at the table, of who sits there; letter "" where they sit elsewhere by now."""
    letters = {seat.entrant_id: seat.letter for seat in table.seats.all()}
    return {
        "id": warning.pk,
        "letter": letters.get(warning.entrant_id, ""),
        "game": warning.game,
        "reason": warning.reason,
        "at": moment(warning.at),
        "end": end_data(NoteKind.WARNING, warning.pk, ends),
    }

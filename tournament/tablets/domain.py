"""All that a tablet is told, as plain data: its tables, their sheets, the clock, conduct, and who may open it.

Nothing of a person but number, name and status, and of nobody who does not sit at these tables.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Prefetch

from scoring.ruleset import Ruleset
from tournament.core.enums import ClockKind, DisputeOutcome, EntrantStatus, NoteKind, SheetForm, SheetState
from tournament.core.models.stage import Session
from tournament.devices import queries
from tournament.devices.models.device import Device
from tournament.events.domain import ruleset_fields, ruleset_of_stage
from tournament.events.queries import round_of
from tournament.sheets.domain import clock
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.domain.scoresheets import empty_typed_sheet, games_to_play
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries import clock as clock_queries
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.tables.models import Seat, Table
from tournament.tablets.queries import conduct, receipts
from tournament.tablets.queries.receipts import SheetNumbers, WaitingSubmission

TABLET_SCHEMA = 1

TabletData = dict[str, Any]


def tablet_state(device: Device, now: datetime, epoch: str, sheets: Sequence[SheetNumbers] = ()) -> TabletData:
    """The whole state of a tablet; without `server_now` it is the same until something changes.

    `epoch`: whose memory this is; `sheets`: of which it keeps items beside those of its tables.
    """
    session = device.session
    ruleset = ruleset_of_stage(session.stage)
    tables = tables_of_tablet(device)
    events = clock_queries.clock_events_of_session(session)
    return {
        "server_now": utc_iso_text(now),
        "schema": TABLET_SCHEMA,
        "epoch": epoch,
        "receipts": receipts_data(device, tables, sheets),
        "device": tablet_device_data(device),
        "event": {
            "slug": device.event.slug,
            "name_zh": device.event.name_zh,
            "name_en": device.event.name_en,
        },
        "session": tablet_session_data(device),
        "clock": tablet_clock_data(device, events, now),
        "referee": referee_data(device.opened_by) if device.opened_by else None,
        "referees": [referee_data(one) for one in queries.tablet_referees(device.event)],
        "next": next_session_data(device),
        "ruleset": ruleset_fields(ruleset),
        "games": max((games_to_play(ruleset, list(table.seats.all())) for table in tables), default=1),
        "tables": tables_data(tables, device, events, ruleset, now),
    }


def utc_iso_text(at: datetime | None) -> str | None:
    """ISO 8601 with Z for a time in UTC."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def referee_data(user: User) -> TabletData:
    """A referee as the tablet names them."""
    return {"id": user.pk, "name": user.get_full_name() or user.get_username()}


def tablet_device_data(device: Device) -> TabletData:
    """What it is called and seals with, how long it holds, who holds it, which tables moved from or to it."""
    return {
        "number": device.number,
        "seal_key": device.seal_key,
        "paired_at": utc_iso_text(device.paired_at),
        "referee": referee_data(device.referee),
        "expires_at": utc_iso_text(device.expires_at),
        "handed_out": device.handed_out.number if device.handed_out else None,
        "lost": [{"table": table, "tablet": tablet} for table, tablet in queries.tables_taken_from(device)],
        "taken": [{"table": table, "tablet": tablet} for table, tablet in queries.tables_taken_by(device)],
    }


def tablet_session_data(device: Device) -> TabletData:
    """The session as it is planned and where it stands; `round` and `rounds` of a final that has several, else null."""
    session = device.session
    return {
        **tablet_stage_data(session),
        "number": session.number,
        "code": session.code,
        "number_of_day": session.name_of_day[0],
        "replay": session.is_replay,
        "date": session.original_date.isoformat(),
        "state": session.state,
        "play_at": utc_iso_text(session.play_at),
        "ends_at": utc_iso_text(session.ends_at),
    }


def tablet_stage_data(session: Session) -> TabletData:
    """The session's stage, and which round of it."""
    found = round_of(session)
    number, rounds = found if found else (None, None)
    return {"stage": session.stage.kind, "round": number, "rounds": rounds}


def tablet_clock_data(device: Device, events: Sequence[ClockEvent], now: datetime) -> TabletData:
    """The session's own clock; `ends_at` is null before the start and while suspended."""
    reading = clock.read_session_clock(device.session, [event for event in events if event.table_id is None], now)
    return {
        "started_at": utc_iso_text(reading.started_at),
        "suspended_at": utc_iso_text(reading.stopped_since),
        "ends_at": utc_iso_text(reading.ends_at),
        "closed_at": utc_iso_text(reading.closed_at),
    }


def next_session_data(device: Device) -> TabletData | None:
    """Where it goes on to with one tap."""
    found = queries.next_tables_of(device)
    if found is None:
        return None
    return {
        **tablet_stage_data(found.session),
        "session": found.session.number,
        "number_of_day": found.session.name_of_day[0],
        "replay": found.session.is_replay,
        "tables": [table.number for table in found.tables],
        "play_at": utc_iso_text(found.session.play_at),
    }


def receipts_data(device: Device, tables: Sequence[Table], sheets: Sequence[SheetNumbers]) -> list[TabletData]:
    """What the server has of its tables' sheets, and of those of which it keeps items from before."""
    own = [(device.session.number, table.number) for table in tables]
    return [one._asdict() for one in receipts.receipts_of_sheets(device.event, [*own, *sheets])]


# --- The tables -----------------------------------------------------------------------------------------
def tables_of_tablet(device: Device) -> list[Table]:
    """Its tables with seats, sheets, live signatures and disputes; a number of queries that does not grow."""
    live = Signature.objects.filter(superseded_at=None).order_by("letter")
    disputes = Dispute.objects.order_by("-id")
    sheets = (
        Scoresheet.objects.exclude(version__gt=1, state=SheetState.VOID)
        .order_by("-version")
        .prefetch_related(Prefetch("signatures", queryset=live), Prefetch("disputes", queryset=disputes))
    )
    seats = Seat.objects.select_related("entrant__person").order_by("letter")
    tables = queries.tables_of_device(device).prefetch_related(
        Prefetch("scoresheets", queryset=sheets), Prefetch("seats", queryset=seats)
    )
    found = list(tables)
    for table in found:
        table.session = device.session
    return found


def tables_data(
    tables: Sequence[Table], device: Device, events: Sequence[ClockEvent], ruleset: Ruleset, now: datetime
) -> list[TabletData]:
    warned = conduct.warnings_by_entrant(device.session, tables)
    calls, incidents = conduct.calls_of_tables(tables), conduct.incidents_of(tables)
    warnings, ends = conduct.warnings_at(tables), conduct.note_ends_at_tables(tables)
    held = receipts.waiting_submissions_by_table(tables)
    games = {table.pk: games_to_play(ruleset, list(table.seats.all())) for table in tables}
    form = SheetForm.TURNS if ruleset.counts_turns else SheetForm.RACK
    return [
        {
            "number": table.number,
            "serial": sheet_serial(table),
            "ends_at": utc_iso_text(clock.read_session_clock(device.session, events, now, table).ends_at),
            **own_time_data([event for event in events if event.table_id == table.pk]),
            "seats": [seat_data(seat, warned) for seat in table.seats.all()],
            "games": games[table.pk],
            "sheet": sheet_data(next(iter(table.scoresheets.all()), None), games[table.pk], form),
            "calls": [call_data(call, ends) for call in calls.get(table.pk, [])],
            "incidents": [incident_data(one, ends) for one in incidents.get(table.pk, [])],
            "warnings": [warning_data(one, table, ends) for one in warnings.get(table.pk, [])],
            "held": [waiting_submission_data(one) for one in held.get(table.pk, [])],
        }
        for table in tables
    ]


def own_time_data(events: Sequence[ClockEvent]) -> TabletData:
    """The table's pause, if one lasts, and its minutes of overtime (R47)."""
    moves = [event for event in events if event.kind in (ClockKind.PAUSE, ClockKind.UNPAUSE)]
    pause = moves[-1] if moves and moves[-1].kind == ClockKind.PAUSE else None
    lasting = {"since": utc_iso_text(pause.at), "letter": pause.letter, "escort": pause.escort} if pause else None
    longer = [event for event in events if event.kind == ClockKind.OVERTIME]
    told = [{"id": one.pk, "minutes": one.minutes, "reason": one.reason, "at": utc_iso_text(one.at)} for one in longer]
    return {"pause": lasting, "overtime": sum(event.minutes or 0 for event in longer), "overtimes": told}


def seat_data(seat: Seat, warned: Mapping[int, int]) -> TabletData:
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


def sheet_data(sheet: Scoresheet | None, games: int, form: SheetForm) -> TabletData:
    """The version in hand; one that is not begun has revision 0 and this form. A sheet of turns is typed at the desk:
    the tablet has no words of it."""
    if sheet is None:
        sheet = Scoresheet(version=1, revision=0, state=SheetState.OPEN, form=form)
        signed, dispute = [], None
    else:
        signed = [signature.letter for signature in sheet.signatures.all() if signature.present]
        dispute = next((one for one in sheet.disputes.all() if one.outcome != DisputeOutcome.WITHDRAWN), None)
    return {
        "version": sheet.version,
        "revision": sheet.revision,
        "state": sheet.state,
        "form": sheet.form,
        "typed": sheet.typed if sheet.typed and form == SheetForm.RACK else empty_typed_sheet(games),
        "confirmations": sheet.confirmations,
        "digest": sheet.digest,
        "receipt": receipt_code(sheet),
        "signed": signed,
        "locked_at": utc_iso_text(sheet.locked_at),
        "dispute": dispute_data(dispute) if dispute else None,
    }


def dispute_data(dispute: Dispute) -> TabletData:
    """The newest that was not taken back; `decision` is "" until it is decided; `by` is the account that raised it."""
    told = {"id": dispute.pk, "at": utc_iso_text(dispute.raised_at), "by": dispute.raised_by_id}
    return {**told, "reason": dispute.reason, "decision": dispute.decision}


NoteEndsByKey = Mapping[tuple[str, int], NoteEnd]


def note_end_data(kind: NoteKind, note: int, ends: NoteEndsByKey) -> TabletData | None:
    """What became of a note: recorded by the desk or not, or taken back; null while it stands open."""
    end = ends.get((kind, note))
    return {"outcome": end.outcome, "reason": end.reason, "by": referee_data(end.by)["name"]} if end else None


def call_data(call: JudgeCall, ends: NoteEndsByKey) -> TabletData:
    """A call for the chief judge and what came of it."""
    return {
        "id": call.pk,
        "game": call.game,
        "reason": call.reason,
        "at": utc_iso_text(call.raised_at),
        "taken_by": referee_data(call.taken_by)["name"] if call.taken_by else None,
        "answer": call.answer,
        "end": note_end_data(NoteKind.CALL, call.pk, ends),
    }


def waiting_submission_data(held: WaitingSubmission) -> TabletData:
    """What waits at the desk for this table, whichever tablet made it."""
    return {"act": held.act, "tablet": held.tablet, "made_at": utc_iso_text(held.made_at)}


def incident_data(incident: Incident, ends: NoteEndsByKey) -> TabletData:
    """What was recorded of a game."""
    return {
        "id": incident.pk,
        "kind": incident.kind,
        "game": incident.game,
        "letter": incident.letter,
        "tiles": incident.tiles,
        "note": incident.note,
        "at": utc_iso_text(incident.at),
        "end": note_end_data(NoteKind.INCIDENT, incident.pk, ends),
    }


def warning_data(warning: Warning, table: Table, ends: NoteEndsByKey) -> TabletData:
    """A verbal warning that was given at the table, of who sits there; letter "" where they sit elsewhere by now."""
    letters = {seat.entrant_id: seat.letter for seat in table.seats.all()}
    return {
        "id": warning.pk,
        "letter": letters.get(warning.entrant_id, ""),
        "game": warning.game,
        "reason": warning.reason,
        "at": utc_iso_text(warning.at),
        "end": note_end_data(NoteKind.WARNING, warning.pk, ends),
    }

"""Conduct at a table: verbal warnings, incidents, calls for the chief judge and their answers (R27, R43, R46).

A referee records, the chief judge rules. Nothing here changes a result or an entrant's status: that is done by who may,
on the sheet and on the entrant, and is recorded there.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.enums import IncidentKind, NoteKind, SessionState
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount, source_of
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.conduct import Incident, JudgeCall, Warning
from tournament.sheets.queries import scoresheets as sheets
from tournament.sheets.services.clock import clean_clock_text
from tournament.tables.models import Seat, Table
from tournament.tablets.queries import conduct as queries

MAX_VERBAL_WARNINGS = 2
PUSHED_OVER_MAX_TILES = 106
INCIDENTS_WITH_SEAT = frozenset(
    {
        *(IncidentKind.PUSHED_OVER, IncidentKind.EXPOSED_TILE, IncidentKind.TURN_FORFEITED),
        *(IncidentKind.LEFT, IncidentKind.ABSENT, IncidentKind.LATE),
        *(IncidentKind.DISQUALIFIED, IncidentKind.MISCOUNT),
    }
)

CONDUCT_REASON_MISSING = _("Say why in a few words: the chief judge reads it.")
THIRD_WARNING_REFUSED = _(
    "This entrant has had both verbal warnings. On a third breach the chief judge decides: call the chief judge."
)
WARNED_AT_SAME_MOMENT = _(
    "Another warning of this entrant was recorded at the same moment. Look, then repeat if it is still needed."
)
NO_SEAT = _("Nobody sits at seat %(letter)s of this table.")
SEAT_LETTER_MISSING = _("Say which seat it was.")
GAME_NUMBER_INVALID = _("Say in which game it was: 1 to %(games)s.")
TILE_COUNT_MISSING = _("Count the tiles of the rack that was pushed over: 1 to 106.")
NOTE_SESSION_POSTPONED = _("This session is postponed: it is not being played, so nothing is noted of its games.")
INCIDENT_KIND_UNKNOWN = _("This is no kind of incident.")
CALL_ALREADY_ANSWERED = _("This call is answered already. Read the answer.")
CALL_WITHDRAWN = _("The table has taken this call back.")
CALL_ALREADY_TAKEN = _("Somebody else has taken this call already.")
CALL_ANSWER_MISSING = _("Say what was ruled, and why.")
NOTE_MAX_GAMES = 12


def entrant_at(table: Table, letter: str) -> Entrant:
    """Who sits there; BadInput where nobody does."""
    seat = Seat.objects.filter(table=table, letter=letter).select_related("entrant").first()
    if seat is None:
        raise BadInput("no_such_seat", NO_SEAT, letter=letter)
    return seat.entrant


def checked_game(game: int | None) -> int:
    """A game's number from 1 to NOTE_MAX_GAMES; BadInput otherwise."""
    if game is None or not 1 <= game <= NOTE_MAX_GAMES:
        raise BadInput("no_such_game", GAME_NUMBER_INVALID, games=NOTE_MAX_GAMES)
    return game


def refuse_postponed(table: Table) -> None:
    """Of a session that waits for another day no game has been played, so nothing has happened in one."""
    if Session.objects.filter(pk=table.session_id, state=SessionState.POSTPONED).exists():
        raise Refused("session_not_played", NOTE_SESSION_POSTPONED, about=table)


def warn_entrant(table: Table, *, letter: str, game: int | None, reason: str, acting: ActingAccount) -> None:
    """A verbal warning, the entrant's first or second; on the third breach the chief judge is called (R43).

    1. the session is not postponed, and who sits there; 2. not more than two that stand, of which the database lets
    two at once be one; 3. the row; 4. the audit entry. Raises BadInput, Refused `third_breach`, `session_not_played`
    (409), StaleVersion (412) for two at once.
    """
    why = clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", CONDUCT_REASON_MISSING)

    def do() -> int:
        refuse_postponed(table)
        entrant = entrant_at(table, letter)
        given = Warning.objects.filter(entrant=entrant).count()
        if queries.warnings_in_force().filter(entrant=entrant).count() >= MAX_VERBAL_WARNINGS:
            raise Refused("third_breach", THIRD_WARNING_REFUSED, about=entrant)
        now = timezone.now()
        row = Warning(
            entrant=entrant,
            number=given + 1,
            table=table,
            game=game,
            reason=why,
            by=acting.by,
            at=now,
            **acting.columns,
        )
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            raise StaleVersion("warned_at_once", WARNED_AT_SAME_MOMENT, about=entrant) from None
        said = f"{row.number}: {why}"
        record_conduct_entry(
            table, acting, "warn_entrant", f"entrant {entrant.number:04d}", said, now, warning_digest(row)
        )
        return int(row.pk)

    acting.once("warn_entrant", [table.pk, letter, game, why], do)


def record_incident(
    table: Table,
    *,
    kind: str,
    game: int | None,
    letter: str = "",
    tiles: int | None = None,
    note: str = "",
    acting: ActingAccount,
) -> None:
    """What happened in a game, by its referee. A rack pushed over has its count, since the ruling counts it (R27)."""
    if kind not in IncidentKind.values:
        raise BadInput("no_such_incident", INCIDENT_KIND_UNKNOWN)
    number, text = checked_game(game), clean_clock_text(note)
    if kind in INCIDENTS_WITH_SEAT and not letter:
        raise BadInput("seat_missing", SEAT_LETTER_MISSING)
    if (kind == IncidentKind.PUSHED_OVER and tiles is None) or (
        tiles is not None and not 1 <= tiles <= PUSHED_OVER_MAX_TILES
    ):
        raise BadInput("tiles_missing", TILE_COUNT_MISSING)

    def do() -> int:
        refuse_postponed(table)
        if letter:
            entrant_at(table, letter)
        now = timezone.now()
        row = Incident(
            table=table,
            game=number,
            kind=kind,
            letter=letter,
            tiles=tiles,
            note=text,
            by=acting.by,
            at=now,
            **acting.columns,
        )
        row.save(force_insert=True)
        details = {"kind": kind, "game": number, "letter": letter, "tiles": tiles}
        record_conduct_entry(
            table, acting, "record_incident", table_subject_ref(table), text, now, incident_digest(row), details
        )
        return int(row.pk)

    acting.once("record_incident", [table.pk, kind, number, letter, tiles, text], do)


# --- Calls for the chief judge --------------------------------------------------------------------------
def call_judge(
    table: Table, *, reason: str, acting: ActingAccount, game: int | None = None, letter: str = ""
) -> JudgeCall:
    """The referee asks for the chief judge; the desk sees and hears it at once."""
    why = clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", CONDUCT_REASON_MISSING)

    def do() -> int:
        now = timezone.now()
        row = JudgeCall.objects.create(
            table=table, game=game, letter=letter, reason=why, raised_by=acting.by, raised_at=now, **acting.columns
        )
        record_conduct_entry(table, acting, "call_judge", judge_call_subject_ref(row), why, now, call_digest(row))
        return int(row.pk)

    made: JudgeCall = JudgeCall.objects.get(pk=acting.once("call_judge", [table.pk, why, game, letter], do))
    return made


def take_judge_call(call: JudgeCall, *, by: User, request_key: str) -> None:
    """The chief judge is on the way: nobody else goes. Of two who take it one does."""
    acting = ActingAccount(by, request_key)

    def do() -> int:
        now = timezone.now()
        refuse_withdrawn(call)
        open_now = JudgeCall.objects.filter(pk=call.pk, taken_at__isnull=True, answered_at__isnull=True)
        if not open_now.update(taken_by=by, taken_at=now):
            raise Refused("call_taken", CALL_ALREADY_TAKEN, about=call)
        record_conduct_entry(call.table, acting, "take_call", judge_call_subject_ref(call), "", now, TAKEN_DIGEST)
        return int(call.pk)

    acting.once("take_call", [call.pk], do)


def answer_judge_call(call: JudgeCall, *, answer: str, by: User, request_key: str) -> None:
    """What was ruled, with who and why (R46); final. Of two answers the first stands."""
    ruling = clean_clock_text(answer)
    if not ruling:
        raise BadInput("reason_missing", CALL_ANSWER_MISSING)
    acting = ActingAccount(by, request_key)

    def do() -> int:
        now = timezone.now()
        refuse_withdrawn(call)
        changed = JudgeCall.objects.filter(pk=call.pk, answered_at__isnull=True).update(
            answer=ruling, answered_by=by, answered_at=now
        )
        if not changed:
            raise Refused("call_answered", CALL_ALREADY_ANSWERED, about=call)
        record_conduct_entry(
            call.table, acting, "answer_call", judge_call_subject_ref(call), ruling, now, canonical.digest_of([ruling])
        )
        return int(call.pk)

    acting.once("answer_call", [call.pk, ruling], do)


def refuse_withdrawn(call: JudgeCall) -> None:
    """The referee has taken the call back; the row is held, so that of an answer and that one is first."""
    JudgeCall.objects.select_for_update(no_key=True).get(pk=call.pk)
    if queries.note_end_of(NoteKind.CALL, call.pk) is not None:
        raise Refused("call_withdrawn", CALL_WITHDRAWN, about=call)


# --- The audit's words ----------------------------------------------------------------------------------
def table_subject_ref(table: Table) -> str:
    """A table by the serial of its sheet."""
    return f"table {sheets.sheet_serial(table)}"


def judge_call_subject_ref(call: JudgeCall) -> str:
    """A call by its table and its own number."""
    return f"call {sheets.sheet_serial(call.table)} {call.pk}"


def warning_digest(row: Warning) -> str:
    """Of what a warning says beside whom, by whom and when: the log holds it to that (D3)."""
    return canonical.digest_of([row.number, sheets.sheet_serial(row.table), row.game, row.reason, *source_of(row)])


def incident_digest(row: Incident) -> str:
    """The same of an incident."""
    return canonical.digest_of([row.kind, row.game, row.letter, row.tiles, row.note, *source_of(row)])


def call_digest(row: JudgeCall) -> str:
    """The same of a call as it was raised."""
    return canonical.digest_of([row.game, row.letter, row.reason, *source_of(row)])


TAKEN_DIGEST = canonical.digest_of(["taken"])


def record_conduct_entry(
    table: Table,
    acting: ActingAccount,
    action: str,
    about: str,
    reason: str,
    at: datetime,
    digest: str,
    details: Mapping[str, Any] | None = None,
) -> None:
    """The audit entry of an act at a table; `digest` of what its row says."""
    services.append_audit_entry(
        table.session.stage.event,
        acting.by,
        action,
        about,
        digest=("", digest),
        reason=reason[:500],
        details=details,
        request_key=acting.request_key,
        at=at,
    )

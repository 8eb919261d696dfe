"""From the paper to a sheet that waits for its second person: open, draft, ready (D1, the paper part).

Every act: the request key first, then compare-and-swap from the state and revision its writer has seen, then the audit
entry, in one transaction. A locked sheet is never written.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.audit import services
from tournament.core.acts import ACTS
from tournament.core.enums import SheetForm, SheetState
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.services import requests
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet, Turn
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import faults, heading, moves
from tournament.sheets.services import values as scoresheets_values
from tournament.tables.models import Table
from tournament.tables.queries import seating

KEY_LENGTH = 64

SHEET_COUNTS_TURNS = _("By these rules a scoresheet has the words of each turn. It is typed at the desk, from paper.")
SHEET_COUNTS_GAMES = _("By these rules a scoresheet has games, not turns. Reload the page and type it again.")
SHEET_NEEDS_SEATS = _("The draw of this session is not confirmed yet. An organiser confirms it under Seating.")


# --- What an act needs ----------------------------------------------------------------------------------
def run_sheet_act_once(
    table: Table, by: Any, request_key: str, act: str, payload: Any, do: Callable[[], Scoresheet]
) -> Scoresheet:
    """Run an act on this table's sheet once for this key; sent again, the sheet comes back and nothing is done."""
    answer, _replayed = requests.run_once(
        f"user:{by.pk}", checked_key(request_key), act, [table.pk, payload], lambda: {"scoresheet": do().pk}
    )
    return Scoresheet.objects.get(pk=answer["scoresheet"])


def checked_key(request_key: str) -> str:
    """The key as it came; BadInput without one."""
    if not 0 < len(request_key) <= KEY_LENGTH:
        raise BadInput("request_key_missing", _("The request has no key of its own. Reload the page and try again."))
    return request_key


def require_playable_session(table: Table) -> None:
    """No sheet comes back from a session whose seats are not settled, that is not played yet or no more counts."""
    moves.refuse_unplayed(table.session)
    if not seating.is_draw_confirmed(table.session):
        raise Refused("draw_not_confirmed", SHEET_NEEDS_SEATS, about=table.session)


def newest_version(table: Table) -> Scoresheet | None:
    """The version in hand, if one was begun."""
    return queries.versions_in_hand(table).first()


def record_sheet_entry(
    table: Table,
    sheet: Scoresheet,
    by: Any,
    action: str,
    request_key: str = "",
    reason: str = "",
    before: str = "",
    at: datetime | None = None,
) -> None:
    """The audit entry of an act that has just moved the sheet on by one revision."""
    services.append_audit_entry(
        table.session.stage.event,
        by,
        action,
        queries.sheet_subject(table, sheet.version),
        revision=(sheet.revision - 1, sheet.revision),
        digest=(before, sheet.digest),
        reason=reason[:500],
        request_key=request_key,
        at=at,
    )


def record_unmoved(
    table: Table, sheet: Scoresheet, by: Any, action: str, request_key: str = "", reason: str = "", at: Any = None
) -> None:
    """The audit entry of an act about a version that leaves its row as it is."""
    services.append_audit_entry(
        table.session.stage.event,
        by,
        action,
        queries.sheet_subject(table, sheet.version),
        revision=(sheet.revision, sheet.revision),
        digest=(sheet.digest, sheet.digest),
        reason=reason[:500],
        request_key=request_key,
        at=at,
    )


def record_drawn(
    table: Table, sheet: Scoresheet, by: Any, drawing: str, request_key: str, *, reason: str, at: datetime
) -> None:
    """The audit entry of a drawn signature: of these values, the drawing's digest; the sheet's row stays as it is."""
    services.append_audit_entry(
        table.session.stage.event,
        by,
        "sign_scoresheet",
        queries.sheet_subject(table, sheet.version),
        revision=(sheet.revision, sheet.revision),
        digest=(sheet.digest, drawing),
        reason=reason,
        request_key=request_key,
        at=at,
    )


# --- Save -----------------------------------------------------------------------------------------------
def save_scoresheet(
    table: Table,
    *,
    revision: int,
    form: str,
    typed: Mapping[str, Any],
    by: User,
    request_key: str,
    confirmations: Mapping[str, str] | None = None,
    read_by: int | None = None,
) -> Scoresheet:
    """Keep a sheet as typed, faults and all: open or draft -> draft. `revision` is 0 for a sheet not yet begun.

    1. the session's draw is confirmed; 2. the row is made, or swapped from the revision seen; 3. the audit entry.
    `read_by`: whose values they are where `by` only enters them (a referee's, from a tablet).
    Raises BadInput (400), Refused (409), StaleVersion (412, `current` is the other's), Locked (423).
    """
    cleaned = bridge.clean_typed(typed)
    notes = clean_confirmations(confirmations or {})
    payload = [revision, form, cleaned, notes]
    return run_sheet_act_once(
        table,
        by,
        request_key,
        "save_scoresheet",
        payload,
        lambda: save_draft(table, revision, form, cleaned, notes, by, request_key, read_by),
    )


def save_draft(
    table: Table,
    revision: int,
    form: str,
    typed: Any,
    notes: Mapping[str, str],
    by: Any,
    request_key: str,
    read_by: int | None = None,
) -> Scoresheet:
    """The act of `save_scoresheet`, inside a transaction that holds its key."""
    if form not in SheetForm.values:
        raise bridge.malformed_sheet_input("form")
    require_form_of_stage(table, form)
    require_playable_session(table)
    sheet = newest_version(table)
    content = {
        "form": form,
        "typed": typed,
        "confirmations": dict(notes),
        "typed_by": by,
        "typed_at": timezone.now(),
        "values_by": scoresheets_values.append_typist(sheet, by.pk, read_by),
    }
    if sheet is None:
        sheet = begin_scoresheet(table, revision, content)
    else:
        sheet = moves.move_sheet(sheet, "save_scoresheet", revision, **content)
    record_sheet_entry(table, sheet, by, "save_scoresheet", request_key)
    return sheet


def require_form_of_stage(table: Table, form: str) -> None:
    """A stage whose rules count turns has a sheet of turns, which is typed at the desk; every other has none."""
    counts_turns = ruleset_of_stage(table.session.stage).counts_turns
    if counts_turns != (form == SheetForm.TURNS):
        said = SHEET_COUNTS_TURNS if counts_turns else SHEET_COUNTS_GAMES
        raise Refused("sheet_form_not_of_stage", said, about=table)


def require_form_of_tablet(sheet: Scoresheet) -> None:
    """Nobody signs on a tablet what it cannot show: a sheet of turns stays with the desk and its paper."""
    if sheet.form == SheetForm.TURNS:
        raise Refused("sheet_form_not_of_stage", SHEET_COUNTS_TURNS, about=sheet)


def begin_scoresheet(table: Table, revision: int, content: Mapping[str, Any]) -> Scoresheet:
    """The first version's row. Of two who begin at once the database lets one."""
    if revision != 0:
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=table)
    try:
        with transaction.atomic():
            state = ACTS["save_scoresheet"].leads_to
            return Scoresheet.objects.create(
                table=table, version=1, revision=1, state=state, state_since=timezone.now(), **content
            )
    except IntegrityError:
        current = newest_version(table)
        if current is None:
            raise
        raise moves.refusal_of_move(current, "save_scoresheet", revision) from None


def clean_confirmations(confirmations: Mapping[str, Any]) -> dict[str, str]:
    """Reasons by problem key, trimmed, empty ones left out."""
    if not isinstance(confirmations, Mapping) or len(confirmations) > 200:
        raise bridge.malformed_sheet_input("confirmations")
    for key, reason in confirmations.items():
        if not isinstance(reason, str) or len(key) > 200 or len(reason) > 500 or not bridge.is_storable(key + reason):
            raise bridge.malformed_sheet_input("confirmations")
    return {key: reason.strip() for key, reason in confirmations.items() if reason.strip()}


# --- Ready ----------------------------------------------------------------------------------------------
def hand_in_scoresheet(
    table: Table, *, revision: int, confirmations: Mapping[str, str], by: User, request_key: str
) -> Scoresheet:
    """Hand a draft to the second person: draft -> ready.

    1. judged under the entrants' statuses of this moment, nothing is left to mend; 2. all that is unusual has a reason,
    and the paper's head is compared where a page has asked for it, what differs with a reason (R41);
    3. games and lines are written; 4. the digest of the values is fixed; 5. the audit entry.
    Raises Refused `scoresheet_has_faults` (409) and what `save_scoresheet` raises.
    """
    notes = clean_confirmations(confirmations)

    def do() -> Scoresheet:
        require_playable_session(table)
        sheet = newest_version(table)
        if sheet is None:
            raise Refused("scoresheet_not_received", moves.NOT_WRITABLE, about=table)
        moves.require_transition(sheet, "ready_scoresheet", revision)
        check, seats = judge_sheet_now(table, sheet)
        faults.refuse_sheet_faults(check, notes, faults.DRAFT_AS_BEFORE, about=sheet)
        heading.refuse_open(heading.check_typed_heading(table, sheet.typed))
        return write_handed_in_sheet(table, sheet, check, seats, notes, by, request_key)

    return run_sheet_act_once(table, by, request_key, "ready_scoresheet", [revision, notes], do)


def submit_scoresheet(
    table: Table,
    *,
    revision: int,
    form: str,
    typed: Mapping[str, Any],
    confirmations: Mapping[str, str],
    by: User,
    request_key: str,
    or_nothing: bool = False,
) -> Scoresheet:
    """Save and hand on in one transaction. Where faults forbid the second, the first stands and the refusal follows it.

    `or_nothing`: then the first does not stand either. Raises HasFaults (409, `about` is the draft as saved) and what
    `save_scoresheet` raises.
    """
    cleaned = bridge.clean_typed(typed)
    notes = clean_confirmations(confirmations)

    def do() -> Scoresheet:
        sheet = save_draft(table, revision, form, cleaned, notes, by, request_key)
        check, seats = judge_sheet_now(table, sheet)
        head = heading.check_typed_heading(table, sheet.typed)
        if check.complete and not bridge.unconfirmed_problems(check, notes) and not (head and head.wants):
            write_handed_in_sheet(table, sheet, check, seats, notes, by, request_key)
        elif or_nothing:
            faults.refuse_sheet_faults(check, notes, faults.NOTHING_SAVED)
            heading.refuse_open(head)
        return sheet

    sheet = run_sheet_act_once(table, by, request_key, "submit_scoresheet", [revision, form, cleaned, notes], do)
    if sheet.state == SheetState.DRAFT:
        check, _seats = judge_sheet_now(table, sheet)
        faults.refuse_sheet_faults(check, notes, faults.SAVED_WITH_FAULTS, about=sheet)
        heading.refuse_open(heading.check_typed_heading(table, sheet.typed), about=sheet)
    return sheet


def judge_sheet_now(table: Table, sheet: Scoresheet) -> tuple[SheetCheck, list[Any]]:
    """The sheet as the rules read it now, and the seats it was read with."""
    seats = queries.seats_as_judged(table)
    return bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), sheet.form, sheet.typed, seats), seats


def write_handed_in_sheet(
    table: Table, sheet: Scoresheet, check: SheetCheck, seats: list[Any], notes: Mapping[str, str], by: Any, key: str
) -> Scoresheet:
    """Write games and lines and fix the digest, with its entry."""
    told = set_values(table, sheet, check, seats, notes)
    record_sheet_entry(table, sheet, by, "ready_scoresheet", key, reason=told)
    return sheet


def set_values(table: Table, sheet: Scoresheet, check: SheetCheck, seats: list[Any], notes: Mapping[str, str]) -> str:
    """The swap decides between two who do it at once. Answers what the heading says, for the entry that follows."""
    head = heading.check_typed_heading(table, sheet.typed)
    heading.refuse_open(head, about=sheet)
    confirmations = {**bridge.confirmations_still_needed(check, notes), **(head.confirmations if head else {})}
    digest = bridge.sheet_check_digest(table, sheet, check, seats, confirmations)
    values = {"confirmations": confirmations, "digest": digest, "rejected_reason": ""}
    moves.move_sheet(sheet, "ready_scoresheet", sheet.revision, **values)
    write_games_and_lines(sheet, check, seats)
    return heading.heading_log_text(head)


def write_games_and_lines(sheet: Scoresheet, check: SheetCheck, seats: list[Any]) -> None:
    """The games, lines and turns that the typed texts come to."""
    rows = bridge.game_rows(sheet, check, seats)
    lines = [row for game in rows for row in game.lines]
    Game.objects.bulk_create([row.game for row in rows])
    Line.objects.bulk_create([row.line for row in lines])
    Turn.objects.bulk_create([turn for row in lines for turn in row.turns])


# --- Take back ------------------------------------------------------------------------------------------
def reopen_scoresheet(table: Table, *, revision: int, by: User, request_key: str) -> Scoresheet:
    """The typist takes the sheet back before it is checked: ready -> draft. What was typed stays."""

    def do() -> Scoresheet:
        sheet = require_waiting_sheet(table, "reopen_scoresheet", revision)
        if sheet.typed_by_id != by.pk:
            raise Forbidden(
                "not_the_typist", _("Only the person who typed it takes it back. You may send it back with a reason.")
            )
        before = sheet.digest
        return_sheet_to_draft(sheet, "reopen_scoresheet", revision)
        record_sheet_entry(table, sheet, by, "reopen_scoresheet", request_key, before=before)
        return sheet

    return run_sheet_act_once(table, by, request_key, "reopen_scoresheet", [revision], do)


def require_waiting_sheet(table: Table, act: str, revision: int) -> Scoresheet:
    """The sheet that waits for its second person, as its reader has seen it; otherwise say why not.

    The row is held until the act ends, so that of two who decide at once the later one sees what the first has done.
    """
    sheet = queries.versions_in_hand(table).select_for_update(no_key=True).first()
    if sheet is None:
        raise Refused("scoresheet_not_ready", moves.NOT_READY, about=table)
    moves.require_transition(sheet, act, revision)
    return sheet


def return_sheet_to_draft(sheet: Scoresheet, act: str, revision: int, *, rejected_reason: str = "") -> None:
    """By an act that leads to draft: the games and lines go, every typed text and confirmation stays."""
    moves.move_sheet(sheet, act, revision, digest="", rejected_reason=rejected_reason)
    Game.objects.filter(scoresheet=sheet).delete()


def void_scoresheet(sheet: Scoresheet, act: str, revision: int) -> None:
    """By an act that leads to void: the games and lines go, every typed text stays."""
    moves.move_sheet(sheet, act, revision, digest="")
    Game.objects.filter(scoresheet=sheet).delete()

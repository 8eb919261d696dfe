"""From the paper to a sheet that waits for its second person: open, draft, ready (reliability 4.1, the paper part).

Every act: the request key first, then compare-and-swap from the state and revision its writer has seen, then the audit
entry, in one transaction. A locked sheet is never written.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.enums import SessionState, SheetForm, SheetState
from tournament.errors import BadInput, Forbidden, Locked, Refused, StaleVersion
from tournament.models import Game, Line, Scoresheet, Session, Signature, Table
from tournament.queries import scoresheets as queries
from tournament.services import audit, requests, scoresheets_faults, scoresheets_heading, scoresheets_values

# Postponed it has no play yet; void, what was played does not count, and what is signed stays as it is.
UNPLAYED = (SessionState.POSTPONED, SessionState.VOID)
WRITABLE = (SheetState.OPEN, SheetState.DRAFT)
UNSIGNED = (SheetState.DRAFT, SheetState.DISPUTED, SheetState.VOID)
KEY_LENGTH = 64

NOT_PLAYED = _("This session is %(state)s: no scoresheet of it is typed, certified, stamped or corrected.")
NOT_DRAWN = _("The draw of this session is not confirmed yet. An organiser confirms it under Seating.")
LOCKED = _("This scoresheet is locked. Only a correction, to which two people agree, changes it.")
WITH_CHECKER = _("This scoresheet waits for its second person. Take it back before changing it.")
NOT_READY = _("This scoresheet does not wait for a second person: it is still being typed.")
NOT_WRITABLE = _("This scoresheet cannot be changed in its present state.")
CHANGED = _("Somebody else changed this scoresheet after you opened it. Nothing of yours is lost; compare both.")


# --- What an act needs ----------------------------------------------------------------------------------
def once(table: Table, by: Any, request_key: str, act: str, payload: Any, do: Callable[[], Scoresheet]) -> Scoresheet:
    """Run an act on this table's sheet once for this key; sent again, the sheet comes back and nothing is done."""
    answer, _replayed = requests.once(
        f"user:{by.pk}", checked_key(request_key), act, [table.pk, payload], lambda: {"scoresheet": do().pk}
    )
    return Scoresheet.objects.get(pk=answer["scoresheet"])


def checked_key(request_key: str) -> str:
    """The key as it came; BadInput without one."""
    if not 0 < len(request_key) <= KEY_LENGTH:
        raise BadInput("request_key_missing", _("The request has no key of its own. Reload the page and try again."))
    return request_key


def must_be_drawn(table: Table) -> None:
    """No sheet comes back from a session whose seats are not settled, that is not played yet or no more counts."""
    refuse_unplayed(table.session)
    if not queries.is_drawn(table.session):
        raise Refused("draw_not_confirmed", NOT_DRAWN, about=table.session)


def refuse_unplayed(session: Session) -> None:
    """Before its play and in a void session no sheet is begun, moved on or made official."""
    if session.state in UNPLAYED:
        raise Refused("session_not_played", NOT_PLAYED, about=session, state=session.get_state_display())


def newest(table: Table) -> Scoresheet | None:
    """The version in hand, if one was begun."""
    return queries.in_hand(table).first()


def swap(sheet: Scoresheet, revision: int, states: tuple[SheetState, ...], **changes: Any) -> Scoresheet:
    """Change a sheet only as its writer has seen it: UPDATE ... WHERE revision and state; otherwise say why not. In a
    void session nothing moves on.

    What was drawn for the values is kept and counts no more once they may change: all sign again (R41).
    """
    if changes.get("state", sheet.state) != sheet.state:
        changes["state_since"] = timezone.now()
    void = Exists(Table.objects.filter(pk=OuterRef("table"), session__state=SessionState.VOID))
    seen = Scoresheet.objects.filter(~void, pk=sheet.pk, revision=revision, state__in=states)
    changed = seen.update(revision=F("revision") + 1, **changes)
    if not changed:
        current = Scoresheet.objects.select_related("typed_by", "table__session").get(pk=sheet.pk)
        refuse_unplayed(current.table.session)
        raise why_not(current, revision, states)
    for name, value in changes.items():
        setattr(sheet, name, value)
    sheet.revision = revision + 1
    if sheet.state in UNSIGNED:
        Signature.objects.filter(scoresheet=sheet, superseded_at=None).update(superseded_at=sheet.state_since)
    return sheet


def why_not(current: Scoresheet, revision: int, states: tuple[SheetState, ...]) -> Refused:
    """Locked before wrong state before an older revision."""
    if current.locked:
        return Locked("scoresheet_locked", LOCKED, about=current)
    if current.state not in states:
        if current.state == SheetState.READY:
            return Refused("scoresheet_ready", WITH_CHECKER, about=current)
        sentence = NOT_READY if SheetState.READY in states else NOT_WRITABLE
        return Refused("scoresheet_not_ready", sentence, about=current)
    return StaleVersion("scoresheet_changed", CHANGED, about=current, current=current)


def record(
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
    audit.record(
        table.session.stage.event,
        by,
        action,
        queries.thing(table, sheet.version),
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
    audit.record(
        table.session.stage.event,
        by,
        action,
        queries.thing(table, sheet.version),
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
    audit.record(
        table.session.stage.event,
        by,
        "sign_scoresheet",
        queries.thing(table, sheet.version),
        revision=(sheet.revision, sheet.revision),
        digest=(sheet.digest, drawing),
        reason=reason,
        request_key=request_key,
        at=at,
    )


# --- Save -----------------------------------------------------------------------------------------------
def save(
    table: Table,
    *,
    revision: int,
    form: str,
    typed: Mapping[str, Any],
    by: AbstractBaseUser,
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
    return once(
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
    """The act of `save`, inside a transaction that holds its key."""
    if form not in SheetForm.values:
        raise bridge.refuse("form")
    must_be_drawn(table)
    sheet = newest(table)
    content = {
        "state": SheetState.DRAFT,
        "form": form,
        "typed": typed,
        "confirmations": dict(notes),
        "typed_by": by,
        "typed_at": timezone.now(),
        "values_by": scoresheets_values.with_typist(sheet, by.pk, read_by),
    }
    if sheet is None:
        sheet = begin(table, revision, content)
    else:
        sheet = swap(sheet, revision, WRITABLE, **content)
    record(table, sheet, by, "save_scoresheet", request_key)
    return sheet


def begin(table: Table, revision: int, content: Mapping[str, Any]) -> Scoresheet:
    """The first version's row. Of two who begin at once the database lets one."""
    if revision != 0:
        raise StaleVersion("scoresheet_changed", CHANGED, about=table)
    try:
        with transaction.atomic():
            return Scoresheet.objects.create(table=table, version=1, revision=1, state_since=timezone.now(), **content)
    except IntegrityError:
        current = newest(table)
        if current is None:
            raise
        raise why_not(current, revision, WRITABLE) from None


def clean_confirmations(confirmations: Mapping[str, Any]) -> dict[str, str]:
    """Reasons by problem key, trimmed, empty ones left out."""
    if not isinstance(confirmations, Mapping) or len(confirmations) > 200:
        raise bridge.refuse("confirmations")
    for key, reason in confirmations.items():
        if not isinstance(reason, str) or len(key) > 200 or len(reason) > 500 or not bridge.is_storable(key + reason):
            raise bridge.refuse("confirmations")
    return {key: reason.strip() for key, reason in confirmations.items() if reason.strip()}


# --- Ready ----------------------------------------------------------------------------------------------
def ready(
    table: Table, *, revision: int, confirmations: Mapping[str, str], by: AbstractBaseUser, request_key: str
) -> Scoresheet:
    """Hand a draft to the second person: draft -> ready.

    1. judged under the entrants' statuses of this moment, nothing is left to mend; 2. all that is unusual has a reason,
    and the paper's head is compared where a page has asked for it, what differs with a reason (R41);
    3. games and lines are written; 4. the digest of the values is fixed; 5. the audit entry.
    Raises Refused `scoresheet_has_faults` (409) and what `save` raises.
    """
    notes = clean_confirmations(confirmations)

    def do() -> Scoresheet:
        must_be_drawn(table)
        sheet = newest(table)
        if sheet is None:
            raise Refused("scoresheet_not_received", NOT_WRITABLE, about=table)
        if sheet.revision != revision or sheet.state not in WRITABLE:
            raise why_not(sheet, revision, WRITABLE)
        check, seats = judged(table, sheet)
        scoresheets_faults.refuse_faults(check, notes, scoresheets_faults.DRAFT_AS_BEFORE, about=sheet)
        scoresheets_heading.refuse_open(scoresheets_heading.judge(table, sheet.typed))
        return hand_on(table, sheet, check, seats, notes, by, request_key)

    return once(table, by, request_key, "ready_scoresheet", [revision, notes], do)


def submit(
    table: Table,
    *,
    revision: int,
    form: str,
    typed: Mapping[str, Any],
    confirmations: Mapping[str, str],
    by: AbstractBaseUser,
    request_key: str,
    or_nothing: bool = False,
) -> Scoresheet:
    """Save and hand on in one transaction. Where faults forbid the second, the first stands and the refusal follows it.

    `or_nothing`: then the first does not stand either. Raises HasFaults (409, `about` is the draft as saved) and what
    `save` raises.
    """
    cleaned = bridge.clean_typed(typed)
    notes = clean_confirmations(confirmations)

    def do() -> Scoresheet:
        sheet = save_draft(table, revision, form, cleaned, notes, by, request_key)
        check, seats = judged(table, sheet)
        head = scoresheets_heading.judge(table, sheet.typed)
        if check.complete and not bridge.unconfirmed(check, notes) and not (head and head.wants):
            hand_on(table, sheet, check, seats, notes, by, request_key)
        elif or_nothing:
            scoresheets_faults.refuse_faults(check, notes, scoresheets_faults.NOTHING_SAVED)
            scoresheets_heading.refuse_open(head)
        return sheet

    sheet = once(table, by, request_key, "submit_scoresheet", [revision, form, cleaned, notes], do)
    if sheet.state == SheetState.DRAFT:
        check, _seats = judged(table, sheet)
        scoresheets_faults.refuse_faults(check, notes, scoresheets_faults.SAVED_WITH_FAULTS, about=sheet)
        scoresheets_heading.refuse_open(scoresheets_heading.judge(table, sheet.typed), about=sheet)
    return sheet


def judged(table: Table, sheet: Scoresheet) -> tuple[SheetCheck, list[Any]]:
    """The sheet as the rules read it now, and the seats it was read with."""
    seats = queries.seats_of(table)
    return bridge.judge(ruleset_of(table.session.stage), sheet.form, sheet.typed, seats), seats


def hand_on(
    table: Table, sheet: Scoresheet, check: SheetCheck, seats: list[Any], notes: Mapping[str, str], by: Any, key: str
) -> Scoresheet:
    """Write games and lines and fix the digest; the swap decides between two who do it at once."""
    head = scoresheets_heading.judge(table, sheet.typed)
    scoresheets_heading.refuse_open(head, about=sheet)
    confirmations = {**bridge.confirmed(check, notes), **(head.confirmations if head else {})}
    digest = bridge.digest_of_check(table, sheet, check, seats, confirmations)
    swap(
        sheet,
        sheet.revision,
        WRITABLE,
        state=SheetState.READY,
        confirmations=confirmations,
        digest=digest,
        rejected_reason="",
    )
    write_rows(sheet, check, seats)
    record(table, sheet, by, "ready_scoresheet", key, reason=scoresheets_heading.in_words(head))
    return sheet


def write_rows(sheet: Scoresheet, check: SheetCheck, seats: list[Any]) -> None:
    """The games and lines that the typed texts come to."""
    rows = bridge.rows_of(sheet, check, seats)
    Game.objects.bulk_create([game for game, _lines in rows])
    Line.objects.bulk_create([line for _game, lines in rows for line in lines])


# --- Take back ------------------------------------------------------------------------------------------
def reopen(table: Table, *, revision: int, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """The typist takes the sheet back before it is checked: ready -> draft. What was typed stays."""

    def do() -> Scoresheet:
        sheet = waiting(table, revision)
        if sheet.typed_by_id != by.pk:
            raise Forbidden(
                "not_the_typist", _("Only the person who typed it takes it back. You may send it back with a reason.")
            )
        before = sheet.digest
        back_to_draft(sheet, revision, rejected_reason="")
        record(table, sheet, by, "reopen_scoresheet", request_key, before=before)
        return sheet

    return once(table, by, request_key, "reopen_scoresheet", [revision], do)


def waiting(table: Table, revision: int) -> Scoresheet:
    """The sheet that waits for its second person, as its reader has seen it; otherwise say why not.

    The row is held until the act ends, so that of two who decide at once the later one sees what the first has done.
    """
    sheet = queries.in_hand(table).select_for_update(no_key=True).first()
    if sheet is None:
        raise Refused("scoresheet_not_ready", NOT_READY, about=table)
    if sheet.state != SheetState.READY or sheet.revision != revision:
        raise why_not(sheet, revision, (SheetState.READY,))
    return sheet


def back_to_draft(
    sheet: Scoresheet, revision: int, rejected_reason: str, states: tuple[SheetState, ...] = (SheetState.READY,)
) -> None:
    """ready (or one of `states`) -> draft: the games and lines go, every typed text and confirmation stays."""
    swap(sheet, revision, states, state=SheetState.DRAFT, digest="", rejected_reason=rejected_reason)
    Game.objects.filter(scoresheet=sheet).delete()


def make_void(sheet: Scoresheet, revision: int, states: tuple[SheetState, ...]) -> None:
    """To void: the games and lines go, every typed text stays."""
    swap(sheet, revision, states, state=SheetState.VOID, digest="")
    Game.objects.filter(scoresheet=sheet).delete()

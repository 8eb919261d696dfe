"""The blind second typing: another account types the paper again, and a third look decides where the two differ.

The second account never sees the first values; neither typist decides. A sheet that is to be typed twice is certified
only when both agree or every differing cell has been decided.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.audit import services
from tournament.core import canonical
from tournament.core.acts import ACTS
from tournament.core.enums import SheetState
from tournament.core.errors import BadInput, Forbidden, Refused, SheetHasErrors, StaleVersion
from tournament.core.models.stage import Stage
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.double_entry import (
    DoubleEntryComparison,
    DoubleEntryStatus,
    compare_double_entry,
    merge_adjudicated_cells,
)
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.values import value_setters_of
from tournament.sheets.services import faults, heading, moves, scoresheets
from tournament.sheets.services import values as scoresheets_values
from tournament.tables.models import Table

OWN_FIRST_ENTRY = _("You typed this scoresheet first. Another account types it the second time, without seeing yours.")
JUDGED_OWN_DISPUTE = _("You saw this scoresheet's values in its dispute. Another account types it the second time.")
OWN_ADJUDICATION = _("You typed one of the two. Somebody else looks at the paper and decides.")
DOUBLE_ENTRY_NOT_WANTED = _("This scoresheet is not to be typed a second time.")
DOUBLE_ENTRY_DONE = _("This scoresheet has been typed a second time already.")
DOUBLE_ENTRY_STILL_WANTED = _("This scoresheet is to be typed a second time before it is certified.")
STILL_DIFFERS = _("The two typings differ in %(count)s cells. A third look decides them before it is certified.")
DOUBLE_ENTRY_AGREES = _("The two typings do not differ: there is nothing to decide.")
ADJUDICATE_EACH_CELL = _("Decide every cell on which the two differ, and no other.")
CHOICES_DO_NOT_FIT = _(
    "Nothing is decided: both typings are as they were. With these choices %(mend)s must be mended and %(look)s "
    "confirmed first."
)
# Codes of what stands against certifying.
WANTED, DIFFERS = "second_typing_wanted", "second_typing_differs"
DOUBLE_ENTRY_PERCENT_INVALID = _("A share is a whole number from 0 to 100.")


def double_entry_status(table: Table, sheet: Scoresheet) -> DoubleEntryComparison:
    """Where the second typing of this version stands; what was signed on a tablet has no paper to type."""
    if not queries.has_double_entry(table) or queries.live_signatures(sheet):
        return DoubleEntryComparison(DoubleEntryStatus.NOT_ASKED)
    ruleset, seats = ruleset_of_stage(table.session.stage), queries.seats_as_judged(table)
    return compare_double_entry(ruleset, sheet, queries.double_entry_of(sheet), seats, asked=True)


def are_values_withheld(table: Table, sheet: Scoresheet | None, by: User, *, decides: bool) -> bool:
    """Whether the values are kept from this account because it may yet type them the second time.

    Nobody but the typist sees them while a second typing is wanted, a dispute raised meanwhile changes nothing;
    `decides`: the account decides disputes, so it sees what is disputed and does not type it the second time.
    """
    if sheet is None or sheet.state not in (SheetState.READY, SheetState.DISPUTED) or by.pk in value_setters_of(sheet):
        return False
    if sheet.state == SheetState.DISPUTED and decides:
        return False
    return double_entry_status(table, sheet).stand is DoubleEntryStatus.WANTED


def against_unsettled(table: Table, sheet: Scoresheet) -> Iterator[Refused]:
    """While the second typing is still wanted or differs nobody certifies."""
    found = double_entry_status(table, sheet)
    if found.stand is DoubleEntryStatus.WANTED:
        yield Refused(WANTED, DOUBLE_ENTRY_STILL_WANTED, about=sheet)
    if found.stand is DoubleEntryStatus.DIFFERS:
        yield Refused(DIFFERS, STILL_DIFFERS, about=sheet, count=len(found.cells))


# --- Type again -----------------------------------------------------------------------------------------
def save_second_entry(
    table: Table,
    *,
    revision: int,
    typed: Mapping[str, Any],
    done: bool,
    by: User,
    request_key: str,
    or_nothing: bool = False,
) -> DoubleEntry:
    """Keep the second typing, a draft or done. `revision` is the second typing's own, 0 where it is not begun.

    1. the sheet waits and is to be typed twice; 2. another account than the first typist's, and not the chief judge's
    of a dispute about it; 3. made, or swapped from the revision seen; done only where nothing is left to mend, as with
    the first, else a draft is kept and the refusal follows it (`or_nothing`: nothing is kept); 4. the audit entry,
    without values. Raises HasFaults (409, `about` is the draft as saved).
    """
    cleaned = bridge.clean_typed(typed)

    def do() -> Scoresheet:
        sheet = require_entry_by_another(table, by)
        fits = done and is_second_entry_complete(table, sheet, cleaned)
        if done and or_nothing:
            refuse_second_entry(table, sheet, cleaned, faults.NOTHING_SAVED)
        store_second_entry(sheet, revision, {"form": sheet.form, "typed": cleaned, "done": fits, "typed_by": by})
        action = "type_scoresheet_again" if fits else "save_second_typing"
        services.append_audit_entry(
            table.session.stage.event,
            by,
            action,
            queries.sheet_subject(table, sheet.version),
            digest=("", canonical.digest_of([sheet.form, cleaned])),
            request_key=request_key,
        )
        return sheet

    sheet = scoresheets.run_sheet_act_once(
        table, by, request_key, "type_scoresheet_again", [revision, cleaned, done], do
    )
    found = queries.double_entry_of(sheet)
    if found is None:
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=table)
    if done and not found.done:
        refuse_second_entry(table, sheet, found.typed, faults.SAVED_WITH_FAULTS, about=found)
    return found


def require_entry_by_another(table: Table, by: User) -> Scoresheet:
    """The sheet that waits to be typed a second time, by an account that has not seen its values."""
    sheet = lock_awaited_sheet(table)
    if by.pk in value_setters_of(sheet):
        raise Forbidden("typist_types_once", OWN_FIRST_ENTRY, about=sheet)
    if queries.has_judged(sheet, by.pk):
        raise Forbidden("judge_has_seen_it", JUDGED_OWN_DISPUTE, about=sheet)
    return sheet


def judge_second_texts(table: Table, sheet: Scoresheet, typed: Any) -> SheetCheck:
    """The second typing as the rules read it, in the form of the first."""
    return bridge.check_typed_sheet(
        ruleset_of_stage(table.session.stage), sheet.form, typed, queries.seats_as_judged(table)
    )


def is_second_entry_complete(table: Table, sheet: Scoresheet, typed: Any) -> bool:
    """Whether nothing is left to mend or to compare; what is unusual the first typist has confirmed."""
    head = heading.check_typed_heading(table, typed)
    return not judge_second_texts(table, sheet, typed).mend and not (head and head.wants)


def refuse_second_entry(table: Table, sheet: Scoresheet, typed: Any, sentence: str, about: Any = None) -> None:
    """Refuse a second typing that does not fit; `sentence` says what is kept of it."""
    check = judge_second_texts(table, sheet, typed)
    if check.mend:
        raise SheetHasErrors(sentence, check, 0, about=about)
    heading.refuse_open(heading.check_typed_heading(table, typed), about=about)


def lock_awaited_sheet(table: Table) -> Scoresheet:
    """The sheet that waits to be typed a second time, its row held until the act ends."""
    sheet = queries.versions_in_hand(table).select_for_update(no_key=True).first()
    if sheet is None or not ACTS["type_scoresheet_again"].allows(sheet.state):
        raise Refused("scoresheet_not_ready", moves.NOT_READY, about=table)
    stand = double_entry_status(table, sheet).stand
    if stand is DoubleEntryStatus.NOT_ASKED:
        raise Refused("second_typing_not_asked", DOUBLE_ENTRY_NOT_WANTED, about=sheet)
    if stand is not DoubleEntryStatus.WANTED:
        raise Refused("second_typing_done", DOUBLE_ENTRY_DONE, about=sheet)
    return sheet


def store_second_entry(sheet: Scoresheet, revision: int, content: Mapping[str, Any]) -> None:
    """The row made, or changed from the revision that its writer has seen."""
    now = timezone.now()
    if revision == 0:
        try:
            with transaction.atomic():
                DoubleEntry.objects.create(scoresheet=sheet, typed_at=now, **content)
        except IntegrityError:
            raise StaleVersion("scoresheet_changed", moves.CHANGED, about=sheet) from None
        return
    kept = DoubleEntry.objects.filter(scoresheet=sheet, revision=revision)
    if not kept.update(revision=F("revision") + 1, typed_at=now, **content):
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=sheet)


# --- The third look -------------------------------------------------------------------------------------
def adjudicate_double_entry(
    table: Table,
    *,
    revision: int,
    choices: Mapping[str, str],
    confirmations: Mapping[str, str],
    by: User,
    request_key: str,
) -> Scoresheet:
    """Decide every differing cell by the paper; the sheet stays ready, with other values where the first was wrong.

    1. the sheet waits, as its reader has seen it; 2. neither typist; 3. exactly the cells that differ; 4. where
    something changes: back to draft, judged, and handed on in this act, the first typist staying its typist, while the
    values are of all three; 5. the decision for these values; 6. the audit entries.
    """
    notes = scoresheets.clean_confirmations(confirmations)

    def do() -> Scoresheet:
        sheet = scoresheets.require_waiting_sheet(table, "settle_second_typing", revision)
        second = queries.double_entry_of(sheet)
        found = double_entry_status(table, sheet)
        if second is None or found.stand is not DoubleEntryStatus.DIFFERS:
            raise Refused("nothing_differs", DOUBLE_ENTRY_AGREES, about=sheet)
        if by.pk in (*value_setters_of(sheet), second.typed_by_id):
            raise Forbidden("typist_cannot_decide", OWN_ADJUDICATION, about=sheet)
        if set(choices) != set(found.cells):
            raise BadInput("cells_undecided", ADJUDICATE_EACH_CELL)
        typed = bridge.clean_typed(merge_adjudicated_cells(sheet.typed, choices))
        said = canonical.digest_of(dict(choices))

        def decide() -> None:
            DoubleEntry.objects.filter(pk=second.pk).update(
                choices=dict(choices), adjudicated_digest=sheet.digest, adjudicated_by=by, adjudicated_at=timezone.now()
            )

        if typed == sheet.typed:
            decide()
            scoresheets.record_unmoved(table, sheet, by, "uphold_first_typing", request_key, reason=said)
        else:
            sheet.values_by = scoresheets_values.append_value_setters(sheet, second.typed_by_id, by.pk)
            replace_first_entry(table, sheet, typed, {**sheet.confirmations, **notes}, by, request_key, said, decide)
        return sheet

    payload = [revision, dict(sorted(choices.items())), notes]
    return scoresheets.run_sheet_act_once(table, by, request_key, "settle_second_typing", payload, do)


def replace_first_entry(
    table: Table,
    sheet: Scoresheet,
    typed: Any,
    notes: Mapping[str, str],
    by: Any,
    request_key: str,
    said: str,
    decide: Callable[[], None],
) -> None:
    """ready -> draft -> ready with other texts; refused while they do not fit. `said`: the digest of the choices;
    `decide` writes them down."""
    before, revision = sheet.digest, sheet.revision
    values = {"typed": typed, "values_by": sheet.values_by}
    moves.move_sheet(sheet, "settle_second_typing", revision, digest="", **values)
    Game.objects.filter(scoresheet=sheet).delete()
    scoresheets.record_sheet_entry(table, sheet, by, "settle_second_typing", request_key, reason=said, before=before)
    check, seats = scoresheets.judge_sheet_now(table, sheet)
    faults.refuse_sheet_faults(check, notes, CHOICES_DO_NOT_FIT, about=sheet)
    told = scoresheets.set_values(table, sheet, check, seats, notes)
    decide()
    scoresheets.record_sheet_entry(table, sheet, by, "ready_scoresheet", request_key, reason=told)


# --- The setting ----------------------------------------------------------------------------------------
@transaction.atomic
def set_double_entry_percent(stage: Stage, *, percent: int, by: User) -> int:
    """How many of a hundred sheets are typed twice: 0 none, 100 all. Holds for what is not certified yet."""
    if not 0 <= percent <= 100:
        raise BadInput("percent_not_readable", DOUBLE_ENTRY_PERCENT_INVALID)
    kept = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    if kept.second_typing_percent != percent:
        reason = f"{kept.second_typing_percent}% -> {percent}%"
        Stage.objects.filter(pk=stage.pk).update(second_typing_percent=percent)
        services.append_audit_entry(stage.event, by, "set_second_typing", f"stage {stage.kind}", reason=reason)
    return percent

"""The blind second typing: another account types the paper again, and a third look decides where the two differ.

The second account never sees the first values; neither typist decides. A sheet that is to be typed twice is certified
only when both agree or every differing cell has been decided.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.bridge import scoresheets as bridge
from tournament.bridge.rulesets import ruleset_of
from tournament.bridge.scoresheets_second import SecondStand, Stand, merged, stand_of
from tournament.enums import SheetState
from tournament.errors import BadInput, Forbidden, HasFaults, Refused, StaleVersion
from tournament.models import Game, Scoresheet, SecondTyping, Stage, Table
from tournament.queries import scoresheets as queries
from tournament.queries.scoresheets_values import setters_of
from tournament.services import audit, scoresheets, scoresheets_faults, scoresheets_heading, scoresheets_values

OWN_FIRST = _("You typed this scoresheet first. Another account types it the second time, without seeing yours.")
HAS_JUDGED = _("You saw this scoresheet's values in its dispute. Another account types it the second time.")
OWN_LOOK = _("You typed one of the two. Somebody else looks at the paper and decides.")
NOT_ASKED = _("This scoresheet is not to be typed a second time.")
TYPED_TWICE = _("This scoresheet has been typed a second time already.")
STILL_WANTED = _("This scoresheet is to be typed a second time before it is certified.")
STILL_DIFFERS = _("The two typings differ in %(count)s cells. A third look decides them before it is certified.")
NOTHING_DIFFERS = _("The two typings do not differ: there is nothing to decide.")
EACH_CELL = _("Decide every cell on which the two differ, and no other.")
CHOICES_DO_NOT_FIT = _(
    "Nothing is decided: both typings are as they were. With these choices %(mend)s must be mended and %(look)s "
    "confirmed first."
)
PERCENT = _("A share is a whole number from 0 to 100.")


def stand_now(table: Table, sheet: Scoresheet) -> SecondStand:
    """Where the second typing of this version stands; what was signed on a tablet has no paper to type."""
    if not queries.is_typed_twice(table) or queries.live_signatures(sheet):
        return SecondStand(Stand.NOT_ASKED)
    ruleset, seats = ruleset_of(table.session.stage), queries.seats_of(table)
    return stand_of(ruleset, sheet, queries.second_typing_of(sheet), seats, asked=True)


def is_withheld(table: Table, sheet: Scoresheet | None, by: AbstractBaseUser, *, decides: bool) -> bool:
    """Whether the values are kept from this account because it may yet type them the second time.

    Nobody but the typist sees them while a second typing is wanted, a dispute raised meanwhile changes nothing;
    `decides`: the account decides disputes, so it sees what is disputed and does not type it the second time.
    """
    if sheet is None or sheet.state not in (SheetState.READY, SheetState.DISPUTED) or by.pk in setters_of(sheet):
        return False
    if sheet.state == SheetState.DISPUTED and decides:
        return False
    return stand_now(table, sheet).stand is Stand.WANTED


def must_be_settled(table: Table, sheet: Scoresheet) -> None:
    """Refuse while the second typing is still wanted or differs."""
    found = stand_now(table, sheet)
    if found.stand is Stand.WANTED:
        raise Refused("second_typing_wanted", STILL_WANTED, about=sheet)
    if found.stand is Stand.DIFFERS:
        raise Refused("second_typing_differs", STILL_DIFFERS, about=sheet, count=len(found.cells))


# --- Type again -----------------------------------------------------------------------------------------
def type_again(
    table: Table,
    *,
    revision: int,
    typed: Mapping[str, Any],
    done: bool,
    by: AbstractBaseUser,
    request_key: str,
    or_nothing: bool = False,
) -> SecondTyping:
    """Keep the second typing, a draft or done. `revision` is the second typing's own, 0 where it is not begun.

    1. the sheet waits and is to be typed twice; 2. another account than the first typist's, and not the chief judge's
    of a dispute about it; 3. made, or swapped from the revision seen; done only where nothing is left to mend, as with
    the first, else a draft is kept and the refusal follows it (`or_nothing`: nothing is kept); 4. the audit entry,
    without values. Raises HasFaults (409, `about` is the draft as saved).
    """
    cleaned = bridge.clean_typed(typed)

    def do() -> Scoresheet:
        sheet = typed_by_another(table, by)
        fits = done and second_fits(table, sheet, cleaned)
        if done and or_nothing:
            refuse_second(table, sheet, cleaned, scoresheets_faults.NOTHING_SAVED)
        keep(sheet, revision, {"form": sheet.form, "typed": cleaned, "done": fits, "typed_by": by})
        action = "type_scoresheet_again" if fits else "save_second_typing"
        audit.record(
            table.session.stage.event,
            by,
            action,
            queries.thing(table, sheet.version),
            digest=("", audit.digest_of([sheet.form, cleaned])),
            request_key=request_key,
        )
        return sheet

    sheet = scoresheets.once(table, by, request_key, "type_scoresheet_again", [revision, cleaned, done], do)
    found = queries.second_typing_of(sheet)
    if found is None:
        raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=table)
    if done and not found.done:
        refuse_second(table, sheet, found.typed, scoresheets_faults.SAVED_WITH_FAULTS, about=found)
    return found


def typed_by_another(table: Table, by: AbstractBaseUser) -> Scoresheet:
    """The sheet that waits to be typed a second time, by an account that has not seen its values."""
    sheet = awaited(table)
    if by.pk in setters_of(sheet):
        raise Forbidden("typist_types_once", OWN_FIRST, about=sheet)
    if queries.has_judged(sheet, by.pk):
        raise Forbidden("judge_has_seen_it", HAS_JUDGED, about=sheet)
    return sheet


def read_second(table: Table, sheet: Scoresheet, typed: Any) -> SheetCheck:
    """The second typing as the rules read it, in the form of the first."""
    return bridge.judge(ruleset_of(table.session.stage), sheet.form, typed, queries.seats_of(table))


def second_fits(table: Table, sheet: Scoresheet, typed: Any) -> bool:
    """Whether nothing is left to mend or to compare; what is unusual the first typist has confirmed."""
    head = scoresheets_heading.judge(table, typed)
    return not read_second(table, sheet, typed).mend and not (head and head.wants)


def refuse_second(table: Table, sheet: Scoresheet, typed: Any, sentence: str, about: Any = None) -> None:
    """Refuse a second typing that does not fit; `sentence` says what is kept of it."""
    check = read_second(table, sheet, typed)
    if check.mend:
        raise HasFaults(sentence, check, 0, about=about)
    scoresheets_heading.refuse_open(scoresheets_heading.judge(table, typed), about=about)


def awaited(table: Table) -> Scoresheet:
    """The sheet that waits to be typed a second time, its row held until the act ends."""
    sheet = queries.in_hand(table).select_for_update(no_key=True).first()
    if sheet is None or sheet.state != SheetState.READY:
        raise Refused("scoresheet_not_ready", scoresheets.NOT_READY, about=table)
    stand = stand_now(table, sheet).stand
    if stand is Stand.NOT_ASKED:
        raise Refused("second_typing_not_asked", NOT_ASKED, about=sheet)
    if stand is not Stand.WANTED:
        raise Refused("second_typing_done", TYPED_TWICE, about=sheet)
    return sheet


def keep(sheet: Scoresheet, revision: int, content: Mapping[str, Any]) -> None:
    """The row made, or changed from the revision that its writer has seen."""
    now = timezone.now()
    if revision == 0:
        try:
            with transaction.atomic():
                SecondTyping.objects.create(scoresheet=sheet, typed_at=now, **content)
        except IntegrityError:
            raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=sheet) from None
        return
    kept = SecondTyping.objects.filter(scoresheet=sheet, revision=revision)
    if not kept.update(revision=F("revision") + 1, typed_at=now, **content):
        raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=sheet)


# --- The third look -------------------------------------------------------------------------------------
def settle(
    table: Table,
    *,
    revision: int,
    choices: Mapping[str, str],
    confirmations: Mapping[str, str],
    by: AbstractBaseUser,
    request_key: str,
) -> Scoresheet:
    """Decide every differing cell by the paper; the sheet stays ready, with other values where the first was wrong.

    1. the sheet waits, as its reader has seen it; 2. neither typist; 3. exactly the cells that differ; 4. where
    something changes: back to draft, judged, and handed on in this act, the first typist staying its typist, while the
    values are of all three; 5. the decision for these values; 6. the audit entries.
    """
    notes = scoresheets.clean_confirmations(confirmations)

    def do() -> Scoresheet:
        sheet = scoresheets.waiting(table, revision)
        second = queries.second_typing_of(sheet)
        found = stand_now(table, sheet)
        if second is None or found.stand is not Stand.DIFFERS:
            raise Refused("nothing_differs", NOTHING_DIFFERS, about=sheet)
        if by.pk in (*setters_of(sheet), second.typed_by_id):
            raise Forbidden("typist_cannot_decide", OWN_LOOK, about=sheet)
        if set(choices) != set(found.cells):
            raise BadInput("cells_undecided", EACH_CELL)
        typed = bridge.clean_typed(merged(sheet.typed, choices))
        said = audit.digest_of(dict(choices))
        if typed == sheet.typed:
            scoresheets.record_unmoved(table, sheet, by, "uphold_first_typing", request_key, reason=said)
        else:
            sheet.values_by = scoresheets_values.with_setters(sheet, second.typed_by_id, by.pk)
            change(table, sheet, typed, {**sheet.confirmations, **notes}, by, request_key, said)
        SecondTyping.objects.filter(pk=second.pk).update(
            choices=dict(choices), settled_digest=sheet.digest, settled_by=by, settled_at=timezone.now()
        )
        return sheet

    payload = [revision, dict(sorted(choices.items())), notes]
    return scoresheets.once(table, by, request_key, "settle_second_typing", payload, do)


def change(
    table: Table, sheet: Scoresheet, typed: Any, notes: Mapping[str, str], by: Any, request_key: str, said: str
) -> None:
    """ready -> draft -> ready with other texts; refused while they do not fit. `said`: the digest of the choices."""
    before, revision = sheet.digest, sheet.revision
    values = {"typed": typed, "values_by": sheet.values_by}
    scoresheets.swap(sheet, revision, (SheetState.READY,), state=SheetState.DRAFT, digest="", **values)
    Game.objects.filter(scoresheet=sheet).delete()
    scoresheets.record(table, sheet, by, "settle_second_typing", request_key, reason=said, before=before)
    check, seats = scoresheets.judged(table, sheet)
    scoresheets_faults.refuse_faults(check, notes, CHOICES_DO_NOT_FIT, about=sheet)
    scoresheets.hand_on(table, sheet, check, seats, notes, by, request_key)


# --- The setting ----------------------------------------------------------------------------------------
@transaction.atomic
def set_second_typing(stage: Stage, *, percent: int, by: AbstractBaseUser) -> int:
    """How many of a hundred sheets are typed twice: 0 none, 100 all. Holds for what is not certified yet."""
    if not 0 <= percent <= 100:
        raise BadInput("percent_not_readable", PERCENT)
    kept = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    if kept.second_typing_percent != percent:
        reason = f"{kept.second_typing_percent}% -> {percent}%"
        Stage.objects.filter(pk=stage.pk).update(second_typing_percent=percent)
        audit.record(stage.event, by, "set_second_typing", f"stage {stage.kind}", reason=reason)
    return percent

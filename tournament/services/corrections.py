"""A locked sheet that is provably wrong: a superseding version by two accounts, the chief judge's and an organiser's.

The signed version is never touched (R41, R42). The new one is typed as any sheet; both see the values and what they
would do to the ranking, one proposes, the other approves, and the version that counts is swapped in the same act.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.bridge import corrections as bridge
from tournament.bridge.scoresheets import signing_letters
from tournament.enums import LOCKED_STATES, Role, SheetState
from tournament.errors import Forbidden, Refused, StaleVersion
from tournament.models import Correction, OfficialSheet, Scoresheet, Seat, Signature, Table
from tournament.queries import corrections as queries
from tournament.queries.scoresheets import official_sheet
from tournament.queries.scoresheets_values import name_of, open_accounts, setters_of
from tournament.services import scoresheets, scoresheets_heading, signing
from tournament.services.signing_disputes import checked, roles_of

AGREE = frozenset({Role.ORGANISER, Role.CHIEF_JUDGE})
BEGIN = AGREE | {Role.CLERK}

REASON = _("Say what is wrong on the locked scoresheet: everybody who agrees reads it.")
NOT_LOCKED = _("Only a locked scoresheet that counts is corrected. Until then it is sent back or typed again.")
IN_HAND = _("A correction of this scoresheet is in hand already.")
NONE_IN_HAND = _("No correction of this scoresheet is in hand.")
SAME_VALUES = _("The new version says the same as the locked one: there is nothing to correct.")
NOT_ROLE = _("A correction is agreed by the chief judge and an organiser.")
PROPOSED = _("These values are proposed already. The other of the two approves them.")
NOT_PROPOSED = _("Nobody has proposed these values yet, or they have changed since.")
SAME_ACCOUNT = _("You proposed this correction. The other of the two approves it, in their own account.")
OWN_VALUES = _(
    "Values of this version are yours. You may propose it; somebody else approves it, in their own account: %(who)s."
)
NO_OTHER = _(
    "Values of this version are yours, and there is no other account that could approve it with you. An organiser "
    "gives one more person a role under Accounts."
)
ONE_SIDE = _("The chief judge and an organiser agree to a correction: one role alone is not enough.")
EFFECT = _("What the correction does to the line has changed since this page was opened. Look again before you agree.")
SUPERSEDED = _("Another version of this scoresheet counts by now. Give this correction up and begin anew.")


# --- Begin ----------------------------------------------------------------------------------------------
def begin(table: Table, *, reason: str, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """Make the superseding version, a draft with everything that the locked one has.

    1. a reason; 2. a locked version counts and no correction is in hand; 3. the version's row and the correction's;
    4. the audit entry. Raises BadInput (400), Forbidden (403), Refused (409).
    """
    why = checked(reason, REASON)

    def do() -> Scoresheet:
        if not roles_of(table, by) & BEGIN:
            raise Forbidden("not_your_role", NOT_ROLE, about=table)
        counts = official_sheet(table)
        if counts is None or counts.state not in LOCKED_STATES:
            raise Refused("nothing_to_correct", NOT_LOCKED, about=table)
        scoresheets.refuse_unplayed(table.session)
        if queries.correction_in_hand(table):
            raise Refused("correction_in_hand", IN_HAND, about=table)
        now = timezone.now()
        try:
            with transaction.atomic():
                sheet = copy_of(table, counts, by, now)
                Correction.objects.create(scoresheet=sheet, supersedes=counts, reason=why, begun_by=by, begun_at=now)
        except IntegrityError:
            raise Refused("correction_in_hand", IN_HAND, about=table) from None
        scoresheets.record(table, sheet, by, "begin_correction", request_key, reason=why, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "begin_correction", [why], do)


def copy_of(table: Table, counts: Scoresheet, by: Any, now: datetime) -> Scoresheet:
    """The next version of the table, a draft of the same texts."""
    last = Scoresheet.objects.filter(table=table).order_by("-version").values_list("version", flat=True)[0]
    return Scoresheet.objects.create(
        table=table,
        version=last + 1,
        state=SheetState.DRAFT,
        state_since=now,
        form=counts.form,
        typed=counts.typed,
        confirmations=counts.confirmations,
        typed_by=by,
        typed_at=now,
    )


# --- Agree ----------------------------------------------------------------------------------------------
def propose(
    table: Table, *, revision: int, crossing: Sequence[int], by: AbstractBaseUser, request_key: str
) -> Scoresheet:
    """The first of the two agrees to these values. `crossing`: the entrants shown as crossing the line.

    1. the chief judge or an organiser; 2. the version waits, as its reader has seen it; 3. it says something else than
    the locked one; 4. its effect on the line is the one that was shown; 5. the proposal, for this digest; 6. the entry.
    """
    seen = sorted(crossing)

    def do() -> Scoresheet:
        if not roles_of(table, by) & AGREE:
            raise Forbidden("not_your_role", NOT_ROLE, about=table)
        sheet = scoresheets.waiting(table, revision)
        correction = held(table, sheet)
        if correction.proposed_digest == sheet.digest and not may_take_over(sheet, correction, by):
            raise Refused("correction_proposed", PROPOSED, about=sheet)
        judged(table, sheet, correction, seen)
        now = timezone.now()
        Correction.objects.filter(pk=correction.pk).update(
            proposed_by=by, proposed_at=now, proposed_digest=sheet.digest
        )
        scoresheets.record_unmoved(
            table, sheet, by, "propose_correction", request_key, reason=correction.reason, at=now
        )
        return sheet

    return scoresheets.once(table, by, request_key, "propose_correction", [revision, seen], do)


def may_take_over(sheet: Scoresheet, correction: Correction, by: Any) -> bool:
    """Whether who set its values proposes it in the other's place, so that the other, who has not, can approve it."""
    setters = setters_of(sheet)
    return by.pk in setters and correction.proposed_by_id not in setters


def approve(
    table: Table,
    *,
    revision: int,
    crossing: Sequence[int],
    by: AbstractBaseUser,
    request_key: str,
    heading_seen: bool = False,
) -> Scoresheet:
    """The second of the two agrees, and the new version counts: ready -> certified.

    1. these values are proposed, by another account, both roles are there, and who approves has set none of the values;
    2. what `propose` checks, and a head of the paper that differs is confirmed as for any sheet (`heading_seen`); 3.
    the chief judge's decision stands for each signature, since the signed paper stays as it is; 4. the agreement,
    without which the database locks no later version; 5. the version is locked; 6. the version that counts is swapped
    from the one that was superseded; 7. the audit entry, of the same moment. The stamp is needed again; a release keeps
    what it has until a new one is made.
    """
    seen = sorted(crossing)

    def do() -> Scoresheet:
        sheet = scoresheets.waiting(table, revision)
        correction = held(table, sheet)
        judge = both_sides(table, sheet, correction, by)
        seats = judged(table, sheet, correction, seen)
        scoresheets_heading.confirm(table, sheet, heading_seen, by)
        now = timezone.now()
        decide_signatures(sheet, seats, correction, judge, by, now)
        agreed = Correction.objects.filter(pk=correction.pk, approved_at__isnull=True, given_up_at__isnull=True)
        if not agreed.update(approved_by=by, approved_at=now):
            raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=sheet)
        before = sheet.digest
        signing.lock(sheet, revision, by, now)
        swap_official(table, sheet, correction)
        reason = correction.reason
        scoresheets.record(table, sheet, by, "approve_correction", request_key, reason=reason, before=before, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "approve_correction", [revision, seen, heading_seen], do)


def held(table: Table, sheet: Scoresheet) -> Correction:
    """The correction in hand that this version belongs to, its row held until the act ends."""
    found = queries.correction_in_hand(table)
    if found is None or found.scoresheet_id != sheet.pk:
        raise Refused("no_correction", NONE_IN_HAND, about=table)
    Correction.objects.select_for_update(no_key=True).filter(pk=found.pk).first()
    return found


def both_sides(table: Table, sheet: Scoresheet, correction: Correction, by: AbstractBaseUser) -> AbstractBaseUser:
    """The account of the two that is the chief judge's; refused while one of the two is wanting."""
    if not roles_of(table, by) & AGREE:
        raise Forbidden("not_your_role", NOT_ROLE, about=table)
    proposer = correction.proposed_by
    if proposer is None or correction.proposed_digest != sheet.digest:
        raise Refused("correction_not_proposed", NOT_PROPOSED, about=sheet)
    if proposer.pk == by.pk:
        raise Forbidden("proposer_cannot_approve", SAME_ACCOUNT, about=sheet)
    judge = judge_of(table, by, proposer)
    if judge is None:
        raise Forbidden("correction_takes_both_roles", ONE_SIDE, about=sheet)
    if by.pk in setters_of(sheet):
        others = approvers_with(table, sheet, by)
        if not others:
            raise Forbidden("setter_cannot_approve", NO_OTHER, about=sheet)
        raise Forbidden("setter_cannot_approve", OWN_VALUES, about=sheet, who=", ".join(others))
    return judge


def judge_of(table: Table, one: AbstractBaseUser, other: AbstractBaseUser) -> AbstractBaseUser | None:
    """Which of two accounts is the chief judge's, the other being an organiser's; None where they are no such pair."""
    for judge, organiser in ((one, other), (other, one)):
        if Role.CHIEF_JUDGE in roles_of(table, judge) and Role.ORGANISER in roles_of(table, organiser):
            return judge
    return None


def approvers_with(table: Table, sheet: Scoresheet, proposer: AbstractBaseUser) -> list[str]:
    """The names of those who could approve these values if this account proposed them."""
    others = open_accounts(table.session.stage.event, AGREE, [proposer.pk, *setters_of(sheet)])
    return [name_of(user) for user in others if judge_of(table, user, proposer) is not None]


def judged(table: Table, sheet: Scoresheet, correction: Correction, seen: list[int]) -> list[Seat]:
    """The seats, if the values still stand, differ from the locked ones and do to the line what was shown."""
    counts = official_sheet(table)
    if counts is None or counts.pk != correction.supersedes_id:
        raise Refused("superseded_otherwise", SUPERSEDED, about=sheet)
    seats = signing.compared(table, sheet)
    if same_values(counts, sheet):
        raise Refused("correction_changes_nothing", SAME_VALUES, about=sheet)
    effect = bridge.effect_of(table.session.stage, counts, sheet)
    if list(effect.crossing_numbers) != seen:
        raise StaleVersion("effect_changed", EFFECT, about=sheet, current=effect)
    return seats


def same_values(one: Scoresheet, other: Scoresheet) -> bool:
    """Whether two versions hold the same games and lines."""
    return queries.values_by_cell(one) == queries.values_by_cell(other)


def decide_signatures(
    sheet: Scoresheet, seats: list[Seat], correction: Correction, judge: Any, by: Any, now: datetime
) -> None:
    """One row for each who signs: the players have signed the paper as it was, the chief judge's decision
    stands here."""
    letters = signing_letters(seats)
    Signature.objects.bulk_create(
        Signature(
            scoresheet=sheet,
            entrant=seat.entrant,
            letter=seat.letter,
            present=False,
            digest=sheet.digest,
            missing_reason=correction.reason,
            chief_judge=judge,
            recorded_by=by,
            recorded_at=now,
        )
        for seat in seats
        if seat.letter in letters
    )


def swap_official(table: Table, sheet: Scoresheet, correction: Correction) -> None:
    """The version that counts, swapped from the superseded one and from no other."""
    if not OfficialSheet.objects.filter(table=table, scoresheet=correction.supersedes_id).update(scoresheet=sheet):
        raise StaleVersion("official_changed", scoresheets.CHANGED, about=sheet)


# --- Give up --------------------------------------------------------------------------------------------
def give_up(table: Table, *, revision: int, reason: str, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """End a correction without effect: draft or ready -> void, with the reason; what was typed stays readable."""
    why = checked(reason, _("Say why the correction is given up."))

    def do() -> Scoresheet:
        if not roles_of(table, by) & AGREE:
            raise Forbidden("not_your_role", NOT_ROLE, about=table)
        sheet = scoresheets.newest(table)
        if sheet is None or not hasattr(sheet, "correction"):
            raise Refused("no_correction", NONE_IN_HAND, about=table)
        before = sheet.digest
        scoresheets.make_void(sheet, revision, (SheetState.DRAFT, SheetState.READY))
        now = timezone.now()
        Correction.objects.filter(scoresheet=sheet).update(given_up_by=by, given_up_at=now, given_up_reason=why)
        scoresheets.record(table, sheet, by, "give_up_correction", request_key, reason=why, before=before, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "give_up_correction", [revision, why], do)

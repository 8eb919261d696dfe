"""A locked sheet that is provably wrong: a superseding version by two accounts, the chief judge's and an organiser's.

The signed version is never touched (R41, R42). The new one is typed as any sheet; both see the values and what they
would do to the ranking, one proposes, the other approves, and the version that counts is swapped in the same act.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.acts import ACTS
from tournament.core.enums import Role
from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.scoresheets import domain as bridge
from tournament.scoresheets import queries
from tournament.scoresheets.models import Correction
from tournament.sheets.domain.scoresheets import signing_letters
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature
from tournament.sheets.queries.scoresheets import official_sheet
from tournament.sheets.queries.values import account_name_of, open_accounts_with_roles, value_setters_of
from tournament.sheets.services import heading, moves, scoresheets, signing
from tournament.sheets.services.signing_disputes import check_dispute_reason, roles_of
from tournament.tables.models import Seat, Table

CORRECTION_AGREEING_ROLES = ACTS["approve_correction"].roles

CORRECTION_REASON_MISSING = _("Say what is wrong on the locked scoresheet: everybody who agrees reads it.")
NOT_LOCKED = _("Only a locked scoresheet that counts is corrected. Until then it is sent back or typed again.")
CORRECTION_IN_HAND = _("A correction of this scoresheet is in hand already.")
NONE_IN_HAND = _("No correction of this scoresheet is in hand.")
SAME_VALUES = _("The new version says the same as the locked one: there is nothing to correct.")
CORRECTION_ROLE_MISSING = _("A correction is agreed by the chief judge and an organiser.")
VALUES_ALREADY_PROPOSED = _("These values are proposed already. The other of the two approves them.")
VALUES_NOT_PROPOSED = _("Nobody has proposed these values yet, or they have changed since.")
CORRECTION_SAME_ACCOUNT = _("You proposed this correction. The other of the two approves it, in their own account.")
OWN_VALUES = _(
    "Values of this version are yours. You may propose it; somebody else approves it, in their own account: %(who)s."
)
CORRECTION_NO_OTHER_APPROVER = _(
    "Values of this version are yours, and there is no other account that could approve it with you. An organiser "
    "gives one more person a role under Accounts."
)
CORRECTION_ONE_ROLE_ONLY = _("The chief judge and an organiser agree to a correction: one role alone is not enough.")
CORRECTION_EFFECT_CHANGED = _(
    "What the correction does to the line has changed since this page was opened. Look again before you agree."
)
VERSION_SUPERSEDED = _("Another version of this scoresheet counts by now. Give this correction up and begin anew.")


# --- Begin ----------------------------------------------------------------------------------------------
def begin_correction(table: Table, *, reason: str, by: User, request_key: str) -> Scoresheet:
    """Make the superseding version, a draft with everything that the locked one has.

    1. a reason; 2. a locked version counts and no correction is in hand; 3. the version's row and the correction's;
    4. the audit entry. Raises BadInput (400), Forbidden (403), Refused (409).
    """
    why = check_dispute_reason(reason, CORRECTION_REASON_MISSING)

    def do() -> Scoresheet:
        counts = official_sheet(table)
        moves.refuse_first(against_beginning(table, counts, by))
        assert counts is not None
        now = timezone.now()
        try:
            with transaction.atomic():
                sheet = copy_as_next_version(table, counts, by, now)
                Correction.objects.create(scoresheet=sheet, supersedes=counts, reason=why, begun_by=by, begun_at=now)
        except IntegrityError:
            raise Refused("correction_in_hand", CORRECTION_IN_HAND, about=table) from None
        scoresheets.record_sheet_entry(table, sheet, by, "begin_correction", request_key, reason=why, at=now)
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "begin_correction", [why], do)


def against_beginning(table: Table, counts: Scoresheet | None, by: User) -> Iterator[Refused]:
    """Whose act it is, that a locked version counts, in a session that does, and that no correction is in hand."""
    if not roles_of(table, by) & ACTS["begin_correction"].roles:
        yield Forbidden("not_your_role", CORRECTION_ROLE_MISSING, about=table)
    if counts is None or not counts.locked:
        yield Refused("nothing_to_correct", NOT_LOCKED, about=table)
    yield from moves.against_session(table.session)
    if queries.correction_in_hand(table):
        yield Refused("correction_in_hand", CORRECTION_IN_HAND, about=table)


def copy_as_next_version(table: Table, counts: Scoresheet, by: Any, now: datetime) -> Scoresheet:
    """The next version of the table, a draft of the same texts."""
    last = Scoresheet.objects.filter(table=table).order_by("-version").values_list("version", flat=True)[0]
    return Scoresheet.objects.create(
        table=table,
        version=last + 1,
        state=ACTS["begin_correction"].leads_to,
        state_since=now,
        form=counts.form,
        typed=counts.typed,
        confirmations=counts.confirmations,
        typed_by=by,
        typed_at=now,
    )


# --- Agree ----------------------------------------------------------------------------------------------
def propose_correction(
    table: Table, *, revision: int, crossing: Sequence[int], by: User, request_key: str
) -> Scoresheet:
    """The first of the two agrees to these values. `crossing`: the entrants shown as crossing the line.

    1. the chief judge or an organiser; 2. the version waits, as its reader has seen it; 3. it says something else than
    the locked one; 4. its effect on the line is the one that was shown; 5. the proposal, for this digest; 6. the entry.
    """
    seen = sorted(crossing)

    def do() -> Scoresheet:
        if not roles_of(table, by) & CORRECTION_AGREEING_ROLES:
            raise Forbidden("not_your_role", CORRECTION_ROLE_MISSING, about=table)
        sheet = scoresheets.require_waiting_sheet(table, "propose_correction", revision)
        correction = lock_correction_in_hand(table, sheet)
        if correction.proposed_digest == sheet.digest and not may_replace_proposer(sheet, correction, by):
            raise Refused("correction_proposed", VALUES_ALREADY_PROPOSED, about=sheet)
        check_correction_values(table, sheet, correction, seen)
        now = timezone.now()
        Correction.objects.filter(pk=correction.pk).update(
            proposed_by=by, proposed_at=now, proposed_digest=sheet.digest
        )
        scoresheets.record_unmoved(
            table, sheet, by, "propose_correction", request_key, reason=correction.reason, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "propose_correction", [revision, seen], do)


def may_replace_proposer(sheet: Scoresheet, correction: Correction, by: Any) -> bool:
    """Whether who set its values proposes it in the other's place, so that the other, who has not, can approve it."""
    setters = value_setters_of(sheet)
    return by.pk in setters and correction.proposed_by_id not in setters


def approve_correction(
    table: Table,
    *,
    revision: int,
    crossing: Sequence[int],
    by: User,
    request_key: str,
    heading_seen: bool = False,
) -> Scoresheet:
    """The second of the two agrees, and the new version counts: ready -> certified.

    1. these values are proposed, by another account, both roles are there, and who approves has set none of the values;
    2. what `propose_correction` checks, and a head of the paper that differs is confirmed as for any sheet
    (`heading_seen`); 3. the chief judge's decision stands for each signature, since the signed paper stays as it is; 4.
    the agreement, without which the database locks no later version; 5. the version is locked; 6. the version that
    counts is swapped from the one that was superseded; 7. the audit entry, of the same moment. The stamp is needed
    again; a release keeps what it has until a new one is made.
    """
    seen = sorted(crossing)

    def do() -> Scoresheet:
        sheet = scoresheets.require_waiting_sheet(table, "approve_correction", revision)
        correction = lock_correction_in_hand(table, sheet)
        judge = require_both_roles(table, sheet, correction, by)
        seats = check_correction_values(table, sheet, correction, seen)
        heading.confirm_heading(table, sheet, heading_seen, by)
        now = timezone.now()
        decide_signatures(sheet, seats, correction, judge, by, now)
        agreed = Correction.objects.filter(pk=correction.pk, approved_at__isnull=True, abandoned_at__isnull=True)
        if not agreed.update(approved_by=by, approved_at=now):
            raise StaleVersion("scoresheet_changed", moves.CHANGED, about=sheet)
        before = sheet.digest
        signing.lock_scoresheet_row(sheet, "approve_correction", revision, by, now)
        replace_official_version(table, sheet, correction)
        reason = correction.reason
        scoresheets.record_sheet_entry(
            table, sheet, by, "approve_correction", request_key, reason=reason, before=before, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(
        table, by, request_key, "approve_correction", [revision, seen, heading_seen], do
    )


def lock_correction_in_hand(table: Table, sheet: Scoresheet) -> Correction:
    """The correction in hand that this version belongs to, its row held until the act ends."""
    found = queries.correction_in_hand(table)
    if found is None or found.scoresheet_id != sheet.pk:
        raise Refused("no_correction", NONE_IN_HAND, about=table)
    Correction.objects.select_for_update(no_key=True).filter(pk=found.pk).first()
    return found


def require_both_roles(table: Table, sheet: Scoresheet, correction: Correction, by: User) -> User:
    """The account of the two that is the chief judge's; refused while one of the two is wanting."""
    moves.refuse_first(correction_approval_refusals(table, sheet, correction, by))
    judge = judge_of(table, by, correction.proposed_by) if correction.proposed_by else None
    assert judge is not None
    return judge


def correction_approval_refusals(
    table: Table, sheet: Scoresheet, correction: Correction, by: User
) -> Iterator[Refused]:
    """Whose act it is, that these values are proposed, by another, that both roles are there, whose values they are."""
    if not roles_of(table, by) & CORRECTION_AGREEING_ROLES:
        yield Forbidden("not_your_role", CORRECTION_ROLE_MISSING, about=table)
    proposer = correction.proposed_by
    if proposer is None or correction.proposed_digest != sheet.digest:
        yield Refused("correction_not_proposed", VALUES_NOT_PROPOSED, about=sheet)
    elif proposer.pk == by.pk:
        yield Forbidden("proposer_cannot_approve", CORRECTION_SAME_ACCOUNT, about=sheet)
    elif judge_of(table, by, proposer) is None:
        yield Forbidden("correction_takes_both_roles", CORRECTION_ONE_ROLE_ONLY, about=sheet)
    if by.pk in value_setters_of(sheet):
        others = approvers_with(table, sheet, by)
        yield Forbidden(
            "setter_cannot_approve",
            OWN_VALUES if others else CORRECTION_NO_OTHER_APPROVER,
            about=sheet,
            who=", ".join(others),
        )


def judge_of(table: Table, one: User, other: User) -> User | None:
    """Which of two accounts is the chief judge's, the other being an organiser's; None where they are no such pair."""
    for judge, organiser in ((one, other), (other, one)):
        if Role.CHIEF_JUDGE in roles_of(table, judge) and Role.ORGANISER in roles_of(table, organiser):
            return judge
    return None


def approvers_with(table: Table, sheet: Scoresheet, proposer: User) -> list[str]:
    """The names of those who could approve these values if this account proposed them."""
    others = open_accounts_with_roles(
        table.session.stage.event, CORRECTION_AGREEING_ROLES, [proposer.pk, *value_setters_of(sheet)]
    )
    return [account_name_of(user) for user in others if judge_of(table, user, proposer) is not None]


def check_correction_values(table: Table, sheet: Scoresheet, correction: Correction, seen: list[int]) -> list[Seat]:
    """The seats, if the values still stand, differ from the locked ones and do to the line what was shown."""
    counts = official_sheet(table)
    if counts is None or counts.pk != correction.supersedes_id:
        raise Refused("superseded_otherwise", VERSION_SUPERSEDED, about=sheet)
    seats = signing.require_values_unchanged(table, sheet)
    if same_values(counts, sheet):
        raise Refused("correction_changes_nothing", SAME_VALUES, about=sheet)
    effect = bridge.correction_effect(table.session.stage, counts, sheet)
    if list(effect.crossing_numbers) != seen:
        raise StaleVersion("effect_changed", CORRECTION_EFFECT_CHANGED, about=sheet, current=effect)
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


def replace_official_version(table: Table, sheet: Scoresheet, correction: Correction) -> None:
    """The version that counts, swapped from the superseded one and from no other."""
    if not OfficialSheet.objects.filter(table=table, scoresheet=correction.supersedes_id).update(scoresheet=sheet):
        raise StaleVersion("official_changed", moves.CHANGED, about=sheet)


# --- Give up --------------------------------------------------------------------------------------------
def abandon_correction(table: Table, *, revision: int, reason: str, by: User, request_key: str) -> Scoresheet:
    """End a correction without effect: draft or ready -> void, with the reason; what was typed stays readable."""
    why = check_dispute_reason(reason, _("Say why the correction is given up."))

    def do() -> Scoresheet:
        if not roles_of(table, by) & CORRECTION_AGREEING_ROLES:
            raise Forbidden("not_your_role", CORRECTION_ROLE_MISSING, about=table)
        sheet = scoresheets.newest_version(table)
        if sheet is None or not hasattr(sheet, "correction"):
            raise Refused("no_correction", NONE_IN_HAND, about=table)
        before = sheet.digest
        scoresheets.void_scoresheet(sheet, "give_up_correction", revision)
        now = timezone.now()
        Correction.objects.filter(scoresheet=sheet).update(abandoned_by=by, abandoned_at=now, abandoned_reason=why)
        scoresheets.record_sheet_entry(
            table, sheet, by, "give_up_correction", request_key, reason=why, before=before, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "give_up_correction", [revision, why], do)

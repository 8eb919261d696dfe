"""What stands in a sheet's way before it locks: a dispute that the chief judge decides, and a sheet made void.

A dispute is raised before signing (R46): the sheet rests until the chief judge says that its values stand or which
others do. Void is a sheet that shall not count, by the chief judge and an organiser, two accounts; never a locked one.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.acts import ACTS
from tournament.core.enums import DisputeOutcome, Role
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Membership
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import faults, moves, scoresheets
from tournament.sheets.services import values as scoresheets_values
from tournament.tables.models import Table

DISPUTE_REASON_MISSING = _("Say why in a few words: the chief judge reads it.")
DISPUTE_DECISION_MISSING = _("Say why it is decided so; the decision is final.")
DISPUTE_JUDGE_ONLY = _("The chief judge decides a dispute.")
DISPUTE_VALUES_NOT_SAVED = _(
    "Not decided: the values typed here are not saved, and the scoresheet is disputed as before. %(mend)s must be "
    "mended and %(look)s confirmed first."
)
DISPUTE_VALUES_HAVE_FAULTS = _(
    "Not decided: the values have faults, so they cannot stand as they are. %(mend)s must be mended. The scoresheet is "
    "disputed as before; decide with other values."
)
DISPUTE_OF_ANOTHER = _("Whoever raised this dispute takes it back, or the chief judge.")
NOT_DISPUTED = _("This scoresheet is not disputed.")
BEFORE_SIGNING = _("A dispute is raised before signing. A locked scoresheet is corrected instead.")
TWO_ROLES = _("A scoresheet is made void by the chief judge and an organiser, two accounts.")
VOID_NOT_PROPOSED = _("Nobody has proposed to make this scoresheet void.")


# --- A dispute ------------------------------------------------------------------------------------------
def raise_dispute(table: Table, *, revision: int, reason: str, by: User, request_key: str) -> Scoresheet:
    """Stop a sheet until the chief judge has decided: draft or ready -> disputed. What was typed stays."""
    why = check_dispute_reason(reason, DISPUTE_REASON_MISSING)

    def do() -> Scoresheet:
        sheet = scoresheets.newest_version(table)
        if sheet is None:
            raise Refused("scoresheet_not_received", moves.NOT_WRITABLE, about=table)
        if sheet.version > 1:
            raise Refused("dispute_too_late", BEFORE_SIGNING, about=sheet)
        now = timezone.now()
        moves.move_sheet(sheet, "dispute_scoresheet", revision)
        Dispute.objects.create(scoresheet=sheet, reason=why, raised_by=by, raised_at=now)
        scoresheets.record_sheet_entry(
            table, sheet, by, "dispute_scoresheet", request_key, reason=why, before=sheet.digest, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "dispute_scoresheet", [revision, why], do)


def decide_dispute(
    table: Table,
    *,
    revision: int,
    decision: str,
    by: User,
    request_key: str,
    typed: Mapping[str, Any] | None = None,
) -> Scoresheet:
    """The chief judge's decision: disputed -> ready, with the values as they are, or with `typed` in their place.

    1. the chief judge, with a reason; 2. the sheet as its reader has seen it; 3. nothing is left to mend; the reason
    stands for all that is unusual; 4. games, lines and digest anew, its typist staying its typist, other values being
    the judge's, who does not certify them then; 5. the decision; 6. the audit entry.
    """
    why = check_dispute_reason(decision, DISPUTE_DECISION_MISSING)
    cleaned = bridge.clean_typed(typed) if typed is not None else None

    def do() -> Scoresheet:
        if not roles_of(table, by) & ACTS["decide_dispute"].roles:
            raise Forbidden("chief_judge_decides", DISPUTE_JUDGE_ONLY, about=table)
        sheet = lock_disputed_sheet(table, revision)
        before = sheet.digest
        head = {"heading": sheet.typed["heading"]} if "heading" in sheet.typed else {}
        texts = {**head, **cleaned} if cleaned is not None else None
        outcome = DisputeOutcome.UPHELD if texts is None or texts == sheet.typed else DisputeOutcome.VALUES
        if texts is not None:
            sheet.typed = texts
        check, seats = scoresheets.judge_sheet_now(table, sheet)
        kept = {key: said for key, said in sheet.confirmations.items() if key.startswith("heading")}
        notes = {
            **kept,
            **bridge.confirm_all_unusual(check, why),
            **bridge.confirmations_still_needed(check, sheet.confirmations),
        }
        faults.refuse_sheet_faults(
            check, notes, DISPUTE_VALUES_HAVE_FAULTS if texts is None else DISPUTE_VALUES_NOT_SAVED, about=sheet
        )
        digest = bridge.sheet_check_digest(table, sheet, check, seats, notes)
        Game.objects.filter(scoresheet=sheet).delete()
        ruled = [by.pk] if outcome == DisputeOutcome.VALUES else []
        setters = scoresheets_values.append_value_setters(sheet, *ruled)
        values = {
            "typed": sheet.typed,
            "values_by": setters,
            "confirmations": notes,
            "digest": digest,
            "rejected_reason": "",
        }
        moves.move_sheet(sheet, "decide_dispute", revision, **values)
        scoresheets.write_games_and_lines(sheet, check, seats)
        now = timezone.now()
        Dispute.objects.filter(scoresheet=sheet, decided_at__isnull=True).update(
            outcome=outcome, decision=why, decided_by=by, decided_at=now
        )
        said = f"{outcome.value}: {why}"
        scoresheets.record_sheet_entry(
            table, sheet, by, "decide_dispute", request_key, reason=said, before=before, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "decide_dispute", [revision, why, cleaned], do)


def withdraw_dispute(
    table: Table,
    *,
    reason: str,
    by: User,
    request_key: str,
    dispute: int | None = None,
    revision: int | None = None,
) -> Scoresheet:
    """Whoever raised it, or the chief judge, takes it back: disputed -> draft, as it was typed; all sign again.

    1. the sheet is in this dispute (None: whichever is open), at this revision where one was seen; 2. whose it is;
    3. back to draft; 4. the end of the dispute with its reason; 5. the audit entry.
    Raises Refused (409), Forbidden (403), StaleVersion (412).
    """
    why = check_dispute_reason(reason, DISPUTE_REASON_MISSING)

    def do() -> Scoresheet:
        sheet = lock_disputed_sheet(table, revision)
        found = Dispute.objects.filter(scoresheet=sheet, decided_at__isnull=True).first()
        if found is None or dispute not in (None, found.pk):
            raise Refused("scoresheet_not_disputed", NOT_DISPUTED, about=table)
        if found.raised_by_id != by.pk and Role.CHIEF_JUDGE not in roles_of(table, by):
            raise Forbidden("not_your_dispute", DISPUTE_OF_ANOTHER, about=table)
        before, now = sheet.digest, timezone.now()
        scoresheets.return_sheet_to_draft(sheet, "withdraw_dispute", sheet.revision)
        Dispute.objects.filter(pk=found.pk).update(
            outcome=DisputeOutcome.WITHDRAWN, decision=why, decided_by=by, decided_at=now
        )
        said = f"{DisputeOutcome.WITHDRAWN.value}: {why}"
        scoresheets.record_sheet_entry(
            table, sheet, by, "withdraw_dispute", request_key, reason=said, before=before, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "withdraw_dispute", [dispute, why], do)


def lock_disputed_sheet(table: Table, revision: int | None) -> Scoresheet:
    """The disputed sheet, as its reader has seen it (None: as it is), its row held until the act ends."""
    sheet = queries.versions_in_hand(table).select_for_update(no_key=True).first()
    if sheet is None or not ACTS["decide_dispute"].allows(sheet.state):
        raise Refused("scoresheet_not_disputed", NOT_DISPUTED, about=table)
    if revision is not None and sheet.revision != revision:
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=sheet, current=sheet)
    return sheet


# --- Void -----------------------------------------------------------------------------------------------
def propose_void(table: Table, *, revision: int, reason: str, by: User, request_key: str) -> Scoresheet:
    """The first of the two: the sheet stays as it is until the other has agreed. A new proposal replaces an older."""
    why = check_dispute_reason(reason, DISPUTE_REASON_MISSING)

    def do() -> Scoresheet:
        if not roles_of(table, by) & ACTS["propose_void"].roles:
            raise Forbidden("not_your_role", TWO_ROLES, about=table)
        moves.refuse_unplayed(table.session)
        sheet = scoresheets.newest_version(table) or open_unreceived_sheet(table, by, request_key)
        unseen = bool(revision) and sheet.revision != revision
        if not ACTS["propose_void"].allows(sheet.state) or sheet.version > 1 or unseen:
            raise moves.refusal_of_move(sheet, "propose_void", revision)
        now = timezone.now()
        Voiding.objects.update_or_create(
            scoresheet=sheet, defaults={"reason": why, "proposed_by": by, "proposed_at": now}
        )
        scoresheets.record_unmoved(table, sheet, by, "propose_void", request_key, reason=why, at=now)
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "propose_void", [revision, why], do)


def open_unreceived_sheet(table: Table, by: User, request_key: str) -> Scoresheet:
    """The row of a sheet that has not come, so that it can be said to be void."""
    try:
        with transaction.atomic():
            sheet = Scoresheet.objects.create(table=table, state_since=timezone.now(), typed_by=None)
    except IntegrityError:
        raise StaleVersion("scoresheet_changed", moves.CHANGED, about=table) from None
    scoresheets.record_sheet_entry(table, sheet, by, "open_scoresheet", request_key)
    return sheet


def approve_void(table: Table, *, revision: int, by: User, request_key: str) -> Scoresheet:
    """The second of the two agrees: open, draft, ready or disputed -> void. Never from locked.

    1. it is proposed, by another account, and both roles are there; 2. swapped as its reader has seen it; 3. the
    approval; 4. the audit entry.
    """

    def do() -> Scoresheet:
        sheet = scoresheets.newest_version(table)
        voiding = Voiding.objects.filter(scoresheet=sheet).select_related("proposed_by").first() if sheet else None
        if sheet is None or voiding is None:
            raise Refused("void_not_proposed", VOID_NOT_PROPOSED, about=table)
        mine, theirs = roles_of(table, by), roles_of(table, voiding.proposed_by)
        pairs = ((mine, theirs), (theirs, mine))
        both = any(Role.CHIEF_JUDGE in one and Role.ORGANISER in other for one, other in pairs)
        if voiding.proposed_by_id == by.pk or not both:
            raise Forbidden("void_takes_two", TWO_ROLES, about=sheet)
        before, now = sheet.digest, timezone.now()
        scoresheets.void_scoresheet(sheet, "void_scoresheet", revision)
        Voiding.objects.filter(pk=voiding.pk, approved_at__isnull=True).update(approved_by=by, approved_at=now)
        scoresheets.record_sheet_entry(
            table, sheet, by, "void_scoresheet", request_key, reason=voiding.reason, before=before, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "void_scoresheet", [revision], do)


# --- What an act needs ----------------------------------------------------------------------------------
def roles_of(table: Table, user: User) -> frozenset[str]:
    """The roles that an open account holds at the table's event."""
    held = Membership.objects.filter(event=table.session.stage.event, user=user.pk, user__is_active=True)
    return frozenset(held.values_list("role", flat=True))


def check_dispute_reason(reason: str, sentence: str) -> str:
    """The reason trimmed; none or too long is refused (R46)."""
    why = reason.strip()
    if not why or len(why) > 500 or not bridge.is_storable(why):
        raise BadInput("reason_missing", sentence)
    return why

"""What stands in a sheet's way before it locks: a dispute that the chief judge decides, and a sheet made void.

A dispute is raised before signing (R46): the sheet rests until the chief judge says that its values stand or which
others do. Void is a sheet that shall not count, by the chief judge and an organiser, two accounts; never a locked one.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.bridge import scoresheets as bridge
from tournament.enums import DisputeOutcome, Role, SheetState
from tournament.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.models import Dispute, Game, Membership, Scoresheet, Table, Voiding
from tournament.queries import scoresheets as queries
from tournament.services import scoresheets, scoresheets_faults, scoresheets_values

DISPUTABLE = (SheetState.DRAFT, SheetState.READY)
VOIDABLE = (SheetState.OPEN, SheetState.DRAFT, SheetState.READY, SheetState.DISPUTED)

REASON = _("Say why in a few words: the chief judge reads it.")
DECISION = _("Say why it is decided so; the decision is final.")
JUDGE_ONLY = _("The chief judge decides a dispute.")
NOT_DECIDED = _(
    "Not decided: the values typed here are not saved, and the scoresheet is disputed as before. %(mend)s must be "
    "mended and %(look)s confirmed first."
)
DO_NOT_STAND = _(
    "Not decided: the values have faults, so they cannot stand as they are. %(mend)s must be mended. The scoresheet is "
    "disputed as before; decide with other values."
)
NOT_YOURS = _("Whoever raised this dispute takes it back, or the chief judge.")
NOT_DISPUTED = _("This scoresheet is not disputed.")
BEFORE_SIGNING = _("A dispute is raised before signing. A locked scoresheet is corrected instead.")
TWO_ROLES = _("A scoresheet is made void by the chief judge and an organiser, two accounts.")
NOT_PROPOSED = _("Nobody has proposed to make this scoresheet void.")


# --- A dispute ------------------------------------------------------------------------------------------
def raise_dispute(table: Table, *, revision: int, reason: str, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """Stop a sheet until the chief judge has decided: draft or ready -> disputed. What was typed stays."""
    why = checked(reason, REASON)

    def do() -> Scoresheet:
        sheet = scoresheets.newest(table)
        if sheet is None:
            raise Refused("scoresheet_not_received", scoresheets.NOT_WRITABLE, about=table)
        if sheet.version > 1:
            raise Refused("dispute_too_late", BEFORE_SIGNING, about=sheet)
        now = timezone.now()
        scoresheets.swap(sheet, revision, DISPUTABLE, state=SheetState.DISPUTED)
        Dispute.objects.create(scoresheet=sheet, reason=why, raised_by=by, raised_at=now)
        scoresheets.record(table, sheet, by, "dispute_scoresheet", request_key, reason=why, before=sheet.digest, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "dispute_scoresheet", [revision, why], do)


def decide_dispute(
    table: Table,
    *,
    revision: int,
    decision: str,
    by: AbstractBaseUser,
    request_key: str,
    typed: Mapping[str, Any] | None = None,
) -> Scoresheet:
    """The chief judge's decision: disputed -> ready, with the values as they are, or with `typed` in their place.

    1. the chief judge, with a reason; 2. the sheet as its reader has seen it; 3. nothing is left to mend; the reason
    stands for all that is unusual; 4. games, lines and digest anew, its typist staying its typist, other values being
    the judge's, who does not certify them then; 5. the decision; 6. the audit entry.
    """
    why = checked(decision, DECISION)
    cleaned = bridge.clean_typed(typed) if typed is not None else None

    def do() -> Scoresheet:
        if Role.CHIEF_JUDGE not in roles_of(table, by):
            raise Forbidden("chief_judge_decides", JUDGE_ONLY, about=table)
        sheet = disputed(table, revision)
        before = sheet.digest
        head = {"heading": sheet.typed["heading"]} if "heading" in sheet.typed else {}
        texts = {**head, **cleaned} if cleaned is not None else None
        outcome = DisputeOutcome.UPHELD if texts is None or texts == sheet.typed else DisputeOutcome.VALUES
        if texts is not None:
            sheet.typed = texts
        check, seats = scoresheets.judged(table, sheet)
        kept = {key: said for key, said in sheet.confirmations.items() if key.startswith("heading")}
        notes = {**kept, **bridge.confirm_all(check, why), **bridge.confirmed(check, sheet.confirmations)}
        scoresheets_faults.refuse_faults(check, notes, DO_NOT_STAND if texts is None else NOT_DECIDED, about=sheet)
        digest = bridge.digest_of_check(table, sheet, check, seats, notes)
        Game.objects.filter(scoresheet=sheet).delete()
        ruled = [by.pk] if outcome == DisputeOutcome.VALUES else []
        setters = scoresheets_values.with_setters(sheet, *ruled)
        values = {
            "typed": sheet.typed,
            "values_by": setters,
            "confirmations": notes,
            "digest": digest,
            "rejected_reason": "",
        }
        scoresheets.swap(sheet, revision, (SheetState.DISPUTED,), state=SheetState.READY, **values)
        scoresheets.write_rows(sheet, check, seats)
        now = timezone.now()
        Dispute.objects.filter(scoresheet=sheet, decided_at__isnull=True).update(
            outcome=outcome, decision=why, decided_by=by, decided_at=now
        )
        said = f"{outcome.value}: {why}"
        scoresheets.record(table, sheet, by, "decide_dispute", request_key, reason=said, before=before, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "decide_dispute", [revision, why, cleaned], do)


def withdraw_dispute(
    table: Table,
    *,
    reason: str,
    by: AbstractBaseUser,
    request_key: str,
    dispute: int | None = None,
    revision: int | None = None,
) -> Scoresheet:
    """Whoever raised it, or the chief judge, takes it back: disputed -> draft, as it was typed; all sign again.

    1. the sheet is in this dispute (None: whichever is open), at this revision where one was seen; 2. whose it is;
    3. back to draft; 4. the end of the dispute with its reason; 5. the audit entry.
    Raises Refused (409), Forbidden (403), StaleVersion (412).
    """
    why = checked(reason, REASON)

    def do() -> Scoresheet:
        sheet = disputed(table, revision)
        found = Dispute.objects.filter(scoresheet=sheet, decided_at__isnull=True).first()
        if found is None or dispute not in (None, found.pk):
            raise Refused("scoresheet_not_disputed", NOT_DISPUTED, about=table)
        if found.raised_by_id != by.pk and Role.CHIEF_JUDGE not in roles_of(table, by):
            raise Forbidden("not_your_dispute", NOT_YOURS, about=table)
        before, now = sheet.digest, timezone.now()
        scoresheets.back_to_draft(sheet, sheet.revision, rejected_reason="", states=(SheetState.DISPUTED,))
        Dispute.objects.filter(pk=found.pk).update(
            outcome=DisputeOutcome.WITHDRAWN, decision=why, decided_by=by, decided_at=now
        )
        said = f"{DisputeOutcome.WITHDRAWN.value}: {why}"
        scoresheets.record(table, sheet, by, "withdraw_dispute", request_key, reason=said, before=before, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "withdraw_dispute", [dispute, why], do)


def disputed(table: Table, revision: int | None) -> Scoresheet:
    """The disputed sheet, as its reader has seen it (None: as it is), its row held until the act ends."""
    sheet = queries.in_hand(table).select_for_update(no_key=True).first()
    if sheet is None or sheet.state != SheetState.DISPUTED:
        raise Refused("scoresheet_not_disputed", NOT_DISPUTED, about=table)
    if revision is not None and sheet.revision != revision:
        raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=sheet, current=sheet)
    return sheet


# --- Void -----------------------------------------------------------------------------------------------
def propose_void(table: Table, *, revision: int, reason: str, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """The first of the two: the sheet stays as it is until the other has agreed. A new proposal replaces an older."""
    why = checked(reason, REASON)

    def do() -> Scoresheet:
        if not roles_of(table, by) & {Role.CHIEF_JUDGE, Role.ORGANISER}:
            raise Forbidden("not_your_role", TWO_ROLES, about=table)
        scoresheets.refuse_unplayed(table.session)
        sheet = scoresheets.newest(table) or opened(table, by, request_key)
        if sheet.state not in VOIDABLE or sheet.version > 1 or (revision and sheet.revision != revision):
            raise scoresheets.why_not(sheet, revision, VOIDABLE)
        now = timezone.now()
        Voiding.objects.update_or_create(
            scoresheet=sheet, defaults={"reason": why, "proposed_by": by, "proposed_at": now}
        )
        scoresheets.record_unmoved(table, sheet, by, "propose_void", request_key, reason=why, at=now)
        return sheet

    return scoresheets.once(table, by, request_key, "propose_void", [revision, why], do)


def opened(table: Table, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """The row of a sheet that has not come, so that it can be said to be void."""
    try:
        with transaction.atomic():
            sheet = Scoresheet.objects.create(table=table, state_since=timezone.now(), typed_by=None)
    except IntegrityError:
        raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=table) from None
    scoresheets.record(table, sheet, by, "open_scoresheet", request_key)
    return sheet


def approve_void(table: Table, *, revision: int, by: AbstractBaseUser, request_key: str) -> Scoresheet:
    """The second of the two agrees: open, draft, ready or disputed -> void. Never from locked.

    1. it is proposed, by another account, and both roles are there; 2. swapped as its reader has seen it; 3. the
    approval; 4. the audit entry.
    """

    def do() -> Scoresheet:
        sheet = scoresheets.newest(table)
        voiding = Voiding.objects.filter(scoresheet=sheet).select_related("proposed_by").first() if sheet else None
        if sheet is None or voiding is None:
            raise Refused("void_not_proposed", NOT_PROPOSED, about=table)
        mine, theirs = roles_of(table, by), roles_of(table, voiding.proposed_by)
        pairs = ((mine, theirs), (theirs, mine))
        both = any(Role.CHIEF_JUDGE in one and Role.ORGANISER in other for one, other in pairs)
        if voiding.proposed_by_id == by.pk or not both:
            raise Forbidden("void_takes_two", TWO_ROLES, about=sheet)
        before, now = sheet.digest, timezone.now()
        scoresheets.make_void(sheet, revision, VOIDABLE)
        Voiding.objects.filter(pk=voiding.pk, approved_at__isnull=True).update(approved_by=by, approved_at=now)
        scoresheets.record(
            table, sheet, by, "void_scoresheet", request_key, reason=voiding.reason, before=before, at=now
        )
        return sheet

    return scoresheets.once(table, by, request_key, "void_scoresheet", [revision], do)


# --- What an act needs ----------------------------------------------------------------------------------
def roles_of(table: Table, user: AbstractBaseUser) -> frozenset[str]:
    """The roles that an open account holds at the table's event."""
    held = Membership.objects.filter(event=table.session.stage.event, user=user.pk, user__is_active=True)
    return frozenset(held.values_list("role", flat=True))


def checked(reason: str, sentence: str) -> str:
    """The reason trimmed; none or too long is refused (R46)."""
    why = reason.strip()
    if not why or len(why) > 500 or not bridge.is_storable(why):
        raise BadInput("reason_missing", sentence)
    return why

"""From a sheet that waits to one that counts: certified by a second account, official, stamped (R41, R42).

On paper the second person compares the values with the sheet and records for each entrant that the signature is there,
or the missing one with the chief judge's reason. Certified is locked: nothing here or elsewhere writes to it again.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.audit import services
from tournament.core.acts import ACTS
from tournament.core.enums import LOCKED_STATES, Role
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Membership
from tournament.core.models.stage import Session
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry, heading, moves, scoresheets, values
from tournament.tables.models import Seat, Table

OWN_SHEET = _("You typed this scoresheet: take it back instead of sending it back.")
SIGNATURES_MISSING = _("Signatures are still to be recorded: %(letters)s.")
NO_SUCH_SIGNER = _("Seat %(letters)s does not sign this scoresheet.")
MISSING_SIGNATURE_JUDGE_ONLY = _(
    "The chief judge decides on a missing signature, in the chief judge's own account (seat %(letters)s)."
)
SEAT_SIGNED_ON_TABLET = _("Seat %(letters)s has signed on the tablet: that signature stands.")
SEAT_NOT_SIGNED_ON_TABLET = _("Seat %(letters)s has not signed on the tablet. The chief judge gives the reason.")
JUDGE_SET_VALUES = _(
    "The chief judge decides on a missing signature (seat %(letters)s). There is no chief judge who has not set values "
    "of this scoresheet: an organiser makes one more account chief judge."
)
ENTRANT_RECORD_CHANGED = _(
    "An entrant's record has changed since the scoresheet was typed. Send it back, so that it is typed again."
)
SHEET_VALUES_ALTERED = _(
    "The stored values are not those that were typed. Send the scoresheet back and tell an organiser."
)
NOT_OFFICIAL = _("Only a certified scoresheet that counts can be stamped.")
# Codes of what stands against certifying.
CORRECTS, NO_LONGER_HOLDS, VALUES_ALTERED = "correction_takes_two", "entrants_changed", "values_altered"
TAKES_TWO = _(
    "This version corrects a locked scoresheet: the chief judge and an organiser agree to it on its own page."
)
REJECT_REASON_MISSING = _("Say why the scoresheet goes back: the typist reads it.")


def certify_scoresheet(
    table: Table,
    *,
    revision: int,
    signatures: Mapping[str, str],
    by: User,
    request_key: str,
    heading_seen: bool = False,
) -> Scoresheet:
    """Lock a sheet as compared with the paper: ready -> certified, and make it the version that counts.

    `signatures` has every seated entrant who has not left, by letter: "" where the signature is there, else the chief
    judge's reason for a missing one. What was drawn on a tablet stands: then each that was not drawn takes that reason,
    since there is no paper (an entrant refuses, or is gone). `heading_seen`: the second person has read that the
    paper's head differs, and why.
    1. another account than those that set values of it; a second typing that is wanted is settled; 2. nothing the
    values rest on has changed since they were typed; 3. every signature is accounted for; 4. signatures; 5. the state
    is swapped, which the database itself allows only with every signature there; 6. the official version; 7. the audit
    entry, of the same moment.
    Raises Forbidden (403), Refused (409), StaleVersion (412), Locked (423).
    """
    given = clean_signatures(signatures)

    def do() -> Scoresheet:
        sheet = scoresheets.require_waiting_sheet(table, "certify_scoresheet", revision)
        moves.refuse_first(certifying_refusals(table, sheet, by, waives=any(given.values())))
        heading.confirm_heading(table, sheet, heading_seen, by)
        seats = require_values_unchanged(table, sheet)
        drawn = queries.live_signatures(sheet)
        refuse_contradicted_signatures(sheet, drawn, given)
        signers = require_signatures_accounted(table, sheet, seats, {**dict.fromkeys(drawn, ""), **given}, by)
        now = timezone.now()
        write_signatures(sheet, [seat for seat in signers if seat.letter not in drawn], given, by, now)
        lock_scoresheet_row(sheet, "certify_scoresheet", revision, by, now)
        make_official(table, sheet)
        reasons = "; ".join(f"{letter}: {reason}" for letter, reason in sorted(given.items()) if reason)
        scoresheets.record_sheet_entry(
            table, sheet, by, "certify_scoresheet", request_key, reason=reasons, before=sheet.digest, at=now
        )
        return sheet

    return scoresheets.run_sheet_act_once(
        table, by, request_key, "certify_scoresheet", [revision, given, heading_seen], do
    )


def clean_signatures(signatures: Mapping[str, Any]) -> dict[str, str]:
    """Trimmed reasons by seat letter; BadInput where the shape is another."""
    for letter, reason in signatures.items():
        if (
            letter not in ("A", "B", "C", "D")
            or not isinstance(reason, str)
            or len(reason) > 500
            or not bridge.is_storable(reason)
        ):
            raise BadInput("signatures_not_readable", _("What was sent are not the signatures of a scoresheet."))
    return {letter: reason.strip() for letter, reason in signatures.items()}


def certifying_refusals(table: Table, sheet: Scoresheet, by: Any, *, waives: bool) -> Iterator[Refused]:
    """Of a sheet that waits: whose values it has, a correction, a second typing that is not settled."""
    yield from values.against_setter(table, sheet, by, waives=waives)
    if sheet.version > 1:
        yield Refused(CORRECTS, TAKES_TWO, about=sheet)
    yield from double_entry.against_unsettled(table, sheet)


def against_values(table: Table, sheet: Scoresheet, check: SheetCheck, seats: list[Seat]) -> Iterator[Refused]:
    """Where it no longer holds under today's statuses, or its rows are not what was typed."""
    unsure = check.mend or bridge.unconfirmed_problems(check, sheet.confirmations)
    if unsure or bridge.sheet_check_digest(table, sheet, check, seats, sheet.confirmations) != sheet.digest:
        yield Refused(NO_LONGER_HOLDS, ENTRANT_RECORD_CHANGED, about=sheet)
    if bridge.sheet_rows_digest(table, sheet, seats) != sheet.digest:
        yield Refused(VALUES_ALTERED, SHEET_VALUES_ALTERED, about=sheet)


def require_values_unchanged(table: Table, sheet: Scoresheet) -> list[Seat]:
    """The seats, if nothing stands against the values."""
    check, seats = scoresheets.judge_sheet_now(table, sheet)
    moves.refuse_first(against_values(table, sheet, check, seats))
    return seats


def refuse_contradicted_signatures(sheet: Scoresheet, drawn: Collection[str], given: Mapping[str, str]) -> None:
    """Refuse a reason for a seat that has signed on the tablet, and a tick for one that has not beside one that has."""
    if both := sorted(letter for letter in drawn if given.get(letter)):
        raise Refused("signature_is_drawn", SEAT_SIGNED_ON_TABLET, about=sheet, letters=", ".join(both))
    ticked = sorted(letter for letter, reason in given.items() if not reason and letter not in drawn)
    if drawn and ticked:
        raise Refused("signature_not_drawn", SEAT_NOT_SIGNED_ON_TABLET, about=sheet, letters=", ".join(ticked))


def require_signatures_accounted(
    table: Table, sheet: Scoresheet, seats: list[Seat], given: Mapping[str, str], by: User
) -> list[Seat]:
    """The seats that sign, when each is accounted for; a missing signature only by the chief judge."""
    letters = bridge.signing_letters(seats)
    if strangers := sorted(set(given) - set(letters)):
        raise BadInput("not_a_signer", NO_SUCH_SIGNER, letters=", ".join(strangers))
    if wanting := [letter for letter in letters if letter not in given]:
        raise Refused("signatures_missing", SIGNATURES_MISSING, letters=", ".join(wanting))
    missing = [letter for letter in letters if given[letter]]
    if missing and not is_chief_judge(table, by):
        left = values.names_of_other_certifiers(table, sheet, waives=True)
        raise Forbidden(
            "chief_judge_only", MISSING_SIGNATURE_JUDGE_ONLY if left else JUDGE_SET_VALUES, letters=", ".join(missing)
        )
    return [seat for seat in seats if seat.letter in letters]


def is_chief_judge(table: Table, by: User) -> bool:
    """Whether the account holds the role at the table's event."""
    return Membership.objects.filter(event=table.session.stage.event, user=by, role=Role.CHIEF_JUDGE).exists()


def lock_scoresheet_row(sheet: Scoresheet, act: str, revision: int, by: User, now: datetime) -> None:
    """By an act that locks: ready -> certified or signed; the last write this row ever sees."""
    moves.move_sheet(sheet, act, revision, locked_by=by, locked_at=now)


def write_signatures(sheet: Scoresheet, signers: list[Seat], given: Mapping[str, str], by: Any, now: datetime) -> None:
    """One row for each entrant who signs, with the digest that was compared."""
    Signature.objects.bulk_create(
        Signature(
            scoresheet=sheet,
            entrant=seat.entrant,
            letter=seat.letter,
            present=not given[seat.letter],
            digest=sheet.digest,
            missing_reason=given[seat.letter],
            chief_judge=by if given[seat.letter] else None,
            recorded_by=by,
            recorded_at=now,
        )
        for seat in signers
    )


def make_official(table: Table, sheet: Scoresheet) -> None:
    """Which version of the table counts: made, or swapped from the one that counted when this act began."""
    counted = OfficialSheet.objects.filter(table=table).values_list("scoresheet_id", flat=True).first()
    if counted is not None:
        if not OfficialSheet.objects.filter(table=table, scoresheet_id=counted).update(scoresheet=sheet):
            raise StaleVersion("official_changed", moves.CHANGED, about=sheet)
        return
    try:
        with transaction.atomic():
            OfficialSheet.objects.create(table=table, scoresheet=sheet)
    except IntegrityError:
        raise StaleVersion("official_changed", moves.CHANGED, about=sheet) from None


def reject_scoresheet(table: Table, *, revision: int, reason: str, by: User, request_key: str) -> Scoresheet:
    """Send a sheet back to its typist: ready -> draft, with the reason; every typed text stays.

    Raises Forbidden (the typist takes it back by `reopen`), Refused, StaleVersion, Locked, BadInput without a reason.
    """
    why = reason.strip()
    if not why or len(why) > 500 or not bridge.is_storable(why):
        raise BadInput("reason_missing", REJECT_REASON_MISSING)

    def do() -> Scoresheet:
        sheet = scoresheets.require_waiting_sheet(table, "reject_scoresheet", revision)
        if sheet.typed_by_id == by.pk:
            raise Forbidden("typist_cannot_reject", OWN_SHEET, about=sheet)
        before = sheet.digest
        scoresheets.return_sheet_to_draft(sheet, "reject_scoresheet", revision, rejected_reason=why)
        scoresheets.record_sheet_entry(table, sheet, by, "reject_scoresheet", request_key, reason=why, before=before)
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "reject_scoresheet", [revision, why], do)


# --- The stamp 大會蓋印 ----------------------------------------------------------------------------------
def against_stamping(sheet: Scoresheet) -> Iterator[Refused]:
    """Only a locked sheet that counts is stamped, and nothing of a void session counts."""
    locked = OfficialSheet.objects.filter(scoresheet=sheet, scoresheet__state__in=ACTS["stamp_scoresheet"].leads_from)
    if not locked.exists():
        yield Refused("not_official", NOT_OFFICIAL, about=sheet)
    yield from moves.against_session(sheet.table.session)


def stamp_sheet(scoresheet: Scoresheet, by: User) -> Stamp:
    """Make a locked sheet official (R42): its own row beside the locked one. Stamped twice is harmless.

    Raises Refused where the sheet is not locked, another version of its table counts, or its session is void.
    """
    made, _new = stamp_once(scoresheet, by)
    return made


@transaction.atomic
def stamp_once(scoresheet: Scoresheet, by: User) -> tuple[Stamp, bool]:
    """The stamp, and whether it was made now; of two at once the unique row lets one."""
    moves.refuse_first(against_stamping(scoresheet))
    made, new = Stamp.objects.get_or_create(scoresheet=scoresheet, defaults={"by": by, "at": timezone.now()})
    if new:
        table = scoresheet.table
        services.append_audit_entry(
            table.session.stage.event,
            by,
            "stamp_scoresheet",
            queries.sheet_subject(table, scoresheet.version),
            revision=(scoresheet.revision, scoresheet.revision),
            digest=(scoresheet.digest, scoresheet.digest),
            at=made.at,
        )
    return made, new


@transaction.atomic
def stamp_session(session: Session, by: User) -> int:
    """Stamp every certified sheet of a session that has no stamp yet, by table; how many they were. Refused where the
    session is void: nothing of it counts."""
    moves.refuse_unplayed(session)
    unstamped = (
        Scoresheet.objects.filter(official_for__table__session=session, state__in=LOCKED_STATES, stamp__isnull=True)
        .select_related("table__session__stage__event")
        .order_by("table__number")
    )
    return sum(stamp_once(sheet, by)[1] for sheet in list(unstamped))

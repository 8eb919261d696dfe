"""A sheet on a referee's tablet: saved after each game, agreed, drawn signatures, locked with the last (R41; D1, D5).

The acts are those of services.scoresheets and signing; here are what the tablet's differ in: who may take a sheet back,
signatures that are drawn, and the package that is all of it at once. `by` is the referee whose PIN was open; whether
the tablet serves the table and the referee has opened it is settled before (services.devices).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring import problems as code
from tournament.core.enums import SheetForm, SheetState
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.devices.models.device import Device
from tournament.entrants.readers.strokes import SignatureStrokes, read_strokes
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.quick_signatures import earlier_signature_claims, quick_letters
from tournament.sheets.services import drawings, faults, scoresheets, signing, signing_disputes
from tournament.tables.models import Seat, Table

NOT_RECORDED = _(
    "Nothing of this scoresheet was recorded by the server. %(mend)s must be mended and %(look)s confirmed first."
)
TABLET_FIRST_VERSION_ONLY = _("This version corrects a locked scoresheet: it is agreed at the desk, not on a tablet.")
SIGNED_OTHER_VALUES = _("The scoresheet has changed. Read it again before you sign.")
SIGNED_ALREADY = _("Seat %(letters)s has signed already.")
PACKAGE_SIGNATURES_INCOMPLETE = _("The package must have a signature of each entrant who signs, once: %(letters)s.")
PACKAGE_VALUES_NOT_SHOWN = _(
    "The signatures are not of the values that were saved last. The chief judge compares both."
)
SIGNATURES_ALIKE = _("The signatures of %(letters)s are the same drawing. Each signs in person, with their own finger.")
NOT_SETTLED = _(
    "The desk has still to record who left or did not come. The signatures are kept; they count after that."
)
NOBODY_SIGNS = _("Nobody signs this scoresheet on the tablet. At the desk a second person compares and certifies it.")


# What stands against a sheet and is mended at the desk, by recording what became of an entrant.
DESK_PROBLEM_CODES = frozenset({code.NOT_RECORDED_AS_LEFT, code.EMPTY_SEAT_FILLED})


class DrawnSignature(NamedTuple):
    """A signature as the tablet sends it; `made_at` is its clock's claim."""

    letter: str
    strokes: SignatureStrokes
    made_at: datetime | None


def drawn_of(letter: str, strokes: object, made_at: datetime | None) -> DrawnSignature:
    """The signature, if it is one. Raises BadInput (400) and TooLarge (413) as `read_strokes` does."""
    return DrawnSignature(letter, read_strokes(strokes), made_at)


# --- One step at a time ---------------------------------------------------------------------------------
def save_tablet_sheet(
    table: Table,
    *,
    revision: int,
    typed: Mapping[str, Any],
    confirmations: Mapping[str, str],
    by: User,
    request_key: str,
    read_by: int | None = None,
) -> Scoresheet:
    """Keep the sheet as entered so far: open or draft -> draft. `read_by`: the tablet's referee, where the desk enters
    it."""
    given: dict[str, Any] = {
        "typed": typed,
        "confirmations": confirmations,
        "by": by,
        "request_key": request_key,
        "read_by": read_by,
    }
    return scoresheets.save_scoresheet(table, revision=revision, form=SheetForm.RACK, **given)


def reopen_tablet_sheet(table: Table, *, revision: int, by: User, request_key: str) -> Scoresheet:
    """Back to entering: ready -> draft, by the referee who has the tablet now, not only by who entered it.

    What was drawn is kept and counts no more; all sign again.
    """

    def do() -> Scoresheet:
        sheet = first_version(scoresheets.require_waiting_sheet(table, "reopen_scoresheet", revision))
        before = sheet.digest
        scoresheets.return_sheet_to_draft(sheet, "reopen_scoresheet", revision)
        scoresheets.record_sheet_entry(table, sheet, by, "reopen_scoresheet", request_key, before=before)
        return sheet

    return scoresheets.run_sheet_act_once(table, by, request_key, "reopen_scoresheet", [revision], do)


def sign_tablet_sheet(
    table: Table,
    *,
    device: Device,
    revision: int,
    digest: str,
    drawn: DrawnSignature,
    by: User,
    request_key: str,
) -> Scoresheet:
    """One entrant has signed; with the last one the sheet is SIGNED, in the same transaction (P5).

    1. the sheet waits, with the values that were shown (N4); 2. they rest on what they rested on; 3. the seat signs and
    has not yet; 4. the signature, its drawing and audit entry; 5. the last of all: locked, official.
    Raises Refused (409), StaleVersion (412), Locked (423), BadInput (400).
    """

    def do() -> Scoresheet:
        sheet = first_version(scoresheets.require_waiting_sheet(table, "sign_scoresheet", revision))
        if sheet.digest != digest:
            raise StaleVersion("sheet_changed_read_again", SIGNED_OTHER_VALUES, about=sheet, current=sheet)
        seats = signing_seats(table, sheet)
        refuse_unseated_signatures(seats, [drawn])
        if drawn.letter in queries.live_signatures(sheet):
            raise Refused("signed_already", SIGNED_ALREADY, about=sheet, letters=drawn.letter)
        store_drawn_signatures(table, sheet, seats, [drawn], device, by, request_key)
        if seats.keys() == queries.live_signatures(sheet).keys():
            lock_signed_sheet(table, sheet, by, request_key)
        return sheet

    payload = [revision, digest, drawn.letter, drawn.strokes]
    return scoresheets.run_sheet_act_once(table, by, request_key, "sign_scoresheet", payload, do)


def dispute_tablet_sheet(
    table: Table, *, revision: int, reason: str, letter: str, by: User, request_key: str
) -> Scoresheet:
    """A player or the referee does not agree: draft or ready -> disputed; the chief judge decides (R46)."""
    said = f"{letter}: {reason.strip()}" if letter and reason.strip() else reason
    return signing_disputes.raise_dispute(table, revision=revision, reason=said, by=by, request_key=request_key)


# --- All at once ----------------------------------------------------------------------------------------
def submit_tablet_package(
    table: Table,
    *,
    device: Device,
    revision: int,
    typed: Mapping[str, Any],
    confirmations: Mapping[str, str],
    signatures: Sequence[DrawnSignature],
    by: User,
    request_key: str,
    read_by: int | None = None,
    as_shown: bool = True,
) -> Scoresheet:
    """Values and every signature: save, ready, sign, lock in one transaction, so that a sheet is untouched or locked.

    From a sheet that waits already (its dispute was decided) only the same values are taken, and the signatures that
    are still wanting. `as_shown`: only the values that were saved before the players signed, of which they were shown
    each; a person at the desk who settles a held package has compared both. Raises what those acts raise; see
    `is_conflict`.
    """
    cleaned = bridge.clean_typed(typed)
    notes = scoresheets.clean_confirmations(confirmations)

    def do() -> Scoresheet:
        if as_shown:
            refuse_unshown(table, device, revision, cleaned)
        sheet = require_handed_in_sheet(table, revision, cleaned, notes, by, request_key, read_by)
        seats = signing_seats(table, sheet)
        refuse_unseated_signatures(seats, signatures)
        wanted = sorted(seats.keys() - queries.live_signatures(sheet).keys())
        if sorted(drawn.letter for drawn in signatures) != wanted:
            raise Refused("signatures_missing", PACKAGE_SIGNATURES_INCOMPLETE, about=sheet, letters=", ".join(wanted))
        store_drawn_signatures(table, sheet, seats, signatures, device, by, request_key)
        lock_signed_sheet(table, sheet, by, request_key)
        return sheet

    payload = [revision, cleaned, notes, [[drawn.letter, drawn.strokes] for drawn in signatures]]
    return scoresheets.run_sheet_act_once(table, by, request_key, "package_scoresheet", payload, do)


def require_handed_in_sheet(
    table: Table, revision: int, typed: Any, notes: Any, by: Any, key: str, read_by: int | None
) -> Scoresheet:
    """The sheet, ready with these values: saved and handed on, or as it waits where it waits with the same."""
    waits = scoresheets.newest_version(table)
    if waits is not None and waits.state == SheetState.READY and waits.revision == revision and waits.typed == typed:
        return first_version(scoresheets.require_waiting_sheet(table, "sign_scoresheet", revision))
    sheet = scoresheets.save_draft(table, revision, SheetForm.RACK, typed, notes, by, key, read_by)
    first_version(sheet)
    check, seats = scoresheets.judge_sheet_now(table, sheet)
    if check.mend and all(one.code in DESK_PROBLEM_CODES for one in check.mend):
        raise Refused("entrants_not_settled", NOT_SETTLED, about=sheet)
    faults.refuse_sheet_faults(check, notes, NOT_RECORDED)
    return scoresheets.write_handed_in_sheet(table, sheet, check, seats, notes, by, key)


def refuse_unshown(table: Table, device: Device, revision: int, typed: Any) -> None:
    """Players sign what stood before them: the sheet as it was saved last. While they hold the tablet it signs alone,
    so a package that brings other values, or the first, is none of theirs (Z8)."""
    saved = scoresheets.newest_version(table)
    if saved is None:
        if device.handed_out_id == table.pk:
            raise Refused("not_as_shown", PACKAGE_VALUES_NOT_SHOWN, about=table)
    elif saved.revision == revision and saved.typed and saved.typed != typed:
        raise Refused("not_as_shown", PACKAGE_VALUES_NOT_SHOWN, about=saved)


def signatures_still_missing(table: Table, signatures: Sequence[DrawnSignature]) -> list[DrawnSignature]:
    """Those of a held package that a sheet which waits with the same values still wants."""
    sheet = scoresheets.newest_version(table)
    signed = queries.live_signatures(sheet) if sheet else {}
    return [drawn for drawn in signatures if drawn.letter not in signed]


def is_conflict(refusal: Refused) -> bool:
    """Whether a package was refused because the server's sheet is another: it is held for the chief judge (D1)."""
    return refusal.status in (409, 412, 423) and refusal.code not in ("scoresheet_has_faults", "signatures_missing")


# --- What a signature needs -----------------------------------------------------------------------------
def first_version(sheet: Scoresheet) -> Scoresheet:
    """The sheet, unless it corrects a locked one, or has turns, which no tablet shows."""
    scoresheets.require_form_of_tablet(sheet)
    if sheet.version > 1:
        raise Refused("correction_takes_two", TABLET_FIRST_VERSION_ONLY, about=sheet)
    return sheet


def signing_seats(table: Table, sheet: Scoresheet) -> dict[str, Seat]:
    """The seats of who signs, by letter, if the sheet still stands as it was handed on; leavers and no-shows do not."""
    seats = signing.require_values_unchanged(table, sheet)
    letters = bridge.signing_letters(seats)
    return {seat.letter: seat for seat in seats if seat.letter in letters}


def refuse_unseated_signatures(seats: Mapping[str, Seat], signatures: Sequence[DrawnSignature]) -> None:
    """Nobody signs who is not seated, or who has left."""
    if strangers := sorted({drawn.letter for drawn in signatures} - seats.keys()):
        raise BadInput("not_a_signer", signing.NO_SUCH_SIGNER, letters=", ".join(strangers))


def refuse_copies(sheet: Scoresheet, signatures: Sequence[DrawnSignature]) -> None:
    """No two people draw the same line: such drawings are copies of one another, whenever and wherever they were put
    down and however large."""
    drawn = [(one.letter, normalized_stroke_path(one.strokes)) for one in signatures]
    kept = [(one.letter, drawings.strokes_or_none(one)) for one in queries.signatures_of_sheet(sheet) if one.present]
    drawn += [(letter, normalized_stroke_path(strokes)) for letter, strokes in kept if strokes is not None]
    for (letter, one), (other, same) in combinations(drawn, 2):
        if letter != other and is_copy(one, same):
            raise BadInput("drawings_alike", SIGNATURES_ALIKE, letters=", ".join(sorted((letter, other))))


StrokePath = list[list[tuple[float, float]]]
# A line of so few points may be anybody's: such are compared place by place. Of longer ones the shape is compared, in a
# square of this size, to within this much of it.
FEW_POINTS, NORMALIZED_SQUARE, ALIKE_MAX_DISTANCE = 8, 200, 1


def normalized_stroke_path(strokes: Sequence[Sequence[Sequence[int]]]) -> StrokePath:
    """Where a finger was; when, and how hard it pressed, says nothing. Moved to one corner and to one size, but for
    a few points."""
    places = [[(float(point[0]), float(point[1])) for point in stroke] for stroke in strokes]
    every = [place for stroke in places for place in stroke]
    if len(every) < FEW_POINTS:
        return places
    left, top = min(x for x, _y in every), min(y for _x, y in every)
    size = max(max(x for x, _y in every) - left, max(y for _x, y in every) - top) or 1
    return [
        [((x - left) * NORMALIZED_SQUARE / size, (y - top) * NORMALIZED_SQUARE / size) for x, y in stroke]
        for stroke in places
    ]


def is_copy(one: StrokePath, other: StrokePath) -> bool:
    """Whether both go through the same places, stroke by stroke and point by point."""
    if [len(stroke) for stroke in one] != [len(stroke) for stroke in other]:
        return False
    pairs = zip(
        (place for stroke in one for place in stroke), (place for stroke in other for place in stroke), strict=True
    )
    within = ALIKE_MAX_DISTANCE if sum(map(len, one)) >= FEW_POINTS else 0
    return all(abs(x - u) <= within and abs(y - v) <= within for (x, y), (u, v) in pairs)


def store_drawn_signatures(
    table: Table,
    sheet: Scoresheet,
    seats: Mapping[str, Seat],
    signatures: Sequence[DrawnSignature],
    device: Device,
    by: User,
    key: str,
) -> None:
    """Each signature with its drawing and its entry in the log, which has the drawing's digest."""
    refuse_copies(sheet, signatures)
    quick = quick_letters([*earlier_signature_claims(sheet), *((drawn.letter, drawn.made_at) for drawn in signatures)])
    for drawn in signatures:
        now = timezone.now()
        signature = Signature.objects.create(
            scoresheet=sheet,
            entrant=seats[drawn.letter].entrant,
            letter=drawn.letter,
            present=True,
            digest=sheet.digest,
            recorded_by=by,
            recorded_at=now,
            device=device,
        )
        drawing = drawings.store_drawing(signature, drawn.strokes, drawn.made_at)
        reason = f"{drawn.letter}: at once after {quick[drawn.letter]}" if drawn.letter in quick else drawn.letter
        scoresheets.record_drawn(table, sheet, by, drawing.digest, key, reason=reason, at=now)


def lock_signed_sheet(table: Table, sheet: Scoresheet, by: User, key: str) -> None:
    """ready -> signed: every entrant who signs has; the version counts. The players' signatures are the second look:
    where nobody signs, the values have had none."""
    if not queries.live_signatures(sheet):
        raise Refused("nobody_signs", NOBODY_SIGNS, about=sheet)
    now = timezone.now()
    signing.lock_scoresheet_row(sheet, "lock_scoresheet", sheet.revision, by, now)
    signing.make_official(table, sheet)
    scoresheets.record_sheet_entry(table, sheet, by, "lock_scoresheet", key, before=sheet.digest, at=now)

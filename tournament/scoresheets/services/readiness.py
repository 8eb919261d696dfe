"""Every reason why a scoresheet cannot be certified, stamped or corrected by an account at this moment.

After the pattern of `judge_release`: pages show all of them, the services refuse with the first, in the same words.
What the account itself has still to give (ticks for signatures, the confirmed head of the paper) is no reason here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tournament.core.acts import ACTS
from tournament.core.errors import Refused
from tournament.scoresheets.models import Correction
from tournament.scoresheets.queries import correction_in_hand
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import official_sheet
from tournament.sheets.services import moves, scoresheets, signing
from tournament.tables.models import Table

Reasons = tuple[Refused, ...]


@dataclass(frozen=True)
class Readiness:
    """By act the refusals that its service would raise, in its order; empty: nothing stands against it. Read once each.

    `correct` is about beginning a correction of the version that counts, `approve` about agreeing to the one in hand.
    """

    sheet: Scoresheet
    actor: Any

    @cached_property
    def certify(self) -> Reasons:
        """Of a sheet that waits: whose values, whether they hold, second typing, session."""
        return tuple(against_certifying(self.sheet, self.actor))

    @cached_property
    def stamp(self) -> Reasons:
        """Of a locked one: whether it counts."""
        return tuple(signing.against_stamping(self.sheet))

    @cached_property
    def correct(self) -> Reasons:
        """Of the table's version that counts: whether a correction may be begun."""
        return tuple(corrections.against_beginning(self.sheet.table, official_sheet(self.sheet.table), self.actor))

    @cached_property
    def approve(self) -> Reasons:
        """Of a correction in hand: whether this account may be the second of the two."""
        return tuple(against_approving(self.sheet, self.actor))


def readiness(sheet: Scoresheet, actor: Any, table: Table | None = None) -> Readiness:
    """Of one version, as its rows are now; reads only. `table`: the sheet's own, where it is at hand already."""
    if table is not None:
        sheet.table = table
    return Readiness(sheet, actor)


def against_certifying(sheet: Scoresheet, actor: Any) -> Iterator[Refused]:
    """Its state; of one that waits whose values it has, whether they still hold, and its session."""
    if not ACTS["certify_scoresheet"].allows(sheet.state):
        yield moves.refusal_of_move(sheet, "certify_scoresheet", sheet.revision)
        return
    yield from signing.certifying_refusals(sheet.table, sheet, actor, waives=False)
    check, seats = scoresheets.judge_sheet_now(sheet.table, sheet)
    yield from signing.against_values(sheet.table, sheet, check, seats)
    yield from moves.against_session(sheet.table.session)


def against_approving(sheet: Scoresheet, actor: Any) -> Iterator[Refused]:
    """That a correction is in hand and waits, whose act it is, and whether its values still hold."""
    found: Correction | None = correction_in_hand(sheet.table)
    if found is None or found.scoresheet_id != sheet.pk:
        yield Refused("no_correction", corrections.NONE_IN_HAND, about=sheet.table)
        return
    if not ACTS["approve_correction"].allows(sheet.state):
        yield moves.refusal_of_move(sheet, "approve_correction", sheet.revision)
        return
    yield from corrections.correction_approval_refusals(sheet.table, sheet, found, actor)
    check, seats = scoresheets.judge_sheet_now(sheet.table, sheet)
    yield from signing.against_values(sheet.table, sheet, check, seats)
    yield from moves.against_session(sheet.table.session)

"""A locked sheet and its correction, made by the real services: what the tests of corrections begin with."""

import secrets
from copy import deepcopy
from typing import Any

from django.contrib.auth.models import User

from tests.sheets.tables import paper
from tournament.core.enums import SheetForm
from tournament.core.models.stage import Session
from tournament.events.domain import ruleset_of_stage
from tournament.scoresheets import domain as bridge
from tournament.scoresheets.services import corrections
from tournament.sheets.domain import scoresheets as sheets
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

REASON = "the paper has 15 tiles for B, 14 were typed"


def slipped() -> dict[str, Any]:
    """The sheet with a slip that fits in itself: A and B of game 1 change places."""
    typed = deepcopy(paper())
    seats = typed["games"][0]["seats"]
    seats["A"], seats["B"] = seats["B"], seats["A"]
    totals = typed["totals"]
    totals["A"] = {"wins": "0", "points": "1.17", "tiles": "10"}
    totals["B"] = {"wins": "1", "points": "-34.5", "tiles": "13"}
    return typed


def confirmed(table: Table, typed: Any) -> dict[str, str]:
    """A reason for all that is unusual about these texts."""
    check = sheets.check_typed_sheet(
        ruleset_of_stage(table.session.stage), SheetForm.PAPER, typed, queries.seats_as_judged(table)
    )
    return sheets.confirm_all_unusual(check, "as on the paper")


def handed_on(table: Table, typed: Any, by: User, revision: int = 0) -> Scoresheet:
    """Typed and handed on to the second person."""
    return scoresheets.submit_scoresheet(
        table,
        revision=revision,
        form=SheetForm.PAPER,
        typed=typed,
        confirmations=confirmed(table, typed),
        by=by,
        request_key=secrets.token_hex(8),
    )


def locked(session: Session, number: int, typist: User, second: User, typed: Any = None) -> Table:
    """A table with a certified sheet, as first typed: with its slip."""
    table = queries.find_table_of_event(session.stage.event, session.number, number)
    assert table is not None
    sheet = handed_on(table, typed or slipped(), typist)
    signed = dict.fromkeys([seat.letter for seat in queries.seats_as_judged(table)], "")
    signing.certify_scoresheet(
        table, revision=sheet.revision, signatures=signed, by=second, request_key=f"lock-{table.pk}"
    )
    return table


def typed_anew(table: Table, by: User, typist: User) -> Scoresheet:
    """A correction begun, typed as the paper has it, and handed on."""
    begun = corrections.begin_correction(table, reason=REASON, by=by, request_key=f"begin-{table.pk}")
    return handed_on(table, paper(), typist, begun.revision)


def crossing(table: Table, proposed: Scoresheet) -> tuple[int, ...]:
    """Who the page would show as crossing the line."""
    counts = queries.official_sheet(table)
    assert counts is not None
    return bridge.correction_effect(table.session.stage, counts, proposed).crossing_numbers

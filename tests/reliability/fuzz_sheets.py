"""A request that works for each operation about one sheet, and what brings the sheet there."""

from typing import Any

from django.contrib.auth.models import User

from tests.operations.sheets import with_other_tiles
from tests.reliability.fuzz_world import FuzzWorld, Request, account, change, key
from tests.sheets.tables import paper
from tournament.scoresheets.domain import correction_effect
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import find_table_of_event, official_sheet
from tournament.sheets.services import double_entry, scoresheets, signing, signing_disputes
from tournament.tables.models import Table

SIGNED = dict.fromkeys("ABCD", "")
REASON = "as on the paper"
ALL = {"form": "paper"}
TOTALS = "totals-A-tiles"


def handed_on(table: Table, by: User, revision: int = 0, typed: Any = None) -> None:
    """Saved and ready, with a reason for all that is unusual."""
    typed = typed or paper()
    sheet = scoresheets.save_scoresheet(table, revision=revision, form="paper", typed=typed, by=by, request_key=key())
    check, _seats = scoresheets.judge_sheet_now(table, sheet)
    notes = scoresheets.bridge.confirm_all_unusual(check, REASON)
    scoresheets.hand_in_scoresheet(table, revision=revision + 1, confirmations=notes, by=by, request_key=key())


def certified(table: Table, world: FuzzWorld) -> None:
    handed_on(table, world.typist)
    signing.certify_scoresheet(table, revision=2, signatures=SIGNED, by=world.checker, request_key=key())


def corrected(table: Table, world: FuzzWorld) -> list[int]:
    """A correction that waits; whom it makes cross the line."""
    certified(table, world)
    corrections.begin_correction(table, reason=REASON, by=world.typist, request_key=key())
    handed_on(table, world.typist, 1, with_other_tiles())
    newest = Scoresheet.objects.filter(table=table).order_by("-version")[0]
    counts = official_sheet(table)
    assert counts is not None
    return list(correction_effect(table.session.stage, counts, newest).crossing_numbers)


def typed_twice(table: Table, world: FuzzWorld) -> None:
    """To be typed a second time by another account."""
    stage = table.session.stage
    stage.second_typing_percent = 100
    stage.save(update_fields=["second_typing_percent"])
    handed_on(table, world.typist)


def other(role: str) -> User:
    """The one of the two who agrees, who is not this role's."""
    return account("chief_judge" if role == "organiser" else "organiser")


def body_of(table: Table, world: FuzzWorld, name: str, role: str) -> Any:
    """Bring the sheet there; what is sent then."""
    again = {"typed": with_other_tiles(), "done": True}
    if name in ("get_scoresheet", "get_second_typing", "get_dispute", "get_correction", "propose_void"):
        return {"reason": REASON} if name == "propose_void" else None
    if name in ("save_scoresheet", "submit_scoresheet"):
        check = scoresheets.judge_sheet_now(table, Scoresheet(form="paper", typed=paper()))[0]
        return {**ALL, "typed": paper(), "confirmations": scoresheets.bridge.confirm_all_unusual(check, REASON)}
    if name == "ready_scoresheet":
        body = body_of(table, world, "save_scoresheet", role)
        scoresheets.save_scoresheet(table, revision=0, by=world.typist, request_key=key(), **body)
        return {"confirmations": body["confirmations"]}
    if name in ("stamp_scoresheet", "begin_correction"):
        certified(table, world)
        return {"reason": REASON} if name == "begin_correction" else None
    if name in ("propose_correction", "approve_correction", "give_up_correction"):
        crossing = corrected(table, world)
        if name == "approve_correction":
            corrections.propose_correction(table, revision=3, crossing=crossing, by=other(role), request_key=key())
        return {"reason": REASON} if name == "give_up_correction" else {"crossing": crossing}
    if name in ("type_scoresheet_again", "settle_second_typing"):
        typed_twice(table, world)
        if name == "type_scoresheet_again":
            return again
        double_entry.save_second_entry(table, revision=0, by=world.checker, request_key=key(), **again)
        return {"choices": {"games-0-A-tiles": "3", TOTALS: "8"}}
    if name == "approve_void":
        signing_disputes.propose_void(table, revision=0, reason=REASON, by=other(role), request_key=key())
        return None
    handed_on(table, account(role) if name == "reopen_scoresheet" and role in world.accounts else world.typist)
    if name in ("decide_dispute", "withdraw_dispute"):
        by = account(role) if name == "withdraw_dispute" and role in world.accounts else world.checker
        signing_disputes.raise_dispute(table, revision=2, reason=REASON, by=by, request_key=key())
        return {"decision" if name == "decide_dispute" else "reason": REASON}
    return {"certify_scoresheet": {"signatures": SIGNED}, "reopen_scoresheet": None}.get(name, {"reason": REASON})


SHEET_ACTS = frozenset(
    {
        "get_scoresheet",
        "save_scoresheet",
        "submit_scoresheet",
        "ready_scoresheet",
        "reopen_scoresheet",
        "certify_scoresheet",
        "reject_scoresheet",
        "stamp_scoresheet",
        "get_second_typing",
        "type_scoresheet_again",
        "settle_second_typing",
        "get_dispute",
        "dispute_scoresheet",
        "decide_dispute",
        "withdraw_dispute",
        "propose_void",
        "approve_void",
        "get_correction",
        "begin_correction",
        "propose_correction",
        "approve_correction",
        "give_up_correction",
    }
)


def sheet_request(world: FuzzWorld, name: str, role: str) -> Request:
    """A sheet in the state that this act begins from, brought there by the services."""
    table = find_table_of_event(world.playing, 1, 1)
    assert table is not None
    body = body_of(table, world, name, role)
    path = {"event": world.playing.slug, "session": 1, "table": 1}
    if name.startswith("get_"):
        return Request(path)
    newest = Scoresheet.objects.filter(table=table).order_by("-version").first()
    seen = 0 if name == "type_scoresheet_again" or newest is None else newest.revision
    return change(path, body, None if name == "begin_correction" else seen)

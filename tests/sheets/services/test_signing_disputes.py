"""A dispute before signing and the chief judge's decision; void by the chief judge and an organiser."""

import pytest
from django.contrib.auth.models import User

from tests.sheets.correcting import handed_on, locked, slipped
from tests.sheets.tables import changed, paper, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import DisputeOutcome, SheetForm, SheetState
from tournament.core.errors import BadInput, Forbidden, Locked, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.sheets.services import signing_disputes as disputes
from tournament.tables.models import Table

WHY = "B says that game 1 was won by B"


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table whose sheet waits for its second person."""
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    handed_on(found, paper(), clerk)
    return found


def disputed(table: Table, by: User, revision: int = 2) -> Scoresheet:
    return disputes.raise_dispute(table, revision=revision, reason=WHY, by=by, request_key="d")


# --- Raised ---------------------------------------------------------------------------------------------
def test_a_disputed_sheet_is_certified_by_nobody_and_typed_by_nobody(
    table: Table, clerk: User, second_clerk: User
) -> None:
    sheet = disputed(table, second_clerk)
    assert (sheet.state, sheet.revision, Game.objects.count()) == (SheetState.DISPUTED, 3, 3)
    with pytest.raises(Refused):
        signing.certify_scoresheet(
            table, revision=3, signatures=dict.fromkeys("ABCD", ""), by=second_clerk, request_key="c"
        )
    with pytest.raises(Refused):
        handed_on(table, paper(), clerk, 3)
    assert AuditEntry.objects.get(action="dispute_scoresheet").reason == WHY


def test_a_draft_that_cannot_be_right_is_disputed_too(first_session: Session, organiser: User, clerk: User) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    typed = changed(paper(), 2, "C", points="-21")
    scoresheets.save_scoresheet(table, revision=0, form=SheetForm.PAPER, typed=typed, by=clerk, request_key="s")
    assert disputed(table, clerk, 1).typed == typed


def test_a_locked_sheet_is_not_disputed_any_more(
    first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser)
    table = locked(first_session, 1, clerk, second_clerk)
    with pytest.raises(Locked):
        disputed(table, clerk, 3)


def test_a_dispute_has_a_reason_and_sent_twice_is_one(table: Table, clerk: User) -> None:
    with pytest.raises(BadInput):
        disputes.raise_dispute(table, revision=2, reason=" ", by=clerk, request_key="d")
    disputed(table, clerk)
    disputed(table, clerk)
    assert Dispute.objects.count() == 1


# --- Taken back -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("account", ["clerk", "chief_judge"])
def test_whoever_raised_it_and_the_chief_judge_take_a_dispute_back_with_a_reason(
    table: Table, clerk: User, organiser: User, chief_judge: User, second_clerk: User, account: str
) -> None:
    by = {"clerk": clerk, "chief_judge": chief_judge}[account]
    disputed(table, clerk)
    raised = Dispute.objects.get()
    given = {"dispute": raised.pk, "revision": 3}
    for other in (organiser, second_clerk):
        with pytest.raises(Forbidden):
            disputes.withdraw_dispute(table, reason="settled", by=other, request_key="o", **given)
    with pytest.raises(StaleVersion):
        disputes.withdraw_dispute(table, reason="settled", by=by, request_key="s", dispute=raised.pk, revision=2)
    with pytest.raises(BadInput):
        disputes.withdraw_dispute(table, reason=" ", by=by, request_key="e", **given)
    for _time in range(2):
        sheet = disputes.withdraw_dispute(table, reason="B counted again", by=by, request_key="w", **given)
    raised.refresh_from_db()
    assert (sheet.state, sheet.revision, sheet.digest, sheet.typed) == (SheetState.DRAFT, 4, "", paper())
    assert (raised.outcome, raised.decision, raised.decided_by) == (DisputeOutcome.WITHDRAWN, "B counted again", by)
    entry = AuditEntry.objects.get(action="withdraw_dispute")
    assert (entry.actor, entry.reason, Game.objects.count()) == (by, "recalled: B counted again", 0)
    report = verify_events(files=False)
    assert (report.findings, report.incomplete) == ([], [])
    with pytest.raises(Refused):
        disputes.withdraw_dispute(table, reason="again", by=by, request_key="again", **(given | {"revision": 4}))
    handed_on(table, paper(), clerk, 4)
    assert Scoresheet.objects.get().state == SheetState.READY


# --- Decided --------------------------------------------------------------------------------------------
def test_the_values_stand_and_the_sheet_waits_again(
    table: Table, clerk: User, second_clerk: User, chief_judge: User
) -> None:
    digest = Scoresheet.objects.get().digest
    disputed(table, second_clerk)
    sheet = disputes.decide_dispute(table, revision=3, decision="as played", by=chief_judge, request_key="j")
    assert (sheet.state, sheet.digest, sheet.typed_by, Game.objects.count()) == (SheetState.READY, digest, clerk, 3)
    found = Dispute.objects.get()
    assert (found.outcome, found.decision, found.decided_by) == (DisputeOutcome.UPHELD, "as played", chief_judge)
    signed = dict.fromkeys("ABCD", "")
    assert signing.certify_scoresheet(table, revision=4, signatures=signed, by=second_clerk, request_key="c").locked


def test_other_values_take_their_place_and_somebody_else_certifies_them(
    table: Table, clerk: User, chief_judge: User, organiser: User
) -> None:
    disputed(table, clerk)
    sheet = disputes.decide_dispute(
        table, revision=3, decision="A and B were swapped", by=chief_judge, request_key="j", typed=slipped()
    )
    assert (sheet.state, sheet.typed, Dispute.objects.get().outcome) == (
        SheetState.READY,
        slipped(),
        DisputeOutcome.VALUES,
    )
    assert Line.objects.get(game__number=1, letter="A").tiles == 5
    signed = dict.fromkeys("ABCD", "")
    assert signing.certify_scoresheet(table, revision=4, signatures=signed, by=organiser, request_key="c").locked


def test_what_cannot_be_right_is_not_decided_on(table: Table, clerk: User, chief_judge: User) -> None:
    disputed(table, clerk)
    wrong = changed(paper(), 2, "C", points="-21")
    with pytest.raises(Refused) as refused:
        disputes.decide_dispute(table, revision=3, decision="so", by=chief_judge, request_key="j", typed=wrong)
    sheet = Scoresheet.objects.get()
    assert (refused.value.code, sheet.state, sheet.typed) == ("scoresheet_has_faults", SheetState.DISPUTED, paper())
    assert refused.value.sentence.startswith("Not decided: the values typed here are not saved")


def test_values_with_faults_do_not_stand_and_the_refusal_says_that_nothing_is_decided(
    first_session: Session, organiser: User, clerk: User, chief_judge: User
) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    typed = changed(paper(), 2, "C", points="-21")
    scoresheets.save_scoresheet(table, revision=0, form=SheetForm.PAPER, typed=typed, by=clerk, request_key="s")
    disputed(table, clerk, 1)
    with pytest.raises(Refused) as refused:
        disputes.decide_dispute(table, revision=2, decision="so", by=chief_judge, request_key="j")
    assert (refused.value.sentence, refused.value.facts["mend"]) == (disputes.DISPUTE_VALUES_HAVE_FAULTS, 1)
    assert Dispute.objects.get().decided_at is None


def test_the_chief_judge_alone_decides_what_is_disputed(table: Table, organiser: User, chief_judge: User) -> None:
    with pytest.raises(Refused) as refused:
        disputes.decide_dispute(table, revision=2, decision="so", by=chief_judge, request_key="j")
    assert refused.value.code == "scoresheet_not_disputed"
    disputed(table, organiser)
    with pytest.raises(Forbidden):
        disputes.decide_dispute(table, revision=3, decision="so", by=organiser, request_key="j")
    with pytest.raises(StaleVersion):
        disputes.decide_dispute(table, revision=2, decision="so", by=chief_judge, request_key="j")


# --- Void -----------------------------------------------------------------------------------------------
def test_two_people_make_a_sheet_void_and_what_was_typed_stays(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    disputes.propose_void(table, revision=2, reason="played with two sets", by=organiser, request_key="p")
    assert Scoresheet.objects.get().state == SheetState.READY
    sheet = disputes.approve_void(table, revision=2, by=chief_judge, request_key="v")
    assert (sheet.state, sheet.typed, Game.objects.count()) == (SheetState.VOID, paper(), 0)
    found = Voiding.objects.get()
    assert (found.proposed_by, found.approved_by) == (organiser, chief_judge)
    with pytest.raises(Refused):
        handed_on(table, paper(), clerk, 3)


def test_nobody_makes_it_void_alone_nor_two_of_one_role(
    table: Table, organiser: User, second_organiser: User, clerk: User
) -> None:
    with pytest.raises(Forbidden):
        disputes.propose_void(table, revision=2, reason="x", by=clerk, request_key="p")
    with pytest.raises(Refused) as refused:
        disputes.approve_void(table, revision=2, by=organiser, request_key="v")
    assert refused.value.code == "void_not_proposed"
    disputes.propose_void(table, revision=2, reason="x", by=organiser, request_key="p")
    for by in (organiser, second_organiser, clerk):
        with pytest.raises(Forbidden):
            disputes.approve_void(table, revision=2, by=by, request_key="v")


def test_a_sheet_that_never_came_is_made_void(first_session: Session, organiser: User, chief_judge: User) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    sheet = disputes.propose_void(table, revision=0, reason="a storm", by=chief_judge, request_key="p")
    assert sheet.state == SheetState.OPEN
    assert disputes.approve_void(table, revision=1, by=organiser, request_key="v").state == SheetState.VOID


def test_a_locked_sheet_is_never_void(first_session: Session, organiser: User, clerk: User, second_clerk: User) -> None:
    settle(first_session, organiser)
    table = locked(first_session, 1, clerk, second_clerk)
    with pytest.raises(Locked):
        disputes.propose_void(table, revision=3, reason="x", by=organiser, request_key="p")

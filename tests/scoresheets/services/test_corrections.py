"""A superseding version: typed anew, agreed by the chief judge and an organiser, the signed one untouched."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tests.sheets.correcting import REASON, crossing, handed_on, locked, slipped, typed_anew
from tests.sheets.tables import paper, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import SheetState
from tournament.core.errors import BadInput, Forbidden, Locked, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.ranking.domain.standings import live_ranking
from tournament.scoresheets import queries
from tournament.scoresheets.models import Correction
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User, second_clerk: User) -> Table:
    """A table whose locked sheet has a slip."""
    settle(first_session, organiser)
    return locked(first_session, 1, clerk, second_clerk)


def agree(table: Table, proposer: User, approver: User) -> Scoresheet:
    """Both of the two, on what waits now."""
    sheet = scoresheets.newest_version(table)
    assert sheet is not None
    seen = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    corrections.propose_correction(table, **seen, by=proposer, request_key="propose")
    return corrections.approve_correction(table, **seen, by=approver, request_key="approve")


def actions() -> list[tuple[str, str, int | None, int | None]]:
    """What the audit log says of the second version."""
    entries = AuditEntry.objects.filter(subject="scoresheet 0328-1-01 v2").order_by("seq")
    return [(entry.action, entry.reason, entry.revision_before, entry.revision_after) for entry in entries]


# --- The whole way --------------------------------------------------------------------------------------
def test_two_people_make_a_new_version_count_and_the_signed_one_stays_as_it_was(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    before = Scoresheet.objects.filter(version=1).values().get()
    lines = list(Game.objects.filter(scoresheet__version=1).values("number", "lines__letter", "lines__points_twelfths"))
    typed_anew(table, organiser, clerk)
    sheet = agree(table, organiser, chief_judge)
    assert (sheet.version, sheet.state, sheet.locked_by) == (2, SheetState.CERTIFIED, chief_judge)
    assert OfficialSheet.objects.get(table=table).scoresheet == sheet
    assert Scoresheet.objects.filter(version=1).values().get() == before
    again = Game.objects.filter(scoresheet__version=1).values("number", "lines__letter", "lines__points_twelfths")
    assert list(again) == lines
    assert actions() == [
        ("begin_correction", REASON, 0, 1),
        ("save_scoresheet", "", 1, 2),
        ("ready_scoresheet", "", 2, 3),
        ("propose_correction", REASON, 3, 3),
        ("approve_correction", REASON, 3, 4),
    ]


def test_the_ranking_reads_the_new_version(table: Table, organiser: User, chief_judge: User, clerk: User) -> None:
    def tiles() -> dict[int, int]:
        return {one.number: one.tiles for one in live_ranking(table.session.stage).ranked}

    assert tiles() == {301: 10, 302: 13, 303: 5, 304: 5}
    typed_anew(table, organiser, clerk)
    assert tiles() == {301: 10, 302: 13, 303: 5, 304: 5}
    agree(table, organiser, chief_judge)
    assert tiles() == {301: 8, 302: 15, 303: 5, 304: 5}


def test_the_chief_judge_s_decision_stands_for_each_signature(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    typed_anew(table, clerk, clerk)
    sheet = agree(table, chief_judge, organiser)
    found = Signature.objects.filter(scoresheet=sheet).order_by("letter")
    assert [(one.letter, one.present, one.chief_judge, one.missing_reason, one.recorded_by) for one in found] == [
        (letter, False, chief_judge, REASON, organiser) for letter in "ABCD"
    ]


def test_the_new_version_needs_the_stamp_again_and_the_old_stamp_stays(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    signing.stamp_session(table.session, by=organiser)
    typed_anew(table, organiser, clerk)
    sheet = agree(table, organiser, chief_judge)
    assert [stamp.scoresheet.version for stamp in Stamp.objects.all()] == [1]
    assert signing.stamp_session(table.session, by=organiser) == 1
    assert signing.stamp_sheet(sheet, by=organiser).scoresheet == sheet
    with pytest.raises(Refused):
        signing.stamp_sheet(Scoresheet.objects.get(version=1), by=organiser)


def test_a_corrected_sheet_is_corrected_again_as_version_3(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    typed_anew(table, organiser, clerk)
    agree(table, organiser, chief_judge)
    begun = corrections.begin_correction(table, reason="the other way round", by=organiser, request_key="again")
    sheet = handed_on(table, slipped(), clerk, begun.revision)
    seen = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    corrections.propose_correction(table, **seen, by=chief_judge, request_key="p3")
    corrections.approve_correction(table, **seen, by=organiser, request_key="a3")
    counts = OfficialSheet.objects.get(table=table).scoresheet
    assert (counts.version, [one.version for one in Scoresheet.objects.filter(table=table)]) == (3, [1, 2, 3])


# --- Two accounts and both roles ------------------------------------------------------------------------
def test_nobody_approves_what_they_proposed(table: Table, organiser: User, clerk: User) -> None:
    typed_anew(table, organiser, clerk)
    with pytest.raises(Forbidden) as refused:
        agree(table, organiser, organiser)
    assert refused.value.code == "proposer_cannot_approve"


def test_a_clerk_agrees_to_nothing(table: Table, organiser: User, clerk: User, second_clerk: User) -> None:
    typed_anew(table, organiser, clerk)
    with pytest.raises(Forbidden) as refused:
        agree(table, second_clerk, organiser)
    assert refused.value.code == "not_your_role"
    with pytest.raises(Forbidden) as refused:
        agree(table, organiser, second_clerk)
    assert refused.value.code == "not_your_role"


def test_two_organisers_are_not_enough(table: Table, organiser: User, second_organiser: User, clerk: User) -> None:
    typed_anew(table, organiser, clerk)
    with pytest.raises(Forbidden) as refused:
        agree(table, organiser, second_organiser)
    assert refused.value.code == "correction_takes_both_roles"
    assert OfficialSheet.objects.get().scoresheet.version == 1


def test_a_second_person_alone_does_not_certify_a_correction(table: Table, organiser: User, clerk: User) -> None:
    sheet = typed_anew(table, organiser, clerk)
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(
            table, revision=sheet.revision, signatures=dict.fromkeys("ABCD", ""), by=organiser, request_key="k"
        )
    assert refused.value.code == "correction_takes_two"


@pytest.mark.usefixtures("table")
def test_the_database_itself_wants_two_accounts(table: Table, organiser: User, clerk: User) -> None:
    typed_anew(table, organiser, clerk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Correction.objects.update(proposed_by=organiser, approved_by=organiser)


# --- What is agreed to is what was seen -----------------------------------------------------------------
def test_nothing_is_approved_that_nobody_proposed(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    with pytest.raises(Refused) as refused:
        corrections.approve_correction(
            table, revision=sheet.revision, crossing=crossing(table, sheet), by=chief_judge, request_key="k"
        )
    assert refused.value.code == "correction_not_proposed"


def test_a_proposal_lapses_when_the_values_change(
    table: Table, organiser: User, chief_judge: User, clerk: User
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    seen = crossing(table, sheet)
    corrections.propose_correction(table, revision=sheet.revision, crossing=seen, by=organiser, request_key="p")
    again = signing.reject_scoresheet(table, revision=sheet.revision, reason="game 2", by=chief_judge, request_key="r")
    typed = paper()
    typed["games"][0]["starter"] = "B"
    other = handed_on(table, typed, clerk, again.revision)
    with pytest.raises(Refused) as refused:
        corrections.approve_correction(table, revision=other.revision, crossing=seen, by=chief_judge, request_key="a")
    assert refused.value.code == "correction_not_proposed"


def test_an_effect_that_is_not_the_one_shown_is_refused(table: Table, organiser: User, clerk: User) -> None:
    sheet = typed_anew(table, organiser, clerk)
    with pytest.raises(StaleVersion) as refused:
        corrections.propose_correction(table, revision=sheet.revision, crossing=[301], by=organiser, request_key="k")
    assert (refused.value.code, refused.value.current.crossing_numbers) == ("effect_changed", ())


def test_an_older_revision_is_refused(table: Table, organiser: User, clerk: User) -> None:
    sheet = typed_anew(table, organiser, clerk)
    with pytest.raises(StaleVersion):
        corrections.propose_correction(table, revision=sheet.revision - 1, crossing=(), by=organiser, request_key="k")


def test_a_new_version_that_says_the_same_corrects_nothing(table: Table, organiser: User, clerk: User) -> None:
    begun = corrections.begin_correction(table, reason=REASON, by=organiser, request_key="b")
    sheet = handed_on(table, slipped(), clerk, begun.revision)
    with pytest.raises(Refused) as refused:
        corrections.propose_correction(table, revision=sheet.revision, crossing=(), by=organiser, request_key="k")
    assert refused.value.code == "correction_changes_nothing"


# --- Begin and give up ----------------------------------------------------------------------------------
def test_the_new_version_begins_as_a_copy_and_only_one_is_in_hand(table: Table, organiser: User) -> None:
    sheet = corrections.begin_correction(table, reason=REASON, by=organiser, request_key="b")
    assert (sheet.version, sheet.state, sheet.typed) == (2, SheetState.DRAFT, slipped())
    with pytest.raises(Refused) as refused:
        corrections.begin_correction(table, reason="another", by=organiser, request_key="c")
    assert refused.value.code == "correction_in_hand"
    assert corrections.begin_correction(table, reason=REASON, by=organiser, request_key="b") == sheet


def test_a_correction_wants_a_reason_and_a_locked_sheet(
    table: Table, first_session: Session, organiser: User, clerk: User, auditor: User
) -> None:
    with pytest.raises(BadInput):
        corrections.begin_correction(table, reason=" ", by=organiser, request_key="b")
    with pytest.raises(Forbidden):
        corrections.begin_correction(table, reason=REASON, by=auditor, request_key="b")
    fresh = Table.objects.create(session=first_session, number=2)
    with pytest.raises(Refused) as refused:
        corrections.begin_correction(fresh, reason=REASON, by=organiser, request_key="c")
    assert refused.value.code == "nothing_to_correct"


def test_a_correction_that_is_given_up_leaves_the_locked_one_in_hand_and_another_may_begin(
    table: Table, organiser: User, clerk: User
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    gone = corrections.abandon_correction(
        table, revision=sheet.revision, reason="the paper was right", by=organiser, request_key="g"
    )
    newest = scoresheets.newest_version(table)
    assert (gone.state, gone.typed, newest and newest.version) == (SheetState.VOID, paper(), 1)
    assert queries.correction_in_hand(table) is None
    with pytest.raises(Locked):
        handed_on(table, paper(), clerk, gone.revision)
    assert corrections.begin_correction(table, reason=REASON, by=organiser, request_key="b3").version == 3


def test_each_act_sent_twice_is_done_once(table: Table, organiser: User, chief_judge: User, clerk: User) -> None:
    sheet = typed_anew(table, organiser, clerk)
    seen = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    for _time in range(2):
        corrections.propose_correction(table, **seen, by=organiser, request_key="p")
    for _time in range(2):
        corrections.approve_correction(table, **seen, by=chief_judge, request_key="a")
    assert [action for action, *_rest in actions()][-2:] == ["propose_correction", "approve_correction"]

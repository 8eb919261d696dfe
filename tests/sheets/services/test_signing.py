"""A second account certifies what the first has typed; an organiser stamps what is certified."""

import pytest
from django.contrib.auth.models import User

from tests.sheets.services.test_scoresheets import reasons
from tests.sheets.tables import paper, record_status, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SessionState, SheetForm, SheetState
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

ALL_SIGNED = dict.fromkeys("ABCD", "")


def ready_at(session: Session, number: int, by: User) -> Table:
    """A table whose sheet waits for its second person."""
    table = queries.find_table_of_event(session.stage.event, 1, number)
    assert table is not None
    scoresheets.submit_scoresheet(
        table,
        revision=0,
        form=SheetForm.PAPER,
        typed=paper(),
        confirmations=reasons(table, paper()),
        by=by,
        request_key=f"ready-{number}",
    )
    return table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table of four, typed by the clerk."""
    settle(first_session, organiser)
    return ready_at(first_session, 1, clerk)


# --- Certify --------------------------------------------------------------------------------------------
def test_a_second_account_certifies_and_the_version_counts(table: Table, second_clerk: User) -> None:
    sheet = signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    assert (sheet.state, sheet.revision, sheet.locked_by) == (SheetState.CERTIFIED, 3, second_clerk)
    assert OfficialSheet.objects.get(table=table).scoresheet == sheet
    signatures = Signature.objects.order_by("letter").values_list("letter", "present", "digest", "recorded_by")
    assert list(signatures) == [(letter, True, sheet.digest, second_clerk.pk) for letter in "ABCD"]
    entry = AuditEntry.objects.get(action="certify_scoresheet")
    assert (entry.digest_after, entry.revision_before, entry.revision_after) == (sheet.digest, 2, 3)


def test_sent_twice_it_certifies_once(table: Table, second_clerk: User) -> None:
    for _time in range(2):
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    assert (Signature.objects.count(), AuditEntry.objects.filter(action="certify_scoresheet").count()) == (4, 1)


def test_the_typist_does_not_certify_the_own_sheet(table: Table, clerk: User) -> None:
    with pytest.raises(Forbidden) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=clerk, request_key="k1")
    assert (refused.value.status, refused.value.code) == (403, "typist_cannot_certify")


def test_every_signature_is_accounted_for(table: Table, second_clerk: User) -> None:
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures={"A": "", "C": ""}, by=second_clerk, request_key="k1")
    assert (refused.value.code, dict(refused.value.facts)) == ("signatures_missing", {"letters": "B, D"})


def test_a_missing_signature_takes_the_chief_judge_s_own_account_and_a_reason(
    table: Table, second_clerk: User, chief_judge: User
) -> None:
    given = {**ALL_SIGNED, "B": "refused to sign; values read out"}
    with pytest.raises(Forbidden) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=given, by=second_clerk, request_key="k1")
    assert refused.value.code == "chief_judge_only"
    signing.certify_scoresheet(table, revision=2, signatures=given, by=chief_judge, request_key="k2")
    missing = Signature.objects.get(present=False)
    assert (missing.letter, missing.missing_reason, missing.chief_judge) == (
        "B",
        "refused to sign; values read out",
        chief_judge,
    )
    assert AuditEntry.objects.get(action="certify_scoresheet").reason == "B: refused to sign; values read out"


@pytest.mark.fault("V5")
def test_nobody_signs_who_is_not_seated(table: Table, second_clerk: User) -> None:
    with pytest.raises(BadInput):
        signing.certify_scoresheet(
            table, revision=2, signatures={**ALL_SIGNED, "E": ""}, by=second_clerk, request_key="k1"
        )


def test_an_older_revision_is_refused(table: Table, second_clerk: User) -> None:
    with pytest.raises(StaleVersion):
        signing.certify_scoresheet(table, revision=1, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")


@pytest.mark.parametrize("status", [EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED])
def test_a_status_that_changed_since_the_typing_is_noticed(
    table: Table, second_clerk: User, status: EntrantStatus
) -> None:
    record_status(table, "C", status)
    signed = dict.fromkeys("ABD", "")
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=signed, by=second_clerk, request_key="k1")
    assert (refused.value.status, refused.value.code) == (409, "entrants_changed")
    assert Scoresheet.objects.get().state == SheetState.READY


def test_stored_values_that_are_not_those_typed_are_noticed(table: Table, second_clerk: User) -> None:
    Line.objects.filter(letter="A", game__number=1).update(points_twelfths=0)
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    assert refused.value.code == "values_altered"


def test_who_has_left_does_not_sign(first_session: Session, organiser: User, clerk: User, second_clerk: User) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    record_status(table, "C", EntrantStatus.WITHDRAWN)
    ready_at(first_session, 1, clerk)
    signing.certify_scoresheet(
        table, revision=2, signatures=dict.fromkeys("ABD", ""), by=second_clerk, request_key="k1"
    )
    assert list(Signature.objects.order_by("letter").values_list("letter", flat=True)) == ["A", "B", "D"]


# --- Reject ---------------------------------------------------------------------------------------------
def test_a_rejected_sheet_goes_back_with_the_reason_and_every_text(table: Table, second_clerk: User) -> None:
    sheet = signing.reject_scoresheet(
        table, revision=2, reason="game 2, C: the paper has -21", by=second_clerk, request_key="k1"
    )
    assert (sheet.state, sheet.rejected_reason, sheet.typed, sheet.digest) == (
        SheetState.DRAFT,
        "game 2, C: the paper has -21",
        paper(),
        "",
    )
    assert Game.objects.count() == 0
    assert AuditEntry.objects.get(action="reject_scoresheet").reason == "game 2, C: the paper has -21"


def test_a_sheet_does_not_go_back_without_a_reason(table: Table, second_clerk: User) -> None:
    with pytest.raises(BadInput) as refused:
        signing.reject_scoresheet(table, revision=2, reason="  ", by=second_clerk, request_key="k1")
    assert refused.value.code == "reason_missing"


def test_the_reason_falls_away_when_the_sheet_is_handed_on_again(table: Table, clerk: User, second_clerk: User) -> None:
    signing.reject_scoresheet(table, revision=2, reason="look again", by=second_clerk, request_key="k1")
    sheet = scoresheets.submit_scoresheet(
        table,
        revision=3,
        form=SheetForm.PAPER,
        typed=paper(),
        confirmations=reasons(table, paper()),
        by=clerk,
        request_key="k2",
    )
    assert (sheet.state, sheet.rejected_reason) == (SheetState.READY, "")


# --- The stamp ------------------------------------------------------------------------------------------
def test_a_stamp_is_a_row_of_its_own_and_the_locked_sheet_stays_as_it_is(
    table: Table, second_clerk: User, organiser: User
) -> None:
    sheet = signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    before = Scoresheet.objects.values().get()
    stamp = signing.stamp_sheet(sheet, by=organiser)
    assert (stamp.scoresheet, stamp.by) == (sheet, organiser)
    assert Scoresheet.objects.values().get() == before
    entry = AuditEntry.objects.get(action="stamp_scoresheet")
    assert (entry.subject, entry.digest_after) == ("scoresheet 0328-1-01 v1", sheet.digest)


def test_stamped_twice_is_stamped_once(table: Table, second_clerk: User, organiser: User) -> None:
    sheet = signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    assert signing.stamp_sheet(sheet, by=organiser) == signing.stamp_sheet(sheet, by=organiser)
    assert AuditEntry.objects.filter(action="stamp_scoresheet").count() == 1


def test_a_sheet_that_is_not_certified_is_not_stamped(table: Table, organiser: User) -> None:
    with pytest.raises(Refused) as refused:
        signing.stamp_sheet(Scoresheet.objects.get(), by=organiser)
    assert (refused.value.status, refused.value.code) == (409, "not_official")


def test_a_session_is_stamped_as_far_as_it_is_certified_and_again_adds_none(
    first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser, [4, 4, 4, 4])
    for number in (1, 2, 3):
        table = ready_at(first_session, number, clerk)
        if number != 2:
            signing.certify_scoresheet(
                table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key=f"certify-{number}"
            )
    assert signing.stamp_session(first_session, by=organiser) == 2
    assert signing.stamp_session(first_session, by=organiser) == 0
    stamped = Stamp.objects.order_by("scoresheet__table__number").values_list("scoresheet__table__number", flat=True)
    assert list(stamped) == [1, 3]


def test_a_sheet_of_a_void_session_is_neither_stamped_nor_corrected(
    table: Table, clerk: User, second_clerk: User, organiser: User
) -> None:
    signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    Session.objects.filter(pk=table.session_id).update(state=SessionState.VOID)
    sheet = Scoresheet.objects.select_related("table__session").get()
    acts = (
        lambda: signing.stamp_sheet(sheet, by=organiser),
        lambda: signing.stamp_session(sheet.table.session, by=organiser),
        lambda: corrections.begin_correction(sheet.table, reason="a slip", by=clerk, request_key="k2"),
    )
    for act in acts:
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "session_not_played"
    assert (Stamp.objects.count(), Scoresheet.objects.count()) == (0, 1)

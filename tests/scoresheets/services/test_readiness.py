"""Every reason against an act at a sheet is told at once, and the service refuses with the first of them."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.services.test_signing import ALL_SIGNED, ready_at
from tests.sheets.tables import record_status, settle
from tournament.core.enums import EntrantStatus, SessionState
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.scoresheets.services import corrections
from tournament.scoresheets.services.readiness import readiness
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.sheets.services import signing
from tournament.tables.models import Table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table of four, typed by the clerk, that waits for its second person."""
    settle(first_session, organiser)
    return ready_at(first_session, 1, clerk)


def sheet_of(table: Table) -> Scoresheet:
    """Its newest version, as its row is now."""
    return Scoresheet.objects.filter(table=table).order_by("-version").select_related("table__session")[0]


def codes(reasons: Any) -> list[str]:
    """The stable code of each."""
    return [reason.code for reason in reasons]


def test_nothing_stands_against_a_sheet_that_waits_for_an_account_that_set_nothing_of_it(
    table: Table, second_clerk: User
) -> None:
    assert readiness(sheet_of(table), second_clerk).certify == ()


def test_every_reason_against_certifying_is_told_at_once(table: Table, clerk: User) -> None:
    Stage.objects.update(second_typing_percent=100)
    record_status(table, "A", EntrantStatus.WITHDRAWN)
    Line.objects.filter(game__scoresheet__table=table, letter="B").update(face_value=1)
    Session.objects.filter(pk=table.session_id).update(state=SessionState.VOID)
    against = readiness(sheet_of(table), clerk).certify
    wanted = ["typist_cannot_certify", "second_typing_wanted", "entrants_changed", "values_altered"]
    assert codes(against) == [*wanted, "session_not_played"]


def test_the_service_refuses_with_the_first_reason_in_the_same_words(table: Table, clerk: User) -> None:
    Stage.objects.update(second_typing_percent=100)
    against = readiness(sheet_of(table), clerk).certify
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=clerk, request_key="k1")
    assert (refused.value.code, str(refused.value)) == (against[0].code, str(against[0]))


def test_of_a_sheet_in_another_state_only_the_state_is_told(table: Table, clerk: User, second_clerk: User) -> None:
    signing.reject_scoresheet(table, revision=2, reason="B", by=second_clerk, request_key="k1")
    assert codes(readiness(sheet_of(table), clerk).certify) == ["scoresheet_not_ready"]
    assert codes(readiness(sheet_of(table), clerk).stamp) == ["not_official"]


def test_a_locked_sheet_that_counts_may_be_stamped_and_corrected_and_is_certified_no_more(
    first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser)
    table = ready_at(first_session, 1, clerk)
    signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    found = readiness(sheet_of(table), organiser)
    assert (codes(found.certify), found.stamp, found.correct) == (["scoresheet_locked"], (), ())
    assert codes(found.approve) == ["no_correction"]


def test_while_a_correction_is_in_hand_no_other_is_begun(
    first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser)
    table = ready_at(first_session, 1, clerk)
    signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=second_clerk, request_key="k1")
    corrections.begin_correction(table, reason="a slip", by=clerk, request_key="k2")
    found = readiness(sheet_of(table), clerk)
    assert codes(found.correct) == ["correction_in_hand"]
    assert codes(found.certify) == codes(found.approve) == ["scoresheet_not_ready"]

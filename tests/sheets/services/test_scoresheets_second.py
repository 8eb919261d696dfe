"""The blind second typing: by another account, compared by meaning, decided by a third look, before a sheet is
certified."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.correcting import handed_on
from tests.sheets.tables import changed, paper, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import SheetState
from tournament.core.errors import BadInput, Forbidden, Refused, SheetHasErrors, StaleVersion
from tournament.core.models.stage import Session, Stage
from tournament.sheets.domain.double_entry import DoubleEntryStatus
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

ALL_SIGNED = dict.fromkeys("ABCD", "")


@pytest.fixture
def third(event: Any, second_organiser: User) -> User:
    """Somebody who has typed neither."""
    return second_organiser


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table whose sheet the clerk has handed on, at an event where all are typed twice."""
    settle(first_session, organiser)
    second.set_double_entry_percent(first_session.stage, percent=100, by=organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    handed_on(found, paper(), clerk)
    return found


def again(
    table: Table, by: User, typed: Any = None, *, revision: int = 0, done: bool = True, key: str = "a"
) -> DoubleEntry:
    return second.save_second_entry(
        table, revision=revision, typed=typed or paper(), done=done, by=by, request_key=f"{key}{revision}"
    )


def stand(table: Table) -> tuple[DoubleEntryStatus, tuple[str, ...]]:
    sheet = queries.current_sheet(table)
    assert sheet is not None
    found = second.double_entry_status(table, sheet)
    return found.stand, found.cells


def other_paper() -> Any:
    """The same paper read differently, and as possible in itself: A and B of game 1 the other way round."""
    typed = paper()
    seats = typed["games"][0]["seats"]
    seats["A"], seats["B"] = seats["B"], seats["A"]
    typed["totals"]["A"] = {"wins": "0", "points": "1 1/6", "tiles": "10"}
    typed["totals"]["B"] = {"wins": "1", "points": "-34.5", "tiles": "13"}
    return typed


DIFFERING = (
    "games-0-A-points",
    "games-0-A-tiles",
    "games-0-B-points",
    "games-0-B-tiles",
    "totals-A-points",
    "totals-A-tiles",
    "totals-B-points",
    "totals-B-tiles",
)


# --- Before it is certified -----------------------------------------------------------------------------
def test_a_sheet_that_is_to_be_typed_twice_is_not_certified_before_it_has_been(
    table: Table, second_clerk: User, third: User
) -> None:
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=third, request_key="k")
    assert refused.value.code == "second_typing_wanted"
    again(table, second_clerk)
    sheet = signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=third, request_key="k")
    assert sheet.state == SheetState.CERTIFIED


def test_two_that_differ_are_not_certified_before_a_third_look(table: Table, second_clerk: User, third: User) -> None:
    again(table, second_clerk, other_paper())
    with pytest.raises(Refused) as refused:
        signing.certify_scoresheet(table, revision=2, signatures=ALL_SIGNED, by=third, request_key="k")
    assert (refused.value.code, dict(refused.value.facts)) == ("second_typing_differs", {"count": 8})


def test_without_the_setting_nothing_is_asked(table: Table, organiser: User, second_clerk: User) -> None:
    second.set_double_entry_percent(table.session.stage, percent=0, by=organiser)
    fresh = queries.find_table_of_event(table.session.stage.event, 1, 1)
    assert fresh is not None
    assert stand(fresh) == (DoubleEntryStatus.NOT_ASKED, ())
    with pytest.raises(Refused) as refused:
        again(fresh, second_clerk)
    assert refused.value.code == "second_typing_not_asked"


# --- Who ------------------------------------------------------------------------------------------------
def test_the_first_typist_does_not_type_it_again(table: Table, clerk: User) -> None:
    with pytest.raises(Forbidden) as refused:
        again(table, clerk)
    assert refused.value.code == "typist_types_once"


@pytest.mark.parametrize("who", ["clerk", "second_clerk"])
def test_neither_typist_decides(table: Table, clerk: User, second_clerk: User, who: str) -> None:
    again(table, second_clerk, other_paper())
    by = {"clerk": clerk, "second_clerk": second_clerk}[who]
    choices = dict.fromkeys(DIFFERING, "1")
    with pytest.raises(Forbidden) as refused:
        second.adjudicate_double_entry(table, revision=2, choices=choices, confirmations={}, by=by, request_key="s")
    assert refused.value.code == "typist_cannot_decide"


# --- Typing ---------------------------------------------------------------------------------------------
def test_a_draft_is_kept_and_does_not_count_as_done(table: Table, second_clerk: User) -> None:
    kept = again(table, second_clerk, changed(paper(), 1, "A", points=""), done=False)
    assert (kept.revision, kept.done, stand(table)[0]) == (1, False, DoubleEntryStatus.WANTED)
    assert again(table, second_clerk, revision=1).revision == 2
    assert stand(table)[0] is DoubleEntryStatus.SETTLED


def test_faults_of_the_second_typing_are_its_typist_s_to_mend(table: Table, second_clerk: User) -> None:
    wrong = changed(paper(), 1, "A", points="-41")
    with pytest.raises(SheetHasErrors) as refused:
        again(table, second_clerk, wrong)
    kept = DoubleEntry.objects.get()
    assert refused.value.sentence.startswith("Saved as a draft.")
    assert (kept.typed, kept.done, kept.revision, refused.value.about) == (wrong, False, 1, kept)
    assert AuditEntry.objects.filter(action="save_second_typing").count() == 1


def test_a_refused_second_typing_sent_again_saves_nothing_new_and_mended_it_is_handed_in(
    table: Table, second_clerk: User
) -> None:
    for _time in range(2):
        with pytest.raises(SheetHasErrors):
            again(table, second_clerk, changed(paper(), 1, "A", points="-41"))
    assert again(table, second_clerk, revision=1).done
    assert DoubleEntry.objects.get().revision == 2


def test_all_or_nothing_keeps_nothing_of_a_second_typing_with_faults_and_says_so(
    table: Table, second_clerk: User
) -> None:
    wrong = changed(paper(), 1, "A", points="-41")
    with pytest.raises(SheetHasErrors) as refused:
        second.save_second_entry(
            table, revision=0, typed=wrong, done=True, by=second_clerk, request_key="n", or_nothing=True
        )
    assert refused.value.sentence.startswith("Nothing of this was saved")
    assert DoubleEntry.objects.count() == 0


def test_two_who_type_at_once_one_is_kept(table: Table, second_clerk: User, third: User) -> None:
    again(table, second_clerk, done=False)
    with pytest.raises(StaleVersion):
        again(table, third, done=False)


def test_once_done_it_is_not_typed_over(table: Table, second_clerk: User, third: User) -> None:
    again(table, second_clerk, other_paper())
    with pytest.raises(Refused) as refused:
        again(table, third, revision=1)
    assert refused.value.code == "second_typing_done"


def test_other_spellings_of_the_same_figures_agree(table: Table, second_clerk: User) -> None:
    typed = changed(paper(), 2, "A", points="11 1/2", tiles="３")
    typed = changed(typed, 3, "A", points="32/3")
    typed["totals"]["A"]["points"] = "8 1/6"
    again(table, second_clerk, typed)
    assert stand(table) == (DoubleEntryStatus.SETTLED, ())


def test_only_the_cells_that_differ_are_named(table: Table, second_clerk: User) -> None:
    again(table, second_clerk, other_paper())
    assert stand(table) == (DoubleEntryStatus.DIFFERS, DIFFERING)


# --- The third look -------------------------------------------------------------------------------------
def texts(typed: Any) -> dict[str, str]:
    """The texts of the differing cells."""
    found = {}
    for name in DIFFERING:
        parts = name.split("-")
        place = typed["totals"][parts[1]] if parts[0] == "totals" else typed["games"][int(parts[1])]["seats"][parts[2]]
        found[name] = place[parts[-1]]
    return found


def decide(table: Table, by: User, choices: dict[str, str], revision: int = 2) -> Scoresheet:
    sheet = queries.current_sheet(table)
    assert sheet is not None
    return second.adjudicate_double_entry(
        table, revision=revision, choices=choices, confirmations={}, by=by, request_key=f"s{revision}"
    )


def test_the_first_may_be_right_in_every_cell(table: Table, second_clerk: User, third: User) -> None:
    again(table, second_clerk, other_paper())
    sheet = decide(table, third, texts(paper()))
    assert (sheet.revision, sheet.typed, stand(table)[0]) == (2, paper(), DoubleEntryStatus.SETTLED)
    assert DoubleEntry.objects.get().adjudicated_by == third
    assert AuditEntry.objects.filter(action="uphold_first_typing").count() == 1


def test_where_the_second_was_right_the_sheet_has_other_values_and_the_first_typist_stays_its_typist(
    table: Table, organiser: User, clerk: User, second_clerk: User, third: User
) -> None:
    again(table, second_clerk, other_paper())
    confirmations = Scoresheet.objects.get().confirmations
    sheet = decide(table, third, texts(other_paper()))
    assert (sheet.state, sheet.revision, sheet.typed_by) == (SheetState.READY, 4, clerk)
    assert sheet.confirmations == confirmations
    assert Line.objects.get(game__number=1, letter="A").tiles == 5
    assert stand(table)[0] is DoubleEntryStatus.SETTLED
    moves = AuditEntry.objects.filter(subject="scoresheet 0328-1-01 v1").order_by("seq")
    assert [(one.action, one.revision_after) for one in moves][-2:] == [
        ("settle_second_typing", 3),
        ("ready_scoresheet", 4),
    ]
    assert signing.certify_scoresheet(table, revision=4, signatures=ALL_SIGNED, by=organiser, request_key="c").locked


def test_a_mixture_that_does_not_fit_is_refused_and_changes_nothing(
    table: Table, second_clerk: User, third: User
) -> None:
    again(table, second_clerk, other_paper())
    mixed = {**texts(paper()), "games-0-A-points": "-21"}
    with pytest.raises(Refused) as refused:
        decide(table, third, mixed)
    assert refused.value.code == "scoresheet_has_faults"
    assert refused.value.sentence.startswith("Nothing is decided: both typings are as they were.")
    assert (Scoresheet.objects.get().revision, stand(table)[0]) == (2, DoubleEntryStatus.DIFFERS)


@pytest.mark.parametrize(
    "wrong", [{}, {"games-0-A-points": "-14"}, {**dict.fromkeys(DIFFERING, "1"), "games-1-A-win": "1"}]
)
def test_exactly_the_differing_cells_are_decided(
    table: Table, second_clerk: User, third: User, wrong: dict[str, str]
) -> None:
    again(table, second_clerk, other_paper())
    with pytest.raises(BadInput) as refused:
        decide(table, third, wrong)
    assert refused.value.code == "cells_undecided"


def test_a_decision_holds_for_the_values_it_was_made_for(
    table: Table, clerk: User, second_clerk: User, third: User
) -> None:
    again(table, second_clerk, other_paper())
    decide(table, third, texts(paper()))
    scoresheets.reopen_scoresheet(table, revision=2, by=clerk, request_key="r")
    typed = paper()
    typed["games"][0]["starter"] = "B"
    handed_on(table, typed, clerk, 3)
    assert stand(table) == (DoubleEntryStatus.DIFFERS, ("games-0-starter", *DIFFERING))


# --- The setting ----------------------------------------------------------------------------------------
def test_the_share_is_drawn_by_serial_and_a_greater_one_holds_the_smaller() -> None:
    serials = [f"0328-{session}-{table:02d}" for session in range(1, 5) for table in range(1, 26)]
    drawn = {
        percent: {one for one in serials if queries.is_serial_in_share("hk-2026", one, percent)}
        for percent in (0, 10, 30, 100)
    }
    assert (drawn[0], drawn[100]) == (set(), set(serials))
    assert drawn[10] < drawn[30]
    assert (len(drawn[10]), len(drawn[30])) == (9, 28)


@pytest.mark.parametrize("percent", [-1, 101])
def test_no_other_share_is_taken(first_session: Session, organiser: User, percent: int) -> None:
    with pytest.raises(BadInput):
        second.set_double_entry_percent(first_session.stage, percent=percent, by=organiser)


def test_the_setting_is_in_the_log_and_set_again_adds_nothing(first_session: Session, organiser: User) -> None:
    for _time in range(2):
        second.set_double_entry_percent(first_session.stage, percent=25, by=organiser)
    entry = AuditEntry.objects.get(action="set_second_typing")
    assert (entry.subject, entry.reason, Stage.objects.get().second_typing_percent) == (
        "stage preliminary",
        "0% -> 25%",
        25,
    )

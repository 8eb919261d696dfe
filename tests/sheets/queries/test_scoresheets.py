"""What the desk reads of sheets: what is next, how far a session has come, and at what cost."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.sheets.tables import paper, settle
from tournament.audit import services
from tournament.core.enums import SheetForm
from tournament.core.models.stage import Session
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table


def found(session: Session, number: int) -> Table:
    table = queries.find_table_of_event(session.stage.event, session.number, number)
    assert table is not None
    return table


def hand_on(table: Table, by: User) -> None:
    check = bridge.check_typed_sheet(
        ruleset_of_stage(table.session.stage),
        SheetForm.PAPER,
        bridge.clean_typed(paper()),
        queries.seats_as_judged(table),
    )
    notes = bridge.confirm_all_unusual(check, "as on the paper")
    scoresheets.submit_scoresheet(
        table,
        revision=0,
        form=SheetForm.PAPER,
        typed=paper(),
        confirmations=notes,
        by=by,
        request_key=f"submit-{table.number}",
    )


def certify(table: Table, by: User) -> Any:
    return signing.certify_scoresheet(
        table, revision=2, signatures=dict.fromkeys("ABCD", ""), by=by, request_key=f"certify-{table.number}"
    )


@pytest.fixture
def session(first_session: Session, organiser: User, clerk: User, second_clerk: User) -> Session:
    """Six tables: 1 stamped, 2 certified, 3 ready, 4 draft, 5 and 6 not received."""
    settle(first_session, organiser, [4] * 6)
    for number in (1, 2, 3):
        hand_on(found(first_session, number), clerk)
    for number in (1, 2):
        sheet = certify(found(first_session, number), second_clerk)
        if number == 1:
            signing.stamp_sheet(sheet, by=organiser)
    scoresheets.save_scoresheet(
        found(first_session, 4), revision=0, form=SheetForm.PAPER, typed=paper(), by=clerk, request_key="draft"
    )
    return first_session


def test_the_board_counts_each_table_once(session: Session) -> None:
    board = queries.session_board(session)
    assert [table.state for table in board.tables] == ["stamped", "certified", "ready", "draft", "open", "open"]
    assert {state: count for state, count in board.counts.items() if count} == {
        "open": 2,
        "draft": 1,
        "ready": 1,
        "certified": 1,
        "stamped": 1,
    }
    assert [table.table.number for table in board.to_stamp] == [2]
    assert [table.table.number for table in board.unfinished] == [3, 4, 5, 6]


def test_what_is_next_goes_round_the_tables(session: Session) -> None:
    board = queries.session_board(session)
    following = [board.to_type(after) for after in (0, 4, 5, 6)]
    assert [table.table.number for table in following if table] == [4, 5, 6, 4]


def test_nobody_is_given_the_own_sheet_to_check(session: Session, clerk: User, second_clerk: User) -> None:
    board = queries.session_board(session)
    nexts = [board.to_check(user.pk) for user in (clerk, second_clerk)]
    assert [table.table.number if table else None for table in nexts] == [None, 3]


def test_the_progress_of_every_session(session: Session) -> None:
    rows = queries.session_progress_list(session.stage.event)
    assert len(rows) == 12
    first, second = rows[0], rows[1]
    assert (first.tables, first.open, first.draft, first.ready, first.locked, first.stamped) == (6, 2, 1, 1, 2, 1)
    assert (first.drawn, second.drawn, second.tables) == (True, False, 0)


def test_a_sheet_is_found_by_its_serial(session: Session) -> None:
    event = session.stage.event
    table = queries.find_table_by_serial(event, 3, 28, 1, 4)
    assert table is not None
    assert queries.sheet_serial(table) == "0328-1-04"
    assert queries.find_table_by_serial(event, 3, 28, 2, 4) is None


def test_the_history_of_a_version_is_its_acts_in_order(session: Session) -> None:
    entries = queries.sheet_version_history(session.stage.event, found(session, 1), 1)
    assert [entry.action for entry in entries] == [
        "save_scoresheet",
        "ready_scoresheet",
        "certify_scoresheet",
        "stamp_scoresheet",
    ]


def test_a_later_sheet_asks_as_many_queries_as_the_first(
    first_session: Session, organiser: User, clerk: User, second_clerk: User
) -> None:
    settle(first_session, organiser, [4] * 6)
    event = first_session.stage.event
    services.append_audit_entry(event, organiser, "seed_event", f"event {event.slug}")
    counts = []
    for number in range(1, 7):
        with CaptureQueriesContext(connection) as captured:
            table = found(first_session, number)
            hand_on(table, clerk)
            signing.stamp_sheet(certify(table, second_clerk), by=organiser)
        counts.append(len(captured))
    assert len(set(counts)) == 1

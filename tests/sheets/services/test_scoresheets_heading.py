"""The head of a paper is compared before its sheet goes on, and a difference takes a reason and a second account."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.correcting import crossing, slipped
from tests.sheets.tables import paper, settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import SheetState
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.events.domain import ruleset_of_stage
from tournament.operations.services.audit_verification import verify_events
from tournament.scoresheets.services import corrections
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.domain.heading import check_heading, empty_heading
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

SIGNED = dict.fromkeys("ABCD", "")


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    settle(first_session, organiser, [4, 4])
    return [found for number in (1, 2) if (found := queries.find_table_of_event(first_session.stage.event, 1, number))]


def submit(
    table: Table, by: User, key: str = "one", revision: int = 0, cells: Any = None, **heading: Any
) -> Scoresheet:
    """An ordinary sheet with this heading, everything unusual confirmed."""
    typed = {**(cells or paper()), "heading": {**empty_heading(), **heading}}
    seats = queries.seats_as_judged(table)
    check = bridge.check_typed_sheet(ruleset_of_stage(table.session.stage), "paper", bridge.clean_typed(typed), seats)
    notes = bridge.confirm_all_unusual(check, "as on the paper")
    return scoresheets.submit_scoresheet(
        table, revision=revision, form="paper", typed=typed, confirmations=notes, by=by, request_key=key
    )


def certify(table: Table, by: User, seen: bool, key: str = "certify") -> Scoresheet:
    sheet = queries.current_sheet(table)
    assert sheet is not None
    return signing.certify_scoresheet(
        table, revision=sheet.revision, signatures=SIGNED, by=by, request_key=key, heading_seen=seen
    )


@pytest.mark.parametrize(
    ("heading", "wants", "differs"),
    [
        ({}, ("serial", "same"), {}),
        ({"serial": "0328-1-01"}, ("same",), {}),
        ({"serial": "０３２８１０１", "same": True}, (), {}),
        ({"serial": "http://desk/desk/hk-2026/scoresheets/1/1/?print=1", "same": True}, (), {}),
        ({"serial": "0328-1-01-2", "same": True}, ("reason",), {"serial": "0328-1-01-2: "}),
        ({"serial": "1", "same": True}, ("reason",), {"serial": "1: "}),
        ({"serial": "0328-1-01", "referee": "CHAN"}, ("reason",), {"referee": "CHAN: "}),
        ({"serial": "0328-1-01", "date": "29/3", "reason": "slip"}, (), {"date": "29/3: slip"}),
        ({"date": "29/3", "reason": "slip"}, ("serial",), {"date": "29/3: slip"}),
    ],
)
def test_what_is_left_to_compare_and_what_differs(
    tables: list[Table], heading: dict[str, Any], wants: tuple[str, ...], differs: dict[str, str]
) -> None:
    found = check_heading({**empty_heading(), **heading}, tables[0], 1)
    assert found is not None
    assert (found.wants, found.differs) == (wants, differs)


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ({"same": True}, "heading_wants_serial"),
        ({"serial": "0328-1-01"}, "heading_wants_same"),
        ({"serial": "0328-1-02", "same": True}, "heading_wants_reason"),
    ],
)
def test_a_sheet_whose_head_is_not_compared_stays_a_draft(
    tables: list[Table], clerk: User, heading: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        submit(tables[0], clerk, **heading)
    assert refused.value.code == code
    assert (Scoresheet.objects.get().state, Scoresheet.objects.get().typed["heading"]["same"]) == (
        SheetState.DRAFT,
        heading.get("same", False),
    )


def test_what_was_compared_is_part_of_the_values_that_are_signed(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    plain = submit(tables[0], clerk, serial="0328-1-01", same=True)
    assert plain.confirmations["heading"] == "as on the paper"
    reopened = scoresheets.reopen_scoresheet(tables[0], revision=plain.revision, by=clerk, request_key="back")
    other = submit(
        tables[0], clerk, "two", reopened.revision, serial="0328-1-01", referee="CHAN", reason="changed tables"
    )
    assert other.confirmations["heading referee"] == "CHAN: changed tables"
    assert plain.digest != other.digest
    certify(tables[0], second_clerk, seen=True)
    assert verify_events(files=False).findings == []


def test_a_difference_is_confirmed_by_the_second_account_or_the_sheet_is_not_certified(
    tables: list[Table], clerk: User, second_clerk: User
) -> None:
    submit(tables[0], clerk, serial="0328-1-02", same=True, reason="spare paper")
    with pytest.raises(Refused) as refused:
        certify(tables[0], second_clerk, seen=False)
    assert refused.value.code == "heading_differs"
    assert certify(tables[0], second_clerk, seen=True, key="again").state == SheetState.CERTIFIED
    said = AuditEntry.objects.filter(action__in=("ready_scoresheet", "confirm_heading")).order_by("seq")
    assert [(entry.actor, entry.action, entry.reason) for entry in said] == [
        (clerk, "ready_scoresheet", "serial: 0328-1-02: spare paper"),
        (second_clerk, "confirm_heading", "serial: 0328-1-02: spare paper"),
    ]
    assert verify_events(files=False).findings == []


def test_a_correction_whose_head_differs_is_approved_only_when_it_has_been_seen(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User, chief_judge: User
) -> None:
    table, differing = tables[0], {"serial": "0328-1-02", "same": True, "reason": "spare paper"}
    submit(table, clerk, **differing)
    certify(table, second_clerk, seen=True)
    begun = corrections.begin_correction(table, reason="a slip", by=organiser, request_key="begin")
    sheet = submit(table, clerk, "anew", begun.revision, slipped(), **differing)
    seen = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    corrections.propose_correction(table, **seen, by=organiser, request_key="propose")
    with pytest.raises(Refused) as refused:
        corrections.approve_correction(table, **seen, by=chief_judge, request_key="unseen")
    assert refused.value.code == "heading_differs"
    approved = corrections.approve_correction(table, **seen, by=chief_judge, request_key="approve", heading_seen=True)
    assert (approved.version, approved.state) == (2, SheetState.CERTIFIED)
    assert verify_events(files=False).findings == []


def test_a_head_that_only_the_second_typist_found_to_differ_is_shown_to_the_second_person(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    table = tables[0]
    second.set_double_entry_percent(table.session.stage, percent=100, by=organiser)
    table = queries.find_table_of_event(table.session.stage.event, 1, 1) or table
    submit(table, clerk, serial="0328-1-01", same=True)
    heading = {**empty_heading(), "serial": "0328-1-01", "referee": "CHAN", "reason": "changed tables"}
    typed = {**paper(), "heading": heading}
    second.save_second_entry(table, revision=0, typed=typed, done=True, by=second_clerk, request_key="again")
    page = signed_in(organiser).get(at("check_scoresheet", 1, 1))
    html = squeezed(page.content.decode())
    assert page.context["second_head"].differs == {"referee": "CHAN: changed tables"}
    assert ("CHAN: changed tables" in html, 'name="heading-seen"' in html) == (True, True)
    with pytest.raises(Refused) as refused:
        certify(table, organiser, seen=False)
    assert refused.value.code == "heading_differs"
    assert certify(table, organiser, seen=True, key="again").state == SheetState.CERTIFIED

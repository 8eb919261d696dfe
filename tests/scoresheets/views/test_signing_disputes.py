"""The dispute's page, as each role has it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.scoresheets.views.test_scoresheets import at, submitted
from tests.scoresheets.views.test_scoresheets import send as submit
from tests.sheets.correcting import handed_on, slipped
from tests.sheets.tables import paper, settle
from tests.squeezed import squeezed
from tournament.core.enums import SheetForm, SheetState
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table whose sheet waits for its second person."""
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    handed_on(found, paper(), clerk)
    return found


def send(client: Client, do: str, revision: int, **more: str) -> Any:
    sent = {"do": do, "revision": str(revision), "request_key": f"{do}{revision}", "reason": "because", **more}
    return client.post(at("dispute", 1, 1), sent)


def test_raised_by_the_desk_and_decided_with_other_values_by_the_chief_judge(
    table: Table, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    assert send(signed_in(clerk), "raise", 2).status_code == 302
    assert send(signed_in(clerk), "uphold", 3).status_code == 403
    html = squeezed(signed_in(clerk).get(at("scoresheet", 1, 1)).content.decode())
    assert "這張計分紙有爭議" in html
    page = squeezed(signed_in(chief_judge).get(at("dispute", 1, 1)).content.decode())
    assert ('name="games-0-A-points" value="-14"' in page, 'value="uphold"' in page) == (True, True)
    assert send(signed_in(chief_judge), "decide", 3, **fields_of_typed_sheet(slipped())).status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.typed) == (SheetState.READY, slipped())


def test_a_decision_that_cannot_be_right_keeps_what_was_typed(
    table: Table, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    send(signed_in(clerk), "raise", 2)
    page = send(signed_in(chief_judge), "decide", 3, **{**fields_of_typed_sheet(paper()), "games-0-A-points": "-15"})
    html = squeezed(page.content.decode())
    assert (page.status_code, 'value="-15"' in html, "because" in html) == (409, True, True)
    assert ("尚未裁決：在此輸入的數值沒有儲存" in html, "已暫存為草稿" in html) == (True, False)


def test_a_half_typed_sheet_that_was_disputed_by_mistake_is_typed_on_once_the_dispute_is_taken_back(
    first_session: Session, organiser: User, clerk: User, second_clerk: User, chief_judge: User, signed_in: Any
) -> None:
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    typed = {**paper(), "games": [paper()["games"][0], *empty_typed_sheet(3)["games"][1:]]}
    scoresheets.save_scoresheet(table, revision=0, form=SheetForm.PAPER, typed=typed, by=clerk, request_key="s")
    send(signed_in(clerk), "raise", 1)
    offered = [
        'value="withdraw"' in squeezed(signed_in(account).get(at("dispute", 1, 1)).content.decode())
        for account in (clerk, second_clerk, organiser, chief_judge)
    ]
    assert offered == [True, False, False, True]
    dispute = {"dispute": str(Dispute.objects.get().pk)}
    assert send(signed_in(second_clerk), "withdraw", 2, **dispute).status_code == 403
    assert send(signed_in(chief_judge), "withdraw", 2, **dispute, reason="").status_code == 400
    assert send(signed_in(clerk), "withdraw", 2, **dispute, reason="pressed by mistake").status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.revision, sheet.typed) == (SheetState.DRAFT, 3, typed)
    html = squeezed(signed_in(clerk).get(at("dispute", 1, 1)).content.decode())
    assert ("爭議已收回" in html, "pressed by mistake" in html) == (True, True)
    handed_on(table, paper(), clerk, 3)
    assert Scoresheet.objects.get().state == SheetState.READY


def test_two_make_it_void(table: Table, organiser: User, chief_judge: User, auditor: User, signed_in: Any) -> None:
    assert send(signed_in(auditor), "propose_void", 2).status_code == 403
    assert send(signed_in(organiser), "propose_void", 2).status_code == 302
    assert 'value="approve_void"' not in squeezed(signed_in(organiser).get(at("dispute", 1, 1)).content.decode())
    assert send(signed_in(chief_judge), "approve_void", 2).status_code == 302
    assert "這張計分紙已作廢" in squeezed(signed_in(auditor).get(at("scoresheet", 1, 1)).content.decode())


# --- A sheet that never came -----------------------------------------------------------------------------
OF_THE_EVENT = (
    "overview",
    "scoresheets",
    "seating",
    "clocks",
    "judge_queue",
    "releases",
    "audit",
    "tablets",
)
OF_THE_STAGE = ("standings", "qualification", "places")
OF_A_SESSION = ("session_scoresheets", "session_seating", "session_clock", "seating_list", "session_scoresheets_pdf")
AT_A_TABLE = ("scoresheet", "dispute", "check_scoresheet", "type_scoresheet_again", "correction", "scoresheet_pdf")


@pytest.fixture
def proposed(first_session: Session, organiser: User, signed_in: Any) -> Session:
    """A session whose first table's sheet never came and is proposed to be void: a row without a typed text."""
    settle(first_session, organiser)
    assert send(signed_in(organiser), "propose_void", 0).status_code == 302
    assert list(Scoresheet.objects.values_list("state", "typed")) == [(SheetState.OPEN, {})]
    return first_session


def broken_pages(client: Client) -> dict[str, int]:
    """Every page that shows or counts the sheet and breaks with it; some lead elsewhere, some are not for each role."""
    ways = [at(name) for name in OF_THE_EVENT] + [at(name, 1) for name in OF_A_SESSION]
    ways += [at(name, "preliminary") for name in OF_THE_STAGE] + [at("standing", "preliminary", 301)]
    ways += [at(name, 1, 1) for name in AT_A_TABLE] + [at("entrant", 301)]
    ways += [at("scoresheet", 1, 1) + query for query in ("?form=rack", "?version=1")]
    ways += [at("seat_moves", 1, 301)]
    answers = {way: client.get(way).status_code for way in ways}
    return {way: status for way, status in answers.items() if status not in (200, 302, 403)}


def test_every_page_opens_with_a_sheet_that_never_came_and_is_proposed_or_made_void(
    proposed: Session, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    found = broken_pages(signed_in(organiser)) | broken_pages(signed_in(chief_judge))
    assert send(signed_in(chief_judge), "approve_void", 1).status_code == 302
    assert Scoresheet.objects.get().state == SheetState.VOID
    assert found | broken_pages(signed_in(organiser)) | broken_pages(signed_in(chief_judge)) == {}


def test_a_sheet_proposed_to_be_void_before_it_came_is_judged_and_handed_in_as_any(
    proposed: Session, clerk: User, organiser: User, signed_in: Any
) -> None:
    sheet = Scoresheet.objects.get()
    with pytest.raises(Refused) as refused:
        scoresheets.hand_in_scoresheet(sheet.table, revision=1, confirmations={}, by=clerk, request_key="none")
    assert refused.value.code == "scoresheet_has_faults"
    client = signed_in(clerk)
    late = submit(client, paper(), "save", revision="0")
    assert (late.status_code, 'name="games-0-A-points"' in squeezed(late.content.decode())) == (412, True)
    assert [submit(client, {}, "judge").status_code, submitted(client, revision="1").status_code] == [200, 302]
    assert broken_pages(signed_in(organiser)) == {}
    assert Scoresheet.objects.get().state == SheetState.READY

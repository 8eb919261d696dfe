"""The dispute's page, as each role has it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.correcting import handed_on, slipped
from tests.tournament.tables import paper, settle
from tests.tournament.views.test_scoresheets import at
from tournament.bridge.scoresheets_fields import to_fields
from tournament.enums import SheetState
from tournament.models import Scoresheet, Session, Table
from tournament.queries import scoresheets as queries


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table whose sheet waits for its second person."""
    settle(first_session, organiser)
    found = queries.find_table(first_session.stage.event, 1, 1)
    assert found is not None
    handed_on(found, paper(), clerk)
    return found


def send(client: Client, do: str, revision: int, **more: str) -> Any:
    """The page sent."""
    sent = {"do": do, "revision": str(revision), "request_key": f"{do}{revision}", "reason": "because", **more}
    return client.post(at("dispute", 1, 1), sent)


def test_raised_by_the_desk_and_decided_with_other_values_by_the_chief_judge(
    table: Table, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    assert send(signed_in(clerk), "raise", 2).status_code == 302
    assert send(signed_in(clerk), "uphold", 3).status_code == 403
    html = signed_in(clerk).get(at("scoresheet", 1, 1)).content.decode()
    assert "這張計分紙有爭議" in html
    page = signed_in(chief_judge).get(at("dispute", 1, 1)).content.decode()
    assert ('name="games-0-A-points" value="-14"' in page, 'value="uphold"' in page) == (True, True)
    assert send(signed_in(chief_judge), "decide", 3, **to_fields(slipped())).status_code == 302
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.typed) == (SheetState.READY, slipped())


def test_a_decision_that_cannot_be_right_keeps_what_was_typed(
    table: Table, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    send(signed_in(clerk), "raise", 2)
    page = send(signed_in(chief_judge), "decide", 3, **{**to_fields(paper()), "games-0-A-points": "-15"})
    html = page.content.decode()
    assert (page.status_code, 'value="-15"' in html, "because" in html) == (409, True, True)


def test_two_make_it_void(table: Table, organiser: User, chief_judge: User, auditor: User, signed_in: Any) -> None:
    assert send(signed_in(auditor), "propose_void", 2).status_code == 403
    assert send(signed_in(organiser), "propose_void", 2).status_code == 302
    assert 'value="approve_void"' not in signed_in(organiser).get(at("dispute", 1, 1)).content.decode()
    assert send(signed_in(chief_judge), "approve_void", 2).status_code == 302
    assert "這張計分紙已作廢" in signed_in(auditor).get(at("scoresheet", 1, 1)).content.decode()

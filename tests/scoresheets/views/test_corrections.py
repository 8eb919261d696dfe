"""The correction's page: what it shows before it is saved, to whom, and what a refusal keeps."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.correcting import REASON, locked, typed_anew
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.models.stage import Session
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet
from tournament.tables.models import Table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User, second_clerk: User) -> Table:
    """A table whose locked sheet has a slip."""
    settle(first_session, organiser)
    return locked(first_session, 1, clerk, second_clerk)


def send(client: Client, do: str, **more: str) -> Any:
    return client.post(at("correction", 1, 1), {"do": do, "request_key": f"{do}-{sorted(more)}", **more})


def test_it_is_begun_with_a_reason_and_leads_the_typist_to_the_sheet(
    table: Table, organiser: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    assert "開新版本" in squeezed(client.get(at("correction", 1, 1)).content.decode())
    assert send(client, "begin", reason=" ").status_code == 400
    assert send(client, "begin", reason=REASON)["Location"] == at("scoresheet", 1, 1)
    html = squeezed(client.get(at("scoresheet", 1, 1)).content.decode())
    assert ("這是鎖定計分紙的新版本" in html, REASON.replace("'", "&#x27;") in html) == (True, True)


def test_the_locked_version_is_what_readers_see_meanwhile(
    table: Table, organiser: User, auditor: User, clerk: User, signed_in: Any
) -> None:
    typed_anew(table, organiser, clerk)
    html = squeezed(signed_in(auditor).get(at("scoresheet", 1, 1)).content.decode())
    assert ("更正處理中" in html, "第 1 版" in html) == (True, True)
    board = signed_in(auditor).get(at("session_scoresheets", 1))
    assert [(row.state, row.correction.version) for row in board.context["board"].tables] == [("certified", 2)]


def test_before_it_is_saved_the_page_shows_cells_and_ranks(
    table: Table, organiser: User, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    page = signed_in(chief_judge).get(at("correction", 1, 1))
    assert [(one.label, one.mine, one.theirs) for one in page.context["cells"]][:2] == [
        ("第 1 局·A 得分", "-21", "-14"),
        ("第 1 局·A 剩牌", "5", "3"),
    ]
    assert page.context["effect"].moves == ()
    assert OfficialSheet.objects.get().scoresheet.version == 1
    seen = {"revision": str(sheet.revision), "crossing": page.context["crossing"]}
    assert send(signed_in(chief_judge), "propose", **seen).status_code == 302
    html = squeezed(signed_in(chief_judge).get(at("correction", 1, 1)).content.decode())
    assert 'value="approve"' not in html
    assert 'value="approve"' in squeezed(signed_in(organiser).get(at("correction", 1, 1)).content.decode())
    assert send(signed_in(organiser), "approve", **seen).status_code == 302
    assert OfficialSheet.objects.get().scoresheet.version == 2


def test_every_version_stays_readable(
    table: Table, organiser: User, chief_judge: User, clerk: User, auditor: User, signed_in: Any
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    corrections.propose_correction(table, revision=sheet.revision, crossing=(), by=organiser, request_key="p")
    corrections.approve_correction(table, revision=sheet.revision, crossing=(), by=chief_judge, request_key="a")
    client = signed_in(auditor)
    old = squeezed(client.get(at("scoresheet", 1, 1) + "?version=1").content.decode())
    new = squeezed(client.get(at("scoresheet", 1, 1)).content.decode())
    assert ("現以另一版本計算" in old, "第 1 版" in old) == (True, True)
    assert ("現以另一版本計算" in new, "?version=1" in new) == (False, True)
    assert client.get(at("scoresheet", 1, 1) + "?version=9").status_code == 404
    assert "第 2 版取代第 1 版" in squeezed(client.get(at("correction", 1, 1)).content.decode())


def test_a_refusal_says_why_and_keeps_the_reason(table: Table, organiser: User, clerk: User, signed_in: Any) -> None:
    sheet = typed_anew(table, organiser, clerk)
    page = send(signed_in(organiser), "propose", revision=str(sheet.revision - 1), reason="kept text")
    assert (page.status_code, "kept text" in squeezed(page.content.decode())) == (412, True)


def test_a_clerk_sees_the_correction_and_agrees_to_nothing(
    table: Table, organiser: User, clerk: User, second_clerk: User, auditor: User, signed_in: Any
) -> None:
    sheet = typed_anew(table, organiser, clerk)
    html = squeezed(signed_in(second_clerk).get(at("correction", 1, 1)).content.decode())
    assert ('value="propose"' in html, 'value="send_back"' in html) == (False, True)
    assert send(signed_in(second_clerk), "propose", revision=str(sheet.revision)).status_code == 403
    assert send(signed_in(auditor), "begin", reason=REASON).status_code == 403
    assert Scoresheet.objects.get(version=2).revision == sheet.revision


def test_the_second_person_s_page_leads_a_correction_to_its_own(
    table: Table, organiser: User, clerk: User, signed_in: Any
) -> None:
    typed_anew(table, organiser, clerk)
    assert signed_in(organiser).get(at("check_scoresheet", 1, 1))["Location"] == at("correction", 1, 1)


def test_a_sheet_that_is_not_locked_has_nothing_to_correct(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    settle(first_session, organiser)
    assert "無可更正" in squeezed(signed_in(organiser).get(at("correction", 1, 1)).content.decode())

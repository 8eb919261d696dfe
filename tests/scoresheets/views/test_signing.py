"""The second person's page and the stamp, as people use them."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.scoresheets.views.test_scoresheets import at, submitted
from tests.sheets.services.test_scoresheets_scans import picture
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import SessionState, SheetState
from tournament.core.models.stage import Session
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature, Stamp
from tournament.tables.models import Table

SIGNED = {f"signed-{letter}": "on" for letter in "ABCD"}


@pytest.fixture
def tables(first_session: Session, organiser: User, clerk: User, signed_in: Any) -> list[Table]:
    """Three tables; the clerk has typed the first two."""
    made = settle(first_session, organiser, [4, 4, 4])
    for number in (1, 2):
        submitted(signed_in(clerk), number)
    return made


def certify(client: Client, table: int = 1, **more: str) -> Any:
    """The check page sent with all signatures, or as said."""
    sent = {"revision": "2", "request_key": f"certify-{table}-{sorted(more)}", "do": "certify"}
    return client.post(at("check_scoresheet", 1, table), {**sent, **(more or SIGNED)})


def test_the_values_are_read_only_and_large_beside_a_control_for_each_signature(
    tables: list[Table], second_clerk: User, signed_in: Any
) -> None:
    html = squeezed(signed_in(second_clerk).get(at("check_scoresheet", 1, 1)).content.decode())
    assert 'name="games-' not in html
    assert [f'name="signed-{letter}"' in html for letter in "ABCD"] == [True] * 4
    assert 'name="missing-A"' not in html
    assert '<span class="q">−41<span class="fr"> <sup>1</sup>/<sub>2</sub></span></span>' in html


def test_a_certified_sheet_leads_to_the_next_that_waits_and_then_to_the_board(
    tables: list[Table], second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(second_clerk)
    assert certify(client, 1)["Location"] == at("check_scoresheet", 1, 2)
    assert certify(client, 2)["Location"] == at("session_scoresheets", 1)
    assert set(Scoresheet.objects.values_list("state", flat=True)) == {SheetState.CERTIFIED}


def test_the_typist_sees_why_the_own_sheet_is_not_theirs_to_certify(
    tables: list[Table], clerk: User, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    html = squeezed(client.get(at("check_scoresheet", 1, 1)).content.decode())
    assert "以下帳戶可以：chief_judge, organiser。" in html
    assert "<dt>數值出自</dt><dd>clerk</dd>" in squeezed(client.get(at("scoresheet", 1, 1)).content.decode())
    assert ("這張計分紙由你輸入" in html, 'value="certify"' in html) == (True, False)
    assert certify(client).status_code == 403


def test_a_forgotten_signature_is_asked_for_and_what_was_ticked_stays(
    tables: list[Table], second_clerk: User, signed_in: Any
) -> None:
    page = certify(signed_in(second_clerk), 1, **{"signed-A": "on", "signed-B": "on", "signed-D": "on"})
    html = squeezed(page.content.decode())
    assert (page.status_code, "尚欠簽名記錄：C。" in html) == (409, True)
    assert [f'name="signed-{letter}" value="on" checked' in html for letter in "ABCD"] == [True, True, False, True]


def test_the_chief_judge_certifies_without_a_signature_with_a_reason(
    tables: list[Table], chief_judge: User, signed_in: Any
) -> None:
    sent = {**{f"signed-{letter}": "on" for letter in "ABD"}, "missing-C": "left before signing, values agreed"}
    assert certify(signed_in(chief_judge), 1, **sent).status_code == 302
    missing = Signature.objects.get(present=False)
    assert (missing.letter, missing.chief_judge) == ("C", chief_judge)


def test_a_rejected_sheet_shows_its_typist_the_reason(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    sent = {"revision": "2", "request_key": "k", "do": "reject", "reason": "第 2 局 C 紙上是 −21"}
    assert signed_in(second_clerk).post(at("check_scoresheet", 1, 1), sent).status_code == 302
    assert "第 2 局 C 紙上是 −21" in squeezed(signed_in(clerk).get(at("scoresheet", 1, 1)).content.decode())


def test_a_rejection_without_a_reason_is_refused_on_the_same_page(
    tables: list[Table], second_clerk: User, signed_in: Any
) -> None:
    sent = {"revision": "2", "request_key": "k", "do": "reject", "reason": " "}
    page = signed_in(second_clerk).post(at("check_scoresheet", 1, 1), sent)
    assert (page.status_code, "請寫明為何退回" in squeezed(page.content.decode())) == (400, True)


def test_a_sheet_that_changed_meanwhile_is_not_certified(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    sent = {"do": "reopen", "revision": "2", "request_key": "back"}
    signed_in(clerk).post(at("scoresheet", 1, 1), sent)
    submitted(signed_in(clerk), 1, "3")
    page = certify(signed_in(second_clerk), 1)
    assert (page.status_code, Scoresheet.objects.get(table__number=1).state) == (412, SheetState.READY)


def test_the_organiser_stamps_one_then_the_session_and_the_board_says_how_many(
    tables: list[Table], organiser: User, second_clerk: User, signed_in: Any
) -> None:
    for number in (1, 2):
        certify(signed_in(second_clerk), number)
    client = signed_in(organiser)
    assert "為 2 張已核實的蓋印" in squeezed(client.get(at("session_scoresheets", 1)).content.decode())
    client.post(at("stamp_scoresheet", 1, 1))
    assert Stamp.objects.count() == 1
    client.post(at("stamp_scoresheets", 1))
    board = squeezed(client.get(at("session_scoresheets", 1)).content.decode())
    assert (Stamp.objects.count(), "1 張未核實" in board, "2 張計分紙" in board) == (2, True, False)


def test_the_locked_page_shows_the_people_the_code_the_seal_and_the_history(
    tables: list[Table], organiser: User, second_clerk: User, auditor: User, signed_in: Any
) -> None:
    certify(signed_in(second_clerk), 1)
    signed_in(organiser).post(at("stamp_scoresheet", 1, 1))
    page = signed_in(auditor).get(at("scoresheet", 1, 1))
    html = squeezed(page.content.decode())
    sheet = Scoresheet.objects.get(table__number=1)
    assert all(
        text in html for text in (sheet.digest, "clerk", "second_clerk", "organiser", "大會蓋印", page.context["code"])
    )
    assert [entry.action for entry in page.context["history"]] == [
        "save_scoresheet",
        "ready_scoresheet",
        "certify_scoresheet",
        "stamp_scoresheet",
    ]


def test_the_page_of_a_sheet_of_a_void_session_says_that_it_does_not_count_and_offers_no_stamp(
    tables: list[Table], organiser: User, second_clerk: User, signed_in: Any
) -> None:
    certify(signed_in(second_clerk), 1)
    Session.objects.filter(number=1).update(state=SessionState.VOID)
    client = signed_in(organiser)
    said = [
        squeezed(client.get(address).content.decode())
        for address in (at("scoresheet", 1, 1), at("session_scoresheets", 1))
    ]
    words = ("本場作廢：其計分紙不計入賽果", "計入即時排名", "蓋印</", "更正…")
    assert [[word in html for word in words] for html in said] == [[True, False, False, False]] * 2


@pytest.mark.parametrize(("content", "status"), [(picture(), 200), (b"no picture", 415)], ids=["kept", "refused"])
def test_without_script_a_photo_attached_beside_the_ticks_costs_none_of_them(
    tables: list[Table], second_clerk: User, signed_in: Any, settings: Any, tmp_path: Path, content: bytes, status: int
) -> None:
    settings.VAR_DIR = tmp_path
    client = signed_in(second_clerk)
    html = squeezed(client.get(at("check_scoresheet", 1, 1)).content.decode())
    assert 'form="check" formenctype="multipart/form-data" formnovalidate name="do" value="attach"' in html
    ticked = {"signed-A": "on", "signed-C": "on", "heading-seen": "on", "reason": "not sure", "revision": "2"}
    sent = {**ticked, "do": "attach", "request_key": "k", "scan": SimpleUploadedFile("a.jpg", content)}
    page = client.post(at("check_scoresheet", 1, 1), sent)
    html = squeezed(page.content.decode())
    assert (page.status_code, Scan.objects.count()) == (status, 1 if status == 200 else 0)
    assert [f'name="signed-{letter}" value="on" checked' in html for letter in "ABCD"] == [True, False, True, False]
    assert ("not sure</textarea>" in html, 'name="revision" value="2"' in html) == (True, True)
    assert certify(client).status_code == 302

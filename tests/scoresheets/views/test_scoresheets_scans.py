"""Scans and the paper's head on the pages: who may, what is served, what the second person reads."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.services.test_scoresheets_heading import submit, tables
from tests.sheets.services.test_scoresheets_scans import PDF, picture
from tests.sheets.tables import paper
from tests.squeezed import squeezed
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

assert tables  # two drawn tables, a fixture


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    """Scans of this test stay in its folder."""
    settings.VAR_DIR = tmp_path


def upload(client: Any, content: bytes, name: str = "paper.jpg", **more: str) -> Any:
    return client.post(
        at("attach_scan", 1, 1), {"scan": SimpleUploadedFile(name, content), "request_key": name, **more}
    )


def test_a_scan_is_attached_shown_and_served_to_those_who_see_sheets_and_nobody_else(
    tables: list[Table], clerk: User, auditor: User, referee: User, signed_in: Any, client: Any
) -> None:
    assert (
        upload(signed_in(clerk), picture(), back="typing", print="1")["Location"] == at("scoresheet", 1, 1) + "?print=1"
    )
    page = at("scan", 1, 1, 1)
    assert page in squeezed(signed_in(clerk).get(at("scoresheet", 1, 1)).content.decode())
    answer = signed_in(auditor).get(page)
    named = ("Content-Type", "X-Content-Type-Options", "Content-Disposition", "Content-Security-Policy")
    assert [answer[name].split(";")[0] for name in named] == ["image/jpeg", "nosniff", "inline", "default-src 'none'"]
    assert "no-store" in answer["Cache-Control"]
    assert [signed_in(referee).get(page).status_code, client.get(page).status_code] == [403, 302]
    assert signed_in(clerk).get(page.replace("/1/1/", "/1/2/")).status_code == 404
    assert upload(signed_in(auditor), picture(), "two.jpg").status_code == 403


@pytest.mark.parametrize(
    ("content", "name", "status"),
    [(PDF, "paper.pdf", 302), (b"<html>", "paper.jpg", 415), (PDF[:9] + bytes(3 << 20), "paper.pdf", 413)],
    ids=["pdf", "a page by a picture's name", "too large"],
)
def test_a_scan_is_taken_or_refused_with_its_status(
    tables: list[Table], clerk: User, signed_in: Any, content: bytes, name: str, status: int
) -> None:
    assert upload(signed_in(clerk), content, name).status_code == status
    assert Scan.objects.count() == (1 if status == 302 else 0)


def test_a_refused_scan_leads_back_to_its_sheet_and_to_nowhere_else(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    for back, name in (("typing", "scoresheet"), ("check", "check_scoresheet"), ("again", "type_scoresheet_again")):
        page = upload(signed_in(clerk), b"<html>", back=back)
        assert (page.status_code, f'href="{at(name, 1, 1)}"' in squeezed(page.content.decode())) == (415, True)


def test_asked_by_the_page_s_script_the_answer_is_the_card_or_the_sentence(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    client, live = signed_in(clerk), {"headers": {"X-Live": "1"}}
    way = at("attach_scan", 1, 1)

    def send(content: bytes, key: str) -> Any:
        sent = {"scan": SimpleUploadedFile("p.jpg", content), "request_key": key, "back": "typing"}
        return client.post(way, sent, **live)

    card, refused = send(picture(), "one"), send(b"<html>", "two")
    assert (card.status_code, at("scan", 1, 1, 1) in squeezed(card.content.decode()), b"<html" in card.content) == (
        200,
        True,
        False,
    )
    assert (refused.status_code, refused.json()["said"][:4]) == (415, "掃描檔須")
    assert (send(picture(), "one").status_code, Scan.objects.count()) == (200, 1)


def test_with_the_cells_of_a_half_typed_sheet_these_are_saved_first_and_a_sheet_of_another_is_not_overwritten(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    cells = {**fields_of_typed_sheet(paper()), "form": "paper", "back": "typing"}
    assert upload(signed_in(clerk), picture(), "a.jpg", revision="0", **cells).status_code == 302
    assert (Scoresheet.objects.get().typed["games"], Scan.objects.count()) == (paper()["games"], 1)
    late = {**cells, "games-0-A-points": "-99"}
    stale = upload(signed_in(second_clerk), picture("PNG"), "b.png", revision="0", **late)
    assert (stale.status_code, "-99" in squeezed(stale.content.decode()), Scan.objects.count()) == (412, True, 1)
    assert Scoresheet.objects.get().revision == 1


def test_the_second_person_reads_what_the_paper_says_and_confirms_it(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    sheet = submit(tables[0], clerk, serial="0328-1-02", same=True, reason="spare paper")
    client, page = signed_in(second_clerk), at("check_scoresheet", 1, 1)
    html = squeezed(client.get(page).content.decode())
    assert ("0328-1-02: spare paper" in html, 'name="heading-seen"' in html) == (True, True)
    signed = {f"signed-{letter}": "on" for letter in "ABCD"}
    sent = {"do": "certify", "revision": str(sheet.revision), "request_key": "one", **signed}
    assert client.post(page, sent).status_code == 409
    assert client.post(page, {**sent, "request_key": "two", "heading-seen": "on"}).status_code == 302


def test_another_table_s_serial_leads_to_that_table_and_moves_nothing(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    sent = {"do": "judge", "heading-serial": "0328-1-02", "heading-same": "on"}
    html = squeezed(signed_in(clerk).post(at("scoresheet", 1, 1), sent).content.decode())
    assert f'href="{at("scoresheet", 1, 2)}"' in html


def test_the_longest_wait_stands_first_on_request(tables: list[Table], clerk: User, signed_in: Any) -> None:
    submit(tables[0], clerk, serial="0328-1-01", same=True)
    board = signed_in(clerk).get(at("session_scoresheets", 1), {"order": "longest"}).context["board"]
    waits = [row.since for row in board.longest]
    assert (waits, len(waits)) == (sorted(waits), 2)

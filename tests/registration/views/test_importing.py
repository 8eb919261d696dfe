"""The import by page: upload, preview, decide, import; who may, what is refused, both languages."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from tests.entrant_lists import FIXTURES, csv_of, sound_row
from tests.squeezed import squeezed
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.registration.services import importing, importing_preview

UPLOAD = "/desk/hk-2026/import/"
BOUNDARY = sound_row(7, birth_date="2019-03-28", consent_guardian="是")


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """The organiser at the desk, in English."""
    client: Client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    return client


def hand_in(client: Client, content: bytes, name: str = "list.csv") -> HttpResponse:
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, content)})


def preview_of(event: Event, rows: list[dict[str, Any]], by: User) -> str:
    """The address of a waiting preview."""
    kept = importing.read_file(event, name="list.csv", content=csv_of(rows), by=by)
    return f"{UPLOAD}{kept.pk}/"


def text_of(response: Any) -> str:
    return squeezed(response.content.decode())


def test_an_empty_desk_says_what_will_come(desk: Client) -> None:
    page = text_of(desk.get(UPLOAD))
    assert ("No list has been handed in yet" in page, "style=" in page) == (True, False)


def test_the_workbook_goes_through_upload_preview_and_import(desk: Client, event: Event) -> None:
    handed_in = hand_in(desk, (FIXTURES / "entrants.xlsx").read_bytes(), "entrants.xlsx")
    address = handed_in["Location"]
    assert handed_in.status_code == 302
    preview = text_of(desk.get(address))
    assert ("Import 1,200 entrants" in preview, "disabled" in preview, "Sheet &quot;總表&quot;" in preview) == (
        True,
        False,
        False,
    )
    for _ in range(2):
        assert desk.post(address, {"act": "import"})["Location"] == address
    assert Entrant.objects.count() == 1200
    assert "1,200 entrants made" in text_of(desk.get(address))
    again = hand_in(desk, (FIXTURES / "entrants.xlsx").read_bytes(), "renamed.xlsx")
    assert (again["Location"], EntrantFile.objects.count()) == (address, 1)


@pytest.mark.fault("F1")
@pytest.mark.fault("F4")
@pytest.mark.fault("F5")
@pytest.mark.parametrize(
    ("name", "content", "status", "sentence"),
    [
        ("list.xlsx", b"%PDF-1.7", 415, "This is a PDF."),
        ("list.csv", b"", 415, "The file is empty."),
        ("list.csv", b"a" * (2 * 1024 * 1024 + 1), 413, "The file is too large"),
        ("list.csv", "編號,姓名\n1,\xff".encode("latin-1", "replace") + b"\xff", 400, "holds bytes that are not"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_on_the_page(
    desk: Client, name: str, content: bytes, status: int, sentence: str
) -> None:
    response = hand_in(desk, content, name)
    assert (response.status_code, sentence in text_of(response), EntrantFile.objects.count()) == (status, True, 0)


def test_no_file_is_asked_for_again(desk: Client) -> None:
    response = desk.post(UPLOAD, {})
    assert (response.status_code, "Choose a file first." in text_of(response)) == (400, True)


def test_faults_stand_by_row_and_column_and_the_button_says_why_it_waits(
    desk: Client, event: Event, organiser: User
) -> None:
    rows = [sound_row(1, phone="1234 5678"), BOUNDARY]
    page = text_of(desk.get(preview_of(event, rows, organiser)))
    assert [
        part in page
        for part in (
            "F 電話",
            "<mark>1234 5678</mark>",
            "A Hong Kong number has 8 digits and begins with 2 to 9.",
            "(1 to mend, 1 to decide)</button>",
            "Around row 2, as in the file",
        )
    ] == [True] * 5


def test_every_page_of_faults_can_be_shown_at_once(desk: Client, event: Event, organiser: User) -> None:
    rows = [sound_row(number, session="") for number in range(1, 62)]
    address = preview_of(event, rows, organiser)
    first, every = text_of(desk.get(address)), text_of(desk.get(f"{address}?show=faults&every=1"))
    assert [page.count("The session must be filled in.") for page in (first, every)] == [50, 61]
    assert "Show all: 11 more" in first


def test_a_decision_needs_a_reason_and_keeps_its_place(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [BOUNDARY], organiser)
    refused = desk.post(address, {"act": "decide", "row": "2", "accept": "yes", "reason": ""})
    assert (refused.status_code, "Say in a few words why" in text_of(refused)) == (400, True)
    done = desk.post(f"{address}?show=faults", {"act": "decide", "row": "2", "accept": "yes", "reason": "seen"})
    assert done["Location"] == f"{address}?show=faults#row-2"
    assert "Accepted: seen" in text_of(desk.get(address))
    desk.post(address, {"act": "reopen", "row": "2"})
    assert "1 to decide" in text_of(desk.get(address))


def test_a_clerk_imports_but_decides_nothing(signed_in: Any, clerk: User, event: Event, organiser: User) -> None:
    client = signed_in(clerk)
    client.cookies["django_language"] = "en"
    address = preview_of(event, [BOUNDARY], organiser)
    page = text_of(client.get(address))
    assert ("Waits for an organiser" in page, 'value="decide"' in page) == (True, False)
    refused = client.post(address, {"act": "decide", "row": "2", "accept": "yes", "reason": "x"})
    assert (refused.status_code, EntrantFile.objects.get().decisions) == (403, {})
    importing.answer_row_question(EntrantFile.objects.get(), row=2, accept=True, reason="seen", by=organiser)
    assert client.post(address, {"act": "reopen", "row": "2"}).status_code == 403
    assert (client.post(address, {"act": "import"}).status_code, Entrant.objects.count()) == (302, 1)


def test_a_lost_name_is_typed_on_the_page(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1, name_zh="陳??")], organiser)
    desk.post(address, {"act": "mend", "row": "2", "column": "name_zh", "text": "陳𤧬"})
    assert "Import 1 entrant" in text_of(desk.get(address))
    refused = desk.post(address, {"act": "mend", "row": "2", "column": "phone", "text": "x"})
    assert refused.status_code == 400


def test_both_names_of_one_cell_are_taken_apart_on_the_page(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1, name_en="陳大文 CHAN Tai Man")], organiser)
    page = text_of(desk.get(address))
    assert "Take apart: 陳大文 | CHAN Tai Man" in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    assert desk.post(address, {"act": "split", "row": "2"})["Location"] == f"{address}#row-2"
    assert "Import 1 entrant" in text_of(desk.get(address))
    assert desk.post(address, {"act": "split", "row": "x"}).status_code == 400


def test_an_unusual_name_is_accepted_or_typed_on_the_page(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1, name_en="CHAN 🐰")], organiser)
    page = squeezed(desk.get(address).content.decode())
    assert [act for act in ('value="decide"', 'value="mend"') if act not in page] == []
    desk.post(address, {"act": "decide", "row": "2", "accept": "yes", "reason": "so it is"})
    assert "Import 1 entrant" in text_of(desk.get(address))


def test_an_import_with_faults_is_refused_and_nothing_is_lost(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1, session="")], organiser)
    response = desk.post(address, {"act": "import"})
    assert (response.status_code, "Nothing was imported: 1 to mend" in text_of(response)) == (409, True)
    assert (Entrant.objects.count(), EntrantFile.objects.count()) == (0, 1)
    assert desk.post(address, {"act": "something"}).status_code == 400


def test_the_four_figures_show_their_rows(desk: Client, event: Event, organiser: User) -> None:
    importing.import_file(
        EntrantFile.objects.get(pk=preview_of(event, [sound_row(1)], organiser).split("/")[-2]), by=organiser
    )
    address = preview_of(event, [sound_row(1, school="白田小學"), sound_row(2), sound_row(3, session="")], organiser)
    pages = {show: text_of(desk.get(f"{address}?show={show}")) for show in ("all", "sound", "differ", "faults")}
    names = [str(sound_row(number)["name_en"]) for number in (1, 2, 3)]
    shown = {show: [f'<td lang="en">{name}</td>' in page for name in names] for show, page in pages.items()}
    assert shown == {
        "all": [True, True, True],
        "sound": [True, True, False],
        "differ": [True, False, False],
        "faults": [False, False, False],
    }


def test_changes_are_shown_cell_by_cell_and_only_what_was_shown_is_imported(
    desk: Client, event: Event, organiser: User
) -> None:
    first = EntrantFile.objects.get(pk=preview_of(event, [sound_row(1, school="白田小學")], organiser).split("/")[-2])
    importing.import_file(first, by=organiser)
    address = preview_of(event, [sound_row(1, school="將軍澳小學"), sound_row(2)], organiser)
    response = desk.get(address)
    page = text_of(response)
    assert [
        part in page for part in ("<del>白田小學</del>", "<ins>將軍澳小學</ins>", "Import 1 entrant, change 1 entered")
    ] == [True] * 3
    unseen = desk.post(address, {"act": "import"})
    assert (unseen.status_code, Entrant.objects.count()) == (412, 1)
    seen = response.context["preview"].digest
    assert desk.post(address, {"act": "import", "seen": seen}).status_code == 302
    assert "1 entrant made·1 changed" in text_of(desk.get(address))


def test_the_same_person_under_another_number_is_shown_with_both(desk: Client, event: Event, organiser: User) -> None:
    first = EntrantFile.objects.get(pk=preview_of(event, [sound_row(1)], organiser).split("/")[-2])
    importing.import_file(first, by=organiser)
    address = preview_of(event, [sound_row(5, name_en=sound_row(1)["name_en"])], organiser)
    page = text_of(desk.get(address))
    assert ("Entered:" in page, "/entrants/1/" in page, "Leave this row out" in page) == (True, True, True)
    desk.post(address, {"act": "decide", "row": "2", "accept": "no", "reason": "same", "question": "person_entered"})
    assert "Nobody new: close this file" in text_of(desk.get(address))


def test_the_faults_and_the_template_are_downloads(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1, session="")], organiser)
    faults, template = desk.get(f"{address}faults.csv"), desk.get(f"{UPLOAD}template.xlsx")
    assert [answer["Content-Disposition"].split(";")[0] for answer in (faults, template)] == ["attachment"] * 2
    assert (b"session_missing" in faults.content, template.content[:2]) == (True, b"PK")


def test_another_file_instead_erases_the_preview(desk: Client, event: Event, organiser: User) -> None:
    address = preview_of(event, [sound_row(1)], organiser)
    assert desk.post(address, {"act": "put_aside"})["Location"] == UPLOAD
    assert (EntrantFile.objects.count(), desk.get(address).status_code) == (0, 404)


@pytest.mark.parametrize("role", [Role.CHIEF_JUDGE, Role.AUDITOR, Role.REFEREE])
def test_those_without_business_here_are_refused(
    request: pytest.FixtureRequest, signed_in: Any, event: Event, organiser: User, role: Role
) -> None:
    address = preview_of(event, [sound_row(1)], organiser)
    client = signed_in(request.getfixturevalue(role.value))
    addresses = (UPLOAD, f"{UPLOAD}template.xlsx", address, f"{address}faults.csv")
    assert [client.get(each).status_code for each in addresses] == [403] * 4
    assert (client.post(address, {"act": "import"}).status_code, Entrant.objects.count()) == (403, 0)


def test_both_languages_are_whole(desk: Client, event: Event, organiser: User) -> None:
    kept = importing.read_file(
        event, name="f.xlsx", content=(FIXTURES / "entrants-faulty.xlsx").read_bytes(), by=organiser
    )
    english = text_of(desk.get(f"{UPLOAD}{kept.pk}/?every=1"))
    desk.cookies["django_language"] = "zh-hant"
    chinese = text_of(desk.get(f"{UPLOAD}{kept.pk}/?every=1"))
    assert ("2 月沒有 31 日。" in chinese, "Month 2 has no day 31." in english) == (True, True)
    sentences = {fault.what for fault in importing_preview.build_preview(kept).faults if fault.what.isascii()}
    assert [sentence for sentence in sentences if sentence in chinese] == []

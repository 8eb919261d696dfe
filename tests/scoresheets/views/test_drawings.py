"""Who sees a drawn signature, and what the second person's page says of a sheet signed on a tablet."""

from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User

from tests.sheets.drawing import drawn, packed, racks, tablet
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session
from tournament.core.numberformat import format_points
from tournament.entrants.models.people import Person
from tournament.seating.services import print
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.domain.scoresheets import short_digest_code
from tournament.sheets.exports.drawn_signature import strokes_svg_path
from tournament.sheets.models.signing import Drawing, Signature
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table
from tournament.tablets.services import sheets

DESK = "/desk/hk-2026/scoresheets/1/1/"


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    return found


def test_the_path_of_a_signature_goes_where_the_finger_went() -> None:
    assert strokes_svg_path([[[1, 2, 0, 9], [3, 4, 5, 9], [5, 6, 9, 9]], [[7, 8, 9, 9]]]) == "M1 2L3 4 5 6M7 8L7 8"


@pytest.mark.fault("Y4")
def test_an_organiser_sees_the_signatures_as_drawn_and_each_look_is_in_the_log(
    table: Table, referee: User, organiser: User, signed_in: Any
) -> None:
    packed(table, tablet(table, referee, organiser), referee)
    client = signed_in(organiser)
    for _time in range(2):
        page = client.get(f"{DESK}signatures/")
    assert "no-store" in page.headers["Cache-Control"]
    for letter in "ABCD":
        assert strokes_svg_path(drawn(letter).strokes) in squeezed(page.content.decode())
    looks = AuditEntry.objects.filter(action="see_drawings").values_list("actor", "subject")
    assert list(looks) == [(organiser.pk, queries.sheet_subject(table, 1))] * 2


@pytest.mark.fault("Y4")
def test_nobody_else_sees_them(table: Table, referee: User, organiser: User, clerk: User, signed_in: Any) -> None:
    packed(table, tablet(table, referee, organiser), referee)
    assert signed_in(clerk).get(f"{DESK}signatures/").status_code == 403
    sheet = squeezed(signed_in(clerk).get(DESK).content.decode())
    assert ("signatures/" in sheet, strokes_svg_path(drawn("A").strokes) in sheet) == (False, False)
    assert AuditEntry.objects.filter(action="see_drawings").count() == 0


def test_a_drawing_that_was_altered_is_said_to_be_unreadable(
    table: Table, referee: User, organiser: User, signed_in: Any
) -> None:
    device = tablet(table, referee, organiser)
    given = {"typed": racks(), "confirmations": {}, "by": referee}
    sheets.save_tablet_sheet(table, revision=0, request_key="save", **given)
    sheet = scoresheets.hand_in_scoresheet(table, revision=1, confirmations={}, by=referee, request_key="ready")
    signs = {"device": device, "revision": 2, "digest": sheet.digest, "by": referee}
    sheets.sign_tablet_sheet(table, drawn=drawn("A"), request_key="sign", **signs)
    drawing = Drawing.objects.get()
    whole = bytes(drawing.strokes)
    Drawing.objects.filter(pk=drawing.pk).update(strokes=whole[:-1] + bytes([whole[-1] ^ 1]))
    page = squeezed(signed_in(organiser).get(f"{DESK}signatures/", headers={"Accept-Language": "en"}).content.decode())
    assert ("This signature cannot be read" in page, 'class="drawn"' in page) == (True, False)


def test_the_chief_judge_certifies_a_refused_sheet_on_the_second_person_s_page(
    table: Table, referee: User, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    device = tablet(table, referee, organiser)
    given = {"typed": racks(), "confirmations": {}, "by": referee}
    sheets.save_tablet_sheet(table, revision=0, request_key="save", **given)
    sheet = scoresheets.hand_in_scoresheet(table, revision=1, confirmations={}, by=referee, request_key="ready")
    for letter, seconds in (("A", 0), ("B", 1), ("C", 60)):
        signs = {"device": device, "revision": 2, "digest": sheet.digest, "by": referee}
        sheets.sign_tablet_sheet(table, drawn=drawn(letter, seconds), request_key=letter, **signs)
    client = signed_in(chief_judge)
    page = squeezed(client.get(f"{DESK}check/", headers={"Accept-Language": "en"}).content.decode())
    assert [f'name="missing-{letter}"' in page for letter in "ABCD"] == [False, False, False, True]
    assert page.count("signed on tablet 1") == 3
    assert page.count("within two seconds after seat A") == 1
    sent = {"revision": 2, "request_key": "certify", "do": "certify", "missing-D": "refuses to sign"}
    assert client.post(f"{DESK}check/", sent).status_code == 302
    rows = Signature.objects.order_by("letter").values_list("letter", "present", "missing_reason")
    assert list(rows) == [("A", True, ""), ("B", True, ""), ("C", True, ""), ("D", False, "refuses to sign")]


# --- As recorded, as a PDF ------------------------------------------------------------------------------
def words(content: bytes) -> str:
    """All that can be read on its one page."""
    document = pypdfium2.PdfDocument(content)
    assert len(document) == 1
    return document[0].get_textpage().get_text_bounded()


def paths(content: bytes) -> list[int]:
    """The kinds of what is drawn on it: no picture is among them."""
    return [one.type for one in pypdfium2.PdfDocument(content)[0].get_objects()]


@pytest.mark.fault("Y4")
def test_a_locked_sheet_is_printed_as_recorded_with_its_signatures_as_lines_and_each_look_is_in_the_log(
    table: Table, referee: User, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    device = tablet(table, referee, organiser)
    before = signed_in(organiser).get(f"{DESK}recorded.pdf")
    packed(table, device, referee)
    answers = [signed_in(by).get(f"{DESK}recorded.pdf") for by in (organiser, chief_judge)]
    assert [before.status_code, *(one.status_code for one in answers)] == [404, 200, 200]
    assert ("no-store" in answers[0].headers["Cache-Control"], answers[0].content == answers[1].content) == (True, True)
    text = words(answers[0].content)
    sheet = queries.official_sheet(table)
    assert sheet is not None
    figures = [
        format_points(line.points_twelfths) for game in queries.games_with_lines(sheet) for line in game.lines.all()
    ]
    assert "Names as they are entered now" in text
    of_the_form = ["評審員記錄", "開始者", "確認成績簽署", "Tiles left"]
    expected = [
        *of_the_form,
        "0328-1-01",
        "第 1 版 Version 1",
        short_digest_code(sheet.digest),
        receipt_code(sheet),
        *figures,
    ]
    assert [word for word in expected if word not in text] == []
    assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in paths(answers[0].content)
    looks = AuditEntry.objects.filter(action="see_drawings").values_list("actor", flat=True)
    assert list(looks) == [organiser.pk, chief_judge.pk]


def test_a_sheet_signed_on_paper_says_so_in_each_field_and_who_is_missing(
    table: Table, clerk: User, chief_judge: User, signed_in: Any
) -> None:
    given = {"form": "rack", "typed": racks(), "by": clerk}
    scoresheets.save_scoresheet(table, revision=0, request_key="save", **given)
    scoresheets.hand_in_scoresheet(table, revision=1, confirmations={}, by=clerk, request_key="ready")
    sent = {"revision": 2, "request_key": "certify", "do": "certify", "missing-D": "went home 病"}
    sent |= {f"signed-{letter}": "on" for letter in "ABC"}
    assert signed_in(chief_judge).post(f"{DESK}check/", sent).status_code == 302
    text = words(signed_in(chief_judge).get(f"{DESK}recorded.pdf").content)
    assert (text.count("已在紙上簽署"), "went home 病" in text.replace("\r\n", " ")) == (3, True)


def test_its_head_and_names_are_those_of_the_paper_that_was_signed(
    table: Table, clerk: User, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    print.print_session(table.session, by=organiser)
    given = {"form": "rack", "typed": racks(), "by": clerk}
    scoresheets.save_scoresheet(table, revision=0, request_key="save", **given)
    scoresheets.hand_in_scoresheet(table, revision=1, confirmations={}, by=clerk, request_key="ready")
    sent = {"revision": 2, "request_key": "certify", "do": "certify"}
    sent |= {f"signed-{letter}": "on" for letter in "ABCD"}
    assert signed_in(chief_judge).post(f"{DESK}check/", sent).status_code == 302
    Person.objects.update(name_zh="黃改名")
    text = words(signed_in(chief_judge).get(f"{DESK}recorded.pdf").content)
    assert ("陳大文" in text, "黃改名" in text, "Names as they are entered now" in text) == (True, False, False)

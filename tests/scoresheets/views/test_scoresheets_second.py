"""The second typing's pages: nothing of the first is shown, then only what differs."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.scoresheets.views.test_scoresheets import at
from tests.sheets.correcting import handed_on
from tests.sheets.services.test_scoresheets_second import DIFFERING, other_paper, texts
from tests.sheets.tables import changed, paper, settle
from tests.squeezed import squeezed
from tournament.core.models.stage import Session, Stage
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.domain.scoresheets import short_digest_code
from tournament.sheets.models.double_entry import DoubleEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry as second
from tournament.tables.models import Table


@pytest.fixture
def table(first_session: Session, organiser: User, clerk: User) -> Table:
    """A table typed by the clerk, to be typed twice; a second one beside it."""
    settle(first_session, organiser, [4, 4])
    second.set_double_entry_percent(first_session.stage, percent=100, by=organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    handed_on(found, paper(), clerk)
    return found


def a_number(digits: str) -> str:
    """The pattern of a negative number: a clock may well say 41, and a random nonce or key may hold "-41"."""
    return rf"(?<![\w-])[-−]{digits}(?![\w-])"


def send(client: Client, typed: Any, do: str = "submit", revision: str = "0", **more: str) -> Any:
    """The second typing's page sent."""
    fields = {"revision": revision, "request_key": f"{do}-{revision}", "do": do, **fields_of_typed_sheet(typed), **more}
    return client.post(at("type_scoresheet_again", 1, 1), fields)


def figures_in(html: str) -> list[str]:
    """Every text that a cell of the page holds."""
    fields = fields_of_typed_sheet(paper())
    return [name for name, value in fields.items() if value and f'name="{name}" value="{value}"' in html]


def test_the_second_typist_is_led_to_an_empty_form(table: Table, second_clerk: User, signed_in: Any) -> None:
    client = signed_in(second_clerk)
    assert client.get(at("scoresheet", 1, 1))["Location"] == at("type_scoresheet_again", 1, 1)
    assert client.get(at("check_scoresheet", 1, 1))["Location"] == at("type_scoresheet_again", 1, 1)
    html = squeezed(client.get(at("type_scoresheet_again", 1, 1)).content.decode())
    assert ("第二次輸入，只看紙" in html, figures_in(html), 'value="form:rack"' in html) == (True, [], False)


def test_handed_in_with_a_fault_every_cell_is_saved_and_the_next_press_hands_it_in(
    table: Table, second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(second_clerk)
    refused = send(client, changed(paper(), 1, "A", points="-41"))
    html = squeezed(refused.content.decode())
    assert (refused.status_code, "已暫存為草稿" in html, 'name="revision" value="1"' in html) == (409, True, True)
    assert len(figures_in(squeezed(client.get(at("type_scoresheet_again", 1, 1)).content.decode()))) > 30
    assert send(client, paper(), revision="1").status_code == 302
    assert DoubleEntry.objects.get().done


def test_a_fault_s_way_out_is_a_button_at_the_second_typing_too(
    table: Table, second_clerk: User, signed_in: Any
) -> None:
    page = send(signed_in(second_clerk), changed(paper(), 2, "C", points="-21"), "offer:games-1-C-points=-12")
    assert 'name="games-1-C-points" value="-12"' in page.content.decode()
    assert DoubleEntry.objects.count() == 0


def test_a_draft_of_one_is_an_empty_form_to_another(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    assert send(signed_in(second_clerk), paper(), "save").status_code == 302
    own = squeezed(signed_in(second_clerk).get(at("type_scoresheet_again", 1, 1)).content.decode())
    others = squeezed(signed_in(organiser).get(at("type_scoresheet_again", 1, 1)).content.decode())
    assert (len(figures_in(own)) > 30, figures_in(others)) == (True, [])


def test_nobody_reads_the_values_before_but_their_typist(
    table: Table, clerk: User, auditor: User, chief_judge: User, signed_in: Any
) -> None:
    for reader in (auditor, chief_judge):
        html = squeezed(signed_in(reader).get(at("scoresheet", 1, 1)).content.decode())
        assert ("等候第二次輸入" in html, re.findall(a_number("41"), html)) == (True, [])
    assert "等候第二次輸入" in squeezed(signed_in(chief_judge).get(at("type_scoresheet_again", 1, 1)).content.decode())
    own = squeezed(signed_in(clerk).get(at("scoresheet", 1, 1)).content.decode())
    assert ("須先由另一人第二次輸入" in own, "−41" in own) == (True, True)


def test_handed_in_it_leads_to_the_board_and_an_agreed_sheet_goes_on(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    board = signed_in(second_clerk).get(at("session_scoresheets", 1))
    assert board.context["to_type_again"].table.number == 1
    assert board.context["to_check"] is None
    assert send(signed_in(second_clerk), paper())["Location"] == at("session_scoresheets", 1) + "?after=1"
    assert signed_in(organiser).get(at("check_scoresheet", 1, 1)).status_code == 200
    assert signed_in(second_clerk).get(at("session_scoresheets", 1)).context["to_type_again"] is None


def test_the_third_look_sees_only_the_differing_cells_with_nothing_chosen(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    send(signed_in(second_clerk), other_paper())
    client = signed_in(organiser)
    assert client.get(at("check_scoresheet", 1, 1))["Location"] == at("type_scoresheet_again", 1, 1)
    page = client.get(at("type_scoresheet_again", 1, 1))
    assert [one.name for one, _kept in page.context["cells"]] == list(DIFFERING)
    assert 'name="games-1-' not in squeezed(page.content.decode())
    assert 'type="radio" name="games-0-A-points" value="-14" required autofocus>' in squeezed(page.content.decode())


def test_the_third_look_decides_and_the_sheet_is_checked(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    send(signed_in(second_clerk), other_paper())
    sent = {"revision": "2", "request_key": "settle", "do": "settle", **texts(other_paper())}
    answer = signed_in(organiser).post(at("type_scoresheet_again", 1, 1), sent)
    assert answer["Location"] == at("check_scoresheet", 1, 1)
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["points"] == "-21"
    assert signed_in(organiser).get(at("check_scoresheet", 1, 1)).status_code == 200


def test_what_neither_has_is_typed_beside_and_a_refusal_keeps_every_choice(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    send(signed_in(second_clerk), other_paper())
    choices = {**texts(paper()), "games-0-A-points": "other:", "other:games-0-A-points": "-15"}
    sent = {"revision": "2", "request_key": "settle", "do": "settle", **choices}
    page = signed_in(organiser).post(at("type_scoresheet_again", 1, 1), sent)
    html = squeezed(page.content.decode())
    assert (page.status_code, 'name="other:games-0-A-points"' in html, 'value="-15"' in html) == (409, True, True)
    assert {one.name: kept for one, kept in page.context["cells"]} == {
        **texts(paper()),
        "games-0-A-points": "-15",
    }
    assert any("−1" in one.text for one in page.context["said"])


def test_neither_typist_is_offered_the_decision(table: Table, clerk: User, second_clerk: User, signed_in: Any) -> None:
    send(signed_in(second_clerk), other_paper())
    for typist in (clerk, second_clerk):
        html = squeezed(signed_in(typist).get(at("type_scoresheet_again", 1, 1)).content.decode())
        assert ('type="radio"' in html, "須由別人看紙決定" in html) == (False, True)


def test_asked_while_one_types_it_answers_faults_and_keeps_nothing(
    table: Table, second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(second_clerk)
    typed = paper()
    typed["games"][1]["seats"]["C"]["points"] = "-21"
    fields = {"revision": "0", "do": "judge", **fields_of_typed_sheet(typed)}
    page = client.post(at("type_scoresheet_again", 1, 1), fields, headers={"X-Live": "1"})
    assert ("<html" in squeezed(page.content.decode()), len(page.context["grid"].mend)) == (False, 1)
    assert DoubleEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("sent", "percent"),
    [({"second": "all"}, 100), ({"second": "none"}, 0), ({"second": "share", "percent": "15%"}, 15)],
)
def test_an_organiser_sets_none_a_share_or_all(
    first_session: Session, organiser: User, clerk: User, signed_in: Any, sent: dict[str, str], percent: int
) -> None:
    assert signed_in(clerk).post(at("set_second_typing"), sent).status_code == 403
    assert signed_in(organiser).post(at("set_second_typing"), sent).status_code == 302
    assert Stage.objects.get().second_typing_percent == percent
    assert signed_in(organiser).post(at("set_second_typing"), {"second": "share", "percent": "x"}).status_code == 400


def test_the_board_asks_as_many_queries_for_three_tables_as_for_one(
    first_session: Session, organiser: User, clerk: User, signed_in: Any
) -> None:
    settle(first_session, organiser, [4, 4, 4])
    second.set_double_entry_percent(first_session.stage, percent=100, by=organiser)
    client = signed_in(organiser)
    counts = []
    for number in (1, 2, 3):
        table = queries.find_table_of_event(first_session.stage.event, 1, number)
        assert table is not None
        handed_on(table, paper(), clerk)
        with CaptureQueriesContext(connection) as asked:
            client.get(at("session_scoresheets", 1))
        counts.append(len(asked))
    assert counts == [counts[0]] * 3


def test_the_board_says_for_how_long_a_sheet_has_waited(table: Table, organiser: User, signed_in: Any) -> None:
    Scoresheet.objects.update(state_since=timezone.now() - timedelta(minutes=12, seconds=5))
    html = squeezed(signed_in(organiser).get(at("session_scoresheets", 1)).content.decode())
    assert "<time>12 分鐘</time>" in html
    second.set_double_entry_percent(table.session.stage, percent=0, by=organiser)
    Scoresheet.objects.update(state_since=timezone.now() - timedelta(hours=5))
    assert "<time>5 小時</time>" in squeezed(signed_in(organiser).get(at("session_scoresheets", 1)).content.decode())


# --- Nobody who may type it reads it --------------------------------------------------------------------
PAGES = ("scoresheet", "check_scoresheet", "dispute", "correction", "type_scoresheet_again", "session_scoresheets")


def said_to(client: Client, name: str) -> str:
    """A page of the table, or of its session, with wherever it leads."""
    place = (1, 1) if name != "session_scoresheets" else (1,)
    return squeezed(client.get(at(name, *place), follow=True).content.decode())


def test_no_page_of_a_waiting_or_disputed_sheet_tells_its_values(
    table: Table, second_clerk: User, organiser: User, auditor: User, signed_in: Any
) -> None:
    digest = Scoresheet.objects.get().digest
    telling = re.compile(rf"{a_number('14')}|{short_digest_code(digest)}|{digest}")
    for revision in (2, 3):
        for reader in (second_clerk, organiser, auditor):
            said = {name: said_to(signed_in(reader), name) for name in PAGES}
            assert {name: telling.findall(html) for name, html in said.items()} == {name: [] for name in said}
        if revision == 2:
            sent = {"do": "raise", "revision": "2", "request_key": "raise", "reason": "cannot be read"}
            assert signed_in(second_clerk).post(at("dispute", 1, 1), sent).status_code == 302


def test_what_was_typed_beside_the_first_may_become_the_second_typing(
    table: Table, second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(second_clerk)
    fields = {
        "revision": "0",
        "form": "paper",
        "request_key": "late",
        "do": "save",
        **fields_of_typed_sheet(other_paper()),
    }
    page = client.post(at("scoresheet", 1, 1), fields)
    assert (page.status_code, "不向你顯示" in squeezed(page.content.decode())) == (409, True)
    assert (page.context["may_type_again"], page.context["typed"]) == (True, fields_of_typed_sheet(other_paper()))
    assert send(client, other_paper(), "save").status_code == 302
    assert texts(DoubleEntry.objects.get().typed) == texts(other_paper())


def test_two_at_the_second_typing_see_both_values_and_one_chooses(
    table: Table, second_clerk: User, organiser: User, signed_in: Any
) -> None:
    send(signed_in(second_clerk), other_paper(), "save")
    page = send(signed_in(organiser), paper(), "save")
    html = squeezed(page.content.decode())
    assert (page.status_code, [one.name for one in page.context["differences"]]) == (412, list(DIFFERING))
    assert (second_clerk.username in html, f'action="{at("type_scoresheet_again", 1, 1)}"' in html) == (True, True)
    chosen = {**fields_of_typed_sheet(paper()), DIFFERING[0]: fields_of_typed_sheet(other_paper())[DIFFERING[0]]}
    kept = send(signed_in(organiser), paper(), "save", revision="1", **chosen)
    assert (kept.status_code, DoubleEntry.objects.get().typed_by) == (302, organiser)
    late = send(signed_in(second_clerk), other_paper(), "submit", revision="1")
    assert (late.status_code, late.context["may_choose"]) == (412, True)

"""The pages on which sheets are typed: what a person sees, and what is never lost."""

import zlib
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.sheets.tables import GAMES, TOTALS, changed, paper, settle
from tests.squeezed import squeezed
from tournament.core.enums import SheetForm, SheetState
from tournament.core.models.stage import Session
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables of a session that is drawn."""
    return settle(first_session, organiser, [4, 4, 3])


def at(name: str, *args: int | str) -> str:
    """An address of the event."""
    return reverse(name, args=["hk-2026", *args])


def send(client: Client, typed: Any, do: str, table: int = 1, **more: str) -> Any:
    """The typing page sent as a browser without scripts sends it."""
    key = str(zlib.crc32(repr((do, table, typed, sorted(more.items()))).encode()))
    fields = {"revision": "0", "form": "paper", "request_key": key, "do": do}
    return client.post(at("scoresheet", 1, table), {**fields, **fields_of_typed_sheet(typed), **more})


def looked(client: Client, typed: Any, **more: str) -> dict[str, str]:
    """A tick for all that the page asks to look at."""
    page = send(client, typed, "judge", **more)
    return {f"tick-{one.key}": "on" for one in page.context["grid"].look}


def submitted(client: Client, table: int = 1, revision: str = "0") -> Any:
    """A sheet without fault, handed on."""
    ticks = looked(client, paper(), table=table)
    return send(client, paper(), "submit", table, revision=revision, **ticks)


# --- Who may --------------------------------------------------------------------------------------------
RIGHTS = [
    # page, method, organiser, clerk, chief judge, auditor, referee
    ("scoresheets", "get", (200, 200, 200, 200, 403)),
    ("session_scoresheets", "get", (200, 200, 200, 200, 403)),
    ("scoresheet", "get", (200, 200, 200, 200, 403)),
    ("scoresheet", "post", (302, 302, 403, 403, 403)),
    ("check_scoresheet", "get", (302, 302, 302, 403, 403)),
    ("stamp_scoresheets", "post", (302, 403, 403, 403, 403)),
    ("stamp_scoresheet", "post", (404, 403, 403, 403, 403)),
]


@pytest.mark.parametrize(("page", "method", "answers"), RIGHTS)
def test_each_page_answers_each_role_by_its_right(
    tables: list[Table],
    organiser: User,
    clerk: User,
    chief_judge: User,
    auditor: User,
    referee: User,
    signed_in: Any,
    page: str,
    method: str,
    answers: tuple[int, ...],
) -> None:
    places = {"scoresheets": (), "session_scoresheets": (1,), "stamp_scoresheets": (1,)}
    found = []
    for number, user in enumerate((organiser, clerk, chief_judge, auditor, referee)):
        table = 2 if number else 1
        client = signed_in(user)
        sent = {"request_key": "k", "revision": "0", "form": "paper", "do": "save"} if method == "post" else {}
        found.append(getattr(client, method)(at(page, *places.get(page, (1, table))), sent).status_code)
    assert tuple(found) == answers


def test_nobody_signed_in_is_sent_to_the_sign_in_page(tables: list[Table], client: Client) -> None:
    response = client.get(at("scoresheet", 1, 1))
    assert (response.status_code, response["Location"].startswith(reverse("sign_in"))) == (302, True)


def test_a_table_that_is_not_there_is_a_404(tables: list[Table], clerk: User, signed_in: Any) -> None:
    assert [signed_in(clerk).get(at("scoresheet", *place)).status_code for place in ((1, 9), (13, 1))] == [404, 404]


# --- Typing ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_the_cells_stand_in_the_order_of_the_paper(
    tables: list[Table], clerk: User, signed_in: Any, language: str
) -> None:
    client = signed_in(clerk)
    client.cookies["django_language"] = language
    html = squeezed(client.get(at("scoresheet", 1, 1)).content.decode())
    rows = [f"games-{game}-" for game in range(3)]
    names = []
    for row in rows:
        names.append(f"{row}ended_by")
        names += [f"{row}{letter}-{cell}" for letter in "ABCD" for cell in ("win", "points", "tiles")]
    names += [f"totals-{letter}-{cell}" for letter in "ABCD" for cell in ("wins", "points", "tiles")]
    places = [html.index(f'id="{name}"') for name in names]
    assert places == sorted(places)


def test_a_fresh_sheet_shows_no_fault(tables: list[Table], clerk: User, signed_in: Any) -> None:
    page = signed_in(clerk).get(at("scoresheet", 1, 1))
    assert (list(page.context["grid"].sentences), page.context["revision"]) == ([], 0)


def test_a_draft_is_saved_and_shown_again_as_typed_with_who_and_when(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    typed = changed(paper(), 1, "A", points="－１４")
    assert send(client, typed, "save").status_code == 302
    page = client.get(at("scoresheet", 1, 1))
    html = squeezed(page.content.decode())
    assert 'value="－１４"' in html
    assert "由 clerk 暫存" in html
    assert Scoresheet.objects.get().typed == typed


def test_a_refused_submission_shows_the_same_page_with_every_text_and_every_fault(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    typed = changed(paper(), 2, "C", points="-21")
    typed["totals"]["B"]["tiles"] = "14"
    page = send(client, typed, "submit")
    html = squeezed(page.content.decode())
    assert page.status_code == 409
    assert "第 2 局各人得分相加是 −9，應為 0。" in html
    assert "寫 14；各局相加是 15。" in html
    assert 'value="offer:games-1-C-points=-12"' in html
    assert all(
        f'name="{name}" value="{value}"' in html
        for name, value in fields_of_typed_sheet(typed).items()
        if "points" in name
    )
    assert Scoresheet.objects.get().state == SheetState.DRAFT
    assert page.context["revision"] == 1


def test_a_fault_s_way_out_is_a_button_that_works_without_script(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    typed = changed(paper(), 2, "C", points="-21")
    page = send(signed_in(clerk), typed, "offer:games-1-C-points=-12")
    assert 'name="games-1-C-points" value="-12"' in squeezed(page.content.decode())
    assert list(page.context["grid"].mend) == []
    assert Scoresheet.objects.count() == 0


def test_what_is_unusual_is_passed_by_a_tick_and_then_the_sheet_is_handed_on(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    page = send(client, paper(), "submit")
    assert (page.status_code, [one.label for one in page.context["grid"].look]) == (409, ["第 3 局·A、D 得分"])
    ticks = {f"tick-{one.key}": "on" for one in page.context["grid"].look}
    answer = send(client, paper(), "submit", revision="1", **ticks)
    assert answer["Location"] == at("session_scoresheets", 1) + "?after=1"
    assert set(Scoresheet.objects.get().confirmations.values()) == {"as on the paper"}


def test_asked_while_one_types_it_answers_the_sheet_alone_and_saves_nothing(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    fields = {
        "revision": "0",
        "form": "paper",
        "do": "judge",
        **fields_of_typed_sheet(changed(paper(), 2, "C", points="-21")),
    }
    answer = signed_in(clerk).post(at("scoresheet", 1, 1), fields, headers={"X-Live": "1"})
    html = squeezed(answer.content.decode())
    assert (answer.status_code, "<html" in html, "−9" in html) == (200, False, True)
    assert Scoresheet.objects.count() == 0


def test_the_other_form_keeps_what_the_first_has(tables: list[Table], clerk: User, signed_in: Any) -> None:
    page = send(signed_in(clerk), paper(), "form:rack")
    html = squeezed(page.content.decode())
    assert page.context["form"] == SheetForm.RACK
    assert '<input type="hidden" name="games-0-A-points" value="-14">' in html
    assert 'id="games-0-A-rack"' in html


def test_a_sheet_from_racks_is_computed(tables: list[Table], clerk: User, signed_in: Any) -> None:
    sent = {
        "games-0-ended_by": "rummikub",
        "games-0-A-tiles": "0",
        "games-0-B-face_value": "21",
        "games-0-B-tiles": "5",
        "games-0-C-face_value": "87",
        "games-0-C-tiles": "14",
        "games-0-C-unopened": "on",
        "games-0-C-could_open": "no",
        "games-0-D-face_value": "9",
        "games-0-D-tiles": "2",
        "games-1-ended_by": "not_played",
        "games-2-ended_by": "not_played",
    }
    fields = {"revision": "0", "form": "rack", "do": "submit", "request_key": "k", **sent}
    client = signed_in(clerk)
    answer = client.post(at("scoresheet", 1, 1), fields)
    assert answer.status_code == 302, [(one.label, one.text) for one in answer.context["grid"].sentences]
    lines = Scoresheet.objects.get().games.get(number=1).lines.values_list("letter", "win", "points_twelfths", "opened")
    assert list(lines) == [
        ("A", 1, 1560, True),
        ("B", 0, -252, True),
        ("C", 0, -1200, False),
        ("D", 0, -108, True),
    ]


def test_nobody_types_at_an_empty_seat(tables: list[Table], clerk: User, signed_in: Any) -> None:
    html = squeezed(signed_in(clerk).get(at("scoresheet", 1, 3)).content.decode())
    assert ('id="games-0-C-points"' in html, 'id="games-0-D-points"' in html) == (True, False)


def test_a_session_that_is_not_drawn_says_who_must_do_what(
    first_session: Session, clerk: User, organiser: User, signed_in: Any
) -> None:
    settle(first_session, organiser, confirmed=False)
    client = signed_in(clerk)
    said = "主辦確認編位後，便可列印及輸入計分紙。"
    assert [
        said in squeezed(client.get(page).content.decode())
        for page in (at("scoresheet", 1, 1), at("session_scoresheets", 1))
    ] == [
        True,
        True,
    ]


# --- Two people at one sheet ----------------------------------------------------------------------------
@pytest.mark.fault("N3")
def test_two_people_see_both_values_and_one_chooses(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    send(signed_in(clerk), changed(paper(), 1, "A", tiles="4"), "save")
    mine = changed(paper(), 1, "A", tiles="5")
    page = send(signed_in(second_clerk), mine, "save")
    assert page.status_code == 412
    assert [(one.label, one.mine, one.theirs) for one in page.context["differences"]] == [("第 1 局·A 剩牌", "5", "4")]
    html = squeezed(page.content.decode())
    assert 'name="games-0-A-tiles" value="5" required' in html
    assert Scoresheet.objects.get().typed_by == clerk
    chosen = send(signed_in(second_clerk), mine, "save", revision="1")
    assert chosen.status_code == 302
    assert Scoresheet.objects.get().typed["games"][0]["seats"]["A"]["tiles"] == "5"


def test_what_was_typed_over_a_locked_sheet_is_still_shown(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    submitted(client)
    table = queries.find_table_of_event(tables[0].session.stage.event, 1, 1)
    assert table is not None
    signing.certify_scoresheet(
        table, revision=2, signatures=dict.fromkeys("ABCD", ""), by=second_clerk, request_key="certify"
    )
    page = send(client, changed(paper(), 1, "A", tiles="5"), "save", revision="2")
    assert (page.status_code, page.context["may_choose"]) == (423, False)
    assert [(one.mine, one.theirs) for one in page.context["differences"]] == [("5", "3")]


# --- After typing ---------------------------------------------------------------------------------------
def test_the_typist_takes_a_sheet_back_and_nobody_else_is_offered_it(
    tables: list[Table], clerk: User, second_clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    submitted(client)
    offered = [
        b'value="reopen"' in signed_in(user).get(at("scoresheet", 1, 1)).content for user in (clerk, second_clerk)
    ]
    assert offered == [True, False]
    answer = client.post(at("scoresheet", 1, 1), {"do": "reopen", "revision": "2", "request_key": "back"})
    assert (answer.status_code, Scoresheet.objects.get().state) == (302, SheetState.DRAFT)


@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_every_page_stands_in_both_languages(
    tables: list[Table], clerk: User, auditor: User, signed_in: Any, language: str
) -> None:
    submitted(signed_in(clerk))
    client = signed_in(auditor)
    client.cookies["django_language"] = language
    pages = [at("scoresheets"), at("session_scoresheets", 1), at("scoresheet", 1, 1), at("scoresheet", 1, 2)]
    with translation.override(language):
        titles = [translation.gettext("Scoresheets"), translation.gettext("Scoresheet")]
    for page in pages:
        response = client.get(page)
        assert response.status_code == 200
        assert any(title in squeezed(response.content.decode()) for title in titles)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("2", (1, 2)),
        (" ２ ", (1, 2)),
        ("0328-1-03", (1, 3)),
        ("０３２８－１－０３", (1, 3)),
        ("http://desk.local/desk/hk-2026/scoresheets/1/3/", (1, 3)),
    ],
)
def test_a_sheet_is_found_by_number_serial_or_scanned_address(
    tables: list[Table], clerk: User, signed_in: Any, text: str, place: tuple[int, int]
) -> None:
    answer = signed_in(clerk).get(at("session_scoresheets", 1), {"find": text})
    paper = "?print=1" if len(text) == 9 else ""
    assert (answer.status_code, answer["Location"]) == (302, at("scoresheet", *place) + paper)


@pytest.mark.parametrize("text", ["26", "0329-1-01", "abc", "<b>", "9999999"])
def test_what_is_not_found_is_said_and_the_board_stays(
    tables: list[Table], clerk: User, signed_in: Any, text: str
) -> None:
    answer = signed_in(clerk).get(at("session_scoresheets", 1), {"find": text})
    assert (answer.status_code, "找不到計分紙" in squeezed(answer.content.decode()), b"<b></" in answer.content) == (
        200,
        True,
        False,
    )


def test_the_board_asks_as_many_queries_for_three_tables_as_for_one(
    first_session: Session, organiser: User, clerk: User, signed_in: Any, django_assert_num_queries: Any
) -> None:
    second = Session.objects.get(stage=first_session.stage, number=2)
    settle(first_session, organiser, [4])
    settle_more(second, organiser)
    client = signed_in(clerk)
    for session in (1, 2):
        with django_assert_num_queries(10):
            assert client.get(at("session_scoresheets", session)).status_code == 200
    with django_assert_num_queries(6):
        client.get(at("scoresheets"))


def settle_more(session: Session, by: User) -> None:
    """Three tables with sheets in another session of the event, numbers apart from the first's."""
    for table in settle(session, by, [4, 4, 4], first=500):
        found = queries.find_table_of_event(session.stage.event, session.number, table.number)
        assert found is not None
        scoresheets.save_scoresheet(
            found,
            revision=0,
            form=SheetForm.PAPER,
            typed=paper(GAMES, TOTALS),
            by=by,
            request_key=f"save-{table.number}",
        )


def test_a_draft_kept_while_one_types_answers_the_new_revision_and_a_new_key(
    tables: list[Table], clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    fields = {"revision": "0", "form": "paper", "do": "save", "request_key": "kept", **fields_of_typed_sheet(paper())}
    html = squeezed(client.post(at("scoresheet", 1, 1), fields, headers={"X-Live": "1"}).content.decode())
    assert ('name="revision" value="1"' in html, "<html" in html, 'value="kept"' in html) == (True, False, False)
    assert Scoresheet.objects.get().revision == 1

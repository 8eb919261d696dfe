"""The page of the cut: everybody sees it, the chief judge decides, and a refusal keeps what was typed."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.ranking.models.tie_break import TieBreak

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/preliminary/qualification/"
GIVEN = {
    "tied": "2,6",
    "places": "1",
    "replaces": "",
    "method": "pick",
    "admitted": ["6"],
    "reason": "0006 went out.",
}


@pytest.fixture
def session(first_session: Session, organiser: User) -> Session:
    """0002 and 0006 are tied for one place."""
    mirrored_tables(first_session, organiser)
    return first_session


def test_the_chief_judge_records_a_decision(session: Session, chief_judge: User, signed_in: Any) -> None:
    client = signed_in(chief_judge)
    assert "公佈須待此決定" in squeezed(client.get(PAGE).content.decode())
    assert client.post(PAGE, GIVEN).headers["Location"] == PAGE
    assert TieBreak.objects.values_list("tied", "places", "method", "admitted", "by").get() == (
        ["0002", "0006"],
        1,
        "pick",
        ["0006"],
        chief_judge.pk,
    )
    page = squeezed(client.get(PAGE).content.decode())
    assert page.index('id="n0006"') < page.index('id="line"') < page.index('id="n0002"')
    assert "決定已記錄" in page and "候補 1" in page


@pytest.mark.parametrize("username", ["organiser", "clerk", "auditor"])
def test_nobody_else_decides(session: Session, signed_in: Any, request: Any, username: str) -> None:
    client = signed_in(request.getfixturevalue(username))
    assert '<form method="post" class' not in squeezed(client.get(PAGE).content.decode())
    assert client.post(PAGE, GIVEN).status_code == 403
    assert not TieBreak.objects.exists()


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [
        ({"reason": ""}, 400, "請寫下理由：會隨排名公佈。"),
        ({"method": ""}, 400, "請選擇處理方法。"),
        ({"admitted": []}, 400, "已選 0 人，名額有 1 個，人數須相同。"),
        ({"method": "lots", "witnesses": "Two", "value": "5"}, 409, "未為他們公佈抽籤"),
        ({"reason": "CHAN Tai6 Man went out."}, 400, "這段文字會公開，但透露了個人身份"),
        ({"tied": "2,6,7"}, 412, "開啟本頁後同分情況有變"),
        ({"tied": "x", "admitted": []}, 412, "開啟本頁後同分情況有變"),
        ({"places": "2", "admitted": ["2", "6"]}, 412, "開啟本頁後同分情況有變"),
    ],
)
def test_a_refusal_says_what_to_do_and_keeps_what_was_typed(
    session: Session, chief_judge: User, signed_in: Any, changes: dict[str, Any], status: int, sentence: str
) -> None:
    answer = signed_in(chief_judge).post(PAGE, {**GIVEN, **changes})
    page = squeezed(answer.content.decode())
    assert (answer.status_code, sentence in page) == (status, True)
    assert ({**GIVEN, **changes}["reason"] in page, TieBreak.objects.exists()) == (True, False)


def test_a_decision_that_has_lapsed_is_shown_as_such(session: Session, chief_judge: User, signed_in: Any) -> None:
    client = signed_in(chief_judge)
    client.post(PAGE, GIVEN)
    Entrant.objects.filter(number=5).update(status=EntrantStatus.WITHDRAWN)
    page = squeezed(client.get(PAGE).content.decode())
    assert "已失效的決定" in page


def test_a_decision_is_replaced_from_the_page_that_shows_it_by_two_people(
    session: Session, chief_judge: User, organiser: User, signed_in: Any
) -> None:
    client = signed_in(chief_judge)
    client.post(PAGE, GIVEN)
    other = {**GIVEN, "admitted": ["2"], "reason": "0002 went out."}
    assert client.post(PAGE, other).status_code == 409
    first = TieBreak.objects.get()
    waiting = client.post(PAGE, {**other, "replaces": str(first.pk)})
    assert (waiting.status_code, TieBreak.objects.count()) == (302, 1)
    page = squeezed(client.get(waiting.headers["Location"]).content.decode())
    assert "這是你提出的" in page and client.post(waiting.headers["Location"], {"compared": "on"}).status_code == 403
    second = signed_in(organiser)
    assert second.post(waiting.headers["Location"], {}).status_code == 400
    assert second.post(waiting.headers["Location"], {"compared": "on"}).status_code == 302
    assert TieBreak.objects.values_list("admitted", "agreed_by").first() == (["0002"], organiser.pk)


def test_without_a_tie_the_line_is_drawn_and_nothing_is_asked(
    session: Session, chief_judge: User, signed_in: Any
) -> None:
    stage = session.stage
    stage.advance = 4
    stage.save()
    page = squeezed(signed_in(chief_judge).get(PAGE).content.decode())
    assert "沒有同分" in page and "晉級線：以上 4 名晉級" in page


def test_before_any_sheet_it_says_when_the_ranking_begins(
    first_session: Session, auditor: User, signed_in: Any
) -> None:
    assert "尚未有排名" in squeezed(signed_in(auditor).get(PAGE).content.decode())

"""The live ranking's page: for officials alone, whole on one page, and found by number or name."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.guards_lifted import lifted
from tests.sheets.sheets import GAMES, add_entrants, draw, lock_sheets, mirrored_tables
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.sheets.models.signing import Stamp

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/preliminary/ranking/"


def test_it_is_for_officials_of_the_event_alone(
    event: Any, organiser: User, auditor: User, clerk: User, chief_judge: User, referee: User, signed_in: Any
) -> None:
    assert Client().get(PAGE).status_code == 302
    seen = {
        user.username: signed_in(user).get(PAGE).status_code
        for user in (organiser, clerk, chief_judge, auditor, referee)
    }
    assert seen == {"organiser": 200, "clerk": 403, "chief_judge": 200, "auditor": 200, "referee": 403}


def test_before_any_sheet_it_says_when_the_ranking_begins(event: Any, auditor: User, signed_in: Any) -> None:
    page = squeezed(signed_in(auditor).get(PAGE).content.decode())
    assert "尚未有排名" in page and "第一張計分紙經第二人核實後便有排名。" in page


def test_shared_ranks_exact_averages_and_the_line(first_session: Session, organiser: User, signed_in: Any) -> None:
    mirrored_tables(first_session, organiser, advance=4)
    page = squeezed(signed_in(organiser).get(PAGE).content.decode())
    assert page.count("<b>1=</b>") == 2
    assert '<span class="q">24<span class="fr"> <sup>1</sup>/<sub>6</sub></span></span>' in page
    assert page.index('id="n0006"') < page.index('id="line"') < page.index('id="n0003"')


def heads(page: str) -> list[str]:
    """The heads of the ranking's columns."""
    table = page.split('<table class="grid standings')[1].split("</thead>")[0]
    return re.findall(r"<th[^>]*>([^<]+)</th>", table)


def test_the_session_is_a_column_where_each_plays_one_and_none_where_all_play_all(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    mirrored_tables(first_session, organiser)
    client = signed_in(organiser)
    page = squeezed(client.get(PAGE).content.decode())
    assert heads(page) == ["名次", "編號", "姓名", "場次", "勝局", "得分", "平均分", "剩牌"]
    Stage.objects.update(rounds=2)
    in_rounds = squeezed(client.get(PAGE).content.decode())
    assert heads(in_rounds) == [head for head in heads(page) if head != "場次"]


def test_what_is_not_stamped_is_marked(first_session: Session, organiser: User, signed_in: Any) -> None:
    mirrored_tables(first_session, organiser)
    with lifted():
        Stamp.objects.filter(scoresheet__table__number=2).delete()
    page = squeezed(signed_in(organiser).get(PAGE).content.decode())
    assert page.split('id="n0001"')[1].split("</tr>")[0].count("未蓋印") == 0
    assert page.split('id="n0005"')[1].split("</tr>")[0].count("未蓋印") == 1


def test_where_a_tie_crosses_the_line_none_is_drawn(first_session: Session, organiser: User, signed_in: Any) -> None:
    mirrored_tables(first_session, organiser, advance=3)
    assert 'id="line"' not in squeezed(signed_in(organiser).get(PAGE).content.decode())


@pytest.mark.parametrize(
    ("wanted", "numbers"), [("6", ["0006"]), ("0006", ["0006"]), ("tai3 man", ["0003"]), ("nobody", [])]
)
def test_an_entrant_is_found_by_number_or_name(
    first_session: Session, organiser: User, signed_in: Any, wanted: str, numbers: list[str]
) -> None:
    mirrored_tables(first_session, organiser)
    page = squeezed(signed_in(organiser).get(PAGE, {"q": wanted}).content.decode())
    assert [part[:4] for part in page.split('<tr id="n')[1:]] == numbers
    assert ("找不到" in page) is (not numbers)


@pytest.mark.parametrize("tables", [1, 3])
def test_it_asks_as_many_queries_for_one_table_as_for_three(
    first_session: Session, organiser: User, signed_in: Any, django_assert_num_queries: Any, tables: int
) -> None:
    entrants = add_entrants(first_session, range(1, 4 * tables + 2))
    drawn = draw(first_session, [entrants[4 * k : 4 * k + 4] for k in range(tables)], organiser)
    lock_sheets(drawn, [GAMES] * tables, organiser)
    client = signed_in(organiser)
    client.get(PAGE)
    with django_assert_num_queries(9):
        client.get(PAGE)


def test_it_is_complete_in_english(first_session: Session, organiser: User, signed_in: Any) -> None:
    mirrored_tables(first_session, organiser)
    client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    page = squeezed(client.get(PAGE).content.decode())
    assert "Live ranking" in page and "2 of 2 scoresheets counted" in page


def test_the_desk_reads_why_somebody_has_no_rank_and_asks_for_it(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    mirrored_tables(first_session, organiser)
    reasons = {9: "withdrawn", 10: "forfeited", 11: "disqualified"}
    for number, status in reasons.items():
        add_entrants(first_session, [number], status=EntrantStatus(status))
    client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    page = squeezed(client.get(PAGE).content.decode())
    assert "no-show 1·withdrawn 1·disqualified 1" in re.sub(r"\s*·", "·", page)
    for number, status in reasons.items():
        narrowed = squeezed(client.get(PAGE, {"status": status}).content.decode())
        found = [other for other in reasons if f'{PAGE}{other}/"' in narrowed]
        assert (f'<option value="{status}" selected' in narrowed, found) == (True, [number])

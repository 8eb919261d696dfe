"""Who is who, who may, and what is published, walked in Chromium: a rename behind a locked sheet, a name in a public
text, dates with the month first, a name with a rabbit, a role that somebody gives to be both people."""

import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_fits, window_of
from tests.entrant_lists import csv_of, sound_row
from tests.seated import enter
from tests.sheets.sheets import GAMES, lock_sheets, mirrored_tables
from tournament.accounts.models import Proposal
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.core.queries import roles
from tournament.entrants.models.people import Person
from tournament.ranking.domain.standings import live_ranking
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.seating.services import seating

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAME = "CHEUNG Ka Yan"
NAMED = f"{NAME} 先出完牌，0002 其次"
SAID = f"「{NAME}」是 0006 的姓名"
CLEAN = "0006 先出完牌，0002 其次"
# Which of the dates proves the month: the third. Each can else be read both ways.
MONTHS_FIRST = {"3/4/2015": date(2015, 3, 4), "5/6/1990": date(1990, 5, 6), "8/15/1988": date(1988, 8, 15)}
RABBIT = "陳🐰明"


@pytest.fixture
def windows(browser: Browser, live_server: Any) -> Any:
    """A function: the window of an account, whose scripts must not fail."""

    def open_window(user: User) -> Page:
        page = window_of(browser, live_server.url, user)
        page.on("pageerror", lambda fault: pytest.fail(str(fault)))
        return page

    return open_window


@pytest.fixture
def desk(live_server: Any) -> str:
    """Where the desk's pages begin."""
    return f"{live_server.url}/desk/hk-2026"


@pytest.fixture
def played(first_session: Session, organiser: User) -> Session:
    """Two tables with stamped sheets; 0002 and 0006 share a rank across the line."""
    mirrored_tables(first_session, organiser)
    Person.objects.filter(entrant__number=6).update(name_zh="張嘉欣", name_en=NAME)
    return first_session


def ranking_of(session: Session) -> list[tuple[int, str, str, str]]:
    """Rank, number and names of everybody who is ranked, as the desk sees them now."""
    ranked = live_ranking(session.stage).ranked
    return [(one.rank, str(one.number), one.name_zh, one.name_en) for one in ranked]


def upload(page: Page, desk: str, folder: Path, rows: list[dict[str, Any]]) -> None:
    """Hand in a CSV; its preview opens."""
    path = folder / "list.csv"
    path.write_bytes(csv_of(rows))
    page.goto(f"{desk}/import/")
    page.get_by_label("參賽者名單").set_input_files(path)
    page.get_by_role("button", name="讀取").press("Enter")
    page.wait_for_url(re.compile(r"/import/\d+/$"))


# --- A clerk renames who has played ---------------------------------------------------------------------
def rename(page: Page, desk: str, zh: str, en: str) -> None:
    """Type other names for 0001, with the reason; it waits."""
    page.goto(f"{desk}/entrants/1/change/")
    for name, text in (("name_zh", zh), ("name_en", en), ("reason", "家長出示改名契")):
        page.locator(f"#id_{name}").fill(text)
    page.get_by_role("button", name="儲存更正").press("Enter")
    page.wait_for_url("**/entrants/1/")
    expect(page.get_by_text("尚未更改")).to_be_visible()


def test_a_rename_behind_a_locked_sheet_waits_for_the_chief_judge(
    windows: Any, desk: str, played: Session, clerk: User, chief_judge: User
) -> None:
    Person.objects.update(consent_guardian=True, guardian="CHAN Parent")
    before = ranking_of(played)
    typist, judge = windows(clerk), windows(chief_judge)
    rename(typist, desk, "何小明", "HO Siu Ming")
    assert_fits(typist)
    assert ranking_of(played) == before
    address = f"{desk}/proposals/{Proposal.objects.get().pk}/person/"
    typist.goto(address)
    expect(typist.get_by_role("button", name="撤回")).to_be_visible()
    expect(typist.get_by_role("button", name="已核對")).to_have_count(0)

    judge.goto(address)
    rows = judge.locator("table.grid tbody tr")
    expect(rows.nth(0).locator("td")).to_have_text([before[0][2], "何小明"])
    expect(rows.nth(1).locator("td")).to_have_text([before[0][3], "HO Siu Ming"])
    expect(judge.locator("dl.facts")).to_contain_text("李*小 → 何*明")
    assert_fits(judge)
    judge.locator("#reason").fill("改名契沒有蓋印")
    judge.get_by_role("button", name="不同意").press("Enter")
    judge.wait_for_url("**/proposals/")
    assert (ranking_of(played), Proposal.objects.get().outcome) == (before, "refused")

    rename(typist, desk, "何小明", "HO Siu Ming")
    judge.goto(f"{desk}/proposals/{Proposal.objects.get(outcome='').pk}/person/")
    judge.get_by_role("button", name="已核對").press("Enter")
    judge.wait_for_url("**/proposals/")
    assert ranking_of(played) == [(rank, no, *(("何小明", "HO Siu Ming") if no == "1" else names))
                                  for rank, no, *names in before]  # fmt: skip


# --- A name in what will be published -------------------------------------------------------------------
def test_a_reason_that_names_somebody_is_refused_and_a_clean_one_is_shown_first(
    windows: Any, desk: str, played: Session, chief_judge: User
) -> None:
    judge = windows(chief_judge)
    judge.goto(f"{desk}/preliminary/qualification/")
    judge.locator("input[name=method][value=pick]").check()
    judge.locator("input[name=admitted][value='6']").check()
    judge.locator("#id_reason").fill(NAMED)
    judge.get_by_role("button", name="記錄決定").press("Enter")
    expect(judge.get_by_text(SAID)).to_be_visible()
    expect(judge.locator("#id_reason")).to_have_value(NAMED)
    expect(judge.locator("input[name=admitted][value='6']")).to_be_checked()
    assert not TieBreak.objects.exists()
    assert_fits(judge)

    judge.locator("#id_reason").fill(CLEAN)
    judge.locator("button[name=look]").press("Enter")
    expect(judge.locator("#looked p[lang=zh-Hant-HK]")).to_contain_text(CLEAN)
    expect(judge.locator("#looked p[lang=en]")).to_contain_text(f"Reason given by the chief judge: {CLEAN}")
    assert not TieBreak.objects.exists()
    assert_fits(judge)
    judge.get_by_role("button", name="記錄決定").press("Enter")
    expect(judge.get_by_text("決定已記錄")).to_be_visible()
    assert TieBreak.objects.values_list("admitted", "reason").get() == (["0006"], CLEAN)


def test_a_public_figure_that_names_somebody_is_refused_and_kept(
    windows: Any, desk: str, played: Session, chief_judge: User
) -> None:
    judge = windows(chief_judge)
    judge.goto(f"{desk}/preliminary/qualification/")
    judge.get_by_role("link", name="公佈抽籤").press("Enter")
    judge.wait_for_url("**/lots/line/**")
    at = f"{timezone.localtime() + timedelta(days=1):%Y-%m-%dT%H:%M}"
    judge.locator("#id_public_value").fill(f"{NAME} 的生日")
    judge.locator("#id_known_from").fill(at)
    judge.locator("form.card button.primary[type=submit]").press("Enter")
    expect(judge.get_by_text(SAID)).to_be_visible()
    expect(judge.locator("#id_public_value")).to_have_value(f"{NAME} 的生日")
    expect(judge.locator("#id_known_from")).to_have_value(at)
    assert not LotsAnnouncement.objects.exists()
    assert_fits(judge)
    judge.locator("#id_public_value").fill("明天恒生指數收市價，兩位小數")
    judge.locator("form.card button.primary[type=submit]").press("Enter")
    judge.wait_for_url("**/preliminary/qualification/")
    assert LotsAnnouncement.objects.get().public_value == "明天恒生指數收市價，兩位小數"


# --- Dates with the month first -------------------------------------------------------------------------
def test_dates_with_the_month_first_are_asked_about_once_and_read_so(
    windows: Any, desk: str, event: Event, organiser: User, tmp_path: Path
) -> None:
    page = windows(organiser)
    rows = [sound_row(number, birth_date=text, consent_guardian="是", guardian="CHAN Parent")
            for number, text in enumerate(MONTHS_FIRST, start=1)]  # fmt: skip
    upload(page, desk, tmp_path, rows)
    expect(page.get_by_role("button", name="匯入")).to_be_disabled()
    first = page.locator("#dates tbody tr").first
    expect(first).to_contain_text("2015 年 4 月 3 日·10 歲")
    expect(first).to_contain_text("2015 年 3 月 4 日·11 歲")
    assert_fits(page)
    page.locator("#dates button[value=month_first]").press("Enter")
    expect(page.locator("#dates button")).to_have_count(1)
    page.goto(f"{page.url.partition('?')[0]}?show=all")
    expect(page.locator("#rows tbody tr").first).to_contain_text("2015 年 3 月 4 日 11 歲")
    assert_fits(page)
    page.get_by_role("button", name="匯入 3 人").press("Enter")
    expect(page.get_by_text("此檔案已匯入")).to_be_visible()
    born = Person.objects.order_by("entrant__number").values_list("birth_date", flat=True)
    assert list(born) == list(MONTHS_FIRST.values())


# --- A name with a rabbit, from the list to the public page ---------------------------------------------
def test_a_name_with_a_rabbit_goes_from_the_list_to_the_public_page(
    windows: Any, desk: str, live_server: Any, first_session: Session, organiser: User, tmp_path: Path
) -> None:
    page = windows(organiser)
    rows = [sound_row(number, name_zh=f"李大{'文心明怡晴朗峯芝'[number - 1]}") for number in range(1, 9)]
    upload(page, desk, tmp_path, [{**rows[0], "name_zh": RABBIT}, *rows[1:]])
    line = page.locator("#faults tbody")
    expect(line).to_contain_text("🐰")
    expect(page.get_by_role("button", name="匯入 8 人")).to_be_disabled()
    assert_fits(page)
    line.locator("input[name=reason]").fill("出世紙如此")
    line.get_by_role("button", name="接受", exact=True).press("Enter")
    begin = page.get_by_role("button", name="匯入 8 人")
    expect(begin).to_be_enabled()
    begin.press("Enter")
    expect(page.get_by_text("此檔案已匯入")).to_be_visible()
    assert Person.objects.get(entrant__number=1).name_zh == RABBIT
    printed_beside_the_others(page, desk, first_session, organiser)
    released_and_read(page, desk, live_server.url, first_session, organiser)


def printed_beside_the_others(page: Page, desk: str, session: Session, organiser: User) -> None:
    """Seats drawn; every paper is printed, with the name that has no glyph by its English one."""
    seating.draw_session(session, seed=1, by=organiser)
    seating.confirm_session_draw(session, revision=1, by=organiser)
    answer = page.request.get(f"{desk}/scoresheets/1/scoresheets.pdf")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    papers = pypdfium2.PdfDocument(answer.body())
    text = "".join(paper.get_textpage().get_text_bounded() for paper in papers)
    found = [number for number in range(1, 9) if f"{number:04}" in text]
    said = [name in text for name in ("🐰", "CHAN Aaab", "李大心")]
    assert (len(papers), found, said) == (2, list(range(1, 9)), [False, True, True])


def released_and_read(page: Page, desk: str, url: str, session: Session, organiser: User) -> None:
    """The sheets stamped, the ranking released by page; what the public reads."""
    session.stage.advance = 4
    session.stage.save(update_fields=["advance"])
    lock_sheets(list(session.tables.order_by("number")), [GAMES, GAMES], organiser)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    page.goto(f"{desk}/releases/")
    page.locator("input[name=count]").fill("8")
    page.locator("form:has(input[name=count]) button[type=submit]").press("Enter")
    page.wait_for_url("**/releases/1/")
    page.goto(f"{url}/p/hk-2026/")
    expect(page.locator("tr#n0001")).to_contain_text("陳*")
    assert_fits(page)
    assert page.request.get(f"{url}/p/hk-2026/1/ranking.pdf").body().startswith(b"%PDF")
    assert "🐰" not in page.content()


# --- An organiser who would be judge --------------------------------------------------------------------
def test_an_organiser_makes_neither_himself_nor_his_new_account_chief_judge(
    windows: Any, desk: str, first_session: Session, organiser: User, chief_judge: User
) -> None:
    enter(first_session, 4)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    page = windows(organiser)
    page.goto(f"{desk}/accounts/{organiser.pk}/")
    page.get_by_label("總評判").check()
    page.get_by_role("button", name="儲存身份").press("Enter")
    expect(page.get_by_text("不可給予自己的帳戶身份")).to_be_visible()
    assert_fits(page)
    assert roles.roles_at(first_session.stage.event, organiser) == {"organiser"}

    page.goto(f"{desk}/accounts/")
    page.get_by_label("用戶名稱").fill("puppet")
    page.get_by_label("顯示名稱").fill("木偶")
    page.get_by_label("總評判").check()
    page.get_by_role("button", name="加入帳戶").press("Enter")
    expect(page.locator(".password")).to_be_visible()
    assert_fits(page)
    puppet = User.objects.get(username="puppet")
    page.goto(f"{desk}/proposals/{Proposal.objects.get().pk}/role/")
    expect(page.locator("button[value=agree]")).to_have_count(0)
    assert windows(puppet).goto(f"{desk}/preliminary/qualification/").status == 404
    page.goto(f"{desk}/releases/")
    # Named among the roles given in play, and among those that may make a pair.
    expect(page.locator("li", has_text="木偶").filter(has_text="等待第三人同意")).to_have_count(2)
    assert_fits(page)

    judge = windows(chief_judge)
    judge.goto(f"{desk}/proposals/")
    judge.locator("a[href$='/role/']").press("Enter")
    expect(judge.locator("dl.facts")).to_contain_text("puppet")
    assert_fits(judge)
    judge.locator("#reason").fill("不認識此人")
    judge.locator("button[value=refuse]").press("Enter")
    judge.wait_for_url("**/proposals/")
    assert not Membership.granted.filter(user=puppet).exists()

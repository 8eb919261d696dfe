"""The preliminary of a whole event, step by step, each in the hands of its role: from the workbook to the release."""

import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pypdfium2
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser import assert_no_wider
from tests.day.hall import PHONE, Hall
from tournament.core.enums import SheetState
from tournament.core.models.stage import Session
from tournament.demo.day import DemoDay
from tournament.demo.desk import typed_demo_sheet
from tournament.demo.line import PlayedTable
from tournament.entrants.models.people import Entrant
from tournament.releases.models import Release
from tournament.sheets.domain.fields import turn_fields
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Stamp
from tournament.tables.models import Seat, Table

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
SEED = 1
ENDING_KEYS = {"rummikub": "r", "pool": "p", "time": "t", "not_played": "n"}


def import_workbook(hall: Hall) -> None:
    """The clerk hands the workbook in; the organiser decides the birthdays on the day and imports."""
    clerk = hall.signed_in("clerk")
    clerk.goto(hall.desk("import/"))
    clerk.locator("input[type=file]").set_input_files(FIXTURES / "entrants.xlsx")
    clerk.locator("form[enctype] button[type=submit]").click()
    clerk.wait_for_url("**/import/*/")
    organiser = hall.signed_in("organiser")
    accept = organiser.locator("form.answer button[name=accept][value=yes]")
    organiser.goto(f"{clerk.url}?show=faults&every=1")
    while accept.count():
        organiser.locator("form.answer input[name=reason]").first.fill("生日當日比賽，接納")
        accept.first.click()
        organiser.goto(f"{clerk.url}?show=faults&every=1")
    organiser.get_by_role("button", name="匯入 1,200").click()
    expect(organiser.get_by_text("1,200").first).to_be_visible()
    assert Entrant.objects.filter(event=hall.event).count() == 1200


def draw_and_print(hall: Hall, folder: Path) -> None:
    """The organiser draws all seats from a seed, confirms them, and prints 300 sheets."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("seating/"))
    organiser.locator("input[name=seed]").fill(str(SEED))
    organiser.locator("form[action$='seating/draw/'] button").click()
    organiser.locator("form[action$='seating/confirm/'] button").click()
    # A browser without a window has nothing to show a PDF in: it keeps the file.
    with (
        organiser.expect_download() as kept,
        organiser.expect_response(lambda answer: answer.request.method == "GET" and ".pdf" in answer.url) as caught,
    ):
        organiser.get_by_text("列印 300").click()
    printed = caught.value
    assert (printed.status, printed.headers["content-type"]) == (200, "application/pdf")
    kept.value.save_as(folder / "scoresheets.pdf")
    document = pypdfium2.PdfDocument(folder / "scoresheets.pdf")
    assert len(document) == 300
    assert "0328-1-01" in document[0].get_textpage().get_text_bounded()
    assert (Seat.objects.count(), Table.objects.count()) == (1200, 300)


def type_session(hall: Hall, session: Session, day: DemoDay) -> None:
    """A clerk types every sheet by keyboard alone: serial, figures in the order of the paper, hand on."""
    clerk = hall.signed_in("clerk")
    clerk.goto(hall.desk(f"scoresheets/{session.number}/"))
    for table in session.tables.order_by("number"):
        expect(clerk.locator("#find-sheet")).to_be_focused()
        clerk.keyboard.type(f"{session.code}-{table.number:02d}")
        clerk.keyboard.press("Enter")
        clerk.wait_for_url(f"**/scoresheets/{session.number}/{table.number}/**")
        type_sheet(clerk, day.tables[session.number, table.number])
        hand_on(clerk, f"{session.number}/?after={table.number}")
    assert set(sheets_of(session).values_list("state", flat=True)) == {SheetState.READY}


def type_sheet(page: Page, played: PlayedTable) -> None:
    """Follow the cursor from cell to cell to the last, with the figure that the paper has there."""
    figures, before = figures_of(played), ""
    boxes = [name for name in figures if "-emptied_" in name]
    emptied = [name for name in boxes if figures.pop(name)]
    while (cell := focused(page)) != before:
        page.keyboard.type(figures.pop(cell, ""))
        page.keyboard.press("Enter")
        before = cell
    assert {name for name, figure in figures.items() if figure} == set()
    for box in emptied:
        page.locator(f"#{box}").press(" ")


def focused(page: Page) -> str:
    """The id of what has the cursor."""
    return str(page.evaluate("document.activeElement.id"))


def hand_on(page: Page, then: str) -> None:
    """Ctrl and Enter; what is unusual is gone to by F8 and ticked as on the paper, or given its reason."""
    for _look in range(8):
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
        if page.url.endswith(then):
            return
        page.keyboard.press("F8")
        if page.evaluate("document.activeElement.type") == "checkbox":
            page.keyboard.press("Space")
        else:
            page.keyboard.type("總評判看過計分紙")
    raise AssertionError(f"{page.url} is not handed on")


def figures_of(played: PlayedTable) -> dict[str, str]:
    """What stands on the paper, by the name of its cell."""
    sheet = typed_demo_sheet(played)
    found: dict[str, str] = {}
    for row, game in enumerate(sheet["games"]):
        found[f"games-{row}-ended_by"] = ENDING_KEYS[game["ended_by"]]
        if played.games[row].words is not None:
            found |= words_of(row, game)
            continue
        for seat, cells in game["seats"].items():
            found |= {f"games-{row}-{seat}-{name}": cells[name] for name in ("win", "points", "tiles") if name in cells}
    for seat, cells in sheet["totals"].items():
        found |= {f"totals-{seat}-{name}": figure for name, figure in cells.items()}
    return found


def words_of(row: int, game: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a sheet of turns: the words of each turn, whether the rack was emptied, the jokers left."""
    found = {}
    for seat, cells in game["seats"].items():
        turns = turn_fields(cells["turns"], len(cells["turns"]))
        found |= {f"games-{row}-{seat}-{name}": text for name, text in {**turns, "tiles": cells["tiles"]}.items()}
    return found


def check_session(hall: Hall, session: Session) -> None:
    """A second account sees the values read-only, records every signature and certifies, one sheet after the other."""
    other = hall.signed_in("clerk2")
    first = session.tables.order_by("number").first()
    other.goto(hall.desk(f"scoresheets/{session.number}/{first.number}/check/"))
    for _sheet in range(session.tables.count()):
        assert other.locator("main input[name^=games], main select[name^=games]").count() == 0
        for signature in other.locator("input[name^=signed-]").all():
            signature.check()
        address = other.url
        other.locator("button[name=do][value=certify]").click()
        other.wait_for_url(lambda url, before=address: url != before)
    assert set(sheets_of(session).values_list("state", flat=True)) == {SheetState.CERTIFIED}


def stamp_session(hall: Hall, session: Session) -> None:
    """The organiser stamps the session."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk(f"scoresheets/{session.number}/"))
    organiser.locator("form[action$='stamp/'] button").click()
    expect(organiser.locator("form[action$='stamp/'] button")).to_be_disabled()
    assert Stamp.objects.filter(scoresheet__table__session=session).count() == session.tables.count()


def sheets_of(session: Session) -> Any:
    return Scoresheet.objects.filter(table__session=session)


def see_blocked_release(hall: Hall) -> None:
    """With the tie undecided nothing can be released, and the page says why."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("releases/"))
    expect(organiser.locator("ol.blocks > li")).to_have_count(1)
    expect(organiser.locator("input[name=count]")).to_have_count(0)
    assert hall.window().goto(f"{hall.url}/p/{hall.event.slug}/ranking.csv").status == 404


def decide_tie(hall: Hall) -> None:
    """The chief judge announces from which figure lots will be drawn, and draws once it is out, before witnesses."""
    judge = hall.signed_in("judge")
    # The field takes whole minutes, and the page refuses a past one: leave it twenty seconds.
    known_from = timezone.localtime().replace(second=0, microsecond=0) + timedelta(minutes=1)
    if known_from - timezone.localtime() < timedelta(seconds=20):
        known_from += timedelta(minutes=1)
    judge.goto(hall.desk("preliminary/qualification/"))
    judge.locator("a[href*='/lots/line/']").click()
    judge.locator("[name=public_value]").fill("恒生指數收市價，兩位小數")
    judge.locator("[name=known_from]").fill(f"{known_from:%Y-%m-%dT%H:%M}")
    judge.locator("form:has([name=public_value]) button.primary").click()
    judge.wait_for_url("**/preliminary/qualification/")
    time.sleep(max(0, (known_from - timezone.localtime()).total_seconds()) + 1)
    judge.goto(hall.desk("preliminary/qualification/"))
    if not judge.locator("input[name=value]").is_visible():
        judge.locator("details > summary").first.click()
    judge.locator("input[name=method][value=lots]").check()
    judge.locator("input[name=value]").fill("24123.50")
    judge.locator("[name=witnesses]").fill("兩位評審員")
    judge.locator("[name=reason]").fill("三項成績完全相同，抽籤決定")
    judge.locator("form:has(input[name=value]) button.primary").click()
    expect(judge.locator(".badge.done").first).to_be_visible()
    assert hall.stage.tie_breaks.get().method == "lots"


def release_ranking(hall: Hall, ranked: int) -> Release:
    """The organiser releases, typing how many are ranked."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("releases/"))
    organiser.locator("input[name=count]").fill(str(ranked))
    organiser.locator("form:has(input[name=count]) button[type=submit]").click()
    expect(organiser.locator("input[name=count]")).to_have_count(0)
    return Release.objects.get()


def read_on_a_phone(hall: Hall, release: Release, ranked: int) -> None:
    """Both languages at 390 x 844: the line at 120, one's own place by number, nothing wider than the phone."""
    phone = hall.window(viewport=PHONE, locale="zh-HK", has_touch=True)
    for path, language in ((f"/p/{hall.event.slug}/", "zh-Hant"), (f"/p/{hall.event.slug}/en/", "en")):
        phone.goto(f"{hall.url}{path}")
        assert (phone.locator("html").get_attribute("lang") or "").startswith(language)
        rows = phone.locator("table.rank tbody tr")
        expect(rows).to_have_count(ranked + 1)
        assert rows.nth(120).get_attribute("id") == "line"
        assert_no_wider(phone, PHONE["width"])
        number = f"{release.content['ranking'][0]['number']:04d}"
        phone.locator("form[role=search] input").fill(number)
        phone.keyboard.press("Enter")
        expect(phone.locator("[role=status]")).to_be_visible()
        expect(phone.locator("[role=status]")).to_contain_text("1")
    assert phone.context.cookies() == []

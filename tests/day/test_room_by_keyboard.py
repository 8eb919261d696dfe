"""A room rearranged by keyboard in Chromium: picked up, put down, warned of, undone; with the mouse, without script."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser import assert_no_wider, window_of
from tests.conftest import event_data
from tests.seated import enter, seats
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.seating.services import seating
from tournament.setup.services import setup
from tournament.tables.models import Draw

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROOM = "/desk/hk-2026/seating/1/"


@pytest.fixture
def session(db: None) -> Session:
    """Eleven entrants at three tables, two of one family, two of one school; the seats confirmed."""
    event = setup.create_event(event_data())
    organiser: User = accounts.create_account(event, "organiser", "unused-password", "organiser", [Role.ORGANISER])
    found = event.stages.get().sessions.get(number=1)
    enter(found, 11, families={1: "F1", 2: "F1"}, schools={3: "S1", 4: "S1"})
    seating.draw_session(found, seed=1, by=organiser)
    seating.confirm_session_draw(found, revision=1, by=organiser)
    return found


@pytest.fixture
def page(session: Session, browser: Browser, live_server: Any) -> Iterator[Page]:
    """The room, the organiser signed in; a fault of the script or a breach of the content policy fails the test."""
    opened = window_of(browser, live_server.url, User.objects.get(username="organiser"))
    faults: list[str] = []
    opened.on("pageerror", lambda fault: faults.append(str(fault)))
    opened.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    open_room(opened, live_server.url + ROOM)
    yield opened
    opened.context.close()
    assert faults == []


def open_room(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector("[data-room][data-ready]")


def box(page: Page, place: str) -> Any:
    """The seat as the keyboard meets it."""
    return page.locator(f"#seat-{place} input")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def go_to(page: Page, place: str, limit: int = 12) -> None:
    """By arrows alone to a seat: across to its table, then to its letter."""
    table, letter = int(place[:-1]), place[-1]
    for _ in range(limit):
        at = page.evaluate("document.activeElement.closest('.seat').dataset.place")
        here, now = int(at[:-1]), at[-1]
        if at == place:
            return
        if here != table:
            same_row = (here - 1) // 2 == (table - 1) // 2 or page.evaluate(
                "([a, b]) => Math.abs(document.getElementById(`table-${a}`).getBoundingClientRect().top -"
                " document.getElementById(`table-${b}`).getBoundingClientRect().top) < 9",
                [here, table],
            )
            if same_row:
                press(page, "ArrowRight" if table > here else "ArrowLeft")
            else:
                press(page, "ArrowDown" if table > here else "ArrowUp")
        else:
            press(page, "ArrowDown" if letter > now else "ArrowUp")
    raise AssertionError(f"{place} is not to be reached")


def told(page: Page) -> Any:
    return page.locator("[data-says]")


def safe_pair(session: Session, start: str) -> tuple[str, str]:
    """A seat that the entrant at `start` may swap with and break nothing."""
    held = seats(session)
    for place in held:
        if place[0] != start[0]:
            change = seating.preview_seat_exchange(session, held[start], held[place])
            if not change.broke:
                return start, place
    raise AssertionError("no such pair")


def test_two_swap_by_keyboard_alone_and_the_toast_undoes_it(page: Page, session: Session) -> None:
    before = seats(session)
    first, second = safe_pair(session, "1A")

    box(page, first).focus()
    press(page, "Enter")
    expect(told(page)).to_contain_text(f"已拿起 {before[first]:04d}")
    expect(page.locator(f"#seat-{second}")).to_have_class("seat would-fine")
    go_to(page, second)
    expect(told(page)).to_contain_text(f"與 {before[second]:04d} 對調")
    press(page, "Enter")
    page.wait_for_url("**?moved=1")

    assert seats(session) == {**before, first: before[second], second: before[first]}
    expect(page.locator(".toast")).to_contain_text("已對調")
    expect(box(page, second)).to_be_focused()
    press(page, "Control+z")
    expect(page.locator(".toast")).to_contain_text("已還原")
    assert seats(session) == before


def test_an_entrant_goes_to_an_empty_seat_with_the_space_bar(page: Page, session: Session) -> None:
    before = seats(session)
    empty = next(f"{table}D" for table in (1, 2, 3) if f"{table}D" not in before)
    start = next(
        place
        for place in before
        if place[0] != empty[0] and before[place] > 4 and sum(other[0] == place[0] for other in before) == 4
    )
    box(page, start).focus()
    press(page, "Space")
    expect(page.locator(f"#seat-{empty}")).to_have_class("seat free would-fine")
    go_to(page, empty)
    press(page, "Space")
    page.wait_for_url("**?moved=1")

    assert seats(session)[empty] == before[start]
    assert start not in seats(session)


def test_escape_lets_go_and_nothing_is_changed(page: Page, session: Session) -> None:
    before = seats(session)
    box(page, "1A").focus()
    press(page, "Enter", "ArrowRight", "ArrowDown", "Escape")

    expect(told(page)).to_contain_text("已放回")
    expect(page.locator(".in-hand")).to_have_count(0)
    expect(box(page, "1A")).to_be_focused()
    assert seats(session) == before
    assert Draw.objects.get().revision == 1


def test_what_breaks_is_coloured_said_and_asked_before_it_is_done(page: Page, session: Session) -> None:
    before = seats(session)
    home = {number: place for place, number in before.items()}
    target = next(place for place in before if place[0] == home[2][0] and place != home[2] and before[place] > 4)

    box(page, home[1]).focus()
    press(page, "Enter")
    expect(page.locator(f"#seat-{target}")).to_have_class("seat would-family")
    go_to(page, target)
    expect(told(page)).to_contain_text("一家人會同坐")
    press(page, "Enter")
    expect(page.get_by_role("alert").first).to_contain_text("一家人")
    assert seats(session) == before
    expect(page.get_by_role("button", name="仍要對調")).to_be_focused()
    press(page, "Enter")
    page.wait_for_url("**?moved=1")

    assert seats(session)[target] == 1
    expect(page.locator("li.together.family")).to_have_count(2)


def test_a_seat_is_dragged_to_another(page: Page, session: Session) -> None:
    before = seats(session)
    first, second = safe_pair(session, "1B")
    start, end = page.locator(f"#seat-{first} .no"), page.locator(f"#seat-{second} .no")
    start.hover()
    page.mouse.down()
    end.hover()
    expect(page.locator(f"#seat-{second}")).to_have_class(re.compile("over.* would-fine|would-fine.* over"))
    end.hover()
    page.mouse.up()
    page.wait_for_url("**?moved=1")

    assert seats(session) == {**before, first: before[second], second: before[first]}


def test_a_late_entrant_is_given_the_empty_seat_by_keyboard(page: Page, session: Session, live_server: Any) -> None:
    enter(session, 1, first=12)
    before = seats(session)
    empty = next(f"{table}D" for table in (1, 2, 3) if f"{table}D" not in before)
    open_room(page, live_server.url + ROOM)
    page.locator(".late input").focus()
    press(page, "Enter")
    expect(page.locator(f"#seat-{empty}")).to_have_class("seat free would-fine")
    expect(page.locator("#seat-1A")).to_have_class("seat would-refused")
    box(page, empty).focus()
    press(page, "Enter")
    page.wait_for_url("**?moved=1")

    assert seats(session) == {**before, empty: 12}
    expect(page.get_by_text("未有座位")).to_have_count(0)


def test_the_same_is_done_without_script(page: Page, session: Session, live_server: Any) -> None:
    before = seats(session)
    first, second = safe_pair(session, "1A")
    bare = page.context.browser.new_context(java_script_enabled=False, locale="zh-HK")
    bare.add_cookies(page.context.cookies())
    plain = bare.new_page()
    plain.goto(live_server.url + ROOM)
    box(plain, first).check()
    box(plain, second).check()
    with plain.expect_navigation():
        plain.get_by_role("button", name="先看結果").last.click()
    assert seats(session) == before
    with plain.expect_navigation():
        plain.get_by_role("button", name="對調這兩人").click()
    assert seats(session) == {**before, first: before[second], second: before[first]}
    with plain.expect_navigation():
        plain.get_by_role("button", name="還原").first.click()
    assert seats(session) == before


@pytest.mark.parametrize("width", [390, 1024, 1280])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert_no_wider(page, width)

"""The chief judge's queue in Chromium: a new call is heard and seen within seconds, what is being typed stays."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session as SignIn
from playwright.sync_api import Browser, expect

from tests.browser import window_of
from tests.conftest import event_data
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.setup.services import setup
from tournament.sheets.models.conduct import JudgeCall
from tournament.tablets.services import conduct

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNT_TONES = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) { window.tones += 1; return start.apply(this, given); };
"""


@pytest.fixture
def judge(db: None) -> User:
    """A chief judge at an event with two tables."""
    event = setup.create_event(event_data())
    user = accounts.create_account(event, "judge", "unused-password", "judge", [Role.CHIEF_JUDGE, Role.REFEREE])
    settle(Session.objects.select_related("stage__event").get(number=1), user, [4, 4])
    return user


def test_a_new_call_is_heard_and_seen_while_an_answer_is_typed(judge: User, browser: Browser, live_server: Any) -> None:
    first, second = Session.objects.get(number=1).tables.select_related("session__stage__event").order_by("number")
    call = conduct.call_judge(first, reason="牌架有爭議", game=2, letter="B", acting=ActingAccount(judge, "one"))
    page = window_of(browser, live_server.url, judge)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.add_init_script(COUNT_TONES)
    page.goto(f"{live_server.url}/desk/hk-2026/queue/")
    page.get_by_role("button", name="開啟聲音").click()
    page.locator(f"#answer-{call.pk}").press_sequentially("牌架照算")
    assert page.evaluate("window.tones") == 2
    later = conduct.call_judge(second, reason="第三次違規", acting=ActingAccount(judge, "two"))
    expect(page.locator(f"#call-{later.pk}")).to_contain_text("第三次違規", timeout=6000)
    assert (page.title()[:4], page.evaluate("window.tones")) == ("(2) ", 4)
    expect(page.locator(f"#answer-{call.pk}")).to_have_value("牌架照算")
    expect(page.locator(f"#answer-{call.pk}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#call-{call.pk}")).to_have_count(0)
    assert (JudgeCall.objects.get(pk=call.pk).answer, faults) == ("牌架照算", [])


def test_a_half_typed_ruling_outlives_another_press_and_a_sign_in_that_ended(
    judge: User, browser: Browser, live_server: Any
) -> None:
    first, second = Session.objects.get(number=1).tables.select_related("session__stage__event").order_by("number")
    call = conduct.call_judge(first, reason="牌架有爭議", game=2, letter="B", acting=ActingAccount(judge, "one"))
    other = conduct.call_judge(second, reason="第三次違規", acting=ActingAccount(judge, "two"))
    page = window_of(browser, live_server.url, judge)
    page.goto(f"{live_server.url}/desk/hk-2026/queue/")
    typed = page.locator(f"#answer-{call.pk}")
    typed.fill("牌架照算")
    page.locator(f"#call-{other.pk} .go button").click()
    expect(page.locator(f"#call-{other.pk}")).to_contain_text("前往中", timeout=6000)
    expect(typed).to_have_value("牌架照算")
    SignIn.objects.all().delete()
    expect(page.get_by_text("你已登出")).to_be_visible(timeout=6000)
    expect(typed).to_have_value("牌架照算")
    expect(page.get_by_role("link", name="登入")).to_be_visible()

"""Time up and the judge's answer are told once, by sound and shake, each of which can be switched off."""

import pytest
from playwright.sync_api import Browser, Page

from tests.tablets.js.panel_page import panel_page, state, table

pytestmark = pytest.mark.browser

MADE = """async () => {
    const { makeAlerts } = await import("/js/tablet/alerts.js");
    const call = (id, answer) => ({ id, answer });
    const told = (ends, calls) => ({
        session: { number: 1, state: "playing" },
        clock: { started_at: "x", ends_at: new Date(ends).toISOString() },
        tables: [{ number: 5, calls, pause: null, ends_at: null }],
    });
    window.facts = {};
    window.now = 0;
    window.told = [];
    window.shaken = [];
    navigator.vibrate = (pattern) => shaken.push(pattern.length);
    document.addEventListener("alerted", (event) => window.told.push(event.detail));
    let state = told(5000, [call(1, "")]);
    const keepFact = async (name, value) => { facts[name] = value; };
    const store = { state: () => state, fact: (name) => facts[name], keepFact };
    window.alerts = makeAlerts({ store, clock: { now: () => window.now } });
    window.answer = (...calls) => {
        state = told(5000, calls.map(([id, text]) => call(id, text)));
        alerts.looked();
    };
    alerts.looked();
}"""


@pytest.fixture
def page(chromium: Browser) -> Page:
    """A page with the alerts over a state in memory: five seconds are left, a call waits."""
    found = panel_page(chromium, state(table(5)), language="en")
    found.evaluate(MADE)
    return found


def test_time_up_is_told_once_when_the_last_second_is_over(page: Page) -> None:
    page.wait_for_timeout(1200)
    page.evaluate("now = 5000")
    page.wait_for_function("told.length > 0")
    page.wait_for_timeout(1200)
    assert (page.evaluate("told"), page.evaluate("shaken")) == (["time"], [5])


def test_an_answer_of_the_judge_is_told_once_and_those_of_before_the_page_are_not(page: Page) -> None:
    page.evaluate("answer([1, ''], [2, ''])")
    page.evaluate("answer([1, 'play on'], [2, ''])")
    page.evaluate("answer([1, 'play on'], [2, ''])")
    assert (page.evaluate("told"), page.evaluate("shaken")) == (["answer"], [3])


def test_what_is_switched_off_is_neither_heard_nor_felt_and_stays_off(page: Page) -> None:
    page.evaluate("document.body.append(...alerts.switches())")
    for name in ("Sound: on", "Vibration: on"):
        page.get_by_role("button", name=name, exact=True).click()
    page.evaluate("answer([1, 'play on'])")
    assert (page.evaluate("facts"), page.evaluate("shaken")) == ({"sound": False, "vibration": False}, [])
    assert page.get_by_role("button", name="Vibration: off", exact=True).get_attribute("aria-pressed") == "false"

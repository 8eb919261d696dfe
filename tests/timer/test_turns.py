"""The turn timer's state as a pure module, in Chromium: worked cases as data, and games by chance against a model."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.timer.turn_model import played

pytestmark = pytest.mark.browser

MODULE = Path(__file__).resolve().parents[2] / "tournament" / "static" / "js" / "timer" / "turns.js"
ASKING = Path(__file__).with_name("turn_questions.js")
SEED, GAMES, ACTS_OF_GAME = 20260406, 300, 40
USUAL = {"seats": 4, "seconds": 60}
NONE = [[0, 0]] * 4
B_OVER = [[0, 0], [1, 7000], [0, 0], [0, 0]]

# Settings, acts [name, ms since the last, value], and what is shown: state, seat, left, over, paused, overtime by seat.
CASES: dict[str, tuple[dict[str, Any], list[list[Any]], list[list[Any]]]] = {
    "a press begins the turn, the next one ends it and the next player presses": (
        USUAL,
        [["wait", 9000], ["press", 0], ["wait", 17_000], ["press", 1000], ["wait", 5000], ["press", 0], ["wait", 500]],
        [
            ["ready", "A", 60_000, 0, 0, NONE],
            ["running", "A", 60_000, 0, 0, NONE],
            ["running", "A", 43_000, 0, 0, NONE],
            ["ready", "B", 60_000, 0, 0, NONE],
            ["ready", "B", 60_000, 0, 0, NONE],
            ["running", "B", 60_000, 0, 0, NONE],
            ["running", "B", 59_500, 0, 0, NONE],
        ],
    ),
    "the last ten seconds warn, what is over is counted and stays with its seat": (
        USUAL,
        [["seat", 0, 1], ["press", 0], ["wait", 49_999], ["wait", 1], ["wait", 10_000], ["wait", 7000], ["press", 0]],
        [
            ["ready", "B", 60_000, 0, 0, NONE],
            ["running", "B", 60_000, 0, 0, NONE],
            ["running", "B", 10_001, 0, 0, NONE],
            ["warn", "B", 10_000, 0, 0, NONE],
            ["warn", "B", 0, 0, 0, NONE],
            ["over", "B", 0, 7000, 0, NONE],
            ["ready", "C", 60_000, 0, 0, B_OVER],
        ],
    ),
    "a turn that ended in time is passed on without overtime": (
        USUAL,
        [["press", 0], ["wait", 63_000], ["intime", 0]],
        [
            ["running", "A", 60_000, 0, 0, NONE],
            ["over", "A", 0, 3000, 0, NONE],
            ["ready", "B", 60_000, 0, 0, NONE],
        ],
    ),
    "a pause keeps what is left, counts itself, and a hand raised in it does not begin it anew": (
        USUAL,
        [
            ["press", 0],
            ["hold", 29_000, "break"],
            ["hold", 130_000, "hand"],
            ["wait", 5000],
            ["press", 0],
            ["wait", 1000],
        ],
        [
            ["running", "A", 60_000, 0, 0, NONE],
            ["held", "A", 31_000, 0, 0, NONE],
            ["held", "A", 31_000, 0, 130_000, NONE],
            ["held", "A", 31_000, 0, 135_000, NONE],
            ["running", "A", 31_000, 0, 0, NONE],
            ["running", "A", 30_000, 0, 0, NONE],
        ],
    ),
    "a press by mistake is undone: the turn goes on from where it stood": (
        USUAL,
        [["press", 0], ["press", 20_000], ["wait", 4000], ["undo", 0], ["wait", 1000], ["undo", 0], ["undo", 0]],
        [
            ["running", "A", 60_000, 0, 0, NONE],
            ["ready", "B", 60_000, 0, 0, NONE],
            ["ready", "B", 60_000, 0, 0, NONE],
            ["running", "A", 40_000, 0, 0, NONE],
            ["running", "A", 39_000, 0, 0, NONE],
            ["ready", "A", 60_000, 0, 0, NONE],
            ["ready", "A", 60_000, 0, 0, NONE],
        ],
    ),
    "overtime is undone with the press that counted it": (
        {"seats": 2, "seconds": 30},
        [["press", 0], ["press", 31_000], ["undo", 0]],
        [
            ["running", "A", 30_000, 0, 0, NONE],
            ["ready", "B", 30_000, 0, 0, [[1, 1000], [0, 0], [0, 0], [0, 0]]],
            ["over", "A", 0, 1000, 0, NONE],
        ],
    ),
    "a page loaded anew keeps seat and time and waits in a pause": (
        USUAL,
        [["press", 0], ["reload", 25_000], ["wait", 9000], ["press", 0], ["undo", 0], ["reload", 0]],
        [
            ["running", "A", 60_000, 0, 0, NONE],
            ["held", "A", 35_000, 0, 0, NONE],
            ["held", "A", 35_000, 0, 9000, NONE],
            ["running", "A", 35_000, 0, 0, NONE],
            ["held", "A", 35_000, 0, 9000, NONE],
            ["held", "A", 35_000, 0, 9000, NONE],
        ],
    ),
    "where the same press begins the next turn, it does": (
        {"seats": 3, "seconds": 60, "straight": True},
        [["seat", 0, 2], ["press", 0], ["press", 61_500], ["wait", 1000]],
        [
            ["ready", "C", 60_000, 0, 0, NONE],
            ["running", "C", 60_000, 0, 0, NONE],
            ["running", "A", 60_000, 0, 0, [[0, 0], [0, 0], [1, 1500], [0, 0]]],
            ["running", "A", 59_000, 0, 0, [[0, 0], [0, 0], [1, 1500], [0, 0]]],
        ],
    ),
    "without a limit nothing is counted until seconds are chosen": (
        {"seats": 4, "seconds": None},
        [["press", 0], ["wait", 90_000], ["choose", 0, {"seconds": 45}], ["press", 0], ["wait", 46_000]],
        [
            ["unset", "A", 0, 0, 0, NONE],
            ["unset", "A", 0, 0, 0, NONE],
            ["ready", "A", 45_000, 0, 0, NONE],
            ["running", "A", 45_000, 0, 0, NONE],
            ["over", "A", 0, 1000, 0, NONE],
        ],
    ),
    "a seat that is gone gives way to A, another hand-over leaves the turn alone": (
        USUAL,
        [["seat", 0, 3], ["press", 0], ["choose", 5000, {"straight": True}], ["choose", 0, {"seats": 3}]],
        [
            ["ready", "D", 60_000, 0, 0, NONE],
            ["running", "D", 60_000, 0, 0, NONE],
            ["running", "D", 55_000, 0, 0, NONE],
            ["ready", "A", 60_000, 0, 0, NONE],
        ],
    ),
}


@pytest.fixture(scope="module")
def asking(chromium: Browser) -> Any:
    """The module behind a page: a function that calls one of turn_questions.js."""
    page = module_page(chromium)
    yield lambda name, given: ask(page, name, given)
    page.close()


def module_page(chromium: Browser, spoiled: tuple[str, str] = ("", "")) -> Page:
    """A page with the module; `spoiled` changes one place of it."""
    page = chromium.new_page()
    text = MODULE.read_text(encoding="utf-8")
    assert spoiled == ("", "") or text.count(spoiled[0]) == 1

    def give(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        texts = {MODULE.name: text.replace(*spoiled) if spoiled[0] else text, ASKING.name: ASKING.read_text("utf-8")}
        kind = "text/javascript" if name in texts else "text/html"
        route.fulfill(body=texts.get(name, "<!doctype html><title>timer</title>"), content_type=kind)

    page.route("http://timer.test/**", give)
    page.goto("http://timer.test/")
    return page


def ask(page: Page, name: str, given: Any) -> Any:
    """What a function of turn_questions.js answers."""
    return page.evaluate("async ([name, given]) => (await import('/turn_questions.js'))[name](given)", [name, given])


@pytest.mark.parametrize("case", CASES)
def test_the_timer_shows(asking: Any, case: str) -> None:
    settings, acts, shown = CASES[case]
    assert asking("played", {"settings": settings, "acts": acts}) == shown


def untidy_game(chance: random.Random) -> dict[str, Any]:
    """Any acts in any order: pauses within pauses, undo of everything, seats that vanish, reloads in between."""
    settings = {
        "seats": chance.choice([2, 3, 4]),
        "seconds": chance.choice([None, 1, 15, 60, 60, 60, 120]),
        "straight": chance.random() < 0.3,
    }
    acts = []
    for _ in range(chance.randrange(1, ACTS_OF_GAME)):
        name = chance.choices(
            ["press", "wait", "intime", "hold", "seat", "choose", "new", "undo", "reload"],
            [14, 6, 3, 4, 2, 1, 1, 6, 3],
        )[0]
        value: Any = None
        if name == "hold":
            value = chance.choice(["break", "hand", "slept"])
        elif name == "seat":
            value = chance.randrange(2)
        elif name == "choose":
            value = chance.choice([{"seconds": 45}, {"seats": 2}, {"seats": 4, "seconds": 30}, {"straight": True}])
        acts.append(
            [
                name,
                chance.choice([0, 1, 399, 9999, 50_000, 50_500, 10_000, 10_001, 59_999, 60_000, 61_234, 3_600_000]),
                value,
            ]
        )
    return {"settings": settings, "acts": acts}


def games() -> list[dict[str, Any]]:
    """The same games each time."""
    chance = random.Random(SEED)
    return [untidy_game(chance) for _ in range(GAMES)]


def test_any_acts_in_any_order_show_what_the_model_counts_millisecond_by_millisecond(asking: Any) -> None:
    given = games()
    assert asking("allPlayed", given) == [played(**game) for game in given]


SPOILED = {
    "a pause costs the turn": ("phase === RUNNING ? gone(timer, now) : 0)", "since !== null ? gone(timer, now) : 0)"),
    "a turn in time counts as over": ("passed(timer, now, false)", "passed(timer, now, true)"),
    "undo begins the turn anew": ("...timer.undo.at(-1), undo", "...timer.undo.at(-1), spent: 0, undo"),
    "a reload runs on": ("kept.phase === RUNNING ?", "kept.phase === HELD ?"),
    "the warning comes late": ("const WARNING = 10000", "const WARNING = 9000"),
    "B begins": ("at: 0,\n  phase", "at: 1,\n  phase"),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_each_of_these_faults_is_noticed(chromium: Browser, fault: str) -> None:
    page = module_page(chromium, SPOILED[fault])
    given = games()
    assert ask(page, "allPlayed", given) != [played(**game) for game in given]
    page.close()


def test_what_was_kept_is_read_and_any_other_text_is_none(asking: Any) -> None:
    good = asking("keptText", USUAL)
    kept = json.loads(good)
    others = {"at": 4, "seats": 5, "seconds": 0, "phase": "over", "spent": -1, "held": "1", "since": 3, "undo": [{}]}
    others |= {"overtime": [], "straight": None, "before": "held", "reason": 1}
    texts = [good, "", "null", "[]", "{", "1", *(json.dumps(kept | {name: value}) for name, value in others.items())]
    texts += [json.dumps({name: value for name, value in kept.items() if name != left_out}) for left_out in kept]
    assert asking("keptTexts", texts) == [True, *[False] * (len(texts) - 1)]

"""The engine of the pages against scoring, in Chromium, compared with ==: every worked case, and racks, sets, games and
sheets by chance. `ENGINE_QUESTIONS` asks for more of them."""

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from tests.tournament.js.questions import answer, random_questions, worked_questions

pytestmark = pytest.mark.browser

ENGINE = Path(__file__).resolve().parents[3] / "tournament" / "static" / "js" / "engine"
ASKING = Path(__file__).with_name("answers.js")
SEED = int(os.environ.get("ENGINE_SEED", "20260328"))
ASKED = int(os.environ.get("ENGINE_QUESTIONS", "500"))
AT_ONCE = 1000
Questions = list[dict[str, Any]]

SPOILED = {
    "a run may be two tiles": ("sets.js", "SHORTEST = 3", "SHORTEST = 2"),
    "a joker does not help a run": ("opening.js", "most = there + left", "most = there"),
    "a joker in a group is lost": ("groups.js", "used <= jokers", "used < jokers"),
    "one grouped tile too few": ("opening.js", "number * grouped", "number * Math.max(0, grouped - 1)"),
    "the lowest pay as well": ("game.js", "value - base) * TWELFTHS", "value) * TWELFTHS"),
    "the winner among the lowest has most tiles": ("game.js", "Math.min(...lowest", "Math.max(...lowest"),
    "whoever could open pays 100": ("game.js", "able ? ruleset.unopened_able", "!able ? ruleset.unopened_able"),
    "two copies are too many": ("racks.js", "count > most", "count >= most"),
    "an unopened rack of 13 passes": ("racks.js", "tiles < ruleset.dealt_tiles", "tiles + 1 < ruleset.dealt_tiles"),
    "absent seats count": ("sheet.js", "seat && !seat.absent", "seat"),
}
"""Faults by what they would do: the file, what stands there, what would stand there."""


def answered(browser: Browser, questions: Questions, spoiled: tuple[str, str, str] | None = None) -> Questions:
    """What the page's engine answers; `spoiled` changes one place of one of its files before it is loaded."""
    page = browser.new_page()

    def give(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if not name.endswith(".js"):
            route.fulfill(body="<!doctype html><title>asked</title>", content_type="text/html")
            return
        text = (ASKING if name == ASKING.name else ENGINE / name).read_text(encoding="utf-8")
        if spoiled and spoiled[0] == name:
            assert text.count(spoiled[1]) == 1
            text = text.replace(spoiled[1], spoiled[2])
        route.fulfill(body=text, content_type="text/javascript")

    page.route("http://engine.test/**", give)
    page.goto("http://engine.test/")
    asking = "async (questions) => (await import('/answers.js')).answerAll(questions)"
    parts = [questions[at : at + AT_ONCE] for at in range(0, len(questions), AT_ONCE)]
    answers = [one for part in parts for one in page.evaluate(asking, part)]
    page.close()
    return answers


def differing(
    browser: Browser, questions: Questions, expected: Questions, spoiled: tuple[str, str, str] | None = None
) -> Questions:
    """Every question to which the two do not say the same."""
    return [
        {"question": question, "scoring": right, "page": said}
        for question, right, said in zip(questions, expected, answered(browser, questions, spoiled), strict=True)
        if said != right
    ]


@cache
def asked(count: int) -> tuple[Questions, Questions]:
    """Random questions with the answers of scoring, worked out once."""
    questions = list(random_questions(SEED, count))
    return questions, [answer(question) for question in questions]


def test_the_pages_engine_answers_every_worked_case_as_scoring_does(chromium: Browser) -> None:
    questions = worked_questions()
    assert differing(chromium, questions, [answer(question) for question in questions]) == []


def test_the_pages_engine_answers_random_questions_as_scoring_does(chromium: Browser) -> None:
    assert differing(chromium, *asked(ASKED))[:3] == []


def test_a_full_rack_and_a_rack_of_many_jokers_open_as_in_scoring(chromium: Browser) -> None:
    chance = random.Random(SEED)
    ruleset = worked_questions()[0]["ruleset"]
    box = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)] * 2 + ["J", "J"]
    many = {**ruleset, "tiles": {**ruleset["tiles"], "J": 4}}
    questions = [{"verb": "opening", "ruleset": ruleset, "rack": chance.sample(box, size)} for size in (30, 50, 106)]
    questions.append({"verb": "opening", "ruleset": many, "rack": [*chance.sample(box[:52], 10), *"JJJJ"]})
    assert differing(chromium, questions, [answer(question) for question in questions]) == []


@pytest.mark.parametrize("spoiled", SPOILED.values(), ids=list(SPOILED))
def test_a_spoiled_engine_is_found(chromium: Browser, spoiled: tuple[str, str, str]) -> None:
    assert differing(chromium, *asked(500), spoiled) != []

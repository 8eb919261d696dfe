"""The engine of the pages against scoring, in Chromium, compared with ==: every worked case, and racks, sets, turns,
games, sheets and words by chance. `ENGINE_QUESTIONS` asks for more of them."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route

from scoring.ruleset import PRESETS
from scoring.sets import judge_set
from tests.tablets.js.questions import answer, random_questions, worked_questions
from tests.tablets.js.special_questions import NUMBERED

pytestmark = pytest.mark.browser

ENGINE = Path(__file__).resolve().parents[3] / "tournament" / "static" / "js" / "engine"
ASKING = Path(__file__).with_name("answers.js")
SEED = int(os.environ.get("ENGINE_SEED", "20260328"))
ASKED = int(os.environ.get("ENGINE_QUESTIONS", "500"))
SPOILED_ASKED = 2000
AT_ONCE, SPOILED_AT_ONCE = 1000, 100
Questions = list[dict[str, Any]]

SPOILED = {
    "a run may be two tiles": ("readings.js", "SHORTEST = 3", "SHORTEST = 2"),
    "a joker does not help a run": ("opening.js", "most = there + left", "most = there"),
    "a joker in a group is lost": ("groups.js", "used <= jokers", "used < jokers"),
    "one grouped tile too few": ("opening.js", "number * grouped", "number * Math.max(0, grouped - 1)"),
    "the lowest pay as well": ("game.js", "value - base) * TWELFTHS", "value) * TWELFTHS"),
    "the winner among the lowest has most tiles": ("game.js", "Math.min(...lowest", "Math.max(...lowest"),
    "whoever could open pays 100": ("game.js", "able ? ruleset.unopened_able", "!able ? ruleset.unopened_able"),
    "two copies are too many": ("racks.js", "count > most", "count >= most"),
    "an unopened rack of 13 passes": ("racks.js", "tiles < ruleset.dealt_tiles", "tiles + 1 < ruleset.dealt_tiles"),
    "absent seats count": ("sheet.js", "seat && !seat.absent", "seat"),
    "a double takes one place": ("readings.js", '"JD" ? 2 : 1', '"JD" ? 1 : 1'),
    "a colour change may keep the colour": ("readings.js", "colours.size > 1 || (at && same(at))", "colours.size > 1"),
    "a mirror's side may be longer by two": ("readings.js", "widthOf(right)) > 1", "widthOf(right)) > 2"),
    "a mirror of a group counts nothing": ("readings.js", "(width + other + 1)", "(width + other)"),
    "the reading of least value counts": ("readings.js", "other.value - one.value", "one.value - other.value"),
    "a set is never out of balance": ("sets.js", "isOutOfBalance(tiles) : null", "false : null"),
    "a mirror set turned round is another": ("move.js", "second] = sides.sort()", "second] = sides"),
    "a joker may take another's place": ("move.js", "differing.length === 1 &&", "differing.length === 0 &&"),
    "a mirror need not be mended": ("move.js", "gone.some(unbalanced)", "!gone.some(unbalanced)"),
    "a joker need not be paid for": ("move.js", "return wanted.every(", "return true || wanted.every("),
    "a double in a group is one colour": ("columns.js", "COLOURS.length - 2", "COLOURS.length - 1"),
    "nothing lies after a colour change": (
        "columns.js",
        "places.length < LONGEST_RUN) lay",
        "places.length < LONGEST_RUN && !gap.counts[2]) lay",
    ),
    "a mirror's sides may share a tile": ("mirrors.js", "held(name) > copy", "held(name) > 0"),
    "a joker takes no tile's place": ("special.js", "if (!jokers) return null", "if (jokers) return null"),
    "a set is laid once only": ("special.js", "todo = again", "todo = []"),
    "an empty rack of letters counts once": ("letters.js", "(emptied ? 2 : 1)", "1"),
    "a word in capitals is another": ("letters.js", ".toLowerCase().toUpperCase().toLowerCase()", ""),
    "the letter J is a joker too": ("letters.js", 'JOKER_ON_RACK = "J"', 'JOKER_ON_RACK = "j"'),
}
"""Faults by what they would do: the file, what stands there, what would stand there."""


def answered(browser: Browser, questions: Questions) -> Questions:
    """What the page's engine answers."""
    return [one for part in answered_in_parts(browser, questions, AT_ONCE) for one in part]


def answered_in_parts(
    browser: Browser, questions: Questions, at_once: int, spoiled: tuple[str, str, str] | None = None
) -> Iterator[Questions]:
    """The same, so many answers at a time; `spoiled` changes one place of one of its files before it is loaded."""
    if spoiled:
        assert (ENGINE / spoiled[0]).read_text(encoding="utf-8").count(spoiled[1]) == 1
    page = browser.new_page()

    def give(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if not name.endswith(".js"):
            route.fulfill(body="<!doctype html><title>asked</title>", content_type="text/html")
            return
        text = (ASKING if name == ASKING.name else ENGINE / name).read_text(encoding="utf-8")
        if spoiled and spoiled[0] == name:
            text = text.replace(spoiled[1], spoiled[2])
        route.fulfill(body=text, content_type="text/javascript")

    page.route("http://engine.test/**", give)
    page.goto("http://engine.test/")
    asking = "async (questions) => (await import('/answers.js')).answerAll(questions)"
    try:
        for at in range(0, len(questions), at_once):
            yield page.evaluate(asking, questions[at : at + at_once])
    finally:
        page.close()


def differing(browser: Browser, questions: Questions, expected: Questions) -> Questions:
    """Every question to which the two do not say the same."""
    return [
        {"question": question, "scoring": right, "page": said}
        for question, right, said in zip(questions, expected, answered(browser, questions), strict=True)
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


def crowded_rack(chance: random.Random) -> dict[str, Any]:
    """Forty tiles with every joker of Twist's box."""
    rack = [*chance.sample(NUMBERED * 2, 32), *["J", "JD", "JC", "JM"] * 2]
    return {"verb": "opening", "ruleset": PRESETS["twist"].fields_as_data(), "rack": rack}


def test_a_rack_of_forty_tiles_with_every_joker_is_exact_on_the_page_too(chromium: Browser) -> None:
    chance = random.Random(SEED)
    questions = [crowded_rack(chance) for _ in range(3)]
    assert differing(chromium, questions, [answer(question) for question in questions]) == []


def test_a_rack_that_would_take_too_long_is_answered_soon_by_sets_that_can_be_laid(chromium: Browser) -> None:
    question = crowded_rack(random.Random(SEED))
    hurried = ("special.js", "MOST_WORK = 4_000_000", "MOST_WORK = 1")
    [[said]] = answered_in_parts(chromium, [question], 1, hurried)
    reached = said["reached"]
    assert reached["could_open"]
    assert not Counter(name for names in reached["sets"] for name in names) - Counter(question["rack"])
    assert sum(judge_set(PRESETS["twist"], names).value for names in reached["sets"]) == reached["best"]


@pytest.mark.parametrize("spoiled", SPOILED.values(), ids=list(SPOILED))
def test_a_spoiled_engine_is_found(chromium: Browser, spoiled: tuple[str, str, str]) -> None:
    questions, expected = asked(SPOILED_ASKED)
    starts = range(0, len(questions), SPOILED_AT_ONCE)
    with closing(answered_in_parts(chromium, questions, SPOILED_AT_ONCE, spoiled)) as parts:
        found = (part != expected[at : at + SPOILED_AT_ONCE] for at, part in zip(starts, parts, strict=True))
        assert any(found)

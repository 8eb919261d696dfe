"""The parts of the panel that draw nothing, asked in Chromium: digests, signatures, points, keys of confirmations."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from scoring.problems import SEVERITY_WARNING, SheetProblem
from tests.tablets.js.panel_page import panel_page, state, table
from tournament.sheets.domain.scoresheets import confirmation_key, empty_typed_sheet

pytestmark = pytest.mark.browser

CASES = json.loads((Path(__file__).parents[2] / "data" / "strokes.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture
def page(chromium: Browser) -> Page:
    """A page that may import the modules."""
    return panel_page(chromium, state(table(5)))


def asked(page: Page, module: str, call: str, given: Any) -> Any:
    """What a function of a module answers for each of those given."""
    script = f"async (given) => {{ const part = await import('/js/tablet/{module}.js'); return given.map({call}); }}"
    return page.evaluate(script, given)


def test_the_digest_is_sha256(page: Page) -> None:
    chance = random.Random(7)
    texts = ["", "abc", *("".join(chance.choices("aé牌🀄 ", k=length)) for length in range(40, 140))]
    expected = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert asked(page, "sha256", "part.sha256", texts) == expected


def test_a_signature_is_one_for_the_page_as_for_the_server(page: Page) -> None:
    # What no finger can draw (a place off the field, a text for a number) the page never makes.
    cases = [case for case in CASES if case["code"] != "strokes_not_readable"]
    drawings = [case["strokes"] * case["times"] for case in cases]
    expected = [case["code"] == "" for case in cases]
    assert asked(page, "ink", "part.isSignature", drawings) == expected


def test_a_confirmation_has_the_key_that_the_server_makes(page: Page) -> None:
    problems = [
        SheetProblem("many_tiles", "games[0].seats.C.tiles", SEVERITY_WARNING, {"tiles": 41, "usual": 40}),
        SheetProblem(
            "starter_not_winner", "games[1].starter", SEVERITY_WARNING, {"starter": "A", "winners": ("B", "C")}
        ),
        SheetProblem("all_equal", "games[2]", SEVERITY_WARNING),
    ]
    given = [{"code": one.code, "where": one.where, "facts": plain(one)} for one in problems]
    assert asked(page, "problems", "part.problemKey", given) == [confirmation_key(one) for one in problems]


def plain(one: SheetProblem) -> dict[str, Any]:
    """Its figures as JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in one.facts.items()}


def test_points_are_written_with_a_proper_minus_and_an_exact_fraction(page: Page) -> None:
    twelfths = [0, 12, -12, 138, -4, 6, 1, -530, 2676]
    expected = ["0", "+1", "−1", "+11 1/2", "−1/3", "+1/2", "+1/12", "−44 1/6", "+223"]
    assert asked(page, "quantity", "part.pointsText", twelfths) == expected


def test_the_highest_drawn_number_starts_and_nobody_where_it_was_drawn_twice(page: Page) -> None:
    drawn = [{"A": 3, "B": 12, "C": 7}, {"A": 12, "B": 12, "C": 7}]
    assert asked(page, "game", "part.starterOf", drawn) == ["B", ""]


def typed_of(*values: str) -> dict[str, Any]:
    """A sheet of three games; in each that is not "" the first seat has this rack."""
    typed = empty_typed_sheet(3)
    for game, value in zip(typed["games"], values, strict=True):
        game["ended_by"] = "pool" if value else ""
        game["seats"]["A"]["face_value"] = value
    return typed


@pytest.mark.parametrize(
    ("typed", "open_items", "told", "expected"),
    [
        (("1", "2", "3"), [], ("1", "2", ""), ["recorded", "recorded", "typing"]),
        (("1", "2", ""), [("here", ("1", "2", ""))], ("1", "", ""), ["recorded", "here", "typing"]),
        (("1", "2", ""), [("sent", ("1", "", "")), ("here", ("1", "2", ""))], ("", "", ""), ["sent", "here", "typing"]),
        (("5", "", ""), [("sent", ("1", "", "")), ("here", ("5", "", ""))], ("", "", ""), ["here", "typing", "typing"]),
        (("1", "", ""), [("refused", ("1", "", ""))], ("4", "", ""), ["refused", "typing", "typing"]),
        (("1", "2", "3"), [("held", ("1", "2", "3"))], ("1", "4", ""), ["recorded", "held", "held"]),
    ],
)
def test_each_game_says_how_far_it_has_come(
    page: Page, typed: Any, open_items: Any, told: Any, expected: list[str]
) -> None:
    items = [{"act": "save", "stands": stands, "body": {"typed": typed_of(*values)}} for stands, values in open_items]
    # What was handed in last: the newest item's, else the server's.
    sent = items[-1]["body"]["typed"] if items else typed_of(*told)
    given = {"typed": typed_of(*typed), "sent": sent, "open": items, "told": typed_of(*told)}
    assert asked(page, "reached", "part.reachedOf", [given]) == [expected]

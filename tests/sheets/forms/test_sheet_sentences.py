"""Every fault of the rules has a sentence in both languages, with its figures, and a way out where there is one."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.utils import translation

from scoring import problems
from scoring.marks import MARKS
from scoring.problems import SEVERITY_ERROR, SEVERITY_WARNING, SheetProblem
from tournament.sheets.forms.sheet_place import SheetPlace, sheet_place_of
from tournament.sheets.forms.sheet_sentences import problem_sentences
from tournament.sheets.forms.sheet_words import PROBLEM_SENTENCES

CODES = {
    value
    for name, value in vars(problems).items()
    if name.isupper() and isinstance(value, str) and value not in (SEVERITY_ERROR, SEVERITY_WARNING)
} | {f"out_{mark}" for mark in MARKS}


def said(problem: SheetProblem, language: str) -> Any:
    with translation.override(language):
        one = problem_sentences([problem])[0]
        return one.label, one.text, [(offer.label, offer.sent) for offer in one.offers]


def test_every_code_of_the_rules_has_its_sentence() -> None:
    assert set(PROBLEM_SENTENCES) == CODES


@pytest.mark.parametrize("code", sorted(PROBLEM_SENTENCES))
def test_every_sentence_is_translated_and_keeps_its_figures(code: str) -> None:
    for text in filter(None, PROBLEM_SENTENCES[code]):
        with translation.override("zh-hant"):
            chinese = translation.gettext(text)
        assert chinese != text
        assert set(re.findall(r"%\((\w+)\)s", chinese)) <= {*re.findall(r"%\((\w+)\)s", text), "seat", "game"}


@pytest.mark.parametrize("code", sorted(PROBLEM_SENTENCES))
@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_no_sentence_breaks_on_a_problem_that_carries_nothing(code: str, language: str) -> None:
    assert said(SheetProblem(code, "games[0].seats.A.points", SEVERITY_ERROR), language)[1]


@pytest.mark.parametrize(
    ("problem", "chinese", "english"),
    [
        (
            SheetProblem(
                problems.NOT_ZERO_SUM,
                "games[1].seats.C.points",
                SEVERITY_ERROR,
                {"sum": Fraction(-9), "typed": "-21", "suggest": Fraction(-12)},
            ),
            (
                "第 2 局·C 得分",
                "第 2 局各人得分相加是 −9，應為 0。C 若為 −12 便合；請對照計分紙。",
                [("改為 −12", "games-1-C-points=-12")],
            ),
            (
                "Game 2·C points",
                "The points of game 2 add up to −9; they must come to 0. C fits with −12; compare with the paper.",
                [("Change to −12", "games-1-C-points=-12")],
            ),
        ),
        (
            SheetProblem(
                problems.TOTAL_DIFFERS,
                "totals.B.tiles",
                SEVERITY_ERROR,
                {"typed": "14", "suggest": 15, "parts": (5, 1, 9)},
            ),
            ("總結·B 剩牌", "寫 14；各局相加是 15。5 + 1 + 9 = 15。", [("改為 15", "totals-B-tiles=15")]),
            (
                "Totals·B tiles",
                "The total says 14; the games come to 15. 5 + 1 + 9 = 15.",
                [("Change to 15", "totals-B-tiles=15")],
            ),
        ),
        (
            SheetProblem(
                problems.NOT_ZERO_SUM,
                "games[0]",
                SEVERITY_ERROR,
                {"sum": Fraction(1, 2), "fits": (("A", Fraction(23, 2)), ("B", Fraction(-3)))},
            ),
            (
                "第 1 局",
                "第 1 局各人得分相加是 +1/2，應為 0。改為其中一項便合：A +11 1/2 或 B −3。請對照計分紙。",
                [("改為 A +11 1/2", "games-0-A-points=+11 1/2"), ("改為 B −3", "games-0-B-points=-3")],
            ),
            (
                "Game 1",
                "The points of game 1 add up to +1/2; they must come to 0."
                " One of these would fit: A +11 1/2 or B −3. Compare with the paper.",
                [("Change to A +11 1/2", "games-0-A-points=+11 1/2"), ("Change to B −3", "games-0-B-points=-3")],
            ),
        ),
        (
            SheetProblem(problems.NOBODY_OUT, "games[2]", SEVERITY_ERROR, {"fits": ("pool", "time")}),
            None,
            (
                "Game 3",
                "Game 3 ended by Rummikub, yet nobody has 0 tiles."
                " Who went out has 0 tiles; otherwise it ended in another way."
                " One of these would fit: pool empty or time up. Compare with the paper.",
                [("Change to pool empty", "games-2-ended_by=pool"), ("Change to time up", "games-2-ended_by=time")],
            ),
        ),
        (
            SheetProblem(
                problems.RACK_VALUES_TYPED,
                "games[1]",
                SEVERITY_ERROR,
                {"sum": Fraction(-40), "due": (("A", Fraction(20)), ("B", Fraction(-20)))},
            ),
            None,
            (
                "Game 2",
                "Game 2 seems to have rack values in place of points: they add up to −40."
                " When nobody goes out the points are the differences: A +20, B −20.",
                [("Change to the differences", "games-1-A-points=+20;games-1-B-points=-20")],
            ),
        ),
    ],
)
def test_a_fault_says_what_is_wrong_the_figures_and_what_to_do(
    problem: SheetProblem, chinese: Any, english: Any
) -> None:
    assert said(problem, "en") == english
    assert chinese is None or said(problem, "zh-hant") == chinese


def test_the_same_reading_of_several_cells_is_one_to_confirm() -> None:
    facts = {"typed": "10.67", "read": Fraction(32, 3), "whole": 32, "among": 3}
    found = problem_sentences(
        [SheetProblem(problems.READ_AS, f"games[2].seats.{letter}.points", SEVERITY_WARNING, facts) for letter in "AD"]
    )
    assert [(one.label, one.text, len(one.places)) for one in found] == [
        ("第 3 局·A、D 得分", "10.67 讀作 10 2/3。32 由 3 人平分。", 2)
    ]


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("games", SheetPlace()),
        ("games[1]", SheetPlace(1)),
        ("games[1].ended_by", SheetPlace(1, cell="ended_by")),
        ("games[0].seats.C.points", SheetPlace(0, "C", "points")),
        ("games[0].seats.C", SheetPlace(0, "C")),
        ("totals", SheetPlace(totals=True)),
        ("totals.B", SheetPlace(seat="B", totals=True)),
        ("totals.B.tiles", SheetPlace(seat="B", cell="tiles", totals=True)),
    ],
)
def test_a_place_of_the_rules_is_a_place_on_the_page(where: str, place: SheetPlace) -> None:
    assert sheet_place_of(where) == place


def test_a_value_in_a_gap_between_its_bounds_is_refused_without_saying_that_it_lies_within_them() -> None:
    facts = {"value": 60, "tiles": 3, "least": 3, "greatest": 73}
    gap = SheetProblem(problems.VALUE_IMPOSSIBLE, "games[0].seats.A.face_value", SEVERITY_ERROR, facts)
    beyond = SheetProblem(
        problems.VALUE_IMPOSSIBLE, "games[0].seats.A.face_value", SEVERITY_ERROR, {**facts, "value": 80}
    )
    assert [
        said(one, language)[1].split("。")[0].split(". ")[0] for one in (gap, beyond) for language in ("zh-hant", "en")
    ] == [
        "不論有多少隻百搭，3 隻牌都不可能值 60",
        "3 tiles cannot be worth 60, whatever jokers are among them",
        "3 隻牌不可能值 80：應在 3 至 73 之間",
        "3 tiles cannot be worth 80: they come to 3 to 73",
    ]

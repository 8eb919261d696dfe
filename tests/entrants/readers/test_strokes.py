"""What is a signature and what is a dot, a line, or too much: the cases that the page is held to as well."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.core.errors import BadInput, Refused
from tournament.entrants.readers.strokes import (
    STRAIGHT_LINE_TOLERANCE,
    STROKE_FIELD_HEIGHT,
    STROKE_FIELD_WIDTH,
    convex_hull,
    is_straight_line,
    read_strokes,
)

CASES = json.loads((Path(__file__).parents[2] / "data" / "strokes.json").read_text(encoding="utf-8"))["cases"]
PLACES = st.tuples(st.integers(0, STROKE_FIELD_WIDTH), st.integers(0, STROKE_FIELD_HEIGHT))


def code_of(strokes: Any) -> str:
    try:
        read_strokes(strokes)
    except Refused as refused:
        return refused.code
    return ""


@pytest.mark.fault("V8")
@pytest.mark.fault("V9")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_signature_is_more_than_a_dot_or_a_line_and_less_than_64_kib(case: dict[str, Any]) -> None:
    strokes = case["strokes"] * case["times"] if case["times"] > 1 else case["strokes"]
    assert code_of(strokes) == case["code"]


@pytest.mark.fault("V9")
def test_a_million_points_are_refused_before_they_are_looked_at() -> None:
    with pytest.raises(Refused) as refused:
        read_strokes([[None] * 1_000_000])
    assert refused.value.status == 413


@given(st.lists(PLACES, min_size=1, max_size=40))
def test_every_place_lies_within_the_hull(places: list[tuple[int, int]]) -> None:
    corners = convex_hull(places)
    assert set(corners) <= set(places)
    edges = zip(corners, [*corners[1:], *corners[:1]], strict=True)
    assert all(
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0
        for a, b in edges
        for p in places
        if len(corners) > 2
    )


@given(PLACES, PLACES, st.lists(st.integers(0, 1000), min_size=20, max_size=40))
def test_what_lies_on_one_line_is_straight_however_the_line_lies(
    one: tuple[int, int], other: tuple[int, int], shares: list[int]
) -> None:
    (x, y), (u, v) = one, other
    assert is_straight_line([(x + (u - x) * share // 1000, y + (v - y) * share // 1000) for share in shares])


@given(
    st.integers(0, STROKE_FIELD_WIDTH - 4 * STRAIGHT_LINE_TOLERANCE),
    st.integers(0, STROKE_FIELD_HEIGHT - 4 * STRAIGHT_LINE_TOLERANCE),
)
def test_a_square_of_four_times_the_width_is_not_straight(x: int, y: int) -> None:
    assert not is_straight_line(
        [
            (x, y),
            (x + 4 * STRAIGHT_LINE_TOLERANCE, y),
            (x, y + 4 * STRAIGHT_LINE_TOLERANCE),
            (x + 4 * STRAIGHT_LINE_TOLERANCE, y + 4 * STRAIGHT_LINE_TOLERANCE),
        ]
    )


def test_strokes_that_are_none_say_so() -> None:
    with pytest.raises(BadInput):
        read_strokes({"0": []})

"""How typed texts are read: exact figures, shares written as decimals, and what is no figure."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.entry import fold_typed_text, is_blank_cell, read_typed_points, read_whole_number

TWELFTHS = st.builds(Fraction, st.integers(-9000, 9000), st.just(12))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", "0"),
        ("+30", "30"),
        ("-5", "-5"),
        ("−5", "-5"),
        ("－５", "-5"),
        ("–5", "-5"),
        ("— 5", "-5"),
        ("ー5", "-5"),
        ("負5", "-5"),
        ("正12", "12"),
        ("-0", "0"),
        ("007", "7"),
        (" 12 ", "12"),
        ("11.5", "23/2"),
        ("11.50", "23/2"),
        ("-.5", "-1/2"),
        ("１１．５", "23/2"),
        ("11 1/2", "23/2"),
        ("11½", "23/2"),
        ("-3⅓", "-10/3"),
        ("½", "1/2"),
        ("23/2", "23/2"),
        ("２３／２", "23/2"),
        ("23⁄2", "23/2"),
        ("-10/3", "-10/3"),
        ("8 2/12", "49/6"),
        ("3.25", "13/4"),
        ("44/4", "11"),
    ],
)
def test_an_exact_text_is_read_as_its_one_value(text, value):
    reading = read_typed_points(text)
    assert reading.candidates == (Fraction(value),)
    assert reading.exact


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3.33", ["10/3"]),
        ("3.34", ["10/3"]),
        ("3.3333", ["10/3"]),
        ("-3.33", ["-10/3"]),
        ("3.33…", ["10/3"]),
        ("10.6...", ["127/12", "32/3"]),
        ("10.67", ["32/3"]),
        ("10.66", ["32/3"]),
        ("8.17", ["49/6"]),
        ("0.08", ["1/12"]),
        ("3.3", ["10/3", "13/4"]),
        ("0.9", ["11/12", "5/6"]),
        ("0.1", ["1/12", "1/6"]),
    ],
)
def test_a_decimal_that_is_no_twelfth_is_read_as_every_share_it_may_stand_for(text, values):
    reading = read_typed_points(text)
    assert reading.candidates == tuple(Fraction(value) for value in values)
    assert not reading.exact


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "+", "x", "5x", "--5", "+-5", "1,5", "1 2", "11 3/2", "5/7", "1/0", "3.", ".", "1e3", "NaN",
        "3.40001", "3.2222", "9" * 6, "9" * 5000, "0x10", "1_000", "5/", "/2", "1/2/3", "(5)", "五", "5分",
    ],
)  # fmt: skip
def test_what_is_no_figure_has_no_candidates(text):
    reading = read_typed_points(text)
    assert reading.candidates == ()


@given(TWELFTHS)
def test_every_twelfth_written_as_a_fraction_is_read_back(value):
    assert read_typed_points(str(value)).candidates == (value,)
    whole, over = divmod(abs(value), 1)
    if whole and over:
        assert read_typed_points(f"{'-' if value < 0 else ''}{whole} {over}").candidates == (value,)


@given(TWELFTHS, st.integers(2, 4))
def test_every_twelfth_rounded_or_cut_to_two_digits_or_more_is_read_back(value, digits):
    size, unit, sign = abs(value), 10**digits, "-" if value < 0 else ""
    down = size.numerator * unit // size.denominator
    for shown in {down, down + (size * unit != down)}:
        text = f"{sign}{shown // unit}.{shown % unit:0{digits}}"
        assert read_typed_points(text).candidates[0] == value


@given(st.text(max_size=12))
def test_no_text_breaks_the_reading(text):
    for value in read_typed_points(text).candidates:
        assert 12 % value.denominator == 0
    assert read_whole_number(text) is None or read_whole_number(text) >= 0
    assert fold_typed_text(fold_typed_text(text)) == fold_typed_text(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [("0", 0), ("14", 14), ("１４", 14), ("+3", 3), (" 7", 7), ("-3", None), ("3.0", None), ("", None), ("x", None)],
)
def test_counts_are_whole_numbers(text, count):
    assert read_whole_number(text) == count


@pytest.mark.parametrize("text", ["", "  ", "-", "——", "－", "/", "- -"])
def test_a_dash_fills_a_cell_without_a_figure(text):
    assert is_blank_cell(text)


@pytest.mark.parametrize("text", ["0", "-0", "x", "-1"])
def test_a_figure_or_a_letter_is_not_empty(text):
    assert not is_blank_cell(text)

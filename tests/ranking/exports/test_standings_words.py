"""Figures, sentences and the picture: the same markup as the pages', whole numbers alone, nothing of a style."""

import re
from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tournament.core.templatetags.display import quantity
from tournament.ranking.exports.picture import PictureEntrant, RankingPicture, decimal_of_tenths, picture_legend
from tournament.ranking.exports.words import quantity_markup, rank_and_number_words

SPOTS = [
    PictureEntrant(3, Fraction(20), True),
    PictureEntrant(2, Fraction(25, 2), True),
    PictureEntrant(2, Fraction(12), False),
]


@given(st.fractions(max_denominator=36), st.booleans())
def test_a_figure_has_the_markup_that_pages_give_it(value: Fraction, signed: bool) -> None:
    assert quantity_markup(value, signed=signed) == quantity(value, "signed" if signed else "")


def test_a_place_is_called_by_rank_and_number() -> None:
    assert rank_and_number_words(118, 526, tied=True) == "第 118= 名（0526）"
    with translation.override("en"):
        assert rank_and_number_words(120, 485) == "rank 120 (0485)"


def test_the_picture_marks_the_line_and_the_entrant_without_a_style() -> None:
    svg = RankingPicture(SPOTS, (SPOTS[1], SPOTS[2])).svg(SPOTS[2], called="0655")
    assert re.findall(r'class="(\w+)"', svg) == [
        "plot",
        "strong",
        "axis",
        "in",
        "strong",
        "axis",
        "in",
        "out",
        "cut",
        "you",
        "you",
    ]
    assert "style=" not in svg and ">0655</text>" in svg
    assert 'aria-label="各勝局數的賽果分佈。晉級線在 2 勝，12 1/2 與 12 之間。"' in svg


def test_between_two_numbers_of_wins_no_dashes_are_drawn_and_the_words_say_so() -> None:
    picture = RankingPicture(SPOTS, (SPOTS[0], SPOTS[1]))
    assert 'class="cut"' not in picture.svg()
    assert picture.words() == "各勝局數的賽果分佈。晉級線在 3 勝與 2 勝之間。"


def test_without_wins_there_is_one_row() -> None:
    spots = [PictureEntrant(None, Fraction(9), True), PictureEntrant(None, Fraction(-9), False)]
    picture = RankingPicture(spots, (spots[0], spots[1]))
    assert (picture.rows, picture.svg().count("strong")) == ([None], 0)
    assert picture.words() == "賽果分佈。晉級線在 9 與 −9 之間。"


def test_nobody_gives_an_empty_picture() -> None:
    assert "<svg" in RankingPicture([], None).svg()


values = st.integers(-3600, 3600).map(lambda whole: Fraction(whole, 36))


@given(st.lists(st.builds(PictureEntrant, st.integers(0, 3), values, st.booleans()), min_size=1, max_size=60))
def test_every_bar_lies_within_the_picture(spots: list[PictureEntrant]) -> None:
    picture = RankingPicture(spots, None)
    moves = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v-([\d.]+)", picture.svg())
    assert moves
    for x, y, across, tall in moves:
        assert float(x) >= 46 and float(x) + float(across) <= 358
        assert 0 <= float(y) - float(tall) <= picture.height
    assert picture_legend(picture, by_average=True)


@pytest.mark.parametrize(("value", "said"), [(2317, "231.7"), (460, "46"), (5, "0.5"), (-5, "-0.5")])
def test_tenths_are_written_without_a_rest_of_nothing(value: int, said: str) -> None:
    assert decimal_of_tenths(value) == said

"""Ages on the day, the boundary day put to the organiser, and pairs of child and parent (R1, R40)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.eligibility import age_on, birthday_in_year, family_pair_problems, ids_in_too_many_pairs, judge_minimum_age

DAY = date(2026, 3, 28)


@pytest.mark.parametrize(
    ("birth", "day", "answer"),
    [
        ("2019-03-27", "2026-03-28", "yes"),
        ("2019-03-28", "2026-03-28", "organiser_decides"),
        ("2019-03-29", "2026-03-28", "no"),
        ("1950-01-01", "2026-03-28", "yes"),
        ("2026-03-28", "2026-03-28", "no"),
        ("2016-02-29", "2023-02-28", "no"),
        ("2016-02-29", "2023-03-01", "organiser_decides"),
        ("2016-02-29", "2023-03-02", "yes"),
    ],
)
def test_the_seventh_birthday_lies_strictly_before_the_day(birth, day, answer):
    assert judge_minimum_age(date.fromisoformat(birth), date.fromisoformat(day)) == answer


def test_another_minimum_age_moves_the_boundary():
    assert judge_minimum_age(date(2016, 2, 29), date(2024, 2, 29), minimum_age=8) == "organiser_decides"


def test_the_29th_of_february_is_the_first_of_march_in_common_years():
    birth = date(2016, 2, 29)
    assert [birthday_in_year(birth, year) for year in (2023, 2024, 2025)] == [
        date(2023, 3, 1),
        date(2024, 2, 29),
        date(2025, 3, 1),
    ]
    assert [age_on(birth, date(2023, 2, 28)), age_on(birth, date(2023, 3, 1))] == [6, 7]


@given(st.dates(date(1900, 1, 1), date(2026, 1, 1)), st.dates(date(2026, 1, 1), date(2027, 1, 1)))
def test_who_may_enter_is_seven_and_the_day_after_the_birthday_is_certain(birth, day):
    assert (judge_minimum_age(birth, day) != "no") == (age_on(birth, day) >= 7)


@pytest.mark.parametrize(
    ("child", "parent", "found"),
    [
        ("2015-05-05", "1985-01-01", ()),
        ("2007-03-29", "1985-01-01", ()),
        ("2019-03-28", "1985-01-01", ()),
        ("2007-03-28", "1985-01-01", ("child_too_old",)),
        ("2019-03-29", "1985-01-01", ("child_too_young",)),
        ("2009-01-01", "2008-03-28", ()),
        ("2009-01-01", "2008-03-29", ("parent_too_young",)),
        ("2007-06-01", "2007-06-01", ("parent_not_older",)),
        ("2007-06-01", "2007-06-02", ("parent_not_older",)),
        ("2000-01-01", "2010-01-01", ("child_too_old", "parent_too_young", "parent_not_older")),
    ],
)
def test_a_pair_is_a_child_of_7_to_18_and_an_older_parent_of_18_or_over(child, parent, found):
    assert family_pair_problems(date.fromisoformat(child), date.fromisoformat(parent), DAY) == found


def test_who_is_18_may_be_the_child_of_one_pair_or_the_parent_of_another():
    eighteen, ten, fifty = date(2007, 9, 1), date(2015, 5, 5), date(1976, 1, 1)
    assert family_pair_problems(eighteen, fifty, DAY) == family_pair_problems(ten, eighteen, DAY) == ()
    assert family_pair_problems(eighteen, date(2007, 8, 31), DAY) == ()
    assert family_pair_problems(date(2007, 8, 31), eighteen, DAY) == ("parent_not_older",)


@given(st.dates(date(1990, 1, 1), date(2026, 1, 1)), st.dates(date(1930, 1, 1), date(2026, 1, 1)))
def test_two_are_never_a_pair_in_both_roles(one, other):
    assert family_pair_problems(one, other, DAY) or family_pair_problems(other, one, DAY)


def test_a_person_stands_in_one_pair_unless_an_organiser_allows_more():
    pairs = [("son", "mother"), ("daughter", "father"), ("mother", "daughter"), ("mother", "niece")]
    assert ids_in_too_many_pairs(pairs) == ("daughter", "mother")
    assert ids_in_too_many_pairs(pairs, pairs_a_person=2) == ("mother",)
    assert ids_in_too_many_pairs(pairs, pairs_a_person=3) == ()
    assert ids_in_too_many_pairs(reversed(pairs)) == ("daughter", "mother")

"""Places of a final: reserves are called in the true order at that moment, and nobody by id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.decision import Decision, Reserve
from scoring.places import Holder, call_places
from scoring.values import Unresolved

LINE = ("a", "b", "c")
QUEUE = (Reserve("d", 1, False), Reserve("e", 2, True), Reserve("f", 2, True), Reserve("g", 4, False))


def called(answers=None, unavailable=(), decisions=(), reserves=QUEUE):
    found = call_places(LINE, reserves, answers=answers or {}, unavailable=unavailable, decisions=decisions)
    return "".join(holder.id for holder in found.holders), found.undecided, found.empty, "".join(found.waiting)


def test_without_answers_those_above_the_line_hold_their_places():
    assert called() == ("abc", None, 0, "defg")
    assert call_places(LINE, QUEUE, answers={"a": "accepted"}).holders[:2] == (
        Holder("a", "above_line", "accepted"),
        Holder("b", "above_line", None),
    )


@pytest.mark.parametrize(
    ("answers", "unavailable", "expected"),
    [
        ({"b": "declined"}, (), ("acd", None, 0, "efg")),
        ({}, ("b",), ("acd", None, 0, "efg")),
        ({"b": "declined", "d": "declined", "e": "declined"}, (), ("acf", None, 0, "g")),
        ({"a": "declined", "b": "declined", "c": "declined"}, (), ("def", None, 0, "g")),
        ({"a": "declined", "d": "declined"}, ("e", "f"), ("bcg", None, 0, "")),
        (dict.fromkeys("abcdefg", "declined"), (), ("", None, 3, "")),
    ],
)
def test_who_declines_is_replaced_by_the_next_in_line(answers, unavailable, expected):
    assert called(answers, unavailable) == expected


def test_sharers_of_a_reserve_place_wait_for_a_decision_made_for_exactly_them():
    gone = {"a": "declined", "b": "declined"}
    assert called(gone) == ("cd", Unresolved(1, ("e", "f")), 0, "efg")
    made = Decision(tied=("e", "f"), places=1, admitted=("f",))
    assert called(gone, decisions=[made]) == ("cdf", None, 0, "eg")
    other = Decision(tied=("e", "f", "g"), places=1, admitted=("f",))
    assert called(gone, decisions=[other])[1] == Unresolved(1, ("e", "f"))


def test_who_has_given_up_is_named_in_order():
    found = call_places(LINE, QUEUE, answers={"g": "declined", "a": "declined"}, unavailable=("d",))
    assert found.given_up == ("a", "d", "g")


@given(st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(["accepted", "declined"])))
def test_places_are_never_more_than_there_were_and_every_one_is_accounted_for(answers):
    found = call_places(LINE, QUEUE, answers=answers)
    left = found.undecided.places if found.undecided else 0
    assert len(found.holders) + left + found.empty == len(LINE)
    everybody = [*(holder.id for holder in found.holders), *found.given_up, *found.waiting]
    assert sorted(everybody) == sorted("abcdefg")

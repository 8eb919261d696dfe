"""Places of a final: reserves are called in the true order at that moment, and nobody by id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.final_places import FinalistPlace, fill_final_places
from scoring.tie_break import ReservePlace, TieBreakDecision
from scoring.values import UnresolvedTie

LINE = ("a", "b", "c")
QUEUE = (
    ReservePlace("d", 1, False),
    ReservePlace("e", 2, True),
    ReservePlace("f", 2, True),
    ReservePlace("g", 4, False),
)


def called(answers=None, unavailable=(), decisions=(), reserves=QUEUE):
    found = fill_final_places(LINE, reserves, answers=answers or {}, unavailable=unavailable, decisions=decisions)
    return "".join(holder.id for holder in found.holders), found.undecided, found.empty, "".join(found.waiting)


def test_without_answers_those_above_the_line_hold_their_places():
    assert called() == ("abc", None, 0, "defg")
    assert fill_final_places(LINE, QUEUE, answers={"a": "accepted"}).holders[:2] == (
        FinalistPlace("a", "above_line", "accepted"),
        FinalistPlace("b", "above_line", None),
    )


@pytest.mark.parametrize(
    ("answers", "unavailable", "expected"),
    [
        ({"b": "declined"}, (), ("acd", None, 0, "efg")),
        ({}, ("b",), ("acd", None, 0, "efg")),
        ({"b": "declined", "d": "declined", "e": "declined"}, (), ("acf", None, 0, "g")),
        ({"a": "declined", "b": "declined", "c": "declined"}, (), ("def", None, 0, "g")),
        ({"a": "declined", "d": "declined"}, ("e", "f"), ("bcg", None, 0, "")),
        ({"b": "struck"}, (), ("acd", None, 0, "efg")),
        (dict.fromkeys("abcdefg", "declined"), (), ("", None, 3, "")),
    ],
)
def test_who_declines_is_replaced_by_the_next_in_line(answers, unavailable, expected):
    assert called(answers, unavailable) == expected


def test_sharers_of_a_reserve_place_wait_for_a_decision_made_for_sharers_alone():
    gone = {"a": "declined", "b": "declined"}
    assert called(gone) == ("cd", UnresolvedTie(1, ("e", "f")), 0, "efg")
    made = TieBreakDecision(tied=("e", "f"), places=1, admitted=("f",))
    assert called(gone, decisions=[made]) == ("cdf", None, 0, "eg")
    other = TieBreakDecision(tied=("e", "f", "g"), places=1, admitted=("f",))
    assert called(gone, decisions=[other])[1] == UnresolvedTie(1, ("e", "f"))


def test_who_has_given_up_is_named_in_order():
    found = fill_final_places(LINE, QUEUE, answers={"g": "declined", "a": "declined"}, unavailable=("d",))
    assert found.given_up == ("a", "d", "g")


FOUR = (ReservePlace("d", 1, True), ReservePlace("e", 1, True), ReservePlace("f", 1, True), ReservePlace("g", 1, True))
GONE = {"a": "declined"}
TWO_GONE = {"a": "declined", "b": "declined"}


def of_four(answers, *decisions):
    return called(answers, decisions=decisions, reserves=FOUR)


def test_a_second_free_place_does_not_call_back_who_was_called():
    one = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("f",))
    assert of_four(GONE, one) == ("bcf", None, 0, "deg")
    assert of_four({**TWO_GONE, "f": "accepted"}, one) == ("cf", UnresolvedTie(1, ("d", "e", "g")), 0, "deg")


def test_who_was_called_and_declines_is_followed_by_the_next_in_the_order_decided():
    lots = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("f",), order=tuple("fdge"))
    assert of_four(GONE, lots) == ("bcf", None, 0, "dge")
    assert of_four({**GONE, "f": "declined"}, lots) == ("bcd", None, 0, "ge")
    assert of_four({**TWO_GONE, "f": "declined", "g": "declined"}, lots) == ("cde", None, 0, "")


def test_who_was_called_and_declines_leaves_the_others_undecided_where_no_order_was_made():
    one = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("f",))
    assert of_four({**GONE, "f": "declined"}, one) == ("bc", UnresolvedTie(1, ("d", "e", "g")), 0, "deg")


def test_a_later_decision_parts_those_whom_the_first_left_tied():
    first = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("f",))
    later = TieBreakDecision(tied=tuple("deg"), places=1, admitted=("g",))
    assert of_four(TWO_GONE, later, first) == ("cfg", None, 0, "de")
    assert of_four({**TWO_GONE, "f": "declined"}, later, first) == ("cg", UnresolvedTie(1, ("d", "e")), 0, "de")


def test_a_decision_that_was_replaced_orders_nobody():
    replaced = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("f",), order=tuple("fd"))
    newer = TieBreakDecision(tied=tuple("defg"), places=1, admitted=("g",))
    assert of_four(TWO_GONE, newer, replaced) == ("cg", UnresolvedTie(1, ("d", "e", "f")), 0, "def")


def test_between_two_who_were_chosen_without_an_order_nothing_is_decided():
    both = TieBreakDecision(tied=tuple("defg"), places=2, admitted=("d", "g"))
    assert of_four(TWO_GONE, both) == ("cdg", None, 0, "ef")
    assert of_four(GONE, both) == ("bc", UnresolvedTie(1, ("d", "g")), 0, "dgef")


def test_admitting_all_of_them_calls_more_than_there_are_places():
    everybody = TieBreakDecision(tied=tuple("defg"), places=1, admitted=tuple("defg"))
    assert of_four(GONE, everybody) == ("bcdefg", None, 0, "")
    assert of_four({**TWO_GONE, "f": "declined"}, everybody) == ("cdeg", None, 0, "")


@given(
    st.permutations("defg"),
    st.integers(1, 4),
    st.sets(st.sampled_from("abcdefg")),
)
def test_reserves_are_called_in_the_order_decided_whatever_happens(order, places, declined):
    lots = TieBreakDecision(tied=tuple("defg"), places=places, admitted=tuple(order[:places]), order=tuple(order))
    holders, undecided, empty, waiting = of_four(dict.fromkeys(declined, "declined"), lots)
    kept = [id for id in LINE if id not in declined]
    queue = [id for id in order if id not in declined]
    free = len(LINE) - len(kept)
    assert (holders, undecided, empty, waiting) == (
        "".join([*kept, *queue[:free]]),
        None,
        max(free - len(queue), 0),
        "".join(queue[free:]),
    )


@given(st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from(["accepted", "declined"])))
def test_places_are_never_more_than_there_were_and_every_one_is_accounted_for(answers):
    found = fill_final_places(LINE, QUEUE, answers=answers)
    left = found.undecided.places if found.undecided else 0
    assert len(found.holders) + left + found.empty == len(LINE)
    everybody = [*(holder.id for holder in found.holders), *found.given_up, *found.waiting]
    assert sorted(everybody) == sorted("abcdefg")

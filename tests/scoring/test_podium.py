"""Places 1 to 3: held, or contested by equals until people decide (R39)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.decision import Decision, draw_lots
from scoring.family import Award, FamilyStanding
from scoring.podium import (
    Contest,
    Holder,
    Podium,
    award_place,
    check_contest,
    decide_contest,
    order_by_play_off,
    podium,
)
from scoring.problems import Refusal
from scoring.ranking import rank
from scoring.ruleset import PRESETS
from scoring.values import GameResult, Record, Tally

HK = PRESETS["hk-2026"]


def ranking_of(**wins):
    return rank(HK, [Tally(id, 3, count, Fraction(0), 0) for id, count in wins.items()])


def test_three_stand_at_three_places():
    assert podium(ranking_of(d=0, c=1, b=2, a=3)) == Podium(
        (Holder(1, "a", False), Holder(2, "b", False), Holder(3, "c", False)), ()
    )


@pytest.mark.parametrize(
    ("wins", "holders", "contests"),
    [
        ({"a": 3, "b": 3, "c": 1, "d": 0}, [(3, "c")], [(1, 2, ("a", "b"))]),
        ({"a": 3, "c": 2, "b": 2, "d": 0}, [(1, "a")], [(2, 2, ("b", "c"))]),
        ({"a": 3, "b": 2, "c": 1, "d": 1, "e": 1}, [(1, "a"), (2, "b")], [(3, 1, ("c", "d", "e"))]),
        ({"a": 3, "b": 2, "c": 2, "d": 2}, [(1, "a")], [(2, 2, ("b", "c", "d"))]),
        ({"a": 2, "b": 2, "c": 2, "d": 2}, [], [(1, 3, ("a", "b", "c", "d"))]),
        ({"a": 3, "b": 2, "c": 1, "d": 0, "e": 0}, [(1, "a"), (2, "b"), (3, "c")], []),
        ({"a": 3, "b": 2}, [(1, "a"), (2, "b")], []),
        ({"a": 3, "b": 3}, [], [(1, 2, ("a", "b"))]),
        ({}, [], []),
    ],
)
def test_a_full_tie_that_reaches_onto_the_podium_contests_its_places(wins, holders, contests):
    stand = podium(ranking_of(**wins))
    assert [(holder.place, holder.id) for holder in stand.holders] == holders
    assert stand.contests == tuple(Contest(*contest) for contest in contests)
    assert stand.is_settled == (contests == [])


TIED = ranking_of(a=3, b=2, c=2, d=2, e=0)
CONTEST = podium(TIED).contests[0]


def test_a_decision_puts_them_in_order_and_says_that_it_was_one():
    stand = podium(TIED, [decide_contest(CONTEST, ["d", "b"])])
    assert stand == Podium((Holder(1, "a", False), Holder(2, "d", True), Holder(3, "b", True)), ())


def test_whom_a_decision_leaves_level_a_later_one_parts():
    first = decide_contest(CONTEST, ["c"])
    halfway = podium(TIED, [first])
    assert halfway.holders[1:] == (Holder(2, "c", True),)
    assert halfway.contests == (Contest(3, 1, ("b", "d")),)
    second = decide_contest(halfway.contests[0], ["d"])
    assert [holder.id for holder in podium(TIED, [second, first]).holders] == ["a", "c", "d"]
    anew = decide_contest(CONTEST, ["b", "d", "c"])
    assert [holder.id for holder in podium(TIED, [anew, second, first]).holders] == ["a", "b", "d"]


@pytest.mark.parametrize("tied", [("b", "c"), ("b", "c", "d", "e"), ("b", "c", "e")])
def test_a_decision_between_others_settles_nothing(tied):
    other = Decision(tied, 2, tied[:2], tied)
    assert podium(TIED, [other]) == podium(TIED)


@pytest.mark.parametrize(
    ("decision", "where"),
    [
        (Decision(("b", "c"), 2, ("b", "c"), ("b", "c")), "tied"),
        (Decision(("b", "c", "d"), 1, ("b",), ("b",)), "places"),
        (Decision(("b", "c", "d"), 2, ("b", "c")), "order"),
        (Decision(("b", "c", "d"), 2, ("b", "e"), ("b", "e")), "order[1]"),
        (Decision(("b", "c", "d"), 2, ("b", "b"), ("b", "b")), "order[1]"),
        (Decision(("b", "c", "d"), 2, ("c", "b"), ("b", "c")), "admitted"),
        (Decision(("b", "c", "d"), 2, ("b", "c", "d"), ("b", "c", "d")), "admitted"),
    ],
)
def test_a_decision_that_is_not_about_the_contest_is_refused(decision, where):
    with pytest.raises(Refusal) as refused:
        check_contest(CONTEST, decision)
    assert refused.value.where == where


def played(id, *games, status="ok"):
    return Record(id, tuple(GameResult(win, Fraction(points), tiles) for win, points, tiles in games), status)


def test_a_play_off_orders_those_who_played_it_and_changes_no_figure():
    games = [played("b", (0, -8, 2)), played("c", (1, 20, 0)), played("d", (0, -12, 3))]
    order = order_by_play_off(HK, CONTEST, games)
    assert order == ("c", "b", "d")
    before = TIED.standings
    assert [holder.id for holder in podium(TIED, [decide_contest(CONTEST, order)]).holders] == ["a", "c", "b"]
    assert TIED.standings == before


@pytest.mark.parametrize(
    ("games", "order"),
    [
        ([played("b", (1, 5, 1)), played("c", (1, 5, 1)), played("d", (0, -10, 3))], ()),
        ([played("b", (1, 10, 0)), played("c", (0, -5, 2)), played("d", (0, -5, 2))], ("b",)),
        ([played("b", (1, 10, 0)), played("c", (0, -10, 2)), played("d")], ("b", "c", "d")),
        ([played("b", (1, 10, 0)), played("c"), played("d", (0, -9, 2), status="withdrawn")], ("b",)),
        ([played("b"), played("c"), played("d")], ()),
    ],
)
def test_a_play_off_orders_strictly_from_the_first_as_far_as_it_went(games, order):
    assert order_by_play_off(HK, CONTEST, games) == order


@pytest.mark.parametrize("ids", ["bc", "bcde", "bce", "bbcd"])
def test_a_play_off_of_others_is_refused(ids):
    with pytest.raises(Refusal):
        order_by_play_off(HK, CONTEST, [played(id, (0, 0, 1)) for id in ids])


def test_the_award_has_one_place_and_is_contested_in_the_same_way():
    level = [FamilyStanding(id, 1, True, 2, Fraction(9), Fraction(3), 0, 4, 4) for id in ("Au", "Lee")]
    last = FamilyStanding("Ho", 3, False, 0, Fraction(0), Fraction(0), 0, 9, 10)
    tied = Award((*level, last), None, ("Au", "Lee"), (), ())
    assert award_place(tied) == Podium((), (Contest(1, 1, ("Au", "Lee")),))
    decision = decide_contest(Contest(1, 1, ("Au", "Lee")), ["Lee"])
    assert award_place(tied, [decision]) == Podium((Holder(1, "Lee", True),), ())


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)), st.integers(0, 99).map(str))
def test_lots_settle_every_contest_and_nobody_stands_twice(wins, seed):
    ranking = ranking_of(**wins)
    contests = podium(ranking).contests
    decisions = [decide_contest(contest, draw_lots(contest.ids, contest.places, seed)) for contest in contests]
    stand = podium(ranking, decisions)
    assert stand.is_settled
    assert [holder.place for holder in stand.holders] == list(range(1, min(len(wins), 3) + 1))
    assert len({holder.id for holder in stand.holders}) == len(stand.holders)
    kept = [wins[holder.id] for holder in stand.holders]
    assert kept == sorted(wins.values(), reverse=True)[: len(kept)]

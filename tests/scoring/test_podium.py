"""Places 1 to 3: held, or contested by equals until people decide (R39)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.family import FamilyAward, FamilyStanding
from scoring.podium import (
    Podium,
    PodiumHolder,
    PodiumTie,
    build_award_podium,
    build_podium,
    check_podium_tie_break,
    order_by_play_off,
    podium_tie_break,
)
from scoring.problems import Refusal
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.tie_break import TieBreakDecision, draw_lots
from scoring.values import GameResult, Record, Tally

HK = PRESETS["hk-2026"]


def ranking_of(**wins):
    return rank_records(HK, [Tally(id, 3, count, Fraction(0), 0) for id, count in wins.items()])


def test_three_stand_at_three_places():
    assert build_podium(ranking_of(d=0, c=1, b=2, a=3)) == Podium(
        (PodiumHolder(1, "a", False), PodiumHolder(2, "b", False), PodiumHolder(3, "c", False)), ()
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
    stand = build_podium(ranking_of(**wins))
    assert [(holder.place, holder.id) for holder in stand.holders] == holders
    assert stand.contests == tuple(PodiumTie(*contest) for contest in contests)
    assert stand.is_settled == (contests == [])


TIED = ranking_of(a=3, b=2, c=2, d=2, e=0)
CONTEST = build_podium(TIED).contests[0]


def test_a_decision_puts_them_in_order_and_says_that_it_was_one():
    stand = build_podium(TIED, [podium_tie_break(CONTEST, ["d", "b"])])
    assert stand == Podium((PodiumHolder(1, "a", False), PodiumHolder(2, "d", True), PodiumHolder(3, "b", True)), ())


def test_whom_a_decision_leaves_level_a_later_one_parts():
    first = podium_tie_break(CONTEST, ["c"])
    halfway = build_podium(TIED, [first])
    assert halfway.holders[1:] == (PodiumHolder(2, "c", True),)
    assert halfway.contests == (PodiumTie(3, 1, ("b", "d")),)
    second = podium_tie_break(halfway.contests[0], ["d"])
    assert [holder.id for holder in build_podium(TIED, [second, first]).holders] == ["a", "c", "d"]
    anew = podium_tie_break(CONTEST, ["b", "d", "c"])
    assert [holder.id for holder in build_podium(TIED, [anew, second, first]).holders] == ["a", "b", "d"]


@pytest.mark.parametrize("tied", [("b", "c"), ("b", "c", "d", "e"), ("b", "c", "e")])
def test_a_decision_between_others_settles_nothing(tied):
    other = TieBreakDecision(tied, 2, tied[:2], tied)
    assert build_podium(TIED, [other]) == build_podium(TIED)


@pytest.mark.parametrize(
    ("decision", "where"),
    [
        (TieBreakDecision(("b", "c"), 2, ("b", "c"), ("b", "c")), "tied"),
        (TieBreakDecision(("b", "c", "d"), 1, ("b",), ("b",)), "places"),
        (TieBreakDecision(("b", "c", "d"), 2, ("b", "c")), "order"),
        (TieBreakDecision(("b", "c", "d"), 2, ("b", "e"), ("b", "e")), "order[1]"),
        (TieBreakDecision(("b", "c", "d"), 2, ("b", "b"), ("b", "b")), "order[1]"),
        (TieBreakDecision(("b", "c", "d"), 2, ("c", "b"), ("b", "c")), "admitted"),
        (TieBreakDecision(("b", "c", "d"), 2, ("b", "c", "d"), ("b", "c", "d")), "admitted"),
    ],
)
def test_a_decision_that_is_not_about_the_contest_is_refused(decision, where):
    with pytest.raises(Refusal) as refused:
        check_podium_tie_break(CONTEST, decision)
    assert refused.value.where == where


def played(id, *games, status="ok"):
    return Record(id, tuple(GameResult(win, Fraction(points), tiles) for win, points, tiles in games), status)


def test_a_play_off_orders_those_who_played_it_and_changes_no_figure():
    games = [played("b", (0, -8, 2)), played("c", (1, 20, 0)), played("d", (0, -12, 3))]
    order = order_by_play_off(HK, CONTEST, games)
    assert order == ("c", "b", "d")
    before = TIED.standings
    assert [holder.id for holder in build_podium(TIED, [podium_tie_break(CONTEST, order)]).holders] == ["a", "c", "b"]
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
    tied = FamilyAward((*level, last), None, ("Au", "Lee"), (), ())
    assert build_award_podium(tied) == Podium((), (PodiumTie(1, 1, ("Au", "Lee")),))
    decision = podium_tie_break(PodiumTie(1, 1, ("Au", "Lee")), ["Lee"])
    assert build_award_podium(tied, [decision]) == Podium((PodiumHolder(1, "Lee", True),), ())


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)), st.integers(0, 99).map(str))
def test_lots_settle_every_contest_and_nobody_stands_twice(wins, seed):
    ranking = ranking_of(**wins)
    contests = build_podium(ranking).contests
    decisions = [podium_tie_break(contest, draw_lots(contest.ids, contest.places, seed)) for contest in contests]
    stand = build_podium(ranking, decisions)
    assert stand.is_settled
    assert [holder.place for holder in stand.holders] == list(range(1, min(len(wins), 3) + 1))
    assert len({holder.id for holder in stand.holders}) == len(stand.holders)
    kept = [wins[holder.id] for holder in stand.holders]
    assert kept == sorted(wins.values(), reverse=True)[: len(kept)]

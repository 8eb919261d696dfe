"""What a decision about a full tie means for the cut (R37)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.tie_break import (
    ReserveGroup,
    ReservePlace,
    SettledQualification,
    TieBreakDecision,
    check_tie_break,
    draw_lots,
    settle_qualification,
    split_by_tie_breaks,
    tie_break_applies,
)
from scoring.values import Qualification, Ranking, Tally, UnresolvedTie

HK = PRESETS["hk-2026"]
# a stands alone; b, c, d are equal in everything; e and f are equal below them
KEYS = {"a": 3, "b": 2, "c": 2, "d": 2, "e": 1, "f": 1}


def ranking_of(wins: dict[str, int]) -> Ranking:
    return rank_records(
        HK, [Tally(id=name, games=3, wins=count, points=Fraction(0), tiles=0) for name, count in wins.items()]
    )


RANKING = ranking_of(KEYS)
THREE = qualify_by_rank(HK, RANKING, 3)
TWO_OF_THREE = TieBreakDecision(tied=("b", "c", "d"), places=2, admitted=("d", "b"))


def test_without_a_decision_the_tie_stays_unresolved_and_the_reserves_wait_behind_it() -> None:
    assert settle_qualification(RANKING, THREE) == SettledQualification(
        advancing=("a",),
        unresolved=UnresolvedTie(2, ("b", "c", "d")),
        reserves=(ReservePlace("e", 1, True), ReservePlace("f", 1, True)),
    )


def test_the_admitted_follow_in_the_order_decided_and_the_others_are_the_first_reserves() -> None:
    assert settle_qualification(RANKING, THREE, TWO_OF_THREE) == SettledQualification(
        advancing=("a", "d", "b"),
        unresolved=None,
        reserves=(ReservePlace("c", 1, False), ReservePlace("e", 2, True), ReservePlace("f", 2, True)),
    )


def test_those_who_stay_tied_after_the_decision_share_a_reserve_place() -> None:
    one = TieBreakDecision(tied=("b", "c", "d"), places=1, admitted=("c",))
    assert settle_qualification(RANKING, qualify_by_rank(HK, RANKING, 2), one).reserves == (
        ReservePlace("b", 1, True),
        ReservePlace("d", 1, True),
        ReservePlace("e", 3, True),
        ReservePlace("f", 3, True),
    )


def test_an_order_beyond_the_places_gives_each_a_reserve_place_alone() -> None:
    lots = TieBreakDecision(tied=("b", "c", "d"), places=1, admitted=("c",), order=("c", "d", "b"))
    assert settle_qualification(RANKING, qualify_by_rank(HK, RANKING, 2), lots) == SettledQualification(
        advancing=("a", "c"),
        unresolved=None,
        reserves=(
            ReservePlace("d", 1, False),
            ReservePlace("b", 2, False),
            ReservePlace("e", 3, True),
            ReservePlace("f", 3, True),
        ),
    )


def test_a_decision_of_a_reserve_place_parts_its_sharers() -> None:
    reserved = TieBreakDecision(tied=("e", "f"), places=1, admitted=("f",))
    assert settle_qualification(RANKING, qualify_by_rank(HK, RANKING, 4), None, [reserved]).reserves == (
        ReservePlace("f", 1, False),
        ReservePlace("e", 2, False),
    )
    assert settle_qualification(RANKING, THREE, TWO_OF_THREE, [reserved]).reserves == (
        ReservePlace("c", 1, False),
        ReservePlace("f", 2, False),
        ReservePlace("e", 3, False),
    )


@pytest.mark.parametrize(
    ("order", "where"),
    [(("b", "e"), "order[1]"), (("b", "b"), "order[1]"), (("d",), "order[0]"), (("b", "d"), "order[1]")],
)
def test_an_order_of_others_or_not_led_by_the_admitted_is_refused(order: tuple[str, ...], where: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_tie_break(TieBreakDecision(("b", "c", "d"), 2, ("b", "c"), order))
    assert refused.value.where == where


def test_an_order_may_go_on_beyond_the_admitted() -> None:
    check_tie_break(TieBreakDecision(("a", "b", "c"), 1, ("a",), ("a", "b", "c")))


ORDERED = TieBreakDecision(("a", "b", "c"), 1, ("a",), ("a", "b", "c"))
LED = TieBreakDecision(("a", "b", "c"), 1, ("a",), ("a",))


@pytest.mark.parametrize(
    ("waiting", "decisions", "groups"),
    [
        pytest.param("abc", [ORDERED], ["a1", "b1", "c1"], id="one by one"),
        pytest.param("abc", [TieBreakDecision(("a", "b", "c"), 1, ("a", "b"))], ["ab1", "c1"], id="two for one place"),
        pytest.param(
            "abc", [TieBreakDecision(("b", "c"), 1, ("b",)), LED], ["a1", "b1", "c1"], id="a later one parts the rest"
        ),
        pytest.param(
            "bcd",
            [
                TieBreakDecision(("a", "b", "c", "d"), 1, ("a",)),
                TieBreakDecision(("a", "b", "c", "d"), 1, ("b",), ("b", "c", "d", "a")),
            ],
            ["b1", "c1", "d1"],
            id="one that names none of those who still wait says nothing",
        ),
    ],
)
def test_who_waits_is_parted_by_the_newest_decision_that_says_something_of_them(
    waiting: str, decisions: list[TieBreakDecision], groups: list[str]
) -> None:
    parted = split_by_tie_breaks(waiting, "abcd", decisions)
    assert parted == [ReserveGroup(tuple(group[:-1]), int(group[-1])) for group in groups]


def test_admitting_all_lets_more_advance_than_there_are_places() -> None:
    everybody = TieBreakDecision(tied=("b", "c", "d"), places=2, admitted=("b", "c", "d"))
    check_tie_break(everybody, all_of_them=True)
    assert settle_qualification(RANKING, THREE, everybody).advancing == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    "other",
    [
        TieBreakDecision(tied=("b", "c"), places=2, admitted=("b", "c")),
        TieBreakDecision(tied=("b", "c", "d", "e"), places=2, admitted=("b", "c")),
        TieBreakDecision(tied=("b", "c", "d"), places=1, admitted=("b",)),
    ],
)
def test_a_decision_for_another_tie_has_lapsed_and_settles_nothing(other: TieBreakDecision) -> None:
    assert not tie_break_applies(other, THREE)
    assert settle_qualification(RANKING, THREE, other) == settle_qualification(RANKING, THREE)


def test_a_decision_settles_nothing_where_no_tie_crosses_the_line() -> None:
    four = qualify_by_rank(HK, RANKING, 4)
    assert four == Qualification(("a", "b", "c", "d"), None, ("e", "f"))
    assert settle_qualification(RANKING, four, TWO_OF_THREE) == settle_qualification(RANKING, four)


@pytest.mark.parametrize(
    ("admitted", "all_of_them", "where"),
    [
        (("b",), False, "admitted"),
        (("b", "c", "d"), False, "admitted"),
        (("b", "b"), False, "admitted[1]"),
        (("b", "e"), False, "admitted[1]"),
        (("b", "c"), True, "admitted"),
    ],
)
def test_a_decision_that_decides_nothing_is_refused(admitted: tuple[str, ...], all_of_them: bool, where: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_tie_break(TieBreakDecision(("b", "c", "d"), 2, admitted), all_of_them=all_of_them)
    assert refused.value.where == where


def test_lots_of_a_seed_are_always_the_same() -> None:
    assert draw_lots(["0002", "0006", "0011"], 2, "The Annex, 7 April 2026") == ("0011", "0002")
    assert draw_lots(["0011", "0002", "0006"], 2, "The Annex, 7 April 2026") == ("0011", "0002")


def test_lots_need_a_seed() -> None:
    with pytest.raises(Refusal, match="seed"):
        draw_lots(["b", "c"], 1, "")


@given(st.integers(0, 10**6).map(str), st.integers(2, 8), st.data())
def test_lots_fall_on_as_many_of_the_tied_as_there_are_places(seed: str, tied: int, data: st.DataObject) -> None:
    ids = [f"{number:04d}" for number in range(tied)]
    places = data.draw(st.integers(1, tied))
    drawn = draw_lots(ids, places, seed)
    assert len(drawn) == places == len(set(drawn))
    assert set(drawn) <= set(ids)


def test_over_many_seeds_nobody_is_favoured() -> None:
    drawn = [draw_lots(["0002", "0006"], 1, str(seed))[0] for seed in range(2000)]
    assert 900 < drawn.count("0002") < 1100


@given(st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 3), min_size=1), st.integers(1, 10))
def test_settling_loses_nobody_and_adds_nobody(wins: dict[str, int], places: int) -> None:
    ranking = ranking_of(wins)
    settled = settle_qualification(ranking, qualify_by_rank(HK, ranking, places))
    tied = settled.unresolved.ids if settled.unresolved else ()
    everybody = [*settled.advancing, *tied, *(reserve.id for reserve in settled.reserves)]
    assert sorted(everybody) == sorted(wins)

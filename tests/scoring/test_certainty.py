"""Certainly in, certainly out, provisional, not yet played: whatever the others still do, it holds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.certainty import Certainty, judge_certainties
from scoring.problems import Refusal
from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.values import Tally

HK = PRESETS["hk-2026"]


def entrant(id, wins=0, points=0, tiles=0, games=3, status="ok"):
    return Tally(id, games, wins, Fraction(points), tiles, status)


def states(tallies, incomplete, places, ruleset=HK):
    return {one.id: one.state for one in judge_certainties(ruleset, tallies, incomplete=incomplete, places=places)}


FOUR = [entrant("a", 3, 9), entrant("b", 2, 7), entrant("c", 2, 7), entrant("d", 1, 1)]


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (1, {"a": "in", "b": "out", "c": "out", "d": "out"}),
        (2, {"a": "in", "b": "provisional", "c": "provisional", "d": "out"}),
        (3, {"a": "in", "b": "in", "c": "in", "d": "out"}),
        (4, {"a": "in", "b": "in", "c": "in", "d": "in"}),
        (None, {"a": "in", "b": "in", "c": "in", "d": "in"}),
    ],
)
def test_with_all_results_in_only_a_tie_across_the_line_stays_open(places, expected):
    assert states(FOUR, [], places) == expected


def test_each_who_has_still_to_finish_counts_as_if_better():
    waiting = [entrant("x", games=0), entrant("y", games=0)]
    assert states([*FOUR, *waiting], ["x", "y"], 3) == {
        "a": "in",
        "b": "provisional",
        "c": "provisional",
        "d": "out",
        "x": "not_yet_played",
        "y": "not_yet_played",
    }


def test_nobody_is_in_by_rows_that_are_still_blank():
    waiting = [entrant(id, games=0) for id in "xyz"]
    assert states(waiting, "xyz", 3) == dict.fromkeys("xyz", "not_yet_played")
    begun = [entrant("x", 2, 50, games=2)]
    assert states(begun, ["x"], 3) == {"x": "provisional"}


def test_who_cannot_reach_enough_wins_any_more_is_out_before_the_end():
    field = [entrant("a", 3), entrant("b", 3), entrant("x", 0, 500, games=1), entrant("y", 1, -90, games=1)]
    assert states(field, ["x", "y"], 2) == {"a": "provisional", "b": "provisional", "x": "out", "y": "provisional"}


def test_where_wins_do_not_come_first_nobody_is_out_before_the_end():
    school = PRESETS["school"]
    field = [entrant("a", 3, 90), entrant("x", 0, -500, games=2)]
    assert states(field, ["x"], 1, school) == {"a": "provisional", "x": "provisional"}


@pytest.mark.parametrize("status", ["forfeited", "withdrawn", "disqualified"])
def test_who_cannot_be_ranked_takes_nobodys_place(status):
    field = [entrant("a", 3, 9, status=status), entrant("b", 2), entrant("x", games=0, status=status)]
    assert states(field, ["x"], 1) == {"a": "ineligible", "b": "in", "x": "ineligible"}


def test_it_says_what_it_rests_on():
    field = [*FOUR, entrant("x", games=0)]
    assert judge_certainties(HK, field, incomplete=["x"], places=3)[1] == Certainty("b", "provisional", 1, 2, 1)


@pytest.mark.parametrize("places", [0, -1])
def test_fewer_than_one_place_is_refused(places):
    with pytest.raises(Refusal):
        judge_certainties(HK, FOUR, incomplete=[], places=places)


twelfths = st.integers(-24, 24).map(lambda whole: Fraction(whole, 12))
final = st.tuples(st.integers(0, 3), twelfths, st.integers(0, 3))
fields = st.lists(st.tuples(final, st.booleans(), st.integers(0, 3)), min_size=1, max_size=8)


def as_now(number, result, unfinished, games):
    """What is known of an entrant: all, or so many games of it."""
    wins, points, tiles = result
    return (
        entrant(f"{number}", min(wins, games), points, tiles, games)
        if unfinished
        else entrant(f"{number}", wins, points, tiles)
    )


@given(fields, st.integers(1, 8), st.data())
def test_whatever_the_others_still_do_who_is_in_advances_and_who_is_out_does_not(field, places, data):
    now = [as_now(number, *one) for number, one in enumerate(field)]
    incomplete = [f"{number}" for number, (_result, unfinished, _games) in enumerate(field) if unfinished]
    found = states(now, incomplete, places)
    end = []
    for one in now:
        if one.id not in incomplete:
            end.append(one)
            continue
        wins = one.wins + data.draw(st.integers(0, 3 - one.games))
        status = data.draw(st.sampled_from(["ok", "ok", "withdrawn"]))
        points = data.draw(st.integers(-9999, 9999))
        end.append(entrant(one.id, wins, points, data.draw(st.integers(0, 3)), status=status))
    line = qualify_by_rank(HK, rank_records(HK, end), places)
    tied = line.unresolved.ids if line.unresolved else ()
    for id, state in found.items():
        if state == "in":
            assert id in line.advancing
        if state == "out":
            assert id not in line.advancing and id not in tied


@given(fields, st.integers(1, 8))
def test_who_is_provisional_can_still_come_in_and_can_still_fall_out(field, places):
    now = [as_now(number, *one) for number, one in enumerate(field)]
    incomplete = {f"{number}" for number, (_result, unfinished, _games) in enumerate(field) if unfinished}
    found = states(now, incomplete, places)
    none_finish = [one for one in now if one.id not in incomplete]
    all_win = [entrant(one.id, 3, 9999) if one.id in incomplete else one for one in now]
    best, worst = (qualify_by_rank(HK, rank_records(HK, end), places) for end in (none_finish, all_win))
    for id in {one.id for one in none_finish}:
        if found[id] == "provisional":
            assert id in best.advancing or (best.unresolved and id in best.unresolved.ids)
            assert id not in worst.advancing

"""Who advances: the line, a tie across it, the reserves."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS
from scoring.values import Qualification, Ranking, Record, Tally, UnresolvedTie

HK = PRESETS["hk-2026"]


def ranking(points):
    """A ranking of entrants by their points alone: {id: points}."""
    return rank_records(HK, [Tally(id, 3, 0, Fraction(value), 0) for id, value in points.items()])


FIVE = ranking({"a": 9, "c": 7, "b": 7, "d": 7, "e": 1})


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (1, Qualification(("a",), None, ("b", "c", "d", "e"))),
        (2, Qualification(("a",), UnresolvedTie(1, ("b", "c", "d")), ("e",))),
        (3, Qualification(("a",), UnresolvedTie(2, ("b", "c", "d")), ("e",))),
        (4, Qualification(("a", "b", "c", "d"), None, ("e",))),
        (5, Qualification(("a", "b", "c", "d", "e"), None, ())),
        (6, Qualification(("a", "b", "c", "d", "e"), None, ())),
    ],
)
def test_the_line_never_breaks_a_tie(places, expected):
    assert qualify_by_rank(HK, FIVE, places) == expected


def test_a_tie_of_all_leaves_nobody_certainly_in():
    assert qualify_by_rank(HK, ranking({"b": 1, "a": 1}), 1) == Qualification((), UnresolvedTie(1, ("a", "b")), ())


def test_the_ruleset_says_how_many_where_nothing_else_does():
    many = ranking({f"{number:04}": -number for number in range(200)})
    in_order = tuple(f"{number:04}" for number in range(200))
    assert qualify_by_rank(HK, many) == Qualification(in_order[:120], None, in_order[120:])
    assert qualify_by_rank(PRESETS["twist"], many) == Qualification(in_order, None, ())
    assert qualify_by_rank(PRESETS["twist"], many, 7) == Qualification(in_order[:7], None, in_order[7:])


def test_an_empty_ranking_has_an_empty_line():
    assert qualify_by_rank(HK, Ranking((), ()), 3) == Qualification((), None, ())


@pytest.mark.parametrize("places", [0, -1])
def test_fewer_than_one_place_is_refused(places):
    with pytest.raises(Refusal) as refused:
        qualify_by_rank(HK, FIVE, places)
    assert refused.value.where == "advance"


POINTS = st.dictionaries(st.integers(10, 99).map(str), st.integers(0, 6), max_size=20)
PLACES = st.integers(1, 12)


@given(POINTS, PLACES)
def test_everybody_is_in_exactly_one_part_and_the_places_are_filled(points, places):
    line = qualify_by_rank(HK, ranking(points), places)
    tied = line.unresolved.ids if line.unresolved else ()
    assert sorted([*line.advancing, *tied, *line.reserves]) == sorted(points)
    filled = len(line.advancing) + (line.unresolved.places if line.unresolved else 0)
    assert filled == min(places, len(points))
    if line.unresolved:
        assert 0 < line.unresolved.places < len(tied)
        assert len({points[id] for id in tied}) == 1


@given(POINTS, PLACES, st.integers(-3, 6))
def test_a_worse_entrant_never_takes_a_place(points, places, value):
    line = qualify_by_rank(HK, ranking(points), places)
    worst_in = min((points[id] for id in line.advancing), default=None)
    if worst_in is not None and value < worst_in:
        after = qualify_by_rank(HK, ranking({**points, "new": value}), places)
        assert set(line.advancing) <= set(after.advancing)


@given(POINTS, PLACES, st.data())
def test_a_finalist_who_withdraws_promotes_exactly_the_next(points, places, data):
    line = qualify_by_rank(HK, ranking(points), places)
    if line.unresolved or not line.advancing:
        return
    gone = data.draw(st.sampled_from(line.advancing))
    records = [Tally(id, 3, 0, Fraction(value), 0, "withdrawn" if id == gone else "ok") for id, value in points.items()]
    after = qualify_by_rank(HK, rank_records(HK, records), places)
    stay = [id for id in line.advancing if id != gone]
    next_in = [id for id in line.reserves if points[id] == points[line.reserves[0]]] if line.reserves else []
    if len(next_in) <= 1:
        assert after == Qualification((*stay, *next_in), None, line.reserves[1:])
    else:
        assert after == Qualification(
            tuple(stay), UnresolvedTie(1, tuple(sorted(next_in))), line.reserves[len(next_in) :]
        )


def test_a_record_without_games_takes_no_place():
    records = [Record("a", ()), Tally("b", 1, 0, Fraction(-9), 5)]
    assert qualify_by_rank(HK, rank_records(HK, records), 1) == Qualification(("b",), None, ())

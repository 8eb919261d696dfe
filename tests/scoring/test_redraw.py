"""Draws of further rounds: pairs apart, letters spread, as few second meetings as can be (R13, R38, R40)."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.redraw import NotAvoided, RoundPlan, count_meetings, draw_next_round, review_round
from scoring.seat_balancing import max_visits_per_letter
from scoring.seating import PlannedTable, Sitter, draw_tables, table_sizes


def finalists(count, pairs=0):
    """Finalists by number, the first of them declared pairs."""
    return [Sitter(f"{n:04}", f"f{n // 2}" if n < 2 * pairs else None, f"s{n % 24}") for n in range(count)]


def whole_final(sitters, rounds, seed):
    """Every round's tables, and everything that could not be avoided."""
    drawn, told = [draw_tables(sitters, seed).tables], []
    for _ in range(rounds - 1):
        plan = draw_next_round(sitters, drawn, seed, rounds)
        drawn.append(plan.tables)
        told += plan.could_not
    return drawn, told


def most_visits(drawn):
    visits = Counter((id, letter) for tables in drawn for table in tables for letter, id in table.seats.items())
    return max(visits.values())


@pytest.mark.parametrize("entrants", [118, 119, 120, 121])
@pytest.mark.parametrize("rounds", [3, 5])
def test_nobody_meets_twice_and_letters_are_spread_over_a_final(entrants, rounds):
    sitters = finalists(entrants, pairs=20)
    drawn, told = whole_final(sitters, rounds, 2026)
    family_of = {sitter.id: sitter.family for sitter in sitters if sitter.family}
    assert [one for one in told if one.kind != "school"] == []
    for tables in drawn:
        assert tuple(len(table.seats) for table in tables) == table_sizes(entrants)
        assert sorted(id for table in tables for id in table.seats.values()) == [sitter.id for sitter in sitters]
        families = [[family_of[id] for id in table.seats.values() if id in family_of] for table in tables]
        assert all(len(set(here)) == len(here) for here in families)
    assert list(count_meetings(drawn)) == [1]
    assert most_visits(drawn) == max_visits_per_letter(rounds)


def test_who_sat_at_a_table_of_three_is_spared_another():
    drawn, _ = whole_final(finalists(121), 4, 3)
    sat = Counter(id for tables in drawn for table in tables if len(table.seats) == 3 for id in table.seats.values())
    assert set(sat.values()) == {1}
    assert len(sat) == 4 * 9


def test_what_a_letter_cannot_be_spared_is_told_with_the_rounds_before():
    drawn, told = whole_final(finalists(118), 4, 1)
    letters = [one for one in told if one.kind == "letter"]
    assert {one.kind for one in told} == {"letter"}
    # thirty tables seat 120 entrants at A, B and C over four rounds, two more than there are finalists
    assert len(letters) == 6
    for one in letters:
        assert len(one.rounds) == 1
    assert list(count_meetings(drawn)) == [1]


crowds = st.integers(6, 26).flatmap(lambda count: st.integers(0, count // 2).map(lambda pairs: finalists(count, pairs)))


@given(crowds, st.integers(2, 4), st.integers(0, 10**6))
@settings(max_examples=6)
def test_pairs_never_share_a_table_and_everything_else_is_told(sitters, rounds, seed):
    drawn = [draw_tables(sitters, seed).tables]
    for done in range(1, rounds):
        plan = draw_next_round(sitters, drawn, seed, rounds)
        assert [tuple(table.seats) for table in plan.tables] == [
            ("A", "B", "C", "D")[:size] for size in table_sizes(len(sitters))
        ]
        assert [one for one in plan.could_not if one.kind == "family"] == []
        met = meetings_between(drawn)
        again = [pair for table in plan.tables for pair in combinations(sorted(table.seats.values()), 2) if pair in met]
        assert sorted(one.ids for one in plan.could_not if one.kind == "meeting") == sorted(again)
        assert all(1 <= number <= done for one in plan.could_not for number in one.rounds)
        drawn.append(plan.tables)


def meetings_between(drawn):
    return {pair for tables in drawn for table in tables for pair in combinations(sorted(table.seats.values()), 2)}


@given(crowds, st.integers(), st.randoms(use_true_random=False))
@settings(max_examples=4)
def test_the_draw_does_not_depend_on_any_order_of_the_input(sitters, seed, random):
    drawn = [draw_tables(sitters, 1).tables, draw_tables(sitters, 2).tables]
    mixed = random.sample(sitters, len(sitters))
    turned = [random.sample(tables, len(tables)) for tables in drawn]
    assert draw_next_round(mixed, turned, seed, 4) == draw_next_round(sitters, drawn, seed, 4)


def test_the_draw_of_a_seed_is_the_same_on_every_machine():
    plan = draw_next_round(finalists(9), [draw_tables(finalists(9), 7).tables], 7, 2)
    assert [dict(table.seats) for table in plan.tables] == [
        {"A": "0007", "B": "0005", "C": "0000"},
        {"A": "0004", "B": "0003", "C": "0006"},
        {"A": "0008", "B": "0002", "C": "0001"},
    ]


@pytest.mark.parametrize(("entrants", "sizes"), [(9, (4, 3, 2)), (14, (4, 4, 4, 2)), (6, (4, 2))])
def test_rounds_with_tables_of_two_keep_their_sizes(entrants, sizes):
    drawn: list = []
    for seed in range(3):
        plan = draw_next_round(finalists(entrants), drawn, seed, 3, (4, 3, 2))
        assert tuple(len(table.seats) for table in plan.tables) == sizes
        drawn.append(plan.tables)
    letters = Counter((id, letter) for tables in drawn for table in tables for letter, id in table.seats.items())
    assert max(letters.values()) <= 2


def test_other_seeds_and_other_rounds_draw_other_seats():
    sitters = finalists(40)
    first = draw_tables(sitters, 1).tables
    assert draw_next_round(sitters, [first], 1, 3) != draw_next_round(sitters, [first], 2, 3)
    assert draw_next_round(sitters, [], 1, 3).tables != draw_next_round(sitters, [first], 1, 3).tables


def test_who_plays_no_more_and_who_comes_new_are_allowed_for():
    sitters = finalists(24)
    drawn = [draw_tables(sitters, 3).tables]
    there = [*sitters[3:], Sitter("9999")]
    plan = draw_next_round(there, drawn, 3, 3)
    assert sorted(id for table in plan.tables for id in table.seats.values()) == [sitter.id for sitter in there]
    assert plan.could_not == ()


def test_nobody_has_no_tables_and_what_cannot_be_seated_is_refused():
    assert draw_next_round([], [], 1, 1) == RoundPlan((), ())
    for sitters, earlier, rounds in [
        (finalists(5), [], 1),
        ([*finalists(3), Sitter("0000")], [], 1),
        (finalists(8), [()], 1),
    ]:
        with pytest.raises(Refusal):
            draw_next_round(sitters, earlier, 1, rounds)


def test_a_review_says_what_an_exchange_by_hand_does_not_keep():
    sitters = [Sitter("1", "Chan"), Sitter("2", "Chan", "North"), Sitter("3", None, "North"), Sitter("4"), Sitter("5")]
    earlier = [
        [PlannedTable(1, {"A": "1", "B": "3", "C": "4"})],
        [PlannedTable(1, {"A": "1", "B": "2", "C": "5"}), PlannedTable(2, {"A": "3", "B": "4", "C": "9"})],
    ]
    now = [PlannedTable(1, {"A": "1", "B": "2", "C": "3"}), PlannedTable(2, {"A": "9", "B": "4", "C": "3"})]
    assert review_round(now, sitters, earlier, 3) == (
        NotAvoided("family", ("1", "2"), 1, (2,)),
        NotAvoided("meeting", ("1", "2"), 1, (2,)),
        NotAvoided("meeting", ("1", "3"), 1, (1,)),
        NotAvoided("meeting", ("3", "4"), 2, (1, 2)),
        NotAvoided("letter", ("1",), 1, (1, 2)),
        NotAvoided("letter", ("2",), 1, (2,)),
        NotAvoided("letter", ("4",), 2, (2,)),
        NotAvoided("school", ("2", "3"), 1, ()),
    )
    assert [one.ids for one in review_round(now, sitters, earlier, 5) if one.kind == "letter"] == [("1",)]


# --- Against every arrangement of a small field -----------------------------------------------------------------


def arrangements(rest, sizes):
    """Every way to seat them at tables of these sizes, whatever the letters."""
    if not sizes:
        yield ()
        return
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest[1:], size - 1):
            table = (rest[0], *others)
            for more in arrangements([id for id in rest if id not in table], left):
                yield (table, *more)


def fewest_by_trying_all(ids, earlier, rounds):
    """The least (letters too often, meetings) of the round after `earlier`, over every arrangement."""
    met = meetings_between(earlier)
    sat = Counter((id, letter) for tables in earlier for table in tables for letter, id in table.seats.items())

    @cache
    def cost(table):
        letters = min(
            sum(sat[seat] >= max_visits_per_letter(rounds) for seat in zip(order, "ABCD", strict=False))
            for order in permutations(table)
        )
        return letters, sum(pair in met for pair in combinations(sorted(table), 2))

    sizes = table_sizes(len(ids))
    return min(tuple(map(sum, zip(*map(cost, tables), strict=True))) for tables in arrangements(ids, sizes))


@pytest.mark.parametrize(("entrants", "rounds"), [(6, 3), (7, 3), (8, 2), (8, 3), (9, 2), (9, 3), (10, 3), (11, 3)])
def test_the_last_round_of_a_small_field_is_as_good_as_the_best_of_all_arrangements(entrants, rounds):
    sitters = finalists(entrants)
    drawn, _ = whole_final(sitters, rounds, 5)
    told = Counter(one.kind for one in review_round(drawn[-1], sitters, drawn[:-1], rounds))
    best = fewest_by_trying_all([sitter.id for sitter in sitters], drawn[:-1], rounds)
    assert (told["letter"], told["meeting"]) == best

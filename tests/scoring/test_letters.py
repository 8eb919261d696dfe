"""Seat letters over the rounds: exact, whatever has been drawn before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.seat_balancing import SEAT_INDEXES, letters_for_next_round, max_visits_per_letter, plan_seat_letters
from scoring.seating import Chance, table_sizes


def seats_of(entrants):
    sizes = table_sizes(entrants)
    return [sum(size > letter for size in sizes) for letter in SEAT_INDEXES]


def unavoidable(seats, entrants, rounds):
    """Visits too many that no draw can spare: a letter has more seats than everybody's share of it."""
    most = max_visits_per_letter(rounds)
    return sum(max(0, seats[letter] * rounds - most * entrants) for letter in SEAT_INDEXES)


def excess_of(visits, most):
    return sum(max(0, count - most) for row in visits for count in row)


def test_a_fourth_of_the_rounds_is_rounded_up():
    assert [max_visits_per_letter(rounds) for rounds in (1, 2, 3, 4, 5, 8, 9)] == [1, 1, 1, 1, 2, 2, 3]


@given(st.sampled_from([3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 18, 23, 40]), st.integers(1, 6), st.integers(0, 10**6))
@settings(max_examples=60)
def test_round_by_round_nobody_sits_too_often_at_a_letter_beyond_what_cannot_be_spared(entrants, rounds, seed):
    seats, most, chance = seats_of(entrants), max_visits_per_letter(rounds), Chance(seed)
    visits = [[0] * 4 for _ in range(entrants)]
    for done in range(rounds):
        plan = plan_seat_letters(visits, seats, rounds - done, most, chance)
        assert [sum(row) for row in plan] == [rounds - done] * entrants
        now = letters_for_next_round(plan, seats, chance)
        assert [now.count(letter) for letter in SEAT_INDEXES] == seats
        assert all(plan[who][letter] for who, letter in enumerate(now))
        for who, letter in enumerate(now):
            visits[who][letter] += 1
    assert excess_of(visits, most) == unavoidable(seats, entrants, rounds)


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=8, max_size=8), st.integers(0, 99))
@settings(max_examples=40)
def test_the_last_round_is_as_cheap_as_the_best_of_all_arrangements(visits, seed):
    seats, most = seats_of(8), 1
    plan = plan_seat_letters(visits, seats, 1, most, Chance(seed))
    found = sum(visits[who][row.index(1)] >= most for who, row in enumerate(plan))
    assert found == fewest_by_trying_all(visits, most)


def fewest_by_trying_all(visits, most):
    """The least number of visits too many over every way to give eight entrants each letter twice."""
    ways = {(0, 0, 0, 0): 0}
    for row in visits:
        after = {}
        for given_so_far, cost in ways.items():
            for letter in SEAT_INDEXES:
                if given_so_far[letter] < 2:
                    taken = tuple(count + (at == letter) for at, count in enumerate(given_so_far))
                    after[taken] = min(after.get(taken, 99), cost + (row[letter] >= most))
        ways = after
    return ways[2, 2, 2, 2]


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_with_tables_of_four_alone_every_letter_comes_once_in_four_rounds(rounds):
    plan = plan_seat_letters([[0] * 4 for _ in range(16)], [4] * 4, rounds, 1, Chance(rounds))
    assert all(sorted(row, reverse=True)[0] == 1 for row in plan)

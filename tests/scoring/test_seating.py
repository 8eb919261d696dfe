"""The draw: table sizes, families apart, schools apart, the same for everyone (R8, R13, R40)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.seating import (
    Chance,
    NotKept,
    PlannedTable,
    Sitter,
    arrangement_faults,
    draw_tables,
    referee_index,
    referees_needed,
    table_sizes,
)

names = st.one_of(st.none(), st.sampled_from("abcdefgh"))
numbers = st.integers(min_value=3, max_value=48).filter(lambda n: n != 5)


@st.composite
def crowds(draw_from):
    count = draw_from(numbers)
    return [Sitter(f"{n:04}", draw_from(names), draw_from(names)) for n in range(count)]


def pairs_at_tables(plan, sitters, attribute):
    named = {sitter.id: getattr(sitter, attribute) for sitter in sitters}
    counts = [Counter(named[id] for id in table.seats.values() if named[id]) for table in plan.tables]
    return sum(n * (n - 1) // 2 for count in counts for n in count.values())


def fewest_pairs_of_a_spread(sitters, tables):
    total = 0
    for count in Counter(sitter.family for sitter in sitters if sitter.family).values():
        spread = Counter(place % tables for place in range(count))
        total += sum(n * (n - 1) // 2 for n in spread.values())
    return total


def fewest_pairs_by_trying_all(sitters, sizes):
    """The least number of family pairs over every way to fill the tables; for a handful of entrants."""

    def least(rest, sizes):
        if not sizes:
            return 0
        first, found = rest[0], None
        for others in combinations(rest[1:], sizes[0] - 1):
            table = (first, *others)
            here = sum(one.family is not None and one.family == two.family for one, two in combinations(table, 2))
            after = here + least([sitter for sitter in rest if sitter not in table], sizes[1:])
            found = after if found is None else min(found, after)
        return found

    orders = {sizes, sizes[::-1]} if len(sizes) < 3 else {sizes, sizes[::-1], (sizes[1], sizes[0], *sizes[2:])}
    return min(least(list(sitters), list(order)) for order in orders)


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (0, ()),
        (3, (3,)),
        (4, (4,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (97, (4,) * 22 + (3,) * 3),
        (100, (4,) * 25),
    ],
)
def test_tables_are_fours_as_far_as_can_be_and_threes_for_the_rest(entrants, sizes):
    assert table_sizes(entrants) == sizes


@pytest.mark.parametrize("entrants", [1, 2, 5, -1])
def test_one_two_and_five_entrants_cannot_be_seated(entrants):
    with pytest.raises(Refusal) as refused:
        table_sizes(entrants)
    assert refused.value.where == "entrants"


@pytest.mark.parametrize(
    ("entrants", "sizes"), [(2, (2,)), (5, (3, 2)), (6, (4, 2)), (9, (4, 3, 2)), (10, (4, 4, 2)), (24, (4,) * 6)]
)
def test_rules_that_know_tables_of_two_seat_any_number_but_one(entrants, sizes):
    assert table_sizes(entrants, (4, 3, 2)) == sizes
    with pytest.raises(Refusal):
        table_sizes(1, (4, 3, 2))


@given(st.integers(2, 60), st.integers())
def test_a_draw_fills_tables_of_two_like_others(entrants, seed):
    plan = draw_tables([Sitter(f"{number:02}", school="one") for number in range(entrants)], seed, (4, 3, 2))
    assert tuple(len(table.seats) for table in plan.tables) == table_sizes(entrants, (4, 3, 2))
    assert sorted(id for table in plan.tables for id in table.seats.values()) == [f"{n:02}" for n in range(entrants)]


def test_no_entrants_have_no_tables():
    assert draw_tables([], 1).tables == ()


def test_an_entrant_given_twice_is_refused():
    with pytest.raises(Refusal):
        draw_tables([Sitter("1"), Sitter("2"), Sitter("1")], 7)


@given(crowds(), st.integers())
@settings(max_examples=60, deadline=None)
def test_everyone_has_one_seat_and_the_tables_are_numbered_and_lettered_from_the_start(sitters, seed):
    plan = draw_tables(sitters, seed)
    seated = sorted(id for table in plan.tables for id in table.seats.values())
    assert seated == sorted(sitter.id for sitter in sitters)
    assert [table.number for table in plan.tables] == list(range(1, len(plan.tables) + 1))
    assert [tuple(table.seats) for table in plan.tables] == [
        ("A", "B", "C", "D")[:size] for size in table_sizes(len(sitters))
    ]


@given(crowds(), st.integers(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_draw_does_not_depend_on_the_order_of_the_input(sitters, seed, random):
    mixed = list(sitters)
    random.shuffle(mixed)
    assert draw_tables(mixed, seed) == draw_tables(sitters, seed)


@given(crowds(), st.integers())
@settings(max_examples=80, deadline=None)
def test_as_few_pairs_of_a_family_share_a_table_as_can_be(sitters, seed):
    plan = draw_tables(sitters, seed)
    least = fewest_pairs_of_a_spread(sitters, len(plan.tables))
    assert pairs_at_tables(plan, sitters, "family") == least
    assert plan.kept_apart == (least == 0)


@given(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=6, max_size=10).filter(lambda names: len(names) != 5),
    st.integers(),
)
@settings(max_examples=25, deadline=None)
def test_the_least_number_of_family_pairs_is_that_of_trying_every_arrangement(families, seed):
    sitters = [Sitter(str(number), family) for number, family in enumerate(families)]
    plan = draw_tables(sitters, seed)
    assert pairs_at_tables(plan, sitters, "family") == fewest_pairs_by_trying_all(sitters, table_sizes(len(sitters)))


def test_a_family_of_sixty_among_a_hundred_is_spread_evenly():
    sitters = [Sitter(f"{n:03}", "big" if n < 60 else None) for n in range(100)]
    plan = draw_tables(sitters, 5)
    counts = sorted(sum(int(id) < 60 for id in table.seats.values()) for table in plan.tables)
    assert counts == [2] * 15 + [3] * 10
    assert not plan.kept_apart
    assert len(plan.could_not) == 25


def test_many_families_at_few_tables_keep_to_the_least():
    sitters = [Sitter(f"{n:02}", "pqrst"[n % 5]) for n in range(15)]
    plan = draw_tables(sitters, 11)
    assert pairs_at_tables(plan, sitters, "family") == 0


def test_schools_that_can_be_parted_are_parted_without_joining_a_family():
    sitters = [Sitter(f"{n:03}", f"f{n % 40}" if n < 80 else None, f"s{n % 12}") for n in range(100)]
    for seed in range(5):
        plan = draw_tables(sitters, seed)
        assert pairs_at_tables(plan, sitters, "family") == 0
        assert pairs_at_tables(plan, sitters, "school") == 0
        assert plan.could_not == ()


def test_siblings_of_one_school_are_parted_in_both():
    sitters = [Sitter(f"{n:02}", f"f{n // 2}", f"s{n // 8}") for n in range(32)]
    plan = draw_tables(sitters, 3)
    assert plan.kept_apart
    assert plan.could_not == ()


def test_a_school_of_half_the_session_is_spread_as_evenly_as_can_be():
    sitters = [Sitter(f"{n:03}", f"f{n % 30}" if n < 60 else None, "big" if n % 2 else f"s{n % 9}") for n in range(100)]
    plan = draw_tables(sitters, 8)
    assert [(one.kind, len(one.ids)) for one in plan.could_not] == [("school", 2)] * 25


def test_other_seeds_draw_other_seats_and_every_seat_is_drawn():
    sitters = [Sitter(f"{n:03}") for n in range(100)]
    letters = Counter()
    for seed in range(40):
        plan = draw_tables(sitters, seed)
        letters.update(letter for table in plan.tables for letter, id in table.seats.items() if id == "000")
    assert set(letters) == {"A", "B", "C", "D"}
    assert draw_tables(sitters, 1) != draw_tables(sitters, 2)


def test_the_chance_of_a_seed_is_the_same_on_every_machine():
    """Worked out apart: the first 16 digits of `printf 2026:0 | sha256sum`, modulo 1000, and so on."""
    chance = Chance(2026)
    assert [chance.below(1000) for _ in range(5)] == [437, 58, 759, 332, 201]


def test_a_review_says_what_an_exchange_by_hand_does_not_keep():
    sitters = [
        Sitter("1", "Chan", "North"),
        Sitter("2", "Chan", "North"),
        Sitter("3", None, "South"),
        Sitter("4", "Ho", "South"),
        Sitter("5", "Ho", None),
        Sitter("6", None, "South"),
    ]
    tables = (PlannedTable(1, {"A": "2", "B": "3", "C": "1"}), PlannedTable(2, {"A": "6", "B": "5", "C": "4"}))
    assert arrangement_faults(tables, sitters) == (
        NotKept("family", ("1", "2"), 1),
        NotKept("family", ("4", "5"), 2),
        NotKept("school", ("1", "2"), 1),
        NotKept("school", ("4", "6"), 2),
    )


def test_one_referee_watches_two_tables_and_the_last_may_watch_one():
    assert [referees_needed(tables) for tables in (0, 1, 2, 25, 30)] == [0, 1, 1, 13, 15]
    assert [referee_index(number) for number in (1, 2, 3, 24, 25)] == [0, 0, 1, 11, 12]

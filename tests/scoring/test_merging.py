"""Tables merged when the doors close: worked cases, every arrangement of small halls, an integer programme of whole
ones. `SMALL_HALLS` and `WHOLE_HALLS` ask for more of them."""

import json
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.merging_programme import SHAPES, MergeProgramme, random_hall, random_halls
from scoring.merging import MERGE_ORDERS, AttendedTable, EntrantMove, MergePlan, merge_tables
from scoring.problems import Refusal
from scoring.seating import Sitter
from tests.scoring.documents import answer
from tests.scoring.halls import (
    count_criteria,
    fewest_by_exhausting,
    fewest_person_by_person,
    seated_after,
    small_hall,
    small_halls,
    tables_of,
)

CASES = json.loads((Path(__file__).parent / "cases" / "merging.json").read_text(encoding="utf-8"))
SMALL_HALLS = int(os.environ.get("SMALL_HALLS", "150"))
WHOLE_HALLS = int(os.environ.get("WHOLE_HALLS", "8"))
SEED = 20260328
SIZES = (4, 3)
LONGEST_SECONDS = 1.0


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_a_hall_is_merged_as_the_case_says(case):
    assert answer("merge", case["given"]) == case["answer"]


def criteria(tables, sizes, prefer="moves"):
    """The four criteria of the plan by the order asked for, counted from its moves; None where there is none."""
    plan = merge_tables(tables, sizes, prefer)
    if not isinstance(plan, MergePlan):
        return None
    seated = seated_after(tables, plan)
    counted = count_criteria(tables, seated, sizes)
    assert plan.proven
    assert (plan.families_together, len(plan.moves), plan.schools_together) == (counted[0], counted[1], counted[3])
    assert plan.sizes == {number: len(there) for number, there in seated.items() if there}
    return tuple(counted[place] for place in MERGE_ORDERS[prefer])


# --- Exact -----------------------------------------------------------------------------------------------------


def test_small_halls_agree_with_every_arrangement_of_them():
    differing = [
        (tables, sizes, prefer)
        for tables, sizes, prefer in small_halls(SEED, SMALL_HALLS)
        if criteria(tables, sizes, prefer) != fewest_by_exhausting(tables, sizes, MERGE_ORDERS[prefer])
    ]
    assert differing == []


def test_every_arrangement_by_kinds_is_every_arrangement_person_by_person():
    dice, asked = random.Random(SEED), 0
    while asked < 25:
        tables = small_hall(dice)[:3]
        people = sum(len(table.sitters) for table in tables)
        if len(tables) ** people > 7000:
            continue
        asked += 1
        for order in MERGE_ORDERS.values():
            expected = fewest_person_by_person(tables, SIZES, order)
            assert fewest_by_exhausting(tables, SIZES, order) == expected


def test_whole_halls_agree_with_an_integer_programme():
    differing = []
    for number, (name, tables) in enumerate(random_halls(SEED, WHOLE_HALLS)):
        prefer = list(MERGE_ORDERS)[number % 2]
        found = criteria(tables, SIZES, prefer)
        if found is not None:
            least = MergeProgramme(tables, SIZES).least(MERGE_ORDERS[prefer])
            if found != tuple(least[place] for place in MERGE_ORDERS[prefer]):
                differing.append((name, tables, prefer, found, least))
    assert differing == []


# --- Whatever comes --------------------------------------------------------------------------------------------

names = st.none() | st.sampled_from(["", "A", "B", "C"])
untidy_halls = st.lists(
    st.tuples(st.integers(-3, 40), st.lists(st.tuples(names, names), max_size=6), st.booleans()),
    max_size=9,
    unique_by=lambda table: table[0],
).map(
    lambda rows: [
        AttendedTable(number, tuple(Sitter(f"{number}/{at}", *pair) for at, pair in enumerate(there)), locked)
        for number, there, locked in rows
    ]
)


@given(untidy_halls, st.sampled_from([(4, 3), (4, 3, 2), (3,), (2, 4)]), st.sampled_from(list(MERGE_ORDERS)))
@settings(max_examples=40, deadline=None)
def test_nobody_is_lost_locks_are_kept_and_sizes_allowed(tables, sizes, prefer):
    plan = merge_tables(tables, sizes, prefer)
    if not isinstance(plan, MergePlan):
        assert plan in ("too_few", "locked")
        return
    seated = seated_after(tables, plan)
    ids = sorted(sitter.id for table in tables for sitter in table.sitters)
    assert sorted(sitter.id for there in seated.values() for sitter in there) == ids
    assert {len(there) for there in seated.values()} <= {0, *sizes}
    assert all(seated[table.number] == list(table.sitters) for table in tables if table.locked)
    assert all(move.origin != move.destination for move in plan.moves)
    assert list(plan.moves) == sorted(plan.moves, key=lambda move: (move.origin, move.id))
    assert list(plan.sizes) == sorted(plan.sizes)


@given(untidy_halls, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_tables_and_entrants_says_nothing(tables, dice):
    mixed = [
        AttendedTable(table.number, tuple(dice.sample(table.sitters, len(table.sitters))), table.locked)
        for table in dice.sample(tables, len(tables))
    ]
    assert merge_tables(mixed, SIZES) == merge_tables(tables, SIZES)


@given(untidy_halls)
@settings(max_examples=25, deadline=None)
def test_a_merged_hall_needs_no_more_moves(tables):
    plan = merge_tables(tables, SIZES)
    if isinstance(plan, MergePlan):
        seated = seated_after(tables, plan)
        again = [AttendedTable(table.number, tuple(seated[table.number]), table.locked) for table in tables]
        assert merge_tables(again, SIZES) == MergePlan(
            (), plan.sizes, plan.families_together, plan.schools_together, True
        )


# --- Particular halls ------------------------------------------------------------------------------------------


def test_a_table_or_an_entrant_given_twice_is_refused():
    for tables in ([AttendedTable(1, ()), AttendedTable(1, ())], tables_of("a b c", "d e a")):
        with pytest.raises(Refusal):
            merge_tables(tables, SIZES)


def test_who_stays_and_who_goes_of_people_alike_follows_their_ids():
    plan = merge_tables(tables_of("d c b a", "f e"), SIZES)
    assert isinstance(plan, MergePlan)
    assert plan.moves == (EntrantMove("d", 1, 2),)


@pytest.mark.parametrize("name", SHAPES)
def test_a_whole_hall_takes_less_than_a_second(name):
    tables = random_hall(random.Random(SEED), SHAPES[name], 25)
    started = time.process_time()
    plan = merge_tables(tables, SIZES)
    assert time.process_time() - started < LONGEST_SECONDS
    assert isinstance(plan, MergePlan) and plan.proven

"""One ranking over all games of all rounds, and the re-scorer, which shares no line with it, agrees (R34-R40)."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.certainty import judge_certainties
from scoring.family import FamilyUnit, FamilyUnitMember, rank_families
from scoring.podium import build_podium
from scoring.problems import Refusal
from scoring.ranking import rank_records
from scoring.rounds import rank_rounds, ruleset_over, tally_rounds
from scoring.ruleset import PRESETS
from scoring.values import GameResult, Record, Standing, Tally, Unranked
from tests import rescorer
from tests.scoring.tournaments import make_tournament, score

HK = PRESETS["hk-2026"]


def test_the_average_divides_by_all_games_of_all_rounds():
    first = [Tally("a", 3, 2, Fraction(30), 4), Tally("b", 3, 1, Fraction(-30), 9)]
    second = [Tally("b", 3, 2, Fraction(70), 1), Tally("a", 2, 1, Fraction(6), 3)]
    assert rank_rounds(HK, [first], 3).standings == (
        Standing("a", 1, False, 2, Fraction(30), Fraction(10, 3), 4),
        Standing("b", 2, False, 1, Fraction(-30), Fraction(-10, 3), 9),
    )
    assert rank_rounds(HK, [first, second], 3).standings == (
        Standing("b", 1, False, 3, Fraction(40), Fraction(40, 9), 10),
        Standing("a", 2, False, 3, Fraction(36), Fraction(4), 7),
    )


def test_who_left_in_one_round_is_ranked_in_none_and_who_missed_one_has_no_games_there():
    first = [
        Tally("a", 3, 2, Fraction(30), 4),
        Tally("b", 1, 0, Fraction(-9), 9, "withdrawn"),
        Tally("c", 0, 0, Fraction(0), 0),
    ]
    second = [Tally("b", 3, 3, Fraction(90), 0), Tally("c", 3, 1, Fraction(1), 2)]
    ranking = rank_rounds(HK, [first, second], 2)
    assert [(standing.id, standing.wins) for standing in ranking.standings] == [("a", 2), ("c", 1)]
    assert ranking.unranked == (Unranked("b", "withdrawn"),)


def test_where_no_number_of_games_is_fixed_none_is_fixed_over_rounds():
    assert ruleset_over(PRESETS["twist"], 3) == PRESETS["twist"]
    assert ruleset_over(HK, 5).games == 15
    assert ruleset_over(HK, 1) == HK


@pytest.mark.parametrize(
    ("played", "rounds", "where"),
    [
        ([[]], 0, "rounds"),
        ([[], []], 1, "rounds"),
        ([[], [Tally("a", 1, 0, Fraction(0), 1)] * 2], 2, "rounds[1].entrants[1].id"),
        ([[Tally("b", 3, 0, Fraction(0), 1), Tally("a", 4, 0, Fraction(0), 1)]], 2, "rounds[0].entrants[1].games"),
    ],
)
def test_what_is_no_round_is_refused_at_its_place(played, rounds, where):
    with pytest.raises(Refusal) as refused:
        rank_rounds(HK, played, rounds)
    assert refused.value.where == where


games = st.lists(
    st.builds(GameResult, st.integers(0, 1), st.integers(-36, 36).map(lambda n: Fraction(n, 12)), st.integers(0, 3)),
    max_size=3,
)


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), games), min_size=1, max_size=4))
def test_rounds_rank_as_one_long_stage_of_all_their_games(rounds):
    played = [[Record(id, tuple(results)) for id, results in one.items()] for one in rounds]
    everybody = dict.fromkeys(id for one in rounds for id in one)
    long = [Record(id, tuple(game for one in rounds for game in one.get(id, ()))) for id in everybody]
    whole = ruleset_over(HK, len(rounds))
    assert rank_rounds(HK, played, len(rounds)) == rank_records(whole, long)
    assert [tally.id for tally in tally_rounds(HK, played)] == list(everybody)


def test_who_is_certainly_first_is_told_with_rounds_still_to_come():
    after = tally_rounds(HK, [[Tally("a", 3, 3, Fraction(9), 0), Tally("b", 3, 0, Fraction(-9), 9)]])
    three, two = ruleset_over(HK, 3), ruleset_over(HK, 2)
    assert [one.state for one in judge_certainties(three, after, incomplete={"b"}, places=1)] == ["provisional"] * 2
    assert [one.state for one in judge_certainties(two, after, incomplete={"a", "b"}, places=1)] == ["provisional"] * 2
    assert [one.state for one in judge_certainties(two, after, incomplete={}, places=1)] == ["in", "out"]


# --- Against the re-scorer --------------------------------------------------------------------------------------


def make_final(seed, entrants, rounds):
    """Rounds of made-up games, in each of which everybody sits somewhere else."""
    chance = random.Random(seed)
    final = []
    for _ in range(rounds):
        made = make_tournament(chance, entrants)
        ids = sorted(id for table in made["tables"] for id in table["seats"].values())
        other = dict(zip(ids, chance.sample(ids, len(ids)), strict=True))
        tables = [
            {**table, "seats": {letter: other[id] for letter, id in table["seats"].items()}} for table in made["tables"]
        ]
        # few leave, so that most are ranked in the end
        left = {other[id]: why for id, why in made["status"].items() if chance.random() < 0.3}
        final.append({"tables": tables, "status": left})
    return final


def records_of(played):
    """A round's records by `scoring`."""
    results = score(played, 1)["results"]
    return [
        Record(id, tuple(GameResult(*game) for game in results[id]), played["status"].get(id, "ok")) for id in results
    ]


@given(st.integers(0, 2**32), st.sampled_from([8, 13, 40]), st.integers(1, 4))
@settings(max_examples=20)
def test_ranking_podium_and_award_of_every_round_come_out_the_same(seed, entrants, rounds):
    final = make_final(seed, entrants, rounds)
    records = [records_of(played) for played in final]
    for done in range(1, rounds + 1):
        theirs = rescorer.rescore_rounds(final[:done], rounds)
        ranking = rank_rounds(HK, records[:done], rounds)
        lines = [(s.id, s.rank, s.tied, s.wins, s.points, s.average, s.tiles) for s in ranking.standings]
        assert lines == theirs["ranking"]
        assert {one.id: one.because for one in ranking.unranked} == theirs["unranked"]
        alone, tied = rescorer.podium(lines)
        stand = build_podium(ranking)
        assert {holder.place: holder.id for holder in stand.holders} == alone
        assert [(contest.place, list(contest.ids)) for contest in stand.contests] == tied
        compare_award(theirs, ranking, tally_rounds(HK, records[:done]), rounds)


def compare_award(theirs, ranking, tallies, rounds):
    ids = sorted(tally.id for tally in tallies)
    pairs = [{"id": f"F{n}", "child": ids[n], "parent": ids[-1 - n]} for n in range(len(ids) // 2)]
    tally_of = {tally.id: tally for tally in tallies}
    rank_of = {standing.id: standing.rank for standing in ranking.standings}
    units = [
        FamilyUnit(
            pair["id"],
            tuple(
                FamilyUnitMember(tally_of[pair[role]], role, rank_of.get(pair[role])) for role in ("child", "parent")
            ),
        )
        for pair in pairs
    ]
    told = rank_families(ruleset_over(HK, rounds), units)
    table, out = rescorer.best_pair(pairs, theirs["results"], theirs["ranking"])
    assert [(s.id, s.rank, s.wins, s.points, s.tiles) for s in told.standings] == table
    assert [entry.id for entry in told.out] == out


def test_a_re_scorer_with_another_divisor_would_be_found_out():
    final = make_final(1, 13, 2)
    ours = rank_rounds(HK, [records_of(played) for played in final], 2)
    lines = [(s.id, s.rank, s.tied, s.wins, s.points, s.average, s.tiles) for s in ours.standings]
    assert lines == rescorer.rescore_rounds(final, 2)["ranking"] != rescorer.rescore_rounds(final, 3)["ranking"]

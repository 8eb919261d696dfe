"""One ranking over all entrants."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import Refusal
from scoring.ranking import CRITERION_FUNCTIONS, rank_records, tally_record
from scoring.ruleset import CRITERION_NAMES as NAMES
from scoring.ruleset import PRESETS, read_ruleset
from scoring.shell.verbs import VERBS
from scoring.values import GameResult, Ranking, Record, Standing, Tally, Unranked

HK = PRESETS["hk-2026"]
CASES = json.loads((Path(__file__).parent / "cases" / "rankings.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_entrants_are_ranked_as_the_case_says(case):
    answer = VERBS["rank"](case["given"])
    standings = {row["id"]: row for row in answer["ranking"]}
    assert {id: {name: standings[id][name] for name in case["standings"][id]} for id in standings} == case["standings"]
    assert {row["id"]: row["because"] for row in answer["unranked"]} == case["unranked"]
    assert {name: answer[name] for name in case["line"]} == case["line"]


def record(id, *games, status="ok"):
    """A record in short: each game (win, points, tiles)."""
    return Record(id, tuple(GameResult(win, Fraction(points), tiles) for win, points, tiles in games), status)


def test_a_standing_holds_wins_points_average_and_tiles():
    ranking = rank_records(HK, [record("b", (1, "23/2", 2), (0, "10/3", 1)), record("a", (0, -5, 3)), record("c")])
    assert ranking == Ranking(
        (
            Standing("b", 1, False, 1, Fraction(89, 6), Fraction(89, 18), 3),
            Standing("a", 2, False, 0, Fraction(-5), Fraction(-5, 3), 3),
        ),
        (Unranked("c", "not_played"),),
    )


def test_equal_keys_share_the_rank_and_the_next_skips():
    game = (1, 10, 2)
    ranking = rank_records(HK, [record("d", (1, 9, 0)), record("c", game), record("B", game), record("a", (1, 11, 9))])
    assert [(s.rank, s.id, s.tied) for s in ranking.standings] == [
        (1, "a", False),
        (2, "B", True),
        (2, "c", True),
        (4, "d", False),
    ]


def test_ids_are_ordered_by_code_points_for_display_alone():
    ids = ["峯", "b", "B", "Ä", "𠮷", "10", "9"]
    ranking = rank_records(HK, [record(id, (0, 0, 1)) for id in ids])
    assert [(s.rank, s.id) for s in ranking.standings] == [(1, id) for id in ["10", "9", "B", "b", "Ä", "峯", "𠮷"]]


def test_a_twelfth_decides():
    ranking = rank_records(HK, [record("a", (0, "1/3", 0)), record("b", (0, "5/12", 0)), record("c", (0, "1/4", 0))])
    assert [s.id for s in ranking.standings] == ["b", "a", "c"]


def test_each_ruleset_orders_by_its_own_list():
    records = [record("wins", (1, -90, 9)), record("total", (0, 40, 9)), record("tiles", (0, 40, 1))]
    orders = {
        name: [(s.rank, s.id) for s in rank_records(ruleset, records).standings]
        for name, ruleset in {
            "hk-2026": HK,
            "twist": PRESETS["twist"],
            "school": PRESETS["school"],
            "tiles first": read_ruleset({"base": "school", "order": ["tiles"]}),
        }.items()
    }
    assert orders == {
        "hk-2026": [(1, "wins"), (2, "tiles"), (3, "total")],
        "twist": [(1, "wins"), (2, "tiles"), (2, "total")],
        "school": [(1, "tiles"), (1, "total"), (3, "wins")],
        "tiles first": [(1, "tiles"), (2, "total"), (2, "wins")],
    }


def test_without_a_number_of_games_nothing_is_missing_and_there_is_no_average():
    many = record("a", *[(0, 1, 1)] * 9)
    assert rank_records(PRESETS["twist"], [many]).standings == (Standing("a", 1, False, 0, Fraction(9), None, 9),)


def test_an_average_may_divide_by_the_games_played():
    ruleset = read_ruleset({"base": "hk-2026", "average_over": "played", "order": ["average"]})
    records = [record("two", (0, 10, 1), (0, 11, 1)), record("three", *[(0, 10, 1)] * 3)]
    assert [(s.id, s.average) for s in rank_records(ruleset, records).standings] == [
        ("two", Fraction(21, 2)),
        ("three", Fraction(10)),
    ]
    free = read_ruleset({"base": "twist", "average_over": "played", "order": ["wins", "average"]})
    assert [(s.id, s.average) for s in rank_records(free, records).standings] == [
        ("two", Fraction(21, 2)),
        ("three", Fraction(10)),
    ]


@pytest.mark.parametrize("status", ["forfeited", "withdrawn", "disqualified"])
def test_who_left_is_not_ranked_whatever_was_won(status):
    ranking = rank_records(HK, [record("z", (1, 90, 0), status=status), record("a", status=status), record("n")])
    assert ranking == Ranking((), (Unranked("a", status), Unranked("n", "not_played"), Unranked("z", status)))


@pytest.mark.parametrize(
    ("records", "where"),
    [
        ([record("a", (0, 0, 1)), record("a", (0, 0, 1))], "entrants[1].id"),
        ([record("a", *[(0, 0, 1)] * 4)], "entrants[0].games"),
        ([record("b"), record("a", *[(0, 0, 1)] * 4, status="withdrawn")], "entrants[1].games"),
        ([record("a", status="ill")], "entrants[0].status"),
        ([record("a", (0, "1/5", 1))], "points"),
    ],
)
def test_what_cannot_be_ranked_is_refused(records, where):
    with pytest.raises(Refusal) as refused:
        rank_records(HK, records)
    assert refused.value.where == where


def test_every_criterion_of_a_ruleset_is_in_the_registry():
    assert set(CRITERION_FUNCTIONS) == set(NAMES)


TWELFTHS = st.integers(-4000, 4000).map(lambda twelfths: Fraction(twelfths, 12))
GAMES = st.lists(st.builds(GameResult, st.integers(0, 1), TWELFTHS, st.integers(0, 30)), max_size=3).map(tuple)
FEW = st.builds(GameResult, st.integers(0, 1), st.sampled_from([Fraction(0), Fraction(1, 3)]), st.integers(0, 1))
RECORDS = st.lists(
    st.tuples(
        st.integers(0, 99),
        st.one_of(GAMES, st.lists(FEW, max_size=2).map(tuple)),
        st.sampled_from(["ok", "ok", "ok", "withdrawn"]),
    ),
    max_size=14,
    unique_by=lambda drawn: drawn[0],
).map(lambda drawn: [Record(str(id), games, status) for id, games, status in drawn])
RULESETS = st.sampled_from(["hk-2026", "twist", "school"]).map(PRESETS.__getitem__)


@given(RULESETS, RECORDS)
def test_tallies_rank_as_their_records_do(ruleset, records):
    assert rank_records(ruleset, [tally_record(one) for one in records]) == rank_records(ruleset, records)


@given(RECORDS)
def test_a_tally_is_the_sum_in_fractions(records):
    for one in records:
        points = sum((game.points for game in one.games), Fraction(0))
        wins, tiles = sum(game.win for game in one.games), sum(game.tiles for game in one.games)
        assert tally_record(one) == Tally(one.id, len(one.games), wins, points, tiles, one.status)


@given(RULESETS, RECORDS)
def test_a_rank_is_one_more_than_the_number_strictly_better(ruleset, records):
    def better(a, b):
        """Read off the standings' own figures, criterion by criterion, in fractions."""
        keys = {
            "wins": lambda s: Fraction(s.wins),
            "average": lambda s: s.points / 3,
            "total": lambda s: s.points,
            "tiles": lambda s: Fraction(-s.tiles),
        }
        for name in ruleset.order:
            if keys[name](a) != keys[name](b):
                return keys[name](a) > keys[name](b)
        return False

    standings = rank_records(ruleset, records).standings
    for one in standings:
        assert one.rank == 1 + sum(better(other, one) for other in standings)
        assert one.tied == any(
            other.id != one.id and not better(other, one) and not better(one, other) for other in standings
        )
    assert [(s.rank, s.id) for s in standings] == sorted((s.rank, s.id) for s in standings)


@given(RULESETS, RECORDS, st.randoms(use_true_random=False))
def test_the_order_of_entrants_and_of_their_games_says_nothing(ruleset, records, dice):
    shuffled = [Record(one.id, tuple(dice.sample(one.games, len(one.games))), one.status) for one in records]
    dice.shuffle(shuffled)
    assert rank_records(ruleset, shuffled) == rank_records(ruleset, records)


@given(RECORDS, st.data())
def test_a_better_game_never_lowers_a_rank(records, data):
    played = [one for one in records if one.status == "ok" and one.games]
    if not played:
        return
    lucky = data.draw(st.sampled_from(played))
    game = lucky.games[0]
    better = GameResult(
        data.draw(st.integers(game.win, 1)),
        game.points + data.draw(st.integers(0, 99)),
        data.draw(st.integers(0, game.tiles)),
    )
    improved = [Record(one.id, (better, *one.games[1:]), one.status) if one.id == lucky.id else one for one in records]
    before = {s.id: s.rank for s in rank_records(HK, records).standings}
    after = {s.id: s.rank for s in rank_records(HK, improved).standings}
    assert after[lucky.id] <= before[lucky.id]
    assert all(after[id] >= before[id] for id in before if id != lucky.id)

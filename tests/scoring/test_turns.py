"""A sheet of turns: what its words come to, and every fault at its place (R58)."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.entry import GameEntry, SeatEntry, SheetEntry, TotalEntry, TurnEntry
from scoring.ranking import rank_records
from scoring.ruleset import PRESETS, read_ruleset
from scoring.turn_totals import check_turn_totals
from scoring.turns import check_turn_sheet
from scoring.values import GameResult, Record
from tests import rescorer
from tests.scoring.evenings import made_up_turns

WORD = PRESETS["word"]
# The sheet of mock-up 20a with its fault mended: RICH for the second RICE.
MOCK_UP = {
    "A": "PLANET | SOFT | /PLANETS | - | MIX/LAUNCHED HAT",
    "B": "- | STRONG | GARDEN | RICE | /GARDENS",
    "C": "STRAND | - | /STRANDED | JOKE | /CHIP LAP EAR !",
    "D": "- | BREAKS | GOD BLESS | /SOFTEN |",
}


def turn(text):
    """`OWN WORDS/TABLE WORDS !`; the mark says that the rack was emptied."""
    emptied = text.rstrip().endswith("!")
    own, _slash, table = text.rstrip(" !").partition("/")
    return TurnEntry(own.strip(), table.strip(), emptied)


def entry(columns, jokers="0000", totals=("", "", "", ""), ended_by="rummikub", starter="", left="", **given):
    """A sheet with a column a player: turns apart by a bar, from A on."""
    letters = list(columns)
    seats = {
        letter: SeatEntry(turns=tuple(map(turn, text.split("|"))) if text else (), tiles=left_over, left=letter in left)
        for (letter, text), left_over in zip(columns.items(), jokers, strict=False)
    }
    typed = {letter: TotalEntry(points=total) for letter, total in zip(letters, totals, strict=False)}
    seated = given.pop("seats", tuple(letters))
    return SheetEntry("turns", seated, frozenset(left), (GameEntry(ended_by, seats, starter),), typed, **given)


def codes(check):
    return [(one.code, one.where.removeprefix("games[0].").removeprefix("seats.")) for one in check.problems]


def test_a_sheet_comes_to_its_words_less_the_jokers_left():
    check = check_turn_sheet(WORD, entry(MOCK_UP, "0001", ("28", "23", "26", "-10")))
    [game] = check.games
    assert check.problems == ()
    assert {letter: [turn.points for turn in seat.turns] for letter, seat in game.seats.items()} == {
        "A": [6, 4, 7, 0, 11],
        "B": [0, 6, 6, 4, 7],
        "C": [6, 0, 8, 4, 8],
        "D": [0, 6, 8, 6, 0],
    }
    assert {letter: (seat.win, seat.points, seat.tiles) for letter, seat in game.seats.items()} == {
        "A": (1, 28, 0),
        "B": (0, 23, 0),
        "C": (0, 26, 0),
        "D": (0, -10, 1),
    }
    assert {letter: total.points for letter, total in check.totals.items()} == {"A": 28, "B": 23, "C": 26, "D": -10}


def test_the_longest_of_the_rearranged_words_counts_and_an_emptied_rack_doubles_all():
    check = check_turn_sheet(WORD, entry({"A": "GOD BLESS/CHIP LAP EAR", "B": "/FOUR FIVES !"}))
    assert [check.games[0].seats[letter].turns[0].points for letter in "AB"] == [12, 10]


def test_words_apart_by_signs_full_width_or_small_are_the_same_words_and_a_dash_is_a_drawn_tile():
    check = check_turn_sheet(WORD, entry({"A": "god, ＢＬＥＳＳ;| — ", "B": " /rest+rang"}, ended_by="pool"))
    assert [(one.own, one.rearranged, one.points) for one in check.games[0].seats["A"].turns] == [
        (("GOD", "BLESS"), (), 8),
        ((), (), 0),
    ]
    assert check.games[0].seats["B"].turns[0].rearranged == ("REST", "RANG")


@pytest.mark.parametrize(
    ("columns", "given", "found"),
    [
        pytest.param({"A": "PLANET|RICE", "B": "BREAKS|rice"}, {}, [("word_twice", "B.turns[1].own")], id="by another"),
        pytest.param({"A": "PLANET PLANET", "B": "BREAKS"}, {}, [("word_twice", "A.turns[0].own")], id="in one turn"),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS|/planet"}, {}, [("word_twice", "B.turns[1].rearranged")], id="rearranged"
        ),
        pytest.param(
            {"A": "PLANET OX", "B": "BREAKS"}, {}, [("word_too_short", "A.turns[0].own")], id="under three letters"
        ),
        pytest.param(
            {"A": "PLANET|CAN'T", "B": "BREAKS"}, {}, [("word_unreadable", "A.turns[1].own")], id="no letter of the box"
        ),
        pytest.param(
            {"A": "PLANET|/ZZZZ", "B": "BREAKS"},
            {},
            [("words_beyond_set", "A.turns[1].rearranged")],
            id="more of a letter than there are",
        ),
        pytest.param(
            {"A": "SOFT", "B": "/BREAKS"},
            {},
            [("opening_short", "A.turns[0].own"), ("opening_short", "B.turns[0].rearranged")],
            id="the ice not broken",
        ),
        pytest.param(
            {"A": "PLANET|-!", "B": "BREAKS"},
            {"ended_by": "rummikub"},
            [("emptied_without_words", "A.turns[1].emptied")],
            id="emptied without a word",
        ),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS"}, {"ended_by": "rummikub"}, [("nobody_emptied", "ended_by")], id="nobody out"
        ),
        pytest.param({"A": "PLANET!", "B": "BREAKS"}, {}, [("somebody_emptied", "ended_by")], id="somebody out"),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS"}, {"ended_by": ""}, [("ending_missing", "ended_by")], id="no ending"
        ),
        pytest.param(
            {"A": "PLANET!|RICE", "B": "BREAKS|SOFTLY!"},
            {"ended_by": "rummikub"},
            [("turn_after_end", "A.turns[1].own"), ("several_emptied", "B.turns[1].emptied")],
            id="turns after the end",
        ),
        pytest.param(
            {"A": "PLANET!", "B": "BREAKS"},
            {"ended_by": "rummikub", "starter": "A"},
            [("turn_after_end", "B.turns[0].own")],
            id="after the end in its line where it is known who began",
        ),
        pytest.param(
            {"A": "PLANET!", "B": "BREAKS"},
            {"ended_by": "rummikub", "jokers": "10"},
            [("jokers_after_emptying", "A.jokers")],
            id="a joker on an empty rack",
        ),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS"},
            {"jokers": "12"},
            [("jokers_left_beyond_set", "games[0]")],
            id="more jokers left than the box has",
        ),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS"},
            {"jokers": ("", "x")},
            [("blank", "A.jokers"), ("unreadable", "B.jokers")],
            id="jokers not told",
        ),
        pytest.param(
            {"A": "PLANET|GOD BLESS", "B": "BREAKS"},
            {"jokers": "10", "totals": ("14", "6")},
            [("turns_total_differs", "totals.A.points")],
            id="a total without its joker",
        ),
        pytest.param(
            {"A": "PLANET", "B": "BREAKS", "C": "GARDEN"},
            {"seats": ("A", "B")},
            [("empty_seat_filled", "C.turns[0].own")],
            id="words of nobody",
        ),
        pytest.param({"A": "PLANET", "B": "BREAKS"}, {"seats": ("A",)}, None, id="one player"),
    ],
)
def test_every_fault_stands_at_its_place(columns, given, found):
    given = {"ended_by": "pool", "totals": None, **given}
    totals = given.pop("totals")
    check = check_turn_sheet(WORD, entry(columns, totals=totals or (), **given))
    said = [one for one in codes(check) if one[0] != "total_blank"]
    assert said == found if found else ("too_few_players", "games[0]") in said


def test_a_sheet_that_nobody_has_begun_only_lacks_its_ending():
    seats = {letter: SeatEntry(turns=(TurnEntry(),) * 12) for letter in "ABCD"}
    check = check_turn_sheet(WORD, SheetEntry("turns", tuple("ABCD"), games=(GameEntry("", seats),)))
    assert codes(check) == [("ending_missing", "ended_by"), ("total_blank", "totals")]


def test_a_leaver_keeps_the_words_pays_for_a_joker_and_never_wins():
    check = check_turn_sheet(
        WORD, entry({"A": "BLANKETS", "B": "GARDEN", "C": "STRONG"}, "100", ended_by="time", left="A")
    )
    seats = check.games[0].seats
    assert {letter: (seat.win, seat.points, seat.left) for letter, seat in seats.items()} == {
        "A": (0, -22, True),
        "B": (1, 6, False),
        "C": (1, 6, False),
    }


def test_a_box_with_letters_has_a_sheet_of_turns_of_one_game_whatever_it_is_called():
    assert [name for name, ruleset in PRESETS.items() if ruleset.counts_turns] == ["word"]
    assert read_ruleset({"base": "hk-2026", "games": 1, "tiles": {"numbers": 0, "letters": {"A": 9}}}).counts_turns
    with pytest.raises(ValueError, match=r"ruleset\.games"):
        read_ruleset({"base": "word", "games": 2})


def totals(*lines, ended_by="pool"):
    """A game by its totals: `win points jokers` of each seat."""
    cells = (dict(zip(("win", "points", "tiles"), line.split(" "), strict=True)) for line in lines)
    seats = dict(zip("ABCD", (SeatEntry(**one) for one in cells), strict=False))
    return SheetEntry("paper", tuple(seats), games=(GameEntry(ended_by, seats),))


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("1 28 0", "0 23 0", "0 -10 1"), []),
        (("1 28 0", "1 28 2"), []),
        (("0 28 0", "1 23 0"), [("win_missing", "A.win"), ("win_not_due", "B.win")]),
        (("1 28 2", "0 23 1"), [("jokers_left_beyond_set", "games[0]")]),
        (("1 28.5 0", "0 - x"), [("unreadable", "A.points"), ("blank", "B.points"), ("unreadable", "B.tiles")]),
    ],
)
def test_a_game_of_a_play_off_is_judged_by_its_totals(lines, found):
    check = check_turn_totals(WORD, totals(*lines))
    assert codes(check) == found
    if not found:
        assert [seat.points for seat in check.games[0].seats.values()] == [int(line.split(" ")[1]) for line in lines]


# --- Of every sheet -------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]))
@settings(max_examples=60, deadline=None)
def test_a_sheet_without_faults_comes_to_what_the_re_scorer_says(seed, players):
    columns, jokers, ended_by = made_up_turns(random.Random(seed), players)
    check = check_turn_sheet(WORD, turn_entry(columns, jokers, ended_by))
    assert check.mend == ()
    found = {letter: (seat.win, seat.points, seat.tiles) for letter, seat in check.games[0].seats.items()}
    assert found == rescorer.score_word_table(columns, jokers)


@given(st.integers(0, 2**32), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_case_and_the_order_of_words_change_nothing_and_a_word_again_is_always_found(seed, where):
    chance = random.Random(seed)
    columns, jokers, ended_by = made_up_turns(chance, 4)
    check = check_turn_sheet(WORD, turn_entry(columns, jokers, ended_by))
    mixed = {
        letter: [(own[::-1], [word.lower() for word in table], emptied) for own, table, emptied in turns]
        for letter, turns in columns.items()
    }
    again = check_turn_sheet(WORD, turn_entry(mixed, jokers, ended_by))
    assert [again.totals[letter] for letter in "ABCD"] == [check.totals[letter] for letter in "ABCD"]
    laid = [word for turns in columns.values() for own, table, _emptied in turns for word in (*own, *table)]
    letter, word = "ABCD"[where], chance.choice(laid)
    columns[letter][0] = ([*columns[letter][0][0], word], *columns[letter][0][1:])
    twice = check_turn_sheet(WORD, turn_entry(columns, jokers, ended_by))
    assert "word_twice" in {one.code for one in twice.mend}


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_an_evening_is_ranked_by_total_alone_as_the_re_scorer_ranks_it(seed):
    chance, records, totals = random.Random(seed), [], {}
    for table in range(4):
        columns, jokers, ended_by = made_up_turns(chance, 4)
        check = check_turn_sheet(WORD, turn_entry(columns, jokers, ended_by))
        for letter, seat in check.games[0].seats.items():
            name = f"{table}{letter}"
            records.append(Record(name, (GameResult(seat.win, seat.points, seat.tiles),)))
            totals[name] = Fraction(rescorer.score_word_table(columns, jokers)[letter][1])
    ranking = rank_records(WORD, records)
    assert {one.id: one.rank for one in ranking.standings} == rescorer.rank_by_total(totals)


def turn_entry(columns, jokers, ended_by):
    """The same as cells; the last word of each cell stands first."""
    seats = {
        letter: SeatEntry(
            tiles=str(jokers[letter]),
            turns=tuple(TurnEntry(" ".join(own), ", ".join(table), emptied) for own, table, emptied in turns),
        )
        for letter, turns in columns.items()
    }
    return SheetEntry("turns", tuple(columns), games=(GameEntry(ended_by, seats),))

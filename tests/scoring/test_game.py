"""One game's wins, points and tiles."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from scoring.game import score_game
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset
from scoring.shell.verbs import VERBS
from scoring.values import Rack

HK = PRESETS["hk-2026"]
CASES = json.loads((Path(__file__).parent / "cases" / "games.json").read_text(encoding="utf-8"))
UNABLE = ("R9", "R10", "B1", "K5", "O2", "O3", "O4", "B7", "K11", "R13", "B12", "K2", "R6", "O13")
ABLE = ("R9", "R10", "J", "B1", "K5", "O2", "K7", "B4", "O8", "K12", "R1", "B13", "O5", "R3")


@pytest.mark.parametrize("case", CASES, ids=[case["sentence"] for case in CASES])
def test_the_game_is_scored_as_the_case_says(case):
    seats = VERBS["game"](case["given"])["seats"]
    expected = case["answer"]["seats"]
    assert {letter: {name: seats[letter][name] for name in expected[letter]} for letter in seats} == expected


def told(ruleset, ended_by, *racks):
    """A game in short: seat by seat (win, points, rack value, because), and the warnings."""
    score = score_game(ruleset, ended_by, racks)
    return (
        [(letter, s.win, str(s.points), s.rack_value, " ".join(s.because)) for letter, s in score.seats.items()],
        " ".join(score.warnings),
    )


def test_seats_come_in_letter_order_whatever_the_order_given():
    racks = [Rack("C", 3, 20), Rack("A", 0), Rack("B", 1, 5)]
    assert told(HK, "rummikub", *racks) == (
        [("A", 1, "25", 0, "went_out"), ("B", 0, "-5", 5, ""), ("C", 0, "-20", 20, "")],
        "",
    )


def test_several_lowest_are_told_who_shares_and_who_wins():
    racks = [Rack("A", 3, 8), Rack("B", 1, 8), Rack("C", 2, 20), Rack("D", 1, 8)]
    assert told(HK, "pool", *racks) == (
        [
            ("A", 0, "4", 8, "lowest_rack more_tiles shared"),
            ("B", 1, "4", 8, "lowest_rack fewest_tiles shared"),
            ("C", 0, "-12", 20, ""),
            ("D", 1, "4", 8, "lowest_rack fewest_tiles shared"),
        ],
        "",
    )


def test_a_single_lowest_rack_is_told_alone():
    assert told(HK, "time", Rack("A", 1, 5), Rack("B", 1, 10)) == (
        [("A", 1, "5", 5, "lowest_rack"), ("B", 0, "-5", 10, "")],
        "",
    )


def test_flat_values_stand_instead_of_faces_and_say_why():
    racks = [
        Rack("A", 0),
        Rack("B", 14, rack=UNABLE, opened=False),
        Rack("C", 14, rack=ABLE, opened=False),
        Rack("D", 6, pushed_over=True, opened=False),
    ]
    assert told(HK, "rummikub", *racks) == (
        [
            ("A", 1, "500", 0, "went_out"),
            ("B", 0, "-100", 100, "ice_unable"),
            ("C", 0, "-200", 200, "ice_able"),
            ("D", 0, "-200", 200, "pushed_over"),
        ],
        "unopened_under_14",
    )


def test_a_referee_overrules_and_it_is_told_only_where_the_verdict_changes():
    racks = [
        Rack("A", 0),
        Rack("B", 14, rack=UNABLE, opened=False, could_open=True),
        Rack("C", 14, rack=ABLE, opened=False, could_open=True),
    ]
    assert told(HK, "rummikub", *racks) == (
        [
            ("A", 1, "400", 0, "went_out"),
            ("B", 0, "-200", 200, "ice_able could_open_overruled"),
            ("C", 0, "-200", 200, "ice_able"),
        ],
        "",
    )
    assert told(HK, "rummikub", Rack("A", 0), Rack("B", 14, rack=ABLE, opened=False, could_open=False)) == (
        [("A", 1, "100", 0, "went_out"), ("B", 0, "-100", 100, "ice_unable could_open_overruled")],
        "",
    )


def test_the_verdict_on_an_opened_rack_is_ignored():
    assert told(HK, "rummikub", Rack("A", 0), Rack("B", 2, rack=("J", "R5"), could_open=True)) == (
        [("A", 1, "35", 0, "went_out"), ("B", 0, "-35", 35, "joker_held")],
        "",
    )


def test_a_joker_is_told_only_where_the_rack_counts_by_its_tiles():
    held = ("J", "R5")
    racks = [Rack("A", 0), Rack("B", 2, rack=held, pushed_over=True), Rack("C", 14, rack=(*ABLE,), opened=False)]
    assert [row[4] for row in told(HK, "rummikub", *racks)[0]] == ["went_out", "pushed_over", "ice_able"]
    twist = [Rack("A", 0), Rack("B", 3, rack=("JD", "JM", "R4"), opened=False), Rack("C", 1, 30)]
    assert told(PRESETS["twist"], "rummikub", *twist) == (
        [("A", 1, "94", 0, "went_out"), ("B", 0, "-64", 64, "joker_held"), ("C", 0, "-30", 30, "")],
        "unopened_under_14",
    )


def test_every_kind_of_joker_costs_the_same_on_a_rack():
    racks = [Rack("A", 0), Rack("B", 1, rack=("JD",)), Rack("C", 1, rack=("JC",)), Rack("D", 2, rack=("JM", "J"))]
    assert [row[3] for row in told(PRESETS["twist"], "rummikub", *racks)[0]] == [0, 30, 30, 60]


def test_pushed_over_means_nothing_without_a_flat_value():
    racks = [Rack("A", 0), Rack("B", 3, 12, pushed_over=True)]
    assert told(PRESETS["french"], "rummikub", *racks) == (
        [("A", 1, "12", 0, "went_out"), ("B", 0, "-12", 12, "")],
        "",
    )
    with pytest.raises(Refusal) as refused:
        score_game(PRESETS["french"], "rummikub", [Rack("A", 0), Rack("B", 3, pushed_over=True)])
    assert refused.value.where == "seats[1].face_value"


def test_a_leaver_is_never_lowest_and_pays_as_a_loser():
    left = Rack("B", 1, 4, left=True)
    assert told(HK, "time", Rack("A", 2, 9), left, Rack("C", 3, 21)) == (
        [("A", 1, "12", 9, "lowest_rack"), ("B", 0, "0", 4, "left"), ("C", 0, "-12", 21, "")],
        "",
    )
    dear = Rack("B", 4, 30, left=True)
    assert told(HK, "pool", Rack("A", 2, 9), dear, Rack("C", 3, 9)) == (
        [
            ("A", 1, "21/2", 9, "lowest_rack fewest_tiles shared"),
            ("B", 0, "-21", 30, "left"),
            ("C", 0, "21/2", 9, "lowest_rack more_tiles shared"),
        ],
        "",
    )
    flat = Rack("B", 14, rack=UNABLE, opened=False, left=True)
    assert told(HK, "rummikub", Rack("A", 0), flat, Rack("C", 1, 30, left=False)) == (
        [("A", 1, "130", 0, "went_out"), ("B", 0, "-100", 100, "ice_unable left"), ("C", 0, "-30", 30, "")],
        "",
    )
    joker = Rack("B", 1, rack=("J",), left=True)
    assert told(HK, "rummikub", Rack("A", 0), joker, Rack("C", 1, 2))[0][1] == ("B", 0, "-30", 30, "left joker_held")


def test_raw_scoring_pays_whole_racks_to_the_lowest():
    raw = read_ruleset({"base": "hk-2026", "time_up_scoring": "raw"})
    racks = [Rack("A", 3, 8), Rack("B", 1, 8), Rack("C", 2, 20), Rack("D", 1, 5, left=True)]
    assert told(raw, "time", *racks) == (
        [
            ("A", 0, "25/2", 8, "lowest_rack more_tiles shared"),
            ("B", 1, "25/2", 8, "lowest_rack fewest_tiles shared"),
            ("C", 0, "-20", 20, ""),
            ("D", 0, "-5", 5, "left"),
        ],
        "",
    )
    assert told(raw, "pool", *racks)[0][2] == ("C", 0, "-12", 20, "")


def test_all_equal_gives_nothing_and_wins_to_the_fewest_tiles():
    assert told(HK, "time", Rack("A", 1, 8), Rack("B", 2, 8), Rack("C", 1, 8)) == (
        [
            ("A", 1, "0", 8, "lowest_rack fewest_tiles shared"),
            ("B", 0, "0", 8, "lowest_rack more_tiles shared"),
            ("C", 1, "0", 8, "lowest_rack fewest_tiles shared"),
        ],
        "all_equal",
    )


def test_a_flat_value_that_wins_is_warned_of_in_the_order_of_the_codes():
    racks = [Rack(seat, 13, 90, opened=False, could_open=False) for seat in "AB"]
    assert told(HK, "pool", *racks) == (
        [
            ("A", 1, "0", 100, "lowest_rack fewest_tiles shared ice_unable"),
            ("B", 1, "0", 100, "lowest_rack fewest_tiles shared ice_unable"),
        ],
        "unopened_under_14 flat_value_wins all_equal",
    )


def test_a_ruleset_may_have_one_flat_value_alone():
    ruleset = read_ruleset({"base": "twist", "unopened_able": 200})
    racks = [Rack("A", 0), Rack("B", 14, rack=UNABLE, opened=False), Rack("C", 14, rack=ABLE, opened=False)]
    unable = sum(int(tile[1:]) for tile in UNABLE)
    assert told(ruleset, "rummikub", *racks)[0][1:] == [
        ("B", 0, f"-{unable}", unable, ""),
        ("C", 0, "-200", 200, "ice_able"),
    ]


def test_points_are_exact_fractions():
    score = score_game(HK, "time", [Rack("A", 1, 8), Rack("B", 1, 8), Rack("C", 1, 8), Rack("D", 2, 18)])
    assert [seat.points for seat in score.seats.values()] == [Fraction(10, 3)] * 3 + [Fraction(-10)]


REFUSED = [
    # Somebody went out: exactly one seat with 0 tiles.
    ("rummikub", [Rack("A", 1, 5), Rack("B", 1, 5)], "seats"),
    ("rummikub", [Rack("A", 0), Rack("B", 0)], "seats"),
    ("pool", [Rack("A", 0), Rack("B", 1, 5)], "seats[0].tiles"),
    ("time", [Rack("A", 1, 5), Rack("B", 0)], "seats[1].tiles"),
    ("rummikub", [Rack("A", 0, opened=False), Rack("B", 1, 5)], "seats[0].tiles"),
    ("rummikub", [Rack("A", 0, pushed_over=True), Rack("B", 1, 5)], "seats[0].tiles"),
    ("rummikub", [Rack("A", 0, left=True), Rack("B", 1, 5), Rack("C", 1, 5)], "seats[0].tiles"),
    # Values that so many tiles cannot have.
    ("time", [Rack("A", 1, 14), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 1, 29), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 1, 0), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 3, 74), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 20, 35), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 2, 27), Rack("B", 1, -5)], "seats[0].face_value"),
    ("time", [Rack("A", 2, 26), Rack("B", 1, -5)], "seats[1].face_value"),
    ("rummikub", [Rack("A", 0, 1), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", -1, 5), Rack("B", 1, 5)], "seats[0].tiles"),
    ("time", [Rack("A", 107, 788), Rack("B", 1, 5)], "seats[0].tiles"),
    ("time", [Rack("A", 10**30, 5), Rack("B", 1, 5)], "seats[0].tiles"),
    # What is given twice must agree.
    ("time", [Rack("A", 2, rack=("R1",)), Rack("B", 1, 5)], "seats[0].tiles"),
    ("time", [Rack("A", 1, 2, rack=("R1",)), Rack("B", 1, 5)], "seats[0].face_value"),
    # The set holds so many of each, so many in all.
    ("time", [Rack("A", 2, rack=("R1", "R1")), Rack("B", 1, rack=("R1",))], "seats[1].rack[0]"),
    ("time", [Rack("A", 2, rack=("J", "J")), Rack("B", 1, rack=("J",))], "seats[1].rack[0]"),
    ("time", [Rack("A", 1, rack=("JD",)), Rack("B", 1, 5)], "seats[0].rack[0]"),
    ("time", [Rack("A", 1, rack=("R99",)), Rack("B", 1, 5)], "seats[0].rack[0]"),
    ("time", [Rack("A", 54, 260), Rack("B", 53, 260)], "seats"),
    ("time", [Rack("A", 53, 500), Rack("B", 53, 500)], "seats"),
    # Who sits there.
    ("time", [Rack("A", 1, 5)], "seats"),
    ("time", [], "seats"),
    ("time", [Rack("A", 1, 5), Rack("A", 1, 5)], "seats[1].seat"),
    ("time", [Rack("A", 1, 5), Rack("E", 1, 5)], "seats[1].seat"),
    ("time", [Rack(seat, 1, 5) for seat in "ABCDA"], "seats"),
    ("time", [Rack("A", 1, 5), Rack("B", 1, 5, left=True)], "seats"),
    ("rummikub", [Rack("A", 0), Rack("B", 1, 5, left=True), Rack("C", 1, 5, left=True)], "seats"),
    # What an unopened rack needs.
    ("time", [Rack("A", 14, 90, opened=False), Rack("B", 1, 5)], "seats[0].could_open"),
    ("time", [Rack("A", 14, opened=False, could_open=True), Rack("B", 1, 5)], "seats[0].face_value"),
    ("time", [Rack("A", 14), Rack("B", 1, 5)], "seats[0].face_value"),
    ("walked away", [Rack("A", 1, 5), Rack("B", 1, 5)], "ended_by"),
]


@pytest.mark.parametrize(("ended_by", "racks", "where"), REFUSED)
def test_what_cannot_be_is_refused_at_its_place(ended_by, racks, where):
    with pytest.raises(Refusal) as refused:
        score_game(HK, ended_by, racks)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("name", "ended_by", "racks", "where"),
    [
        ("french", "pool", [Rack("A", 1, 5), Rack("B", 1, 6)], "ended_by"),
        ("french", "time", [Rack("A", 1, 5), Rack("B", 1, 6)], "ended_by"),
        ("twist", "pool", [Rack("A", 1, 5), Rack("B", 1, 5)], "seats"),
        ("school", "pool", [Rack("A", 1, 5), Rack("B", 2, 5), Rack("C", 2, 9)], "seats"),
        ("word", "rummikub", [Rack("A", 0), Rack("B", 1, 5)], "ruleset"),
        ("french", "rummikub", [Rack("A", 0), Rack("B", 1, 30)], "seats[1].face_value"),
        ("twist", "rummikub", [Rack("A", 0), Rack("B", 3, rack=("JD", "JD", "JD"))], "seats[1].rack[2]"),
    ],
)
def test_what_a_ruleset_does_not_hold_or_say_is_refused(name, ended_by, racks, where):
    with pytest.raises(Refusal) as refused:
        score_game(PRESETS[name], ended_by, racks)
    assert refused.value.where == where


def test_the_reason_names_the_bound():
    with pytest.raises(Refusal) as refused:
        score_game(HK, "time", [Rack("A", 1, 5), Rack("B", 3, 999)])
    assert str(refused.value) == "seats[1].face_value: 999 is more than 3 tiles can hold (73)"


@pytest.mark.parametrize(("tiles", "said"), [((0, 0), "2"), ((1, 1), "none")])
def test_the_reason_says_how_many_went_out(tiles, said):
    racks = [Rack(seat, count, 5 if count else None) for seat, count in zip("AB", tiles, strict=True)]
    with pytest.raises(Refusal) as refused:
        score_game(HK, "rummikub", racks)
    assert str(refused.value) == f"seats: exactly one seat goes out with 0 tiles, here {said}"


@pytest.mark.parametrize("name", ["twist", "school"])
def test_a_single_lowest_rack_wins_the_differences_without_a_clock_too(name):
    for ended_by in ("pool", "time"):
        assert told(PRESETS[name], ended_by, Rack("A", 1, 5), Rack("B", 1, 10), Rack("C", 2, 10))[0] == [
            ("A", 1, "10", 5, "lowest_rack"),
            ("B", 0, "-5", 10, ""),
            ("C", 0, "-5", 10, ""),
        ]


def test_a_flat_verdict_counts_what_a_special_joker_may_stand_for():
    flat_twist = read_ruleset({"base": "twist", "unopened_able": 200, "unopened_unable": 100})
    able, unable = ("R12", "B12", "JD"), ("R1", "B2", "JC")
    racks = [Rack("A", 0), Rack("B", 3, rack=able, opened=False), Rack("C", 3, rack=unable, opened=False)]
    assert [(row[0], row[3], row[4]) for row in told(flat_twist, "rummikub", *racks)[0][1:]] == [
        ("B", 200, "ice_able"),
        ("C", 100, "ice_unable"),
    ]

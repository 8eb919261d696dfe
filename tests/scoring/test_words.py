"""Words of letters: the points of a turn, and which words of a list can open."""

import pytest

from scoring.words import LaidWord, WordTurn, words_that_count
from tests.scoring.documents import answer


def turns(*words, emptied=False, jokers_left=0):
    """The answer to one turn; a word with a star is made with tiles of the table."""
    laid = [{"letters": word.rstrip("*"), "from_rack_only": not word.endswith("*")} for word in words]
    return answer("word", {"turns": [{"words": laid, "rack_emptied": emptied}], "jokers_left": jokers_left})


def test_own_words_are_added_and_of_the_others_the_longest_counts_once():
    assert turns("GOD", "BLESS", "CHIP*", "LAP*", "PEAR*") == {"turns": [12], "total": 12}
    assert turns("GOD", "CHIP*", emptied=True, jokers_left=2) == {"turns": [14], "total": -46}
    assert turns() == {"turns": [0], "total": 0}


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        (("GOD", "BLESS"), (True, True)),
        (("CHIP*", "LAP*", "EAR*"), (True, False, False)),
        (("MIX", "HAT*", "LAUNCHED*", "LAUNCHES*"), (True, False, True, False)),
        ((), ()),
    ],
)
def test_which_words_of_a_turn_count(words, counts):
    laid = tuple(LaidWord(word.rstrip("*"), not word.endswith("*")) for word in words)
    assert words_that_count(WordTurn(laid, False)) == counts


def test_the_same_word_may_come_again_in_another_turn():
    turn = {"words": [{"letters": "GOD", "from_rack_only": True}], "rack_emptied": False}
    assert answer("word", {"turns": [turn, turn], "jokers_left": 0}) == {"turns": [3, 3], "total": 6}


@pytest.mark.parametrize(("words", "at"), [(("GOD", "OX"), 1), (("GOD", "god*"), 1), (("", "GOD"), 0)])
def test_a_word_that_is_short_or_there_twice_is_refused(words, at):
    assert turns(*words)["where"] == f"turns[0].words[{at}].letters"


def opening(rack, words, **ruleset):
    return answer("opening", {"ruleset": {"base": "word", **ruleset}, "rack": rack, "words": words})


def test_the_words_that_a_rack_can_lay_come_longest_first_with_their_jokers():
    rack = [*"FIRSTOACK", "J"]
    told = opening(rack, ["first", "SOFT", "RACK", "ZOO", "FOX", "FACTORS"], opening_minimum=4)
    assert told == {
        "could_open": True,
        "words": ["FACTORS", "first", "RACK", "SOFT"],
        "jokers": {"FACTORS": 0, "first": 0, "RACK": 0, "SOFT": 0},
    }
    assert opening(rack, ["TRACKED", "STACKS"])["jokers"] == {"STACKS": 1}
    assert opening(rack, ["STACKS"], opening_jokers=False) == {"could_open": False, "words": [], "jokers": {}}


def test_the_letter_j_is_written_small_on_a_rack_where_a_large_one_is_a_joker():
    assert opening([*"jACKET"], ["JACKET"])["jokers"] == {"JACKET": 0}
    assert opening([*"JACKET"], ["JACKET"])["jokers"] == {"JACKET": 1}


@pytest.mark.parametrize(
    ("rack", "words", "where"),
    [
        (["A", "R5"], [], "rack[1]"),
        (["A", ""], [], "rack[1]"),
        (["A", "?"], [], "rack[1]"),
        (["Z", "Z"], [], "rack[1]"),
        (["J", "J", "J"], [], "rack[2]"),
        (["A"], ["ABBA", "CAN'T"], "words[1]"),
        (["A"], ["É"], "words[0]"),
    ],
)
def test_what_the_box_of_letters_does_not_hold_is_refused_at_its_place(rack, words, where):
    assert opening(rack, words)["where"] == where

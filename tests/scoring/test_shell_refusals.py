"""The rule engine from a shell: what it refuses, where it says so, and that nothing else ever happens."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.__main__ import answer_line
from scoring.shell.verbs import VERBS
from tests.scoring.documents import DOCUMENTS, FAMILY, GAME, RANK, REQUIRED, answer, at

# --- What is refused, and where -------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "path"), [(verb, path) for verb, paths in REQUIRED.items() for path in paths])
def test_a_missing_field_is_refused_at_its_place(verb, path):
    assert answer(verb, at(DOCUMENTS[verb], path, "-")) == {"error": "is missing", "where": path}


@pytest.mark.parametrize(("verb", "path"), [(verb, path) for verb, paths in REQUIRED.items() for path in paths])
@pytest.mark.parametrize("text", ["1.0", "1e2", "-0.5", "NaN", "Infinity", "-Infinity"])
def test_any_float_is_refused_at_its_place(verb, path, text):
    document = json.dumps(at(DOCUMENTS[verb], path, "@")).replace('"@"', text)
    assert answer(verb, document)["where"] == path


BOOLEAN_OR_TEXT = ("id", "seat", "opened", "rack_emptied", "from_rack_only")


@pytest.mark.parametrize(("verb", "path"), [(verb, path) for verb, paths in REQUIRED.items() for path in paths])
def test_a_wrong_type_is_refused_at_its_place(verb, path):
    for wrong in ({}, 12345678901234567890 if path.endswith(BOOLEAN_OR_TEXT) else True):
        if path == "opened" and wrong is True:
            continue
        where = answer(verb, at(DOCUMENTS[verb], path, wrong))["where"]
        assert where == (f"{path}.base" if path == "ruleset" and wrong == {} else path)


PLACES = {
    "game": ["", "seats[0]"],
    "rank": ["", "entrants[0]", "entrants[0].games[0]"],
    "opening": [""],
    "set": [""],
    "move": [""],
    "weather": ["", "signals[0]"],
    "tables": ["", "entrants[2]"],
    "family": ["", "units[0]", "units[0].members[1]", "units[0].members[0].games[0]"],
    "word": ["", "turns[0]", "turns[0].words[0]"],
    "merge": ["", "tables[0]", "tables[2].entrants[0]"],
}


@pytest.mark.parametrize(("verb", "place"), [(verb, place) for verb, places in PLACES.items() for place in places])
def test_an_unknown_field_is_refused_at_its_place(verb, place):
    path = f"{place}.bogus" if place else "bogus"
    assert answer(verb, at(DOCUMENTS[verb], path, 1)) == {"error": "is not a field here", "where": path}


@pytest.mark.parametrize(("verb", "place"), [(verb, place) for verb, places in PLACES.items() for place in places])
def test_a_key_given_twice_is_refused_at_its_place(verb, place):
    path = f"{place}.twice" if place else "twice"
    text = json.dumps(at(DOCUMENTS[verb], path, "@")).replace('"twice": "@"', '"twice": 1, "twice": 1')
    assert answer(verb, text) == {"error": "is there twice", "where": path}


BOOLEANS = ["opened", "could_open", "rack_pushed_over", "left"]


@pytest.mark.parametrize("field", BOOLEANS)
@pytest.mark.parametrize("value", [0, 1, None, "true", []])
def test_only_true_and_false_are_booleans(field, value):
    assert answer("game", at(GAME, f"seats[0].{field}", value))["where"] == f"seats[0].{field}"


@pytest.mark.parametrize(
    ("verb", "path", "value", "where"),
    [
        ("game", "ruleset", "chess", "ruleset"),
        ("game", "ruleset", {"base": "hk-2026", "bogus": 1}, "ruleset.bogus"),
        ("game", "ruleset", "word", "ruleset"),
        ("opening", "ruleset", "word", "words"),
        ("opening", "words", ["SOFT"], "words"),
        ("word", "jokers_left", 3, "jokers_left"),
        ("word", "turns[0].words[0].letters", "GO", "turns[0].words[0].letters"),
        ("set", "ruleset", {"base": "word"}, "ruleset"),
        ("move", "ruleset", "word", "ruleset"),
        ("game", "ended_by", "Time", "ended_by"),
        ("game", "seats[0].seat", "E", "seats[0].seat"),
        ("game", "seats[0].face_value", None, "seats[0].face_value"),
        ("game", "seats[0].tiles", "1", "seats[0].tiles"),
        ("game", "seats[0].rack", None, "seats[0].rack"),
        ("game", "seats[0].rack", ["R8", 8], "seats[0].rack[1]"),
        ("game", "seats", [], "seats"),
        ("game", "seats", {"A": 1}, "seats"),
        ("rank", "advance", 0, "advance"),
        ("rank", "advance", -1, "advance"),
        ("rank", "advance", None, "advance"),
        ("rank", "advance", True, "advance"),
        ("rank", "advance", "3", "advance"),
        ("rank", "entrants[0].id", 7, "entrants[0].id"),
        ("rank", "entrants[0].status", "OK", "entrants[0].status"),
        ("rank", "entrants[0].status", None, "entrants[0].status"),
        ("rank", "entrants[0].games[0].win", 2, "entrants[0].games[0].win"),
        ("rank", "entrants[0].games[0].win", -1, "entrants[0].games[0].win"),
        ("rank", "entrants[0].games[0].tiles", -1, "entrants[0].games[0].tiles"),
        ("rank", "entrants[0].games", [{"win": 0, "points": 0, "tiles": 0}] * 4, "entrants[0].games"),
        ("rank", "entrants", [{"id": "a", "games": []}, {"id": "a", "games": []}], "entrants[1].id"),
        ("opening", "rack", ["R1"] * 3, "rack[2]"),
        ("opening", "rack", ["J"] * 3, "rack[2]"),
        ("opening", "rack", ["JD"], "rack[0]"),
        ("set", "set", ["R1", "JC", "R3"], "set[1]"),
        ("move", "played", ["JM"], "played[0]"),
        ("move", "before", [["R1", "R2"]], "before[0]"),
        ("move", "before", ["R1"], "before[0]"),
        ("move", "after", [["R1", "R2", 3]], "after[0][2]"),
        ("weather", "first_check_in", "2026-03-28T12:00:00", "first_check_in"),
        ("weather", "first_check_in", "2026-03-28", "first_check_in"),
        ("weather", "first_check_in", "noon", "first_check_in"),
        ("weather", "first_check_in", "2026-02-30T12:00:00+08:00", "first_check_in"),
        ("weather", "first_check_in", "0001-01-01T00:00:00+08:00", "first_check_in"),
        ("weather", "now", None, "now"),
        ("weather", "signals[0].cancelled", "2026-03-28T10:29:59+08:00", "signals[0].cancelled"),
        ("weather", "signals[0].cancelled", "later", "signals[0].cancelled"),
        ("tables", "seed", "7", "seed"),
        ("tables", "seed", None, "seed"),
        ("tables", "entrants[0].family", 7, "entrants[0].family"),
        ("tables", "entrants[1].id", "a", "entrants[1].id"),
        ("tables", "entrants", [{"id": "a", "family": None, "school": None}], "entrants"),
        ("merge", "ruleset", "chess", "ruleset"),
        ("merge", "tables", {}, "tables"),
        ("merge", "tables[1].table", 1, "tables[1].table"),
        ("merge", "tables[1].table", "2", "tables[1].table"),
        ("merge", "tables[0].locked", 1, "tables[0].locked"),
        ("merge", "tables[0].locked", None, "tables[0].locked"),
        ("merge", "tables[2].entrants[1].id", "a", "tables[2].entrants[1].id"),
        ("merge", "tables[2].entrants[0].family", None, "tables[2].entrants[0].family"),
        ("merge", "tables[2].entrants[0].school", 7, "tables[2].entrants[0].school"),
        ("merge", "prefer", "fours", "prefer"),
        ("merge", "prefer", None, "prefer"),
        ("family", "units", FAMILY["units"] * 2, "units[1].id"),
        ("family", "units[0].members", [], "units[0].members"),
        ("family", "units[0].members", FAMILY["units"][0]["members"] * 2, "units[0].members"),
        ("family", "units[0].members[1].id", "a", "units[0].members[1].id"),
        ("family", "units[0].members[1].role", "mother", "units[0].members[1].role"),
        ("family", "units[0].members[0].rank", 0, "units[0].members[0].rank"),
        ("family", "units[0].members[0].rank", "4", "units[0].members[0].rank"),
        ("family", "units[0].members[0].status", "left", "units[0].members[0].status"),
        ("family", "units[0].members[0].status", None, "units[0].members[0].status"),
        ("family", "units[0].members[1].games", [{"win": 0, "points": 0, "tiles": 0}] * 4, "units[0].members[1].games"),
    ],
)
def test_what_a_verb_does_not_take_is_refused_at_its_place(verb, path, value, where):
    refusal = answer(verb, at(DOCUMENTS[verb], path, value))
    assert list(refusal) == ["error", "where"]
    assert refusal["where"] == where


POINTS = {
    "30": "30", "-5": "-5", "23/2": "23/2", "46/4": "23/2", "-0": "0", "0/12": "0", "-6/12": "-1/2", "007": "7",
    "5/1": "5", "-10/3": "-10/3",
}  # fmt: skip


@pytest.mark.parametrize(("given", "told"), POINTS.items())
def test_points_as_text_come_out_in_lowest_terms(given, told):
    ranking = answer("rank", at(RANK, "entrants[0].games[0].points", given))["ranking"]
    assert ranking[0]["points"] == told


@pytest.mark.parametrize(
    "points",
    ["", "-", "+5", " 5", "5 ", "5\n", "1.5", "1/0", "1/5", "1/8", "1/24", "1/-2", "--5", "1/", "/2", "1/2/3", "５",
     "11 1/2", "−5", "0x5", "1_0", None, True, [], {}],
)  # fmt: skip
def test_other_points_are_refused(points):
    where = "entrants[0].games[0].points"
    assert answer("rank", at(RANK, where, points))["where"] == where


def test_points_as_integers_are_taken_whatever_their_size():
    for points in (0, -7, 10**30):
        ranking = answer("rank", at(RANK, "entrants[0].games[0].points", points))["ranking"]
        assert ranking[0]["points"] == str(points)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"nul",
        b"{'a': 1}",
        b"{} x",
        b'"\xed\xa0\x80"',
        b"\xef\xbb\xbf{}",
        b"[" * 5000,
        b'{"a":' * 5000,
        b"[" * 300 + b"]" * 300,
        b"\x00",
        b'{"a": 1,}',
    ],
)
def test_what_is_no_document_is_refused_without_a_place(text):
    for verb in DOCUMENTS:
        assert answer(verb, text)["where"] == ""


def test_a_number_without_measure_and_half_a_character_are_refused_at_their_place():
    huge = json.dumps(at(GAME, "seats[1].tiles", "@")).replace('"@"', "9" * 5000)
    assert answer("game", huge)["where"] == "seats[1].tiles"
    text = json.dumps(at(RANK, "entrants[0].id", "@")).replace("@", r"\ud800")
    assert answer("rank", text)["where"] == "entrants[0].id"
    assert answer("rank", rb'{"\udfff": 1}')["where"] == r"\udfff"
    emoji = json.dumps(at(RANK, "entrants[0].id", "@")).replace("@", r"\ud83d\ude00")
    assert answer("rank", emoji)["advancing"] == ["😀"]


# --- Whatever comes -------------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["hk-2026", "twist", "french", "A", "B", "R1", "J", "JD", "time", "rummikub", "ok", "1/2"]),
)
NAMES = st.sampled_from(
    ["ruleset", "base", "seats", "seat", "rack", "tiles", "face_value", "ended_by", "entrants", "id", "games", "set",
     "opened", "before", "played", "after", "win", "points", "seed", "signals", "code", "now", "advance"]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=5)
)


@given(st.sampled_from(sorted(VERBS)), VALUES)
def test_no_document_ever_gives_anything_but_one_answer(verb, value):
    line = answer_line(VERBS[verb], json.dumps(value).encode())
    assert line.count(b"\n") == 1
    assert isinstance(json.loads(line), dict)


@given(st.sampled_from(sorted(VERBS)), st.binary(max_size=60))
def test_no_bytes_ever_give_anything_but_one_answer(verb, line):
    assert isinstance(json.loads(answer_line(VERBS[verb], line)), dict)


PATHS = sorted((verb, path) for verb, paths in REQUIRED.items() for path in paths)


@given(st.sampled_from(PATHS), VALUES)
def test_any_value_in_any_place_gives_one_answer(place, value):
    verb, path = place
    line = answer_line(
        VERBS[verb], json.dumps(at(DOCUMENTS[verb], path, "@")).replace('"@"', json.dumps(value)).encode()
    )
    assert isinstance(json.loads(line), dict)

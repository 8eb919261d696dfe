"""The rule engine from a shell, to the letter of its public interface: what it answers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.ruleset import PRESETS
from tests.scoring.documents import FAMILY, GAME, MOVE, OPENING, SET, TABLES, WEATHER, answer, at

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "cases"


def shell(*arguments, given=b"", **options):
    """Run the command as a shell would: (status, standard output, standard error)."""
    if isinstance(given, str):
        given = given.encode()
    command = [sys.executable, "-m", "scoring", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, cwd=ROOT, timeout=60, check=False, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# --- One document, one answer ---------------------------------------------------------------------------------


def test_a_document_from_standard_input_gives_one_line():
    expected = (
        '{"seats": {"A": {"win": 1, "points": "1", "tiles": 1, "rack_value": 8, "because": ["lowest_rack"]}, '
        '"B": {"win": 0, "points": "-1", "tiles": 1, "rack_value": 9, "because": []}}, "warnings": []}\n'
    )
    assert shell("game", given=json.dumps(GAME)) == (0, expected, "")
    assert shell("game", "-", given=json.dumps(GAME)) == (0, expected, "")
    assert shell("game", given=json.dumps(GAME, indent=4)) == (0, expected, "")


def test_a_document_from_a_file_gives_the_same(tmp_path):
    file = tmp_path / "a game.json"
    file.write_text(json.dumps(GAME))
    assert shell("game", str(file)) == shell("game", given=json.dumps(GAME))


def test_a_refusal_is_status_2_and_one_line_that_says_where_and_why():
    bad = {**GAME, "seats": [GAME["seats"][0], {"seat": "B", "face_value": 999, "tiles": 3}]}
    line = "scoring game: seats[1].face_value: 999 is more than 3 tiles can hold (73)\n"
    assert shell("game", given=json.dumps(bad)) == (2, "", line)


@pytest.mark.parametrize(
    ("arguments", "given", "line"),
    [
        ([], "", "scoring: verb: is missing; "),
        (["--lines"], "", "scoring: verb: is missing; "),
        (["frob"], "{}", "scoring frob: verb: is unknown; "),
        (["frob", "--lines"], "{}", "scoring frob: verb: is unknown; "),
        (["ga\nme\ud800"], "{}", "scoring ga\\nme"),
        (["game", "--fast"], "{}", "scoring game: arguments: --fast is no option"),
        (["game", "a", "b"], "{}", "scoring game: arguments: more than a verb and a file"),
        (["game", "no-such-file.json"], "", "scoring game: no-such-file.json: cannot be read: "),
        (["game", "tests"], "", "scoring game: tests: cannot be read: "),
        (["game", "--lines", "no-such-file.json"], "", "scoring game: no-such-file.json: cannot be read: "),
        (["game"], "", "scoring game: not JSON: "),
        (["game"], "{", "scoring game: not JSON: "),
        (["game"], "{} {}", "scoring game: not JSON: "),
        (["game"], b"\xff{}", "scoring game: not UTF-8: "),
        (["game"], "[" * 100_000, "scoring game: nested too deep"),
        (["game"], "[]", "scoring game: must be an object"),
        (["game"], '{"a\\nb": 1}', "scoring game: a\\nb: is not a field here"),
        (["word"], '{"turns": [], "jokers_left": 3}', "scoring word: jokers_left: must be from 0 to 2"),
        (["word"], "not even JSON", "scoring word: not JSON: "),
        (["family"], "not even JSON", "scoring family: not JSON: "),
    ],
)
def test_what_cannot_be_taken_ends_with_status_2(arguments, given, line):
    arguments = [os.fsencode(argument.replace("\ud800", "\udcff")) for argument in arguments]
    status, out, err = shell(*arguments, given=given)
    assert (status, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1 and err.endswith("\n")


def test_rulesets_reads_nothing_and_gives_every_field():
    status, out, err = shell("rulesets", given=b"\xff not even text")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told == {"rulesets": {name: preset.fields_as_data() for name, preset in PRESETS.items()}}
    assert list(told["rulesets"]) == ["hk-2026", "twist", "school", "word", "french"]
    assert shell("rulesets", "--lines")[1] == shell("--lines", "rulesets")[1] == out


def test_nothing_but_the_standard_library_is_loaded():
    program = (
        "import sys, runpy; sys.argv = ['scoring', 'rulesets']\n"
        "try: runpy.run_module('scoring', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "loaded = {name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "sys.stderr.write(' '.join(sorted(loaded - {'scoring', '__main__', '__mp_main__', 'sitecustomize'})))"
    )
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True, timeout=60)
    assert done.stderr == b""


def test_the_reader_of_the_answers_may_go_away():
    lines = (json.dumps(GAME) + "\n") * 5000
    command = f"{sys.executable} -m scoring game --lines | head -n 1"
    done = subprocess.run(command, shell=True, input=lines.encode(), capture_output=True, cwd=ROOT, timeout=60)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.parametrize(
    ("redirection", "status", "line"),
    [
        (">&-", 2, "scoring set: standard output: is closed\n"),
        (">/dev/full", 2, "scoring set: standard output: cannot be written: No space left on device\n"),
        ("<&-", 2, "scoring set: standard input: is closed\n"),
        (">/dev/null 2>&- </dev/null", 2, ""),
    ],
)
def test_closed_and_full_streams_are_told_without_a_traceback(redirection, status, line):
    command = f"{sys.executable} -m scoring set {redirection}"
    given = json.dumps(SET).encode()
    done = subprocess.run(command, shell=True, input=given, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (status, b"", line)


def test_output_is_utf_8_in_any_locale():
    document = {"ruleset": "hk-2026", "entrants": [{"id": "𨋢", "games": [{"win": 0, "points": 0, "tiles": 1}]}]}
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    status, out, err = shell("rank", given=json.dumps(document, ensure_ascii=False), env=environment)
    assert (status, err) == (0, "")
    assert json.loads(out)["advancing"] == ["𨋢"]
    assert "𨋢" in out
    status, out, err = shell("rank", given='{"衞": 1}', env=environment)
    assert (status, out, err) == (2, "", "scoring rank: 衞: is not a field here\n")


# --- A document a line ----------------------------------------------------------------------------------------


def test_lines_are_answered_in_order_blank_ones_skipped_and_the_others_go_on():
    lines = [
        json.dumps(SET),
        "",
        " \t ",
        "not JSON",
        json.dumps({**SET, "set": ["R13", "X", "B13"]}),
        json.dumps(SET) + "\r",
        '{"ruleset": "hk-2026", "set": ["R1"], "set": ["R2"]}',
        json.dumps(SET),
    ]
    legal = '{"legal": true, "kind": "group", "value": 39, "stands_for": {"1": ["K13", "O13"]}}'
    expected = [
        legal,
        '{"error": "not JSON: Expecting value at line 1 column 1", "where": ""}',
        '{"error": "is no tile", "where": "set[1]"}',
        legal,
        '{"error": "is there twice", "where": "set"}',
        legal,
    ]
    for arguments in (["set", "--lines"], ["--lines", "set"]):
        assert shell(*arguments, given="\n".join(lines)) == (0, "\n".join(expected) + "\n", "")


def test_lines_may_come_from_a_file_and_the_option_after_it(tmp_path):
    file = tmp_path / "lines"
    file.write_bytes(json.dumps(SET).encode() + b"\n\xff\n")
    for arguments in (["set", "--lines", str(file)], ["set", str(file), "--lines"], ["--lines", "set", str(file)]):
        status, out, err = shell(*arguments)
        assert (status, err, out.count("\n")) == (0, "", 2)
        assert json.loads(out.splitlines()[1])["where"] == ""


def test_no_lines_give_no_answers():
    assert shell("set", "--lines") == (0, "", "")
    assert shell("set", "--lines", given="\n\n") == (0, "", "")


def test_an_answer_is_there_before_the_next_line_is_asked():
    command = [sys.executable, "-m", "scoring", "set", "--lines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        for _ in range(3):
            process.stdin.write(json.dumps(SET).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["kind"] == "group"
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_words_are_scored_line_by_line():
    words = json.loads((CASES / "words.json").read_text(encoding="utf-8"))
    lines = "".join(json.dumps(case["given"]) + "\n" for case in words)
    answers = "".join(json.dumps(case["answer"]) + "\n" for case in words)
    assert shell("word", "--lines", given=lines) == (0, answers, "")


# --- The verbs in whole answers -------------------------------------------------------------------------------


def test_tiles_0_needs_no_face_value_and_a_rack_needs_no_tiles():
    seats = [{"seat": "D", "tiles": 0}, {"seat": "C", "rack": ["R5", "J"]}, {"seat": "B", "rack": [], "tiles": 0}]
    told = answer("game", {"ruleset": "hk-2026", "ended_by": "rummikub", "seats": seats[:2]})
    assert told["seats"] == {
        "C": {"win": 0, "points": "-35", "tiles": 2, "rack_value": 35, "because": ["joker_held"]},
        "D": {"win": 1, "points": "35", "tiles": 0, "rack_value": 0, "because": ["went_out"]},
    }
    assert answer("game", {"ruleset": "hk-2026", "ended_by": "rummikub", "seats": seats})["where"] == "seats"


def test_a_ranking_is_told_whole():
    entrants = [
        {"id": "b", "games": [{"win": 1, "points": "23/2", "tiles": 2}]},
        {"id": "a", "games": [{"win": 1, "points": "23/2", "tiles": 2}]},
        {"id": "d", "games": [{"win": 0, "points": -5, "tiles": 4}]},
        {"id": "y", "games": [], "status": "ok"},
        {"id": "x", "games": [], "status": "forfeited"},
    ]
    tied = {"rank": 1, "tied": True, "wins": 1, "points": "23/2", "average": "23/6", "tiles": 2}
    last = {"id": "d", "rank": 3, "tied": False, "wins": 0, "points": "-5", "average": "-5/3", "tiles": 4}
    assert answer("rank", {"ruleset": "hk-2026", "advance": 1, "entrants": entrants}) == {
        "ranking": [{"id": "a", **tied}, {"id": "b", **tied}, last],
        "unranked": [{"id": "x", "because": "forfeited"}, {"id": "y", "because": "not_played"}],
        "advancing": [],
        "unresolved": {"places": 1, "ids": ["a", "b"]},
        "reserves": ["d"],
    }
    twist = answer("rank", {"ruleset": "twist", "entrants": entrants})
    assert [row["average"] for row in twist["ranking"]] == [None] * 3
    assert (twist["advancing"], twist["unresolved"], twist["reserves"]) == (["a", "b", "d"], None, [])
    assert answer("rank", {"ruleset": "hk-2026", "entrants": []}) == {
        "ranking": [], "unranked": [], "advancing": [], "unresolved": None, "reserves": [],
    }  # fmt: skip


def test_an_opening_is_told_whole():
    assert answer("opening", OPENING) == {
        "best": 36,
        "could_open": True,
        "sets": [["R11", "J", "R13"]],
        "face_value": 54,
        "tiles": 3,
        "rack_value_if_unopened": 200,
    }


def test_an_illegal_set_or_move_is_an_answer():
    assert answer("set", at(SET, "set", ["R8", "R9"])) == {"legal": False, "because": ["too_short"]}
    assert answer("move", MOVE) == {"legal": True}
    assert answer("move", at(MOVE, "opened", False)) == {"legal": False, "because": ["opening_below"]}


WEATHER_CASES = json.loads((CASES / "weather_days.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", WEATHER_CASES, ids=[case["sentence"] for case in WEATHER_CASES])
def test_the_day_is_decided_as_the_case_says(case):
    told = answer("weather", case["given"])
    assert {name: told[name] for name in case["answer"]} == case["answer"]
    assert ("otherwise" in told) == (told["decision"] == "pending")
    assert told["deadline"] == "2026-03-28T10:00:00+08:00"


def test_times_come_back_as_given_by_issue_then_code():
    signals = [
        {"code": "TC8NE", "issued": "2026-03-28T02:30:00Z", "cancelled": None},
        {"code": "TC3", "issued": "2026-03-28T10:30+08:00", "cancelled": "2026-03-28T10:30:00.5+08:00"},
        {"code": "?", "issued": "20260328T123000+0800", "cancelled": None},
        {"code": "WRAINB", "issued": "2026-03-27T23:59:59+08:00", "cancelled": "2026-03-28T01:59:59+00:00"},
    ]
    assert answer("weather", {**WEATHER, "signals": signals}) == {
        "decision": "cancel",
        "deadline": "2026-03-28T10:00:00+08:00",
        "because": [
            {**signals[3], "why": "ended_before"},
            {**signals[1], "why": "not_stop"},
            {**signals[0], "why": "began_after"},
            {**signals[2], "why": "not_known_yet"},
        ],
    }


def test_tables_are_told_whole_and_alike_in_any_order():
    told = answer("tables", TABLES)
    assert [table["number"] for table in told["tables"]] == [1]
    assert sorted(told["tables"][0]["seats"]) == ["A", "B", "C"]
    assert sorted(told["tables"][0]["seats"].values()) == ["a", "b", "c"]
    assert (told["kept_apart"], told["could_not"]) == (True, [])
    assert answer("tables", at(TABLES, "entrants", TABLES["entrants"][::-1])) == told
    assert answer("tables", {"entrants": [], "seed": 0}) == {"tables": [], "kept_apart": True, "could_not": []}
    family = [{"id": id, "family": "Lee", "school": None} for id in "abc"]
    together = answer("tables", {"entrants": family, "seed": -1})
    assert (together["kept_apart"], together["could_not"]) == (
        False,
        [{"kind": "family", "ids": ["a", "b", "c"], "table": 1}],
    )


def test_families_are_told_whole():
    assert answer("family", FAMILY) == {
        "ranking": [{"id": "Lee", "rank": 1, "wins": 2, "points": "89/6", "tiles": 3}],
        "winner": "Lee",
        "unresolved": None,
        "out": [],
    }
    twice = {**FAMILY, "units": [*FAMILY["units"], {**FAMILY["units"][0], "id": "Au"}]}
    assert answer("family", twice) == {
        "ranking": [
            {"id": "Au", "rank": 1, "wins": 2, "points": "89/6", "tiles": 3},
            {"id": "Lee", "rank": 1, "wins": 2, "points": "89/6", "tiles": 3},
        ],
        "winner": None,
        "unresolved": ["Au", "Lee"],
        "out": [],
    }
    assert answer("family", {"ruleset": "hk-2026", "units": []}) == {
        "ranking": [], "winner": None, "unresolved": None, "out": [],
    }  # fmt: skip

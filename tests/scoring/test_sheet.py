"""A typed sheet is judged whole: every fault at its cell, in the order of the sheet, with its figures."""

import dataclasses
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.entry import GameEntry, SeatEntry, SheetEntry, TotalEntry
from scoring.game import score_game
from scoring.problems import Refusal
from scoring.ruleset import PRESETS, read_ruleset
from scoring.sheet import check_sheet
from scoring.values import Rack

CASES = [
    case
    for form in ("paper", "rack")
    for case in json.loads((Path(__file__).parent / "cases" / f"sheets-{form}.json").read_text(encoding="utf-8"))
]
HK = PRESETS["hk-2026"]
RAW = dataclasses.replace(HK, time_up_scoring="raw")
BOX = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)] * 2 + ["J", "J"]


def entry_of(case):
    games = tuple(
        GameEntry(
            game["ended_by"],
            {letter: SeatEntry(**cells) for letter, cells in game["seats"].items()},
            game.get("starter", ""),
            game.get("ruling", ""),
        )
        for game in case["games"]
    )
    totals = {letter: TotalEntry(**cells) for letter, cells in case["totals"].items()}
    return SheetEntry(case["form"], tuple(case["seats"]), frozenset(case["leavers"]), games, totals)


def as_json(fact):
    if isinstance(fact, tuple):
        return [as_json(one) for one in fact]
    return fact if type(fact) in (int, str) else str(fact)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_sheet_is_told_all_that_is_wrong_with_it_and_nothing_else(case):
    check = check_sheet(read_ruleset(case["ruleset"]), entry_of(case))
    found = [
        [one.weight, one.code, one.where, {name: as_json(fact) for name, fact in one.facts.items()}]
        for one in check.problems
    ]
    assert found == case["problems"]
    assert check.complete == (not any(weight == "mend" for weight, *_ in case["problems"]))
    assert len(check.mend) + len(check.look) == len(check.problems)


# --- Any legal game -------------------------------------------------------------------------------------


@st.composite
def deals(draw, endings=("rummikub", "pool", "time")):
    """Racks as they may really lie at the end of a game: drawn from one box, any of them unopened."""
    count, ended_by = draw(st.sampled_from([3, 4, 4])), draw(st.sampled_from(endings))
    box = random.Random(draw(st.integers(0, 2**32))).sample(BOX, len(BOX))
    out = draw(st.integers(0, count - 1)) if ended_by == "rummikub" else None
    leaver = draw(st.sampled_from([None] * 5 + [seat for seat in range(count) if seat != out]))
    racks = []
    for seat in range(count):
        opened = draw(st.sampled_from([True, True, True, False]))
        tiles = draw(st.integers(1, 8) if opened else st.integers(14, 20))
        rack, box = tuple(box[:tiles]), box[tiles:]
        could_open = None if opened else draw(st.booleans())
        if seat == out:
            rack, opened, could_open = (), True, None
        pushed = bool(rack) and draw(st.integers(0, 15)) == 0
        left = seat == leaver
        racks.append(Rack("ABCD"[seat], len(rack), None, rack, opened, could_open, left, pushed_over=pushed))
    return ended_by, racks


def written(points, style):
    """Points as a person may write them."""
    whole, over = divmod(abs(points), 1)
    sign = "-" if points < 0 else style["plus"]
    if not over:
        return f"{sign}{whole}"
    if style["share"] == "mixed":
        return f"{sign}{whole} {over}" if whole else f"{sign}{over}"
    if style["share"] == "fraction":
        return f"{sign}{abs(points).numerator}/{abs(points).denominator}"
    hundredths = round(abs(points) * 100)
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"


styles = st.fixed_dictionaries(
    {"plus": st.sampled_from(["", "+"]), "share": st.sampled_from(["mixed", "fraction", "decimal"])}
)


def on_paper(ended_by, racks, score, style):
    seats = {
        rack.seat: SeatEntry(
            win=str(score.seats[rack.seat].win),
            points=written(score.seats[rack.seat].points, style),
            tiles=str(score.seats[rack.seat].tiles),
            pushed_over=rack.pushed_over,
            left=rack.left,
        )
        for rack in racks
    }
    return GameEntry(ended_by, seats)


def sheet_of(game, racks, score, style, form="paper"):
    rest = (GameEntry("not_played"), GameEntry("not_played"))
    totals = {
        letter: TotalEntry(str(seat.win), written(seat.points, style), str(seat.tiles))
        for letter, seat in score.seats.items()
    }
    leavers = frozenset(rack.seat for rack in racks if rack.left)
    return SheetEntry(form, tuple(rack.seat for rack in racks), leavers, (game, *rest), totals)


@given(deals(), styles, st.sampled_from([HK, RAW]))
@settings(max_examples=150, deadline=None)
def test_any_legal_game_written_on_paper_has_nothing_to_mend(deal, style, ruleset):
    ended_by, racks = deal
    score = score_game(ruleset, ended_by, racks)
    sheet = sheet_of(on_paper(ended_by, racks, score, style), racks, score, style)
    check = check_sheet(ruleset, sheet)
    assert check.mend == ()
    read = {letter: (seat.win, seat.points, seat.tiles) for letter, seat in check.games[0].seats.items()}
    assert read == {letter: (seat.win, seat.points, seat.tiles) for letter, seat in score.seats.items()}


@given(deals(), st.integers(0, 3), st.integers(-90, 90), styles)
@settings(max_examples=120, deadline=None)
def test_any_change_of_one_cell_of_points_is_told(deal, seat, change, style):
    ended_by, racks = deal
    score = score_game(HK, ended_by, racks)
    letter = racks[seat % len(racks)].seat
    assume(change != 0)
    game = on_paper(ended_by, racks, score, style)
    cell = dataclasses.replace(game.seats[letter], points=written(score.seats[letter].points + change, style))
    check = check_sheet(HK, sheet_of(GameEntry(ended_by, {**game.seats, letter: cell}), racks, score, style))
    told = [one for one in check.mend if one.where.startswith("games[0]")]
    assert told != []
    right = score.seats[letter].points
    suggested = [one for one in told if one.code == "not_zero_sum" and "suggest" in one.facts]
    assert all((one.where, one.facts["suggest"]) == (f"games[0].seats.{letter}.points", right) for one in suggested)


@given(deals(), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_any_change_of_one_win_is_told_at_its_cell(deal, seat):
    ended_by, racks = deal
    score = score_game(HK, ended_by, racks)
    letter, style = racks[seat % len(racks)].seat, {"plus": "+", "share": "mixed"}
    game = on_paper(ended_by, racks, score, style)
    cell = dataclasses.replace(game.seats[letter], win=str(1 - score.seats[letter].win))
    check = check_sheet(HK, sheet_of(GameEntry(ended_by, {**game.seats, letter: cell}), racks, score, style))
    assert f"games[0].seats.{letter}.win" in [one.where for one in check.mend]


@given(deals(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_racks_typed_in_come_to_the_score_of_the_game(deal, by_tiles):
    ended_by, racks = deal
    score = score_game(HK, ended_by, racks)
    seats = {
        rack.seat: SeatEntry(
            tiles=str(rack.tiles),
            face_value="" if by_tiles else str(sum(30 if tile == "J" else int(tile[1:]) for tile in rack.rack)),
            rack=" ".join(rack.rack) if by_tiles else "",
            opened=rack.opened,
            could_open=rack.could_open,
            pushed_over=rack.pushed_over,
            left=rack.left,
        )
        for rack in racks
    }
    style = {"plus": "+", "share": "mixed"}
    check = check_sheet(HK, sheet_of(GameEntry(ended_by, seats), racks, score, style, form="rack"))
    assert check.mend == ()
    read = {letter: (seat.win, seat.points, seat.tiles) for letter, seat in check.games[0].seats.items()}
    assert read == {letter: (seat.win, seat.points, seat.tiles) for letter, seat in score.seats.items()}


# --- Anything at all ------------------------------------------------------------------------------------

texts = st.one_of(st.sampled_from(["", "0", "1", "-5", "+30", "11.5", "3.33", "3.3", "-", "x"]), st.text(max_size=5))
cells = st.builds(
    SeatEntry,
    win=texts,
    points=texts,
    tiles=texts,
    face_value=texts,
    rack=st.sampled_from(["", "R1 R2", "J", "Z9", "b3,y4"]),
    opened=st.booleans(),
    could_open=st.sampled_from([None, True, False]),
    pushed_over=st.booleans(),
    left=st.booleans(),
    absent=st.booleans(),
)
letters = st.sampled_from("ABCD")
games = st.builds(
    GameEntry,
    st.sampled_from(["", "rummikub", "pool", "time", "not_played", "won"]),
    st.dictionaries(letters, cells),
    st.sampled_from(["", "A", "d", "E"]),
)
entries = st.builds(
    SheetEntry,
    st.sampled_from(["paper", "rack"]),
    st.sets(letters).map(lambda found: tuple(sorted(found))),
    st.frozensets(letters),
    st.lists(games, max_size=4).map(tuple),
    st.dictionaries(letters, st.builds(TotalEntry, texts, texts, texts)),
)


@given(entries, st.sampled_from([*PRESETS.values(), RAW]))
@settings(max_examples=200, deadline=None)
def test_whatever_is_typed_has_an_answer_and_every_problem_a_place_told_once(entry, ruleset):
    check = check_sheet(ruleset, entry)
    assert len(check.games) == len(entry.games)
    told = [(one.code, one.where, one.facts.get("tile")) for one in check.problems]
    assert len(told) == len(set(told))
    assert all(one.weight in ("mend", "look") for one in check.problems)


def test_problems_stand_in_the_order_of_the_sheet():
    row = {letter: SeatEntry(win="x", points="y", tiles="z") for letter in "ABCD"}
    totals = {letter: TotalEntry("x", "y", "z") for letter in "ABCD"}
    entry = SheetEntry("paper", tuple("ABCD"), frozenset(), (GameEntry("pool", row),) * 3, totals)
    wheres = [one.where for one in check_sheet(HK, entry).problems]
    assert wheres == [
        *(
            f"games[{n}].seats.{seat}.{cell}"
            for n in range(3)
            for seat in "ABCD"
            for cell in ("win", "points", "tiles")
        ),
        *(f"totals.{seat}.{cell}" for seat in "ABCD" for cell in ("wins", "points", "tiles")),
    ]


def test_the_totals_of_a_sheet_are_its_sums_as_exact_fractions():
    check = check_sheet(HK, entry_of(CASES[1]))
    assert (check.totals["A"].wins, check.totals["A"].points, check.totals["A"].tiles) == (0, Fraction(49, 6), 8)


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        (SheetEntry("card", ("A",)), "form"),
        (SheetEntry("paper", ("A", "E")), "seats"),
        (SheetEntry("paper", ("A",), frozenset("X")), "leavers"),
        (SheetEntry("paper", ("A",), games=(GameEntry(seats={"F": SeatEntry()}),)), "games[0].seats"),
    ],
)
def test_what_no_page_can_send_is_refused(entry, where):
    with pytest.raises(Refusal) as refused:
        check_sheet(HK, entry)
    assert refused.value.where == where

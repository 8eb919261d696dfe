"""A rulebook says what its ruleset's fields say, and every example in it is a case of the rules."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rulebook import differing_sections, rulebook
from scoring.rulebook_examples import JOKER_MOVES, JOKER_SETS, OPENINGS_WITH_SPECIAL, SETS
from scoring.ruleset import PRESETS, read_ruleset
from tests.scoring.documents import answer

NUMBERS = [name for name, ruleset in PRESETS.items() if ruleset.tiles.numbers]
# What the printed texts say of their examples, whatever the ruleset: the others are shown as wrong.
LEGAL_SETS = {
    "run", "group", "joker_group", "joker_run", "double_run", "double_group", "colour_between", "colour_at_end",
    "mirror_run", "mirror_long", "mirror_group", "mirror_joker", "mirror_double", "mirror_unbalanced",
}  # fmt: skip
WRONG_MOVES = {"no_own_tile", "joker_to_rack", "double_half_taken", "double_for_plain", "colour_for_plain",
               "mirror_not_mended"}  # fmt: skip
HAND_ONLY = {"hk_2", "hk_3", "hk_4", "hk_5", "hk_7", "twist_2", "twist_3", "twist_4"}
# Of no stage's play: what a family's sum is compared by, who advances, the weather.
NOT_IN_THE_BOOK = {"name", "family_order", "advance", "weather_deadline_minutes"}


def changed(base="hk-2026", **fields):
    return read_ruleset({"base": base, **fields})


def sets_of(book):
    return [one for section in book for holder in (section, *section.kinds) for one in holder.sets]


def moves_of(book):
    return [one for section in book for holder in (section, *section.kinds) for one in holder.moves]


def games_of(book):
    return [game for section in book for game in section.games]


def codes_of(book):
    return [one.code for section in book for holder in (section, *section.kinds) for one in holder.sentences]


# --- Examples -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NUMBERS)
def test_each_set_is_legal_or_not_as_the_printed_text_says(name):
    book = rulebook(PRESETS[name])
    assert {one.code for one in sets_of(book) if one.judged.legal} == LEGAL_SETS & {one.code for one in sets_of(book)}


@pytest.mark.parametrize("name", NUMBERS)
def test_each_set_has_the_verdict_that_the_shell_gives(name):
    for one in sets_of(rulebook(PRESETS[name])):
        told = answer("set", {"ruleset": name, "set": list(one.tiles)})
        assert (told["legal"], told.get("value", 0), tuple(told.get("because", ()))) == (
            one.judged.legal,
            one.judged.value,
            one.judged.because,
        )


@pytest.mark.parametrize("name", NUMBERS)
def test_each_turn_has_the_verdict_that_the_shell_gives(name):
    for one in moves_of(rulebook(PRESETS[name])):
        told = answer(
            "move",
            {
                "ruleset": name,
                "opened": one.opened,
                "before": [list(tiles) for tiles in one.before],
                "played": list(one.played),
                "after": [list(tiles) for tiles in one.after],
            },
        )
        assert (told["legal"], tuple(told.get("because", ()))) == (one.judged.legal, one.judged.because), one.code


@pytest.mark.parametrize("name", NUMBERS)
def test_a_joker_is_taken_as_the_printed_texts_show_and_only_from_the_hand_where_the_ruleset_says_so(name):
    ruleset = PRESETS[name]
    shown = {one.code: one.judged for one in moves_of(rulebook(ruleset)) if one.opened}
    wrong = WRONG_MOVES | (HAND_ONLY if ruleset.joker_from_hand else set())
    assert {code for code, judged in shown.items() if not judged.legal} == wrong & set(shown)


def test_the_seven_of_003_and_the_four_of_000_are_in_every_book_of_numbers_and_the_special_ones_in_twist_s():
    plain = {f"hk_{number}" for number in range(1, 8)} | {"twist_1_both", "twist_2", "twist_3", "twist_4"}
    assert [plain <= {one.code for one in moves_of(rulebook(PRESETS[name]))} for name in NUMBERS] == [True] * 4
    twist = rulebook(PRESETS["twist"])
    every_set = {code for sets in (SETS, *JOKER_SETS.values()) for code, *_ in sets}
    every_move = {code for moves in JOKER_MOVES.values() for code, *_ in moves}
    assert {one.code for one in sets_of(twist)} == every_set
    assert every_move | {code for code, _ in OPENINGS_WITH_SPECIAL.values()} <= {one.code for one in moves_of(twist)}


@settings(max_examples=20)
@given(st.integers(0, 120), st.booleans())
def test_of_the_openings_those_that_are_worth_enough_open_whatever_the_minimum(minimum, jokers):
    book = rulebook(changed(opening_minimum=minimum, opening_jokers=jokers))
    for one in moves_of(book):
        if not one.opened:
            enough = one.total >= minimum and (jokers or "J" not in one.played) and not one.before
            assert one.judged.legal is enough


def test_the_opening_of_the_hong_kong_event_is_exactly_thirty_and_twenty_seven_is_too_little():
    shown = {one.code: (one.total, one.judged.legal) for one in moves_of(rulebook(PRESETS["hk-2026"]))}
    assert [shown["opening_enough"], shown["opening_two_sets"], shown["opening_too_little"]] == [
        (30, True),
        (30, True),
        (27, False),
    ]


@settings(max_examples=30)
@given(st.integers(0, 270))
def test_there_is_an_opening_that_is_just_enough_however_much_is_needed(minimum):
    [enough] = [one for one in moves_of(rulebook(changed(opening_minimum=minimum))) if one.code == "opening_enough"]
    assert enough.judged.legal and enough.total < max(minimum, 1) + 3


def test_an_example_whose_tiles_the_box_does_not_hold_is_left_out():
    one_copy = rulebook(changed(tiles={"numbers": 1, "J": 1}))
    assert "colour_twice" not in {one.code for one in sets_of(one_copy)}
    no_joker = rulebook(changed(tiles={"numbers": 2}))
    assert [section.key for section in no_joker if section.key == "jokers"] == []
    assert not any("J" in name for one in moves_of(no_joker) for name in one.played)


def test_in_word_each_word_of_the_rack_opens_from_the_minimum_of_letters_on():
    def opening(letters):
        book = rulebook(changed("word", opening_minimum=letters))
        return {one.word: one.opens for section in book for one in section.words}

    assert opening(6) == {"SOFT": False, "RACK": False, "FIRST": False, "CARPET": True}
    assert set(opening(4).values()) == {True}


def test_in_word_the_turns_of_002_are_worth_what_its_text_says():
    assert [turn.points for section in rulebook(PRESETS["word"]) for turn in section.turns] == [8, 4, 8]


# --- Worked games ---------------------------------------------------------------------------------------------

rulesets_of_games = st.fixed_dictionaries(
    {"base": st.sampled_from(NUMBERS)},
    optional={
        "joker_value": st.integers(0, 99),
        "dealt_tiles": st.integers(0, 30),
        "opening_minimum": st.integers(0, 99),
        "unopened_unable": st.none() | st.integers(0, 300),
        "unopened_able": st.none() | st.integers(0, 300),
        "pool_scoring": st.sampled_from(["difference", "raw", None]),
        "time_up_scoring": st.sampled_from(["difference", "raw", None]),
        "lowest_tie": st.sampled_from(["fewest_tiles", "unresolved"]),
        "table_sizes": st.permutations([2, 3, 4]),
        "tiles": st.fixed_dictionaries({"numbers": st.integers(1, 2), "J": st.integers(0, 2), "JD": st.integers(0, 2)}),
    },
)


@settings(max_examples=20)
@given(rulesets_of_games)
def test_a_worked_game_sums_to_zero_and_has_the_points_that_the_shell_gives(data):
    ruleset = read_ruleset(data)
    for game in games_of(rulebook(ruleset)):
        assert sum(seat.points for seat in game.score.seats.values()) == 0
        for ended_by in game.ended_by:
            seats = [
                {name: value for name, value in dataclasses.asdict(rack).items() if value not in (None, False)}
                | {"opened": rack.opened, "tiles": rack.tiles}
                for rack in game.racks
            ]
            told = answer("game", {"ruleset": data, "ended_by": ended_by, "seats": seats})["seats"]
            assert {letter: seat["points"] for letter, seat in told.items()} == {
                letter: str(seat.points) for letter, seat in game.score.seats.items()
            }


def test_the_worked_game_of_003_has_a_joker_and_a_rack_that_could_not_open():
    out, nobody_out = games_of(rulebook(PRESETS["hk-2026"]))
    assert [int(seat.points) for seat in out.score.seats.values()] == [159, -43, -100, -16]
    assert [int(seat.points) for seat in nobody_out.score.seats.values()] == [11, 11, -12, -10]


# --- Every field is in the book -------------------------------------------------------------------------------

FIELDS = {
    "tiles": st.fixed_dictionaries({"numbers": st.integers(1, 3), "J": st.integers(0, 3), "JD": st.integers(0, 2)}),
    "joker_value": st.integers(0, 200),
    "dealt_tiles": st.integers(0, 40),
    "opening_minimum": st.integers(0, 200),
    "opening_jokers": st.booleans(),
    "unopened_unable": st.none() | st.integers(0, 300),
    "unopened_able": st.none() | st.integers(0, 300),
    "pushed_over": st.none() | st.integers(0, 300),
    "pool_scoring": st.sampled_from(["difference", "raw", None]),
    "time_up_scoring": st.sampled_from(["difference", "raw", None]),
    "lowest_tie": st.sampled_from(["fewest_tiles", "unresolved"]),
    "games": st.integers(1, 9),
    "average_over": st.sampled_from(["games", "played"]),
    "minutes": st.none() | st.integers(1, 90),
    "turn_seconds": st.none() | st.integers(1, 90),
    "overtime_tiles": st.none() | st.integers(0, 5),
    "table_sizes": st.sampled_from([[4], [4, 3], [3, 4], [2, 3, 4], [2]]),
    "order": st.permutations(["wins", "average", "tiles", "total"]).map(lambda order: order[:3]),
    "joker_from_hand": st.booleans(),
}


def test_every_field_is_in_the_book_or_named_as_of_no_play():
    assert set(FIELDS) | NOT_IN_THE_BOOK == {field.name for field in dataclasses.fields(PRESETS["hk-2026"])}


@pytest.mark.parametrize("field", FIELDS)
@settings(max_examples=8)
@given(data=st.data())
def test_a_changed_field_changes_the_book(field, data):
    """From the Hong Kong rules, in which every field means something."""
    ruleset = changed(**{field: data.draw(FIELDS[field])})
    same = ruleset.fields_as_data() == PRESETS["hk-2026"].fields_as_data()
    assert (rulebook(ruleset) == rulebook(PRESETS["hk-2026"])) is same


@pytest.mark.parametrize("name", PRESETS)
def test_the_name_of_a_ruleset_changes_nothing(name):
    ruleset = PRESETS[name]
    assert rulebook(dataclasses.replace(ruleset, name="another")) == rulebook(ruleset)


def test_an_average_is_over_the_games_of_all_rounds():
    averages = [
        dict(one.facts)
        for section in rulebook(PRESETS["hk-2026"], rounds=2)
        for one in section.sentences
        if one.code == "average_over"
    ]
    assert averages == [{"games": 6}]


def test_a_later_stage_differs_in_the_sections_that_its_fields_change_and_in_no_other():
    first = rulebook(PRESETS["hk-2026"])
    assert differing_sections(first, first) == ()
    later = rulebook(changed(opening_minimum=24, turn_seconds=45))
    assert [section.key for section in differing_sections(first, later)] == ["opening", "turn"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_section_has_a_sentence_and_no_code_is_there_twice(name):
    book = rulebook(PRESETS[name])
    assert [section.key for section in book if not section.sentences] == []
    assert len(codes_of(book)) == len(set(codes_of(book)))

"""A ruleset as a book of rules: sections of sentences and examples, each from the ruleset's fields, in codes.

What a code says in a language stands with whoever shows it. A verdict, a value or a figure of an example is always the
answer of the rules themselves, so that no page can say another thing than they do.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.rounds import ruleset_over
from scoring.rulebook_examples import (
    MoveExample,
    SetExample,
    joker_move_examples,
    joker_set_examples,
    opening_examples,
    set_examples,
)
from scoring.rulebook_games import WordExample, WorkedGame, WorkedTurn, word_examples, worked_games, worked_turns
from scoring.ruleset import Ruleset
from scoring.set_readings import MIRROR_JOKER
from scoring.tiles import SPECIAL_JOKERS, has_numbers
from scoring.words import LEAST_LETTERS

WIN, SETS, WORDS, OPENING, JOKERS, TURN = "win", "sets", "words", "opening", "jokers", "turn"
PENALTIES, SCORING, ORDER, TIES = "penalties", "scoring", "order", "ties"

Fact = int | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """One sentence by its code, with the figures that it is filled with."""

    code: str
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class JokerKind:
    """One kind of joker of the box: what it does, sets with it, turns about it."""

    kind: str
    sentences: tuple[RuleSentence, ...]
    sets: tuple[SetExample, ...] = ()
    moves: tuple[MoveExample, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSection:
    """One section by its key. Only what the ruleset has is in it."""

    key: str
    sentences: tuple[RuleSentence, ...]
    sets: tuple[SetExample, ...] = ()
    moves: tuple[MoveExample, ...] = ()
    kinds: tuple[JokerKind, ...] = ()
    games: tuple[WorkedGame, ...] = ()
    turns: tuple[WorkedTurn, ...] = ()
    words: tuple[WordExample, ...] = ()


def rulebook(ruleset: Ruleset, rounds: int = 1) -> tuple[RuleSection, ...]:
    """All sections in the order in which they are read. `rounds`: how often a stage plays the ruleset's games, over
    which an average is taken (R35, R38)."""
    return (_book_of_numbers if has_numbers(ruleset) else _book_of_letters)(ruleset, rounds)


def differing_sections(first: tuple[RuleSection, ...], later: tuple[RuleSection, ...]) -> tuple[RuleSection, ...]:
    """The sections of a later stage that say or show something else than the first stage's."""
    return tuple(section for section in later if section not in first)


def rule_facts(ruleset: Ruleset) -> dict[str, Fact]:
    """The fields that sentences are filled with: whole numbers alone."""
    values = ruleset.fields_as_data()
    return {name: value for name, value in values.items() if type(value) is int}


def overtime_sentence(ruleset: Ruleset) -> RuleSentence | None:
    """What running over a turn's time costs, as the book says it; None where these rules say nothing of it."""
    return _filled(ruleset, ("turn_overtime",))[0] if _has_overtime(ruleset) else None


def _book_of_numbers(ruleset: Ruleset, rounds: int) -> tuple[RuleSection, ...]:
    return (
        RuleSection(WIN, (*_filled(ruleset, _win_codes(ruleset)), _tables(ruleset))),
        RuleSection(SETS, _set_sentences(ruleset), sets=set_examples(ruleset)),
        RuleSection(OPENING, _filled(ruleset, _opening_codes(ruleset)), moves=opening_examples(ruleset)),
        *_jokers_of_numbers(ruleset),
        RuleSection(TURN, _filled(ruleset, (*_turn_codes(ruleset), "turn_end"))),
        RuleSection(PENALTIES, _filled(ruleset, _penalty_codes(ruleset))),
        RuleSection(SCORING, _filled(ruleset, _scoring_codes(ruleset)), games=worked_games(ruleset)),
        *_order_and_ties(ruleset, rounds),
    )


def _book_of_letters(ruleset: Ruleset, rounds: int) -> tuple[RuleSection, ...]:
    opening = "letters_opening" if ruleset.opening_jokers else "letters_opening_no_joker"
    least = RuleSentence(opening, {"letters": max(ruleset.opening_minimum, LEAST_LETTERS)})
    taken = "letters_joker_from_hand" if ruleset.joker_from_hand else "letters_joker_taken"
    return (
        RuleSection(WIN, (*_filled(ruleset, ("letters_win", *_match_codes(ruleset))), _tables(ruleset))),
        RuleSection(WORDS, (_letter_box(ruleset), RuleSentence("letters_sets", {"least": LEAST_LETTERS}))),
        RuleSection(OPENING, (least,), words=word_examples(ruleset)),
        *(
            [RuleSection(JOKERS, _filled(ruleset, ("letters_joker", taken, "joker_cost")))]
            if ruleset.tiles.joker_count
            else []
        ),
        RuleSection(TURN, _filled(ruleset, _turn_codes(ruleset))),
        RuleSection(PENALTIES, _filled(ruleset, _turn_penalty_codes(ruleset))),
        RuleSection(
            SCORING, _filled(ruleset, ("letters_own", "letters_rearranged", "letters_emptied")), turns=worked_turns()
        ),
        *_order_and_ties(ruleset, rounds),
    )


def _filled(ruleset: Ruleset, codes: tuple[str, ...]) -> tuple[RuleSentence, ...]:
    """Sentences with those of the ruleset's figures that `FACTS_OF_SENTENCES` gives them."""
    facts = rule_facts(ruleset)
    return tuple(RuleSentence(code, {name: facts[name] for name in FACTS_OF_SENTENCES.get(code, ())}) for code in codes)


FACTS_OF_SENTENCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "match_games": ("games",),
        "match_minutes": ("minutes",),
        "dealt": ("dealt_tiles",),
        "opening": ("opening_minimum",),
        "opening_no_joker": ("opening_minimum",),
        "turn_time": ("turn_seconds",),
        "turn_overtime": ("overtime_tiles",),
        "joker_cost": ("joker_value",),
        "penalty_overtime": ("overtime_tiles",),
        "penalty_unable": ("unopened_unable",),
        "penalty_able": ("unopened_able",),
        "penalty_pushed_over": ("pushed_over",),
        "rack_value": ("joker_value",),
    }
)
"""The fields that a sentence says."""


def _win_codes(ruleset: Ruleset) -> tuple[str, ...]:
    return ("win", *_match_codes(ruleset))


def _match_codes(ruleset: Ruleset) -> tuple[str, ...]:
    games = ["match_games"] if ruleset.games is not None else ["match_games_open"]
    minutes = ["match_minutes"] if ruleset.minutes is not None else []
    return (*games, *minutes, "dealt")


def _tables(ruleset: Ruleset) -> RuleSentence:
    return RuleSentence(f"tables_{len(ruleset.table_sizes)}", {"sizes": ruleset.table_sizes})


def _box(ruleset: Ruleset) -> RuleSentence:
    tiles = ruleset.tiles
    code = "box" if tiles.joker_count else "box_no_joker"
    return RuleSentence(code, {"size": tiles.size, "copies": tiles.numbers, "jokers": tiles.joker_count})


def _set_sentences(ruleset: Ruleset) -> tuple[RuleSentence, ...]:
    """With a colour-change or mirror joker a set may look otherwise than the plain ones (R81, R83)."""
    copies = dict(ruleset.tiles.jokers)
    otherwise = [RuleSentence("sets_otherwise")] if any(copies[kind] for kind in SPECIAL_JOKERS) else []
    return (_box(ruleset), RuleSentence("sets"), *otherwise)


def _letter_box(ruleset: Ruleset) -> RuleSentence:
    tiles = ruleset.tiles
    letters = tuple(f"{letter}{copies}" for letter, copies in tiles.letters if copies)
    return RuleSentence("letters_box", {"size": tiles.size, "jokers": tiles.joker_count, "letters": letters})


def _opening_codes(ruleset: Ruleset) -> tuple[str, ...]:
    return ("opening" if ruleset.opening_jokers else "opening_no_joker", "opening_table")


def _jokers_of_numbers(ruleset: Ruleset) -> Iterator[RuleSection]:
    """Nothing where the box has no joker."""
    kinds = [(kind, copies) for kind, copies in ruleset.tiles.jokers if copies]
    if not kinds:
        return
    special = len([kind for kind, _ in kinds if kind != "J"]) > 0
    codes = (
        "joker_from_hand" if ruleset.joker_from_hand else "joker_taken",
        *(["joker_kinds_apart"] if special and len(kinds) > 1 else []),
        "joker_cost",
    )
    yield RuleSection(
        JOKERS,
        _filled(ruleset, codes),
        kinds=tuple(
            JokerKind(
                kind,
                _kind_sentences(kind, copies),
                joker_set_examples(ruleset, kind),
                joker_move_examples(ruleset, kind),
            )
            for kind, copies in kinds
        ),
    )


def _kind_sentences(kind: str, copies: int) -> tuple[RuleSentence, ...]:
    """A mirror has more to say than the others (R83)."""
    alone = [RuleSentence("kind_JM_alone")] if kind == MIRROR_JOKER else []
    return (RuleSentence(f"kind_{kind}", {"copies": copies}), *alone)


def _turn_codes(ruleset: Ruleset) -> tuple[str, ...]:
    return (
        "turn_no_limit" if ruleset.turn_seconds is None else "turn_time",
        *(["turn_overtime"] if _has_overtime(ruleset) else []),
        "turn_pool",
    )


def _has_overtime(ruleset: Ruleset) -> bool:
    """Whether the ruleset says what running over a turn's time costs."""
    return ruleset.turn_seconds is not None and ruleset.overtime_tiles is not None


def _turn_penalty_codes(ruleset: Ruleset) -> tuple[str, ...]:
    return (*(["penalty_overtime"] if _has_overtime(ruleset) else []), "conduct")


def _penalty_codes(ruleset: Ruleset) -> tuple[str, ...]:
    unable, able = ruleset.unopened_unable, ruleset.unopened_able
    return (
        *(["penalty_unable"] if unable is not None else []),
        *(["penalty_able"] if able is not None else []),
        *(["unopened_counts"] if unable is None and able is None else []),
        *(["penalty_pushed_over"] if ruleset.pushed_over is not None else []),
        *_turn_penalty_codes(ruleset),
    )


def _scoring_codes(ruleset: Ruleset) -> tuple[str, ...]:
    """The rack, then the game that somebody ends, then the one that nobody does (R23-R31)."""
    value = "rack_value" if ruleset.tiles.joker_count else "rack_value_no_joker"
    pool, time = ruleset.pool_scoring, ruleset.time_up_scoring
    if pool is None and time is None:
        return (value, "out", "nobody_out_unstated")
    if pool == time:
        endings = [f"pool_or_time_{pool}"]
    else:
        endings = [f"{ending}_{scoring or 'unstated'}" for ending, scoring in (("pool", pool), ("time", time))]
    tie = "tie_fewest_tiles" if ruleset.lowest_tie == "fewest_tiles" else "tie_unresolved"
    return (value, "out", *endings, tie)


def _order_and_ties(ruleset: Ruleset, rounds: int) -> tuple[RuleSection, ...]:
    order = [RuleSentence("order", {"order": ruleset.order})]
    if "average" in ruleset.order:
        over = ruleset_over(ruleset, rounds).games if ruleset.average_over == "games" else None
        order.append(
            RuleSentence("average_over_played") if over is None else RuleSentence("average_over", {"games": over})
        )
    return (
        RuleSection(ORDER, tuple(order)),
        RuleSection(TIES, (RuleSentence("ties_share"), RuleSentence("ties_decided"))),
    )

"""The page of an event's rules, made from the books of its stages: what it shows is also what the leaflet prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils import translation

from scoring.rulebook import RuleSection, differing_sections
from scoring.rulebook_examples import MoveExample, SetExample
from scoring.rulebook_games import WordExample, WorkedGame
from scoring.ruleset import Ruleset
from tournament.publication.exports.public_pages import PublicEvent, page_address, render_public_page
from tournament.sheets.exports import rule_example_words as words
from tournament.sheets.exports.rule_words import section_title, sentence_text

LEAFLET_NAME = "leaflet.pdf"
TileNames = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StageRules:
    """A stage by its code and its titles by language, its ruleset and its book of rules."""

    code: str
    titles: Mapping[str, str]
    ruleset: Ruleset
    book: tuple[RuleSection, ...]


@dataclass(frozen=True, slots=True)
class ShownExample:
    """Sets as they lie, with the mark and what is said of them; of a turn also what lay there before, and the tiles
    played."""

    sets: tuple[TileNames, ...]
    mark: str
    word: str
    text: str
    before: tuple[TileNames, ...] = ()
    played: TileNames = ()


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A row of a worked game: the tiles of the rack, where they are known, and how it counts."""

    letter: str
    rack: TileNames
    tiles: int
    value: int
    points: Fraction
    win: int
    why: str


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A worked game with its heading."""

    title: str
    seats: tuple[ShownSeat, ...]


@dataclass(frozen=True, slots=True)
class ShownKind:
    """One kind of joker with its examples; `question` as in ShownSection."""

    kind: str
    title: str
    sentences: tuple[str, ...]
    sets: tuple[ShownExample, ...]
    moves: tuple[ShownExample, ...]
    anchor: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section in the language of the moment. `question` lays the first of its sets on "Ask the rules"; empty where
    it shows none."""

    key: str
    title: str
    sentences: tuple[str, ...]
    examples: tuple[ShownExample, ...]
    kinds: tuple[ShownKind, ...]
    games: tuple[ShownGame, ...]
    turns: tuple[tuple[str, int], ...]
    letters: TileNames
    words: tuple[ShownExample, ...]
    anchor: str = ""
    question: str = ""


def rules_folder(slug: str) -> str:
    """Where the rules of an event are."""
    return f"{slug}/rules/"


def ask_folder(slug: str) -> str:
    """Where the rules of an event are asked."""
    return f"{slug}/ask/"


def rules_page(event: PublicEvent, stages: Sequence[StageRules], language: str) -> bytes:
    """The first stage's rules, then of each later one the sections that differ."""
    folder = page_address(rules_folder(event.slug), language)
    addresses = {
        "leaflet_url": f"{folder}{LEAFLET_NAME}",
        "event_url": page_address(f"{event.slug}/", language),
        "ask_url": page_address(ask_folder(event.slug), language),
    }
    facts = rules_page_facts(event, stages, language) | addresses
    return render_public_page("rules", language, rules_folder(event.slug), facts)


def rules_preview_page(event: PublicEvent, stages: Sequence[StageRules], language: str) -> bytes:
    """The same of rules that are not saved: it leads nowhere, since what it leads to has the rules in force."""
    nowhere = {"preview": True, "other_language_url": "", "notices_url": "", "banner_url": ""}
    facts = rules_page_facts(event, stages, language) | nowhere
    return render_public_page("rules", language, rules_folder(event.slug), facts)


def rules_page_facts(event: PublicEvent, stages: Sequence[StageRules], language: str) -> dict[str, Any]:
    """What the page says, without where it leads."""
    with translation.override(language):
        first, later = shown_stages(stages, language)
    return {"event": event, "stage": stages[0].titles[language], "sections": first, "later": later}


def shown_stages(
    stages: Sequence[StageRules], language: str
) -> tuple[tuple[ShownSection, ...], list[tuple[StageRules, str, tuple[ShownSection, ...]]]]:
    """The first stage's sections, and of each later stage that differs its title with the sections that do."""
    first, *others = stages
    later = [(stage, stage.titles[language], differing_sections(first.book, stage.book)) for stage in others]
    return (
        shown_sections(first.book),
        [(stage, title, shown_sections(book, stage.code)) for stage, title, book in later if book],
    )


def shown_sections(book: tuple[RuleSection, ...], later_stage: str = "") -> tuple[ShownSection, ...]:
    """A book in the language of the moment; `later_stage`: the code of a stage that is not the first."""
    return tuple(_shown_section(section, later_stage) for section in book)


def _anchor(key: str, later_stage: str) -> str:
    return f"{later_stage}-{key}" if later_stage else key


def _joker_anchor(kind: str, later_stage: str) -> str:
    return _anchor(f"joker-{kind}", later_stage)


def _question(sets: Sequence[SetExample], later_stage: str) -> str:
    """As the address of "Ask the rules" carries it (static/js/rules/question.js)."""
    by = f"by={later_stage}&" if later_stage else ""
    return f"{by}ask=set&set={'.'.join(sets[0].tiles)}" if sets else ""


def example_anchors(first: StageRules, stage: StageRules) -> dict[str, str]:
    """Where on the page of rules the examples of a stage are: `set` of sets without a joker, then by kind of joker.
    What a later stage has as the first stands there alone."""
    found = {}
    for section in stage.book:
        later_stage = "" if section in first.book else stage.code
        if section.sets:
            found["set"] = _anchor(section.key, later_stage)
        found |= {kind.kind: _joker_anchor(kind.kind, later_stage) for kind in section.kinds}
    return found


def _shown_section(section: RuleSection, later_stage: str) -> ShownSection:
    return ShownSection(
        key=section.key,
        title=section_title(section),
        sentences=tuple(map(sentence_text, section.sentences)),
        examples=(*map(_shown_set, section.sets), *map(_shown_move, section.moves)),
        kinds=tuple(
            ShownKind(
                kind.kind,
                words.joker_title(kind.kind, alone=len(section.kinds) == 1),
                tuple(map(sentence_text, kind.sentences)),
                tuple(map(_shown_set, kind.sets)),
                tuple(map(_shown_move, kind.moves)),
                _joker_anchor(kind.kind, later_stage),
                _question(kind.sets, later_stage),
            )
            for kind in section.kinds
        ),
        games=tuple(map(_shown_game, section.games)),
        turns=tuple((words.turn_text(turn), turn.points) for turn in section.turns),
        letters=section.words[0].rack if section.words else (),
        words=tuple(map(_shown_word, section.words)),
        anchor=_anchor(section.key, later_stage),
        question=_question(section.sets, later_stage),
    )


def _shown_set(example: SetExample) -> ShownExample:
    verdict, word = words.set_verdict(example)
    return ShownExample((example.tiles,), verdict.value, word, words.set_text(example))


def _shown_move(example: MoveExample) -> ShownExample:
    verdict, word = words.move_verdict(example)
    text = words.move_text(example)
    return ShownExample(example.after, verdict.value, word, text, example.before, example.played)


def _shown_word(example: WordExample) -> ShownExample:
    verdict, word = words.word_verdict(example)
    return ShownExample((), verdict.value, word, example.word)


def _shown_game(game: WorkedGame) -> ShownGame:
    scores = game.score.seats
    return ShownGame(
        str(words.ENDING_WORDS[game.ended_by]),
        tuple(
            ShownSeat(
                rack.seat,
                rack.rack or (),
                rack.tiles,
                scores[rack.seat].rack_value,
                scores[rack.seat].points,
                scores[rack.seat].win,
                words.score_text(scores[rack.seat]),
            )
            for rack in game.racks
        ),
    )

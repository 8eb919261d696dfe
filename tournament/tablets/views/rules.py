"""The rules as a card: the sentences of a stage's book of rules, without its examples."""

from typing import NamedTuple

from scoring.rulebook import RuleSection
from tournament.sheets.exports.rule_example_words import joker_title
from tournament.sheets.exports.rule_words import join_sentences, section_title, sentence_text


class RuleCardLine(NamedTuple):
    """What it is about, and what the rules say."""

    head: str
    said: str


def rule_card_lines(book: tuple[RuleSection, ...]) -> list[RuleCardLine]:
    """A line a section, and one for each kind of joker, in the language of the moment."""
    lines = []
    for section in book:
        lines.append(RuleCardLine(section_title(section), join_sentences(list(map(sentence_text, section.sentences)))))
        for kind in section.kinds:
            title = joker_title(kind.kind, alone=len(section.kinds) == 1)
            lines.append(RuleCardLine(title, join_sentences(list(map(sentence_text, kind.sentences)))))
    return lines

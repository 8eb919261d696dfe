"""What a text gives away of people, in whatever layout it is written; and what only looks like it."""

import json
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from tournament.messages.exports.notice_texts import sentences_of_drafts
from tournament.messages.queries.published_text import KnownPerson, known_person
from tournament.messages.readers.personal_text import find_personal


def known(number: int, name_zh: str, name_en: str, **texts: str) -> KnownPerson:
    """A person of these names and other texts, by column."""
    return known_person(number, {"name_zh": name_zh, "name_en": name_en, **texts})


CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data" / "published_texts.json").read_text())
PEOPLE = [known(**person) for person in CASES["people"]]
BETWEEN = (" ", "　", " ", "​", "-", "·", "‧", "  ", "\n", "")


def found_in(text: str, own: str = "") -> list[tuple[str, str, int, bool]]:
    return [(one.words, one.kind, one.number, one.certain) for one in find_personal({"reason": text}, PEOPLE, own)]


@pytest.mark.parametrize(("text", "words", "kind", "number"), CASES["refused"])
def test_a_name_a_telephone_or_an_address_is_certain_in_any_layout(
    text: str, words: str, kind: str, number: int
) -> None:
    assert [one for one in found_in(text) if one[3]] == [(words, kind, number, True)]


@pytest.mark.parametrize(("text", "words", "kind", "number"), CASES["asked"])
def test_what_may_be_a_word_is_asked_about(text: str, words: str, kind: str, number: int) -> None:
    found = found_in(text)
    assert ((words, kind, number, False) in found, any(one[3] for one in found)) == (True, False)


@pytest.mark.parametrize("text", CASES["passed"])
def test_numbers_and_ordinary_words_give_nobody_away(text: str) -> None:
    assert found_in(text) == []


def test_what_the_program_itself_writes_is_not_asked_about() -> None:
    people = [known(1, "陳準時", "CHAN Please"), known(2, "安全", "ON Chuen")]
    text = "請準時報到。安全至上。Please check in on time."
    assert [
        [(one.number, one.words) for one in find_personal({"body": text}, people, own)]
        for own in (sentences_of_drafts(), "")
    ] == [[], [(1, "準時"), (2, "安全")]]


def laid_out(name: str, chance: random.Random) -> str:
    """The name with other widths, cases and gaps."""
    wide = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
    gap = chance.choice(BETWEEN)
    letters = [chance.choice((sign, sign.upper(), sign.lower(), wide.get(sign, sign))) for sign in name if sign != " "]
    words = name.split()
    if len(words) > 1:
        chance.shuffle(words)
        return chance.choice((" ", "-", " / ", "")).join(word.upper() for word in words)
    return gap.join(letters)


def test_no_layout_hides_a_whole_name() -> None:
    chance = random.Random(20260409)
    family, given = "陳李張黃何歐龔裏麥鄧", "大文家樂裏琳嘉欣俊傑詠芝"
    hidden = []
    for number in range(2000):
        chinese = chance.choice(family) + "".join(chance.sample(given, 2))
        english = " ".join(chance.sample(["CHAN", "Ka", "Lok", "Wing", "Yan", "Peter", "Chloe"], 3))
        for name in (chinese, english):
            text = f"由 {laid_out(name, chance)} 勝出"
            person = known(number, chinese, english)
            if not any(one.certain for one in find_personal({"reason": text}, [person])):
                hidden.append((name, unicodedata.normalize("NFC", text)))
    assert hidden == []


HIDDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "data" / "hidden_names.json").read_text())
HIDDEN_PEOPLE = [known(**person) for person in HIDDEN["people"]]


@pytest.mark.fault("X16")
def test_a_name_that_is_hidden_by_its_spelling_is_found_and_ordinary_words_stand() -> None:
    found = {
        text: {(one.number, one.kind, one.certain) for one in find_personal({"reason": text}, HIDDEN_PEOPLE)}
        for text in [case[0] for case in HIDDEN["caught"]] + HIDDEN["may_stand"]
    }
    assert [case for case in HIDDEN["caught"] if tuple(case[1:]) not in found[case[0]]] == []
    assert {text: found[text] for text in HIDDEN["may_stand"] if found[text]} == {}


@pytest.mark.fault("X16")
@pytest.mark.parametrize(("texts", "number"), HIDDEN["across"])
def test_a_name_or_a_telephone_split_over_two_texts_is_asked_about(texts: dict[str, str], number: int) -> None:
    found = [one for one in find_personal(texts, HIDDEN_PEOPLE) if one.kind in ("name", "phone")]
    assert {(one.number, one.certain) for one in found} == {(number, False)}


OTHERS = [
    known(401, "阿米爾·汗", "KHAN Aamir"),
    known(402, "陳嘉聰", "CHAN Ka Chung Leo", school="聖保羅男女中學附屬小學（上午部）", phone="+85291203406"),
    known(403, "김철수", "KIM Chul Soo", school="DBS"),
    known(404, "", "สมชาย ใจดี", school="喇沙"),
    known(405, "さくら", "Peter CHAN Tai Man", school="彩虹道幼稚園"),
    known(406, "邝枫", "WONG Ka Man Joy", school="Hill Primary School"),
]


@pytest.mark.parametrize(
    ("text", "words", "kind", "number", "certain"),
    [
        # simplified, of whatever character
        ("阿米尔·汗先到", "阿米尔·汗", "name", 401, True),
        ("陈嘉聪先到", "陈嘉聪", "name", 402, True),
        ("嘉聪先到", "嘉聪", "given_name", 402, False),
        ("鄺楓先到", "鄺楓", "name", 406, True),
        # given names that sound like a syllable of Cantonese
        ("Leo Chan won", "Leo Chan", "name", 402, True),
        ("Well done, Leo!", "Leo", "given_name", 402, False),
        ("Joy Wong won", "Joy Wong", "name", 406, True),
        # as one calls somebody
        ("阿聰先到", "阿聰", "given_name", 402, False),
        ("聰聰先到", "聰聰", "given_name", 402, False),
        ("由聰同學抽籤", "聰同學", "given_name", 402, False),
        # in scripts that put nothing between words, and where the given name is first
        ("김철수가 이겼다", "김철수", "name", 403, True),
        ("철수가 이겼다", "철수", "given_name", 403, False),
        ("สมชายชนะ", "สมชาย", "given_name", 404, False),
        ("さくらちゃん", "さくら", "name", 405, False),
        ("Peter won", "Peter", "given_name", 405, False),
        # schools that are short, or told by their stem
        ("DBS won", "DBS", "school", 403, False),
        ("喇沙同學先到", "喇沙", "school", 404, False),
        ("彩虹道幼兒園先到", "彩虹道", "school", 405, False),
        ("聖保羅男女中學附小先到", "聖保羅男女", "school", 402, False),
        # figures and signs for letters, initials
        ("Thanks to Pet3r", "Pet3r", "given_name", 405, False),
        ("Ka M@n J0y Wong", "Ka M@n J0y Wong", "name", 406, True),
        ("L3o Chan won", "L3o Chan", "name", 402, True),
        ("Chan K.C.L. won", "Chan K.C.L", "name", 402, False),
        ("KCL CHAN won", "KCL CHAN", "name", 402, False),
        # a figure spoken in other words
        ("nine one two oh three four oh six", "nine one two oh three four oh six", "phone", 402, True),
    ],
)
def test_other_spellings_scripts_and_short_names_are_found(
    text: str, words: str, kind: str, number: int, certain: bool
) -> None:
    found = [(one.words, one.kind, one.number, one.certain) for one in find_personal({"reason": text}, OTHERS)]
    assert (words, kind, number, certain) in found


def test_a_whole_name_that_begins_in_the_title_and_ends_in_the_text_is_asked_about() -> None:
    texts = {
        "title_zh": "多謝陳",
        "body_zh": "嘉聰同學先到",
        "title_en": "Well done Aamir",
        "body_en": "Khan, thank you",
    }
    found = find_personal(texts, OTHERS)
    assert [(one.text, one.kind, one.number, one.words, one.certain) for one in found if one.kind == "name"] == [
        ("title_en", "name", 401, "Aamir Khan", False),
        ("title_zh", "name", 402, "陳 嘉聰", False),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Joy to all",
        "T8 at 13:00, room 4B, 10 a.m., R30 and B3",
        "3 to 5 years, 1st place, no. 2",
        "Chung Ka",
        "2026 年 1 月, Jan 2026",
        "小學組",
        "各位同學",
        "中學部下午",
        "Primary School",
        "The hill",
    ],
)
def test_what_the_other_spellings_are_part_of_is_not_asked_about(text: str) -> None:
    assert find_personal({"reason": text}, OTHERS) == []

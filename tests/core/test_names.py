"""What a name is, and what of it the public sees, whatever field it was typed in and however."""

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.names import compose, is_ideograph, shows_too_much
from tournament.core.contact_masks import mask_email, mask_phone
from tournament.core.names import (
    Script,
    fold_name,
    has_layout,
    is_spreadsheet_error,
    name_key,
    name_matches_search,
    public_name,
    scripts_in_text,
    search_keys,
    split_mixed_name,
    visible_text,
)

SAMPLE = 4000


@pytest.mark.parametrize(
    ("name", "masked"),
    [
        ("陳大文", "陳*文"),
        ("歐陽詠欣", "歐**欣"),
        ("歐陽大文", "歐**文"),
        ("陳喆", "陳*"),
        ("喆", "*"),
        ("𨋢𤧬𠮷", "𨋢*𠮷"),
        ("阿米爾·汗", "阿***汗"),
        ("", ""),
        # layout is no letter
        ("陳　文", "陳*"),
        ("李 明", "李*"),
        ("陳\u00a0 \u200b文", "陳*"),
        ("葛\U000e0100大文", "葛*文"),
        ("陳\ufe00文", "陳*"),
        ("陳·文", "陳*"),
        ("陳\U00016fe4文", "陳*"),
        ("陳\ue5e5文", "陳*"),
        ("陳·大·文", "陳***文"),
        # others than ideographs, in a Chinese name
        ("陳大文(Peter)", "陳*文"),
        ("Peter 陳大文", "陳*文"),
        ("CHAN 大文", "大*"),
        ("陳한", "**"),
        ("陳大문", "陳**"),
        ("佐々木", "佐*木"),
        ("陳々", "陳*"),
        ("\uf914大\uf914", "\uf914*\uf914"),
        ("⺀⺁", "⺀*"),
        ("㍿", "株**社"),
        ("ㄔㄣ", "ㄔ*"),
        ("陳大文小姐", "陳***姐"),
    ],
)
def test_a_chinese_name_keeps_its_first_and_last_ideograph_of_three(name: str, masked: str) -> None:
    assert public_name(name, "") == masked


@pytest.mark.parametrize(
    ("name", "masked"),
    [
        ("CHAN Tai Man", "CHAN T*** M***"),
        ("D'SOUZA Maria", "D'SOUZA M***"),
        ("SUKARNI", "S***"),
        ("SMITH-JONES  Oliver", "SMITH-JONES O***"),
        ("O", "O***"),
        ("", ""),
        ("CHAN\u00a0Tai\u3000Man", "CHAN T*** M***"),
        ("CHAN,Tai Man", "CHAN T*** M***"),
        ("CHAN_Tai_Man", "CHAN T*** M***"),
        ("CHAN/Tai Man", "CHAN T*** M***"),
        ("CHAN.Tai Man", "CHAN T*** M***"),
        ("J.R. SMITH", "J.R. S***"),
        ("Chan-Tai-Man", "C***"),
        ("ChanTaiMan", "C***"),
        ("Chan-Tai-Man Peter", "Chan T*** M*** P***"),
        ("ＣＨＡＮ　Ｔａｉ", "CHAN T***"),
        ("CHAN Amy 🐰", "CHAN A***"),
        ("🐰", "***"),
        ("CHAN Eก", "CHAN E***"),
        ("ИВАНОВ Пётр", "ИВАНОВ П***"),
        # unseen padding between words, and signs in a row
        ("CHAN\u3164Tai Man", "CHAN T*** M***"),
        ("CHAN\u200bTAI\u2060MAN", "CHAN T*** M***"),
        ("CHAN\x0bTai\x1fMan", "CHAN T*** M***"),
        ("CHAN\x00Tai Man", "CHAN T*** M***"),
        ("C\u200bH\u200bA\u200bN Tai", "CHAN T***"),
        ("CHAN..Tai Man", "CHAN T*** M***"),
        ("CHAN…Tai Man", "CHAN T*** M***"),
        ("CHAN''Tai Man", "CHAN T*** M***"),
        ("O'BRIEN-SMITH Jo", "O'BRIEN-SMITH J***"),
        ("E\u0301MILE Zola", "E\u0301MILE Z***"),
    ],
)
def test_an_english_name_keeps_its_first_word_and_initials(name: str, masked: str) -> None:
    assert public_name("", name) == masked


@pytest.mark.parametrize(
    ("zh", "en", "masked"),
    [
        ("陳大文", "CHAN Tai Man", "陳*文"),
        ("", "陳大文 CHAN Tai Man", "陳*文"),
        ("", "李小明LEE Siu Ming", "李*明"),
        ("", "Chan Tai Man 陳大文", "陳*文"),
        ("陳大文 CHAN Tai Man", "", "陳*文"),
        ("", "陳大文", "陳*文"),
        ("CHAN Tai Man", "", "CHAN T*** M***"),
        ("CHAN Tai Man", "陳大文", "陳*文"),
        ("김철수", "KIM Chul Soo", "KIM C*** S***"),
        ("김철수", "", "김*수"),
        ("-", "CHAN Tai Man", "CHAN T*** M***"),
    ],
)
def test_a_person_has_one_mask_whatever_field_the_names_stand_in(zh: str, en: str, masked: str) -> None:
    assert public_name(zh, en) == masked


def test_one_person_has_one_key_whatever_unseen_padding_parts_the_words() -> None:
    padded = [name_key("", f"CHAN{gap}Tai{gap}Man") for gap in (" ", "\u3164", "\u200b", "\u2060", "\x0b", "\ue5e5")]
    assert set(padded) == {name_key("", "CHAN Tai Man")}


def test_composed_names_show_no_more_than_the_rule_allows() -> None:
    dice, told = random.Random(11), []
    for _ in range(SAMPLE):
        name = compose(dice)
        shown = public_name(name.name_zh, name.name_en)
        if fault := shows_too_much(name, shown):
            told.append((name, shown, fault))
    assert told == []


@given(st.text(max_size=12), st.text(max_size=12))
def test_whatever_is_typed_at_most_two_ideographs_are_public(zh: str, en: str) -> None:
    shown = public_name(zh, en)
    typed = [sum(map(is_ideograph, text)) for text in (zh, en)]
    assert sum(map(is_ideograph, shown)) <= 2
    # Of what is one ideograph each, of two in all one is shown at most.
    if max(typed) == 2 and not any(map(stands_for_ideographs, zh + en)):
        assert sum(map(is_ideograph, shown)) <= 1


def stands_for_ideographs(sign: str) -> bool:
    """A glyph for one or several (㆒, ㍿), or what else a Chinese name is written with: Tangut, iteration marks."""
    name = unicodedata.name(sign, "")
    return not is_ideograph(sign) and (
        any(map(is_ideograph, unicodedata.normalize("NFKC", sign)))
        or name.startswith(("TANGUT", "KHITAN", "NUSHU", "OLD CHINESE", "CJK STROKE"))
        or "ITERATION MARK" in name
        or not name
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("陳大文 CHAN Tai Man", ("陳大文", "CHAN Tai Man")),
        ("李小明LEE Siu Ming", ("李小明", "LEE Siu Ming")),
        ("Chan Tai Man 陳大文", ("陳大文", "Chan Tai Man")),
        ("Peter（陳大文）", ("陳大文", "Peter")),
        ("CHAN (陳大文) Tai Man", ("陳大文", "CHAN Tai Man")),
        ("陳大文/CHAN, Tai Man", ("陳大文", "CHAN, Tai Man")),
        ("陳　文", ("陳　文", "")),
        ("D'SOUZA Jr.", ("", "D'SOUZA Jr.")),
    ],
)
def test_both_names_in_one_text_are_told_apart(text: str, parts: tuple[str, str]) -> None:
    assert split_mixed_name(text) == parts


def test_a_key_knows_no_layout_and_no_field() -> None:
    keys = {name_key(zh, "CHAN Man") for zh in ("陳文", "陳　文", "陳 文", " 陳\u00a0\u200b文", "陳\ufe00文")}
    assert keys == {"陳文|chan man"}
    split = {
        name_key(zh, en)
        for zh, en in (
            ("陳大文", "CHAN Tai Man"),
            ("", "陳大文 CHAN Tai Man"),
            ("CHAN  Tai Man 陳大文", ""),
            ("陳大文", "陳大文 CHAN Tai Man"),
        )
    }
    assert split == {"陳大文|chan tai man"}
    assert fold_name("峯衞羣裡栢邨着溫") == "峰衛群裏柏村著温"


@pytest.mark.parametrize("text", ["陳文", "陳　文", "文", "chan", "ＭＡＮ", "陳文 CHAN", "CHAN 陳 文", "peter"])
def test_a_search_finds_a_name_in_whatever_layout_it_is_typed(text: str) -> None:
    assert name_matches_search(text, "陳　文 (Peter)", "CHAN Man")
    assert not name_matches_search("黃", "陳　文 (Peter)", "CHAN Man")


def test_a_search_for_nothing_asks_nothing() -> None:
    assert (search_keys(" \u200b"), search_keys("李 明 LEE")) == ([], ["李明", "lee"])


@pytest.mark.parametrize(
    "text", ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "＃REF！", "Err:502", "=UPPER(B4)", "＝B4"]
)
def test_what_a_spreadsheet_writes_for_an_error_is_no_name(text: str) -> None:
    assert is_spreadsheet_error(text)


def test_names_are_no_errors_of_a_spreadsheet() -> None:
    assert [name for name in ("陳大文", "CHAN Tai Man", "# CHAN", "D'SOUZA") if is_spreadsheet_error(name)] == []


def test_scripts_layout_and_what_is_seen() -> None:
    assert scripts_in_text("陳大文 ＣＨＡＮ 한 ก 3") == {
        Script.HAN,
        Script.LATIN,
        Script.SYLLABLE,
        Script.ALPHABET,
        Script.DIGIT,
    }
    assert [has_layout(name) for name in ("陳　文", "陳\ufe00文", " 陳文 ", "陳·文")] == [True, True, False, False]
    assert visible_text("葛\U000e0100大\u00a0文\u200b") == "葛大 文"


def test_a_phone_shows_three_digits_and_an_address_its_first_letter() -> None:
    assert [mask_phone(text) for text in ("9123 4518", "(852) 9123 4518", "", "123")] == [
        "9*** **18",
        "8*** **18",
        "",
        "***",
    ]
    assert [mask_email(text) for text in ("chan@example.org", "chan")] == ["c***@example.org", "***"]

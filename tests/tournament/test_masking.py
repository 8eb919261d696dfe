"""Names as the public sees them."""

import pytest

from tournament.masking import mask_chinese, mask_english, mask_phone, public_name


@pytest.mark.parametrize(
    ("name", "masked"),
    [
        ("陳大文", "陳*文"),
        ("歐陽詠欣", "歐**欣"),
        ("陳喆", "陳*"),
        ("喆", "*"),
        ("𨋢𤧬𠮷", "𨋢*𠮷"),
        ("葛\U000e0100大文", "葛\U000e0100*文"),
        ("阿米爾·汗", "阿***汗"),
        ("", ""),
    ],
)
def test_a_chinese_name_keeps_its_first_and_last_character(name: str, masked: str) -> None:
    assert mask_chinese(name) == masked


@pytest.mark.parametrize(
    ("name", "masked"),
    [
        ("CHAN Tai Man", "CHAN T*** M***"),
        ("D'SOUZA Maria", "D'SOUZA M***"),
        ("SUKARNI", "S***"),
        ("SMITH-JONES  Oliver", "SMITH-JONES O***"),
        ("O", "O***"),
        ("", ""),
    ],
)
def test_an_english_name_keeps_its_first_word_and_initials(name: str, masked: str) -> None:
    assert mask_english(name) == masked


def test_the_public_name_is_in_the_pages_language_where_there_is_one() -> None:
    assert public_name("陳大文", "CHAN Tai Man", "zh-hant") == "陳*文"
    assert public_name("陳大文", "CHAN Tai Man", "en") == "CHAN T*** M***"
    assert public_name("", "CHAN Tai Man", "zh-hant") == "CHAN T*** M***"


def test_a_phone_shows_three_digits() -> None:
    assert [mask_phone(text) for text in ("9123 4518", "(852) 9123 4518", "", "123")] == [
        "9*** **18",
        "8*** **18",
        "",
        "***",
    ]

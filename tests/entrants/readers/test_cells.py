"""One cell at a time: what people write, and what is read from it or why not."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.core.names import NAME_KEY_SEPARATOR, fold_name, name_key
from tournament.entrants.readers.characters import first_forbidden_character, show_forbidden_characters, storable_text
from tournament.entrants.readers.choice_words import NotAnAnswer, read_answer, read_family_role, read_language
from tournament.entrants.readers.dates import NotADate, read_date
from tournament.entrants.readers.identity import is_identity_head, looks_like_identity_number
from tournament.entrants.readers.namesakes import NamesakeIndex
from tournament.entrants.readers.phones import NotAPhone, read_phone
from tournament.entrants.readers.sessions import NotASession, SessionPlace, read_session

CASES: dict[str, list[Any]] = json.loads((Path(__file__).parent / "cells.json").read_text())
DAYS = (date(2026, 3, 28), date(2026, 4, 6), date(2026, 4, 7))
CHECK_INS = ("12:00", "13:45", "15:30", "17:15")
SESSIONS = [
    SessionPlace(index * 4 + of_day, day, of_day, CHECK_INS[of_day - 1], f"{day:%m%d}-{of_day}")
    for index, day in enumerate(DAYS)
    for of_day in (1, 2, 3, 4)
]


def same_name(first: str, second: str) -> bool:
    """Whether two keys name one person: the Chinese names decide where both are given, else the English ones."""
    first_zh, _, first_en = first.partition(NAME_KEY_SEPARATOR)
    second_zh, _, second_en = second.partition(NAME_KEY_SEPARATOR)
    return first_zh == second_zh if first_zh and second_zh else first_en == second_en


@pytest.mark.parametrize(("text", "expected"), CASES["dates"])
def test_a_date_is_read_day_before_month_or_told_why_not(text: str, expected: str) -> None:
    try:
        answer = read_date(text).isoformat()
    except NotADate as refused:
        answer = refused.code
    assert answer == expected


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_day_of_the_calendar_is_read_in_every_form(day: date) -> None:
    forms = (f"{day:%Y-%m-%d}", f"{day.day}/{day.month}/{day.year}", f"{day.year}年{day.month}月{day.day}日")
    assert [read_date(form) for form in forms] == [day] * 3


@pytest.mark.parametrize(("text", "expected"), CASES["phones"])
def test_a_phone_becomes_e_164_or_is_told_why_not(text: str, expected: str) -> None:
    try:
        answer = read_phone(text)
    except NotAPhone as refused:
        answer = refused.code
    assert answer == expected


@pytest.mark.parametrize(("text", "expected"), CASES["sessions"])
def test_a_session_is_found_however_it_is_written_or_told_why_not(text: str, expected: str) -> None:
    try:
        answer = read_session(text, SESSIONS).code
    except NotASession as refused:
        answer = refused.code
    assert answer == expected


def test_the_number_of_the_day_is_enough_where_there_is_one_day() -> None:
    assert read_session("第三場", SESSIONS[:4]) == SESSIONS[2]


@given(st.text(max_size=30))
def test_no_text_makes_a_cell_reader_fail_in_another_way(text: str) -> None:
    readers = (
        read_date,
        read_phone,
        lambda cell: read_session(cell, SESSIONS),
        read_answer,
        read_language,
        read_family_role,
    )
    for read in readers:
        try:
            read(text)
        except (NotADate, NotAPhone, NotASession, NotAnAnswer):
            continue


@pytest.mark.parametrize(("text", "expected"), CASES["identity"])
def test_what_looks_like_an_identity_card_number_is_seen(text: str, expected: bool) -> None:
    assert looks_like_identity_number(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "A123456",
        "R202601",
        "ａ１２３４５６",
        "A 123456",
        "A123 456",
        "AB123456",
        "A123456（3）",
        "A123\u200b456",
        "A\u00a0123456(A)",
    ],
)
def test_a_letter_and_six_digits_are_one_in_whatever_column_and_layout(text: str) -> None:
    assert looks_like_identity_number(text)
    assert looks_like_identity_number(f"已付 {text} 元")


@pytest.mark.parametrize(
    "text", ["202601", "No 123456", "F-0302", "s1234567@school.edu.hk", "HK$123456", "paid", "0042"]
)
def test_a_receipt_without_its_letter_is_none(text: str) -> None:
    assert not looks_like_identity_number(text)


@pytest.mark.parametrize(
    "head",
    [
        "身份證",
        "身分證號碼",
        "HKID No.",
        "ID card",
        "Identity document",
        "香港身份證首四位",
        "護照號碼",
        "Passport",
        "（身份證號碼）",
        "證件號碼（身份證）",
    ],
)
def test_a_column_of_identity_documents_is_known_by_its_name(head: str) -> None:
    assert is_identity_head(head)


@pytest.mark.parametrize(
    "head",
    [
        *("家庭身份", "親子身分", "ID", "編號", "Kid's name", "英文姓名 (須與身份證相同)", "英文姓名（與身份證相同）"),
        *(
            "英文姓名 須與身份證相同",
            "Name in English (as on HKID card)",
            "English name as shown on HKID",
            "姓名[按身份證]",
        ),
    ],
)
def test_a_column_that_only_sounds_alike_is_none(head: str) -> None:
    assert not is_identity_head(head)


@pytest.mark.parametrize(("zh", "en", "other_zh", "other_en", "same"), CASES["same_name"])
def test_one_person_is_known_by_folded_names(zh: str, en: str, other_zh: str, other_en: str, same: bool) -> None:
    assert same_name(name_key(zh, en), name_key(other_zh, other_en)) is same


NAMES = st.tuples(
    st.sampled_from(["", "陳文", "關詠峯", "關詠峰"]), st.sampled_from(["CHAN Man", "Kwan Fung", "chan man"])
)


@given(st.lists(NAMES, max_size=6), NAMES)
def test_the_index_of_people_finds_whom_comparing_each_would_find(
    known: list[tuple[str, str]], asked: tuple[str, str]
) -> None:
    people: NamesakeIndex[int] = NamesakeIndex()
    for number, names in enumerate(known, start=1):
        people.add(name_key(*names), date(2000, 1, 1), number)
    found = people.find(name_key(*asked), date(2000, 1, 1))
    same = [number for number, names in enumerate(known, start=1) if same_name(name_key(*names), name_key(*asked))]
    assert (found in same) if same else (found is None)
    assert people.find(name_key(*asked), date(2000, 1, 2)) is None


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)


def test_consents_are_read_in_the_words_people_use() -> None:
    assert [read_answer(text) for text in ("是", "Y", "yes", "1", "✓", "TRUE", "同意", "Ｙ")] == [True] * 8
    assert [read_answer(text) for text in ("否", "N", "no", "0", "", "FALSE", "不同意", "-")] == [False] * 8
    with pytest.raises(NotAnAnswer):
        read_answer("可能")


@pytest.mark.fault("F8")
def test_a_character_that_cannot_be_printed_is_named() -> None:
    assert [
        first_forbidden_character(text) for text in ("陳\u202e文", "a\u200bb", "\u2400", "a\nb", "\ue000", "a\ufffd")
    ] == [
        "U+202E",
        "U+200B",
        "U+0000",
        "U+000A",
        "U+E000",
        "U+FFFD",
    ]
    assert first_forbidden_character("𨋢𤧬𠮷衞峯 D'SOUZA · É 葛\U000e0100") == ""
    assert show_forbidden_characters("CHAN \u202etxt") == "CHAN [U+202E]txt"


@given(st.text())
def test_what_is_kept_can_be_written_to_every_database(text: str) -> None:
    kept = storable_text(text)
    assert "\x00" not in kept
    kept.encode()

"""The texts of notices: both languages from the same facts, what is not known left out, what to do said first."""

from datetime import date, datetime

import pytest

from tournament.core.enums import BannerTone, NoticeKind
from tournament.messages.exports.notice_texts import (
    NOTICE_BODIES,
    NOTICE_TITLES,
    NoticeFacts,
    SessionFacts,
    draft_notice_texts,
    placeholders,
    signal_short_text,
    signal_text,
)
from tournament.publication.exports.public_notices import MAX_LEAD_LENGTH
from tournament.publication.exports.public_pages import CHINESE_CODE, ENGLISH_CODE


def at(hour: str, day: str = "2026-03-28") -> datetime:
    return datetime.fromisoformat(f"{day}T{hour}:00+08:00")


FIRST = SessionFacts(1, at("12:00"), at("12:30"))
SECOND = SessionFacts(2, at("13:45"), at("14:15"))
DAY = NoticeFacts(
    venues=("荃灣南豐紗廠", "The Mills"),
    day=date(2026, 3, 28),
    sessions=(FIRST, SECOND),
    deadline=at("10:00"),
    signals=(("WRAINB", at("08:40")),),
)
TIMES_ZH = "第一場：12:00 報到，12:30 入座\n第二場：13:45 報到，14:15 入座"


def test_a_pending_morning_says_when_it_is_decided_and_to_stay_at_home() -> None:
    made = draft_notice_texts(NoticeKind.PENDING, DAY)
    assert made.titles == (
        "3 月 28 日（星期六）比賽待定·黑雨生效中",
        "Saturday 28 March: pending, black rain in force",
    )
    assert made.tone == BannerTone.WAIT
    assert made.bodies[0] == (
        "大會於 10:00 決定當日各場是否停賽。請先留在家中，等候下一則通告。\n\n"
        "現正生效：黑色暴雨警告信號（08:40 起）。\n\n"
        "如常：黑雨或八號或以上風球於 10:00 前已取消。\n"
        "停賽：10:00 仍然生效、剛好於 10:00 取消，或其後至 12:00 首場報到前再發出。\n\n"
        "若停賽：報名及座位全部保留，不用再報名，也不用聯絡大會。新日期另行通知。\n\n"
        f"各場時間：\n{TIMES_ZH}\n\n"
        "地點：荃灣南豐紗廠"
    )


def test_a_stop_says_to_stay_at_home_that_all_is_kept_and_when_the_next_word_comes() -> None:
    made = draft_notice_texts(NoticeKind.STOPPED, DAY)
    assert (made.titles[0], made.tone) == ("3 月 28 日（星期六）停賽", BannerTone.STOP)
    assert made.bodies[1].split("\n\n") == [
        "No session is played on this day. Please stay at home and do not come to the venue.",
        "In force from the Observatory: black rainstorm warning signal (since 08:40).",
        "Every entry and every seat is kept. You need not enter again, and you need not contact us.",
        "As soon as there is a new date, we tell every entrant by e-mail and on the event's page.",
        "Sessions concerned:\nSession 1: check-in 12:00, seating 12:30\nSession 2: check-in 13:45, seating 14:15",
    ]


def test_new_times_stand_with_their_day_and_what_has_none_yet_says_so() -> None:
    moved = SessionFacts(1, at("12:00", "2026-04-11"), at("12:30", "2026-04-11"))
    waits = SessionFacts(2, at("13:45"), at("14:15"), fixed=False)
    made = draft_notice_texts(NoticeKind.NEW_DATE, NoticeFacts(day=date(2026, 3, 28), sessions=(moved, waits)))
    assert made.bodies[0].split("\n\n")[1] == (
        "新時間：\n第一場：4 月 11 日（星期六）12:00 報到，12:30 入座\n第二場：另行通知"
    )
    assert made.bodies[1].split("\n\n")[1] == (
        "New times:\nSession 1: Saturday 11 April, check-in 12:00, seating 12:30\nSession 2: to be announced"
    )


def test_a_signal_since_last_night_has_its_date() -> None:
    facts = NoticeFacts(day=date(2026, 3, 29), signals=(("WRAINB", at("23:19")), ("TC8NE", at("06:00", "2026-03-29"))))
    assert [body.split("\n\n")[1] for body in draft_notice_texts(NoticeKind.STOPPED, facts).bodies] == [
        "現正生效：黑色暴雨警告信號（3 月 28 日 23:19 起）、八號東北烈風或暴風信號（06:00 起）。",
        "In force from the Observatory: black rainstorm warning signal (since 28 March 23:19), no. 8 northeast gale or "
        "storm signal (since 06:00).",
    ]


def test_who_sits_in_the_hall_with_a_game_cut_off_has_words_of_their_own() -> None:
    made = draft_notice_texts(
        NoticeKind.SUSPENDED, NoticeFacts(day=date(2026, 3, 28), sessions=(SECOND,), broken_off=(FIRST,))
    )
    for body, said, listed in zip(
        made.bodies,
        ("第一場已中途停止：請留在座位，聽從評審員安排", "Session 1: play was stopped. Stay at your seat"),
        ("受影響場次：\n第二場：13:45", "Sessions concerned:\nSession 2: check-in 13:45"),
        strict=True,
    ):
        assert body.split("\n\n")[1].startswith(said) and body.split("\n\n")[-1].startswith(listed)


def test_what_is_not_known_is_left_out_in_both_languages() -> None:
    made = draft_notice_texts(NoticeKind.PENDING, NoticeFacts(day=date(2026, 3, 28)))
    assert made.titles == ("3 月 28 日（星期六）比賽待定", "Saturday 28 March: pending")
    assert [body.split("\n\n")[0] for body in made.bodies] == [
        "大會稍後決定當日各場是否停賽。請先留在家中，等候下一則通告。",
        "We decide soon whether the sessions of this day are played. Please stay at home and wait for the next notice.",
    ]
    assert [len(body.split("\n\n")) for body in made.bodies] == [2, 2]


def test_a_final_is_called_by_its_round() -> None:
    final = SessionFacts(1, at("12:00"), at("12:30"), final=True, round=2)
    made = draft_notice_texts(NoticeKind.GOING_AHEAD, NoticeFacts(sessions=(final,)))
    assert made.bodies[0].split("\n\n")[1] == "各場時間：\n決賽第二輪：12:00 報到，12:30 入座"
    assert made.bodies[1].split("\n\n")[1] == "Sessions:\nFinal, round 2: check-in 12:00, seating 12:30"


def test_a_general_notice_is_written_by_hand() -> None:
    made = draft_notice_texts(NoticeKind.GENERAL, DAY)
    assert (made.titles, made.bodies, made.tone) == (("", ""), ("", ""), BannerTone.INFO)


@pytest.mark.parametrize("kind", NoticeKind)
def test_both_languages_of_a_sentence_are_filled_with_the_same_facts(kind: NoticeKind) -> None:
    pairs = [*NOTICE_TITLES[kind], *(pair for alternatives in NOTICE_BODIES[kind] for pair in alternatives)]
    assert [pair for pair in pairs if placeholders(pair[0]) != placeholders(pair[1])] == []


@pytest.mark.parametrize("kind", [kind for kind in NoticeKind if kind != NoticeKind.GENERAL])
def test_every_first_paragraph_is_short_enough_for_the_banner(kind: NoticeKind) -> None:
    firsts = [body.split("\n\n")[0] for body in draft_notice_texts(kind, DAY).bodies]
    assert [
        len(text) <= MAX_LEAD_LENGTH[language]
        for text, language in zip(firsts, (CHINESE_CODE, ENGLISH_CODE), strict=True)
    ] == [
        True,
        True,
    ]


def test_signals_have_their_official_names_and_unknown_codes_stand_as_they_are() -> None:
    assert signal_text("TC8NE", at("08:40"), 0) == "八號東北烈風或暴風信號（08:40 起）"
    assert (signal_short_text("TC8SW", 0), signal_short_text("TC10", 1)) == ("八號風球", "typhoon signal no. 10")
    assert (signal_text("WXYZ", None, 1), signal_short_text("WXYZ", 0)) == ("WXYZ", "WXYZ")
    both = NoticeFacts(day=date(2026, 3, 28), signals=(("TC8NE", None), ("TC8SE", None), ("WRAINB", None)))
    assert draft_notice_texts(NoticeKind.PENDING, both).titles[0] == "3 月 28 日（星期六）比賽待定·八號風球、黑雨生效中"

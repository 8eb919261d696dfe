"""The words of a notice 通告 in both languages, from plain facts: what is so, what to do, when the next word comes.

A paragraph stands as alternatives; the first of which every fact is known is taken, and where none is, it is left out.
Both languages take the same one. What comes out is a draft: a person reads and mends it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from string import Formatter

from django.utils import translation

from tournament.core import dateformat
from tournament.core.enums import BannerTone, NoticeKind

CHINESE_INDEX, ENGLISH_INDEX = 0, 1
NOTICE_TEXT_LANGUAGES = ("zh-hant", "en")

# Both languages of one sentence.
TextPair = tuple[str, str]

SIGNAL_NAMES_IN_BOTH: Mapping[str, TextPair] = {
    "WRAINA": ("黃色暴雨警告信號", "amber rainstorm warning signal"),
    "WRAINR": ("紅色暴雨警告信號", "red rainstorm warning signal"),
    "WRAINB": ("黑色暴雨警告信號", "black rainstorm warning signal"),
    "TC1": ("一號戒備信號", "standby signal no. 1"),
    "TC3": ("三號強風信號", "strong wind signal no. 3"),
    "TC8NE": ("八號東北烈風或暴風信號", "no. 8 northeast gale or storm signal"),
    "TC8NW": ("八號西北烈風或暴風信號", "no. 8 northwest gale or storm signal"),
    "TC8SE": ("八號東南烈風或暴風信號", "no. 8 southeast gale or storm signal"),
    "TC8SW": ("八號西南烈風或暴風信號", "no. 8 southwest gale or storm signal"),
    "TC9": ("九號烈風或暴風風力增強信號", "increasing gale or storm signal no. 9"),
    "TC10": ("十號颶風信號", "hurricane signal no. 10"),
}
# As a title says them.
SIGNAL_SHORT_NAMES_IN_BOTH: Mapping[str, TextPair] = {
    "WRAINB": ("黑雨", "black rain"),
    "TC8": ("八號風球", "typhoon signal no. 8"),
    "TC9": ("九號風球", "typhoon signal no. 9"),
    "TC10": ("十號風球", "typhoon signal no. 10"),
}
TONE_OF_KIND: Mapping[NoticeKind, BannerTone] = {
    NoticeKind.GOING_AHEAD: BannerTone.INFO,
    NoticeKind.PENDING: BannerTone.WAIT,
    NoticeKind.STOPPED: BannerTone.STOP,
    NoticeKind.SUSPENDED: BannerTone.WAIT,
    NoticeKind.NEW_DATE: BannerTone.INFO,
    NoticeKind.GENERAL: BannerTone.INFO,
}

ENTRIES_KEPT_SENTENCE: TextPair = (
    "報名及座位全部保留，不用再報名，也不用聯絡大會。",
    "Every entry and every seat is kept. You need not enter again, and you need not contact us.",
)
SIGNALS_IN_FORCE_SENTENCE: TextPair = ("現正生效：{signals}。", "In force from the Observatory: {signals}.")
VENUE_SENTENCE: TextPair = ("地點：{venue}", "Venue: {venue}")
SESSIONS_SENTENCE: TextPair = ("各場時間：\n{sessions}", "Sessions:\n{sessions}")
SESSIONS_CONCERNED_SENTENCE: TextPair = ("受影響場次：\n{sessions}", "Sessions concerned:\n{sessions}")

NOTICE_TITLES: Mapping[NoticeKind, Sequence[TextPair]] = {
    NoticeKind.GOING_AHEAD: (("{day}比賽如常舉行", "{day}: play goes ahead as planned"),),
    NoticeKind.PENDING: (
        ("{day}比賽待定·{short}生效中", "{day}: pending, {short} in force"),
        ("{day}比賽待定", "{day}: pending"),
    ),
    NoticeKind.STOPPED: (("{day}停賽", "{day}: all sessions called off"),),
    NoticeKind.SUSPENDED: (
        ("{day}比賽暫停·{short}生效中", "{day}: play suspended, {short} in force"),
        ("{day}比賽暫停", "{day}: play suspended"),
    ),
    NoticeKind.NEW_DATE: (("{day}各場改期", "New date for the sessions of {day}"),),
    NoticeKind.GENERAL: (),
}
# The first paragraph of each also stands in the banner: it says what to do.
NOTICE_BODIES: Mapping[NoticeKind, Sequence[Sequence[TextPair]]] = {
    NoticeKind.GOING_AHEAD: (
        (("各場按原定時間舉行，請準時報到。", "All sessions are played as planned. Please check in on time."),),
        (SESSIONS_SENTENCE,),
        (
            (
                "入座時間仍未到場，作棄權論。請預留交通時間。",
                "Whoever is not there by the seating time forfeits. Please allow time for the journey.",
            ),
        ),
        (VENUE_SENTENCE,),
        (
            (
                "出門前請再看天文台消息，安全至上。若首場報到後才發出黑雨或八號或以上風球，尚未開始的場次會暫停，大會即時再發通告。",
                "Please look at the Observatory's news before you leave; safety comes first. If black rain or typhoon "
                "signal no. 8 or higher is issued after the first check-in, sessions that have not begun are "
                "suspended, and we send another notice at once.",
            ),
        ),
    ),
    NoticeKind.PENDING: (
        (
            (
                "大會於 {deadline} 決定當日各場是否停賽。請先留在家中，等候下一則通告。",
                "We decide at {deadline} whether the sessions of this day are played. Please stay at home and wait for "
                "the next notice.",
            ),
            (
                "大會稍後決定當日各場是否停賽。請先留在家中，等候下一則通告。",
                "We decide soon whether the sessions of this day are played. Please stay at home and wait for the next "
                "notice.",
            ),
        ),
        (SIGNALS_IN_FORCE_SENTENCE,),
        (
            (
                "如常：黑雨或八號或以上風球於 {deadline} 前已取消。\n"
                "停賽：{deadline} 仍然生效、剛好於 {deadline} 取消，或其後至 {first} 首場報到前再發出。",
                "Played: black rain and signal no. 8 or higher were cancelled before {deadline}.\n"
                "Called off: one of them is still in force at {deadline}, is cancelled at {deadline} exactly, or is "
                "issued after that and before the first check-in at {first}.",
            ),
        ),
        (
            (
                "若停賽：" + ENTRIES_KEPT_SENTENCE[CHINESE_INDEX] + "新日期另行通知。",
                "If called off: every entry and every seat is kept, you need "
                "not enter again, and we announce a new date.",
            ),
        ),
        (SESSIONS_SENTENCE,),
        (VENUE_SENTENCE,),
    ),
    NoticeKind.STOPPED: (
        (
            (
                "當日所有場次停賽。請留在家中，不要前來會場。",
                "No session is played on this day. Please stay at home and do not come to the venue.",
            ),
        ),
        (SIGNALS_IN_FORCE_SENTENCE,),
        (ENTRIES_KEPT_SENTENCE,),
        (
            (
                "大會定出新日期後，會以電郵及在賽事網頁通知各參賽者。",
                "As soon as there is a new date, we tell every entrant by e-mail and on the event's page.",
            ),
        ),
        (SESSIONS_CONCERNED_SENTENCE,),
    ),
    NoticeKind.SUSPENDED: (
        (
            (
                "尚未開始的場次暫停。未出門請留在家中；已在會場請留在室內，聽從工作人員安排。",
                "Sessions that have not begun are suspended. Stay at home if you have not left; at the venue, stay "
                "inside and follow the staff.",
            ),
        ),
        (
            (
                "{broken_off}已中途停止：請留在座位，聽從評審員安排；家長請在室內等候。"
                "計分紙由大會保管，已完成的局是否計算，大會會再發通告。",
                "{broken_off}: play was stopped. Stay at your seat and follow your referee; families wait indoors. "
                "We keep the scoresheets, and tell you in another notice whether finished games count.",
            ),
        ),
        (SIGNALS_IN_FORCE_SENTENCE,),
        (ENTRIES_KEPT_SENTENCE,),
        (
            (
                "信號取消後，大會再發通告，說明各場何時繼續，或另定日期。",
                "When the signal is cancelled, we send another notice: when the sessions go on, or that a new date "
                "will be set.",
            ),
        ),
        (SESSIONS_CONCERNED_SENTENCE,),
    ),
    NoticeKind.NEW_DATE: (
        (
            (
                "停賽的場次改於以下時間舉行。座位不變，不用再報名。",
                "The sessions that were called off are played at the times below. Seats stay, and you need not enter "
                "again.",
            ),
        ),
        (("新時間：\n{moved}", "New times:\n{moved}"),),
        (VENUE_SENTENCE,),
        (
            (
                "年齡資格按原定日期計算，不受改期影響。",
                "Ages are judged on the original date; the new date changes nothing for anybody.",
            ),
        ),
        (
            (
                "若未能在新時間出席，請盡快聯絡大會，查詢可否改到其他場次，或退出比賽。",
                "If you cannot come at the new time, please contact us soon: ask for another session, or withdraw.",
            ),
        ),
    ),
    NoticeKind.GENERAL: (),
}

# Of a part of the day: the title, and what the first paragraph says then.
PARTLY_NOTICE_TITLES: Mapping[NoticeKind, tuple[TextPair, TextPair]] = {
    NoticeKind.GOING_AHEAD: (
        ("{day}部分場次如常舉行", "{day}: some sessions go ahead as planned"),
        (
            "以下場次按原定時間舉行，請準時報到。當日其他場次另行通知。",
            "The sessions below are played as planned. Please check in on time. The day's other sessions are announced "
            "separately.",
        ),
    ),
    NoticeKind.STOPPED: (
        ("{day}其餘場次停賽", "{day}: the rest of the day is called off"),
        (
            "以下場次停賽。未出門請留在家中；已在會場請留在室內，聽從工作人員安排。",
            "The sessions below are not played. Stay at home if you have not left; at the venue, stay inside and "
            "follow the staff.",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A session of the day; of the final, with its round where there are several. `fixed`: its times are known."""

    number_of_day: int
    check_in_at: datetime
    seating_at: datetime
    final: bool = False
    round: int | None = None
    fixed: bool = True
    replay: bool = False
    stage_name: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """What is known when a notice is drafted. `signals`: codes in force, each with since when it is. `partly`: other
    sessions of the day are not concerned. `broken_off`: those whose play was stopped."""

    venues: TextPair = ("", "")
    day: date | None = None
    sessions: tuple[SessionFacts, ...] = ()
    deadline: datetime | None = None
    signals: tuple[tuple[str, datetime | None], ...] = ()
    partly: bool = False
    broken_off: tuple[SessionFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeTexts:
    """A notice in both languages: Chinese, then English."""

    titles: TextPair
    bodies: TextPair
    tone: BannerTone


def draft_notice_texts(kind: NoticeKind, facts: NoticeFacts) -> NoticeTexts:
    """The texts of a notice of this kind, as far as its facts go; of a general one nothing but its tone."""
    known = (notice_fact_words(facts, CHINESE_INDEX), notice_fact_words(facts, ENGLISH_INDEX))
    titles, body = NOTICE_TITLES[kind], NOTICE_BODIES[kind]
    if facts.partly and kind in PARTLY_NOTICE_TITLES:
        title_of_part, first = PARTLY_NOTICE_TITLES[kind]
        titles, body = (title_of_part,), ((first,), *body[1:])
    title = fill_first_known(titles, known) or ("", "")
    said = [pair for alternatives in body if (pair := fill_first_known(alternatives, known))]
    bodies = ("\n\n".join(zh for zh, _en in said), "\n\n".join(en for _zh, en in said))
    return NoticeTexts(title, bodies, TONE_OF_KIND[kind])


def sentences_of_drafts() -> str:
    """Every word that a draft may have of its own, in both languages."""
    pairs = [
        *SIGNAL_NAMES_IN_BOTH.values(),
        *SIGNAL_SHORT_NAMES_IN_BOTH.values(),
        *(pair for listed in NOTICE_TITLES.values() for pair in listed),
    ]
    pairs += [pair for part in PARTLY_NOTICE_TITLES.values() for pair in part]
    pairs += [pair for parts in NOTICE_BODIES.values() for listed in parts for pair in listed]
    return "\n".join(text for pair in pairs for text in pair)


def fill_first_known(
    alternatives: Sequence[TextPair], known: tuple[Mapping[str, str], Mapping[str, str]]
) -> TextPair | None:
    """The first alternative of which all facts are known, in both languages; None where there is none."""
    for pair in alternatives:
        if all(
            known[place].get(name) for place in (CHINESE_INDEX, ENGLISH_INDEX) for name in placeholders(pair[place])
        ):
            return pair[CHINESE_INDEX].format_map(known[CHINESE_INDEX]), pair[ENGLISH_INDEX].format_map(
                known[ENGLISH_INDEX]
            )
    return None


def placeholders(text: str) -> set[str]:
    """The facts that a sentence is filled with."""
    return {name for _text, name, _form, _conversion in Formatter().parse(text) if name}


def notice_fact_words(facts: NoticeFacts, place: int) -> dict[str, str]:
    """Each fact in one language; empty where it is not known."""
    with translation.override(NOTICE_TEXT_LANGUAGES[place]):
        first = min((one.check_in_at for one in facts.sessions if one.fixed), default=None)
        return {
            "day": dateformat.weekday_date_text(facts.day) if facts.day else "",
            "venue": facts.venues[place] or facts.venues[1 - place],
            "deadline": dateformat.time_text(facts.deadline) if facts.deadline else "",
            "first": dateformat.time_text(first) if first else "",
            "signals": ("、", ", ")[place].join(
                signal_text(code, since, place, facts.day) for code, since in facts.signals
            ),
            "short": ("、", ", ")[place].join(
                dict.fromkeys(signal_short_text(code, place) for code, _at in facts.signals)
            ),
            "broken_off": ("、", ", ")[place].join(notice_session_name(one) for one in facts.broken_off),
            "sessions": "\n".join(notice_session_text(one, place) for one in facts.sessions),
            "moved": "\n".join(notice_moved_session_text(one, place) for one in facts.sessions),
        }


def signal_text(code: str, since: datetime | None, place: int, day: date | None = None) -> str:
    """A signal by its full name, with since when, and since which day where that is not the notice's own; a code that
    has no name here stands as it is."""
    name = SIGNAL_NAMES_IN_BOTH.get(code, (code, code))[place]
    if since is None:
        return name
    same_day = day is None or dateformat.local_day(since) == day
    at = dateformat.time_text(since) if same_day else dateformat.datetime_text(since)
    return f"{name}（{at} 起）" if place == CHINESE_INDEX else f"{name} (since {at})"


def signal_short_text(code: str, place: int) -> str:
    """A signal as people call it; all directions of the eighth are one."""
    called = (
        SIGNAL_SHORT_NAMES_IN_BOTH.get(code)
        or SIGNAL_SHORT_NAMES_IN_BOTH.get(code[:3])
        or SIGNAL_NAMES_IN_BOTH.get(code)
        or (code, code)
    )
    return called[place]


def notice_session_name(session: SessionFacts) -> str:
    """第一場; Session 1; of a final its round."""
    said = dateformat.session_of_day_text(session.number_of_day, session.replay)
    name = session.stage_name[CHINESE_INDEX if dateformat.is_chinese() else ENGLISH_INDEX]
    said = dateformat.final_text(session.round, name) if session.final else said
    return said[:1].upper() + said[1:]


def notice_session_text(session: SessionFacts, place: int) -> str:
    """第一場：12:00 報到，12:30 入座 (R6: not there by then is a forfeit, which a going-ahead says by the hour)."""
    check_in, seating = dateformat.time_text(session.check_in_at), dateformat.time_text(session.seating_at)
    if place == CHINESE_INDEX:
        return f"{notice_session_name(session)}：{check_in} 報到，{seating} 入座"
    return f"{notice_session_name(session)}: check-in {check_in}, seating {seating}"


def notice_moved_session_text(session: SessionFacts, place: int) -> str:
    """The same with its new day; or that it is to be announced."""
    name = notice_session_name(session)
    if not session.fixed:
        return f"{name}：另行通知" if place == CHINESE_INDEX else f"{name}: to be announced"
    day = dateformat.weekday_date_text(session.check_in_at)
    check_in, seating = dateformat.time_text(session.check_in_at), dateformat.time_text(session.seating_at)
    if place == CHINESE_INDEX:
        return f"{name}：{day}{check_in} 報到，{seating} 入座"
    return f"{name}: {day}, check-in {check_in}, seating {seating}"

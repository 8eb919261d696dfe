"""The next word to those whom a mail reached that counts no more, in both languages: a draft for a person to mend."""

from collections.abc import Mapping
from datetime import datetime

from django.utils import translation

from tournament.core import dateformat
from tournament.core.enums import BannerTone, MailingKind
from tournament.messages.exports.notice_texts import NOTICE_TEXT_LANGUAGES, NoticeTexts, TextPair

FOLLOW_UP_TITLES: Mapping[str, TextPair] = {
    MailingKind.NOTICE: ("大會先前的通告不再適用", "Our earlier notice no longer applies"),
    MailingKind.SEATS: ("大會先前電郵的座位及時間不再適用", "The seat and times that we mailed no longer apply"),
    MailingKind.RESULTS: ("大會先前電郵的成績不再有效", "The results that we mailed no longer count"),
    MailingKind.PLACES: ("大會先前電郵的決賽席位不再適用", "The place in the final that we mailed no longer applies"),
}
FOLLOW_UP_BODIES: Mapping[str, TextPair] = {
    MailingKind.NOTICE: (
        "你在 {at} 收到大會的電郵（{of}）。該通告已由較新的通告代替，請以大會網頁上最新的通告為準。",
        "On {at} we mailed you {of}. A newer notice has replaced it: please go by the newest one on our pages.",
    ),
    MailingKind.SEATS: (
        "你在 {at} 收到大會關於座位及時間的電郵。該電郵所列的安排不再適用。\n\n新的安排會再以電郵通知你。",
        "On {at} we mailed you a seat and times. What that mail says no longer applies.\n\n"
        "We will mail you the new arrangements.",
    ),
    MailingKind.RESULTS: (
        "你在 {at} 收到大會關於成績的電郵（{of}）。該次公佈已不再有效，電郵所列的名次及晉級結果一概不作準。\n\n"
        "大會再次公佈成績後，會另行電郵通知你。",
        "On {at} we mailed you results ({of}). That release no longer counts, and neither does what the mail says of "
        "ranks and of places in the final.\n\nWe will mail you again once results are released.",
    ),
    MailingKind.PLACES: (
        "你在 {at} 收到大會關於決賽席位的電郵。該電郵所列的安排不再適用。\n\n新的安排會再以電郵通知你。",
        "On {at} we mailed you about a place in the final. What that mail says no longer applies.\n\n"
        "We will mail you the new arrangements.",
    ),
}
FOLLOW_UP_SUBJECT_WORDS: Mapping[str, TextPair] = {
    MailingKind.NOTICE: ("通告 {number}", "notice {number}"),
    MailingKind.RESULTS: ("第 {number} 次公佈", "release {number}"),
}


def follow_up_texts(kind: str, subject: str, at: datetime) -> NoticeTexts:
    """Of a mailing by its kind and subject (`release 2`), begun at this moment."""
    bodies = []
    for place, language in enumerate(NOTICE_TEXT_LANGUAGES):
        with translation.override(language):
            when = dateformat.datetime_text(at)
        of = FOLLOW_UP_SUBJECT_WORDS.get(kind, ("", ""))[place].format(number=subject.partition(" ")[2])
        bodies.append(FOLLOW_UP_BODIES[kind][place].format(at=when, of=of))
    return NoticeTexts(FOLLOW_UP_TITLES[kind], (bodies[0], bodies[1]), BannerTone.INFO)

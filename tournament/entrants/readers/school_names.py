"""What a school is called besides its name: without what kind of school it is, by its first characters, by its letters.

A form that is as well a place, a church that has many schools, or a word, is left out.
"""

import re
from collections.abc import Iterator, Sequence

from tournament.entrants.readers.ordinary_words import WORDS_EN
from tournament.entrants.readers.text_letters import alphabet_words_of

MIN_SCHOOL_ZH, MIN_SCHOOL_EN, MIN_SCHOOL_STEM_EN, MIN_SCHOOL_STEM_OF_TWO, MIN_SAINT_STEM, MIN_SCHOOL_LETTERS = (
    2,
    3,
    10,
    6,
    6,
    3,
)
# What a school is, at the end of its name: it is known without.
SCHOOL_KIND_ZH = re.compile(
    "(?:幼稚園|幼兒園|幼兒中心|小學|中學|書院|學校|大學|學院|附屬|附設|附小|附中|國際|分校|上午|下午|全日|制|部|校|暨|及)+$"
)
SCHOOL_GENDER_ZH = re.compile("(?:男女|女子|男子|男|女)$")
SCHOOL_LEVEL_ZH = re.compile("小學|中學|幼稚園")
SCHOOL_KIND_EN = frozenset(("primary", "secondary", "school", "college", "kindergarten", "university"))
SAINTS = ("st", "saint")
SMALL_EN = frozenset(("of", "the", "and", "for", "in", "at"))
# Two characters, or two words, that are a place or a body with many schools; letters with another sense in a notice.
COMMON_SCHOOL_WORDS_ZH = """
香港 九龍 新界 中華 中國 港島 大埔 沙田 元朗 屯門 荃灣 葵涌 青衣 西貢 北角 柴灣 灣仔 觀塘 旺角 深水 上水 粉嶺 天水 馬灣
東涌 南丫 長洲 保良 東華 慈雲 黃大 將軍 油麻 筲箕 香島 國際 聖經 基督 天主 浸信 循道 佛教 道教 路德 信義 宣道
"""
COMMON_SCHOOL_WORDS_EN = """
hongkong shatin taipo tuenmun yuenlong tsuenwan saikung wanchai chaiwan northpoint kwuntong mongkok sheungshui fanling
tsingyi tungchung taikoo taiwai
"""
COMMON_ABBREVIATIONS = "pdf csv pin faq vip mtr hkd url hkt utc gmt usb led rsvp ceo gps sms tba tbc"
PLACES_ZH, PLACES_EN, OTHER_LETTERS = (
    frozenset(listed.split()) for listed in (COMMON_SCHOOL_WORDS_ZH, COMMON_SCHOOL_WORDS_EN, COMMON_ABBREVIATIONS)
)
# After 拔小 and the like, so that it is not read out of 確保小朋友.
WORDS_AFTER_LEVEL = ("同學", "學生", "代表", "校隊", "家長", "老師", "的", "隊", "先")


def school_names_zh(school: str) -> Iterator[str]:
    """聖保羅男女中學附屬小學, 聖保羅男女, 聖保羅, 聖保羅小學; 拔女小, 拔小同學."""
    stem = SCHOOL_KIND_ZH.sub("", school)
    bare = SCHOOL_GENDER_ZH.sub("", stem)
    for name in dict.fromkeys((school, stem, bare)):
        whole = name == school and len(name) != len(stem)
        if len(name) >= MIN_SCHOOL_ZH and (whole or name not in PLACES_ZH) and not SCHOOL_KIND_ZH.fullmatch(name):
            yield name
    levels = SCHOOL_LEVEL_ZH.findall(school)
    if levels and len(bare) >= MIN_SCHOOL_ZH:
        whom = stem[len(bare) :]
        if whom:
            yield bare[0] + whom + levels[-1][0]
        yield from (bare[0] + levels[-1][0] + after for after in WORDS_AFTER_LEVEL)


def school_names_en(words: Sequence[str]) -> Iterator[str]:
    """Without spaces: stpaulsprimaryschool, stpauls; lasalle."""
    stem = [word for word in words if word not in SCHOOL_KIND_EN]
    known = "".join(stem) not in PLACES_EN and not set(stem) <= WORDS_EN
    shortest = MIN_SCHOOL_STEM_OF_TWO if len(stem) > 1 and known else MIN_SCHOOL_STEM_EN
    for name, least in ("".join(words), MIN_SCHOOL_EN), ("".join(stem), shortest):
        if len(name) >= least and name not in WORDS_EN | SCHOOL_KIND_EN:
            yield name
    if len(words) > 2 and words[0] in SAINTS:
        saint = words[1] + ("s" if words[2] == "s" else "")
        yield from (first + saint for first in SAINTS if len(first + saint) >= MIN_SAINT_STEM)


def school_abbreviations(school: str) -> Iterator[str]:
    """The first letter of each word, of all or of the first ones: Diocesan Girls' Junior School is DGJS, DGJ."""
    for parts in dict.fromkeys(
        (tuple(alphabet_words_of(school)), tuple("".join(alphabet_words_of(one)) for one in school.split()))
    ):
        words = [word for word in parts if len(word) > 1 and word.isascii() and word not in SMALL_EN]
        letters = "".join(word[0] for word in words)
        for count in range(len(letters), MIN_SCHOOL_LETTERS - 1, -1):
            if letters[:count] not in OTHER_LETTERS:
                yield letters[:count]

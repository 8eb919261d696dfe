"""Every signal and warning of the Observatory by its official name, in both languages."""

import pytest
from django.utils import translation

from tournament.events.exports import words_of_signal

# The codes of the feed `warnsum` (its documentation, 2024), and what is announced beside it.
NAMES = {
    "WFIREY": "黃色火災危險警告",
    "WFIRER": "紅色火災危險警告",
    "WFROST": "霜凍警告",
    "WHOT": "酷熱天氣警告",
    "WCOLD": "寒冷天氣警告",
    "WMSGNL": "強烈季候風信號",
    "WTCPRE8": "預警八號熱帶氣旋警告信號之特別報告",
    "WRAINA": "黃色暴雨警告",
    "WRAINR": "紅色暴雨警告",
    "WRAINB": "黑色暴雨警告",
    "WFNTSA": "新界北部水浸特別報告",
    "WL": "山泥傾瀉警告",
    "TC1": "一號戒備信號",
    "TC3": "三號強風信號",
    "TC8NE": "八號東北烈風或暴風信號",
    "TC8SE": "八號東南烈風或暴風信號",
    "TC8NW": "八號西北烈風或暴風信號",
    "TC8SW": "八號西南烈風或暴風信號",
    "TC9": "九號烈風或暴風風力增強信號",
    "TC10": "十號颶風信號",
    "WTMW": "海嘯警告",
    "WTS": "雷暴警告",
    "EXTREME": "極端情況",
}


@pytest.mark.parametrize("code", NAMES)
def test_a_signal_has_its_official_name(code: str) -> None:
    with translation.override("zh-hant"):
        assert str(words_of_signal(code).name) == NAMES[code]
    with translation.override("en"):
        assert str(words_of_signal(code).name) not in ("", code, NAMES[code])


def test_a_code_that_nobody_knows_stands_as_it_is() -> None:
    assert words_of_signal("WNEW").name == "WNEW"

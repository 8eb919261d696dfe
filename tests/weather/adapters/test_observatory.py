"""The feed through the adapter: what it lists, and that no misbehaviour is taken for anything but itself."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.observatory import MODES, Observatory
from tournament.core.enums import FeedState
from tournament.weather.adapters import FEED_THREAD_NAME, FEED_USER_AGENT, FeedEntry, FeedListing, read_observatory_feed

NOW = datetime.fromisoformat("2026-03-28T09:40:00+08:00")
AT = datetime.fromisoformat("2026-03-28T07:15:00+08:00")
BLACK = {"name": "暴雨警告信號", "code": "WRAINB", "actionCode": "ISSUE", "issueTime": AT.isoformat()}
SHORT = 0.4
CODES = {
    "trickle": "too_slow",
    "trickle_headers": "too_slow",
    "hang": "too_slow",
    "hang_at_once": "too_slow",
    "hang_up": "no_answer",
    "500": "status_500",
    "204": "status_204",
    "redirect": "status_302",
    "half": "cut_short",
    "half_unannounced": "not_json",
    "wrong_type": "wrong_type",
    "large": "too_large",
    "large_announced": "too_large",
    "list": "not_an_object",
    "null": "not_an_object",
    "empty": "not_json",
    "not_utf8": "not_utf8",
    "deep": "not_json",
    "long_number": "not_json",
    "twice": "not_json",
}
STALE = {"old_date": "old_date", "date_ahead": "date_ahead", "no_date": "no_date", "odd_date": "no_date"}


@pytest.fixture
def observatory() -> Iterator[Observatory]:
    """With black rain in force."""
    with Observatory() as made:
        made.now, made.payload = NOW, {"WRAIN": BLACK}
        yield made


def listed(observatory: Observatory, payload: dict[str, object]) -> FeedListing:
    """A look at this payload."""
    observatory.payload = payload
    return read_observatory_feed(observatory.url, NOW)


def test_each_way_of_misbehaving_has_its_code() -> None:
    assert {"payload", *CODES, *STALE} == set(MODES)


@pytest.mark.parametrize("mode", CODES)
def test_whatever_misbehaves_is_broken_with_its_code_and_says_nothing(observatory: Observatory, mode: str) -> None:
    observatory.mode = mode
    begun = time.monotonic()
    assert read_observatory_feed(observatory.url, NOW, SHORT) == FeedListing(FeedState.BROKEN, CODES[mode])
    assert time.monotonic() - begun < 20 * SHORT
    for thread in threading.enumerate():
        if thread.name == FEED_THREAD_NAME:
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.parametrize("mode", STALE)
def test_what_may_be_old_is_stale_and_says_nothing(observatory: Observatory, mode: str) -> None:
    observatory.mode = mode
    found = read_observatory_feed(observatory.url, NOW)
    assert (found.state, found.why, found.entries) == (FeedState.STALE, STALE[mode], ())


def test_the_signals_in_force_are_listed_by_their_codes(observatory: Observatory) -> None:
    typhoon = {"code": " tc8ne ", "actionCode": "reissue", "issueTime": "2026-03-28T05:00:00", "updateTime": 7}
    found = listed(observatory, {"WTCSGNL": typhoon, "WRAIN": BLACK})
    five = datetime.fromisoformat("2026-03-28T05:00:00+08:00")
    assert (found.state, found.why) == (FeedState.OK, "")
    assert found.entries == (
        FeedEntry("WRAIN", "WRAINB", "ISSUE", AT, None),
        FeedEntry("WTCSGNL", "TC8NE", "REISSUE", five, None),
    )


def test_the_hour_at_which_a_warning_ends_by_itself_is_read(observatory: Observatory) -> None:
    thunder = {"code": "WTS", "actionCode": "ISSUE", "issueTime": AT.isoformat(), "expireTime": NOW.isoformat()}
    assert listed(observatory, {"WTS": thunder}).entries == (FeedEntry("WTS", "WTS", "ISSUE", AT, None, NOW),)
    assert listed(observatory, {"WTS": thunder | {"expireTime": "later"}}).entries[0].expires is None


def test_the_observatory_is_told_who_asks(observatory: Observatory) -> None:
    listed(observatory, {})
    assert observatory.agents == [FEED_USER_AGENT]


def test_a_clear_sky_is_an_empty_list_and_not_the_absence_of_one(observatory: Observatory) -> None:
    clear = listed(observatory, {})
    assert (clear.state, clear.entries, len(clear.digest)) == (FeedState.OK, (), 64)


@pytest.mark.parametrize(
    "entry",
    ["WRAINB", None, {}, {"code": None}, {"code": ""}, {"code": "W\u0000"}, {"code": "\ud800"}, {"code": "X" * 21}],
)
def test_an_entry_without_a_code_breaks_the_look_but_loses_no_other(observatory: Observatory, entry: object) -> None:
    found = listed(observatory, {"WRAIN": BLACK, "WTCSGNL": entry})
    assert (found.state, found.why) == (FeedState.BROKEN, "entry_unreadable")
    assert found.entries == (FeedEntry("WRAIN", "WRAINB", "ISSUE", AT, None),)


@pytest.mark.parametrize(
    "said", ["", "soon", "2026-02-30T00:00:00+08:00", "0001-01-01T00:00:00+08:00", "9999-12-31", 5, []]
)
def test_a_time_that_cannot_be_is_none(observatory: Observatory, said: object) -> None:
    found = listed(observatory, {"WRAIN": {**BLACK, "issueTime": said}})
    assert found.entries == (FeedEntry("WRAIN", "WRAINB", "ISSUE", None, None),)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://[/", "ftp://127.0.0.1:1/", "nothing", "http://127.0.0.1:x/"]
)
def test_nobody_there_is_broken(url: str) -> None:
    assert read_observatory_feed(url, NOW, SHORT) == FeedListing(FeedState.BROKEN, "no_answer")


def test_without_an_address_nothing_is_asked() -> None:
    assert read_observatory_feed("", NOW) == FeedListing(FeedState.BROKEN, "not_set")


def test_a_connection_that_nobody_takes_is_given_up() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = socket.create_connection(full.getsockname())
        found = read_observatory_feed(f"http://127.0.0.1:{full.getsockname()[1]}/", NOW, SHORT)
        assert found == FeedListing(FeedState.BROKEN, "too_slow")
        waiting.close()

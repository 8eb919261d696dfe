"""The made-up Observatory for rehearsals: a day moved to a rehearsal's first check-in, served by the clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest

from scripts.observatory import make_feed_server, read_feed_day
from tests.conftest import FIXTURES
from tournament.core.enums import FeedState
from tournament.weather.adapters import FeedListing, read_observatory_feed

FOLDER = FIXTURES / "weather"
DAYS = sorted(path.stem for path in FOLDER.glob("*.json"))


@contextmanager
def served(day: str, check_in: datetime) -> Iterator[str]:
    """Its address while it serves."""
    made = make_feed_server(read_feed_day(FOLDER / f"{day}.json", check_in), 0)
    Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{made.server_address[1]}/"
    finally:
        made.shutdown()
        made.server_close()


def look(day: str, before: timedelta) -> FeedListing:
    """What is read now, so long before the first check-in."""
    now = datetime.now(UTC)
    with served(day, now + before) as url:
        return read_observatory_feed(url, now)


def test_what_happened_before_the_line_happens_so_before_a_rehearsal() -> None:
    listing = look("black_rain_ends_before", timedelta(hours=3))
    [entry] = listing.entries
    assert (listing.state, entry.code) == (FeedState.OK, "WRAINB")
    issued = entry.issued
    assert issued is not None
    since = datetime.now(UTC) - issued
    assert timedelta(hours=1, minutes=45) <= since < timedelta(hours=1, minutes=46)
    assert [entry.code for entry in look("black_rain_ends_before", timedelta(hours=2)).entries] == ["CANCEL"]


def test_a_feed_that_is_down_is_down_in_a_rehearsal() -> None:
    listing = look("feed_down_all_morning", timedelta(hours=2))
    assert (listing.state, listing.why) == (FeedState.BROKEN, "status_500")


@pytest.mark.parametrize("day", DAYS)
def test_every_day_says_what_comes_of_it_in_order(day: str) -> None:
    read_one = read_feed_day(FOLDER / f"{day}.json")
    times = [said.at for said in read_one.looks]
    awaited = [datetime.fromisoformat(one["at"]) for one in read_one.expect]
    assert (times, awaited) == (sorted(times), sorted(awaited))
    assert read_one.what.endswith(".") and awaited[0] >= times[0]
    assert all((said.payload is None) == bool(said.broken) for said in read_one.looks)

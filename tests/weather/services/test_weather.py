"""Looks at the feed, the journal of what changed, signals and looks by hand."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from scripts.observatory import read_feed_day
from tests.conftest import FIXTURES
from tests.observatory import Observatory
from tests.reliability.histories_weather import one_morning
from tournament.audit.models import AuditEntry
from tournament.core.enums import FeedState, WeatherSource
from tournament.core.errors import BadInput, NotFoundRefused, StaleVersion
from tournament.core.models.event import Event
from tournament.weather.domain.weather import LiveDay, evidence_circumstances, live_day
from tournament.weather.models import WeatherReading, WeatherSignal
from tournament.weather.services import weather
from tournament.weather.services.weather import signal_digest, weather_observation_digest

DAYS = sorted((FIXTURES / "weather").glob("*.json"))
SATURDAY = date(2026, 3, 28)


def at(clock: str) -> datetime:
    """A time of that Saturday."""
    return datetime.fromisoformat(f"{SATURDAY}T{clock}:00+08:00")


def rain(code: str = "WRAINB", action: str = "ISSUE", issued: str = "07:15", updated: str = "") -> dict[str, Any]:
    """A payload with one signal."""
    times = {"issueTime": at(issued).isoformat(), "updateTime": at(updated or issued).isoformat()}
    return {"WRAIN": {"code": code, "actionCode": action, **times}}


@pytest.fixture
def observatory(settings: Any) -> Iterator[Observatory]:
    """The one that the settings name."""
    with Observatory() as made:
        settings.OBSERVATORY_URL = made.url
        yield made


def look(observatory: Observatory, event: Event, clock: str, payload: Any = None, mode: str = "payload") -> Any:
    """A look at this time, which is also the Observatory's."""
    observatory.now, observatory.mode = at(clock), mode
    if payload is not None:
        observatory.payload = payload
    return weather.poll_weather_feed(event, at(clock))


def day_at(event: Event, clock: str) -> LiveDay:
    """What is known of the day at a time."""
    live = live_day(event, SATURDAY, at(clock))
    assert live is not None
    return live


def journal(event: Event) -> list[tuple[Any, ...]]:
    return [(row.number, row.code, row.action) for row in event.weather_signals.order_by("number")]


# --- What our own looks saw -----------------------------------------------------------------------------
def test_black_rain_that_was_listed_until_a_minute_ago_has_not_ended_at_its_issue(
    observatory: Observatory, event: Event
) -> None:
    for minute in range(45, 60):
        look(observatory, event, f"09:{minute}", rain())
    for minute in range(20):
        look(observatory, event, f"10:{minute:02}", rain())
    look(observatory, event, "10:20", rain("CANCEL", "CANCEL", "07:15", "07:15"))
    live = day_at(event, "10:21")
    [black] = live.stretches
    assert (black.signal.cancelled, live.proposal and live.proposal.outcome) == (at("10:19"), "cancel")


# --- The fixture days -----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", DAYS, ids=[path.stem for path in DAYS])
def test_a_day_of_the_feed_comes_out_as_its_file_expects(path: Path, observatory: Observatory, event: Event) -> None:
    day = read_feed_day(path)
    moments = {said.at for said in day.looks} | {datetime.fromisoformat(one["at"]) for one in day.expect}
    found = []
    for moment in sorted(moments):
        said = day.at(moment)
        observatory.now, observatory.payload, observatory.mode = moment, said.payload or {}, said.broken or "payload"
        weather.poll_weather_feed(event, moment)
        live = live_day(event, SATURDAY, moment)
        found.append(
            {
                "at": moment.isoformat(),
                "decision": live.proposal.verdict.decision,
                "outcome": live.proposal.outcome,
                "known": live.proposal.known,
                "in_force": sorted(one.signal.code for one in live.in_force),
            }
        )
    expected = [{**one, "in_force": sorted(one["in_force"])} for one in day.expect]
    assert [one for one in found if one["at"] in {each["at"] for each in expected}] == expected


def test_the_bar_s_days_are_there() -> None:
    assert [path.stem for path in DAYS] == [
        "black_rain_between",
        "black_rain_ends_after",
        "black_rain_ends_at",
        "black_rain_ends_before",
        "black_rain_reissued",
        "black_to_red",
        "cancel_in_the_code",
        "feed_down_all_morning",
        "feed_down_then_back",
        "stop_signal_during_the_day",
        "typhoon_8_9_8",
        "typhoon_8_to_3",
        "typhoon_8ne_to_8se",
        "unknown_codes",
        "vanishing_entry",
    ]


# --- The feed -------------------------------------------------------------------------------------------
def test_every_change_is_a_line_and_what_stays_the_same_is_none(observatory: Observatory, event: Event) -> None:
    for clock in ("07:16", "07:17", "07:18"):
        look(observatory, event, clock, rain())
    look(observatory, event, "08:16", rain(action="REISSUE", issued="08:15"))
    look(observatory, event, "09:00", {})
    look(observatory, event, "09:01", {})
    assert journal(event) == [(1, "WRAINB", "ISSUE"), (2, "WRAINB", "REISSUE"), (3, "WRAINB", "VANISHED")]
    entries = AuditEntry.objects.filter(action="observe_signal").order_by("seq")
    assert [(entry.actor, entry.subject, entry.at, entry.digest_after) for entry in entries] == [
        (None, f"signal {row.number}", row.seen_at, signal_digest(row)) for row in WeatherSignal.objects.all()
    ]


def test_equal_looks_are_one_stretch_until_they_differ_or_nobody_looked(observatory: Observatory, event: Event) -> None:
    for clock in ("07:00", "07:01", "07:02"):
        look(observatory, event, clock, {})
    look(observatory, event, "07:03", mode="500")
    look(observatory, event, "07:04", mode="500")
    look(observatory, event, "07:05")
    look(observatory, event, "07:30")
    rows = WeatherReading.objects.order_by("first_at")
    assert [(row.state, row.why, f"{row.first_at + timedelta(hours=8):%H:%M}", row.looks) for row in rows] == [
        ("ok", "", "07:00", 3),
        ("broken", "status_500", "07:03", 2),
        ("ok", "", "07:05", 1),
        ("ok", "", "07:30", 1),
    ]


@pytest.mark.parametrize(
    "mode",
    ["hang_up", "500", "redirect", "half", "wrong_type", "large", "list", "not_utf8", "deep", "old_date", "no_date"],
)
def test_whatever_the_feed_does_no_signal_is_lost_and_nothing_clears(
    mode: str, observatory: Observatory, event: Event
) -> None:
    look(observatory, event, "07:16", rain())
    before = journal(event)
    reading = look(observatory, event, "09:59", {}, mode)
    assert (reading.state, bool(reading.why)) == (FeedState.STALE if "date" in mode else FeedState.BROKEN, True)
    live = day_at(event, "10:01")
    assert (journal(event), [one.signal.code for one in live.stops]) == (before, ["WRAINB"])
    assert (live.proposal.known, live.proposal.known_until, live.proposal.outcome) == ("stale", at("07:16"), None)


def test_a_signal_beside_an_entry_that_cannot_be_read_is_kept_and_none_is_gone(
    observatory: Observatory, event: Event
) -> None:
    look(observatory, event, "05:00", {"WTCSGNL": {"code": "TC3", "actionCode": "ISSUE"}})
    reading = look(observatory, event, "07:16", {**rain(), "WHOT": {}})
    assert (reading.state, reading.why) == (FeedState.BROKEN, "entry_unreadable")
    assert journal(event) == [(1, "TC3", "ISSUE"), (2, "WRAINB", "ISSUE")]


def test_a_look_that_another_was_quicker_than_adds_nothing(observatory: Observatory, event: Event) -> None:
    newest = look(observatory, event, "07:17", {})
    assert look(observatory, event, "07:16", rain()) == newest
    assert (journal(event), WeatherReading.objects.get().looks) == ([], 1)


def test_a_look_by_a_clock_that_was_wrong_keeps_nobody_from_looking(observatory: Observatory, event: Event) -> None:
    look(observatory, event, "11:00", {})
    assert day_at(event, "10:01").proposal.known == "unknown"
    look(observatory, event, "10:02", rain())
    assert (journal(event), WeatherReading.objects.count()) == ([(1, "WRAINB", "ISSUE")], 2)
    assert day_at(event, "10:03").proposal.outcome == "cancel"


# --- By hand --------------------------------------------------------------------------------------------
def enter(event: Event, by: User, now: str, key: str = "key", **given: Any) -> WeatherSignal:
    """A line by hand; times by the clock."""
    times = {name: at(given.pop(name)) for name in ("issued_at", "ended_at") if name in given}
    return weather.enter_weather_signal(event, **times, **given, by=by, request_key=key, now=at(now))


def test_a_signal_by_hand_is_a_line_once_however_often_it_is_sent(event: Event, clerk: User) -> None:
    stated = {"code": "TC8NE", "issued_at": "05:10", "ended_at": "09:40", "note": " by the radio "}
    first, again = (enter(event, clerk, "09:45", **stated) for _time in range(2))
    row = WeatherSignal.objects.get()
    assert first == again == row
    assert (row.number, row.source, row.family, row.code, row.note, row.by, row.seen_at) == (
        *(1, WeatherSource.HAND, "WTCSGNL", "TC8NE", "by the radio", clerk),
        at("09:45"),
    )
    entry = AuditEntry.objects.get(action="enter_signal")
    assert (entry.actor, entry.subject, entry.at, entry.reason, entry.digest_after) == (
        *(clerk, "signal 1", at("09:45"), "by the radio"),
        signal_digest(row),
    )


def test_the_end_of_what_has_vanished_is_stated_by_a_person(
    observatory: Observatory, event: Event, clerk: User
) -> None:
    look(observatory, event, "07:16", rain())
    look(observatory, event, "09:10", {})
    enter(event, clerk, "09:20", code="WRAINB", issued_at="07:15", ended_at="09:05", about=2)
    look(observatory, event, "10:01")
    live = day_at(event, "10:01")
    assert (live.proposal.outcome, live.vanished) == ("go", [])
    enter(event, clerk, "10:05", "other", about=3, withdraws=True, note="Another day's.")
    assert [one.signal.code for one in day_at(event, "10:06").vanished] == ["WRAINB"]


def test_with_the_feed_down_a_person_s_look_and_signals_settle_the_day(
    observatory: Observatory, event: Event, clerk: User
) -> None:
    look(observatory, event, "09:00", mode="500")
    enter(event, clerk, "09:30", code="WRAINB", issued_at="07:15")
    assert day_at(event, "10:02").proposal.outcome is None
    weather.record_manual_observation(event, at=at("10:01"), seen=1, by=clerk, request_key="a", now=at("10:03"))
    assert day_at(event, "10:03").proposal.outcome == "cancel"
    enter(event, clerk, "10:04", "b", code="WRAINB", issued_at="07:15", ended_at="09:55", about=1)
    assert day_at(event, "10:04").proposal.outcome == "go"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"code": "WRAINX", "issued_at": "07:15"}, "signal_missing"),
        ({"code": "", "issued_at": "07:15"}, "signal_missing"),
        ({"code": "CANCEL", "issued_at": "07:15"}, "signal_missing"),
        ({"code": "WRAINB"}, "signal_times"),
        ({"code": "WRAINB", "issued_at": "08:01"}, "signal_times"),
        ({"code": "WRAINB", "issued_at": "07:15", "ended_at": "07:14"}, "signal_times"),
        ({"code": "WRAINB", "issued_at": "07:15", "ended_at": "08:01"}, "signal_times"),
        ({"code": "WRAINB", "issued_at": "07:15", "note": "x" * 501}, "note_missing"),
        ({"code": "WRAINB", "issued_at": "07:15", "note": "\x00"}, "note_missing"),
        ({"withdraws": True, "note": "why"}, "note_missing"),
        ({"withdraws": True, "about": 1, "note": " "}, "note_missing"),
    ],
)
def test_what_cannot_have_been_is_refused(given: dict[str, Any], code: str, event: Event, clerk: User) -> None:
    enter(event, clerk, "07:00", "before", code="TC3", issued_at="06:00")
    with pytest.raises(BadInput) as refused:
        enter(event, clerk, "08:00", **given)
    assert (refused.value.code, WeatherSignal.objects.count()) == (code, 1)


def test_what_is_announced_beside_the_signals_is_entered_and_ends_none(event: Event, clerk: User) -> None:
    enter(event, clerk, "07:00", "a", code="TC3", issued_at="06:00")
    for place, code in enumerate(("WTCPRE8", "EXTREME")):
        enter(event, clerk, f"07:0{place}", code, code=code, issued_at="06:30")
    live = day_at(event, "10:00")
    assert [one.signal.code for one in live.in_force] == ["TC3", "EXTREME", "WTCPRE8"]
    assert (live.stops, live.proposal and live.proposal.verdict.decision) == ([], "go")


def test_an_expiry_is_held_to_the_log(event: Event) -> None:
    row = WeatherSignal(
        event=event, number=1, source="feed", family="WTS", code="WTS", action="ISSUE", seen_at=at("07:00")
    )
    before = signal_digest(row)
    row.expires_at = at("09:00")
    assert signal_digest(row) != before


def test_a_line_is_corrected_once_and_the_correction_is_corrected_next(event: Event, clerk: User) -> None:
    enter(event, clerk, "07:00", "a", code="TC3", issued_at="06:00")
    enter(event, clerk, "07:01", "b", code="TC1", issued_at="06:00", about=1)
    with pytest.raises(StaleVersion) as refused:
        enter(event, clerk, "07:02", "c", about=1, withdraws=True, note="never")
    assert refused.value.code == "line_corrected"
    with pytest.raises(NotFoundRefused):
        enter(event, clerk, "07:02", "d", about=9, withdraws=True, note="never")
    enter(event, clerk, "07:03", "e", about=2, withdraws=True, note="never")
    assert [one.signal.code for one in day_at(event, "07:04").in_force] == ["TC3"]
    enter(event, clerk, "07:04", "f", about=1, withdraws=True, note="never")
    assert day_at(event, "07:04").in_force == ()


def test_a_line_with_a_code_that_nobody_knows_can_be_given_its_end(
    observatory: Observatory, event: Event, clerk: User
) -> None:
    look(observatory, event, "07:16", {"WNEW": {"code": "ODD", "issueTime": at("07:00").isoformat()}})
    row = enter(event, clerk, "08:00", code="ODD", issued_at="07:00", ended_at="07:50", about=1)
    assert (row.family, day_at(event, "08:00").in_force) == ("WNEW", ())


def test_a_person_s_look_is_of_the_journal_that_their_page_showed(event: Event, clerk: User) -> None:
    looked = {"at": at("09:58"), "by": clerk, "request_key": "key", "now": at("10:02"), "note": "on the telephone"}
    first, again = (weather.record_manual_observation(event, seen=0, **looked) for _time in range(2))
    row = WeatherReading.objects.get()
    assert first == again == row
    assert (row.source, row.state, row.first_at, row.last_at, row.looks, row.by, row.note) == (
        *(WeatherSource.HAND, FeedState.OK, at("09:58"), at("09:58"), 1),
        *(clerk, "on the telephone"),
    )
    entry = AuditEntry.objects.get(action="look_by_hand")
    assert (entry.actor, entry.at, entry.reason, entry.digest_after) == (
        *(clerk, at("10:02"), "on the telephone"),
        weather_observation_digest(row),
    )
    with pytest.raises(StaleVersion) as refused:
        weather.record_manual_observation(event, at=at("09:58"), seen=1, by=clerk, request_key="b", now=at("10:02"))
    assert refused.value.code == "journal_changed"


@pytest.mark.parametrize("clock", ["10:03", "22:01"])
def test_a_look_is_not_still_to_come_and_not_of_another_half_day(clock: str, event: Event, clerk: User) -> None:
    moment = at(clock) - timedelta(days=clock > "12")
    with pytest.raises(BadInput) as refused:
        weather.record_manual_observation(event, at=moment, seen=0, by=clerk, request_key="a", now=at("10:02"))
    assert refused.value.code == "look_time"


@pytest.mark.parametrize("table", ["tournament_weathersignal", "tournament_weatherdecision"])
def test_the_database_itself_changes_no_line_and_no_decision(table: str, event: Event, organiser: User) -> None:
    one_morning(event, organiser, organiser)
    for statement in (f"UPDATE {table} SET number = 9", f"DELETE FROM {table}"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_the_day_says_when_nobody_looked_between_the_deadline_and_the_first_check_in(
    observatory: Observatory, event: Event, clerk: User
) -> None:
    for clock in ("09:58", "10:02", "10:30", "10:34"):
        look(observatory, event, clock, {})
    look(observatory, event, "10:36", mode="500")
    gaps = [(at("10:02"), at("10:30")), (at("10:34"), at("11:00"))]
    live = day_at(event, "11:00")
    assert (list(live.blind), evidence_circumstances(live)["blind"]) == (
        gaps,
        [[first.isoformat(), last.isoformat()] for first, last in gaps],
    )
    weather.record_manual_observation(event, at=at("10:58"), seen=0, by=clerk, request_key="a", now=at("11:00"))
    assert list(day_at(event, "11:01").blind) == []

"""The day's page at the desk: the cases of the rule by hand, each state of the day, decisions and their refusals."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.squeezed import squeezed
from tests.weather.skies import DAY, Desk, address, entry, moment, observed, said, verdict, when, why
from tournament.core.enums import FeedState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.exports import STOP_SIGNAL_WORDS
from tournament.weather.models import WeatherDecision, WeatherSignal

CASES = json.loads((Path(__file__).parents[2] / "scoring" / "cases" / "weather.json").read_text(encoding="utf-8"))
# What a person may not enter, because no person would: the feed's own codes have a test of their own.
BY_HAND = [case for case in CASES if all(code in STOP_SIGNAL_WORDS for code, _issued, _ended in case["signals"])]
VERDICTS = {"go": "The rule says: going ahead", "cancel": "The rule says: called off"}
PENDING = {"go": "If nothing changes: going ahead at 10:00", "cancel": "If nothing changes: called off at 10:00"}
SAID = {"go": "By what is known the rule said: going ahead.", "cancel": "By what is known the rule said: called off."}


@pytest.fixture(autouse=True)
def by_hand_alone(settings: Any) -> None:
    """No feed; those tests that have one say so."""
    settings.OBSERVATORY_URL = ""


@pytest.fixture
def desk(organiser: User) -> Desk:
    """The organiser at the page."""
    return Desk(organiser)


# --- The rule through the page --------------------------------------------------------------------------
def parsed(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


@pytest.mark.parametrize("case", BY_HAND, ids=[case["name"] for case in BY_HAND])
def test_a_case_of_the_rule_entered_by_hand_is_decided_so_by_the_page(desk: Desk, case: dict[str, Any]) -> None:
    times = [parsed(text) for _code, *both in case["signals"] for text in both if text]
    now = parsed(case["now"]) or max([moment("11:59"), *(one + timedelta(minutes=1) for one in times if one)])
    with when(now):
        for code, issued, ended in case["signals"]:
            begun, end = parsed(issued), parsed(ended)
            if begun and begun <= now:
                known = end if end and end <= now else None
                assert desk.enter(code, begun, known).status_code == 302
        assert desk.look().status_code == 302
        html = desk.page()
    if case["decision"] == "pending":
        assert verdict(html) == PENDING[case["otherwise"]]
    elif now < moment("12:00"):
        assert verdict(html) == VERDICTS[case["decision"]]
    else:
        assert (verdict(html), SAID[case["decision"]] in html) == ("Nothing was decided", True)


def test_most_cases_of_the_rule_can_be_entered_by_hand() -> None:
    assert [case["name"] for case in CASES if case not in BY_HAND] == [
        "every reason, in order of issue and then code",
        "unknown codes never stop play",
    ]


# --- 9:40 on a Saturday ---------------------------------------------------------------------------------
def test_at_twenty_to_ten_with_black_rain_the_page_answers_all_that_is_asked(
    desk: Desk, event: Event, settings: Any
) -> None:
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    observed(event, "09:38", entry("WRAINB", "08:25"), entry("TC1", "05:00"))
    with when("09:40"):
        html = desk.page()
        chinese = desk.page("zh-hant")
    assert verdict(html) == "If nothing changes: called off at 10:00"
    assert why(html) == [
        "going ahead black rain is cancelled at 09:59 or before , and no stop signal is issued after that.",
        "called off black rain is still in force at 10:00, or is cancelled exactly at 10:00 or later.",
    ]
    told = said(html)
    assert "Black rainstorm warning in force since 08:25, for 1 h 15 min" in told
    assert "Observatory read at 09:38:00·every minute·in order" in told
    assert (">00:20:00</b>" in html, "first check-in 12:00 less 2 hours" in told) == (True, True)
    assert f'href="/desk/hk-2026/notices/new/?kind=pending&amp;day={DAY}"' in html
    assert f'href="/desk/hk-2026/notices/new/?kind=stopped&amp;day={DAY}"' in html
    assert verdict(chinese) == "若不變：10:00 停賽"


def test_without_a_stop_signal_the_page_says_what_would_stop_the_day(desk: Desk) -> None:
    with when("09:00"):
        desk.look()
        assert why(desk.page()) == [
            "going ahead No stop signal is in force at 10:00 , and none is issued before 12:00.",
            "called off Black rain or T8 and above is in force at 10:00 , or is issued before 12:00, "
            "even if it is cancelled again.",
        ]


def test_the_address_without_a_day_opens_today_s_else_the_next_else_the_last(desk: Desk) -> None:
    found = []
    for day in ("2026-03-01", "2026-03-28", "2026-03-29", "2026-04-07", "2026-05-01"):
        with when(datetime.fromisoformat(f"{day}T09:00:00+08:00")):
            html = squeezed(
                desk.client.get("/desk/hk-2026/weather/", headers={"Accept-Language": "en"}).content.decode()
            )
            found.append(html.partition("<h1>")[2].partition("</h1>")[0])
    assert found == [f"Weather decision·{day}" for day in (
        "Saturday 28 March", "Saturday 28 March", "Monday 6 April", "Tuesday 7 April", "Tuesday 7 April"
    )]  # fmt: skip


def test_a_day_far_ahead_says_when_it_is_decided_and_asks_nobody_to_look(desk: Desk) -> None:
    with when(datetime.fromisoformat("2026-03-20T09:00:00+08:00")):
        html = desk.page()
    assert (verdict(html), "A person must look" in html, "8 days 01:00:00" in html) == (
        "To be decided at 28 March 10:00",
        False,
        True,
    )


def test_a_day_that_is_none_and_a_date_that_is_none_are_not_found(desk: Desk) -> None:
    status = [desk.client.get(f"/desk/hk-2026/weather/{day}/").status_code for day in ("2026-03-29", "2026-13-45")]
    assert status == [404, 404]


def test_an_event_without_sessions_says_what_will_come(desk: Desk, event: Event) -> None:
    Session.objects.filter(stage__event=event).delete()
    html = squeezed(desk.client.get("/desk/hk-2026/weather/", headers={"Accept-Language": "en"}).content.decode())
    assert "No day of play yet" in html


# --- What is not known is never clear -------------------------------------------------------------------
@pytest.mark.parametrize("clock", ["09:40", "10:30"])
def test_with_nobody_s_look_nothing_is_proposed_and_a_person_is_asked(desk: Desk, clock: str) -> None:
    with when(clock):
        html = desk.page()
    assert verdict(html).startswith("Not known: somebody must look")
    assert ("A person must look at the Observatory" in html, 'name="outcome" value="go"' in html) == (True, True)
    assert "Confirm:" not in html


@pytest.mark.parametrize(
    "state, why_code, words",
    [
        (FeedState.BROKEN, "status_500", "Observatory cannot be read last try 09:58·the server answered 500"),
        (FeedState.BROKEN, "too_slow", "Observatory cannot be read last try 09:58·no answer within five seconds"),
        (FeedState.STALE, "old_date", "Observatory's data is old last try 09:58·the answer is more than ten"),
    ],
)
def test_a_feed_that_fails_is_shown_as_such_and_never_taken_for_clear(
    desk: Desk, event: Event, settings: Any, state: FeedState, why_code: str, words: str
) -> None:
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    observed(event, "09:30")
    observed(event, "09:58", state=state, why=why_code)
    with when("10:01"):
        html = desk.page()
        assert (words in said(html), "The last good look was at 09:30." in html) == (True, True)
        assert verdict(html) == "Not known: somebody must look"
        assert desk.look(at="10:00").status_code == 302
        assert verdict(desk.page()) == "The rule says: going ahead"


def test_a_feed_that_is_read_no_more_is_late_and_a_person_is_asked(desk: Desk, event: Event, settings: Any) -> None:
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    observed(event, "09:30")
    with when("09:34"):
        assert "A person must look" not in desk.page()
    with when("09:40"):
        assert ("Observatory not read last try 09:30" in said(desk.page()), "A person must look" in desk.page()) == (
            True,
            True,
        )


def test_a_signal_that_vanished_counts_until_its_end_is_entered(desk: Desk, event: Event, settings: Any) -> None:
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    observed(event, "09:00", entry("WRAINB", "08:25"))
    observed(event, "09:30")
    observed(event, "09:58")
    with when("10:00"):
        html = desk.page()
        assert "Black rainstorm warning: no longer listed since 09:30, its end is not known" in said(html)
        assert desk.enter("WRAINB", "08:25", "09:29", about="1").status_code == 302
        desk.look()
        assert verdict(desk.page()) == "The rule says: going ahead"


def test_a_look_at_an_older_journal_is_refused_and_an_hour_to_come_too(desk: Desk) -> None:
    with when("09:40"):
        desk.enter("WRAINA", "09:00")
        answers = [
            desk.look(seen="0"),
            desk.look(at="09:45", request_key="b"),
            desk.look(at="quarter", request_key="c"),
        ]
    assert [answer.status_code for answer in answers] == [412, 400, 400]
    assert "The journal has changed since your page was made" in squeezed(answers[0].content.decode())
    assert 'value="09:45"' in squeezed(answers[1].content.decode())


# --- By hand --------------------------------------------------------------------------------------------
def test_a_line_is_corrected_and_withdrawn_and_each_says_so(desk: Desk) -> None:
    with when("09:40"):
        desk.enter("WRAINB", "09:00", note="radio")
        assert desk.enter("WRAINR", "09:00", about="1").status_code == 302
        told = said(desk.page())
        assert ("corrected by line 2" in told, "corrects line 1" in told, "radio" in told) == (True, True, True)
        gone = desk.post("enter_signal", do="withdraw", about="2", request_key="w", **{"withdraw-note": "a slip"})
        assert gone.status_code == 302
        told = said(desk.page())
        assert ("line 2 was never so" in told, "never so: line 3" in told) == (True, True)


@pytest.mark.parametrize(
    "typed, fault",
    [
        ({"code": ""}, "Choose a signal."),
        ({"issued": ""}, "Please fill this in."),
        ({"issued": "half past"}, "Write the hour as 12:30."),
        ({"issued": "09:50"}, "28 March 09:50 is still to come. Enter what has happened."),
        ({"ended_on": "2026-03-28"}, "Give the end&#x27;s day and its time, or neither of them."),
        ({"ended_on": "2026-03-28", "ended": "08:00"}, "It cannot have ended before it was issued at 28 March 08:25."),
    ],
)
def test_every_refusal_of_a_signal_is_in_words_and_keeps_what_was_typed(
    desk: Desk, typed: dict[str, str], fault: str
) -> None:
    given = {"code": "WRAINB", "issued_on": "2026-03-28", "issued": "08:25", "note": "by telephone"}
    with when("09:40"):
        answer = desk.post("enter_signal", **(given | typed), request_key="k")
    html = squeezed(answer.content.decode())
    assert (answer.status_code, fault in html, 'value="by telephone"' in html) == (400, True, True)
    assert WeatherSignal.objects.count() == 0


def test_a_line_that_somebody_else_corrected_is_refused_with_what_was_typed(desk: Desk) -> None:
    with when("09:40"):
        desk.enter("WRAINB", "09:00")
        desk.enter("WRAINB", "09:00", "09:30", about="1")
        again = desk.enter("WRAINB", "09:00", "09:20", about="1")
    assert (again.status_code, "has been corrected or withdrawn" in squeezed(again.content.decode())) == (412, True)
    assert 'value="09:20"' in squeezed(again.content.decode())


def test_a_line_of_nowhere_is_not_found(desk: Desk) -> None:
    with when("09:40"):
        assert [desk.client.get(address("enter_signal") + f"?about={one}").status_code for one in ("9", "x")] == [
            404
        ] * 2


def test_the_page_asks_as_many_queries_with_three_lines_and_decisions_as_with_one(desk: Desk) -> None:
    counts = []
    with when("10:03"):
        for place, code in enumerate(("WRAINA", "TC1", "TC3")):
            desk.enter(code, f"08:0{place}")
            desk.look(request_key=f"look {place}")
            desk.decide(("go", "cancel", "go")[place], reason="a test", key=f"decide {place}")
            with CaptureQueriesContext(connection) as asked:
                desk.page()
            counts.append(len(asked))
    assert (WeatherDecision.objects.count(), len(set(counts))) == (3, 1), counts

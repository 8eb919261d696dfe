"""The day's decision at the desk, made and refused; a stop signal while sessions are played."""

import re
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.finals import invented
from tests.sheets.sheets import add_entrants, draw, lock_sheets
from tests.squeezed import squeezed
from tests.weather.skies import DAY, ENGLISH, Desk, address, entry, moment, observed, verdict, when
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.operations.views.overview_weather import todays_weather
from tournament.weather.models import WeatherDecision


@pytest.fixture(autouse=True)
def by_hand_alone(settings: Any) -> None:
    settings.OBSERVATORY_URL = ""


@pytest.fixture
def desk(organiser: User) -> Desk:
    """The organiser at the page."""
    return Desk(organiser)


# --- Decisions ------------------------------------------------------------------------------------------
def states() -> list[str]:
    return list(Session.objects.filter(original_date=DAY).order_by("number_of_day").values_list("state", flat=True))


def test_confirming_a_stop_postpones_the_day_s_sessions_and_leads_to_the_notice(desk: Desk) -> None:
    with when("10:03"):
        desk.enter("WRAINB", "08:25")
        desk.look()
        answer = desk.decide("cancel")
        html = desk.page()
    assert (answer.status_code, states()) == (302, ["postponed"] * 4)
    assert (verdict(html), "as the rule says" in html) == ("Decided: called off", True)
    assert 'class="btn primary" href="/desk/hk-2026/notices/new/?kind=stopped&amp;day=2026-03-28"' in html
    row = WeatherDecision.objects.get()
    assert (row.outcome, row.proposed, row.reason, row.evidence["signals"][0]["why"]) == (
        "cancel",
        "cancel",
        "",
        "in_force",
    )
    assert AuditEntry.objects.filter(action="decide_weather", subject="weather 2026-03-28").count() == 1


def test_sent_twice_a_decision_is_one_and_said_again_it_is_refused(desk: Desk) -> None:
    with when("10:03"):
        desk.look()
        seen = desk.seen()
        answers = [desk.decide("go", seen=seen) for _twice in range(2)]
        assert [answer.status_code for answer in answers] == [302, 302]
        assert desk.decide("go", key="another").status_code == 409
    assert WeatherDecision.objects.count() == 1


def test_a_sky_that_changed_refuses_the_decision_and_keeps_the_reason(desk: Desk, event: Event) -> None:
    with when("10:03"):
        desk.look()
        seen = desk.seen()
        observed(event, "10:02", entry("WRAINB", "10:01"))
        answer = desk.decide("go", reason="已問過天文台", seen=seen)
    html = squeezed(answer.content.decode())
    assert (answer.status_code, "The sky or the decision has changed" in html, "已問過天文台" in html) == (
        409,
        True,
        True,
    )
    assert ("The rule says: called off" in html, WeatherDecision.objects.count()) == (True, 0)


def test_before_the_deadline_only_an_override_with_a_reason(desk: Desk) -> None:
    with when("09:00"):
        desk.look()
        refused = desk.decide("cancel")
        assert (refused.status_code, "Say why in at most 500 characters" in squeezed(refused.content.decode())) == (
            400,
            True,
        )
        assert desk.decide("cancel", reason="the hall is flooded", key="b").status_code == 302
        html = desk.page()
    assert (verdict(html), "the hall is flooded" in html, "by a person's own decision" in html) == (
        "Decided: called off",
        True,
        True,
    )


def test_going_back_before_the_first_check_in_brings_the_sessions_back(desk: Desk) -> None:
    with when("10:03"):
        desk.enter("WRAINB", "08:25")
        desk.look()
        desk.decide("cancel")
        assert desk.decide("go", reason="entered by a slip", key="b").status_code == 302
        html = desk.page()
    assert (states(), verdict(html)) == (["planned"] * 4, "Decided: going ahead")
    assert ("the rule said: called off" in html, "replaced" in html) == (True, True)


def test_a_stop_signal_after_a_confirmed_go_is_said_aloud_and_decided_anew(desk: Desk) -> None:
    with when("10:03"):
        desk.look()
        desk.decide("go")
    with when("10:40"):
        desk.enter("TC8NE", "10:40")
        html = desk.page()
        assert "Decided: going ahead. By what is known now the rule says: called off" in html
        assert desk.decide("cancel", key="b").status_code == 302
    assert states() == ["postponed"] * 4


def test_from_the_first_check_in_on_nothing_changes_the_decision(desk: Desk) -> None:
    with when("11:59"):
        desk.look()
        seen = desk.seen()
    with when("12:00"):
        answer = desk.decide("cancel", reason="late", seen=seen)
        html = desk.page()
    assert (answer.status_code, "From then on nothing changes" in squeezed(answer.content.decode())) == (409, True)
    assert (verdict(html), "Decide otherwise" in html) == ("Nothing was decided", False)


def test_of_a_day_that_nobody_decided_the_page_says_what_is_known_and_not_that_it_was_played(
    desk: Desk, first_session: Session, organiser: User
) -> None:
    entrants = add_entrants(first_session, range(1, 13))
    tables = draw(first_session, [entrants[:4], entrants[4:8], entrants[8:]], organiser)
    found = []
    for done in (0, 2):
        if done:
            lock_sheets(tables[:2], invented(tables[:2], seed=5), organiser)
        with when(moment("09:00", date(2026, 3, 29))):
            html = desk.page()
        assert "played as planned" not in html
        found.append((verdict(html), re.findall("Sheets received: [0-9]+ of [0-9]+", html)))
    assert found == [
        ("Nothing was decided", ["Sheets received: 0 of 3"]),
        ("Nothing was decided", ["Sheets received: 2 of 3"]),
    ]


def test_a_day_that_nobody_recorded_in_time_is_recorded_late_with_its_hour(desk: Desk) -> None:
    with when("12:03"):
        desk.enter("WRAINB", "09:00")
        desk.look()
        assert "Decided in time, not recorded: record it now…" in desk.page()
        typed = {"outcome": "cancel", "reason": "told by WhatsApp", "seen": desk.seen(), "request_key": "late"}
        wrong = desk.post("decide_weather", decided="12:01", **typed)
        assert (wrong.status_code, "before the first check-in at 12:00." in squeezed(wrong.content.decode())) == (
            400,
            True,
        )
        assert desk.post("decide_weather", decided="10:00", **typed).status_code == 302
        html = desk.page()
    assert (verdict(html), states()) == ("Decided: called off", ["postponed"] * 4)
    assert ("Decided at 10:00, recorded late, at 12:03." in html, "record it now" in html) == (True, False)
    assert "kind=stopped" in html


def test_a_decision_without_an_outcome_is_refused_in_words(desk: Desk) -> None:
    with when("10:03"):
        answer = desk.decide("", reason="kept", seen="x")
    html = squeezed(answer.content.decode())
    assert (
        answer.status_code,
        "Choose whether the day is played or called off." in html,
        ">kept</textarea>" in html,
    ) == (
        400,
        True,
        True,
    )


# --- During the day -------------------------------------------------------------------------------------
def running(number: int, state: str) -> None:
    Session.objects.filter(number=number).update(state=state)


@pytest.mark.parametrize(
    "code, default",
    [("WRAINB", "Default: finish indoors; nobody leaves the hall."), ("TC8NE", "Default: stop play.")],
)
def test_a_stop_signal_during_the_day_alerts_and_holds_back_what_has_not_begun(
    desk: Desk, code: str, default: str
) -> None:
    running(1, "playing")
    with when("13:00"):
        desk.enter(code, "12:55")
        desk.look()
        html = desk.page()
        assert (default in html, "Hold back 3 sessions" in html, "Stop session 1" in html) == (True, True, True)
        assert desk.post("hold_sessions", do="hold", session=["2", "3", "4"]).status_code == 302
    assert states() == ["playing", "suspended", "suspended", "suspended"]
    with when("14:00"):
        desk.enter(code, "12:55", "13:50", about="1")
        desk.look(request_key="second")
        html = desk.page()
        assert "No stop signal is in force any more: play may go on" in html
        assert desk.post("hold_sessions", do="unhold").status_code == 302
    assert states() == ["playing", "planned", "planned", "planned"]


def test_whose_hour_has_come_without_a_press_or_a_sheet_is_asked_about_apart(desk: Desk) -> None:
    running(1, "closed")
    with when("14:35"):
        desk.enter("WRAINB", "14:20")
        desk.look()
        html = desk.page()
        asked = "Play was to begin at 14:30; no clock was pressed and no scoresheet came in. Is it being played?"
        assert (html.count(asked), "Hold back 2 sessions" in html) == (1, True)
        desk.post("hold_sessions", do="hold", session=["3", "4"])
        assert states() == ["closed", "planned", "suspended", "suspended"]
        # A page opened before: what has begun since is left.
        running(2, "playing")
        desk.post("hold_sessions", do="hold", session=["2"])
        assert (states(), asked in desk.page()) == (["closed", "playing", "suspended", "suspended"], False)


def test_a_page_that_is_watched_asks_for_what_changes_and_is_told_when_nothing_does(desk: Desk) -> None:
    with when("09:40"):
        first = desk.client.get(address("weather_day"), headers={"X-Live": "1"})
        again = desk.client.get(address("weather_day"), headers={"X-Live": "1", "If-None-Match": first["ETag"]})
        desk.enter("WRAINB", "09:00")
        other = desk.client.get(address("weather_day"), headers={"X-Live": "1", "If-None-Match": first["ETag"]})
    assert ([first.status_code, again.status_code, other.status_code], b"<html" in first.content) == (
        [200, 304, 200],
        False,
    )


def test_who_may_only_look_sees_no_act(auditor: User, referee: User) -> None:
    with when("10:03"):
        for user in (auditor, referee):
            html = Desk(user).page()
            assert ("<form" in html.partition('id="weather-live"')[2], "An organiser decides" in html) == (False, True)


# --- What the overview says of it -----------------------------------------------------------------------
def waiting(desk: Desk) -> list[str]:
    return todays_weather(Event.objects.get(slug=desk.slug))


def test_the_overview_leads_to_the_decision_whenever_one_waits(desk: Desk) -> None:
    found = []
    with when("09:40"):
        desk.enter("WRAINB", "08:25")
        desk.look()
        found.append(waiting(desk))
    with when("10:03"):
        desk.look(request_key="second")
        found.append(waiting(desk))
        html = squeezed(desk.client.get(f"/desk/{desk.slug}/", headers=ENGLISH).content.decode())
        assert ("To the weather decision" in html, "the rule says: called off" in html) == (True, True)
        desk.decide("go", reason="all are here", key="go")
        found.append(waiting(desk))
    running(1, "playing")
    with when("12:50"):
        found.append(waiting(desk))
    assert found == [
        ["Black rainstorm warning is in force: whether today is played is decided at 10:00."],
        ["Today's weather decision waits to be confirmed; the rule says: called off."],
        [],
        [
            "What signals are in force is not known: somebody must look at the Observatory.",
            "Black rainstorm warning is in force while sessions are played or about to begin.",
        ],
    ]


def test_on_a_day_without_sessions_the_overview_says_nothing_of_the_sky(desk: Desk) -> None:
    with when(moment("09:00", date(2026, 3, 29))):
        assert waiting(desk) == []

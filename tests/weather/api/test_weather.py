"""The sky through the API: a day as it stands, signals and looks by hand, the day's decision."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.weather.skies import entry, observed, when
from tournament.core.models.event import Event
from tournament.core.models.stage import Session

SKY = "weather/days/2026-03-28/"
BLACK = {"code": "WRAINB", "issued_at": "2026-03-28T08:25:00+08:00"}


@pytest.fixture
def program(event: Event, organiser: User) -> Caller:
    return Caller(organiser)


def part(body: dict[str, Any], *names: str) -> list[Any]:
    return [body[name] for name in names]


def test_the_days_and_one_of_them_as_it_stands(program: Caller, event: Event) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    with when("10:03"):
        days = program.get("weather/days/").json()
        body = program.get(SKY).json()
    assert days["shown"] == "2026-03-28"
    assert days["days"][0] == {"day": "2026-03-28", "sessions": [1, 2, 3, 4]}
    assert part(body, "phase", "deadline", "decision", "last_line", "held_back", "blind") == [
        "deciding",
        "2026-03-28T10:00:00+08:00",
        None,
        1,
        [],
        [],
    ]
    assert [one["number"] for one in body["sessions"]] == [1, 2, 3, 4]
    signal = {"code": "WRAINB", "family": "WRAIN", "issued": "2026-03-28T08:25:00+08:00", "ended": None}
    signal |= {"vanished": None, "by_hand": False}
    more = {"begun_by": 1, "ended_by": None, "stops_play": True, "in_force": True}
    assert body["stretches"] == [signal | more]
    assert part(body["proposal"], "outcome", "proposed", "known", "evidence") == [
        "cancel",
        "cancel",
        "known",
        [signal | {"lines": [1, None], "why": "in_force"}],
    ]
    assert part(body["journal"][0], "number", "source", "code", "by", "counts") == [1, "feed", "WRAINB", None, True]
    assert part(body["reading"], "source", "state", "looks", "by") == ["feed", "ok", 1, None]


def test_a_signal_is_entered_corrected_and_withdrawn(program: Caller) -> None:
    with when("10:30"):
        first = program.change("weather/signals/", BLACK, key="one")
        again = program.change("weather/signals/", BLACK, key="one")
        ended = BLACK | {"ended_at": "2026-03-28T09:40:00+08:00", "about": 1, "note": "by telephone"}
        second = program.change("weather/signals/", ended).json()
        late = program.change("weather/signals/", ended)
        third = program.change("weather/signals/", {"about": 2, "withdraws": True, "note": "another town"}).json()
        counting = [line["counts"] for line in program.get(SKY).json()["journal"]]
    assert (first.status_code, first.content, again["Idempotent-Replay"]) == (201, again.content, "true")
    assert part(second, "number", "about", "ended_at", "by") == [2, 1, "2026-03-28T09:40:00+08:00", "organiser"]
    assert (code(late), late.json()["current"]["number"]) == ((412, "line_corrected"), 1)
    assert (part(third, "number", "about", "withdraws"), counting) == ([3, 2, True], [True, False, True])


def test_what_cannot_be_is_refused(program: Caller) -> None:
    with when("10:30"):
        assert code(program.change("weather/signals/", {"code": "WRAINB"})) == (400, "signal_times")
        assert code(program.change("weather/signals/", BLACK | {"about": 7})) == (404, "no_such_line")
        assert code(program.change("weather/looks/", {"at": "2026-03-28T11:00:00+08:00", "seen": 0})) == (
            400,
            "look_time",
        )
        for day in ("2026-03-27", "20260328", "2026-13-01", "today"):
            assert code(program.get(f"weather/days/{day}/")) == (404, "not_found")


def test_a_look_by_hand_is_of_the_journal_as_it_was_seen(program: Caller) -> None:
    with when("10:03"):
        program.change("weather/signals/", BLACK)
        late = program.change("weather/looks/", {"at": "2026-03-28T10:02:00+08:00", "seen": 0})
        made = program.change("weather/looks/", {"at": "2026-03-28T10:02:00+08:00", "seen": 1})
        known = program.get(SKY).json()["proposal"]
    assert (code(late), late.json()["current"], late.json()["differences"]) == (
        (412, "journal_changed"),
        {"last_line": 1},
        [{"where": "seen", "mine": 0, "theirs": 1}],
    )
    assert (made.status_code, part(made.json(), "source", "state", "by")) == (201, ["hand", "ok", "organiser"])
    assert part(known, "outcome", "known", "known_until") == ["cancel", "known", "2026-03-28T10:02:00+08:00"]


def test_a_day_is_decided_by_what_was_seen(program: Caller, event: Event) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    address = f"{SKY}decisions/"
    with when("10:03"):
        seen = program.get(SKY).json()["seen"]
        stale = program.change(address, {"outcome": "cancel", "seen": "0"})
        override = program.change(address, {"outcome": "go", "seen": seen})
        decided = program.change(address, {"outcome": "cancel", "seen": seen}, key="decide")
        again = program.change(address, {"outcome": "cancel", "seen": seen}, key="decide")
    assert (code(stale), stale.json()["current"]["seen"]) == ((409, "weather_changed"), seen)
    assert stale.json()["differences"] == [{"where": "seen", "mine": "0", "theirs": seen}]
    assert code(override) == (400, "reason_missing")
    assert (decided.status_code, again["Idempotent-Replay"], again.json()) == (201, "true", decided.json())
    body = decided.json()
    assert (body["decision"], {one["state"] for one in body["sessions"]}) == (1, {"postponed"})
    [row] = body["decisions"]
    assert part(row, "outcome", "proposed", "reason", "by") == ["cancel", "cancel", "", "organiser"]
    assert row["evidence"]["signals"][0]["code"] == "WRAINB"
    with when("12:00"):
        begun = {"outcome": "go", "reason": "it is dry", "seen": "0"}
        Session.objects.filter(stage__event=event).update(state="planned")
        assert code(program.change(address, begun)) == (409, "day_begun")


def test_a_day_decided_in_time_is_recorded_late(program: Caller, event: Event) -> None:
    observed(event, "12:01", entry("WRAINB", "08:25"))
    with when("12:03"):
        body = {"outcome": "cancel", "seen": program.get(SKY).json()["seen"], "reason": "told by telephone"}
        assert code(program.change(f"{SKY}decisions/", body)) == (409, "day_begun")
        late = body | {"decided_at": "2026-03-28T12:00:00+08:00"}
        assert code(program.change(f"{SKY}decisions/", late)) == (400, "decided_when")
        [row] = program.change(f"{SKY}decisions/", body | {"decided_at": "2026-03-28T10:00:00+08:00"}).json()[
            "decisions"
        ]
    assert part(row, "at", "decided_at") == ["2026-03-28T12:03:00+08:00", "2026-03-28T10:00:00+08:00"]


def test_a_referee_looks_and_a_clerk_enters_but_neither_decides(event: Event, clerk: User, referee: User) -> None:
    with when("10:30"):
        for user, statuses in ((clerk, (200, 201, 403)), (referee, (200, 403, 403))):
            program = Caller(user)
            asked = (
                program.get(SKY),
                program.change("weather/signals/", BLACK),
                program.change(f"{SKY}decisions/", {"outcome": "go", "seen": "0"}),
            )
            assert tuple(answer.status_code for answer in asked) == statuses

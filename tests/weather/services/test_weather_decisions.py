"""A day decided by a person: what it needs, what follows, what is kept, who comes second."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from tests.reliability.false_alarms import found
from tests.sheets.services.test_scoresheets_at_once import WRITERS, at_once, people, table  # noqa: F401
from tests.weather.skies import DAY, entry, moment, observed
from tournament.audit.models import AuditEntry
from tournament.core.enums import FeedState
from tournament.core.errors import BadInput, KeyReused, NotFoundRefused, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.models.clock import ClockEvent
from tournament.tables.models import Table
from tournament.weather.domain.weather import LiveDay, live_day
from tournament.weather.models import WeatherDecision
from tournament.weather.services import postponing
from tournament.weather.services.decisions import decide_weather_day, seen_digest, weather_decision_digest


def live(event: Event, clock: str) -> LiveDay:
    """The day as it stands."""
    found = live_day(event, DAY, moment(clock))
    assert found is not None
    return found


def made(event: Event, by: User, clock: str = "10:03", outcome: str = "cancel", **more: Any) -> WeatherDecision:
    """Decide at that hour what the page shows then."""
    given = {"reason": "", "seen": seen_digest(live(event, clock)), "request_key": f"{outcome} {clock}"} | more
    return decide_weather_day(event, DAY, outcome=outcome, by=by, now=moment(clock), **given)


def states() -> list[str]:
    return list(Session.objects.filter(original_date=DAY).order_by("number").values_list("state", flat=True))


def test_a_stop_that_is_confirmed_keeps_its_evidence_and_postpones_in_one_act(event: Event, organiser: User) -> None:
    observed(event, "08:30", entry("WRAINB", "08:25"), entry("WTHUNDER", "08:00", family="WTS"))
    observed(event, "10:02", entry("WRAINB", "08:25"), entry("WTHUNDER", "08:00", family="WTS"))
    row = made(event, organiser)
    kept = row.evidence
    assert (row.number, row.outcome, row.proposed, row.at) == (1, "cancel", "cancel", moment("10:03"))
    assert [(one["code"], one["why"], one["lines"]) for one in kept["signals"]] == [
        ("WTHUNDER", "not_stop", [2, None]),
        ("WRAINB", "in_force", [1, None]),
    ]
    assert {name: kept[name] for name in ("deadline", "first_check_in", "known", "known_until", "sessions")} == {
        "deadline": "2026-03-28T10:00:00+08:00",
        "first_check_in": "2026-03-28T12:00:00+08:00",
        "known": "known",
        "known_until": "2026-03-28T10:02:00+08:00",
        "sessions": ["0328-1", "0328-2", "0328-3", "0328-4"],
    }
    told = AuditEntry.objects.filter(event=event).order_by("-seq")[:5]
    assert [entry.action for entry in told] == [*["postpone_session"] * 4, "decide_weather"]
    row.refresh_from_db()
    assert (told[4].digest_after, told[4].subject, told[4].at) == (
        weather_decision_digest(row),
        "weather 2026-03-28",
        row.at,
    )
    assert (states(), ClockEvent.objects.filter(kind="postpone").count()) == (["postponed"] * 4, 4)


def test_a_stop_leaves_a_session_that_has_begun_and_takes_one_that_is_held_back(event: Event, organiser: User) -> None:
    observed(event, "10:02", entry("TC8NE", "10:01"))
    second, third = Session.objects.filter(original_date=DAY).order_by("number")[1:3]
    postponing.hold_sessions([second], reason="T8", by=organiser, now=moment("10:02"))
    Session.objects.filter(pk=third.pk).update(state="playing")
    made(event, organiser)
    assert states() == ["postponed", "postponed", "playing", "postponed"]


def test_going_ahead_brings_back_what_a_stop_postponed(event: Event, organiser: User) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    made(event, organiser)
    row = made(event, organiser, "11:00", "go", reason="the Observatory corrected itself")
    assert (row.number, row.proposed, row.evidence["decision"], states()) == (2, "cancel", 1, ["planned"] * 4)


@pytest.mark.parametrize(
    "clock, outcome, more, code",
    [
        ("10:03", "rain", {}, "outcome_missing"),
        ("10:03", "go", {}, "reason_missing"),
        ("10:03", "go", {"reason": "x" * 501}, "reason_missing"),
        ("10:03", "go", {"reason": "\x00"}, "reason_missing"),
        ("09:00", "cancel", {}, "reason_missing"),
        ("10:03", "cancel", {"seen": "0" * 64}, "weather_changed"),
        ("12:00", "cancel", {"reason": "late"}, "day_begun"),
    ],
)
def test_what_a_decision_lacks_is_refused_by_its_code_and_nothing_is_kept(
    event: Event, organiser: User, clock: str, outcome: str, more: dict[str, Any], code: str
) -> None:
    observed(event, "08:30", entry("WRAINB", "08:25"))
    observed(event, "10:01", entry("WRAINB", "08:25"))
    with pytest.raises(Refused) as refused:
        made(event, organiser, clock, outcome, **more)
    assert (refused.value.code, WeatherDecision.objects.count(), states()) == (code, 0, ["planned"] * 4)


def test_where_nothing_is_known_nothing_is_confirmed_without_a_reason(event: Event, organiser: User) -> None:
    observed(event, "09:30")
    observed(event, "10:02", state=FeedState.BROKEN, why="no_answer")
    with pytest.raises(BadInput):
        made(event, organiser, "10:03", "go")
    assert made(event, organiser, "10:03", "go", reason="asked by telephone", request_key="b").proposed == ""


def test_a_day_of_nowhere_and_one_without_sessions_are_refused(event: Event, organiser: User) -> None:
    with pytest.raises(NotFoundRefused):
        decide_weather_day(
            event, DAY.replace(day=29), outcome="go", reason="x", seen="", by=organiser, request_key="a",
            now=moment("10:00"),
        )  # fmt: skip
    observed(event, "10:02", entry("WRAINB", "08:25"))
    made(event, organiser)
    Session.objects.filter(original_date=DAY).update(check_in_at=moment("12:00", DAY.replace(day=30)))
    with pytest.raises(Refused) as refused:
        made(event, organiser, "10:40", "go", reason="x")
    assert refused.value.code == "no_sessions"


def test_sent_again_it_is_the_same_row_and_a_key_of_another_act_is_refused(event: Event, organiser: User) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    seen = seen_digest(live(event, "10:03"))
    rows = [made(event, organiser, seen=seen, request_key="k") for _twice in range(2)]
    assert rows[0] == rows[1]
    with pytest.raises(KeyReused):
        made(event, organiser, outcome="go", reason="x", seen=seen, request_key="k")


def test_a_replay_without_times_is_no_session_of_the_day_and_is_left_alone(event: Event, organiser: User) -> None:
    third, fourth = Session.objects.filter(original_date=DAY).order_by("number")[2:4]
    Session.objects.filter(pk=third.pk).update(state="void")
    Session.objects.filter(pk=fourth.pk).update(state="postponed", replays=third)
    observed(event, "10:02", entry("WRAINB", "08:25"))
    assert made(event, organiser).evidence["sessions"] == ["0328-1", "0328-2"]
    made(event, organiser, "11:00", "go", reason="the Observatory corrected itself")
    assert states() == ["planned", "planned", "void", "postponed"]


# --- Recorded late --------------------------------------------------------------------------------------
def late(event: Event, by: User, clock: str = "12:03", outcome: str = "cancel", **more: Any) -> WeatherDecision:
    """What was told at ten by telephone."""
    given = {"reason": "told to all by WhatsApp at 10:00", "decided_at": moment("10:00")}
    return made(event, by, clock, outcome, **given | more)


def test_what_nobody_recorded_in_time_is_recorded_with_its_real_hour_and_both_verifiers_accept_it(
    event: Event, organiser: User
) -> None:
    observed(event, "09:01", entry("WRAINB", "09:00"))
    observed(event, "12:02", entry("WRAINB", "09:00"))
    row = late(event, organiser)
    assert (row.outcome, row.proposed, row.at, row.decided_at) == ("cancel", "cancel", moment("12:03"), moment("10:00"))
    assert (row.recorded_late, row.evidence["phase"], states()) == (True, "playing", ["postponed"] * 4)
    assert live(event, "12:04").decision == row
    assert found(second=True) == []


def test_a_late_stop_leaves_what_has_begun_and_a_late_go_brings_nothing_back(event: Event, organiser: User) -> None:
    observed(event, "12:02")
    first, second = Session.objects.filter(original_date=DAY).order_by("number")[:2]
    Session.objects.filter(pk=first.pk).update(state="playing")
    postponing.postpone_sessions([second], reason="no light in the hall", by=organiser, now=moment("12:02"))
    late(event, organiser, outcome="go")
    assert states() == ["playing", "postponed", "planned", "planned"]


@pytest.mark.parametrize(
    "clock, more, code",
    [
        ("12:03", {"decided_at": None}, "day_begun"),
        ("12:03", {"reason": ""}, "reason_missing"),
        ("12:03", {"decided_at": moment("12:00")}, "decided_when"),
        ("12:03", {"decided_at": moment("11:59", DAY.replace(day=27))}, "decided_when"),
        ("11:59", {}, "decided_when"),
    ],
)
def test_a_late_record_needs_its_hour_and_why(
    event: Event, organiser: User, clock: str, more: dict[str, Any], code: str
) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    with pytest.raises(Refused) as refused:
        late(event, organiser, clock, **more)
    assert (refused.value.code, WeatherDecision.objects.count(), states()) == (code, 0, ["planned"] * 4)


def test_what_was_decided_in_time_is_not_replaced_by_a_late_record(event: Event, organiser: User) -> None:
    observed(event, "10:02")
    made(event, organiser, outcome="go")
    with pytest.raises(Refused) as refused:
        late(event, organiser)
    assert (refused.value.code, states()) == ("day_begun", ["planned"] * 4)


def test_the_database_itself_changes_no_decision(event: Event, organiser: User) -> None:
    observed(event, "10:02", entry("WRAINB", "08:25"))
    made(event, organiser)
    for change in ("UPDATE tournament_weatherdecision SET outcome = 'go'", "DELETE FROM tournament_weatherdecision"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_decide_at_once_one_does_and_the_others_look_again(
    table: Table,  # noqa: F811
    people: list[User],  # noqa: F811
) -> None:
    event = table.session.stage.event
    observed(event, "10:02", entry("WRAINB", "08:25"))
    seen = seen_digest(live(event, "10:03"))
    found = at_once(lambda n: made(event, people[n], seen=seen, request_key=f"d{n}"))
    assert found == {"done": 1, "weather_changed": WRITERS - 1}
    assert (WeatherDecision.objects.count(), states()) == (1, ["postponed"] * 4)

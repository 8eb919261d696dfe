"""Tampering with the journal of signals, looks by hand and the days' decisions (reliability 3.9), in the world that
`make_conduct` leaves behind: `histories_weather.one_morning`."""

from datetime import timedelta

from tests.reliability.tamper_kinds import kind
from tournament.enums import WeatherSource
from tournament.models import WeatherDecision, WeatherReading, WeatherSignal

LOOKS = "weather looks"
DAY = "weather 2026-03-28"


def line(number: int) -> WeatherSignal:
    """A line of the journal: 1 black rain in the feed, 2 and 3 by hand, 4 withdraws the third."""
    return WeatherSignal.objects.get(number=number)


def change(number: int, **values: object) -> str:
    """Change a line."""
    WeatherSignal.objects.filter(number=number).update(**values)
    return f"signal {number}"


def looks() -> list[WeatherReading]:
    """The two looks by hand."""
    return list(WeatherReading.objects.filter(source=WeatherSource.HAND).order_by("pk"))


def decide(number: int, **values: object) -> str:
    """Change a decision."""
    WeatherDecision.objects.filter(number=number).update(**values)
    return DAY


@kind(conduct=True)
def let_black_rain_be_red() -> str:
    return change(1, code="WRAINR")


@kind(conduct=True)
def let_black_rain_begin_later() -> str:
    row = line(1)
    return change(1, issued_at=row.seen_at + timedelta(hours=6))


@kind(conduct=True)
def let_black_rain_end_earlier() -> str:
    row = line(2)
    return change(2, ended_at=row.issued_at)


@kind(conduct=True)
def forget_the_end_of_black_rain() -> str:
    return change(2, ended_at=None)


@kind(conduct=True)
def let_a_line_be_about_another() -> str:
    return change(2, about=None)


@kind(conduct=True)
def take_a_withdrawal_back_in_silence() -> str:
    return change(4, withdraws=False)


@kind(conduct=True)
def say_that_a_line_by_hand_came_from_the_feed() -> str:
    return change(3, source=WeatherSource.FEED, by=None)


@kind(conduct=True)
def say_that_another_entered_a_signal() -> str:
    return change(2, by=line(4).by)


@kind(conduct=True)
def say_that_a_signal_was_seen_earlier() -> str:
    return change(1, seen_at=line(1).seen_at - timedelta(hours=1))


@kind(conduct=True)
def write_another_note_to_a_signal() -> str:
    return change(2, note="from the Observatory's page")


@kind(conduct=True)
def delete_a_line_of_the_journal() -> str:
    WeatherSignal.objects.filter(number=4).delete()
    return "signal 4"


@kind(conduct=True)
def put_in_a_signal_that_nobody_observed() -> str:
    row = line(1)
    row.pk, row.number, row.code = None, 5, "TC9"
    row.save(force_insert=True)
    return "signal 5"


@kind(conduct=True)
def move_a_look_to_another_time() -> str:
    later = looks()[0].last_at + timedelta(hours=1)
    WeatherReading.objects.filter(pk=looks()[0].pk).update(first_at=later, last_at=later)
    return LOOKS


@kind(conduct=True)
def say_that_another_looked() -> str:
    WeatherReading.objects.filter(pk=looks()[1].pk).update(by=line(4).by)
    return LOOKS


@kind(conduct=True)
def delete_a_look() -> str:
    WeatherReading.objects.filter(pk=looks()[1].pk).delete()
    return LOOKS


@kind(conduct=True)
def put_in_a_look_that_nobody_took() -> str:
    row = looks()[0]
    row.pk = None
    row.save(force_insert=True)
    return LOOKS


@kind(conduct=True)
def decide_the_day_the_other_way() -> str:
    return decide(2, outcome="cancel")


@kind(conduct=True)
def give_a_decision_another_reason() -> str:
    return decide(1, reason="typhoon")


@kind(conduct=True)
def give_a_decision_other_evidence() -> str:
    row = WeatherDecision.objects.get(number=1)
    return decide(1, evidence={**row.evidence, "signals": []})


@kind(conduct=True)
def say_that_another_decided() -> str:
    return decide(2, by=line(4).by)


@kind(conduct=True)
def say_that_a_day_was_decided_earlier() -> str:
    return decide(2, at=WeatherDecision.objects.get(number=2).at - timedelta(hours=1))


@kind(conduct=True)
def delete_a_day_s_decision() -> str:
    WeatherDecision.objects.filter(number=2).delete()
    return DAY

"""The morning of a day of play with black rain, for whoever wants to see that day before it comes.

The first day was called off and has got today's date, the later days follow as they did; this morning the signals went
from amber to red to black. Everything is entered as a person would, with times that lead up to now.
"""

from datetime import datetime, timedelta

from django.utils import timezone

from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.demo.desk import DemoPeople
from tournament.setup.services import changes
from tournament.weather.services import postponing, postponing_times, weather

DEMO_STOP_REASON = "黑色暴雨警告信號生效，全日停賽"
DEMO_FOLLOWS_REASON = "首日改期，其後各日順延"
FROM_RADIO = "電台報告"
# The first check-in is this long after now, so that the deadline is near; never so late that a session ends tomorrow.
FIRST_CHECK_IN_AHEAD, LATEST_CHECK_IN_MINUTE = timedelta(hours=2, minutes=20), 16 * 60
# How long before now each signal was issued.
DEMO_SIGNALS = (
    ("WRAINA", timedelta(minutes=215)),
    ("WRAINR", timedelta(minutes=150)),
    ("WRAINB", timedelta(minutes=75)),
)
RESULTS_AFTER = timedelta(days=3)


def prepare_morning(stage: Stage, people: DemoPeople, now: datetime | None = None) -> None:
    """1. every session is put off; 2. the results come later; 3. all get new times, the first day's today; 4. the
    signals of this morning, and that a person has looked."""
    now = now or timezone.now()
    sessions = list(Session.objects.filter(stage=stage).order_by("number"))
    first = [session for session in sessions if session.original_date == sessions[0].original_date]
    later = [session for session in sessions if session.original_date != sessions[0].original_date]
    postponing.postpone_sessions(first, reason=DEMO_STOP_REASON, by=people.organiser, now=now)
    postponing.postpone_sessions(later, reason=DEMO_FOLLOWS_REASON, by=people.organiser, now=now)
    moved = demo_first_check_in(now) - sessions[0].check_in_at
    postpone_demo_results(stage.event, moved, people)
    for group, reason in ((first, DEMO_STOP_REASON), (later, DEMO_FOLLOWS_REASON)):
        wanted = [shifted_session_times(session, moved) for session in group]
        postponing_times.set_times(stage.event, wanted, reason=reason, by=people.organiser, now=now)
    enter_signals(stage.event, people, now)


def demo_first_check_in(now: datetime) -> datetime:
    """A whole five minutes, or noon tomorrow where it is too late for four sessions today."""
    local = timezone.localtime(now) + FIRST_CHECK_IN_AHEAD
    near = local - timedelta(minutes=local.minute % 5, seconds=local.second, microseconds=local.microsecond)
    if near.date() == timezone.localtime(now).date() and near.hour * 60 + near.minute <= LATEST_CHECK_IN_MINUTE:
        return near
    tomorrow = timezone.localtime(now) + timedelta(days=1)
    return tomorrow.replace(hour=12, minute=0, second=0, microsecond=0)


def shifted_session_times(session: Session, moved: timedelta) -> postponing_times.NewTimes:
    """The session so much later, its pace as it was."""
    names = ("check_in_at", "seating_at", "play_at", "ends_at")
    return postponing_times.NewTimes(session.pk, **{name: getattr(session, name) + moved for name in names})


def postpone_demo_results(event: Event, moved: timedelta, people: DemoPeople) -> None:
    """The embargo and the day of erasure as far behind the last session as they were."""
    event.refresh_from_db()
    facts = {name: getattr(event, name) for name in changes.EVENT_FACT_FIELDS}
    facts["results_at"] += moved + RESULTS_AFTER
    if facts["retention_on"]:
        facts["retention_on"] += moved + RESULTS_AFTER
    changes.change_event(event, revision=event.revision, facts=facts, by=people.organiser)


def enter_signals(event: Event, people: DemoPeople, now: datetime) -> None:
    """Amber, red, black, each as it was issued; a minute ago somebody looked and found them right."""
    for code, ago in DEMO_SIGNALS:
        issued = (now - ago).replace(second=0, microsecond=0)
        weather.enter_weather_signal(
            event,
            code=code,
            issued_at=issued,
            note=FROM_RADIO,
            by=people.organiser,
            request_key=f"seed-{code}",
            now=issued + timedelta(minutes=2),
        )
    weather.record_manual_observation(
        event,
        at=now - timedelta(minutes=1),
        seen=len(DEMO_SIGNALS),
        by=people.organiser,
        request_key="seed-look",
        now=now,
    )

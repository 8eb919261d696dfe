"""What a notice that play goes ahead must not say: that a session is played which is put off, or under a signal that
stops play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.signals import SignalSpan
from tournament.core.enums import LifeStage, NoticeKind, WeatherOutcome
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.exports import words_of_signal
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries
from tournament.sheets.queries.session_life import session_lives_of
from tournament.weather.domain.weather import LiveDay, hall_iso_text, live_day

NOTICE_SESSIONS_NOT_PLAYED = _(
    "Not played as planned: %(sessions)s. A notice that play goes ahead does not name what is postponed, held back or "
    "broken off. Take it out, or tell that the rest of the day is called off."
)
NOTICE_DAY_STOPPED = _(
    "%(signal)s is in force since %(at)s: nobody is told that play goes ahead. Tell that it is suspended or called "
    "off, or decide the day anew first."
)
STOPPED_LIFE_STAGES = (LifeStage.POSTPONED, LifeStage.HELD, LifeStage.BROKEN_OFF, LifeStage.VOID)


@dataclass(frozen=True, slots=True)
class NoticeContradiction:
    """One thing that is not so, in words with their facts."""

    sentence: str
    facts: dict[str, Any]


def require_no_contradiction(notice: Notice, now: datetime) -> None:
    """Refused `notice_contradicts` for the first thing that is not so."""
    for one in iter_contradictions(notice.event, notice.kind, notice.day, notice.sessions, now):
        raise Refused("notice_contradicts", one.sentence, **one.facts)


def iter_contradictions(
    event: Event, kind: str, day: date | None, sessions: Sequence[int], now: datetime
) -> Iterator[NoticeContradiction]:
    """Everything that a notice would say against what is known now."""
    if kind != NoticeKind.GOING_AHEAD:
        return
    live = live_day(event, day or timezone.localdate(now), now)
    if stopped := not_played(event, live, sessions):
        yield NoticeContradiction(NOTICE_SESSIONS_NOT_PLAYED, {"sessions": ", ".join(one.code for one in stopped)})
    if live is None or live.day != timezone.localdate(now):
        return
    for stop in live.stops:
        if not is_stop_overridden(live, stop):
            name = words_of_signal(stop.signal.code).name
            yield NoticeContradiction(
                NOTICE_DAY_STOPPED, {"signal": name, "at": f"{timezone.localtime(stop.signal.issued):%H:%M}"}
            )
            return


def not_played(event: Event, live: LiveDay | None, sessions: Sequence[int]) -> list[Session]:
    """Of those named, or of the whole day, what is put off, held back or broken off."""
    rows = [one for one in queries.sessions_not_void(event) if one.number in sessions] if sessions else []
    rows = rows or list(live.sessions if live and not sessions else [])
    lives = session_lives_of(rows)
    return [one for one in rows if lives[one.pk].stage in STOPPED_LIFE_STAGES]


def is_stop_overridden(live: LiveDay, stop: SignalSpan) -> bool:
    """Whether the day was decided to be played though this signal was in force, for a reason."""
    made = live.decision
    if made is None or made.outcome != WeatherOutcome.GO:
        return False
    seen = [(one["code"], one["issued"]) for one in made.evidence.get("signals", []) if one["ended"] is None]
    return (stop.signal.code, hall_iso_text(stop.signal.issued)) in seen

"""What of today's weather waits for a person, for the overview: to look, to confirm, to decide anew, to hold back."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.core.dateformat import time_text
from tournament.core.models.event import Event
from tournament.events.exports import words_of_signal
from tournament.weather.domain.weather import LiveDay, is_decision_contradicted, live_day, proposed_outcome
from tournament.weather.templatetags.weather import outcome_word
from tournament.weather.views.feed import feed_of


def todays_weather(event: Event, now: datetime | None = None) -> list[str]:
    """Sentences, the most urgent first; none on a day without sessions, or when nothing waits."""
    at = now or timezone.now()
    live = live_day(event, timezone.localdate(at), at)
    return list(iter_weather_sentences(live)) if live else []


def iter_weather_sentences(live: LiveDay) -> Iterator[str]:
    """In the order of the day."""
    signal = str(words_of_signal(live.stops[0].signal.code).name) if live.stops else ""
    if feed_of(live).asks:
        yield _("What signals are in force is not known: somebody must look at the Observatory.")
    if live.phase == "before" and live.deadline and live.stops and not live.decision:
        said = {"signal": signal, "at": time_text(live.deadline)}
        yield _("%(signal)s is in force: whether today is played is decided at %(at)s.") % said
    proposed = proposed_outcome(live)
    if is_decision_contradicted(live) or (live.phase == "deciding" and proposed and not live.decision):
        said = {"outcome": outcome_word(proposed)}
        yield _("Today's weather decision waits to be confirmed; the rule says: %(outcome)s.") % said
    if live.phase == "playing" and live.stops and (live.not_begun or live.running):
        yield _("%(signal)s is in force while sessions are played or about to begin.") % {"signal": signal}

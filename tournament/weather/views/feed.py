"""How the Observatory's feed stands on a day's page: in order, late, stale, broken, never read, or by hand only."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.weather_proposal import OBSERVATION_STALE_AFTER
from tournament.core.enums import FeedState, WeatherSource
from tournament.weather.domain.weather import LiveDay
from tournament.weather.models import WeatherReading

FEED_TROUBLE_WORDS: Mapping[str, Promise] = {
    "not_set": gettext_lazy("no address is set"),
    "no_answer": gettext_lazy("no answer"),
    "too_slow": gettext_lazy("no answer within five seconds"),
    "cut_short": gettext_lazy("the answer broke off"),
    "wrong_type": gettext_lazy("the answer is not the list of signals"),
    "too_large": gettext_lazy("the answer is far too long"),
    "not_utf8": gettext_lazy("the answer cannot be read"),
    "not_json": gettext_lazy("the answer cannot be read"),
    "not_an_object": gettext_lazy("the answer is not the list of signals"),
    "entry_unreadable": gettext_lazy("an entry cannot be read"),
    "no_date": gettext_lazy("the answer does not say when it was made"),
    "old_date": gettext_lazy("the answer is more than ten minutes old"),
    "date_ahead": gettext_lazy("the Observatory's clock and ours differ by more than ten minutes"),
}


@dataclass(frozen=True)
class FeedStatus:
    """`state` is `ok`, `late` (not read for five minutes), `stale`, `broken`, `never` or `hand`; `good` is the last
    look that says what is in force; `asks` whether a person has to look now."""

    state: str
    reading: WeatherReading | None
    good: WeatherReading | None
    asks: bool

    @property
    def why(self) -> str:
        """What is not in order with the last look at the feed."""
        return feed_trouble_text(self.reading) if self.reading and self.reading.why else ""

    @property
    def good_at(self) -> datetime | None:
        """Until when it is known what is in force."""
        return self.good.last_at if self.good else None

    @property
    def by_person(self) -> bool:
        """Whether a person looked last."""
        return bool(self.good and self.good.source == WeatherSource.HAND)


def feed_of(live: LiveDay) -> FeedStatus:
    """As it stands at the page's moment. Nothing but a good look is taken for a clear sky."""
    known = live.proposal is not None and live.proposal.known == "known"
    asks = live.phase in ("before", "deciding", "playing") and not known
    # A decided day waits for its first check-in, and nothing but a stop signal would change it.
    return FeedStatus(feed_state(live), live.reading, live.good, asks)


def feed_state(live: LiveDay) -> str:
    """The feed itself, whatever a person has seen."""
    if not settings.OBSERVATORY_URL:
        return "hand"
    if live.reading is None:
        return "never"
    if live.reading.state != FeedState.OK:
        return str(live.reading.state)
    return "late" if live.now - live.reading.last_at > OBSERVATION_STALE_AFTER else "ok"


def feed_trouble_text(reading: WeatherReading) -> str:
    """What is not in order, in words; a status by its number."""
    if reading.why.startswith("status_"):
        return _("the server answered %(status)s") % {"status": reading.why.removeprefix("status_")}
    return str(FEED_TROUBLE_WORDS.get(reading.why, reading.why))

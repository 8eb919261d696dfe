"""What the sky did and what was decided: looks at the feed, the journal of signals, the day's decisions."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from tournament.core.enums import FeedState, WeatherOutcome, WeatherSource
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class WeatherReading(Recorded):
    """Looks at the feed that gave the same, one after another, as one stretch; or a person's own look.

    A look that was not good says nothing about what is in force, least of all that nothing is.
    """

    recorded = Evidence.of("event", plain="why digest", rows=Q(source=WeatherSource.HAND))

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="weather_readings")
    source = models.CharField(max_length=8, choices=WeatherSource)
    state = models.CharField(max_length=8, choices=FeedState)
    why = models.CharField(max_length=40, blank=True, help_text="a code of the adapter, for what is not in order")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the payload")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    looks = models.PositiveIntegerField(default=1)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["event_id", "first_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(source=WeatherSource.FEED, by=None) | Q(source=WeatherSource.HAND, by__isnull=False),
                name="weather_reading_by_feed_or_account",
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.state} {self.last_at}"


class WeatherSignal(Recorded):
    """One line of the journal 信號日誌: a change that was observed in the feed, or what a person entered. Added, never
    changed.

    From the feed: `family`, `code`, `action`, `issued_at` and `updated_at` as they stood there; `action` is VANISHED
    where an entry was no longer there, which is no end. By hand: the official times of one signal as a whole,
    `issued_at` and, once known, `ended_at`; `about` is the line that it corrects or `withdraws`.
    """

    recorded = Evidence.of("event", plain="family code action", append_only=True)

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="weather_signals")
    number = models.PositiveIntegerField(help_text="1, 2, 3 ... over the event's journal")
    source = models.CharField(max_length=8, choices=WeatherSource)
    family = models.CharField(max_length=20, help_text="WRAIN, WTCSGNL ...")
    code = models.CharField(max_length=20, help_text="WRAINB, TC8NE ..., CANCEL")
    action = models.CharField(max_length=20, blank=True)
    issued_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True, help_text="as the feed says; of rain and wind it is no end")
    about = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="corrections")
    withdraws = models.BooleanField(default=False, help_text="the line that it is about was never so")
    note = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="weather_signal_number_once"),
            models.CheckConstraint(
                condition=Q(source=WeatherSource.FEED, by=None) | Q(source=WeatherSource.HAND, by__isnull=False),
                name="weather_signal_by_feed_or_account",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.code}"


class WeatherDecision(Recorded):
    """What a person decided for all sessions of a day, and what was known then. The newest of a day counts."""

    recorded = Evidence.of("event", plain="evidence", append_only=True)

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="weather_decisions")
    number = models.PositiveIntegerField(help_text="1, 2, 3 ... over the event")
    day = models.DateField()
    outcome = models.CharField(max_length=8, choices=WeatherOutcome)
    proposed = models.CharField(max_length=8, choices=WeatherOutcome, blank=True, help_text="empty: nothing yet")
    evidence = models.JSONField(help_text="deadline, first check-in, feed, every signal and how it weighed")
    reason = models.CharField(max_length=500, blank=True, help_text="always there where it overrides the proposal")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="weather_decision_number_once"),
            models.CheckConstraint(
                condition=Q(outcome=models.F("proposed")) | ~Q(reason=""), name="weather_override_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.outcome}"

    @property
    def recorded_late(self) -> bool:
        """Whether it was decided in time and recorded only after the first check-in."""
        return bool(self.evidence.get("decided_at"))

    @property
    def decided_at(self) -> datetime:
        """When it was decided: as it was recorded, or the hour that was given with a late one."""
        return datetime.fromisoformat(self.evidence["decided_at"]) if self.recorded_late else self.at

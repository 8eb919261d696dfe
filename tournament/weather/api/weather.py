"""The sky over a day of play: what is known, what the rule proposes, signals and looks by hand, a day's decision."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from scoring.signals import SignalSpan, superseded_lines
from scoring.weather import is_stop_signal
from tournament.api.errors import found_or_404
from tournament.api.fields import (
    EventDateTimeField,
    PlainTextField,
    StrictBody,
    StrictBooleanField,
    StrictIntegerField,
    WordChoiceField,
)
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import FeedState, WeatherOutcome, WeatherSource
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.events.api import SessionAnswer
from tournament.weather.domain import weather as bridge
from tournament.weather.domain.weather import LiveDay
from tournament.weather.models import WeatherReading, WeatherSignal
from tournament.weather.queries import weather as queries
from tournament.weather.services import weather as services
from tournament.weather.services.decisions import WEATHER_REASON_MAX_LENGTH, decide_weather_day, seen_digest

SIGNAL_CODE_MAX_LENGTH = 20
WEATHER_DIGEST_LENGTH = 64
DAY_RE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
DAY_PHASE_CHOICES = [(phase, phase) for phase in ("none", "far", "before", "deciding", "playing", "over")]
WEATHER_KNOWN_CHOICES = [(known, known) for known in ("known", "stale", "unknown")]


class PlayedDayAnswer(serializers.Serializer[Any]):
    """A day with the numbers of its sessions; none where they have moved since it was decided on."""

    day = serializers.DateField()
    sessions = serializers.ListField(child=serializers.IntegerField())


class DaysAnswer(serializers.Serializer[Any]):
    """In order. `shown`: today, else the next, else the last; null for an event without sessions."""

    shown = serializers.DateField(allow_null=True)
    days = PlayedDayAnswer(many=True)


class JournalLineAnswer(serializers.Serializer[Any]):
    """A line of the journal: what changed in the feed, or what a person entered. `about`: the line that it corrects or
    `withdraws`. `counts`: no later line does that to it."""

    number = serializers.IntegerField()
    source = serializers.ChoiceField(choices=WeatherSource.choices)  # type: ignore[assignment]  # also a field's option
    family = serializers.CharField()
    code = serializers.CharField()
    action = serializers.CharField()
    issued_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    about = serializers.IntegerField(source="about.number", default=None, allow_null=True)
    withdraws = serializers.BooleanField()
    note = serializers.CharField()
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    seen_at = serializers.DateTimeField()


class CountingLineAnswer(JournalLineAnswer):
    """The same, and whether a later line has corrected or withdrawn it."""

    counts = serializers.BooleanField()


class LookAnswer(serializers.Serializer[Any]):
    """Looks that gave the same, one after another. Only an `ok` one says what is in force."""

    source = serializers.ChoiceField(choices=WeatherSource.choices)  # type: ignore[assignment]  # also a field's option
    state = serializers.ChoiceField(choices=FeedState.choices)
    why = serializers.CharField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    looks = serializers.IntegerField()
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    note = serializers.CharField()


class SpanAnswer(serializers.Serializer[Any]):
    """A signal from its issue to its end. `vanished`: listed no more, though nothing says that it ended."""

    code = serializers.CharField()
    family = serializers.CharField()
    issued = serializers.DateTimeField()
    ended = serializers.DateTimeField(allow_null=True)
    vanished = serializers.DateTimeField(allow_null=True)
    by_hand = serializers.BooleanField()


class StretchAnswer(SpanAnswer):
    """A signal with the lines that began and ended it, and whether it stops play and is in force."""

    begun_by = serializers.IntegerField()
    ended_by = serializers.IntegerField(allow_null=True)
    stops_play = serializers.BooleanField()
    in_force = serializers.BooleanField()


class WeighedAnswer(SpanAnswer):
    """A signal that reaches into the day, its lines in the journal, and how it weighs."""

    lines = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    why = serializers.CharField()


class ProposalAnswer(serializers.Serializer[Any]):
    """`outcome`: what would be decided if nothing changes, null while a person must look first. `proposed`: the same
    from the deadline on, null before it."""

    outcome = serializers.ChoiceField(choices=WeatherOutcome.choices, allow_null=True)
    proposed = serializers.ChoiceField(choices=WeatherOutcome.choices, allow_null=True)
    known = serializers.ChoiceField(choices=WEATHER_KNOWN_CHOICES)
    known_until = serializers.DateTimeField(allow_null=True)
    evidence = WeighedAnswer(many=True)


class DayDecisionAnswer(serializers.Serializer[Any]):
    """What a person decided, with the evidence that was before them. `proposed` null: nothing was. `decided_at` is
    before `at`, when it was recorded, where that was late."""

    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=WeatherOutcome.choices)
    proposed = serializers.SerializerMethodField()
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField()
    evidence = serializers.JSONField()

    def get_proposed(self, found: Any) -> str | None:
        """None for an override before the deadline."""
        return found.proposed or None


class GapAnswer(serializers.Serializer[Any]):
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()


class DayAnswer(serializers.Serializer[Any]):
    """A day as it stands at `now`. `seen` is what a decision is sent with, `last_line` what a look by hand is.

    `held_back`: numbers of sessions that were suspended before their start. `reading`: the last look at the feed;
    `good`: the last that says what is in force, a person's too. `decision`: the number of the one in force.
    """

    day = serializers.DateField()
    now = serializers.DateTimeField()
    phase = serializers.ChoiceField(choices=DAY_PHASE_CHOICES)
    first_check_in = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    sessions = SessionAnswer(many=True)
    held_back = serializers.ListField(child=serializers.IntegerField())
    stretches = StretchAnswer(many=True)
    journal = CountingLineAnswer(many=True)
    reading = LookAnswer(allow_null=True)
    good = LookAnswer(allow_null=True)
    blind = GapAnswer(many=True)
    proposal = ProposalAnswer(allow_null=True)
    decision = serializers.IntegerField(allow_null=True)
    contradicted = serializers.BooleanField()
    decisions = DayDecisionAnswer(many=True)
    last_line = serializers.IntegerField()
    seen = serializers.CharField()


class SignalRequest(StrictBody):
    """One signal as a whole, by its official times; `ended_at` left out while it lasts or is not known.

    With `about` it corrects that line of the journal; with `withdraws` that line was never so, for the reason in
    `note`.
    """

    code = PlainTextField(required=False, allow_blank=True, max_length=SIGNAL_CODE_MAX_LENGTH)
    issued_at = EventDateTimeField(required=False, allow_null=True)
    ended_at = EventDateTimeField(required=False, allow_null=True)
    about = StrictIntegerField(min_value=1, required=False, allow_null=True)
    withdraws = StrictBooleanField(required=False)
    note = PlainTextField(required=False, allow_blank=True, max_length=services.WEATHER_NOTE_MAX_LENGTH)


class LookRequest(StrictBody):
    """At `at` a person looked, and the journal is right as it stands. `seen`: its last line then, 0 for none."""

    at = EventDateTimeField()
    seen = StrictIntegerField()
    note = PlainTextField(required=False, allow_blank=True, max_length=services.WEATHER_NOTE_MAX_LENGTH)


class DayDecisionRequest(StrictBody):
    """`seen` as it was read. A `reason` is needed wherever the outcome is not the one proposed.

    `decided_at`: of a day that has begun with nothing recorded, when it was decided, before the first check-in; then a
    `reason` is needed.
    """

    outcome = WordChoiceField(choices=WeatherOutcome.choices)
    reason = PlainTextField(required=False, allow_blank=True, max_length=WEATHER_REASON_MAX_LENGTH)
    seen = PlainTextField(max_length=WEATHER_DIGEST_LENGTH)
    decided_at = EventDateTimeField(required=False, allow_null=True)


class WeatherDayListViewSet(EventViewSet):
    chapter = "weather"

    @reads("/", "see_weather", _("The days of play"), DaysAnswer)
    def list_weather_days(self, event: Event) -> dict[str, Any]:
        sessions, days = queries.sessions_by_day(queries.all_sessions(event)), bridge.days_of_play_or_decision(event)
        rows = [{"day": day, "sessions": [one.number for one in sessions.get(day, [])]} for day in days]
        return {"shown": bridge.day_to_show(days, timezone.localdate()), "days": rows}


class WeatherDayViewSet(EventViewSet):
    chapter = "weather"
    serializer_class = DayAnswer

    def get_object(self) -> LiveDay:
        day = self.kwargs["day"]
        try:
            wanted = date.fromisoformat(day) if DAY_RE.fullmatch(day) else None
        except ValueError:
            wanted = None
        return found_or_404(bridge.live_day(self.event, found_or_404(wanted), timezone.now()))

    def told(self, found: LiveDay) -> dict[str, Any]:
        return serialize_weather_day(self.get_object())

    def members(self, refusal: Refused, found: LiveDay, given: RequestData) -> Mapping[str, Any]:
        """The day as it stands, where the refusal is about that."""
        if not isinstance(refusal.about, LiveDay):
            return {}
        now, mine = self.told(found), given.data["seen"]
        differing = [{"where": "seen", "mine": mine, "theirs": now["seen"]}] if mine != now["seen"] else []
        return {"current": DayAnswer(now).data, "differences": differing}

    @reads("/", "see_weather", _("A day's sky: signals, journal, proposal with evidence, decisions"))
    def get_weather_day(self, day: LiveDay) -> dict[str, Any]:
        return serialize_weather_day(day)

    @changes("/decisions/", "decide_weather", _("Decide a day: played or called off"), DayDecisionRequest, status=201)
    def decide_weather(self, day: LiveDay, given: RequestData) -> None:
        decide_weather_day(self.event, day.day, **{"reason": "", **given.seen, **given.data})


class WeatherJournalViewSet(EventViewSet):
    chapter = "weather"

    def members(self, refusal: Refused, found: Event, given: RequestData) -> Mapping[str, Any]:
        """How long the journal is by now, and the line that was corrected meanwhile."""
        if not isinstance(refusal, StaleVersion):
            return {}
        mine, where = (given.data["seen"], "seen") if "seen" in given.data else (given.data["about"], "about")
        last = found.weather_signals.count()
        current = JournalLineAnswer(refusal.about).data if where == "about" else {"last_line": last}
        return {"current": current, "differences": [{"where": where, "mine": mine, "theirs": last}]}

    @changes(
        "/signals/",
        "enter_weather",
        _("Enter a signal by hand, correct a line of the journal or withdraw it"),
        SignalRequest,
        JournalLineAnswer,
        status=201,
    )
    def enter_signal(self, event: Event, given: RequestData) -> WeatherSignal:
        return services.enter_weather_signal(event, **given.seen, **given.data)

    @changes(
        "/looks/",
        "enter_weather",
        _("Say that you looked, and that the journal is right as it stands"),
        LookRequest,
        LookAnswer,
        status=201,
    )
    def look_at_sky(self, event: Event, given: RequestData) -> WeatherReading:
        return services.record_manual_observation(event, **given.seen, **given.data)


# --- As it is told --------------------------------------------------------------------------------------
def serialize_weather_day(live: LiveDay) -> dict[str, Any]:
    decision = live.decision
    return {
        **{name: getattr(live, name) for name in ("day", "now", "phase", "first_check_in", "deadline", "ends_at")},
        "sessions": live.sessions,
        "held_back": [one.number for one in live.held_back],
        "stretches": [serialize_stretch(live, one) for one in live.stretches],
        "journal": serialize_journal(live),
        "reading": live.reading,
        "good": live.good,
        "blind": [{"since": since, "until": until} for since, until in live.blind],
        "proposal": serialize_weather_proposal(live),
        "decision": decision.number if decision else None,
        "contradicted": bridge.is_decision_contradicted(live),
        "decisions": live.decisions,
        "last_line": len(live.journal),
        "seen": seen_digest(live),
    }


def serialize_stretch(live: LiveDay, one: SignalSpan) -> dict[str, Any]:
    names = ("family", "vanished", "by_hand", "begun_by", "ended_by")
    return {
        "code": one.signal.code,
        "issued": one.signal.issued,
        "ended": one.signal.cancelled,
        **{name: getattr(one, name) for name in names},
        "stops_play": is_stop_signal(one.signal.code),
        "in_force": one in live.in_force,
    }


def serialize_journal(live: LiveDay) -> list[Any]:
    """Every line, oldest first; sets `counts` on each."""
    gone = superseded_lines(bridge.journal_observations(live.journal))
    lines: list[Any] = list(live.journal)
    for line in lines:
        line.counts = line.number not in gone
    return lines


def serialize_weather_proposal(live: LiveDay) -> dict[str, Any] | None:
    """What the rule says; None where the day has no sessions."""
    if live.proposal is None:
        return None
    return {
        "outcome": live.proposal.outcome,
        "proposed": bridge.proposed_outcome(live) or None,
        "known": live.proposal.known,
        "known_until": live.proposal.known_until,
        "evidence": [bridge.signal_evidence_facts(live, one) | serialize_signal_times(one) for one in live.weighed],
    }


def serialize_signal_times(one: Any) -> dict[str, Any]:
    return {"issued": one.signal.issued, "ended": one.signal.cancelled}

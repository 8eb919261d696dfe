"""The sky over a day of play: what is known, what the rule proposes, signals and looks by hand, a day's decision."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from scoring.signals import Stretch, superseded
from scoring.weather import is_stop
from tournament.api.errors import not_found
from tournament.api.events import SessionAnswer
from tournament.api.fields import Choice, Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.api.setup_final import Moment
from tournament.bridge import weather as bridge
from tournament.bridge.weather import LiveDay
from tournament.enums import FeedState, WeatherOutcome, WeatherSource
from tournament.errors import Refused, StaleVersion
from tournament.models import Event
from tournament.queries import weather as queries
from tournament.services import weather as services
from tournament.services.weather_decisions import LONGEST_REASON, decide, seen_digest

LONGEST_CODE = 20
DIGEST = 64
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
PHASES = [(phase, phase) for phase in ("none", "far", "before", "deciding", "playing", "over")]
KNOWN = [(known, known) for known in ("known", "stale", "unknown")]


# --- Answers --------------------------------------------------------------------------------------------
class PlayedDayAnswer(serializers.Serializer):
    """A day with the numbers of its sessions; none where they have moved since it was decided on."""

    day = serializers.DateField()
    sessions = serializers.ListField(child=serializers.IntegerField())


class DaysAnswer(serializers.Serializer):
    """In order. `shown`: today, else the next, else the last; null for an event without sessions."""

    shown = serializers.DateField(allow_null=True)
    days = PlayedDayAnswer(many=True)


class JournalLineAnswer(serializers.Serializer):
    """A line of the journal: what changed in the feed, or what a person entered. `about`: the line that it corrects or
    `withdraws`. `counts`: no later line does that to it."""

    number = serializers.IntegerField()
    source = serializers.ChoiceField(choices=WeatherSource.choices)
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


class LookAnswer(serializers.Serializer):
    """Looks that gave the same, one after another. Only an `ok` one says what is in force."""

    source = serializers.ChoiceField(choices=WeatherSource.choices)
    state = serializers.ChoiceField(choices=FeedState.choices)
    why = serializers.CharField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    looks = serializers.IntegerField()
    by = serializers.CharField(source="by.username", default=None, allow_null=True)
    note = serializers.CharField()


class SpanAnswer(serializers.Serializer):
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


class ProposalAnswer(serializers.Serializer):
    """`outcome`: what would be decided if nothing changes, null while a person must look first. `proposed`: the same
    from the deadline on, null before it."""

    outcome = serializers.ChoiceField(choices=WeatherOutcome.choices, allow_null=True)
    proposed = serializers.ChoiceField(choices=WeatherOutcome.choices, allow_null=True)
    known = serializers.ChoiceField(choices=KNOWN)
    known_until = serializers.DateTimeField(allow_null=True)
    evidence = WeighedAnswer(many=True)


class DayDecisionAnswer(serializers.Serializer):
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


class GapAnswer(serializers.Serializer):
    """A time in which nobody looked."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()


class DayAnswer(serializers.Serializer):
    """A day as it stands at `now`. `seen` is what a decision is sent with, `last_line` what a look by hand is.

    `held_back`: numbers of sessions that were suspended before their start. `reading`: the last look at the feed;
    `good`: the last that says what is in force, a person's too. `decision`: the number of the one in force.
    """

    day = serializers.DateField()
    now = serializers.DateTimeField()
    phase = serializers.ChoiceField(choices=PHASES)
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


# --- Requests -------------------------------------------------------------------------------------------
class SignalRequest(Strict):
    """One signal as a whole, by its official times; `ended_at` left out while it lasts or is not known.

    With `about` it corrects that line of the journal; with `withdraws` that line was never so, for the reason in
    `note`.
    """

    code = Text(required=False, allow_blank=True, max_length=LONGEST_CODE)
    issued_at = Moment(required=False, allow_null=True)
    ended_at = Moment(required=False, allow_null=True)
    about = Whole(min_value=1, required=False, allow_null=True)
    withdraws = Truth(required=False)
    note = Text(required=False, allow_blank=True, max_length=services.LONGEST_NOTE)


class LookRequest(Strict):
    """At `at` a person looked, and the journal is right as it stands. `seen`: its last line then, 0 for none."""

    at = Moment()
    seen = Whole()
    note = Text(required=False, allow_blank=True, max_length=services.LONGEST_NOTE)


class DayDecisionRequest(Strict):
    """`seen` as it was read. A `reason` is needed wherever the outcome is not the one proposed.

    `decided_at`: of a day that has begun with nothing recorded, when it was decided, before the first check-in; then a
    `reason` is needed.
    """

    outcome = Choice(choices=WeatherOutcome.choices)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)
    seen = Text(max_length=DIGEST)
    decided_at = Moment(required=False, allow_null=True)


# --- As it is told --------------------------------------------------------------------------------------
def told(live: LiveDay) -> dict[str, Any]:
    """The day as it is answered."""
    decision = live.decision
    return {
        **{name: getattr(live, name) for name in ("day", "now", "phase", "first_check_in", "deadline", "ends_at")},
        "sessions": live.sessions,
        "held_back": [one.number for one in live.held_back],
        "stretches": [stretch(live, one) for one in live.stretches],
        "journal": journal(live),
        "reading": live.reading,
        "good": live.good,
        "blind": [{"since": since, "until": until} for since, until in live.blind],
        "proposal": proposal(live),
        "decision": decision.number if decision else None,
        "contradicted": bridge.contradicted(live),
        "decisions": live.decisions,
        "last_line": len(live.journal),
        "seen": seen_digest(live),
    }


def stretch(live: LiveDay, one: Stretch) -> dict[str, Any]:
    """A signal of the journal."""
    names = ("family", "vanished", "by_hand", "begun_by", "ended_by")
    return {
        "code": one.signal.code,
        "issued": one.signal.issued,
        "ended": one.signal.cancelled,
        **{name: getattr(one, name) for name in names},
        "stops_play": is_stop(one.signal.code),
        "in_force": one in live.in_force,
    }


def journal(live: LiveDay) -> list[Any]:
    """Every line, oldest first."""
    gone = superseded(bridge.observations(live.journal))
    for line in live.journal:
        line.counts = line.number not in gone
    return list(live.journal)


def proposal(live: LiveDay) -> dict[str, Any] | None:
    """What the rule says; None where the day has no sessions."""
    if live.proposal is None:
        return None
    return {
        "outcome": live.proposal.outcome,
        "proposed": bridge.proposed_of(live) or None,
        "known": live.proposal.known,
        "known_until": live.proposal.known_until,
        "evidence": [bridge.signal_facts(live, one) | times(one) for one in live.weighed],
    }


def times(one: Any) -> dict[str, Any]:
    """The signal's own moments, for the answer's fields."""
    return {"issued": one.signal.issued, "ended": one.signal.cancelled}


# --- Addresses ------------------------------------------------------------------------------------------
class Days(Resource):
    """Every day of play."""

    @reads("list_weather_days", "see_weather", _("The days of play"), DaysAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """As many queries for one as for ten."""
        sessions, days = queries.sessions_by_day(queries.all_sessions(found)), bridge.days_of(found)
        rows = [{"day": day, "sessions": [one.number for one in sessions.get(day, [])]} for day in days]
        return Answer({"shown": bridge.day_to_show(days, timezone.localdate()), "days": rows})


class DayResource(Resource):
    """What the addresses about one day share."""

    def find(self, day: str, **path: Any) -> LiveDay:
        """The day as it stands now."""
        try:
            found = bridge.live_day(self.event, date.fromisoformat(day), timezone.now()) if DAY.fullmatch(day) else None
        except ValueError:
            found = None
        if found is None:
            raise not_found()
        return found

    def members(self, refusal: Refused, found: LiveDay, given: Given) -> Mapping[str, Any]:
        """The day as it stands, where the refusal is about that."""
        if not isinstance(refusal.about, LiveDay):
            return {}
        now = told(self.find(day=found.day.isoformat()))
        differing = {"where": "seen", "mine": given.data["seen"], "theirs": now["seen"]}
        differences = [differing] if given.data["seen"] != now["seen"] else []
        return {"current": DayAnswer(now).data, "differences": differences}


class OneDay(DayResource):
    """One day."""

    @reads(
        "get_weather_day",
        "see_weather",
        _("A day's sky: signals, journal, proposal with evidence, decisions"),
        DayAnswer,
    )
    def get(self, found: LiveDay, asked: Any) -> Answer:
        """As it stands."""
        return Answer(told(found))


class Decisions(DayResource):
    """A day's decision."""

    @writes(
        "decide_weather",
        "decide_weather",
        _("Decide a day: played or called off"),
        DayAnswer,
        takes=DayDecisionRequest,
        status=201,
    )
    def post(self, found: LiveDay, given: Given) -> Answer:
        """Confirmed or overridden; the day's sessions follow it."""
        said = {"reason": "", **given.data}
        decide(self.event, found.day, by=given.by, request_key=given.key, **said)
        return Answer(told(self.find(day=found.day.isoformat())))


class JournalResource(Resource):
    """What the addresses about the journal share."""

    def members(self, refusal: Refused, found: Event, given: Given) -> Mapping[str, Any]:
        """How long the journal is by now, and the line that was corrected meanwhile."""
        if not isinstance(refusal, StaleVersion):
            return {}
        mine, where = (given.data["seen"], "seen") if "seen" in given.data else (given.data["about"], "about")
        last = found.weather_signals.count()
        current = JournalLineAnswer(refusal.about).data if where == "about" else {"last_line": last}
        return {"current": current, "differences": [{"where": where, "mine": mine, "theirs": last}]}


class Signals(JournalResource):
    """Signals by hand."""

    @writes(
        "enter_signal",
        "enter_weather",
        _("Enter a signal by hand, correct a line of the journal or withdraw it"),
        JournalLineAnswer,
        takes=SignalRequest,
        status=201,
    )
    def post(self, found: Event, given: Given) -> Answer:
        """A line that wins over the feed's."""
        return Answer(services.enter_signal(found, by=given.by, request_key=given.key, **given.data))


class Looks(JournalResource):
    """Looks by hand."""

    @writes(
        "look_at_sky",
        "enter_weather",
        _("Say that you looked, and that the journal is right as it stands"),
        LookAnswer,
        takes=LookRequest,
        status=201,
    )
    def post(self, found: Event, given: Given) -> Answer:
        """As good as a look at the feed."""
        return Answer(services.look_by_hand(found, by=given.by, request_key=given.key, **given.data))


urlpatterns = [
    path("weather/days/", Days.as_view(), name="api_weather_days"),
    path("weather/signals/", Signals.as_view(), name="api_enter_signal"),
    path("weather/looks/", Looks.as_view(), name="api_look_at_sky"),
    path("weather/days/<slug:day>/", OneDay.as_view(), name="api_weather_day"),
    path("weather/days/<slug:day>/decisions/", Decisions.as_view(), name="api_decide_weather"),
]

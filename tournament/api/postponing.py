"""Sessions that were stopped: held back, postponed, given new times, left to stand or played anew."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.events import SessionAnswer
from tournament.api.fields import Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.api.setup_final import Moment
from tournament.enums import ClockKind
from tournament.errors import Refused
from tournament.models import Event, Session
from tournament.queries import postponing as queries
from tournament.queries.seating import find_session
from tournament.services import postponing as services
from tournament.services import postponing_replay as replays
from tournament.services.postponing_times import NewTimes, set_times
from tournament.services.setup_plan import TIMES

LONGEST = 500
MOST_SESSIONS = 200


# --- Answers --------------------------------------------------------------------------------------------
class MovedSessionAnswer(SessionAnswer):
    """A session; `replays`: the number of the void one in whose place it is played."""

    replays = serializers.IntegerField(source="replays.number", default=None, allow_null=True)


class MovedSessionsAnswer(serializers.Serializer):
    """Those that were given new times; none for a second time."""

    sessions = MovedSessionAnswer(many=True)


class StopAnswer(serializers.Serializer):
    """What moved a session."""

    kind = serializers.ChoiceField(choices=ClockKind.choices)
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class MoveOfTimesAnswer(serializers.Serializer):
    """New times, and those before them: check_in_at, seating_at, play_at, ends_at."""

    before = serializers.DictField(child=serializers.CharField())
    after = serializers.DictField(child=serializers.CharField())
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class StoppedAnswer(serializers.Serializer):
    """One session that was stopped, or is played in the place of one. `withdrew` and `gave_up` since it was stopped;
    `sheets` begun, `signed` and finished `games` are of the session that was broken off. `replayed_by`: the number of
    the one that is played in its place."""

    session = MovedSessionAnswer()
    held_back = serializers.BooleanField(source="is_held")
    interrupted = serializers.BooleanField(source="is_interrupted")
    stands = serializers.BooleanField()
    may_be_brought_back = serializers.BooleanField()
    stopped_at = serializers.DateTimeField(allow_null=True)
    taking_part = serializers.IntegerField()
    withdrew = serializers.IntegerField()
    gave_up = serializers.IntegerField()
    tables = serializers.IntegerField()
    seats = serializers.IntegerField()
    sheets = serializers.IntegerField()
    signed = serializers.IntegerField()
    games = serializers.IntegerField()
    replayed_by = serializers.IntegerField(source="played_by.number", default=None, allow_null=True)
    events = StopAnswer(many=True)
    moves = MoveOfTimesAnswer(many=True)


class StoppedDayAnswer(serializers.Serializer):
    """The stopped sessions that were planned for one day; a replay stands behind what it replays."""

    day = serializers.DateField()
    sessions = StoppedAnswer(many=True)


class StoppedDaysAnswer(serializers.Serializer):
    """In order of the days that were planned."""

    days = StoppedDayAnswer(many=True)


# --- Requests -------------------------------------------------------------------------------------------
class WhyRequest(Strict):
    """Why."""

    reason = Text(max_length=LONGEST)


class MaybeWhyRequest(Strict):
    """Why, if that is to be kept."""

    reason = Text(required=False, allow_blank=True, max_length=LONGEST)


class SessionTimesRequest(Strict):
    """A postponed session, by number, and when it is to be."""

    session = Whole(min_value=1)
    check_in_at = Moment()
    seating_at = Moment()
    play_at = Moment()
    ends_at = Moment()


class NewTimesRequest(Strict):
    """New times of all that are postponed or of some, together or not at all."""

    sessions = SessionTimesRequest(many=True, allow_empty=False, max_length=MOST_SESSIONS)
    reason = Text(max_length=LONGEST)

    def validate_sessions(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Each once."""
        if len({one["session"] for one in given}) != len(given):
            raise serializers.ValidationError(gettext_lazy("A session stands here twice."), code="twice")
        return given


# --- Addresses ------------------------------------------------------------------------------------------
class StoppedSessions(Resource):
    """Every one."""

    @reads("list_stopped_sessions", "see_weather", _("Stopped sessions by day"), StoppedDaysAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """As many queries for one as for ten."""
        return Answer({"days": queries.stopped_days(found, timezone.now())})


def as_they_stand() -> QuerySet[Session]:
    """With all that is told of them."""
    return Session.objects.select_related("stage__event", "replays")


class NewTimesOfSessions(Resource):
    """What was postponed is planned again."""

    def members(self, refusal: Refused, found: Event, given: Given) -> Mapping[str, Any]:
        """Every fault at its session."""
        if refusal.code != "times_refused":
            return {}
        faults = [
            {
                "where": f"sessions[{fault.row or 0}].{fault.field}",
                "code": "time_refused",
                "sentence": gettext(fault.sentence) % fault.facts,
            }
            for fault in refusal.about
        ]
        return {"faults": faults}

    @writes(
        "set_session_times",
        "decide_weather",
        _("Give postponed sessions new times"),
        MovedSessionsAnswer,
        takes=NewTimesRequest,
    )
    def post(self, found: Event, given: Given) -> Answer:
        """Numbers, seats and papers stay."""
        keys = dict(queries.sessions_of(found).values_list("number", "pk"))
        wanted = []
        for one in given.data["sessions"]:
            if one["session"] not in keys:
                raise not_found()
            wanted.append(NewTimes(keys[one["session"]], **{name: one[name] for name in TIMES}))
        changed = set_times(found, wanted, reason=given.data["reason"], by=given.by)
        return Answer({"sessions": as_they_stand().filter(pk__in=[one.pk for one in changed]).order_by("number")})


class SessionResource(Resource):
    """What the addresses about one session share."""

    def find(self, session: int, **path: Any) -> Session:
        """The event's session of this number."""
        found = find_session(self.event, session)
        if found is None:
            raise not_found()
        return found

    def told(self, session: Session) -> Answer:
        """As it stands now."""
        return Answer(as_they_stand().get(pk=session.pk))


class Holding(SessionResource):
    """Before its start."""

    @writes("hold_session", "move_session", _("Hold a session back"), MovedSessionAnswer, takes=WhyRequest)
    def post(self, found: Session, given: Given) -> Answer:
        """Until it goes on as planned."""
        services.hold([found], by=given.by, **given.data)
        return self.told(found)


class GoingOn(SessionResource):
    """Held back no more."""

    @writes(
        "unhold_session",
        "move_session",
        _("Let a session that was held back go on as planned"),
        MovedSessionAnswer,
        takes=MaybeWhyRequest,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """As planned."""
        services.unhold([found], by=given.by, **given.data)
        return self.told(found)


class Postponing(SessionResource):
    """Put off."""

    @writes("postpone_session", "decide_weather", _("Postpone a session"), MovedSessionAnswer, takes=WhyRequest)
    def post(self, found: Session, given: Given) -> Answer:
        """Until it gets new times."""
        services.postpone([found], by=given.by, **given.data)
        return self.told(found)


class BringingBack(SessionResource):
    """Held after all."""

    @writes(
        "bring_back_session",
        "decide_weather",
        _("Hold a postponed session after all, at the times that it has"),
        MovedSessionAnswer,
        takes=MaybeWhyRequest,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """At its old times."""
        services.bring_back([found], by=given.by, **given.data)
        return self.told(found)


class Standing(SessionResource):
    """Broken off, what was finished counts."""

    @writes(
        "let_session_stand",
        "decide_weather",
        _("Let the finished games of a session that was broken off count"),
        MovedSessionAnswer,
        takes=WhyRequest,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """Its sheets are completed as usual."""
        return self.told(replays.let_stand(found, by=given.by, **given.data))


class Replaying(SessionResource):
    """Broken off, all of it is played anew."""

    @writes(
        "replay_session",
        "decide_weather",
        _("Declare a session that was broken off void; another is played in its place"),
        MovedSessionAnswer,
        takes=WhyRequest,
        status=201,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """The new one."""
        return self.told(replays.replay(found, by=given.by, **given.data))


class Undeciding(SessionResource):
    """Either is taken back."""

    @writes(
        "undecide_session",
        "decide_weather",
        _("Take back what was decided about a session that was broken off"),
        MovedSessionAnswer,
        takes=MaybeWhyRequest,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """Suspended again."""
        return self.told(replays.undecide(found, by=given.by, **given.data))


SESSION = "sessions/<int:session>/"
urlpatterns = [
    path("stopped-sessions/", StoppedSessions.as_view(), name="api_stopped_sessions"),
    path("stopped-sessions/times/", NewTimesOfSessions.as_view(), name="api_set_session_times"),
    path(f"{SESSION}hold/", Holding.as_view(), name="api_hold_session"),
    path(f"{SESSION}unhold/", GoingOn.as_view(), name="api_unhold_session"),
    path(f"{SESSION}postpone/", Postponing.as_view(), name="api_postpone_session"),
    path(f"{SESSION}bring-back/", BringingBack.as_view(), name="api_bring_back_session"),
    path(f"{SESSION}let-stand/", Standing.as_view(), name="api_let_session_stand"),
    path(f"{SESSION}replay/", Replaying.as_view(), name="api_replay_session"),
    path(f"{SESSION}undecide/", Undeciding.as_view(), name="api_undecide_session"),
]

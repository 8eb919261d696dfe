"""Sessions that were stopped: held back, postponed, given new times, left to stand or played anew."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.decisions import WaitingAnswer
from tournament.api.errors import not_found
from tournament.api.events import SessionAnswer
from tournament.api.fields import Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.proposals import WaitingActAnswer
from tournament.api.resource import Resource, reads, writes
from tournament.api.setup_final import Moment
from tournament.enums import ClockKind, LifeStage
from tournament.errors import Refused
from tournament.models import Event, Proposal, Session
from tournament.queries import postponing as queries
from tournament.queries.seating import find_session
from tournament.services import postponing as services
from tournament.services import postponing_replay as replays
from tournament.services import postponing_second as second_person
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
    """One session that was stopped, or is played in the place of one. `life`: how far it has come by clock, sheets,
    papers and seats. `withdrew` and `gave_up` since it was stopped;
    `sheets` begun, `signed` and finished `games` are of the session that was broken off. `locked`: sheets that count,
    or would again; where there are any, two people decide of a replay and of its end, and `waiting` is what one of them
    has proposed. `replayed_by`: the number of the one that is played in its place."""

    session = MovedSessionAnswer()
    life = serializers.ChoiceField(choices=LifeStage.choices, source="life.stage")
    may_be_decided = serializers.BooleanField(source="life.may_be_decided")
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
    locked = serializers.IntegerField()
    waiting = WaitingAnswer(allow_null=True)
    replayed_by = serializers.IntegerField(source="played_by.number", default=None, allow_null=True)
    events = StopAnswer(many=True)
    moves = MoveOfTimesAnswer(many=True)


class StoppedDayAnswer(serializers.Serializer):
    """The stopped sessions that were planned for one day; a replay stands behind what it replays."""

    day = serializers.DateField()
    sessions = StoppedAnswer(many=True)


class StoppedDaysAnswer(serializers.Serializer):
    """In order of the days that were planned. `under_way`: sessions that nobody has stopped and whose sheets come in
    while their clocks were never pressed; they may be decided about too."""

    days = StoppedDayAnswer(many=True)
    under_way = StoppedAnswer(many=True)


class ProposedReplayAnswer(serializers.Serializer):
    """What one organiser has proposed about a session. `sheets`, `games`: that would no longer count or, where
    `counts_again`, would again; null once it is answered. `outdated`: the session has changed since."""

    proposal = WaitingActAnswer()
    session = serializers.IntegerField(allow_null=True)
    counts_again = serializers.BooleanField()
    sheets = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    outdated = serializers.BooleanField()


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
        days = queries.stopped_days(found, timezone.now())
        return Answer({"days": days, "under_way": queries.under_way(found)})


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

    def done_or_waiting(self, found: Session, made: Session | Proposal) -> Answer:
        """What was made of it; the session as it was (202) where a second person agrees first."""
        if isinstance(made, Proposal):
            return Answer(as_they_stand().get(pk=found.pk), status=202)
        return self.told(made)


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
        waits=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """The new one; with signed sheets the session as it is, until a second person agrees."""
        return self.done_or_waiting(found, replays.replay(found, by=given.by, **given.data))


class Undeciding(SessionResource):
    """Either is taken back."""

    @writes(
        "undecide_session",
        "decide_weather",
        _("Take back what was decided about a session that was broken off"),
        MovedSessionAnswer,
        takes=MaybeWhyRequest,
        waits=True,
    )
    def post(self, found: Session, given: Given) -> Answer:
        """Suspended again; where signed sheets would count again, once a second person agrees."""
        return self.done_or_waiting(found, replays.undecide(found, by=given.by, **given.data))


class ProposedReplay(Resource):
    """What waits for a second person about a session with signed sheets."""

    def find(self, replay: int, **path: Any) -> Proposal:
        """Of these acts alone."""
        found = second_person.find(self.event, replay)
        if found is None:
            raise not_found()
        return found

    @reads("get_proposed_replay", "see_proposals", _("A proposed replay, or its end"), ProposedReplayAnswer)
    def get(self, found: Proposal, asked: Any) -> Answer:
        """With its effect."""
        return Answer(effect_of(found))

    @writes("agree_to_replay", "answer_proposal", _("Agree to a replay, or to its end"), WaitingActAnswer)
    def post(self, found: Proposal, given: Given) -> Answer:
        """By another account than its author's."""
        replays.agree(self.event, found.pk, by=given.by)
        return Answer(second_person.find(self.event, found.pk))


def effect_of(found: Proposal) -> dict[str, Any]:
    """What it would do now; nothing of an answered one."""
    again = found.act == second_person.UNDECIDE
    facts: dict[str, Any] = {"proposal": found, "counts_again": again, "outdated": False}
    if found.outcome:
        return facts | dict.fromkeys(("session", "sheets", "games"))
    shown = second_person.shown(found)
    facts |= {"session": shown.session.number, "outdated": shown.outdated}
    return facts | {"sheets": shown.locked.sheets, "games": shown.locked.games}


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
    path("proposals/<int:replay>/session/", ProposedReplay.as_view(), name="api_proposed_replay"),
]

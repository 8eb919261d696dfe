"""Sessions that were stopped: held back, postponed, given new times, left to stand or played anew."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.response import Response

from tournament.accounts.models import Proposal
from tournament.api.errors import found_or_404
from tournament.api.fields import (
    EventDateTimeField,
    MaybeReasonRequest,
    ReasonRequest,
    StrictBody,
    StrictIntegerField,
)
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.api.waiting import WaitingActAnswer
from tournament.core.enums import ClockKind, LifeStage
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.api import SessionAnswer
from tournament.setup.services.plan import PLANNED_TIME_FIELDS
from tournament.stages.api.decisions import WaitingAnswer
from tournament.tables.api import SessionViewSet
from tournament.weather.queries import postponing as queries
from tournament.weather.services import postponing as services
from tournament.weather.services import postponing_replay as replays
from tournament.weather.services import postponing_second as second_person
from tournament.weather.services.postponing_times import NewTimes, set_times

NEW_TIMES_MAX_SESSIONS = 200


class MovedSessionAnswer(SessionAnswer):
    """A session; `replays`: the number of the void one in whose place it is played."""

    replays = serializers.IntegerField(source="replays.number", default=None, allow_null=True)


class MovedSessionsAnswer(serializers.Serializer[Any]):
    sessions = MovedSessionAnswer(many=True)


class StopAnswer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=ClockKind.choices)
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class MoveOfTimesAnswer(serializers.Serializer[Any]):
    """New times, and those before them: check_in_at, seating_at, play_at, ends_at."""

    before = serializers.DictField(child=serializers.CharField())
    after = serializers.DictField(child=serializers.CharField())
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class StoppedAnswer(serializers.Serializer[Any]):
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


class StoppedDayAnswer(serializers.Serializer[Any]):
    """The stopped sessions that were planned for one day; a replay stands behind what it replays."""

    day = serializers.DateField()
    sessions = StoppedAnswer(many=True)


class StoppedDaysAnswer(serializers.Serializer[Any]):
    """In order of the days that were planned. `under_way`: sessions that nobody has stopped and whose sheets come in
    while their clocks were never pressed; they may be decided about too."""

    days = StoppedDayAnswer(many=True)
    under_way = StoppedAnswer(many=True)


class ProposedReplayAnswer(serializers.Serializer[Any]):
    """What one organiser has proposed about a session. `sheets`, `games`: that would no longer count or, where
    `counts_again`, would again; null once it is answered. `outdated`: the session has changed since."""

    proposal = WaitingActAnswer()
    session = serializers.IntegerField(allow_null=True)
    counts_again = serializers.BooleanField()
    sheets = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField(allow_null=True)
    outdated = serializers.BooleanField()


class SessionTimesRequest(StrictBody):
    session = StrictIntegerField(min_value=1)
    check_in_at = EventDateTimeField()
    seating_at = EventDateTimeField()
    play_at = EventDateTimeField()
    ends_at = EventDateTimeField()


class NewTimesRequest(ReasonRequest):
    sessions = serializers.ListSerializer[Any](
        child=SessionTimesRequest(), allow_empty=False, max_length=NEW_TIMES_MAX_SESSIONS
    )

    def validate_sessions(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({one["session"] for one in given}) != len(given):
            raise serializers.ValidationError(gettext_lazy("A session stands here twice."), code="twice")
        return given


class StoppedSessionListViewSet(EventViewSet):
    chapter = "postponing"

    def members(self, refusal: Refused, found: Event, given: RequestData) -> Mapping[str, Any]:
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

    @reads("/", "see_weather", _("Stopped sessions by day"), StoppedDaysAnswer)
    def list_stopped_sessions(self, event: Event) -> dict[str, Any]:
        days = queries.stopped_days(event, timezone.now())
        return {"days": days, "under_way": queries.unpressed_sessions_in_play(event)}

    @changes("/times/", "decide_weather", _("Give postponed sessions new times"), NewTimesRequest, MovedSessionsAnswer)
    def set_session_times(self, event: Event, given: RequestData) -> dict[str, Any]:
        keys = dict(queries.sessions_of_any_state(event).values_list("number", "pk"))
        wanted = [
            NewTimes(found_or_404(keys.get(one["session"])), **{name: one[name] for name in PLANNED_TIME_FIELDS})
            for one in given.data["sessions"]
        ]
        changed = set_times(event, wanted, reason=given.data["reason"], by=given.by)
        return {"sessions": session_rows_query().filter(pk__in=[one.pk for one in changed]).order_by("number")}


def session_rows_query() -> QuerySet[Session]:
    return Session.objects.select_related("stage__event", "replays")


class StoppedSessionViewSet(SessionViewSet):
    """Held back, postponed, left to stand, played anew, and each taken back."""

    chapter = "postponing"
    serializer_class = MovedSessionAnswer

    def told(self, session: Session) -> Session:
        return session_rows_query().get(pk=session.pk)

    def done_or_waiting(self, found: Session, made: Session | Proposal, status: int = 200) -> Response:
        """What was made of it; the session as it was (202) where a second person agrees first."""
        if isinstance(made, Proposal):
            return self.respond(self.told(found), 202)
        return self.respond(self.told(made), status)

    @changes("/hold/", "move_session", _("Hold a session back"), ReasonRequest)
    def hold_session(self, session: Session, given: RequestData) -> None:
        services.hold_sessions([session], **given.sent)

    @changes("/unhold/", "move_session", _("Let a session that was held back go on as planned"), MaybeReasonRequest)
    def unhold_session(self, session: Session, given: RequestData) -> None:
        services.unhold_sessions([session], **given.sent)

    @changes("/postpone/", "decide_weather", _("Postpone a session"), ReasonRequest)
    def postpone_session(self, session: Session, given: RequestData) -> None:
        services.postpone_sessions([session], **given.sent)

    @changes(
        "/bring-back/",
        "decide_weather",
        _("Hold a postponed session after all, at the times that it has"),
        MaybeReasonRequest,
    )
    def bring_back_session(self, session: Session, given: RequestData) -> None:
        services.bring_back_sessions([session], **given.sent)

    @changes(
        "/let-stand/",
        "decide_weather",
        _("Let the finished games of a session that was broken off count"),
        ReasonRequest,
    )
    def let_session_stand(self, session: Session, given: RequestData) -> None:
        replays.keep_session_results(session, **given.sent)

    @changes(
        "/replay/",
        "decide_weather",
        _("Declare a session that was broken off void; another is played in its place"),
        ReasonRequest,
        status=201,
        waits=True,
    )
    def replay_session(self, session: Session, given: RequestData) -> Response:
        """The new one; with signed sheets the session as it is, until a second person agrees."""
        return self.done_or_waiting(session, replays.replay_session(session, **given.sent), 201)

    @changes(
        "/undecide/",
        "decide_weather",
        _("Take back what was decided about a session that was broken off"),
        MaybeReasonRequest,
        waits=True,
    )
    def undecide_session(self, session: Session, given: RequestData) -> Response:
        """Suspended again; where signed sheets would count again, once a second person agrees."""
        return self.done_or_waiting(session, replays.revert_session_decision(session, **given.sent))


class ProposedReplayViewSet(EventViewSet):
    """What waits for a second person about a session with signed sheets."""

    chapter = "postponing"

    def get_object(self) -> Proposal:
        return found_or_404(second_person.find_replay_proposal(self.event, self.kwargs["replay"]))

    @reads("/session/", "see_proposals", _("A proposed replay, or its end"), ProposedReplayAnswer)
    def get_proposed_replay(self, proposal: Proposal) -> dict[str, Any]:
        return serialize_replay_effect(proposal)

    @get_proposed_replay.mapping.post
    @changes("", "answer_proposal", _("Agree to a replay, or to its end"), gives=WaitingActAnswer)
    def agree_to_replay(self, proposal: Proposal, given: RequestData) -> None:
        replays.agree_replay(self.event, proposal.pk, **given.sent)


def serialize_replay_effect(found: Proposal) -> dict[str, Any]:
    """What it would do now; nothing of an answered one."""
    again = found.act == second_person.REVERT_DECISION_ACT
    facts: dict[str, Any] = {"proposal": found, "counts_again": again, "outdated": False}
    if found.outcome:
        return facts | dict.fromkeys(("session", "sheets", "games"))
    shown = second_person.replay_effect(found)
    facts |= {"session": shown.session.number, "outdated": shown.outdated}
    return facts | {"sheets": shown.locked.sheets, "games": shown.locked.games}

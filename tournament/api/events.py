"""The account's events and their sessions."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.keys import Answer
from tournament.api.resource import Resource, reads
from tournament.enums import Role, SessionState, StageKind
from tournament.models import Event, Membership
from tournament.queries.setup import sessions_of_event


class StageAnswer(serializers.Serializer):
    """A stage with its rules: a preset's name, or a base with what differs. A final may have several `rounds`, each a
    session of its own; `frozen_at`: since when its finalists are fixed."""

    kind = serializers.ChoiceField(choices=StageKind.choices)
    ruleset = serializers.JSONField()
    advance = serializers.IntegerField(allow_null=True)
    rounds = serializers.IntegerField()
    frozen_at = serializers.DateTimeField(allow_null=True)


class EventAnswer(serializers.Serializer):
    """An event and the roles that the account has there. `contact`: how families reach the organiser. `rehearsal`: a
    copy to practise on, in no public list; `several_pairs`: a person may be in more than one declared pair of child and
    parent."""

    slug = serializers.CharField()
    name_zh = serializers.CharField()
    name_en = serializers.CharField()
    venue_zh = serializers.CharField()
    venue_en = serializers.CharField()
    contact = serializers.CharField()
    rehearsal = serializers.BooleanField()
    quota = serializers.IntegerField()
    several_pairs = serializers.BooleanField()
    results_at = serializers.DateTimeField()
    retention_on = serializers.DateField(allow_null=True)
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))
    stages = StageAnswer(many=True)


class EventsAnswer(serializers.Serializer):
    """All of them."""

    events = EventAnswer(many=True)


class SessionAnswer(serializers.Serializer):
    """A session 場; `code` is the first part of its sheets' serials. Numbers run over the event, the final's last.
    `known_number_of_day`: of a replay, the number of the day that its families know, 第一場（重賽）; else null."""

    number = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=StageKind.choices, source="stage.kind")
    code = serializers.CharField()
    date = serializers.DateField(source="original_date")
    number_of_day = serializers.IntegerField()
    known_number_of_day = serializers.IntegerField(allow_null=True)
    check_in_at = serializers.DateTimeField()
    seating_at = serializers.DateTimeField()
    play_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    table_count = serializers.IntegerField()
    capacity = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SessionState.choices)


class SessionsAnswer(serializers.Serializer):
    """Those of the preliminary and then of the final; of a final whose date is to be announced there are none."""

    sessions = SessionAnswer(many=True)


def of_account(user: Any) -> QuerySet[Event]:
    """The account's events with their stages and its own roles; three queries."""
    own = Membership.objects.filter(user=user).order_by("id")
    return (
        Event.objects.filter(pk__in=own.values("event"))
        .prefetch_related("stages", Prefetch("memberships", queryset=own, to_attr="own"))
        .order_by("slug")
    )


def told(event: Event) -> Event:
    """The event as it is answered."""
    event.roles = [membership.role for membership in event.own]
    return event


class Events(Resource):
    """Mine."""

    def find(self, **path: Any) -> Any:
        """No single event."""
        return None

    @reads("list_events", "", _("The events at which you have a role"), EventsAnswer)
    def get(self, found: Any, asked: Any) -> Answer:
        """All of them."""
        return Answer({"events": [told(event) for event in of_account(self.request.user)]})


class OneEvent(Resource):
    """One of mine."""

    @reads("get_event", "see_desk", _("One event"), EventAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """As it stands."""
        return Answer(told(of_account(self.request.user).get(pk=found.pk)))


class Sessions(Resource):
    """The sessions of both stages."""

    @reads("list_sessions", "see_desk", _("The sessions of an event"), SessionsAnswer)
    def get(self, found: Event, asked: Any) -> Answer:
        """In order."""
        return Answer({"sessions": sessions_of_event(found)})


urlpatterns = [
    path("events/", Events.as_view(), name="api_events"),
    path("events/<slug:event>/", OneEvent.as_view(), name="api_event"),
    path("events/<slug:event>/sessions/", Sessions.as_view(), name="api_sessions"),
]

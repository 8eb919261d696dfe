"""The account's events and their sessions."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.operations import reads
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import Role, SessionState, StageKind
from tournament.core.models.event import Event, Membership
from tournament.events.queries import sessions_of_event


class StageAnswer(serializers.Serializer[Any]):
    """A stage with its rules: a preset's name, or a base with what differs. A final may have several `rounds`, each a
    session of its own; `frozen_at`: since when its finalists are fixed."""

    kind = serializers.ChoiceField(choices=StageKind.choices)
    ruleset = serializers.JSONField()
    advance = serializers.IntegerField(allow_null=True)
    rounds = serializers.IntegerField()
    frozen_at = serializers.DateTimeField(allow_null=True)


class EventAnswer(serializers.Serializer[Any]):
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


class EventsAnswer(serializers.Serializer[Any]):
    events = EventAnswer(many=True)


class SessionAnswer(serializers.Serializer[Any]):
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


class SessionsAnswer(serializers.Serializer[Any]):
    """Those of the preliminary and then of the final; of a final whose date is to be announced there are none."""

    sessions = SessionAnswer(many=True)


class EventDetailViewSet(EventViewSet):
    chapter = "events"

    def get_object(self) -> Any:
        return getattr(self, "event", None)

    def own_events(self) -> QuerySet[Event]:
        """With their stages and roles; three queries."""
        own = Membership.objects.filter(user=self.account).order_by("id")
        held = Prefetch("memberships", queryset=own, to_attr="own")
        return Event.objects.filter(pk__in=own.values("event")).prefetch_related("stages", held).order_by("slug")

    @reads("/", "", _("The events at which you have a role"), EventsAnswer)
    def list_events(self, found: None) -> dict[str, Any]:
        return {"events": [with_account_roles(event) for event in self.own_events()]}

    @reads("/<slug:event>/", "see_desk", _("One event"), EventAnswer)
    def get_event(self, event: Event) -> Event:
        found: Event = with_account_roles(self.own_events().get(pk=event.pk))
        return found

    @reads("/<slug:event>/sessions/", "see_desk", _("The sessions of an event"), SessionsAnswer)
    def list_sessions(self, event: Event) -> dict[str, Any]:
        return {"sessions": sessions_of_event(event)}


def with_account_roles(event: Any) -> Any:
    event.roles = [membership.role for membership in event.own]
    return event

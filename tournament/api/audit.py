"""The audit log: who did what, when and why, in the order of its chain."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import Page, Text
from tournament.api.keys import Answer
from tournament.api.resource import Resource, reads
from tournament.models import AuditEntry, Event


class EntryAnswer(serializers.Serializer):
    """One act; `hash` closes over it and `prev`."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor.username", default=None, allow_null=True)
    action = serializers.CharField()
    thing = serializers.CharField()
    revision_before = serializers.IntegerField(allow_null=True)
    revision_after = serializers.IntegerField(allow_null=True)
    digest_before = serializers.CharField()
    digest_after = serializers.CharField()
    reason = serializers.CharField()
    request_key = serializers.CharField()
    prev = serializers.CharField()
    hash = serializers.CharField()


class AuditAnswer(serializers.Serializer):
    """A part of the log: `count` entries fit what was asked, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    entries = EntryAnswer(many=True)


class AuditAsked(Page):
    """`thing` as the log writes it: scoresheet 0406-3-06 v1."""

    thing = Text(required=False, max_length=80, allow_blank=True)


class Audit(Resource):
    """The event's log."""

    @reads("list_audit", "see_audit", _("The audit log"), AuditAnswer, asks=AuditAsked)
    def get(self, found: Event, asked: Mapping[str, Any]) -> Answer:
        """Oldest first, a part at a time."""
        entries = AuditEntry.objects.filter(event=found).select_related("actor").order_by("seq")
        if asked.get("thing"):
            entries = entries.filter(thing=asked["thing"])
        limit = asked["limit"]
        rows = list(entries.filter(seq__gt=asked["after"])[: limit + 1])
        following = rows[limit - 1].seq if len(rows) > limit else None
        return Answer({"count": entries.count(), "next": following, "entries": rows[:limit]})


urlpatterns = [path("audit/", Audit.as_view(), name="api_audit")]

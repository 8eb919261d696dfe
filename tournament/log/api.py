"""The audit log: who did what, when and why, in the order of its chain."""

from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import PageParams, PlainTextField, page_of
from tournament.api.operations import reads
from tournament.api.viewsets import EventViewSet
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event


class EntryAnswer(serializers.Serializer[Any]):
    """One act; `hash` closes over it and `prev`."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor.username", default=None, allow_null=True)
    action = serializers.CharField()
    thing = serializers.CharField(source="subject")
    revision_before = serializers.IntegerField(allow_null=True)
    revision_after = serializers.IntegerField(allow_null=True)
    digest_before = serializers.CharField()
    digest_after = serializers.CharField()
    reason = serializers.CharField()
    details = serializers.DictField()
    request_key = serializers.CharField()
    prev = serializers.CharField()
    hash = serializers.CharField()


class AuditAnswer(serializers.Serializer[Any]):
    """A part of the log: `count` entries fit what was asked, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    entries = EntryAnswer(many=True)


class AuditQueryParams(PageParams):
    """`thing` as the log writes it: scoresheet 0406-3-06 v1."""

    thing = PlainTextField(required=False, max_length=80, allow_blank=True)


class AuditLogViewSet(EventViewSet):
    chapter = "audit"

    @reads("/", "see_audit", _("The audit log"), AuditAnswer, asks=AuditQueryParams)
    def list_audit(self, event: Event, *, after: int, limit: int, thing: str = "") -> dict[str, Any]:
        entries = AuditEntry.objects.filter(event=event).select_related("actor").order_by("seq")
        if thing:
            entries = entries.filter(subject=thing)
        rows, following = page_of(entries, "seq", after, limit)
        return {"count": entries.count(), "next": following, "entries": rows}

"""The answer of an operation that waits for a second person."""

from typing import Any

from rest_framework import serializers


class WaitingActAnswer(serializers.Serializer[Any]):
    """One proposal without what is in it; `outcome` is empty while it is open."""

    number = serializers.IntegerField(source="pk")
    act = serializers.CharField()
    subject = serializers.CharField()
    reason = serializers.CharField()
    proposed_by = serializers.CharField(source="proposed_by.username")
    proposed_at = serializers.DateTimeField()
    outcome = serializers.CharField()
    closed_by = serializers.CharField(source="closed_by.username", default=None, allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    closing_reason = serializers.CharField()

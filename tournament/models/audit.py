"""The audit log: a hash chain an event, and the keys of the requests that were carried out."""

from django.conf import settings
from django.db import models

from tournament.models.event import Event


class AuditHead(models.Model):
    """The last link of an event's chain; its row is the lock that keeps the counter free of gaps."""

    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="audit_head")
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="0" * 64)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.seq}"


class AuditEntry(models.Model):
    """One act: who, when, what, on what, why. Written by the service that does it, in its transaction."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="audit_entries")
    seq = models.PositiveBigIntegerField()
    prev = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    canon_version = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=40)
    thing = models.CharField(max_length=80, help_text="scoresheet 0406-3-06 v1, entrant 0302, session 0406-3 ...")
    revision_before = models.PositiveIntegerField(null=True)
    revision_after = models.PositiveIntegerField(null=True)
    digest_before = models.CharField(max_length=64, blank=True)
    digest_after = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    request_key = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["event_id", "seq"]
        constraints = [models.UniqueConstraint(fields=["event", "seq"], name="audit_seq_once")]
        indexes = [models.Index(fields=["event", "thing"], name="audit_thing")]

    def __str__(self) -> str:
        return f"{self.seq} {self.action}"


class RequestKey(models.Model):
    """A request that was carried out, by its idempotency key: sent again it gets the same answer and does nothing."""

    scope = models.CharField(max_length=64, help_text="user:ID, later device:ID")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of the act and its payload")
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="request_key_once")]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"

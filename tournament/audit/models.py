"""The audit log: a hash chain an event, and the keys of the requests that were carried out.

The payload of an entry is the list of what its transaction wrote, one item a row of a recorded model:

    {"model": "entrant", "pk": 12, "before": "SHA-256", "record": {"number": 287, "session_id": 3, ...}}

`record` is the row as it was left (core/models/evidence.py says which fields, and which of them only as a keyed
digest); None: the row was deleted. `before` is the SHA-256 of the canonical JSON of the record as it was before; None:
there was no such row. The items are in the order of model and key. An entry whose act wrote no recorded row has none.
"""

from secrets import token_hex

from django.conf import settings
from django.db import models

from tournament.core.models.event import Event


class AuditHead(models.Model):
    """The last link of an event's chain; its row is the lock that keeps the counter free of gaps."""

    event = models.OneToOneField(Event, on_delete=models.PROTECT, related_name="audit_head")
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="0" * 64)
    salt = models.CharField(max_length=64, default=token_hex, help_text="of the keyed digests in the event's payloads")

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
    subject = models.CharField(max_length=80, help_text="scoresheet 0406-3-06 v1, entrant 0302, session 0406-3 ...")
    revision_before = models.PositiveIntegerField(null=True)
    revision_after = models.PositiveIntegerField(null=True)
    digest_before = models.CharField(max_length=64, blank=True)
    digest_after = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict, help_text="what the program says of the act: codes, numbers, references")
    request_key = models.CharField(max_length=64, blank=True)
    payload = models.JSONField(default=list, help_text="what was written: see above")

    class Meta:
        ordering = ["event_id", "seq"]
        constraints = [models.UniqueConstraint(fields=["event", "seq"], name="audit_seq_once")]
        indexes = [models.Index(fields=["event", "subject"], name="audit_subject")]

    def __str__(self) -> str:
        return f"{self.seq} {self.action}"

"""The key of a request that was carried out, so that the same request does nothing twice."""

from django.db import models


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

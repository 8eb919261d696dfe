"""A token with which a program speaks for an account; the row keeps its SHA-256 alone."""

from django.conf import settings
from django.db import models

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class ApiToken(Recorded):
    """One bearer token of an account. Shown once when made; looked up here on every request, so that revoking
    is at once."""

    recorded = Evidence.of_account("digest", exempt={"last_used_at": "when it was last used decides nothing"})

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60, help_text="what uses it")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hexadecimal")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, help_text="to the minute")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["user_id", "id"]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"

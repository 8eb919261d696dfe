"""Tokens of the API: made once, kept as a digest, revoked from one request to the next."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.api.models import ApiToken
from tournament.audit import services
from tournament.core.errors import BadInput
from tournament.core.models.event import Event, Membership

API_TOKEN_BYTES = 32
API_TOKEN_DEFAULT_DAYS = 90
API_TOKEN_MAX_DAYS = 366
API_TOKEN_NAME_MAX_LENGTH = 60
USED_EVERY = timedelta(minutes=1)


def api_token_digest(text: str) -> str:
    """What a row keeps of a token. 256 bits of chance need no salt and no slow hash."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def make_token(
    user: User, *, name: str, days: int = API_TOKEN_DEFAULT_DAYS, now: datetime | None = None
) -> tuple[ApiToken, str]:
    """A new token of this account: its row, and the text that is shown this once.

    1. the name and how many days it holds; 2. the row; 3. an audit entry at each event of the account.
    """
    name = name.strip()
    if not name or len(name) > API_TOKEN_NAME_MAX_LENGTH:
        raise BadInput("token_name_missing", _("Give the token a name of at most 60 characters: what will use it."))
    if not 1 <= days <= API_TOKEN_MAX_DAYS:
        raise BadInput("token_days", _("A token holds for 1 to 366 days."))
    now = now or timezone.now()
    text = f"rk_{secrets.token_urlsafe(API_TOKEN_BYTES)}"
    token = ApiToken.objects.create(
        user=user, name=name, digest=api_token_digest(text), created_at=now, expires_at=now + timedelta(days=days)
    )
    record_token_act(token, "make_token")
    return token, text


@transaction.atomic
def revoke_tokens(user: User, *, name: str = "", now: datetime | None = None) -> int:
    """Revoke this account's tokens, or those of one name; how many were still in force. Again: none.

    1. compare-and-swap on "not revoked"; 2. an audit entry at each event of the account.
    """
    rows = ApiToken.objects.filter(user=user, revoked_at=None, **({"name": name} if name else {}))
    return sum(revoke_token(token, now) for token in rows)


@transaction.atomic
def revoke_token(token: ApiToken, now: datetime | None = None) -> bool:
    """End one token; whether it still held. Again: nothing to do."""
    ended = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now or timezone.now())
    if ended:
        record_token_act(token, "revoke_token")
    return bool(ended)


def record_token_act(token: ApiToken, action: str) -> None:
    """The act in the log of every event at which the account has accepted a role."""
    held = Membership.granted.filter(user=token.user, awaits_acceptance=False)
    for event in Event.objects.filter(pk__in=held.values("event")).order_by("pk"):
        services.append_audit_entry(event, token.user, action, f"account {token.user_id} token {token.pk}")


def account_of_api_token(text: str, now: datetime | None = None) -> User | None:
    """Whose token this is, if it holds now: known, neither expired nor revoked, its account open. Notes the use."""
    now = now or timezone.now()
    token = ApiToken.objects.select_related("user").filter(digest=api_token_digest(text)).first()
    if token is None or token.revoked_at or token.expires_at <= now or not token.user.is_active:
        return None
    if token.last_used_at is None or now - token.last_used_at >= USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token.user

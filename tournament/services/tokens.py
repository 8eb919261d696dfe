"""Tokens of the API: made once, kept as a digest, revoked from one request to the next."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput
from tournament.models import ApiToken, Event, Membership
from tournament.services import audit

BYTES = 32
DAYS = 90
MOST_DAYS = 366
LONGEST_NAME = 60
USED_EVERY = timedelta(minutes=1)


def digest_of(text: str) -> str:
    """What a row keeps of a token. 256 bits of chance need no salt and no slow hash."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def make_token(user: AbstractUser, *, name: str, days: int = DAYS, now: datetime | None = None) -> tuple[ApiToken, str]:
    """A new token of this account: its row, and the text that is shown this once.

    1. the name and how many days it holds; 2. the row; 3. an audit entry at each event of the account.
    """
    name = name.strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadInput("token_name_missing", _("Give the token a name of at most 60 characters: what will use it."))
    if not 1 <= days <= MOST_DAYS:
        raise BadInput("token_days", _("A token holds for 1 to 366 days."))
    now = now or timezone.now()
    text = f"rk_{secrets.token_urlsafe(BYTES)}"
    token = ApiToken.objects.create(
        user=user, name=name, digest=digest_of(text), created_at=now, expires_at=now + timedelta(days=days)
    )
    record(token, "make_token")
    return token, text


@transaction.atomic
def revoke_tokens(user: AbstractUser, *, name: str = "", now: datetime | None = None) -> int:
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
        record(token, "revoke_token")
    return bool(ended)


def record(token: ApiToken, action: str) -> None:
    """The act in the log of every event at which the account has a role."""
    for event in Event.objects.filter(pk__in=Membership.objects.filter(user=token.user).values("event")).order_by("pk"):
        audit.record(event, token.user, action, f"account {token.user_id} token {token.pk}")


def account_of(text: str, now: datetime | None = None) -> AbstractUser | None:
    """Whose token this is, if it holds now: known, neither expired nor revoked, its account open. Notes the use."""
    now = now or timezone.now()
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(text)).first()
    if token is None or token.revoked_at or token.expires_at <= now or not token.user.is_active:
        return None
    if token.last_used_at is None or now - token.last_used_at >= USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token.user

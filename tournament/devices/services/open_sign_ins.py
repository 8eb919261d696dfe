"""Where an account is signed in: its browsers' sessions and its programs' tokens, listed and ended.

Django keeps sessions without saying whose they are, so that they are read one by one: there are some dozens. The page
names a session by a digest of its key, never by the key.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tournament.api.models import ApiToken
from tournament.api.services import revoke_tokens
from tournament.audit import services
from tournament.core.models.event import Event
from tournament.devices.models.device import Device

SESSION_SINCE_KEY, SESSION_SEEN_KEY, SESSION_BROWSER_KEY = "signed_in_at", "seen_at", "browser"
NOTED_EVERY = timedelta(minutes=30)
BROWSER_NAME_MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class SignedIn:
    """One browser: `id` for the page, since when, when it was last seen (to half an hour), what it calls itself."""

    id: str
    since: datetime | None
    seen: datetime | None
    browser: str
    here: bool


def note_sign_in(request: HttpRequest) -> None:
    """Note in a session that has just been made since when it is and in which browser."""
    now = timezone.now().isoformat()
    request.session[SESSION_SINCE_KEY], request.session[SESSION_SEEN_KEY] = now, now
    request.session[SESSION_BROWSER_KEY] = request.headers.get("User-Agent", "")[:BROWSER_NAME_MAX_LENGTH]


def note_seen(request: HttpRequest) -> None:
    """Half an hour after the last note another one, which lets the session live on from here; else nothing is asked."""
    seen = parse_datetime(request.session.get(SESSION_SEEN_KEY, ""))
    if seen is not None and timezone.now() - seen >= NOTED_EVERY:
        request.session[SESSION_SEEN_KEY] = timezone.now().isoformat()


def sign_in_id(session_key: str) -> str:
    """How a page names a session."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:16]


def iter_account_sessions(user: User) -> Iterator[tuple[Session, dict[str, str]]]:
    """The sessions of this account that have not expired, with what they hold."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        held = SessionStore().decode(session.session_data)
        if str(held.get(SESSION_KEY)) == str(user.pk):
            yield session, held


def signed_in(user: User, here: str | None = None) -> list[SignedIn]:
    """Every browser in which the account is signed in, the newest first; `here`: the key of the one that asks."""
    found = [
        SignedIn(
            sign_in_id(session.session_key),
            parse_datetime(held.get(SESSION_SINCE_KEY, "")),
            parse_datetime(held.get(SESSION_SEEN_KEY, "")),
            held.get(SESSION_BROWSER_KEY, ""),
            session.session_key == here,
        )
        for session, held in iter_account_sessions(user)
    ]
    return sorted(found, key=lambda one: (one.here, str(one.since or "")), reverse=True)


def valid_tokens_of(user: User) -> list[ApiToken]:
    """The tokens that still hold."""
    return list(ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now()))


@transaction.atomic
def end_sign_in(user: User, *, id: str, by: User) -> bool:
    """End one browser's session; whether it was there. Again: nothing to do."""
    keys = [
        session.session_key for session, _held in iter_account_sessions(user) if sign_in_id(session.session_key) == id
    ]
    ended, _rows = Session.objects.filter(session_key__in=keys).delete()
    if ended:
        record_end_sign_ins(user, by)
    return bool(ended)


@transaction.atomic
def end_all_sign_ins(user: User, *, by: User | None, but: str | None = None, always: bool = False) -> None:
    """End every session but the one with the key `but`, every token, and the account's hold on tablets. `by` None:
    somebody at the machine. `always`: with an entry, though nothing was open."""
    keys = [session.session_key for session, _held in iter_account_sessions(user) if session.session_key != but]
    ended, _rows = Session.objects.filter(session_key__in=keys).delete()
    held = Device.objects.filter(opened_by=user.pk).update(opened_by=None)
    if revoke_tokens(user) + ended + held or always:
        record_end_sign_ins(user, by)


def record_end_sign_ins(user: User, by: User | None) -> None:
    """The entry at each event of the account."""
    for event in Event.objects.filter(memberships__user=user.pk).distinct().order_by("pk"):
        services.append_audit_entry(event, by, "end_sign_ins", f"account {user.pk}")

"""Signing in slows down with each wrong password, and opens again by itself or by an organiser's hand.

Counted by account, and generously by address, since a whole hall shares one. A browser in which an account has signed
in before is counted by itself: who guesses from elsewhere never keeps an account's own people out. Known and unknown
user names are counted alike, under a keyed digest: a password typed into the wrong field is kept nowhere.
"""

import secrets
import unicodedata
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.db.models import F, Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.accounts.services.accounts import events_of_account, require_organiser_everywhere
from tournament.audit import services

# Seconds after the fifth wrong password, the sixth ...; the last for all that follow.
SIGN_IN_DELAYS_SECONDS = (5, 15, 60, 300, 900)
SIGN_IN_FREE_TRIES = 4
SIGN_IN_TRIES_KEPT_FOR = timedelta(hours=24)
# Of one address, whoever is meant: hundreds of people sign in from a hall.
ADDRESS_FREE_TRIES, ADDRESS_WITHIN, ADDRESS_DELAY_SECONDS = 300, timedelta(hours=1), 60
KNOWN_BROWSER_LIFETIME = timedelta(days=180)
SIGN_IN_SALT = "tournament.sign-in"


def account_key(username: str) -> str:
    """What stands for a user name; capitals and compatibility forms of it are the same."""
    text = unicodedata.normalize("NFKC", username).casefold()
    return salted_hmac(SIGN_IN_SALT, text, algorithm="sha256").hexdigest()[:32]


def browser_cookie(username: str) -> str:
    """The cookie's name by which a browser is known to this account."""
    return f"known_{account_key(username)[:16]}"


def known_browser(request: HttpRequest, username: str) -> str:
    """The number of a browser in which the account has signed in before; empty: none."""
    try:
        return str(
            request.get_signed_cookie(
                browser_cookie(username),
                default="",
                salt=f"{SIGN_IN_SALT} {account_key(username)}",
                max_age=KNOWN_BROWSER_LIFETIME,
            )
        )
    except signing.BadSignature:
        return ""


def remember_browser(request: HttpRequest, response: HttpResponse, username: str, *, secure: bool) -> None:
    """From now on wrong passwords of others do not delay this account here."""
    response.set_signed_cookie(
        browser_cookie(username),
        known_browser(request, username) or secrets.token_hex(8),
        salt=f"{SIGN_IN_SALT} {account_key(username)}",
        max_age=KNOWN_BROWSER_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=secure,
    )


def sign_in_delay(wrong: int) -> int:
    """Seconds to wait after so many wrong passwords of an account."""
    return (
        SIGN_IN_DELAYS_SECONDS[min(wrong - SIGN_IN_FREE_TRIES, len(SIGN_IN_DELAYS_SECONDS)) - 1]
        if wrong > SIGN_IN_FREE_TRIES
        else 0
    )


def attempts_of(username: str) -> QuerySet[Any]:
    """All wrong tries of an account, known browsers' among them: AccessAttempt, which has no types."""
    found: QuerySet[Any] = AccessAttempt.objects.filter(username__startswith=account_key(username))
    return found


def forget_sign_in_tries(user: User) -> None:
    """The account's own people have shown that they know its password: nothing of before delays them."""
    attempts_of(user.get_username()).delete()


def seconds_left(rows: QuerySet[AccessAttempt], delay: Any, now: datetime) -> int:
    """Seconds still to wait: `delay` of how many were wrong, from the last of them on."""
    found = rows.aggregate(wrong=Sum("failures_since_start"), last=Max("attempt_time"))
    if not found["wrong"]:
        return 0
    until: datetime = found["last"] + timedelta(seconds=delay(found["wrong"]))
    return max(0, -(-(until - now) // timedelta(seconds=1)))


def seconds_to_wait(request: HttpRequest, username: str, now: datetime | None = None) -> int:
    """How long this browser waits before it may try this account again; 0: it may."""
    now = now or timezone.now()
    key, known = account_key(username), known_browser(request, username)
    recent = AccessAttempt.objects.filter(attempt_time__gt=now - SIGN_IN_TRIES_KEPT_FOR)
    own = seconds_left(recent.filter(username=f"{key} {known}" if known else key), sign_in_delay, now)
    if known:
        return own
    address = vars(request)["axes_ip_address"]  # set by the middleware of django-axes
    here = AccessAttempt.objects.filter(ip_address=address, attempt_time__gt=now - ADDRESS_WITHIN)
    return max(own, seconds_left(here, lambda wrong: ADDRESS_DELAY_SECONDS if wrong >= ADDRESS_FREE_TRIES else 0, now))


def waiting_addresses(now: datetime) -> dict[str, int]:
    """The addresses from which too many tried, with the seconds that they wait: a hall's whole NAT may be one."""
    recent = AccessAttempt.objects.filter(attempt_time__gt=now - ADDRESS_WITHIN).values("ip_address").order_by()
    full = recent.annotate(wrong=Sum("failures_since_start"), last=Max("attempt_time"))
    delay = timedelta(seconds=ADDRESS_DELAY_SECONDS)
    found = full.filter(wrong__gte=ADDRESS_FREE_TRIES, last__gt=now - delay)
    return {row["ip_address"]: -(-(row["last"] + delay - now) // timedelta(seconds=1)) for row in found}


def account_wait_seconds(user: User, now: datetime | None = None) -> int:
    """How long a browser that the account does not know waits, here or at an address that waits; for the organiser
    who may lift it."""
    now = now or timezone.now()
    rows = AccessAttempt.objects.filter(attempt_time__gt=now - SIGN_IN_TRIES_KEPT_FOR)
    own = seconds_left(rows.filter(username=account_key(user.get_username())), sign_in_delay, now)
    return max([own, *waiting_addresses(now).values()])


@transaction.atomic
def lift_delay(user: User, *, by: User) -> None:
    """The account may be tried at once, from everywhere. Nothing waits: nothing is written.

    1. Its events are locked; not another event's. 2. The tries are forgotten, those of addresses that wait with them:
    whoever guesses beside it in the hall would keep it out all the same. 3. An audit entry at each event.
    """
    events = events_of_account(user)
    require_organiser_everywhere(user, by)
    beside = AccessAttempt.objects.filter(ip_address__in=waiting_addresses(timezone.now()))
    if attempts_of(user.get_username()).delete()[0] + beside.delete()[0]:
        for event in events:
            services.append_audit_entry(event, by, "lift_sign_in_delay", f"account {user.pk}")


class GrowingDelay(AxesDatabaseHandler):  # type: ignore[misc]  # django-axes has no types
    """django-axes asks this before a password is looked at, and tells it what came of it."""

    def is_allowed(self, request: Any, credentials: dict[str, Any] | None = None) -> bool:
        """Whether a password is looked at now; else `sign_in_wait` of the request says for how long not."""
        request.sign_in_wait = seconds_to_wait(request, (credentials or {}).get("username") or "")
        return not request.sign_in_wait

    def user_login_failed(self, sender: Any, credentials: dict[str, Any], request: Any = None, **more: Any) -> None:
        """One more wrong one, unless it was not looked at. What was typed is kept nowhere."""
        if request is None or vars(request).get("sign_in_wait"):
            return
        username, now = credentials.get("username") or "", timezone.now()
        known = known_browser(request, username)
        key = f"{account_key(username)} {known}" if known else account_key(username)
        with transaction.atomic():
            AccessAttempt.objects.filter(attempt_time__lt=now - SIGN_IN_TRIES_KEPT_FOR).delete()
            nothing = dict.fromkeys(("get_data", "post_data", "http_accept", "path_info"), "")
            address = {"username": key, "ip_address": request.axes_ip_address or "0.0.0.0", "user_agent": ""}
            row, _made = AccessAttempt.objects.get_or_create(**address, defaults={"failures_since_start": 0, **nothing})
            AccessAttempt.objects.filter(pk=row.pk).update(
                failures_since_start=F("failures_since_start") + 1, attempt_time=now
            )

    def user_logged_in(self, sender: Any, request: Any, user: Any, **more: Any) -> None:
        """Who has signed in is not delayed by what came before, here or in a browser that nobody knows yet."""
        forget_sign_in_tries(user)

    def user_logged_out(self, sender: Any, request: Any, user: Any, **more: Any) -> None:
        """Nothing is kept of it."""

    def reset_attempts(
        self, *, ip_address: str | None = None, username: str | None = None, ip_or_username: bool = False
    ) -> int:
        """What `manage.py axes_reset_username USER` and `axes_reset` ask for; user names are kept as digests."""
        if username is None:
            return int(super().reset_attempts(ip_address=ip_address))
        return int(attempts_of(username).delete()[0])

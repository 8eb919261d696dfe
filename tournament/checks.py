"""System checks: a wrong installation says so before anybody meets it, with what to do."""

from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from tournament.audit import triggers

MAX_RETURN_LOCAL_PART = 25


def check_production_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Behind HTTPS the hosts and the database are named; a laptop's defaults do not fit there."""
    found: list[CheckMessage] = []
    if settings.HTTPS and set(settings.ALLOWED_HOSTS) <= {"localhost", "127.0.0.1", "[::1]"}:
        found.append(
            Error(
                "HTTPS is on, but only this machine's own names are allowed as hosts.",
                hint="Set ALLOWED_HOSTS=desk.example.org",
                id="tournament.E001",
            )
        )
    return found


def check_settings_combinations(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Combinations that would serve, but wrongly."""
    found: list[CheckMessage] = []
    if settings.DEBUG and settings.HTTPS:
        found.append(
            Error(
                "DEBUG is on while HTTPS is on: error pages would show settings and data to visitors.",
                hint="Unset DEBUG, or unset HTTPS on a developer's machine.",
                id="tournament.E002",
            )
        )
    if settings.HTTPS and any(origin.startswith("http://") for origin in settings.CSRF_TRUSTED_ORIGINS):
        found.append(
            Error(
                "CSRF_TRUSTED_ORIGINS names an http:// address while HTTPS is on.",
                hint="Name it as https://",
                id="tournament.E003",
            )
        )
    return found


def check_mail_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A mail server with what it needs; without one mail goes to files, which production is told of."""
    faults = {
        "tournament.E004": settings.EMAIL_URL and not is_sender(settings.MAIL_FROM),
        "tournament.E005": settings.EMAIL_URL and not settings.EMAIL_URL.startswith("smtp"),
        "tournament.E006": settings.MAIL_RATE < 1,
        "tournament.E008": settings.MAIL_BOUNCES and not is_return_address(settings.MAIL_BOUNCES),
        "tournament.E009": settings.MAIL_BOUNCES_BOX and not settings.MAIL_BOUNCES_BOX.startswith("imaps://"),
        "tournament.E010": 0 < len(settings.MAIL_BOUNCES_SECRET) < settings.SHORTEST_BOUNCES_SECRET,
        "tournament.W003": settings.EMAIL_URL and not settings.SITE_URL,
        "tournament.W004": settings.EMAIL_URL and is_open_password(),
        "tournament.W005": settings.MAIL_STALE_AFTER < 5 * settings.EMAIL_TIMEOUT,
        "tournament.W007": settings.MAIL_BOUNCES and not (settings.MAIL_BOUNCES_BOX or settings.MAIL_BOUNCES_SECRET),
        "tournament.I001": settings.HTTPS and not settings.EMAIL_URL,
    }
    return [MAIL_CHECK_MESSAGES[id] for id, wrong in faults.items() if wrong]


def is_sender(text: str) -> bool:
    """`desk@example.org`, or with a name before it."""
    try:
        validate_email(parseaddr(text)[1])
    except ValidationError:
        return False
    return True


def is_return_address(text: str) -> bool:
    """An address alone, short enough that a token still fits before its @ (64 characters)."""
    return is_sender(text) and parseaddr(text)[1] == text and len(text.partition("@")[0]) <= MAX_RETURN_LOCAL_PART


def is_open_password() -> bool:
    """A password that would go over the network as anybody reads it."""
    secret = getattr(settings, "EMAIL_USE_TLS", False) or getattr(settings, "EMAIL_USE_SSL", False)
    return bool(settings.EMAIL_HOST_PASSWORD and not secret and settings.EMAIL_HOST not in ("localhost", "127.0.0.1"))


MAIL_CHECK_MESSAGES: dict[str, CheckMessage] = {
    message.id or "": message
    for message in (
        Error(
            "EMAIL_URL names a mail server, but MAIL_FROM is no address that mail could come from.",
            hint="Set MAIL_FROM=desk@example.org, an address that this server may send for.",
            id="tournament.E004",
        ),
        Error(
            "EMAIL_URL is not of a mail server.",
            hint="Set EMAIL_URL=smtp+tls://user:password@mail.example.org:587, or unset it: mail then goes to files.",
            id="tournament.E005",
        ),
        Error(
            "MAIL_RATE lets no mail go out.",
            hint="Set MAIL_RATE to mails a second, 1 or more; or pause the mailing on its page.",
            id="tournament.E006",
        ),
        Error(
            "MAIL_BOUNCES is no address that mail could come back to, or one too long for a token.",
            hint="Set MAIL_BOUNCES=bounces@example.org, a mailbox that also takes bounces+anything@example.org.",
            id="tournament.E008",
        ),
        Error(
            "MAIL_BOUNCES_BOX is no mailbox over TLS.",
            hint="Set MAIL_BOUNCES_BOX=imaps://user:password@imap.example.org/INBOX",
            id="tournament.E009",
        ),
        Error(
            "MAIL_BOUNCES_SECRET is too short, so that no report is taken.",
            hint="Set 24 characters or more: python -c 'import secrets; print(secrets.token_urlsafe(32))'",
            id="tournament.E010",
        ),
        Warning(
            "EMAIL_URL is set without SITE_URL: results and places cannot be mailed, as their links lead nowhere.",
            hint="Set SITE_URL=https://desk.example.org",
            id="tournament.W003",
        ),
        Warning(
            "The mail server's password would go over the network unencrypted.",
            hint="Set EMAIL_URL=smtp+tls://… (port 587) or smtp+ssl://… (port 465).",
            id="tournament.W004",
        ),
        Warning(
            "MAIL_STALE_AFTER is under five times MAIL_TIMEOUT: a slow server's mail may be sent twice.",
            hint="A mail is up to five answers of the server. Unset both, or set MAIL_STALE_AFTER higher.",
            id="tournament.W005",
        ),
        Warning(
            "MAIL_BOUNCES is set, but nothing here reads what comes back to it.",
            hint="Set MAIL_BOUNCES_BOX, or MAIL_BOUNCES_SECRET for a provider's reports (deploy/README.md).",
            id="tournament.W007",
        ),
        Info(
            "No mail server is set: mail goes to files in VAR_DIR/mail.",
            hint="Set EMAIL_URL and MAIL_FROM where notices are to be mailed.",
            id="tournament.I001",
        ),
    )
}


def check_broker(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A broker is Redis, and is for workers beside PostgreSQL."""
    found: list[CheckMessage] = []
    if settings.REDIS_URL and not settings.REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        found.append(
            Error(
                "REDIS_URL is not of a Redis.",
                hint="Set REDIS_URL=redis://127.0.0.1:6379/0, or unset it and run: manage.py work",
                id="tournament.E007",
            )
        )
    if settings.REDIS_URL and settings.SQLITE:
        found.append(
            Warning(
                "REDIS_URL is set while the database is SQLite, a file that workers on other machines do not have.",
                hint="Set DATABASE_URL=postgres://…, or unset REDIS_URL and run: manage.py work",
                id="tournament.W006",
            )
        )
    return found


def check_triggers_installed(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """The database refuses by itself what nobody may do. A warning: `migrate`, which mends it, asks first."""
    return [
        Warning(
            f"The database's guards are missing or altered: {', '.join(wrong)}.",
            hint="Run: manage.py migrate. Until then nothing is written. Then: manage.py audit verify",
            id="tournament.W002",
        )
        for using in databases or ()
        if triggers.are_tables_made(using) and (wrong := triggers.trigger_faults(using))
    ]

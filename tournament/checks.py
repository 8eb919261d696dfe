"""System checks: a wrong installation says so before anybody meets it, with what to do."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from tournament import guards
from tournament.words import compiled_digest, sources, sources_digest


def words_are_compiled(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """What Django reads was made from the .po files as they are now."""
    if not sources() or compiled_digest() == sources_digest():
        return []
    return [
        Warning(
            "The Chinese words are not compiled, or older than their .po files.",
            hint="Run: make words",
            id="tournament.W001",
        )
    ]


def production_names_its_places(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
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


def settings_fit_together(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
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


def guards_stand(app_configs: Any, databases: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """The database refuses by itself what nobody may do. A warning: `migrate`, which mends it, asks first."""
    return [
        Warning(
            f"The database's guards are missing or altered: {', '.join(wrong)}.",
            hint="Run: manage.py migrate. Until then nothing is written. Then: manage.py audit verify",
            id="tournament.W002",
        )
        for using in databases or ()
        if guards.tables_made(using) and (wrong := guards.faults(using))
    ]

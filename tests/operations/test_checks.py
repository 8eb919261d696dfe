"""An installation that would serve wrongly says so, with a way out."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tournament import checks

PRODUCTION = {
    "HTTPS": True,
    "DEBUG": False,
    "ALLOWED_HOSTS": ["desk.example.org"],
    "CSRF_TRUSTED_ORIGINS": ["https://desk.example.org"],
    "SITE_URL": "https://desk.example.org",
    "SQLITE": False,
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "EMAIL_URL": "smtp+tls://desk:secret@mail.example.org:587",
    "EMAIL_HOST": "mail.example.org",
    "EMAIL_HOST_PASSWORD": "secret",
    "EMAIL_USE_TLS": True,
    "MAIL_FROM": "Rummikub <desk@example.org>",
}


def found(settings: Any, **changed: Any) -> list[str]:
    """The checks' answers to an installation that differs in this from a right one."""
    for name, value in {**PRODUCTION, **changed}.items():
        setattr(settings, name, value)
    looks = (
        *(checks.check_settings_combinations, checks.check_production_settings),
        *(checks.check_mail_settings, checks.check_broker),
    )
    messages = [message for look in looks for message in look(None)]
    assert all(message.hint for message in messages)
    return [str(message.id) for message in messages]


# Somebody reads what comes back.
READ = {"MAIL_BOUNCES_SECRET": "s" * 24}


def test_a_right_installation_has_nothing_to_say(settings: Any) -> None:
    assert found(settings) == []


def test_a_laptop_without_https_has_nothing_to_say(settings: Any) -> None:
    laptop = {"HTTPS": False, "DEBUG": True, "ALLOWED_HOSTS": ["localhost"], "SITE_URL": "", "SQLITE": True}
    assert found(settings, **laptop, REDIS_URL="", EMAIL_URL="", MAIL_FROM="", EMAIL_HOST_PASSWORD="") == []


@pytest.mark.parametrize(
    ("changed", "answers"),
    [
        ({"ALLOWED_HOSTS": ["localhost", "127.0.0.1"]}, ["tournament.E001"]),
        ({"DEBUG": True}, ["tournament.E002"]),
        ({"CSRF_TRUSTED_ORIGINS": ["http://desk.example.org"]}, ["tournament.E003"]),
        ({"MAIL_FROM": ""}, ["tournament.E004"]),
        ({"MAIL_FROM": "the desk"}, ["tournament.E004"]),
        ({"EMAIL_URL": "consolemail://"}, ["tournament.E005"]),
        ({"MAIL_RATE": 0}, ["tournament.E006"]),
        ({"MAIL_BOUNCES": "the desk", **READ}, ["tournament.E008"]),
        ({"MAIL_BOUNCES": "Desk <bounces@desk.example.org>", **READ}, ["tournament.E008"]),
        ({"MAIL_BOUNCES": f"{'b' * 26}@desk.example.org", **READ}, ["tournament.E008"]),
        ({"MAIL_BOUNCES_BOX": "imap://a:b@mail.example.org/INBOX"}, ["tournament.E009"]),
        ({"MAIL_BOUNCES_SECRET": "s" * 23}, ["tournament.E010"]),
        ({"MAIL_BOUNCES": "bounces@desk.example.org", **READ}, []),
        ({"MAIL_BOUNCES": "bounces@desk.example.org"}, ["tournament.W007"]),
        ({"SITE_URL": ""}, ["tournament.W003"]),
        ({"EMAIL_USE_TLS": False}, ["tournament.W004"]),
        ({"MAIL_STALE_AFTER": 20.0}, ["tournament.W005"]),
        ({"EMAIL_URL": ""}, ["tournament.I001"]),
        ({"REDIS_URL": "amqp://127.0.0.1"}, ["tournament.E007"]),
        ({"SQLITE": True}, ["tournament.W006"]),
    ],
)
def test_a_wrong_combination_is_told_of(settings: Any, changed: dict[str, Any], answers: list[str]) -> None:
    assert found(settings, **changed) == answers


HSTS = "from tournament import settings as s; print(s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"


@pytest.mark.parametrize(
    ("chosen", "answer"),
    [
        ({}, "False False"),
        ({"HSTS_PRELOAD": "1"}, "False False"),
        ({"HSTS_INCLUDE_SUBDOMAINS": "1"}, "True False"),
        ({"HSTS_INCLUDE_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "True True"),
    ],
)
def test_https_of_this_host_binds_no_other_unless_it_is_chosen(
    chosen: dict[str, str], answer: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "HTTPS": "1", "VAR_DIR": str(tmp_path), **chosen}
    told = subprocess.run(
        [sys.executable, "-c", HSTS], env=environment, cwd=checks.settings.BASE_DIR, capture_output=True, text=True
    )
    assert told.stdout.strip() == answer

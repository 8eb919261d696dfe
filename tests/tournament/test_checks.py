"""An installation that would serve wrongly says so, with a way out."""

from typing import Any

import pytest

from tournament import checks

PRODUCTION = {
    "HTTPS": True,
    "DEBUG": False,
    "ALLOWED_HOSTS": ["desk.example.org"],
    "CSRF_TRUSTED_ORIGINS": ["https://desk.example.org"],
}


def found(settings: Any, **changed: Any) -> list[str]:
    """The checks' answers to an installation that differs in this from a right one."""
    for name, value in {**PRODUCTION, **changed}.items():
        setattr(settings, name, value)
    messages = [*checks.settings_fit_together(None), *checks.production_names_its_places(None)]
    assert all(message.hint for message in messages)
    return [str(message.id) for message in messages]


def test_a_right_installation_has_nothing_to_say(settings: Any) -> None:
    assert found(settings) == []


def test_a_laptop_without_https_has_nothing_to_say(settings: Any) -> None:
    assert found(settings, HTTPS=False, DEBUG=True, ALLOWED_HOSTS=["localhost"]) == []


@pytest.mark.parametrize(
    ("changed", "answers"),
    [
        ({"ALLOWED_HOSTS": ["localhost", "127.0.0.1"]}, ["tournament.E001"]),
        ({"DEBUG": True}, ["tournament.E002"]),
        ({"CSRF_TRUSTED_ORIGINS": ["http://desk.example.org"]}, ["tournament.E003"]),
    ],
)
def test_a_wrong_combination_is_an_error(settings: Any, changed: dict[str, Any], answers: list[str]) -> None:
    assert found(settings, **changed) == answers

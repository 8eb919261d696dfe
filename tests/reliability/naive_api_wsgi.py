"""The server whose API keeps no keys and swaps nothing: the control of the races over HTTP. Only tests start it."""

from collections.abc import Callable
from typing import Any

from tests.reliability import django_ready, naive
from tournament.services import requests, scoresheets
from tournament.wsgi import application


def every_time(scope: str, key: str, act: str, payload: Any, do: Callable[[], Any]) -> tuple[Any, bool]:
    """The same promise as `services.requests.once`, not kept: nothing is remembered, nothing is one transaction."""
    return do(), False


requests.once = every_time
scoresheets.save = naive.save
__all__ = ["application", "django_ready"]

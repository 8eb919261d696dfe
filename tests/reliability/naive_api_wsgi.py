"""The server whose API keeps no keys and swaps nothing: the control of what is asked of it. Only tests start it."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from tests.reliability import django_ready, naive
from tournament.services import audit, requests, scoresheets
from tournament.wsgi import application

careful = audit.record


def every_time(scope: str, key: str, act: str, payload: Any, do: Callable[[], Any]) -> tuple[Any, bool]:
    """The same promise as `services.requests.once`, not kept: nothing is remembered, nothing is one transaction."""
    return do(), False


def apart(*facts: Any, **more: Any) -> Any:
    """The entry after its act, in a transaction of its own."""
    with transaction.atomic():
        return careful(*facts, **more)


requests.once = every_time
audit.record = apart
scoresheets.save = naive.save
__all__ = ["application", "django_ready"]

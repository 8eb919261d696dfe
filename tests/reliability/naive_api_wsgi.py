"""The server whose API keeps no keys and swaps nothing: the control of what is asked of it. Only tests start it."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from tests.reliability import django_ready, naive
from tournament.audit import services
from tournament.core.services import requests
from tournament.sheets.services import scoresheets
from tournament.wsgi import application

careful = services.append_audit_entry


def every_time(scope: str, key: str, act: str, payload: Any, do: Callable[[], Any]) -> tuple[Any, bool]:
    """The same promise as `services.requests.once`, not kept: nothing is remembered, nothing is one transaction."""
    return do(), False


def apart(*facts: Any, **more: Any) -> Any:
    """The entry after its act, in a transaction of its own."""
    with transaction.atomic():
        return careful(*facts, **more)


requests.run_once = every_time
services.append_audit_entry = apart
scoresheets.save_scoresheet = naive.save
__all__ = ["application", "django_ready"]

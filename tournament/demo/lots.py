"""Lots of the made-up tournament: announced before the figure is out, drawn with it before witnesses."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tournament.enums import TieMethod

FIGURE = "恒生指數比賽當日收市價，兩位小數"
VALUE = "26543.21"
WITNESSES = "周穎琳、文員甲"
REASON = "三項成績完全相同，按已公佈的數字抽籤決定"


def draw(announce: Callable[..., Any], decide: Callable[..., Any], **given: Any) -> None:
    """Two minutes ago for one minute ago, and drawn now."""
    now = timezone.now()
    known_from = now - timedelta(minutes=1)
    announce(public_value=FIGURE, known_from=known_from, now=now - timedelta(minutes=2), **given)
    decide(method=TieMethod.LOTS, value=VALUE, witnesses=WITNESSES, reason=REASON, now=now, **given)

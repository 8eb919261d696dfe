"""Lots of the made-up tournament: announced before the figure is out, drawn with it before witnesses."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tournament.core.enums import TieMethod

DEMO_PUBLIC_VALUE = "恒生指數比賽當日收市價，兩位小數"
DEMO_LOTS_VALUE = "26543.21"
DEMO_WITNESSES = "周穎琳、文員甲"
DEMO_LOTS_REASON = "三項成績完全相同，按已公佈的數字抽籤決定"


def draw_demo_lots(announce: Callable[..., Any], decide: Callable[..., Any], **given: Any) -> None:
    """Two minutes ago for one minute ago, and drawn now."""
    now = timezone.now()
    known_from = now - timedelta(minutes=1)
    announce(public_value=DEMO_PUBLIC_VALUE, known_from=known_from, now=now - timedelta(minutes=2), **given)
    decide(
        method=TieMethod.LOTS,
        value=DEMO_LOTS_VALUE,
        witnesses=DEMO_WITNESSES,
        reason=DEMO_LOTS_REASON,
        now=now,
        **given,
    )

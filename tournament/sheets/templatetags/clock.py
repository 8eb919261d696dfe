"""The words of a session's clock on pages. `{% load clock %}`."""

from datetime import datetime, timedelta

from django import template

register = template.Library()


@register.filter
def minutes_left(left: timedelta) -> str:
    """Playing time as the hall's clock has it: 28:14; what is begun of a second counts."""
    seconds = max(0, -(-left // timedelta(seconds=1)))
    return f"{seconds // 60}:{seconds % 60:02}"


@register.filter
def moment(at: datetime | None) -> str:
    """A moment as a script reads it."""
    return at.isoformat() if at else ""

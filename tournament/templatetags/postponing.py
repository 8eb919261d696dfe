"""A session that the weather has moved, in words. `{% load postponing %}`."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext

from tournament import moments
from tournament.enums import SessionState

register = template.Library()


@register.filter
def moved_at(text: str) -> str:
    """A moment as a SessionMove keeps it, in words."""
    return moments.datetime_text(datetime.fromisoformat(text))


@register.filter
def now_on(session: Any) -> str:
    """`now on 12 April` where the session is on another day than its name says, or that its time is to be announced;
    nothing where neither is so."""
    if session.state == SessionState.POSTPONED:
        return gettext("new time to be announced")
    day = timezone.localtime(session.check_in_at).date()
    return gettext("now on %(day)s") % {"day": moments.date_text(day)} if day != session.original_date else ""

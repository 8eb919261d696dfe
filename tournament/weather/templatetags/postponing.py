"""A session that the weather has moved, in words. `{% load postponing %}`."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext

from tournament.core import dateformat
from tournament.core.enums import MailingKind, SessionState
from tournament.core.models.event import Event
from tournament.ranking.queries.standings import sessions_waited_for

register = template.Library()


@register.filter
def moved_at(text: str) -> str:
    """A moment as a SessionMove keeps it, in words."""
    return dateformat.datetime_text(datetime.fromisoformat(text))


@register.inclusion_tag("ranking/_waits_for.html")
def waits_for(event: Event, kind: str = "") -> dict[str, Any]:
    """What the ranking of a stage waits for: `{% waits_for request.event "final" %}`; nothing where nothing was
    stopped."""
    return {"waited": sessions_waited_for(event, kind)}


@register.filter
def now_on(session: Any) -> str:
    """`now on 12 April` where the session is on another day than its name says, or that its time is to be announced;
    nothing where neither is so."""
    if session.state == SessionState.POSTPONED:
        return gettext("new time to be announced")
    day = moved_to(session)
    return gettext("now on %(day)s") % {"day": dateformat.date_text(day)} if day else ""


@register.filter
def about_session(mailed: Iterable[Any], session: Any) -> list[Any]:
    """Of mailings in words those of this session's seats; of a final also those of places, which have its times."""
    final = not session.stage.is_first
    rows = [(one, one.mailing) for one in mailed]
    seats = f"session {session.code}"
    return [one for one, row in rows if row.subject == seats or (final and row.kind == MailingKind.PLACES)]


@register.filter
def moved_to(session: Any) -> date | None:
    """The day that it is on, where that is another than its name says."""
    day = timezone.localtime(session.check_in_at).date()
    return day if day != session.original_date else None

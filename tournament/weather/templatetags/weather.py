"""The words of weather on pages. `{% load weather %}`."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.core.dateformat import datetime_text, session_of_day_text, session_with_day_text, time_text
from tournament.core.enums import WeatherOutcome
from tournament.core.templatetags.display import badge, icon
from tournament.events.exports import words_of_signal

register = template.Library()

OUTCOME_BADGE_WORDS: Mapping[str, tuple[str, Promise]] = {
    "": ("wait", pgettext_lazy("decision", "pending")),
    WeatherOutcome.GO: ("live", pgettext_lazy("decision", "going ahead")),
    WeatherOutcome.CANCEL: ("stop", pgettext_lazy("decision", "called off")),
}
SIGNAL_ACTION_WORDS: Mapping[str, Promise] = {
    "ISSUE": _("issued"),
    "REISSUE": _("issued again"),
    "EXTEND": _("extended"),
    "UPDATE": _("updated"),
    "CANCEL": _("cancelled"),
    "VANISHED": _("no longer listed"),
}


@register.simple_tag
def sig(code: str, more: str = "", small: bool = False) -> SafeString:
    """A signal's mark in the Observatory's colour, with its full name; `small`: short, with its code."""
    words = words_of_signal(code)
    text = (words.short if words.short == code else f"{words.short} {code}") if small else words.name
    look = " ".join(filter(None, ("sig", words.colour, "small" if small else "")))
    return format_html(
        '<span class="{}">{}{}{}</span>',
        look,
        "" if small else icon("rain" if code.startswith("WRAIN") else "warn"),
        text,
        more and f" {more}",
    )


@register.filter
def signal_name(code: str) -> str:
    """The full name: Black rainstorm warning."""
    return str(words_of_signal(code).name)


@register.filter
def signal_short(code: str) -> str:
    """The short name within a sentence: black rain."""
    return str(words_of_signal(code).short)


@register.filter
def signal_action(action: str) -> str:
    """What the feed did with an entry; a word of its own stays as it is."""
    return str(SIGNAL_ACTION_WORDS.get(action.upper(), action))


@register.simple_tag
def outcome_badge(outcome: str) -> SafeString:
    """A day's decision; empty while it is pending."""
    return badge(*OUTCOME_BADGE_WORDS[outcome])


@register.filter
def outcome_word(outcome: str) -> str:
    """The same as a word."""
    return str(OUTCOME_BADGE_WORDS[outcome][1])


@register.filter
def time_on(at: datetime | str | None, day: Any) -> str:
    """The hour alone on that day, else with its day; also of a moment that evidence keeps as text."""
    moment = parse_datetime(at) if isinstance(at, str) else at
    if moment is None:
        return ""
    return time_text(moment) if timezone.localdate(moment) == day else datetime_text(moment)


@register.filter
def session_on(session: Any, day: Any) -> str:
    """第一場 on its own day; with its day where it was moved here."""
    if session.original_date == day:
        return session_of_day_text(*session.name_of_day)
    return session_with_day_text(session.original_date, *session.name_of_day)


@register.filter
def hk_seconds(at: datetime | None) -> str:
    """The time with its seconds, 09:40:02; empty for None."""
    return f"{timezone.localtime(at):%H:%M:%S}" if at else ""


@register.filter
def minute_before(at: datetime) -> datetime:
    """The last minute in which an end still counts."""
    return at - timedelta(minutes=1)


@register.filter
def until(at: datetime, now: datetime) -> str:
    """A countdown: 00:19:36; days before it where there are any."""
    seconds = max(0, -(-(at - now) // timedelta(seconds=1)))
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return clock if not days else ngettext("%(n)s day", "%(n)s days", days) % {"n": days} + f" {clock}"


@register.filter
def lasting(since: datetime, now: datetime) -> str:
    """已 1 小時 15 分; for 1 h 15 min."""
    minutes = max(0, (now - since) // timedelta(minutes=1))
    if minutes < 60:
        return gettext("for %(minutes)s min") % {"minutes": minutes}
    return gettext("for %(hours)s h %(minutes)s min") % {"hours": minutes // 60, "minutes": minutes % 60}

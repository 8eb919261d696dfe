"""A session by its stage: the final and its rounds have names of their own (R38); and a table that is not full."""

from typing import Any

from django import template
from django.utils.translation import gettext, ngettext

from tournament.core import dateformat
from tournament.core.templatetags.display import session_name
from tournament.events.queries import round_of

register = template.Library()


@register.filter
def session_title(session: Any) -> str:
    """4 月 6 日第三場; of a final 決賽第二輪·4 月 11 日第二場; of a first stage in rounds 第二輪·4 月 6 日第三場."""
    final = final_name(session)
    return f"{final}·{session_name(session)}" if final else session_name(session)


@register.filter
def final_name(session: Any) -> str:
    """決賽 or 決賽第二輪, 準決賽 of a stage between, 第二輪 of a first stage in rounds; nothing for a session of
    a first stage without any."""
    found = round_of(session)
    if session.stage.is_first:
        return dateformat.round_heading_text(found.number) if found else ""
    return dateformat.final_text(found.number if found else None, session.stage.own_name)


@register.filter
def round_name(number: int) -> str:
    """A round of a final: 第二輪, round 2."""
    return dateformat.round_text(number)


@register.filter
def tables_of_size(count: int, size: int) -> str:
    """2 tables of three, 1 table of two; 3 人枱 2 張."""
    facts = {"n": count, "size": size}
    if size == 2:
        return ngettext("%(n)s table of two", "%(n)s tables of two", count) % facts
    if size == 3:
        return ngettext("%(n)s table of three", "%(n)s tables of three", count) % facts
    return ngettext("%(n)s table of %(size)s", "%(n)s tables of %(size)s", count) % facts


@register.filter
def small_table(players: int) -> str:
    """What a table that is not full is called: 3 人枱; nothing for a table of four."""
    return {2: gettext("table of 2"), 3: gettext("table of 3")}.get(players, "")

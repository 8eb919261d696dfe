"""A session by its stage: the final and its rounds have names of their own (R38)."""

from typing import Any

from django import template

from tournament import moments
from tournament.enums import StageKind
from tournament.queries.finalists import round_of
from tournament.templatetags.look import session_name

register = template.Library()


@register.filter
def session_title(session: Any) -> str:
    """4 月 6 日第三場; of a final 決賽第二輪·4 月 11 日第二場."""
    final = final_name(session)
    return f"{final}·{session_name(session)}" if final else session_name(session)


@register.filter
def final_name(session: Any) -> str:
    """決賽 or 決賽第二輪; nothing for a session of the preliminary."""
    if session.stage.kind != StageKind.FINAL:
        return ""
    found = round_of(session)
    return moments.final_text(found.number if found else None)


@register.filter
def round_name(number: int) -> str:
    """第二輪."""
    return moments.round_text(number)

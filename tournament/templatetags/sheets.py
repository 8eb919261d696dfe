"""The words of scoresheets on pages: a state, an act of the audit log. `{% load sheets %}`."""

from collections.abc import Mapping
from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import SheetState
from tournament.models import Scoresheet
from tournament.queries import seating_papers
from tournament.queries.scoresheets_values import setters_of

register = template.Library()

ACTS: Mapping[str, str] = {
    "save_scoresheet": _("saved"),
    "ready_scoresheet": _("handed on to be checked"),
    "reopen_scoresheet": _("taken back"),
    "reject_scoresheet": _("sent back"),
    "sign_scoresheet": _("signed on a tablet"),
    "lock_scoresheet": _("signed by all and locked"),
    "see_drawings": _("signatures looked at"),
    "certify_scoresheet": _("certified and locked"),
    "confirm_heading": _("paper's head confirmed"),
    "attach_scan": _("scan attached"),
    "stamp_scoresheet": _("stamped"),
    "type_scoresheet_again": _("typed a second time"),
    "save_second_typing": _("second typing saved"),
    "settle_second_typing": _("third look: other values"),
    "uphold_first_typing": _("third look: the first typing stands"),
    "dispute_scoresheet": _("disputed"),
    "decide_dispute": _("dispute decided"),
    "withdraw_dispute": _("dispute taken back"),
    "open_scoresheet": _("sheet opened"),
    "propose_void": _("void proposed"),
    "void_scoresheet": _("made void"),
    "begin_correction": _("correction begun"),
    "propose_correction": _("correction proposed"),
    "approve_correction": _("correction approved: it counts"),
    "give_up_correction": _("correction given up"),
}


@register.filter
def sheet_word(state: str) -> str:
    """A sheet's state in words."""
    return str(SheetState(state).label)


@register.filter
def sheet_act(action: str) -> str:
    """An act of the audit log in words."""
    return gettext(ACTS.get(action, action))


PARTS: Mapping[str, str] = {
    seating_papers.SEATS: _("who sits there"),
    seating_papers.NAMES: _("a name"),
    seating_papers.REFEREE: _("the referee"),
    seating_papers.TIMES: _("the day or the hours"),
    seating_papers.EVENT: _("the event's name"),
    seating_papers.UNKNOWN: _("what it says was not kept"),
}


@register.filter
def paper_part(part: str) -> str:
    """What of a paper is no more so, in words."""
    return gettext(PARTS[part])


@register.filter
def is_set_by(sheet: Scoresheet, user_id: int) -> bool:
    """Whether values that stand on it are this account's."""
    return user_id in setters_of(sheet)


@register.filter
def for_how_long(since: datetime) -> str:
    """How long a state has lasted, in whole minutes, hours or days; nothing before it begins."""
    minutes = int((timezone.now() - since).total_seconds() // 60)
    if minutes < 0:
        return ""
    if minutes < 60:
        return gettext("%(n)s min") % {"n": minutes}
    hours = minutes // 60
    return gettext("%(n)s h") % {"n": hours} if hours < 48 else gettext("%(n)s d") % {"n": hours // 24}


@register.filter
def table_kind(state: str) -> str:
    """The class of a table on the board; what is finished steps back."""
    kinds = {SheetState.OPEN: "none", SheetState.DRAFT: "live", SheetState.READY: "wait", SheetState.DISPUTED: "stop"}
    return kinds.get(SheetState(state), "done") if state in SheetState.values else "done"

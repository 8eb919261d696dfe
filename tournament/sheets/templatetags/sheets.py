"""The words of scoresheets on pages: a state, an act of the audit log. `{% load sheets %}`."""

from collections.abc import Mapping
from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_noop as _

from tournament.core.enums import GameEnd, GameRuling, SheetState
from tournament.core.models.stage import Stage
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.values import value_setters_of
from tournament.tables.queries import papers

register = template.Library()


@register.filter
def sheet_word(state: str) -> str:
    """A sheet's state in words."""
    return str(SheetState(state).label)


@register.filter
def game_words(code: str) -> str:
    """How a game ended, or the ruling on it, in words; of a code that is neither the code."""
    return str(dict((*GameEnd.choices, *GameRuling.choices)).get(code, code))


@register.filter
def opening_letters(stage: Stage) -> int:
    """How many letters the first word of a player has, by the rules of the stage."""
    return ruleset_of_stage(stage).opening_minimum


PAPER_PART_WORDS: Mapping[str, str] = {
    papers.PART_SEATS: _("who sits there"),
    papers.PART_NAMES: _("a name"),
    papers.PART_REFEREE: _("the referee"),
    papers.PART_TIMES: _("the day or the hours"),
    papers.PART_EVENT: _("the event's name"),
    papers.PART_UNKNOWN: _("what it says was not kept"),
}


@register.filter
def paper_part(part: str) -> str:
    """What of a paper is no more so, in words."""
    return gettext(PAPER_PART_WORDS[part])


# By whether the line is the podium's, then by the side of it.
LINE_SIDE_WORDS: Mapping[tuple[bool, str], Promise] = {
    (True, "in"): pgettext_lazy("line", "on the podium"),
    (True, "tied"): pgettext_lazy("line", "tied for the podium"),
    (True, "out"): pgettext_lazy("line", "not on the podium"),
    (False, "in"): pgettext_lazy("line", "advances"),
    (False, "tied"): pgettext_lazy("line", "tied on the line"),
    (False, "out"): pgettext_lazy("line", "does not advance"),
}
UNRANKED_SIDE = pgettext_lazy("line", "not ranked")


@register.filter
def line_side(side: str, is_podium: bool) -> str:
    """On which side of the line that advances, or of the podium, an entrant stands, in words."""
    return str(LINE_SIDE_WORDS.get((is_podium, side), UNRANKED_SIDE))


@register.filter
def is_set_by(sheet: Scoresheet, user_id: int) -> bool:
    """Whether values that stand on it are this account's."""
    return user_id in value_setters_of(sheet)


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

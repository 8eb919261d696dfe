"""The words of tablets on pages: what an item of an outbox does. `{% load devices %}`."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

register = template.Library()

TABLET_ACT_WORDS: Mapping[str, str] = {
    "save": _("sheet saved"),
    "ready": _("sheet handed on to be signed"),
    "reopen": _("sheet taken back"),
    "sign": _("signature"),
    "package": _("sheet with all signatures"),
    "dispute": _("dispute"),
    "call": _("call for the chief judge"),
    "warning": _("verbal warning"),
    "incident": _("note on a game"),
    "pause": _("pause"),
    "unpause": _("end of the pause"),
    "overtime": _("overtime"),
    "withdraw": _("note taken back"),
}


_DRAFT_EFFECT = _("Entered, its values become the draft in your name; the sheet is then checked and signed anew.")
_CLOCK_EFFECT = _("Entered, it counts from now on, not from when it was made; only while the session is played.")
# What entering a held item does, by its act.
TABLET_ACT_EFFECTS: Mapping[str, str] = {
    "save": _DRAFT_EFFECT,
    "package": _("Compare both sides, ask the referee and the players, then say which is right."),
    "ready": _("Entered, the draft as it stands is handed on to be signed, in your name."),
    "reopen": _("Entered, the sheet is a draft again; what was signed counts no more."),
    "sign": _("Entered, this seat has signed the values as they stand, if they are those that it was shown."),
    "dispute": _("Entered, the sheet rests until the chief judge has decided the dispute."),
    "call": _("Entered, it stands in the chief judge's queue, to be answered there."),
    "warning": _("Entered, it counts as the entrant's next verbal warning."),
    "incident": _("Entered, it stands beside the sheet as a note on its game."),
    "pause": _CLOCK_EFFECT,
    "unpause": _CLOCK_EFFECT,
    "overtime": _CLOCK_EFFECT,
    "withdraw": _("Entered, the note counts no more; it stays in the log."),
}


@register.filter
def tablet_enters(act: str) -> str:
    """What entering an item of this act does; nothing for what is no act."""
    return gettext(TABLET_ACT_EFFECTS[act]) if act in TABLET_ACT_EFFECTS else ""


@register.filter
def tablet_act(act: str) -> str:
    """An act in words; one that is none as it is written."""
    return gettext(TABLET_ACT_WORDS[act]) if act in TABLET_ACT_WORDS else act

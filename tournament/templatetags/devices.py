"""The words of tablets on pages: what an item of an outbox does. `{% load devices %}`."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

register = template.Library()

ACTS: Mapping[str, str] = {
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
}


@register.filter
def tablet_act(act: str) -> str:
    """An act in words; one that is none as it is written."""
    return gettext(ACTS[act]) if act in ACTS else act

"""The acts of the audit log in words. `{% load audit %}`."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.templatetags.sheets import ACTS as SHEET_ACTS

register = template.Library()

ACTS: Mapping[str, str] = {
    **SHEET_ACTS,
    "create_event": _("event made"),
    "change_event": _("event changed"),
    "change_sessions": _("sessions changed"),
    "change_rules": _("rules changed"),
    "make_rehearsal": _("copied to rehearse"),
    "grant_role": _("role given"),
    "revoke_role": _("role taken"),
    "import_entrants": _("entrants imported"),
    "read_entrant_file": _("file read"),
    "accept_age": _("age accepted"),
    "record_no_show": _("no-show recorded"),
    "record_withdrawal": _("withdrawal recorded"),
    "disqualify_entrant": _("disqualified"),
    "readmit_entrant": _("readmitted"),
    "draw_seats": _("seats drawn"),
    "swap_seats": _("seats swapped"),
    "confirm_seats": _("seats confirmed"),
    "decide_tie": _("tie decided"),
    "release": _("released"),
    "withdraw_release": _("release withdrawn"),
    "create_backup": _("backup made"),
    "restore_backup": _("backup restored"),
}


@register.filter
def act_words(action: str) -> str:
    """An act in words; one without words of its own stands as the log has it."""
    return gettext(ACTS[action]) if action in ACTS else action.replace("_", " ")

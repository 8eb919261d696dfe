"""What acts are done to, and the words that a page has for each part of such a reference.

A reference is how the audit log names something: kinds with a number, a serial or an address behind each,
`scoresheet 0406-3-06 v1`, `held 4 table 0406-3-21`.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

SUBJECTS: Mapping[str, str] = {
    "scoresheet": _("scoresheet"),
    "notice draft": _("draft of a notice"),
    "notice": _("notice"),
    "corrects": _("corrects"),
    "mailing": _("mailing"),
    "entrant file": _("list of entrants"),
    "row": _("row"),
    "entrant": _("entrant"),
    "session": _("session"),
    "tables": _("tables"),
    "table": _("table"),
    "seed": _("seed"),
    "event": _("event"),
    "stage": _("stage"),
    "account": _("account"),
    "token": _("token"),
    "tablet": _("tablet"),
    "held": _("held item"),
    "call": _("call"),
    "announcement": _("announcement"),
    "incident": _("incident"),
    "warning": _("verbal warning"),
    "overtime": _("overtime"),
    "release": _("release"),
    "outbox": _("outbox"),
    "key": _("key"),
    "taken over by": _("taken over by"),
    "from": _("from"),
    "signal": _("line of the signals"),
    "weather looks": _("signals in force"),
    "weather": _("weather"),
}

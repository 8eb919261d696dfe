"""The words of each mark of a rack (scoring.marks), wherever one is typed, shown, ruled or printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class MarkWords:
    """`cell` heads its column at the desk, `panel` stands at a seat on the tablet, `printed` on a recorded sheet.

    `act`, `note`, `undo` are the tablet's buttons; `out` what is wrong with 0 tiles and what to do. `clause`, `option`
    and `option_help` are of the rules' form, `rule` of the tablet's page of rules, filled with the ruleset's values.
    """

    cell: str
    panel: Any
    printed: str
    act: str
    note: str
    undo: str
    out: tuple[str, str]
    clause: str
    option: str
    option_help: str
    rule: str


MARK_WORDS: Mapping[str, MarkWords] = {
    "pushed_over": MarkWords(
        cell=_("pushed over"),
        panel=pgettext_lazy("panel", "pushed over"),
        printed="推倒 pushed over",
        act=_("Rack pushed over"),
        note=_("Note: pushed over, tiles: %(tiles)s"),
        undo=_("Not pushed over after all"),
        out=(_("%(seat)s has 0 tiles in game %(game)s; there is no rack to push over."), _("Correct one of the two.")),
        clause="R27",
        option=_("Rack pushed over on purpose"),
        option_help=_("By a referee's ruling the rack is worth this, once."),
        rule=_("Pushed over on purpose: −%(pushed_over)s in all."),
    ),
}

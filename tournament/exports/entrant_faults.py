"""The faults of a list of entrants as a CSV to send back: each by row and column, in both languages."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop as _
from django.utils.translation import override

from tournament.exports.cells import csv_file
from tournament.readers.characters import shown
from tournament.readers.faults import DECIDE, LEFT_OUT, MEND, NOTE, Fault, told

STATES = {MEND: _("to mend"), DECIDE: _("to decide"), LEFT_OUT: _("left out"), NOTE: _("told only")}
HEADS = (
    "行 Row",
    "欄 Column",
    "欄名 Head",
    "檔案內容 Cell",
    "狀態",
    "問題",
    "怎樣做",
    "State",
    "What is wrong",
    "What to do",
    "代號 Code",
)


def entrant_faults(faults: Iterable[Fault]) -> bytes:
    """One row a fault, in the order given. A cell that was not kept is blank."""
    return csv_file([HEADS, *(fault_row(fault) for fault in faults)])


def fault_row(fault: Fault) -> list[str | int]:
    """One fault with its sentences in Chinese and in English."""
    sentences: list[str] = []
    for language in ("zh-hant", "en"):
        with override(language):
            sentences += [told(STATES[fault.weight], {}), fault.what, fault.do]
    cell = shown(fault.cell or "")
    return [fault.row, fault.place.letter, fault.place.head, cell, *sentences, fault.code]

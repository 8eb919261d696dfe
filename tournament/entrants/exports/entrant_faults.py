"""The faults of a list of entrants as a CSV to send back: each by row and column, in both languages."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop as _
from django.utils.translation import override

from tournament.core.cells import csv_file
from tournament.entrants.readers.characters import show_forbidden_characters
from tournament.entrants.readers.faults import (
    FAULT_DECIDE,
    FAULT_ERROR,
    FAULT_LEFT_OUT,
    FAULT_NOTE,
    ImportFault,
    fill_fault_sentence,
)

FAULT_SEVERITY_WORDS = {
    FAULT_ERROR: _("to mend"),
    FAULT_DECIDE: _("to decide"),
    FAULT_LEFT_OUT: _("left out"),
    FAULT_NOTE: _("told only"),
}
FAULT_LIST_HEADS = (
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


def entrant_faults_csv(faults: Iterable[ImportFault]) -> bytes:
    """One row a fault, in the order given. A cell that was not kept is blank."""
    return csv_file([FAULT_LIST_HEADS, *(fault_row(fault) for fault in faults)])


def fault_row(fault: ImportFault) -> list[str | int]:
    """One fault with its sentences in Chinese and in English."""
    sentences: list[str] = []
    for language in ("zh-hant", "en"):
        with override(language):
            sentences += [fill_fault_sentence(FAULT_SEVERITY_WORDS[fault.weight], {}), fault.what, fault.do]
    cell = show_forbidden_characters(fault.cell or "")
    return [fault.row, fault.place.letter, fault.place.head, cell, *sentences, fault.code]

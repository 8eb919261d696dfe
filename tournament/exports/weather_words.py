"""The signals of the Observatory by their codes, in words: as a warning is called, and short as people say it."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


class Words(NamedTuple):
    """The full name and the short one; `colour` is the class of its mark, empty for what has none."""

    name: str | Promise
    short: str | Promise
    colour: str


def named(name: Promise, short: Promise, colour: str = "") -> Words:
    """One signal."""
    return Words(name, short, colour)


# Those that a person may enter, in order of strength.
SIGNALS: Mapping[str, Words] = {
    "WRAINA": named(pgettext_lazy("signal", "Amber rainstorm warning"), pgettext_lazy("signal", "amber rain"), "amber"),
    "WRAINR": named(pgettext_lazy("signal", "Red rainstorm warning"), pgettext_lazy("signal", "red rain"), "red"),
    "WRAINB": named(pgettext_lazy("signal", "Black rainstorm warning"), pgettext_lazy("signal", "black rain"), "black"),
    "TC1": named(pgettext_lazy("signal", "Standby signal No. 1"), pgettext_lazy("signal", "T1")),
    "TC3": named(pgettext_lazy("signal", "Strong wind signal No. 3"), pgettext_lazy("signal", "T3")),
    "TC8NE": named(
        pgettext_lazy("signal", "No. 8 northeast gale or storm signal"), pgettext_lazy("signal", "T8 NE"), "black"
    ),
    "TC8SE": named(
        pgettext_lazy("signal", "No. 8 southeast gale or storm signal"), pgettext_lazy("signal", "T8 SE"), "black"
    ),
    "TC8NW": named(
        pgettext_lazy("signal", "No. 8 northwest gale or storm signal"), pgettext_lazy("signal", "T8 NW"), "black"
    ),
    "TC8SW": named(
        pgettext_lazy("signal", "No. 8 southwest gale or storm signal"), pgettext_lazy("signal", "T8 SW"), "black"
    ),
    "TC9": named(
        pgettext_lazy("signal", "Increasing gale or storm signal No. 9"), pgettext_lazy("signal", "T9"), "black"
    ),
    "TC10": named(pgettext_lazy("signal", "Hurricane signal No. 10"), pgettext_lazy("signal", "T10"), "black"),
}
CANCEL = Words(pgettext_lazy("signal", "cancelled"), pgettext_lazy("signal", "cancelled"), "")
RAIN, CYCLONE = "WRAIN", "WTCSGNL"


def words_of(code: str) -> Words:
    """The words of a code; an unknown one stays as it is."""
    if code.upper() == "CANCEL":
        return CANCEL
    return SIGNALS.get(code, Words(code, code, ""))


def family_of(code: str) -> str:
    """Under which key the feed lists a signal that a person may enter."""
    return RAIN if code.startswith(RAIN) else CYCLONE

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
# What else the Observatory may list, and what a person may hear on the radio: none of it stops play by the rules.
OTHERS: Mapping[str, Words] = {
    "WTCPRE8": named(
        pgettext_lazy("signal", "Pre-No. 8 Special Announcement"), pgettext_lazy("signal", "pre-No. 8"), "red"
    ),
    "EXTREME": named(
        pgettext_lazy("signal", "Extreme conditions"), pgettext_lazy("signal", "extreme conditions"), "red"
    ),
    "WTS": named(pgettext_lazy("signal", "Thunderstorm warning"), pgettext_lazy("signal", "thunderstorm")),
    "WL": named(pgettext_lazy("signal", "Landslip warning"), pgettext_lazy("signal", "landslip")),
    "WFNTSA": named(
        pgettext_lazy("signal", "Special announcement on flooding in the northern New Territories"),
        pgettext_lazy("signal", "flooding (N.T.)"),
    ),
    "WMSGNL": named(pgettext_lazy("signal", "Strong monsoon signal"), pgettext_lazy("signal", "monsoon")),
    "WTMW": named(pgettext_lazy("signal", "Tsunami warning"), pgettext_lazy("signal", "tsunami")),
    "WFIREY": named(
        pgettext_lazy("signal", "Yellow fire danger warning"), pgettext_lazy("signal", "yellow fire danger")
    ),
    "WFIRER": named(pgettext_lazy("signal", "Red fire danger warning"), pgettext_lazy("signal", "red fire danger")),
    "WFROST": named(pgettext_lazy("signal", "Frost warning"), pgettext_lazy("signal", "frost")),
    "WHOT": named(pgettext_lazy("signal", "Very hot weather warning"), pgettext_lazy("signal", "very hot")),
    "WCOLD": named(pgettext_lazy("signal", "Cold weather warning"), pgettext_lazy("signal", "cold")),
}
CANCEL = Words(pgettext_lazy("signal", "cancelled"), pgettext_lazy("signal", "cancelled"), "")
RAIN, CYCLONE = "WRAIN", "WTCSGNL"


def words_of(code: str) -> Words:
    """The words of a code; an unknown one stays as it is."""
    if code.upper() == "CANCEL":
        return CANCEL
    return SIGNALS.get(code) or OTHERS.get(code) or Words(code, code, "")


def family_of(code: str) -> str:
    """Under which key the feed lists a signal that a person may enter."""
    if code in OTHERS:
        return code
    return RAIN if code.startswith(RAIN) else CYCLONE

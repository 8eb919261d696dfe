"""The signals of the Observatory by their codes, in words: as a warning is called, and short as people say it."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


class SignalWords(NamedTuple):
    """The full name and the short one; `colour` is the class of its mark, empty for what has none."""

    name: str | Promise
    short: str | Promise
    colour: str


def make_signal_words(name: Promise, short: Promise, colour: str = "") -> SignalWords:
    return SignalWords(name, short, colour)


# Those that a person may enter, in order of strength.
STOP_SIGNAL_WORDS: Mapping[str, SignalWords] = {
    "WRAINA": make_signal_words(
        pgettext_lazy("signal", "Amber rainstorm warning"), pgettext_lazy("signal", "amber rain"), "amber"
    ),
    "WRAINR": make_signal_words(
        pgettext_lazy("signal", "Red rainstorm warning"), pgettext_lazy("signal", "red rain"), "red"
    ),
    "WRAINB": make_signal_words(
        pgettext_lazy("signal", "Black rainstorm warning"), pgettext_lazy("signal", "black rain"), "black"
    ),
    "TC1": make_signal_words(pgettext_lazy("signal", "Standby signal No. 1"), pgettext_lazy("signal", "T1")),
    "TC3": make_signal_words(pgettext_lazy("signal", "Strong wind signal No. 3"), pgettext_lazy("signal", "T3")),
    "TC8NE": make_signal_words(
        pgettext_lazy("signal", "No. 8 northeast gale or storm signal"), pgettext_lazy("signal", "T8 NE"), "black"
    ),
    "TC8SE": make_signal_words(
        pgettext_lazy("signal", "No. 8 southeast gale or storm signal"), pgettext_lazy("signal", "T8 SE"), "black"
    ),
    "TC8NW": make_signal_words(
        pgettext_lazy("signal", "No. 8 northwest gale or storm signal"), pgettext_lazy("signal", "T8 NW"), "black"
    ),
    "TC8SW": make_signal_words(
        pgettext_lazy("signal", "No. 8 southwest gale or storm signal"), pgettext_lazy("signal", "T8 SW"), "black"
    ),
    "TC9": make_signal_words(
        pgettext_lazy("signal", "Increasing gale or storm signal No. 9"), pgettext_lazy("signal", "T9"), "black"
    ),
    "TC10": make_signal_words(
        pgettext_lazy("signal", "Hurricane signal No. 10"), pgettext_lazy("signal", "T10"), "black"
    ),
}
# What else the Observatory may list, and what a person may hear on the radio: none of it stops play by the rules.
OTHER_SIGNAL_WORDS: Mapping[str, SignalWords] = {
    "WTCPRE8": make_signal_words(
        pgettext_lazy("signal", "Pre-No. 8 Special Announcement"), pgettext_lazy("signal", "pre-No. 8"), "red"
    ),
    "EXTREME": make_signal_words(
        pgettext_lazy("signal", "Extreme conditions"), pgettext_lazy("signal", "extreme conditions"), "red"
    ),
    "WTS": make_signal_words(pgettext_lazy("signal", "Thunderstorm warning"), pgettext_lazy("signal", "thunderstorm")),
    "WL": make_signal_words(pgettext_lazy("signal", "Landslip warning"), pgettext_lazy("signal", "landslip")),
    "WFNTSA": make_signal_words(
        pgettext_lazy("signal", "Special announcement on flooding in the northern New Territories"),
        pgettext_lazy("signal", "flooding (N.T.)"),
    ),
    "WMSGNL": make_signal_words(pgettext_lazy("signal", "Strong monsoon signal"), pgettext_lazy("signal", "monsoon")),
    "WTMW": make_signal_words(pgettext_lazy("signal", "Tsunami warning"), pgettext_lazy("signal", "tsunami")),
    "WFIREY": make_signal_words(
        pgettext_lazy("signal", "Yellow fire danger warning"), pgettext_lazy("signal", "yellow fire danger")
    ),
    "WFIRER": make_signal_words(
        pgettext_lazy("signal", "Red fire danger warning"), pgettext_lazy("signal", "red fire danger")
    ),
    "WFROST": make_signal_words(pgettext_lazy("signal", "Frost warning"), pgettext_lazy("signal", "frost")),
    "WHOT": make_signal_words(pgettext_lazy("signal", "Very hot weather warning"), pgettext_lazy("signal", "very hot")),
    "WCOLD": make_signal_words(pgettext_lazy("signal", "Cold weather warning"), pgettext_lazy("signal", "cold")),
}
CANCEL_WORDS = SignalWords(pgettext_lazy("signal", "cancelled"), pgettext_lazy("signal", "cancelled"), "")
RAIN_FAMILY_KEY, CYCLONE_FAMILY_KEY = "WRAIN", "WTCSGNL"


def words_of_signal(code: str) -> SignalWords:
    """The words of a code; an unknown one stays as it is."""
    if code.upper() == "CANCEL":
        return CANCEL_WORDS
    return STOP_SIGNAL_WORDS.get(code) or OTHER_SIGNAL_WORDS.get(code) or SignalWords(code, code, "")


def family_key_of_signal(code: str) -> str:
    """Under which key the feed lists a signal that a person may enter."""
    if code in OTHER_SIGNAL_WORDS:
        return code
    return RAIN_FAMILY_KEY if code.startswith(RAIN_FAMILY_KEY) else CYCLONE_FAMILY_KEY

"""Questions during play: could a rack open, is a set legal, the rules as a card. No secret, no query, no account."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ruleset import PRESETS
from tournament.bridge.rulesets import ruleset_fields

RULESET = "hk-2026"


def board_words() -> dict[str, Any]:
    """The words of the tile board and its verdicts (js/tablet/board.js and verdict.js), in the page's language."""
    return {
        "colours": {"R": _("red"), "B": _("blue"), "K": _("black"), "O": _("orange")},
        "tile": _("%(colour)s %(number)s"),
        "joker": _("joker"),
        "count": _("%(tile)s, %(count)s pressed"),
        "take": _("Take away %(tile)s"),
        "rack": _("Rack"),
        "board": _("Board of tiles"),
        "empty": _("Nothing pressed yet."),
        "undo": _("One back"),
        "clear": _("Clear"),
        "held": _("%(tiles)s tiles, face value %(value)s"),
        **_opening_words(),
        **_set_words(),
    }


def _opening_words() -> dict[str, Any]:
    """Could it open? (R25, R26)"""
    return {
        "waits": _("Press the tiles of the rack"),
        "waits_why": _("The rack as it is at the end of the game, a tile just drawn included."),
        "sum": _("%(parts)s = %(best)s"),
        "can_open": _("Could open: %(sum)s"),
        "cannot_open": _("Could not open: no sets reach %(minimum)s"),
        "able": _("%(minimum)s or more. "),
        "able_flat": _("Able to open, yet not opened: the whole rack counts −%(value)s."),
        "unable_best": _("The most is %(sum)s. "),
        "unable_none": _("There is no set in it. "),
        "unable_flat": _("Not able to open: the whole rack counts −%(value)s."),
        "no_flat": _("The rack counts its tiles: −%(value)s."),
        "under_dealt": _("An unopened rack has %(dealt)s tiles or more; here are %(tiles)s."),
    }


def _set_words() -> dict[str, Any]:
    """Is it a set? The reasons by the codes of scoring.sets."""
    return {
        "set_waits": _("Press the tiles of the set"),
        "set_waits_why": _("A run from low to high, each joker in its place."),
        "legal_run": _("Legal: a run, worth %(value)s"),
        "legal_group": _("Legal: a group, worth %(value)s"),
        "stands_for": _("The joker in place %(place)s stands for %(tiles)s."),
        "or": _(" or "),
        "not_legal": _("Not legal"),
        "because": {
            "too_short": _("A set has at least 3 tiles."),
            "too_long": _("Too many tiles: a group has at most 4, a run at most 13."),
            "mixed": _("Neither one colour in a row (a run) nor one number in different colours (a group)."),
            "colour_twice": _("In a group each colour is there once only; here one is there twice."),
            "not_consecutive": _("The numbers of the run do not follow one another."),
            "not_in_order": _("Press a run from low to high: in that order these tiles are a run."),
            "past_13": _("The run would go beyond 13; after 13 comes no 1."),
            "below_1": _("The run would begin below 1."),
        },
    }


@require_safe
def tablet_ice(request: HttpRequest) -> HttpResponse:
    """The page; everything it answers it works out in the browser."""
    ruleset = PRESETS[RULESET]
    data = {"words": board_words(), "ruleset": ruleset_fields(ruleset)}
    languages = ("zh-hant", "en")
    return render(request, "tablet/ice.html", {"data": data, "rules": ruleset, "languages": languages})


urlpatterns = [path("ice/", tablet_ice, name="tablet_ice")]

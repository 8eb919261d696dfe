"""Questions during play: could a rack open, is a set legal, the rules as a card. No secret, no account.

Standing alone it asks which rules; opened from an event's tablet it has the rules of that event.
"""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.http import require_safe

from scoring.ruleset import PRESETS, Ruleset
from tournament.bridge.rulesets import ruleset_fields, ruleset_of
from tournament.models import Event
from tournament.views.tablet_rules import card_of

RULESET = "hk-2026"
LANGUAGES = ("zh-hant", "en")
NAMES = {
    RULESET: gettext_lazy("Hong Kong 2026"),
    "twist": gettext_lazy("Twist"),
    "school": gettext_lazy("School"),
    "word": gettext_lazy("WORD"),
    "french": gettext_lazy("French"),
}


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
    """Standing alone: by whichever rules are chosen."""
    return page(request, [(str(name), PRESETS[preset]) for preset, name in NAMES.items()])


@require_safe
def event_ice(request: HttpRequest, event: str) -> HttpResponse:
    """From a tablet of an event: by the rules of its stages, one after the other where they differ."""
    found = get_object_or_404(Event, slug=event)
    played: list[tuple[str, Ruleset]] = []
    for stage in found.stages.order_by("pk"):
        ruleset = ruleset_of(stage)
        if ruleset.fields_as_data() not in [other.fields_as_data() for _name, other in played]:
            played.append((stage.get_kind_display(), ruleset))
    return page(request, played or [(str(NAMES[RULESET]), PRESETS[RULESET])])


def page(request: HttpRequest, played: Sequence[tuple[str, Ruleset]]) -> HttpResponse:
    """The page; everything it answers it works out in the browser, by the rules that are chosen there."""
    rulesets = [{"name": name, "fits": fits(one), "ruleset": ruleset_fields(one)} for name, one in played]
    shown = {
        "data": {"words": board_words(), "rulesets": rulesets},
        "names": [name for name, _one in played],
        "cards": [cards_of(one) for _name, one in played],
    }
    return render(request, "tablet/ice.html", shown)


def fits(ruleset: Ruleset) -> bool:
    """Whether the board has every tile of the game: numbers and plain jokers."""
    tiles = ruleset.tiles
    return tiles.numbers > 0 and not any(count for kind, count in tiles.jokers if kind != "J")


def cards_of(ruleset: Ruleset) -> list[dict[str, Any]]:
    """The rules in every language, one beside the other: a player may read another than the referee."""
    found = []
    for language in LANGUAGES:
        with override(language):
            found.append({"language": language, "title": _("The rules in short"), "lines": card_of(ruleset)})
    return found


urlpatterns = [
    path("ice/", tablet_ice, name="tablet_ice"),
    path("ice/<slug:event>/", event_ice, name="event_ice"),
]

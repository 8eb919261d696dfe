"""The rules asked at a table: a set, a turn, an opening, the rules as a card. No secret, no account.

Standing alone it asks which rules; opened from an event's tablet it has the rules of that event.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.http import require_safe

from scoring.rulebook import RuleSection, rulebook
from scoring.ruleset import PRESETS, Ruleset
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.templatetags.display import html_lang
from tournament.events.domain import ruleset_fields, ruleset_of_stage
from tournament.sheets.exports.rule_labels import rule_labels
from tournament.tablets.views.rules import rule_card_lines

DEFAULT_RULESET_NAME = "hk-2026"
TABLET_LANGUAGES = ("zh-hant", "en")
RULESET_NAMES = {
    DEFAULT_RULESET_NAME: gettext_lazy("Hong Kong 2026"),
    "twist": gettext_lazy("Twist"),
    "school": gettext_lazy("School"),
    "word": gettext_lazy("WORD"),
    "french": gettext_lazy("French"),
}


class PlayedRules(NamedTuple):
    """Rules by a code and by what names them in the language of the moment, and the book made from them."""

    code: str
    name: Callable[[], str]
    ruleset: Ruleset
    book: tuple[RuleSection, ...]


@require_safe
def tablet_ice(request: HttpRequest) -> HttpResponse:
    """Standing alone: by whichever rules are chosen."""
    return render_ice_page(request, [preset_rules(name) for name in RULESET_NAMES])


@require_safe
def event_ice(request: HttpRequest, event: str) -> HttpResponse:
    """From a tablet of an event: by the rules of its stages, one after the other where they differ."""
    return render_ice_page(request, rules_of_event(get_object_or_404(Event, slug=event)))


def rules_of_event(event: Event) -> list[PlayedRules]:
    """The rules of its stages, each once; of an event without a stage those of the default preset."""
    played: list[PlayedRules] = []
    for stage in event.stages.order_by("order"):
        rules = stage_rules(stage)
        if rules.book not in [other.book for other in played]:
            played.append(rules)
    return played or [preset_rules(DEFAULT_RULESET_NAME)]


def preset_rules(name: str) -> PlayedRules:
    """The rules of a preset."""
    return PlayedRules(name, lambda: str(RULESET_NAMES[name]), PRESETS[name], rulebook(PRESETS[name], 1))


def stage_rules(stage: Stage) -> PlayedRules:
    """The rules of a stage."""
    ruleset = ruleset_of_stage(stage)
    return PlayedRules(stage.kind, lambda: stage.title, ruleset, rulebook(ruleset, stage.rounds))


def render_ice_page(request: HttpRequest, played: Sequence[PlayedRules]) -> HttpResponse:
    """The page; everything it answers it works out in the browser, by the rules that are chosen there."""
    data = {
        "rulesets": [{"code": one.code, "ruleset": ruleset_fields(one.ruleset)} for one in played],
        # Both languages: they are switched without network.
        "books": dict(ask_book(played, language) for language in TABLET_LANGUAGES),
    }
    return render(request, "tablets/ice.html", {"data": data, "cards": [cards_of(one.book) for one in played]})


def ask_book(played: Sequence[PlayedRules], language: str) -> tuple[str, dict[str, Any]]:
    """What the page has in one language beside its catalogue, by the language as HTML names it."""
    with override(language):
        return html_lang(), {
            "language": language,
            "name": dict(settings.LANGUAGES)[language],
            "title": f"{_('Ask the rules')}·{_('Rummikub desk')}",
            "names": [one.name() for one in played],
            "labels": {"rules": rule_labels()},
        }


def cards_of(book: tuple[RuleSection, ...]) -> list[dict[str, Any]]:
    """The rules in every language, one beside the other: a player may read another than the referee."""
    found = []
    for language in TABLET_LANGUAGES:
        with override(language):
            found.append({"language": language, "title": _("The rules in short"), "lines": rule_card_lines(book)})
    return found


urlpatterns = [
    path("ice/", tablet_ice, name="tablet_ice"),
    path("ice/<slug:event>/", event_ice, name="event_ice"),
]

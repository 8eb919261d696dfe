"""The turn timer: a page that asks the server nothing more once it is there, kept by a service worker of its own."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext, override
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.rulebook import overtime_sentence
from scoring.ruleset import Ruleset
from tournament.core.adapters.bundles import bundle_url
from tournament.core.adapters.kept_pages import WORKER_TYPE, KeptPages, worker_script
from tournament.core.adapters.script_sentences import SCRIPTS_CATALOGUE, chinese_sentences
from tournament.core.models.event import Event
from tournament.core.templatetags.display import html_lang, in_language
from tournament.sheets.exports.rule_words import sentence_text
from tournament.tablets.views.ice import RULESET_NAMES, TABLET_LANGUAGES, PlayedRules, preset_rules, rules_of_event
from tournament.timer.exports.timer_sheet import TimerSheet, timer_sheet_pdf

TIMER_BUNDLES = ("timer.css", "timer.js", "joker.svg")


@gzip_page
@require_safe
def turn_timer(request: HttpRequest) -> HttpResponse:
    """Standing alone: by whichever preset's rules are chosen."""
    return render_timer(request, preset_timers(), None)


@gzip_page
@require_safe
def event_timer(request: HttpRequest, event: str) -> HttpResponse:
    """By the rules of an event's stages."""
    found = get_object_or_404(Event, slug=event)
    return render_timer(request, event_timers(found), found)


@require_safe
def timer_sheet(request: HttpRequest, language: str) -> HttpResponse:
    """How to use it, as PDF; `?rules=` a preset, else the first."""
    return sheet_answer(request, preset_timers(), None, language)


@require_safe
def event_timer_sheet(request: HttpRequest, event: str, language: str) -> HttpResponse:
    """The same of an event; `?rules=` a stage, else the first."""
    found = get_object_or_404(Event, slug=event)
    return sheet_answer(request, event_timers(found), found, language)


@require_safe
def timer_worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the timer's pages and no others: the general page at once, an event's when it is opened."""
    files = tuple(map(bundle_url, TIMER_BUNDLES))
    digest = hashlib.sha256("\0".join(files).encode())
    digest.update(SCRIPTS_CATALOGUE.read_bytes())
    page = reverse("turn_timer")
    kept = KeptPages("timer", page, digest.hexdigest()[:16], files, (page,))
    return HttpResponse(worker_script(kept), content_type=WORKER_TYPE)


def preset_timers() -> list[PlayedRules]:
    """The rules of every preset."""
    return [preset_rules(name) for name in RULESET_NAMES]


def event_timers(event: Event) -> list[PlayedRules]:
    """The rules of an event's stages, each once as far as a turn's time goes."""
    played: list[PlayedRules] = []
    for rules in rules_of_event(event):
        if turn_facts(rules.ruleset) not in [turn_facts(other.ruleset) for other in played]:
            played.append(rules)
    return played


def turn_facts(ruleset: Ruleset) -> tuple[int | None, int | None, int]:
    """What a timer takes from a ruleset: the seconds, what overtime costs, how many sit at a table."""
    return ruleset.turn_seconds, ruleset.overtime_tiles, ruleset.table_sizes[0]


def render_timer(request: HttpRequest, played: Sequence[PlayedRules], event: Event | None) -> HttpResponse:
    """The page, with all that its scripts say in both languages."""
    slug = event.slug if event else ""
    books = dict(timer_book(played, event, language) for language in TABLET_LANGUAGES)
    data = {
        "slug": slug,
        "worker": reverse("timer_worker"),
        "scope": reverse("turn_timer"),
        "rulesets": [
            {"code": one.code, "seconds": one.ruleset.turn_seconds, "seats": one.ruleset.table_sizes[0]}
            for one in played
        ],
        # Both languages: they are switched without network.
        "books": books,
        "catalogues": {lang: chinese_sentences("timer.js") for lang in books if lang != "en"},
    }
    return render(request, "timer/timer.html", {"data": data, "title": timer_title(event)})


def timer_book(played: Sequence[PlayedRules], event: Event | None, language: str) -> tuple[str, dict[str, Any]]:
    """What the page has in one language beside its catalogue, by the language as HTML names it."""
    with override(language):
        return html_lang(), {
            "name": dict(settings.LANGUAGES)[language],
            "title": timer_title(event),
            "names": [one.name() for one in played],
            "overtime": [cost_text(one.ruleset) for one in played],
            "sheet": sheet_url(event, language),
        }


def timer_title(event: Event | None) -> str:
    """In the language of the moment."""
    return "·".join([gettext("Turn timer"), in_language(event, "name") if event else gettext("Rummikub desk")])


def cost_text(ruleset: Ruleset) -> str:
    """What the page of rules says of overtime, in the language of the moment; empty where it says nothing."""
    sentence = overtime_sentence(ruleset)
    return sentence_text(sentence) if sentence else ""


def sheet_url(event: Event | None, language: str) -> str:
    """Where the sheet of this language is."""
    if event:
        return reverse("event_timer_sheet", args=[event.slug, language])
    return reverse("timer_sheet", args=[language])


def sheet_answer(
    request: HttpRequest, played: Sequence[PlayedRules], event: Event | None, language: str
) -> HttpResponse:
    """The sheet by the rules that are asked for."""
    if language not in TABLET_LANGUAGES:
        raise Http404
    rules = next((one for one in played if one.code == request.GET.get("rules")), played[0])
    page = reverse("event_timer", args=[event.slug]) if event else reverse("turn_timer")
    with override(language):
        sheet = TimerSheet(
            language,
            in_language(event, "name") if event else "",
            rules.ruleset.turn_seconds,
            cost_text(rules.ruleset),
            f"{settings.SITE_URL}{page}" if settings.SITE_URL else "",
        )
    response = HttpResponse(timer_sheet_pdf(sheet), content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="turn-timer-{language}.pdf"'
    return response


urlpatterns = [
    path("", turn_timer, name="turn_timer"),
    path("worker.js", timer_worker, name="timer_worker"),
    path("how-to-<slug:language>.pdf", timer_sheet, name="timer_sheet"),
    path("<slug:event>/", event_timer, name="event_timer"),
    path("<slug:event>/how-to-<slug:language>.pdf", event_timer_sheet, name="event_timer_sheet"),
]

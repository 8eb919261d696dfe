"""The referee's tablet: one page an event, without an account; what it knows comes later, by its own token.

The page and its modules are kept by a service worker where the connection is secure, so that it opens without network.
"""

import hashlib
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, override
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JSONCatalog

from tournament.core.adapters.bundles import bundle_url
from tournament.core.adapters.kept_pages import WORKER_TYPE, KeptPages, worker_script
from tournament.core.adapters.script_sentences import SCRIPTS_CATALOGUE
from tournament.core.dateformat import final_text, session_of_day_text
from tournament.core.enums import GameEnd, GameRuling, IncidentKind, SheetState
from tournament.core.models.event import Event
from tournament.core.templatetags.display import html_lang, in_language
from tournament.core.templatetags.display_icons import ICONS
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.sheets.exports.mark_words import MARK_WORDS
from tournament.sheets.exports.rule_labels import rule_labels
from tournament.sheets.forms.sheet_place import CELL_WORDS
from tournament.sheets.forms.sheet_sentences import YES_NO_WORDS
from tournament.sheets.forms.sheet_words import PROBLEM_SENTENCES, VALUE_GAP_SENTENCE
from tournament.tablets.domain import TABLET_SCHEMA

TABLET_BUNDLES = ("tablet.css", "tablet.js", "joker.svg")


@require_safe
def tablet_start(request: HttpRequest) -> HttpResponse:
    """What a tablet without a code is told."""
    return render(request, "tablets/start.html")


@gzip_page
@require_safe
def tablet_page(request: HttpRequest, event: str) -> HttpResponse:
    """The page; the code of a pairing stands after the # of its address and never comes here."""
    found = get_object_or_404(Event, slug=event)
    data = {
        "slug": found.slug,
        "schema": TABLET_SCHEMA,
        "worker": reverse("tablet_worker"),
        # Both languages: they are switched without network.
        "books": dict(tablet_book(found, code) for code, _name in settings.LANGUAGES),
    }
    return render(request, "tablets/tablet.html", {"found": found, "data": data, "icons": ICONS})


def tablet_book(event: Event, language: str) -> tuple[str, dict[str, Any]]:
    """What the page has in one language beside its catalogue, by the language as HTML names it."""
    with override(language):
        page = gettext("Referee's tablet")
        return html_lang(), {
            "language": language,
            "name": dict(settings.LANGUAGES)[language],
            "title": f"{page}·{in_language(event, 'name')}",
            "labels": tablet_labels(),
        }


def tablet_labels() -> dict[str, dict[str, Any]]:
    """What pages of the desk and scripts of the tablet call alike, by its code, in the page's language."""
    problems = {code: gettext(wrong) for code, (wrong, _to_do) in PROBLEM_SENTENCES.items()}
    return {
        "problems": {**problems, "value_gap": gettext(VALUE_GAP_SENTENCE)},
        "cells": {name: gettext(word) for name, word in CELL_WORDS.items()},
        "yes_no": {name: gettext(word) for name, word in YES_NO_WORDS.items()},
        "endings": {str(value): capfirst(str(label)) for value, label in GameEnd.choices},
        "rulings": {str(value): str(label) for value, label in GameRuling.choices},
        "states": {str(value): str(label) for value, label in SheetState.choices},
        "marks": {name: mark_labels(name) for name in MARK_WORDS},
        "rules": rule_labels(),
        # By its number of the day; a final by its round, 0 where it has none.
        "session": {str(number): capfirst(session_of_day_text(number)) for number in range(1, 10)},
        "replay": {str(number): capfirst(session_of_day_text(number, True)) for number in range(1, 10)},
        "final": {str(number): final_text(number or None) for number in range(STAGE_MAX_ROUNDS + 1)},
    }


def mark_labels(name: str) -> dict[str, Any]:
    """Of a mark of a rack: the button that offers it, how it stands at a seat, the buttons that note it and take it
    back; `is_incident`: the desk is told of it as well."""
    words = MARK_WORDS[name]
    return {
        "act": gettext(words.act),
        "panel": str(words.panel),
        "note": gettext(words.note),
        "undo": gettext(words.undo),
        "is_incident": name in IncidentKind.values,
    }


@gzip_page
@require_safe
def tablet_catalogue(request: HttpRequest) -> HttpResponseBase:
    """The Chinese of the scripts' sentences, as Django's JSON catalogue; English is in the scripts."""
    with override(settings.LANGUAGE_CODE):
        return JSONCatalog.as_view(packages=["tournament"])(request)


@require_safe
def tablet_worker(request: HttpRequest) -> HttpResponse:
    """The service worker with what it keeps, under the address whose pages it may answer."""
    pages = (reverse("tablet_start"), reverse("tablet_ice"))
    kept = KeptPages("tablet", reverse("tablet_start"), tablet_cache_version(), tuple(kept_files()), pages)
    return HttpResponse(worker_script(kept), content_type=WORKER_TYPE)


def kept_files() -> list[str]:
    """The addresses of all files that the pages ask for."""
    return [*map(bundle_url, TABLET_BUNDLES), reverse("tablet_catalogue")]


def tablet_cache_version() -> str:
    """Of what is kept: another one as soon as any file is another."""
    digest = hashlib.sha256("\0".join(kept_files()).encode())
    digest.update(SCRIPTS_CATALOGUE.read_bytes())
    return digest.hexdigest()[:16]


urlpatterns = [
    path("", tablet_start, name="tablet_start"),
    path("worker.js", tablet_worker, name="tablet_worker"),
    path("words.json", tablet_catalogue, name="tablet_catalogue"),
    path("<slug:event>/", tablet_page, name="tablet"),
]

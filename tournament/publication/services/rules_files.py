"""The public's files of the rules: a page, a leaflet and a page to ask in each language, made from the stages' rulesets
as they are.

publication/services/files.py puts them on the shelf beside the releases.
"""

import hashlib
from functools import lru_cache

from django.conf import settings
from django.utils import translation

from scoring.rulebook import rulebook
from scoring.ruleset import Ruleset
from tournament.core.adapters.kept_pages import WORKER_TYPE
from tournament.core.dateformat import is_chinese
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.events.domain import ruleset_of_stage
from tournament.publication.exports.public_ask import ask_page, ask_worker, ask_worker_path
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PublicEvent,
    page_address,
)
from tournament.publication.exports.public_rules import (
    LEAFLET_NAME,
    StageRules,
    ask_folder,
    rules_folder,
    rules_page,
    rules_preview_page,
)
from tournament.publication.exports.rules_leaflet import Leaflet, LeafletText, leaflet_text, rules_leaflet_pdf
from tournament.publication.services.shelf import CACHE_CURRENT_PAGE, PublicSiteWriter

RULES_HTML_TYPE, RULES_PDF_TYPE = "text/html; charset=utf-8", "application/pdf"
# The form of the leaflet, as a key of what is made from its text.
LEAFLET_FORMAT = "leaflet 1"
# Drawing one takes a second; several events by the same rules, and all files made anew, ask for the same ones.
LEAFLETS_IN_MEMORY = 16


def write_rules(shelf: PublicSiteWriter, event: Event, known: PublicEvent) -> None:
    """Put the rules of every stage on the event's shelf; nothing where no stage is set up."""
    stages = tuple(stage_rules(stage) for stage in event.stages.order_by("order"))
    if not stages:
        return
    shelf.put(ask_worker_path(known.slug), ask_worker(known.slug), WORKER_TYPE)
    for language in (CHINESE_CODE, ENGLISH_CODE):
        folder = page_address(rules_folder(known.slug), language)
        shelf.redirect(folder)
        shelf.put(folder, rules_page(known, stages, language), RULES_HTML_TYPE)
        url = f"{settings.SITE_URL}{folder}" if settings.SITE_URL else ""
        text = leaflet_text(Leaflet((known.name_zh, known.name_en), stages, url), language)
        asked = page_address(ask_folder(known.slug), language)
        shelf.redirect(asked)
        shelf.put(asked, ask_page(known, stages, language), RULES_HTML_TYPE)
        write_leaflet(shelf, f"{folder}{LEAFLET_NAME}", text, known.slug)


def write_leaflet(shelf: PublicSiteWriter, path: str, text: LeafletText, slug: str) -> None:
    """The leaflet, made once of the same text."""
    digest = hashlib.sha256(repr(text).encode()).hexdigest()
    shelf.put_made(
        f"{LEAFLET_FORMAT} {digest}",
        path,
        lambda: drawn_leaflet(text),
        packed=True,
        type=RULES_PDF_TYPE,
        cache=CACHE_CURRENT_PAGE,
        disposition=f'inline; filename="{slug}-rules-{text.language}.pdf"',
    )


@lru_cache(LEAFLETS_IN_MEMORY)
def drawn_leaflet(text: LeafletText) -> bytes:
    """The same text gives the same bytes."""
    return rules_leaflet_pdf(text)


def preview_of_rules(event: Event, known: PublicEvent, kind: str, ruleset: Ruleset) -> bytes:
    """The page of rules in the language of the moment, as it would be with this ruleset at the stage of this kind."""
    language = CHINESE_CODE if is_chinese() else ENGLISH_CODE
    stages = event.stages.order_by("order")
    rules = tuple(stage_rules(stage, ruleset if stage.kind == kind else None) for stage in stages)
    return rules_preview_page(known, rules, language)


def stage_rules(stage: Stage, other: Ruleset | None = None) -> StageRules:
    """A stage as the page of rules has it; by `other` rules than its own where they are given."""
    titles = {}
    for language in (CHINESE_CODE, ENGLISH_CODE):
        with translation.override(language):
            titles[language] = stage.title
    ruleset = other or ruleset_of_stage(stage)
    return StageRules(stage.kind, titles, ruleset, rulebook(ruleset, stage.rounds))

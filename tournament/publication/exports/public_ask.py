"""The public page "Ask the rules": what its scripts need is in the page, so that it asks nothing once it is open."""

import hashlib
from collections.abc import Sequence

from django.utils import translation

from tournament.core.adapters.bundles import bundle_url
from tournament.core.adapters.kept_pages import KeptPages, worker_script
from tournament.core.adapters.script_sentences import chinese_sentences
from tournament.core.dateformat import is_chinese
from tournament.events.domain import ruleset_fields
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PublicEvent,
    page_address,
    render_public_page,
)
from tournament.publication.exports.public_rules import StageRules, ask_folder, example_anchors, rules_folder
from tournament.sheets.exports.rule_labels import rule_labels

ASK_BUNDLE = "ask.js"
ASK_FILES = ("public.css", "public.js", ASK_BUNDLE, "joker.svg")


def ask_page(event: PublicEvent, stages: Sequence[StageRules], language: str) -> bytes:
    """By the rules of the first stage, and of each later one whose rules are others."""
    asked: list[StageRules] = []
    for stage in stages:
        if stage.ruleset not in [other.ruleset for other in asked]:
            asked.append(stage)
    rules_url = page_address(rules_folder(event.slug), language)
    with translation.override(language):
        lang = "zh-Hant-HK" if is_chinese() else "en"
        data = {
            "rulesets": [
                {
                    "code": one.code,
                    "ruleset": ruleset_fields(one.ruleset),
                    "examples": {kind: f"{rules_url}#{at}" for kind, at in example_anchors(stages[0], one).items()},
                }
                for one in asked
            ],
            "books": {lang: {"names": [one.titles[language] for one in asked], "labels": {"rules": rule_labels()}}},
            "worker": ask_worker_path(event.slug),
            "catalogues": {lang: chinese_sentences(ASK_BUNDLE)} if is_chinese() else {},
        }
    facts = {"event": event, "data": data, "rules_page_url": rules_url}
    return render_public_page("ask", language, ask_folder(event.slug), facts)


def ask_worker_path(slug: str) -> str:
    """Where the worker is that keeps the page of both languages, for phones that reach the site by https."""
    return f"{page_address(ask_folder(slug), CHINESE_CODE)}worker.js"


def ask_worker(slug: str) -> bytes:
    """What it keeps: the page in both languages with its style and scripts."""
    files = tuple(map(bundle_url, ASK_FILES))
    pages = tuple(page_address(ask_folder(slug), language) for language in (CHINESE_CODE, ENGLISH_CODE))
    version = hashlib.sha256("\0".join(files).encode()).hexdigest()[:16]
    return worker_script(KeptPages(f"ask {slug}", pages[0], version, files, pages)).encode()

"""The public's pages as bytes, made from a release's content and nothing else. Each in one language, or both side by
side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from tournament.core.numberformat import entrant_number_text
from tournament.messages.exports.mail_parts import RESERVES_MARKED
from tournament.publication.exports.differences import (
    award_words_before_and_now,
    differs_in_names_only,
    entrant_differences,
)
from tournament.publication.exports.podium import read_podium
from tournament.publication.exports.public_entrants import entrant_pages
from tournament.publication.exports.registry import RANKING_FILES
from tournament.publication.exports.released import ReleasedRanking

PUBLIC_PAGES_PREFIX = "/p/"
CHINESE_CODE, ENGLISH_CODE = "zh-hant", "en"
# The language's part of an address: Chinese has none.
FOLDER_OF_LANGUAGE = {CHINESE_CODE: "", ENGLISH_CODE: "en/"}
OTHER_LANGUAGE_OF = {CHINESE_CODE: ENGLISH_CODE, ENGLISH_CODE: CHINESE_CODE}


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """What may be known of an event before anything is released."""

    slug: str
    name_zh: str
    name_en: str
    venue_zh: str
    venue_en: str
    results_at: datetime
    contact: str = ""


def page_address(folder: str, language: str) -> str:
    """A page's address: its folder, then the language's."""
    return f"{PUBLIC_PAGES_PREFIX}{folder}{FOLDER_OF_LANGUAGE[language]}"


def banner_urls(slug: str, language: str) -> dict[str, str]:
    """Where a page of this event finds its banner, a file of its own, the notices and the rules; nothing without an
    event."""
    if not slug:
        return {}
    return {
        "banner_url": f"{PUBLIC_PAGES_PREFIX}{slug}/banner.json",
        "notices_url": page_address(f"{slug}/notices/", language),
        "rules_url": page_address(f"{slug}/rules/", language),
    }


def render_public_page(template: str, language: str, folder: str, facts: Mapping[str, Any]) -> bytes:
    """Render one page of a folder in one language, with the switch to the other and its event's banner."""
    with translation.override(language):
        context = {
            "home_url": page_address("", language),
            "other_language_url": page_address(folder, OTHER_LANGUAGE_OF[language]),
            "language": language,
            **banner_urls(folder.partition("/")[0], language),
            **facts,
        }
        return render_to_string(f"publication/public/{template}.html", context).encode()


@dataclass(frozen=True, slots=True)
class PreviousRelease:
    """The release before one: its number, and whether what it said may still be shown."""

    number: int
    withdrawn: bool
    only_names: bool = False


def ranking_page(
    released: ReleasedRanking,
    language: str,
    *,
    slug: str,
    folder: str,
    replaced_by: int | None = None,
    replaces: PreviousRelease | None = None,
    winners_url: str = "",
) -> bytes:
    """The ranking with its line, where it has one. `folder` is the release's own or the current one; `replaced_by` a
    newer release's number, `replaces` the one before; `winners_url` leads to the final's winners."""
    above, below = released.ranking[: released.advancing], released.ranking[released.advancing :]
    decision = released.content["decision"] or {"admitted": [], "tied": []}
    podium = read_podium(released)
    places = podium.places if podium else ()
    return render_public_page(
        "ranking",
        language,
        folder,
        {
            "released": released,
            "above": above,
            "below": below,
            "decided": {*map(int, decision["admitted"]), *(one.winner.number for one in places if one.decided)},
            "podium": places,
            "winners_url": winners_url,
            "reserves_marked": RESERVES_MARKED,
            "by_average": "average" in released.content["order"],
            "by_tiles": "tiles" in released.content["order"],
            "replaced_by": replaced_by,
            "replaced_by_url": page_address(f"{slug}/{replaced_by}/", language) if replaced_by else "",
            "replaces": replaces,
            "entrants_url": f"{PUBLIC_PAGES_PREFIX}{slug}/{released.number}/",
            "entrants_language": FOLDER_OF_LANGUAGE[language],
            "changes_url": page_address(changes_folder(slug, released.number), language),
            "current_url": page_address(f"{slug}/", language),
            "files": [f"{PUBLIC_PAGES_PREFIX}{slug}/{released.number}/{artefact.name}" for artefact in RANKING_FILES],
        },
    )


def changes_folder(slug: str, number: int) -> str:
    """Where a release says what it changed."""
    return f"{slug}/{number}/changes/"


def changes_page(older: ReleasedRanking, newer: ReleasedRanking, language: str, *, slug: str) -> bytes:
    """What a release changed against the one before."""
    with translation.override(language):
        found, award = entrant_differences(older, newer), award_words_before_and_now(older, newer)
    return render_public_page(
        "changes",
        language,
        changes_folder(slug, newer.number),
        {
            "older": older,
            "newer": newer,
            "found": found,
            "award": award,
            "only_names": differs_in_names_only(found, award),
            "nothing": not any(found.values()) and not award,
            "newer_url": page_address(f"{slug}/{newer.number}/", language),
            "older_url": page_address(f"{slug}/{older.number}/", language),
        },
    )


def entrant_path(slug: str, number: int, entrant: int, language: str) -> str:
    """Where one entrant of a release reads why."""
    return page_address(f"{slug}/{number}/{entrant_number_text(entrant)}/", language)


def entrant_pages_by_address(
    released: ReleasedRanking, language: str, *, slug: str, replaced_by: int | None
) -> list[tuple[str, bytes]]:
    """Every entrant's page of a release in one language, with its address."""
    other_folder = FOLDER_OF_LANGUAGE[OTHER_LANGUAGE_OF[language]]
    urls = {
        "home_url": page_address("", language),
        "other_language_url": f"{PUBLIC_PAGES_PREFIX}{slug}/{released.number}/@@number@@/{other_folder}",
        "ranking_url": page_address(f"{slug}/{released.number}/", language),
        "replaced_by": str(replaced_by or ""),
        "replaced_by_url": page_address(f"{slug}/{replaced_by}/", language) if replaced_by else "",
        **banner_urls(slug, language),
    }
    pages = entrant_pages(released, language, urls=urls)
    return [(entrant_path(slug, released.number, number, language), body) for number, body in pages]


def waiting_page(event: PublicEvent, language: str) -> bytes:
    """Before the first release: when results come, and nothing else."""
    return render_public_page("waiting", language, f"{event.slug}/", {"event": event})


def withdrawn_page(event: PublicEvent, language: str, *, number: int, ranking_url: str = "") -> bytes:
    """The newest release was taken back: nothing stands in its place yet. `ranking_url`: where the stage before is."""
    facts = {"event": event, "number": number, "ranking_url": ranking_url}
    return render_public_page("withdrawn", language, f"{event.slug}/", facts)


def index_page(events: Sequence[PublicEvent], language: str) -> bytes:
    """All events by name; of one alone with its banner."""
    facts = [{"event": event, "url": page_address(f"{event.slug}/", language)} for event in events]
    alone = events[0].slug if len(events) == 1 else ""
    return render_public_page("index", language, "", {"events": facts, **banner_urls(alone, language)})


def both_languages_page(template: str, facts: Mapping[str, Any], slug: str = "") -> bytes:
    """A page that says the same in both languages: gone, of an event; not found, not allowed."""
    with translation.override(CHINESE_CODE):
        context = {"home_url": PUBLIC_PAGES_PREFIX, **banner_urls(slug, CHINESE_CODE), **facts}
        return render_to_string(f"publication/public/{template}.html", context).encode()

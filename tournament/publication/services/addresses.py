"""What each address of an event answers: the current page, every release under its own number, the hall's wall."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from tournament.core.adapters.bundles import bundle_url
from tournament.publication.domain.consent import mask_names_of, no_longer_in_full
from tournament.publication.domain.release import ReleaseContent
from tournament.publication.exports.differences import (
    award_words_before_and_now,
    differs_in_names_only,
    entrant_differences,
)
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PUBLIC_PAGES_PREFIX,
    PreviousRelease,
    PublicEvent,
    both_languages_page,
    changes_folder,
    changes_page,
    entrant_pages_by_address,
    entrant_path,
    page_address,
    ranking_page,
    waiting_page,
    withdrawn_page,
)
from tournament.publication.exports.public_winners import wall_page, winners_folder, winners_page
from tournament.publication.exports.registry import RANKING_FILES, ExportedFile
from tournament.publication.exports.released import ReleasedRanking, read_release
from tournament.publication.services.shelf import CACHE_CURRENT_PAGE, CACHE_NUMBERED_PAGE, PublicSiteWriter
from tournament.releases.models import Release

PUBLIC_HTML_TYPE = "text/html; charset=utf-8"
PUBLIC_JSON_TYPE = "application/json"
PAGE_FRAME_FORMAT = "frame 5"
# The same of the files beside the pages.
RELEASE_FILES_FORMAT = "files 2"


def page_frame() -> str:
    """The frame around every page, as a key of what is made from it: of an older one, or with other styles or scripts,
    nothing is kept."""
    return " ".join([PAGE_FRAME_FORMAT, *map(bundle_url, ("public.css", "public.js", "joker.svg"))])


@dataclass(frozen=True)
class MaskedRelease:
    """A release as it may be shown now: whose consent was withdrawn since is masked."""

    row: Release
    masked: frozenset[int]

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def is_last(self) -> bool:
        """Whether it is of the stage that ends with the winners."""
        return self.row.stage.is_last

    @property
    def withdrawn_at(self) -> datetime | None:
        """Since when it is withdrawn."""
        return self.row.withdrawn_at

    @property
    def key(self) -> str:
        """Names all that is shown of it: of the same content with other masks another file is made."""
        return " ".join([self.row.digest, *(f"{number:04d}" for number in sorted(self.masked))])

    @cached_property
    def content(self) -> ReleaseContent:
        """The release's content with the masked names hidden."""
        return mask_names_of(self.row.content, self.masked)

    @cached_property
    def ranking(self) -> ReleasedRanking:
        """The same as the exports read it."""
        return read_release(self.content, self.row.digest)


def mask_release(row: Release) -> MaskedRelease:
    """The release as it may be shown at this moment."""
    return MaskedRelease(row, no_longer_in_full(row))


@dataclass(frozen=True, slots=True)
class PublishedReleases:
    """What there is to publish of an event: the releases of each stage, oldest first, by the stages' names in the order
    of play; `last` is that of the stage which ends with the winners, empty where none is set up."""

    event: PublicEvent
    releases: dict[str, list[MaskedRelease]] = field(default_factory=dict)
    last: str = ""

    def newest(self, kind: str) -> MaskedRelease | None:
        """The newest release of a stage, withdrawn or not."""
        releases = self.releases.get(kind)
        return releases[-1] if releases else None

    def standing(self, kind: str) -> MaskedRelease | None:
        """The newest, where it has not been withdrawn."""
        newest = self.newest(kind)
        return newest if newest and newest.withdrawn_at is None else None

    @property
    def leading(self) -> str:
        """The latest stage that anything was released of; empty before the first release."""
        return next((kind for kind in reversed(self.releases) if self.releases[kind]), "")

    @property
    def shown(self) -> MaskedRelease | None:
        """What the event's own address leads with: the newest release of the latest stage that has one.

        One that was withdrawn leaves the place empty: an older stage is never shown as if it were the result.
        """
        return self.standing(self.leading)

    def url_before(self, kind: str, language: str) -> str:
        """The address of the ranking that stands of the latest stage before this one; nothing where there is none."""
        earlier = list(self.releases)[: list(self.releases).index(kind)]
        urls = (self.url_of(one, language) for one in reversed(earlier))
        return next((url for url in urls if url), "")

    def url_of(self, kind: str, language: str) -> str:
        """The address of a stage's standing ranking; nothing where there is none."""
        row = self.standing(kind)
        return page_address(f"{self.event.slug}/{row.number}/", language) if row else ""


def write_current(shelf: PublicSiteWriter, published: PublishedReleases) -> None:
    """The event's own address: the winners, the newest ranking, that there is none yet, or that it was taken back."""
    event, shown = published.event, published.shown
    folder = f"{event.slug}/"
    for language in (CHINESE_CODE, ENGLISH_CODE):
        shelf.redirect(page_address(folder, language))
        write_current_page(shelf, published, language)
    if shown:
        for artefact in RANKING_FILES:
            write_artefact(
                shelf,
                f"{PUBLIC_PAGES_PREFIX}{folder}{artefact.name}",
                shown,
                artefact,
                slug=event.slug,
                cache=CACHE_CURRENT_PAGE,
            )
    pointer: dict[str, Any] = {"release": shown.number, "digest": shown.row.digest} if shown else {"release": None}
    if published.leading not in ("", next(iter(published.releases), "")):
        standing = {kind: published.standing(kind) for kind in published.releases}
        pointer["stages"] = {kind: row.number if row else None for kind, row in standing.items()}
    shelf.put(
        f"{PUBLIC_PAGES_PREFIX}{folder}current.json", json.dumps(pointer, sort_keys=True).encode(), PUBLIC_JSON_TYPE
    )


def write_current_page(shelf: PublicSiteWriter, published: PublishedReleases, language: str) -> None:
    """The page at a stage's lasting address: its last release, its withdrawal, or that none was made."""
    event, shown = published.event, published.shown
    folder = f"{event.slug}/"
    path = page_address(folder, language)
    if shown and shown.is_last:
        write_winners_page(shelf, path, published, shown, language, folder=folder, cache=CACHE_CURRENT_PAGE)
    elif shown:
        releases = published.releases[published.leading]
        before = previous_release_facts(releases[-2] if len(releases) > 1 else None, shown)
        write_ranking_page(
            shelf, path, shown, language, slug=event.slug, folder=folder, cache=CACHE_CURRENT_PAGE, replaces=before
        )
    elif withdrawn := published.newest(published.leading):
        standing = published.url_before(published.leading, language)
        shelf.put(
            path, withdrawn_page(event, language, number=withdrawn.number, ranking_url=standing), PUBLIC_HTML_TYPE
        )
    else:
        shelf.put(path, waiting_page(event, language), PUBLIC_HTML_TYPE)


def write_wall_pages(shelf: PublicSiteWriter, published: PublishedReleases) -> None:
    """The hall's wall: the winners as soon as they are released; until then, and after a withdrawal, that they come."""
    path = f"{PUBLIC_PAGES_PREFIX}{published.event.slug}/wall/"
    shelf.redirect(path)
    row = published.standing(published.last)
    if row is None:
        gone = published.newest(published.last) is not None
        shelf.put(path, wall_page(published.event, None, withdrawn=gone), PUBLIC_HTML_TYPE)
        return
    key = f"{page_frame()} {row.key} {path} {published.event}"
    shelf.put_made(
        key, path, lambda: wall_page(published.event, row.ranking), type=PUBLIC_HTML_TYPE, cache=CACHE_CURRENT_PAGE
    )


def previous_release_facts(older: MaskedRelease | None, row: MaskedRelease) -> PreviousRelease | None:
    """What a release says of the one before it."""
    if older is None:
        return None
    if older.withdrawn_at is not None:
        return PreviousRelease(older.number, withdrawn=True)
    found, award = (
        entrant_differences(older.ranking, row.ranking),
        award_words_before_and_now(older.ranking, row.ranking),
    )
    return PreviousRelease(older.number, withdrawn=False, only_names=differs_in_names_only(found, award))


def write_release(
    shelf: PublicSiteWriter,
    published: PublishedReleases,
    row: MaskedRelease,
    *,
    replaced_by: int | None,
    older: MaskedRelease | None = None,
) -> None:
    """A release under its own number, with what it changed; every address of a withdrawn one answers 410."""
    slug = published.event.slug
    folder = f"{slug}/{row.number}/"
    if row.withdrawn_at:
        gone = both_languages_page("gone", {"number": row.number, "current_url": f"{PUBLIC_PAGES_PREFIX}{slug}/"}, slug)
        pages = [*page_paths(folder), *page_paths(changes_folder(slug, row.number)), *entrant_paths(slug, row)]
        if row.is_last:
            pages += page_paths(winners_folder(slug, row.number))
        for path in (*pages, *file_paths(folder)):
            shelf.put(path, gone, PUBLIC_HTML_TYPE, status=410, cache=CACHE_NUMBERED_PAGE)
        return
    for language in (CHINESE_CODE, ENGLISH_CODE):
        path = page_address(folder, language)
        shelf.redirect(path)
        write_ranking_page(
            shelf,
            path,
            row,
            language,
            slug=slug,
            folder=folder,
            cache=CACHE_NUMBERED_PAGE,
            replaced_by=replaced_by,
            replaces=previous_release_facts(older, row),
            winners_url=winners_url(published, row, language),
        )
        if row.is_last:
            winners = winners_folder(slug, row.number)
            shelf.redirect(page_address(winners, language))
            write_winners_page(
                shelf,
                page_address(winners, language),
                published,
                row,
                language,
                folder=winners,
                cache=CACHE_NUMBERED_PAGE,
                replaced_by=replaced_by,
            )
        write_entrant_pages(shelf, row, language, slug=slug, replaced_by=replaced_by)
        # What a withdrawn release said is not repeated.
        if older and older.withdrawn_at is None:
            write_changes_page(shelf, older, row, language, slug=slug)
    for artefact in RANKING_FILES:
        write_artefact(
            shelf, f"{PUBLIC_PAGES_PREFIX}{folder}{artefact.name}", row, artefact, slug=slug, cache=CACHE_NUMBERED_PAGE
        )


def write_entrant_pages(
    shelf: PublicSiteWriter, row: MaskedRelease, language: str, *, slug: str, replaced_by: int | None
) -> None:
    """A page for each entrant of the release, in one body."""
    shelf.put_pack(
        f"{page_frame()} {row.key} entrants {slug} {language} {replaced_by or ''}",
        lambda: entrant_pages_by_address(row.ranking, language, slug=slug, replaced_by=replaced_by),
        type=PUBLIC_HTML_TYPE,
        cache=CACHE_NUMBERED_PAGE,
    )


def entrant_paths(slug: str, row: MaskedRelease) -> list[str]:
    """The addresses of a release's entrants in both languages."""
    return [
        entrant_path(slug, row.number, line["number"], language)
        for line in row.content["ranking"]
        for language in (CHINESE_CODE, ENGLISH_CODE)
    ]


def page_paths(folder: str) -> list[str]:
    """The addresses of a page in both languages."""
    return [page_address(folder, language) for language in (CHINESE_CODE, ENGLISH_CODE)]


def file_paths(folder: str) -> list[str]:
    """The addresses of a release's files."""
    return [f"{PUBLIC_PAGES_PREFIX}{folder}{artefact.name}" for artefact in RANKING_FILES]


def write_ranking_page(
    shelf: PublicSiteWriter,
    path: str,
    row: MaskedRelease,
    language: str,
    *,
    slug: str,
    folder: str,
    cache: str,
    replaced_by: int | None = None,
    replaces: PreviousRelease | None = None,
    winners_url: str = "",
) -> None:
    """The ranking's page at one address."""
    shelf.put_made(
        f"{page_frame()} {row.key} {path} {replaced_by or ''} {replaces or ''} {winners_url}",
        path,
        lambda: ranking_page(
            row.ranking,
            language,
            slug=slug,
            folder=folder,
            replaced_by=replaced_by,
            replaces=replaces,
            winners_url=winners_url,
        ),
        type=PUBLIC_HTML_TYPE,
        cache=cache,
    )


def winners_url(published: PublishedReleases, row: MaskedRelease, language: str) -> str:
    """Where a ranking leads to the winners: a final's to its own, the preliminary's to those that stand now."""
    final = row if row.is_last else published.standing(published.last)
    return page_address(winners_folder(published.event.slug, final.number), language) if final else ""


def write_winners_page(
    shelf: PublicSiteWriter,
    path: str,
    published: PublishedReleases,
    row: MaskedRelease,
    language: str,
    *,
    folder: str,
    cache: str,
    replaced_by: int | None = None,
) -> None:
    """The winners' page at one address, with the way to both rankings."""
    preliminary = published.url_before(published.last, language)
    shelf.put_made(
        f"{page_frame()} {row.key} {path} {replaced_by or ''} {preliminary}",
        path,
        lambda: winners_page(
            row.ranking,
            language,
            slug=published.event.slug,
            folder=folder,
            preliminary_url=preliminary,
            replaced_by=replaced_by,
        ),
        type=PUBLIC_HTML_TYPE,
        cache=cache,
    )


def write_changes_page(
    shelf: PublicSiteWriter, older: MaskedRelease, newer: MaskedRelease, language: str, *, slug: str
) -> None:
    """What a release changed, under its own number."""
    path = page_address(changes_folder(slug, newer.number), language)
    shelf.redirect(path)
    shelf.put_made(
        f"{page_frame()} {older.key} {newer.key} {path}",
        path,
        lambda: changes_page(older.ranking, newer.ranking, language, slug=slug),
        type=PUBLIC_HTML_TYPE,
        cache=CACHE_NUMBERED_PAGE,
    )


def write_artefact(
    shelf: PublicSiteWriter, path: str, row: MaskedRelease, artefact: ExportedFile, *, slug: str, cache: str
) -> None:
    """One of the release's files at one address; the browser shows it, or saves it under a name of its own."""
    name = f"{slug}-{row.number}-{artefact.name}"
    shelf.put_made(
        f"{RELEASE_FILES_FORMAT} {row.key} {artefact.name}",
        path,
        lambda: artefact.make(row.ranking),
        packed=artefact.packed,
        type=artefact.content_type,
        cache=cache,
        disposition=f'{"inline" if artefact.inline else "attachment"}; filename="{name}"',
    )

"""What each address of an event answers: the current page, every release under its own number, the hall's wall."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from tournament.bridge.release import Content
from tournament.bridge.release_consent import no_longer_in_full, with_masks
from tournament.enums import StageKind
from tournament.exports.public_pages import (
    CHINESE,
    ENGLISH,
    PREFIX,
    Before,
    PublicEvent,
    address,
    both_languages_page,
    changes_folder,
    changes_page,
    entrant_path,
    entrants_pages,
    ranking_page,
    waiting_page,
    withdrawn_page,
)
from tournament.exports.public_winners import wall_page, winners_folder, winners_page
from tournament.exports.registry import RANKING, Artefact
from tournament.exports.release_differences import award_change, differences, only_names
from tournament.exports.released import ReleasedRanking, read_release
from tournament.models import Release
from tournament.services.release_shelf import NUMBERED, SOON, Shelf

HTML = "text/html; charset=utf-8"
JSON_TYPE = "application/json"
# The frame around every page, as a key of what is made from it: of an older frame nothing is kept.
FRAME = "frame 3"
# The same of the files beside the pages.
FILES = "files 2"


@dataclass(frozen=True)
class ShownRelease:
    """A release as it may be shown now: whose consent was withdrawn since is masked."""

    row: Release
    masked: frozenset[int]

    @property
    def number(self) -> int:
        """The release's number."""
        return self.row.number

    @property
    def kind(self) -> StageKind:
        """Of which stage."""
        return StageKind(self.row.stage.kind)

    @property
    def withdrawn_at(self) -> datetime | None:
        """Since when it is withdrawn."""
        return self.row.withdrawn_at

    @property
    def key(self) -> str:
        """Names all that is shown of it: of the same content with other masks another file is made."""
        return " ".join([self.row.digest, *(f"{number:04d}" for number in sorted(self.masked))])

    @cached_property
    def content(self) -> Content:
        """What is shown."""
        return with_masks(self.row.content, self.masked)

    @cached_property
    def ranking(self) -> ReleasedRanking:
        """The same as the exports read it."""
        return read_release(self.content, self.row.digest)


def as_shown(row: Release) -> ShownRelease:
    """The release as it may be shown at this moment."""
    return ShownRelease(row, no_longer_in_full(row))


@dataclass(frozen=True, slots=True)
class Published:
    """What there is to publish of an event: the releases of each stage, oldest first."""

    event: PublicEvent
    releases: dict[StageKind, list[ShownRelease]] = field(default_factory=lambda: {kind: [] for kind in StageKind})

    def newest(self, kind: StageKind) -> ShownRelease | None:
        """The newest release of a stage, withdrawn or not."""
        return self.releases[kind][-1] if self.releases[kind] else None

    def standing(self, kind: StageKind) -> ShownRelease | None:
        """The newest, where it has not been withdrawn."""
        newest = self.newest(kind)
        return newest if newest and newest.withdrawn_at is None else None

    @property
    def shown(self) -> ShownRelease | None:
        """What the event's own address leads with: the final's newest release, before there is one the preliminary's.

        One that was withdrawn leaves the place empty: an older stage is never shown as if it were the result.
        """
        return self.standing(StageKind.FINAL if self.releases[StageKind.FINAL] else StageKind.PRELIMINARY)

    def url_of(self, kind: StageKind, language: str) -> str:
        """The address of a stage's standing ranking; nothing where there is none."""
        row = self.standing(kind)
        return address(f"{self.event.slug}/{row.number}/", language) if row else ""


def write_current(shelf: Shelf, published: Published) -> None:
    """The event's own address: the winners, the newest ranking, that there is none yet, or that it was taken back."""
    event, shown = published.event, published.shown
    folder = f"{event.slug}/"
    for language in (CHINESE, ENGLISH):
        shelf.redirect(address(folder, language))
        _put_current(shelf, published, language)
    if shown:
        for artefact in RANKING:
            put_artefact(shelf, f"{PREFIX}{folder}{artefact.name}", shown, artefact, slug=event.slug, cache=SOON)
    pointer: dict[str, Any] = {"release": shown.number, "digest": shown.row.digest} if shown else {"release": None}
    if published.releases[StageKind.FINAL]:
        standing = {kind: published.standing(kind) for kind in StageKind}
        pointer["stages"] = {kind: row.number if row else None for kind, row in standing.items()}
    shelf.put(f"{PREFIX}{folder}current.json", json.dumps(pointer, sort_keys=True).encode(), JSON_TYPE)


def _put_current(shelf: Shelf, published: Published, language: str) -> None:
    event, shown = published.event, published.shown
    folder = f"{event.slug}/"
    path = address(folder, language)
    final, preliminary = (published.newest(kind) for kind in (StageKind.FINAL, StageKind.PRELIMINARY))
    if shown and shown is final:
        put_winners(shelf, path, published, shown, language, folder=folder, cache=SOON)
    elif shown:
        releases = published.releases[StageKind.PRELIMINARY]
        before = before_of(releases[-2] if len(releases) > 1 else None, shown)
        put_ranking(shelf, path, shown, language, slug=event.slug, folder=folder, cache=SOON, replaces=before)
    elif withdrawn := final or preliminary:
        standing = published.url_of(StageKind.PRELIMINARY, language) if withdrawn is final else ""
        shelf.put(path, withdrawn_page(event, language, number=withdrawn.number, ranking_url=standing), HTML)
    else:
        shelf.put(path, waiting_page(event, language), HTML)


def write_wall(shelf: Shelf, published: Published) -> None:
    """The hall's wall: the winners as soon as they are released; until then, and after a withdrawal, that they come."""
    path = f"{PREFIX}{published.event.slug}/wall/"
    shelf.redirect(path)
    row = published.standing(StageKind.FINAL)
    if row is None:
        gone = published.newest(StageKind.FINAL) is not None
        shelf.put(path, wall_page(published.event, None, withdrawn=gone), HTML)
        return
    key = f"{FRAME} {row.key} {path} {published.event}"
    shelf.put_made(key, path, lambda: wall_page(published.event, row.ranking), type=HTML, cache=SOON)


def before_of(older: ShownRelease | None, row: ShownRelease) -> Before | None:
    """What a release says of the one before it."""
    if older is None:
        return None
    if older.withdrawn_at is not None:
        return Before(older.number, withdrawn=True)
    found, award = differences(older.ranking, row.ranking), award_change(older.ranking, row.ranking)
    return Before(older.number, withdrawn=False, only_names=only_names(found, award))


def write_release(
    shelf: Shelf, published: Published, row: ShownRelease, *, replaced_by: int | None, older: ShownRelease | None = None
) -> None:
    """A release under its own number, with what it changed; every address of a withdrawn one answers 410."""
    slug = published.event.slug
    folder = f"{slug}/{row.number}/"
    if row.withdrawn_at:
        gone = both_languages_page("gone", {"number": row.number, "current_url": f"{PREFIX}{slug}/"}, slug)
        pages = [*page_paths(folder), *page_paths(changes_folder(slug, row.number)), *entrant_paths(slug, row)]
        if row.kind == StageKind.FINAL:
            pages += page_paths(winners_folder(slug, row.number))
        for path in (*pages, *file_paths(folder)):
            shelf.put(path, gone, HTML, status=410, cache=NUMBERED)
        return
    for language in (CHINESE, ENGLISH):
        path = address(folder, language)
        shelf.redirect(path)
        put_ranking(
            shelf,
            path,
            row,
            language,
            slug=slug,
            folder=folder,
            cache=NUMBERED,
            replaced_by=replaced_by,
            replaces=before_of(older, row),
            winners_url=winners_url(published, row, language),
        )
        if row.kind == StageKind.FINAL:
            winners = winners_folder(slug, row.number)
            shelf.redirect(address(winners, language))
            put_winners(
                shelf,
                address(winners, language),
                published,
                row,
                language,
                folder=winners,
                cache=NUMBERED,
                replaced_by=replaced_by,
            )
        put_entrants(shelf, row, language, slug=slug, replaced_by=replaced_by)
        # What a withdrawn release said is not repeated.
        if older and older.withdrawn_at is None:
            put_changes(shelf, older, row, language, slug=slug)
    for artefact in RANKING:
        put_artefact(shelf, f"{PREFIX}{folder}{artefact.name}", row, artefact, slug=slug, cache=NUMBERED)


def put_entrants(shelf: Shelf, row: ShownRelease, language: str, *, slug: str, replaced_by: int | None) -> None:
    """A page for each entrant of the release, in one body."""
    shelf.put_pack(
        f"{FRAME} {row.key} entrants {slug} {language} {replaced_by or ''}",
        lambda: entrants_pages(row.ranking, language, slug=slug, replaced_by=replaced_by),
        type=HTML,
        cache=NUMBERED,
    )


def entrant_paths(slug: str, row: ShownRelease) -> list[str]:
    """The addresses of a release's entrants in both languages."""
    return [
        entrant_path(slug, row.number, line["number"], language)
        for line in row.content["ranking"]
        for language in (CHINESE, ENGLISH)
    ]


def page_paths(folder: str) -> list[str]:
    """The addresses of a page in both languages."""
    return [address(folder, language) for language in (CHINESE, ENGLISH)]


def file_paths(folder: str) -> list[str]:
    """The addresses of a release's files."""
    return [f"{PREFIX}{folder}{artefact.name}" for artefact in RANKING]


def put_ranking(
    shelf: Shelf,
    path: str,
    row: ShownRelease,
    language: str,
    *,
    slug: str,
    folder: str,
    cache: str,
    replaced_by: int | None = None,
    replaces: Before | None = None,
    winners_url: str = "",
) -> None:
    """The ranking's page at one address."""
    shelf.put_made(
        f"{FRAME} {row.key} {path} {replaced_by or ''} {replaces or ''} {winners_url}",
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
        type=HTML,
        cache=cache,
    )


def winners_url(published: Published, row: ShownRelease, language: str) -> str:
    """Where a ranking leads to the winners: a final's to its own, the preliminary's to those that stand now."""
    final = row if row.kind == StageKind.FINAL else published.standing(StageKind.FINAL)
    return address(winners_folder(published.event.slug, final.number), language) if final else ""


def put_winners(
    shelf: Shelf,
    path: str,
    published: Published,
    row: ShownRelease,
    language: str,
    *,
    folder: str,
    cache: str,
    replaced_by: int | None = None,
) -> None:
    """The winners' page at one address, with the way to both rankings."""
    preliminary = published.url_of(StageKind.PRELIMINARY, language)
    shelf.put_made(
        f"{FRAME} {row.key} {path} {replaced_by or ''} {preliminary}",
        path,
        lambda: winners_page(
            row.ranking,
            language,
            slug=published.event.slug,
            folder=folder,
            preliminary_url=preliminary,
            replaced_by=replaced_by,
        ),
        type=HTML,
        cache=cache,
    )


def put_changes(shelf: Shelf, older: ShownRelease, newer: ShownRelease, language: str, *, slug: str) -> None:
    """What a release changed, under its own number."""
    path = address(changes_folder(slug, newer.number), language)
    shelf.redirect(path)
    shelf.put_made(
        f"{FRAME} {older.key} {newer.key} {path}",
        path,
        lambda: changes_page(older.ranking, newer.ranking, language, slug=slug),
        type=HTML,
        cache=NUMBERED,
    )


def put_artefact(shelf: Shelf, path: str, row: ShownRelease, artefact: Artefact, *, slug: str, cache: str) -> None:
    """One of the release's files at one address; the browser shows it, or saves it under a name of its own."""
    name = f"{slug}-{row.number}-{artefact.name}"
    shelf.put_made(
        f"{FILES} {row.key} {artefact.name}",
        path,
        lambda: artefact.make(row.ranking),
        packed=artefact.packed,
        type=artefact.content_type,
        cache=cache,
        disposition=f'{"inline" if artefact.inline else "attachment"}; filename="{name}"',
    )

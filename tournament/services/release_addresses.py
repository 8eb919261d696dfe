"""What each address of an event answers: the current page, every release under its own number, the hall's wall."""

import json
from dataclasses import dataclass, field
from typing import Any

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
from tournament.exports.released import ReleasedRanking, read_release
from tournament.models import Release
from tournament.services.release_shelf import NUMBERED, SOON, Shelf

HTML = "text/html; charset=utf-8"
JSON_TYPE = "application/json"
# The frame around every page, as a key of what is made from it: of an older frame nothing is kept.
FRAME = "frame 2"


@dataclass(frozen=True, slots=True)
class Published:
    """What there is to publish of an event: the releases of each stage, oldest first."""

    event: PublicEvent
    releases: dict[StageKind, list[Release]] = field(default_factory=lambda: {kind: [] for kind in StageKind})

    def newest(self, kind: StageKind) -> Release | None:
        """The newest release of a stage, withdrawn or not."""
        return self.releases[kind][-1] if self.releases[kind] else None

    def standing(self, kind: StageKind) -> Release | None:
        """The newest, where it has not been withdrawn."""
        newest = self.newest(kind)
        return newest if newest and newest.withdrawn_at is None else None

    @property
    def shown(self) -> Release | None:
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
    pointer: dict[str, Any] = {"release": shown.number, "digest": shown.digest} if shown else {"release": None}
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
        before = before_of(releases[-2] if len(releases) > 1 else None)
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
    key = f"{FRAME} {row.digest} {path} {published.event}"
    shelf.put_made(key, path, lambda: wall_page(published.event, released(row)), type=HTML, cache=SOON)


def before_of(older: Release | None) -> Before | None:
    """What a release says of the one before it."""
    return Before(older.number, older.withdrawn_at is not None) if older else None


def write_release(
    shelf: Shelf, published: Published, row: Release, *, replaced_by: int | None, older: Release | None = None
) -> None:
    """A release under its own number, with what it changed; every address of a withdrawn one answers 410."""
    slug = published.event.slug
    folder = f"{slug}/{row.number}/"
    if row.withdrawn_at:
        gone = both_languages_page("gone", {"number": row.number, "current_url": f"{PREFIX}{slug}/"}, slug)
        pages = [*page_paths(folder), *page_paths(changes_folder(slug, row.number)), *entrant_paths(slug, row)]
        if row.stage.kind == StageKind.FINAL:
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
            replaces=before_of(older),
            winners_url=winners_url(published, row, language),
        )
        if row.stage.kind == StageKind.FINAL:
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


def put_entrants(shelf: Shelf, row: Release, language: str, *, slug: str, replaced_by: int | None) -> None:
    """A page for each entrant of the release, in one body."""
    shelf.put_pack(
        f"{FRAME} {row.digest} entrants {slug} {language} {replaced_by or ''}",
        lambda: entrants_pages(released(row), language, slug=slug, replaced_by=replaced_by),
        type=HTML,
        cache=NUMBERED,
    )


def entrant_paths(slug: str, row: Release) -> list[str]:
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
    row: Release,
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
        f"{FRAME} {row.digest} {path} {replaced_by or ''} {replaces or ''} {winners_url}",
        path,
        lambda: ranking_page(
            released(row),
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


def winners_url(published: Published, row: Release, language: str) -> str:
    """Where a ranking leads to the winners: a final's to its own, the preliminary's to those that stand now."""
    final = row if row.stage.kind == StageKind.FINAL else published.standing(StageKind.FINAL)
    return address(winners_folder(published.event.slug, final.number), language) if final else ""


def put_winners(
    shelf: Shelf,
    path: str,
    published: Published,
    row: Release,
    language: str,
    *,
    folder: str,
    cache: str,
    replaced_by: int | None = None,
) -> None:
    """The winners' page at one address, with the way to both rankings."""
    preliminary = published.url_of(StageKind.PRELIMINARY, language)
    shelf.put_made(
        f"{FRAME} {row.digest} {path} {replaced_by or ''} {preliminary}",
        path,
        lambda: winners_page(
            released(row),
            language,
            slug=published.event.slug,
            folder=folder,
            preliminary_url=preliminary,
            replaced_by=replaced_by,
        ),
        type=HTML,
        cache=cache,
    )


def put_changes(shelf: Shelf, older: Release, newer: Release, language: str, *, slug: str) -> None:
    """What a release changed, under its own number."""
    path = address(changes_folder(slug, newer.number), language)
    shelf.redirect(path)
    shelf.put_made(
        f"{FRAME} {older.digest} {newer.digest} {path}",
        path,
        lambda: changes_page(released(older), released(newer), language, slug=slug),
        type=HTML,
        cache=NUMBERED,
    )


def put_artefact(shelf: Shelf, path: str, row: Release, artefact: Artefact, *, slug: str, cache: str) -> None:
    """One of the release's files at one address; the browser shows it, or saves it under a name of its own."""
    name = f"{slug}-{row.number}-{artefact.name}"
    shelf.put_made(
        f"{row.digest} {artefact.name}",
        path,
        lambda: artefact.make(released(row)),
        packed=artefact.packed,
        type=artefact.content_type,
        cache=cache,
        disposition=f'{"inline" if artefact.inline else "attachment"}; filename="{name}"',
    )


def released(row: Release) -> ReleasedRanking:
    """A row's frozen content, as the exports read it."""
    return read_release(row.content, row.digest)

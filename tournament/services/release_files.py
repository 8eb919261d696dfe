"""The files that the public reads, written from Release rows alone; tournament/public.py serves them.

PUBLIC_ROOT/<slug>/manifest.json     what each address of the event answers: one rename changes all of them at once
PUBLIC_ROOT/<slug>/files/<sha256>    bodies, named by their content, never changed, removed when nothing names them
PUBLIC_ROOT/manifest.json, files/    the list of events and the pages for what is not there

A file has a temporary name until it is whole. What is written depends on published facts alone, so that the same
releases give the same bytes wherever and whenever they are written.
"""

import fcntl
import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput
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
    index_page,
    ranking_page,
    waiting_page,
    withdrawn_page,
)
from tournament.exports.registry import RANKING, Artefact
from tournament.exports.released import ReleasedRanking, read_release
from tournament.models import Event, Release

HTML = "text/html; charset=utf-8"
JSON_TYPE = "application/json"
MANIFEST = "manifest.json"
# What moves with the next release is asked for again at once. A numbered release never changes, but it may be
# withdrawn and must then answer 410 soon, out of every cache on the way.
SOON, NUMBERED = "public, max-age=5", "public, max-age=60"
NOT_FOUND, NOT_ALLOWED = "404", "405"
# What of an entry names a body.
BODIES = ("file", "gzip", "pack")
# Addresses under /p/ that are not an event.
TAKEN_SLUGS = frozenset({"en", "files"})

Entry = dict[str, Any]


class Shelf:
    """One folder of PUBLIC_ROOT while it is being written: its addresses, its bodies, what may be kept of before."""

    def __init__(self, root: Path, *, anew: bool) -> None:
        self.root = root
        self.paths: dict[str, Entry] = {}
        self.made: dict[str, Entry] = {}
        (root / "files").mkdir(parents=True, exist_ok=True)
        manifest = {} if anew else self._manifest_before()
        self.before: dict[str, Entry] = manifest.get("made", {})
        self.paths_before: dict[str, Entry] = manifest.get("paths", {})

    def _manifest_before(self) -> dict[str, dict[str, Entry]]:
        try:
            return dict(json.loads((self.root / MANIFEST).read_bytes()))
        except (OSError, ValueError):
            return {}

    def put(self, path: str, body: bytes, content_type: str, *, status: int = 200, cache: str = SOON) -> None:
        """Answer `path` with this body, gzipped beside it."""
        self.paths[path] = {"status": status, "type": content_type, "cache": cache, **self._keep_both(body)}

    def put_made(self, key: str, path: str, make: Callable[[], bytes], *, packed: bool = False, **heads: str) -> None:
        """The same for what is slow to make: `key` names all that it is made from, and is made once.

        What was made of the same key before is kept, unless its file has gone. `packed`: gzip would not help.
        """
        made = self.made.get(key) or self.before.get(key)
        if not made or not all((self.root / "files" / name).exists() for name in made.values()):
            body = make()
            made = {"file": self._keep(body)} if packed else self._keep_both(body)
        self.made[key] = made
        self.paths[path] = {"status": 200, **heads, **made}

    def put_pack(self, key: str, make: Callable[[], Sequence[tuple[str, bytes]]], **heads: str) -> None:
        """Many small pages, gzipped one by one and kept in one body: an address has its place and length there."""
        made = self.made.get(key) or self.before.get(key)
        kept = {path: entry for path, entry in self.paths_before.items() if made and entry.get("pack") == made["pack"]}
        if not made or not kept or not (self.root / "files" / made["pack"]).exists():
            zipped = [(path, gzip.compress(body, 9, mtime=0)) for path, body in make()]
            made = {"pack": self._keep(b"".join(body for _path, body in zipped))}
            ends = accumulate((len(body) for _path, body in zipped), initial=0)
            kept = {path: {"at": [end, len(body)]} for (path, body), end in zip(zipped, ends, strict=False)}
        self.made[key] = made
        for path, entry in kept.items():
            self.paths[path] = {"status": 200, **heads, **made, "at": entry["at"]}

    def redirect(self, path: str) -> None:
        """An address without its last slash leads to the one with it."""
        self.paths[path.rstrip("/")] = {"status": 301, "location": path}

    def _keep_both(self, body: bytes) -> Entry:
        return {"file": self._keep(body), "gzip": self._keep(gzip.compress(body, 9, mtime=0))}

    def _keep(self, body: bytes) -> str:
        name = hashlib.sha256(body).hexdigest()
        if not (self.root / "files" / name).exists():
            write_whole(self.root / "files" / name, body)
        return name

    def close(self) -> None:
        """Let the new addresses count, then remove the bodies that none of them names."""
        manifest = json.dumps({"paths": self.paths, "made": self.made}, sort_keys=True, separators=(",", ":"))
        write_whole(self.root / MANIFEST, manifest.encode())
        named = {entry[kind] for entry in self.paths.values() for kind in BODIES if kind in entry}
        for file in (self.root / "files").iterdir():
            if file.name not in named:
                file.unlink(missing_ok=True)


def write_whole(path: Path, body: bytes) -> None:
    """Write under a temporary name, to the disk, then rename: a reader sees all of it or none."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(name, 0o644)
    os.replace(name, path)


@contextmanager
def one_writer() -> Iterator[None]:
    """One process at a time writes what the public reads; the rows are read inside, so that the last one has the
    newest."""
    root = Path(settings.PUBLIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_public_files(event: Event, *, anew: bool = False) -> None:
    """Write everything the public may read of this event, and the list of events; `anew` keeps nothing of before.

    Before the first release that is one page which says when results come. Raises BadInput for a slug that is an
    address of its own.
    """
    if event.slug in TAKEN_SLUGS:
        raise BadInput("slug_taken", _("An event cannot be called %(slug)s: that address is taken."), slug=event.slug)
    with one_writer():
        _write_index(anew=anew)
        shelf = Shelf(Path(settings.PUBLIC_ROOT) / event.slug, anew=anew)
        fill(shelf, event)
        shelf.close()


def fill(shelf: Shelf, event: Event) -> None:
    """Put every address of the event on a shelf, from the rows as they are now."""
    releases = list(Release.objects.filter(stage__event=event).order_by("number"))
    write_current(shelf, public_event(Event.objects.get(pk=event.pk)), releases)
    for place, row in enumerate(releases):
        newer = releases[place + 1].number if place + 1 < len(releases) else None
        write_release(shelf, event.slug, row, replaced_by=newer, older=releases[place - 1] if place else None)


def public_number(slug: str) -> int | None:
    """The number of the release that the public's files show now; None for none, also where there are no files."""
    root = Path(settings.PUBLIC_ROOT) / slug
    try:
        paths = json.loads((root / MANIFEST).read_bytes())["paths"]
        body = (root / "files" / paths[f"{PREFIX}{slug}/current.json"]["file"]).read_bytes()
    except (OSError, ValueError, KeyError):
        return None
    number: int | None = json.loads(body)["release"]
    return number


def public_event(event: Event) -> PublicEvent:
    """What may be known of an event."""
    return PublicEvent(event.slug, event.name_zh, event.name_en, event.venue_zh, event.venue_en, event.results_at)


def write_index(*, anew: bool = False) -> None:
    """The list of events without rehearsals, and the pages for what is not there and for what may not be done."""
    with one_writer():
        _write_index(anew=anew)


def _write_index(*, anew: bool) -> None:
    shelf = Shelf(Path(settings.PUBLIC_ROOT), anew=anew)
    events = [public_event(event) for event in Event.objects.filter(rehearsal=False).order_by("results_at", "slug")]
    for language in (CHINESE, ENGLISH):
        shelf.put(address("", language), index_page(events, language), HTML)
        shelf.redirect(address("", language))
    shelf.put(NOT_FOUND, both_languages_page("not_found", {}), HTML, status=404)
    shelf.put(NOT_ALLOWED, both_languages_page("not_allowed", {}), HTML, status=405)
    shelf.close()


def write_current(shelf: Shelf, event: PublicEvent, releases: Sequence[Release]) -> None:
    """The event's own address: the newest release, or that there is none yet, or that it was taken back."""
    newest = releases[-1] if releases else None
    standing = newest if newest and newest.withdrawn_at is None else None
    folder = f"{event.slug}/"
    for language in (CHINESE, ENGLISH):
        path = address(folder, language)
        shelf.redirect(path)
        if standing:
            before = before_of(releases[-2] if len(releases) > 1 else None)
            put_ranking(shelf, path, standing, language, slug=event.slug, folder=folder, cache=SOON, replaces=before)
        elif newest:
            shelf.put(path, withdrawn_page(event, language, number=newest.number), HTML)
        else:
            shelf.put(path, waiting_page(event, language), HTML)
    if standing:
        for artefact in RANKING:
            put_artefact(shelf, f"{PREFIX}{folder}{artefact.name}", standing, artefact, slug=event.slug, cache=SOON)
    pointer = {"release": standing.number, "digest": standing.digest} if standing else {"release": None}
    shelf.put(f"{PREFIX}{folder}current.json", json.dumps(pointer, sort_keys=True).encode(), JSON_TYPE)


def before_of(older: Release | None) -> Before | None:
    """What a release says of the one before it."""
    return Before(older.number, older.withdrawn_at is not None) if older else None


def write_release(
    shelf: Shelf, slug: str, row: Release, *, replaced_by: int | None, older: Release | None = None
) -> None:
    """A release under its own number, with what it changed; every address of a withdrawn one answers 410."""
    folder = f"{slug}/{row.number}/"
    if row.withdrawn_at:
        gone = both_languages_page("gone", {"number": row.number, "current_url": f"{PREFIX}{slug}/"})
        pages = (*page_paths(folder), *page_paths(changes_folder(slug, row.number)), *entrant_paths(slug, row))
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
        f"{row.digest} entrants {slug} {language} {replaced_by or ''}",
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
) -> None:
    """The ranking's page at one address."""
    shelf.put_made(
        f"{row.digest} {path} {replaced_by or ''} {replaces or ''}",
        path,
        lambda: ranking_page(
            released(row), language, slug=slug, folder=folder, replaced_by=replaced_by, replaces=replaces
        ),
        type=HTML,
        cache=cache,
    )


def put_changes(shelf: Shelf, older: Release, newer: Release, language: str, *, slug: str) -> None:
    """What a release changed, under its own number."""
    path = address(changes_folder(slug, newer.number), language)
    shelf.redirect(path)
    shelf.put_made(
        f"{older.digest} {newer.digest} {path}",
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

"""The files that the public reads, written from Release rows alone; tournament/public.py serves them.

PUBLIC_ROOT/<slug>/manifest.json     what each address of the event answers: one rename changes all of them at once
PUBLIC_ROOT/<slug>/files/<sha256>    bodies, named by their content, never changed, removed when nothing names them
PUBLIC_ROOT/manifest.json, files/    the list of events and the pages for what is not there

What is written depends on published facts alone, so that the same releases give the same bytes wherever and whenever
they are written.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop as _

from tournament.enums import StageKind
from tournament.errors import BadInput
from tournament.exports.public_pages import (
    CHINESE,
    ENGLISH,
    PREFIX,
    PublicEvent,
    address,
    both_languages_page,
    index_page,
)
from tournament.models import Event, Release
from tournament.queries.announced import announced_events, has_page
from tournament.services.notices_files import write_notices
from tournament.services.release_addresses import (
    HTML,
    Published,
    as_shown,
    write_current,
    write_release,
    write_wall,
)
from tournament.services.release_shelf import MANIFEST, Shelf

NOT_FOUND, NOT_ALLOWED = "404", "405"
# Addresses under /p/ that are not an event.
TAKEN_SLUGS = frozenset({"en", "files"})


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
    """Put every address of the event on a shelf, from the rows as they are now.

    A newer release replaces only one of its own stage. An event that is not announced has no address.
    """
    if not has_page(event):
        return
    rows = Release.objects.filter(stage__event=event).select_related("stage").order_by("number")
    published = Published(public_event(Event.objects.get(pk=event.pk)))
    for row in rows:
        published.releases[StageKind(row.stage.kind)].append(as_shown(row))
        if masked := published.releases[StageKind(row.stage.kind)][-1].masked:
            shelf.masked[row.number] = sorted(masked)
    write_current(shelf, published)
    for releases in published.releases.values():
        for place, row in enumerate(releases):
            newer = releases[place + 1].number if place + 1 < len(releases) else None
            write_release(shelf, published, row, replaced_by=newer, older=releases[place - 1] if place else None)
    if event.stages.filter(kind=StageKind.FINAL).exists():
        write_wall(shelf, published)
    write_notices(shelf, event, published.event)


def public_numbers(slug: str) -> dict[str, int | None]:
    """By stage the number of the release that the public's files show now; None for none, also without files."""
    root = Path(settings.PUBLIC_ROOT) / slug
    try:
        paths = json.loads((root / MANIFEST).read_bytes())["paths"]
        pointer = json.loads((root / "files" / paths[f"{PREFIX}{slug}/current.json"]["file"]).read_bytes())
    except (OSError, ValueError, KeyError):
        return dict.fromkeys(StageKind.values)
    return {kind: pointer.get("stages", {StageKind.PRELIMINARY: pointer["release"]}).get(kind) for kind in StageKind}


def masked_in_files(slug: str) -> dict[int, set[int]]:
    """By release the numbers whose full names are masked in the public's files, as they were written last."""
    try:
        manifest = json.loads((Path(settings.PUBLIC_ROOT) / slug / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return {int(release): set(numbers) for release, numbers in manifest.get("masked", {}).items()}


def public_event(event: Event) -> PublicEvent:
    """What may be known of an event."""
    names = (event.slug, event.name_zh, event.name_en, event.venue_zh, event.venue_en)
    return PublicEvent(*names, event.results_at, event.contact)


def write_index(*, anew: bool = False) -> None:
    """The list of announced events, and the pages for what is not there and for what may not be done."""
    with one_writer():
        _write_index(anew=anew)


def _write_index(*, anew: bool) -> None:
    shelf = Shelf(Path(settings.PUBLIC_ROOT), anew=anew)
    events = [public_event(event) for event in announced_events()]
    for language in (CHINESE, ENGLISH):
        shelf.put(address("", language), index_page(events, language), HTML)
        shelf.redirect(address("", language))
    shelf.put(NOT_FOUND, both_languages_page("not_found", {}), HTML, status=404)
    shelf.put(NOT_ALLOWED, both_languages_page("not_allowed", {}), HTML, status=405)
    shelf.close()

"""The files that the public reads, written from Release rows alone; tournament/publication/public_files.py serves them.

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

from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.publication.exports.public_pages import (
    CHINESE_CODE,
    ENGLISH_CODE,
    PUBLIC_PAGES_PREFIX,
    PublicEvent,
    both_languages_page,
    index_page,
    page_address,
)
from tournament.publication.queries.announced import announced_events, has_public_page
from tournament.publication.services.addresses import (
    PUBLIC_HTML_TYPE,
    PublishedReleases,
    mask_release,
    write_current,
    write_release,
    write_wall_pages,
)
from tournament.publication.services.notices_files import write_notices
from tournament.publication.services.rules_files import write_rules
from tournament.publication.services.shelf import PUBLIC_MANIFEST_NAME, PublicSiteWriter
from tournament.releases.models import Release

NOT_FOUND_PAGE, METHOD_NOT_ALLOWED_PAGE = "404", "405"
# Addresses under /p/ that are not an event.
PUBLIC_RESERVED_SLUGS = frozenset({"en", "files"})


@contextmanager
def single_public_writer() -> Iterator[None]:
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
    if event.slug in PUBLIC_RESERVED_SLUGS:
        raise BadInput("slug_taken", _("An event cannot be called %(slug)s: that address is taken."), slug=event.slug)
    with single_public_writer():
        _write_index(anew=anew)
        shelf = PublicSiteWriter(Path(settings.PUBLIC_ROOT) / event.slug, anew=anew)
        write_all_pages(shelf, event)
        shelf.close()


def write_all_pages(shelf: PublicSiteWriter, event: Event) -> None:
    """Put every address of the event on a shelf, from the rows as they are now.

    A newer release replaces only one of its own stage. An event that is not announced has no address.
    """
    if not has_public_page(event):
        return
    rows = Release.objects.filter(stage__event=event).select_related("stage").order_by("number")
    stages = list(event.stages.order_by("order"))
    last = next((stage.kind for stage in stages if stage.is_last), "")
    published = PublishedReleases(
        public_event(Event.objects.get(pk=event.pk)), {stage.kind: [] for stage in stages}, last
    )
    for row in rows:
        published.releases[row.stage.kind].append(mask_release(row))
        if masked := published.releases[row.stage.kind][-1].masked:
            shelf.masked[row.number] = sorted(masked)
    write_current(shelf, published)
    for releases in published.releases.values():
        for place, each in enumerate(releases):
            newer = releases[place + 1].number if place + 1 < len(releases) else None
            write_release(shelf, published, each, replaced_by=newer, older=releases[place - 1] if place else None)
    if last:
        write_wall_pages(shelf, published)
    write_notices(shelf, event, published.event)
    write_rules(shelf, event, published.event)


def public_numbers(event: Event) -> dict[str, int | None]:
    """By stage the number of the release that the public's files show now; None for none, also without files."""
    kinds = list(event.stages.order_by("order").values_list("kind", flat=True))
    root = Path(settings.PUBLIC_ROOT) / event.slug
    try:
        paths = json.loads((root / PUBLIC_MANIFEST_NAME).read_bytes())["paths"]
        pointer = json.loads(
            (root / "files" / paths[f"{PUBLIC_PAGES_PREFIX}{event.slug}/current.json"]["file"]).read_bytes()
        )
    except (OSError, ValueError, KeyError):
        return dict.fromkeys(kinds)
    numbers = pointer.get("stages", dict.fromkeys(kinds[:1], pointer["release"]))
    return {kind: numbers.get(kind) for kind in kinds}


def masked_in_files(slug: str) -> dict[int, set[int]]:
    """By release the numbers whose full names are masked in the public's files, as they were written last."""
    try:
        manifest = json.loads((Path(settings.PUBLIC_ROOT) / slug / PUBLIC_MANIFEST_NAME).read_bytes())
    except (OSError, ValueError):
        return {}
    return {int(release): set(numbers) for release, numbers in manifest.get("masked", {}).items()}


def public_event(event: Event) -> PublicEvent:
    """What may be known of an event."""
    names = (event.slug, event.name_zh, event.name_en, event.venue_zh, event.venue_en)
    return PublicEvent(*names, event.results_at, event.contact)


def write_index(*, anew: bool = False) -> None:
    """The list of announced events, and the pages for what is not there and for what may not be done."""
    with single_public_writer():
        _write_index(anew=anew)


def _write_index(*, anew: bool) -> None:
    shelf = PublicSiteWriter(Path(settings.PUBLIC_ROOT), anew=anew)
    events = [public_event(event) for event in announced_events()]
    for language in (CHINESE_CODE, ENGLISH_CODE):
        shelf.put(page_address("", language), index_page(events, language), PUBLIC_HTML_TYPE)
        shelf.redirect(page_address("", language))
    shelf.put(NOT_FOUND_PAGE, both_languages_page("not_found", {}), PUBLIC_HTML_TYPE, status=404)
    shelf.put(METHOD_NOT_ALLOWED_PAGE, both_languages_page("not_allowed", {}), PUBLIC_HTML_TYPE, status=405)
    shelf.close()

"""What a change beside the releases changes in public: an event's set-up, a consent that was withdrawn.

It stands beside the stages. Of a changed set-up doors call it after the service has ended; a withdrawn consent calls it
itself, so that no door forgets it.
"""

import logging

from django.db import transaction

from tournament.core.models.event import Event
from tournament.publication.domain.consent import no_longer_in_full
from tournament.publication.services.files import masked_in_files, write_public_files
from tournament.releases.models import Release

logger = logging.getLogger(__name__)


def rebuild_public_files(event: Event) -> None:
    """Write the event's public files and the list from what is committed; harmless when done twice."""
    write_public_files(event)


def write_masks_on_commit(event: Event) -> None:
    """A consent to be named in full has changed: what is public says so as soon as it is committed.

    A full disk does not bring the consent back: `numbers_to_mask` then tells what waits.
    """
    if Release.objects.filter(stage__event=event).exists():
        transaction.on_commit(lambda: write_masks(event))


def write_masks(event: Event) -> None:
    """The files anew; why they could not be written is in the server's log."""
    try:
        write_public_files(event)
    except OSError:
        logger.exception("public files of %s not written after a consent", event.slug)


def numbers_to_mask(event: Event) -> list[int]:
    """The numbers of those whom the public's files still name in full though they may not any more."""
    rows = Release.objects.filter(stage__event=event, stage__qualifying="", withdrawn_at=None)
    masked = masked_in_files(event.slug)
    rows = rows.select_related("stage")
    return sorted({number for row in rows for number in no_longer_in_full(row) - masked.get(row.number, set())})

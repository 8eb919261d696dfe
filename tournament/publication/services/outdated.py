"""Whether what a release says is still what counts: one comparison, for every page and act that rests on a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.publication.domain.consent import publishable_content
from tournament.publication.domain.release import release_figures_bytes
from tournament.publication.exports.differences import (
    DIFFERENCE_CROSSED,
    DIFFERENCE_IN_NAMES,
    DIFFERENCE_KINDS,
    EntrantDifference,
    award_words_before_and_now,
    entrant_differences,
)
from tournament.publication.exports.released import read_release
from tournament.publication.services.addresses import mask_release
from tournament.publication.services.content import build_current_content
from tournament.releases.models import Release
from tournament.releases.queries import current_release


@dataclass(frozen=True, slots=True)
class OutdatedRelease:
    """A release that stands, and what counts by now instead: entrants by kind of difference, the award's old and new
    words where it goes to another family."""

    release: Release
    found: Mapping[str, Sequence[EntrantDifference]]
    award: tuple[str, str] | None

    @property
    def podium(self) -> list[EntrantDifference]:
        """Whose place on the podium is another, by the places of now; who has none any more comes last."""
        crossed = [one for one in self.found[DIFFERENCE_CROSSED] if one.old_podium or one.new_podium]
        return sorted(crossed, key=lambda one: (one.new_podium is None, one.new_podium and one.new_podium.place))

    @property
    def line(self) -> list[EntrantDifference]:
        """Who came above the line or fell below it."""
        return [one for one in self.found[DIFFERENCE_CROSSED] if one.came_in or one.fell_out]

    @property
    def others(self) -> int:
        """How many others have another result or rank."""
        told = {one.number for one in (*self.podium, *self.line)}
        return len({one.number for kind in DIFFERENCE_KINDS for one in self.found[kind]} - told)

    @property
    def names(self) -> int:
        """How many are named in another way."""
        return len(self.found[DIFFERENCE_IN_NAMES])


def find_outdated_release(stage: Stage, now: datetime | None = None) -> OutdatedRelease | None:
    """The stage's standing release, where what counts now differs from it in anything that it says; reads only."""
    current = current_release(stage)
    if current is None:
        return None
    content = build_current_content(stage, number=current.number, now=now or timezone.now()).content
    if release_figures_bytes(publishable_content(current)) == release_figures_bytes(content):
        return None
    older, newer = mask_release(current).ranking, read_release(content, "")
    return OutdatedRelease(current, entrant_differences(older, newer), award_words_before_and_now(older, newer))


def outdated_releases(event: Event, kind: str = "") -> list[OutdatedRelease]:
    """Of every stage of the event in its order, or of that of this name alone."""
    stages = event.stages.select_related("event").order_by("order")
    chosen = stages.filter(kind=kind) if kind else stages
    return [found for stage in chosen if (found := find_outdated_release(stage))]

"""Whether what a release says is still what counts: one comparison, for every page and act that rests on a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournament.bridge.release import figures
from tournament.bridge.release_consent import shown_content
from tournament.enums import StageKind
from tournament.exports.release_differences import CROSSED, KINDS, NAMED, Difference, award_change, differences
from tournament.exports.released import read_release
from tournament.models import Event, Release, Stage
from tournament.queries.release import current_release
from tournament.services.release_addresses import as_shown
from tournament.services.release_content import content_now


@dataclass(frozen=True, slots=True)
class Outdated:
    """A release that stands, and what counts by now instead: entrants by kind of difference, the award's old and new
    words where it goes to another family."""

    release: Release
    found: Mapping[str, Sequence[Difference]]
    award: tuple[str, str] | None

    @property
    def podium(self) -> list[Difference]:
        """Whose place on the podium is another, by the places of now; who has none any more comes last."""
        crossed = [one for one in self.found[CROSSED] if one.old_podium or one.new_podium]
        return sorted(crossed, key=lambda one: (one.new_podium is None, one.new_podium and one.new_podium.place))

    @property
    def line(self) -> list[Difference]:
        """Who came above the line or fell below it."""
        return [one for one in self.found[CROSSED] if one.came_in or one.fell_out]

    @property
    def others(self) -> int:
        """How many others have another result or rank."""
        told = {one.number for one in (*self.podium, *self.line)}
        return len({one.number for kind in KINDS for one in self.found[kind]} - told)

    @property
    def names(self) -> int:
        """How many are named in another way."""
        return len(self.found[NAMED])


def outdated(stage: Stage, now: datetime | None = None) -> Outdated | None:
    """The stage's standing release, where what counts now differs from it in anything that it says; reads only."""
    current = current_release(stage)
    if current is None:
        return None
    content = content_now(stage, number=current.number, now=now or timezone.now()).content
    if figures(shown_content(current)) == figures(content):
        return None
    older, newer = as_shown(current).ranking, read_release(content, "")
    return Outdated(current, differences(older, newer), award_change(older, newer))


def outdated_releases(event: Event, kinds: Sequence[StageKind] = tuple(StageKind)) -> list[Outdated]:
    """Of these stages of the event, in their order."""
    stages = {stage.kind: stage for stage in event.stages.select_related("event")}
    return [found for kind in kinds if kind in stages and (found := outdated(stages[kind]))]

"""The final in the strips of the overview: its steps in the order in which they are done, each with its page."""

from dataclasses import dataclass

from tournament.core.enums import Answer
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.events.queries import final_of
from tournament.finalists.domain.release_places import LivePlaces, live_places
from tournament.operations.queries.overview import FinalFigures, figures_of_final
from tournament.stages.domain.podium import LivePodium, live_podium


@dataclass(frozen=True, slots=True)
class FinalStrip:
    """A final that is set up. `podium` None: not every sheet is in, so that nobody stands on it yet."""

    of: FinalFigures
    places: LivePlaces
    podium: LivePodium | None

    @property
    def holders(self) -> int:
        """How many hold a place of the final now."""
        return len(self.places.places.holders)

    @property
    def accepted(self) -> int:
        """How many of them have accepted it."""
        return sum(holder.answer == Answer.ACCEPTED for holder in self.places.places.holders)

    @property
    def contests(self) -> int:
        """How many places of the podium, with the award, are contested by equals and undecided (R39, R40)."""
        if self.podium is None:
            return 0
        return len(self.podium.podium.contests) + len(self.podium.award_place.contests)

    @property
    def is_settled(self) -> bool:
        """Whether nothing but its hour is missing for a release of the final."""
        return self.podium is not None and self.podium.is_settled


def final_strip(event: Event, first: Stage | None) -> FinalStrip | None:
    """Everything that the strip shows; None where no final was set up."""
    stage = final_of(event)
    if stage is None or first is None:
        return None
    figures = figures_of_final(stage)
    podium = live_podium(stage, figures.figures.open) if figures.figures.is_finished else None
    return FinalStrip(figures, live_places(first, people=False), podium if podium and podium.is_over else None)

"""A reserve place that more share than may be called (R37): the call follows the order that the chief judge decides.

It is a decision as that of the cut-off is, made where the places of a release are answered.
"""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext_noop as _

from tournament.core.enums import Answer, DecisionOf
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.finalists.domain.release_places import LivePlaces, final_places_of_release, live_places
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.services.decisions import register_rules
from tournament.stages.services.qualification import AcrossTheCutOff, tie_changed
from tournament.stages.services.tie_breaks import TiedNow


class AtAReservePlace(AcrossTheCutOff):
    """Equals who wait in the queue; methods and orders are those of the cut-off."""

    of: str = DecisionOf.RESERVE

    def tied_now(self, stage: Stage, tied: Sequence[str], places: int) -> TiedNow:
        """The sharers, where they wait as they were shown for as many places (412); a decision already made is replaced
        for exactly its own entrants and places."""
        live, in_force = sharing_a_place(stage, tied, places)
        return TiedNow(sorted(set(tied)), places, in_force, live)

    def refuse(self, now: TiedNow, made: TieBreak) -> None:
        """Nobody who has accepted may lose the place (409)."""
        live: LivePlaces = now.live
        after = (
            final_places_of_release(live.release, live.entrants, live.answers, (made, *live.decisions))
            if live.release
            else None
        )
        kept = {holder.id for holder in after.holders} if after else set()
        if {holder.id for holder in live.places.holders if holder.answer == Answer.ACCEPTED} - kept:
            raise Refused("place_accepted", _("A reserve who would lose the place by this has accepted it already."))


def sharing_a_place(stage: Stage, tied: Collection[str], places: int) -> tuple[LivePlaces, TieBreak | None]:
    """The places, with the decision in force for exactly these, where they wait for one or have one."""
    live = live_places(stage)
    in_force = in_force_for(live, tied, places)
    undecided = live.places.undecided
    shown = undecided is not None and set(tied) == set(undecided.ids) and places == undecided.places
    if not shown and in_force is None:
        raise tie_changed(stage, live)
    return live, in_force


def in_force_for(live: LivePlaces, tied: Collection[str], places: int) -> TieBreak | None:
    """The newest decision for these very sharers and places, while they still share a reserve place."""
    newest = next(iter(live.decisions), None)
    if newest is None or newest.tied != sorted(tied) or newest.places != places:
        return None
    return newest if is_reserve_decision_valid(live, newest) else None


def is_reserve_decision_valid(live: LivePlaces, decision: TieBreak) -> bool:
    """Whether all of its tied still share one reserve place of the current release."""
    if live.release is None:
        return False
    places = {f"{line['number']:04d}": (line["reserve"] or [None])[0] for line in live.release.content["ranking"]}
    shared = {places.get(id) for id in decision.tied}
    return len(shared) == 1 and None not in shared


register_rules(AtAReservePlace())

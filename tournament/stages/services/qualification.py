"""A full tie across the cut-off (R37): who is tied, and what each method makes of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.podium import PodiumTie
from scoring.problems import Refusal
from scoring.tie_break import TieBreakDecision, check_tie_break, draw_lots
from tournament.core.enums import DecisionOf, TieMethod
from tournament.core.errors import BadInput, StaleVersion
from tournament.core.models.stage import Stage
from tournament.events.domain import ruleset_of_stage
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.play_off import (
    PlayOffGames,
    check_play_off_games,
    order_played,
    play_off_level,
    play_off_other_order_error,
)
from tournament.stages.services.tie_breaks import TieBreakGiven, TiedNow


class AcrossTheCutOff:
    """Equals of whom only some advance."""

    of: str = DecisionOf.LINE

    def tied_now(self, stage: Stage, tied: Sequence[str], places: int) -> TiedNow:
        """The tie across the line, if exactly these are in it for so many places."""
        cut = live_qualification(stage)
        ids = {ranking_entrant_id(entrant.number) for entrant in cut.tie}
        if not tied or set(tied) != ids or places != cut.tie_places:
            raise tie_changed(stage, cut)
        return TiedNow(sorted(ids), places, cut.decision, cut)

    def games(self, stage: Stage, now: TiedNow, given: TieBreakGiven) -> list[list[dict[str, Any]]]:
        """Between any of the tied."""
        return check_play_off_games(ruleset_of_stage(stage), given.games, [int(id) for id in now.ids])

    def chosen(
        self, stage: Stage, now: TiedNow, given: TieBreakGiven, games: PlayOffGames, seed: str
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Those who advance by this method and the order decided."""
        admitted, order = list(given.admitted), list(given.order)
        if given.method == TieMethod.ADMIT_ALL:
            admitted, order = admitted or list(now.ids), []
        elif given.method == TieMethod.LOTS:
            admitted, order = _as_found(given, draw_lots(list(now.ids), len(now.ids), seed))
        elif given.method == TieMethod.PLAY_OFF:
            admitted, order = _as_found(given, cutoff_play_off_order(stage, now, given, games))
        else:
            admitted = admitted or order[: given.places]
        value = TieBreakDecision(tuple(now.ids), given.places, tuple(admitted), tuple(order))
        try:
            check_tie_break(value, all_of_them=given.method == TieMethod.ADMIT_ALL)
        except Refusal as refusal:
            raise cutoff_choice_error(refusal, given, admitted) from refusal
        if given.method == TieMethod.HAND_LOTS and len(order) < given.places:
            raise BadInput(
                "order_missing",
                _(
                    "Lots give an order: write at least the first %(places)s numbers in the order in which they were "
                    "drawn."
                ),
                places=given.places,
            )
        return admitted, order

    def refuse(self, now: TiedNow, made: TieBreak) -> None:
        """Nobody has a place yet: nothing is taken from anybody."""


def tie_changed(about: Stage, current: object) -> StaleVersion:
    """The tie is another than the one that was decided."""
    return StaleVersion(
        "tie_changed",
        _("The tie has changed since this page was opened: nothing was recorded. Look again and decide anew."),
        about=about,
        current=current,
    )


def cutoff_play_off_order(stage: Stage, now: TiedNow, given: TieBreakGiven, games: PlayOffGames) -> Sequence[str]:
    """The order of the play-off, which fills the places at least."""
    owner: Mapping[int, str] = {int(id): id for id in now.ids}
    order = order_played(ruleset_of_stage(stage), PodiumTie(1, given.places, tuple(now.ids)), games, given.order, owner)
    if len(order) < given.places:
        raise play_off_level()
    return order


def _as_found(given: TieBreakGiven, found: Sequence[str]) -> tuple[list[str], list[str]]:
    """What lots or games give; refuses a choice that says otherwise."""
    order = list(found)
    others = bool(given.admitted) and set(given.admitted) != set(order[: given.places])
    if others or list(given.order) != order[: len(given.order)]:
        raise play_off_other_order_error()
    return order[: given.places], order


def cutoff_choice_error(refusal: Refusal, given: TieBreakGiven, admitted: Sequence[str]) -> BadInput:
    """What is wrong with the choice, or with the order."""
    if refusal.where.startswith("order"):
        return BadInput(
            "wrong_order",
            _("The order holds each of the tied at most once, and those who advance come first in it."),
            about=refusal,
        )
    return BadInput(
        "wrong_number_admitted",
        _("Chosen of the tied, each once: %(given)s. Places: %(places)s. Choose exactly so many."),
        about=refusal,
        given=len(set(admitted) & set(given.tied)),
        places=given.places,
    )

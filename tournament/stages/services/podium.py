"""Equals on the podium or for the award (R39, R40): who contests a place, and what each method makes of them."""

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.podium import PodiumTie
from scoring.podium import podium_tie_break as rule_contest
from scoring.problems import Refusal
from scoring.ruleset import Ruleset
from scoring.tie_break import draw_lots
from tournament.core.enums import DecisionOf, TieMethod
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text
from tournament.ranking.domain.standings import RankedEntrant
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import LivePodium, live_podium
from tournament.stages.domain.podium_families import FamilyMember, lot_texts_of_pairs
from tournament.stages.services.play_off import (
    PlayOffGames,
    check_play_off_games,
    order_played,
    play_off_other_order_error,
)
from tournament.stages.services.tie_breaks import TieBreakGiven, TiedNow

PlayOffGamesInput = Sequence[Mapping[str, Any]]
TIE_BREAK_METHODS = (TieMethod.PLAY_OFF, TieMethod.LOTS, TieMethod.PICK, TieMethod.HAND_LOTS)


@dataclasses.dataclass(frozen=True)
class OfAPlace:
    """Equals who contest a place of the podium, or families level for the award (`of`); of these one stands first."""

    of: str

    def tied_now(self, stage: Stage, tied: Sequence[str], places: int) -> TiedNow:
        """The contest between exactly these, with the decision in force about it, once the stage is over (409): until
        then nobody is level for good."""
        live = live_podium(stage)
        contest, in_force = live.contest(self.of, tied)
        if contest is None or contest.places != places or len(set(tied)) != len(tied):
            raise tie_break_stale_error(stage, live)
        if not live.is_over:
            raise Refused(
                "final_not_over", _("The final is not over: nobody is level for good before every sheet is in.")
            )
        return TiedNow(contest.ids, contest.places, in_force, (live, contest))

    def games(self, stage: Stage, now: TiedNow, given: TieBreakGiven) -> list[list[dict[str, Any]]]:
        """Between those who may play it off; of the award a member of each family."""
        live: LivePodium = now.live[0]
        among = {one.number for one in players_of(live, self.of, now.ids)}
        refuse_shared(among, tie_break_people(live, self.of, now.ids), given.games)
        return check_play_off_games(live.ranking.ruleset, given.games, among)

    def chosen(
        self, stage: Stage, now: TiedNow, given: TieBreakGiven, games: PlayOffGames, seed: str
    ) -> tuple[Sequence[str], Sequence[str]]:
        """The first of the order get the places."""
        live, contest = now.live
        order = resolve_tie_break_order(live, self.of, contest, given, games, seed)
        return order[: contest.places], order

    def refuse(self, now: TiedNow, made: TieBreak) -> None:
        """Nobody holds a place of the podium before it is released."""


def tie_break_stale_error(about: Stage, current: object) -> StaleVersion:
    """Those level, or the places they contest, are others than were decided."""
    return StaleVersion(
        "contest_changed",
        _("Who contests the place has changed since this page was opened: nothing was recorded. Look again."),
        about=about,
        current=current,
    )


def tie_break_people(live: LivePodium, of: str, ids: Collection[str]) -> list[RankedEntrant | FamilyMember]:
    """The entrants whom a contest is about: of the award both members of each pair."""
    if of == DecisionOf.AWARD:
        return [member for id in ids for member in live.families[id].members]
    entrants = live.entrants
    return [entrants[id] for id in ids]


def players_of(live: LivePodium, of: str, ids: Collection[str]) -> list[RankedEntrant | FamilyMember]:
    """Who may play it off, nobody where a pair would have no player: the games of one who belongs to several of the
    pairs would not say which is ahead."""
    belongs = Counter(one.number for one in tie_break_people(live, of, ids))
    players = [[one for one in tie_break_people(live, of, [id]) if belongs[one.number] == 1] for id in ids]
    return [one for each in players for one in each] if all(players) else []


def refuse_shared(
    players: Collection[int], people: Collection[RankedEntrant | FamilyMember], asked: PlayOffGamesInput
) -> None:
    """Games of one of the people who is none of the players."""
    shared = {one.number for one in people} - set(players)
    for number in sorted(line["entrant"] for game in asked for line in game["lines"]):
        if number in shared:
            raise BadInput(
                "plays_for_several",
                _("Entrant %(number)s belongs to several of these pairs: let the other of each play, or draw lots."),
                number=entrant_number_text(number),
            )


def resolve_tie_break_order(
    live: LivePodium, of: str, contest: PodiumTie, asked: TieBreakGiven, games: PlayOffGames, seed: str
) -> tuple[str, ...]:
    """The order by this method; refuses one that decides nothing, or other than its lots or games do."""
    if asked.method == TieMethod.LOTS:
        order = draw_tie_break_lots(of, contest, seed)
    elif asked.method == TieMethod.PLAY_OFF:
        owner = {one.number: id for id in contest.ids for one in tie_break_people(live, of, [id])}
        order = order_played(play_off_rules(live.ranking.ruleset, of), contest, games, asked.order, owner)
    elif asked.method in (TieMethod.PICK, TieMethod.HAND_LOTS):
        order = tuple(asked.order)
    else:
        raise BadInput("wrong_method", _("A place is decided by a play-off, by lots or by the chief judge's choice."))
    if tuple(asked.order) != order[: len(asked.order)]:
        raise play_off_other_order_error()
    try:
        return rule_contest(contest, order).order
    except Refusal as refusal:
        raise BadInput(
            "wrong_order_of_contest",
            _("Write at least the first in the order; it holds each of those level at most once and nobody else."),
            about=refusal,
        ) from refusal


def draw_tie_break_lots(of: str, contest: PodiumTie, seed: str) -> tuple[str, ...]:
    """All of them by the lots; families under texts that say nothing of them."""
    texts = lot_texts_of_pairs(contest.ids) if of == DecisionOf.AWARD else {id: id for id in contest.ids}
    ids = {text: id for id, text in texts.items()}
    return tuple(ids[text] for text in draw_lots(list(ids), len(ids), seed))


def play_off_rules(ruleset: Ruleset, of: str) -> Ruleset:
    """The ruleset for a play-off: its own order, of the award that of families."""
    return dataclasses.replace(ruleset, order=ruleset.family_order) if of == DecisionOf.AWARD else ruleset

"""What a final's release says of its podium and of the parent-child award: names in full where consent is given."""

from collections.abc import Collection, Mapping
from typing import Any

from scoring.family import FamilyStanding, award_steps
from scoring.tie_break import draw_lots
from tournament.core.enums import DecisionOf, Role, TieMethod
from tournament.core.names import public_name
from tournament.core.numberformat import QUANTITY_TWELFTHS, entrant_number_text
from tournament.publication.domain.release import ReleaseContent, event_zone_text, fraction_text, frozen_rulings
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import LivePodium
from tournament.stages.domain.podium_families import FamilyMember, FamilyPair, lot_texts_of_pairs


def frozen_podium(live: LivePodium, consenting: Collection[int]) -> ReleaseContent:
    """Places 1 to 3 with who holds each, and the decisions between equals; `consenting` by entrant's number.

    A place that is contested has no holder: nothing is released while there is one (R39).
    """
    entrants = live.entrants
    holders = [(holder, entrants[holder.id]) for holder in live.podium.holders]
    return {
        "holders": [
            {"place": holder.place, "decided": holder.decided}
            | frozen_name(one.number, one.name_zh, one.name_en, one.number in consenting)
            for holder, one in holders
        ],
        "decisions": [frozen_podium_decision(live, one) for one in live.decisions if one.of == DecisionOf.PODIUM],
    }


def frozen_award(live: LivePodium) -> ReleaseContent | None:
    """The award's family, and the units that stood for it and may be told, by the members' numbers; None where no pair
    was declared.

    Who belongs to whom is told of the winner, whom the award names, and of those who both agreed to be named; `others`
    counts the rest, whose sums alone would tell who they are. Who is out is the desk's to know. `winner` is None where
    no pair played the final to its end.
    """
    if not live.families:
        return None
    winner = next(iter(live.award_place.holders), None)
    told = publishable_pairs(live)
    standings = live.award.standings
    return {
        "order": list(award_steps(live.ranking.ruleset)),
        "winner": {"decided": winner.decided} | frozen_pair(live.families[winner.id]) if winner else None,
        "families": [frozen_unit(told[one.id], one) for one in standings if one.id in told],
        "others": sum(one.id not in told for one in standings),
        "decisions": [frozen_podium_decision(live, one) for one in live.decisions if one.of == DecisionOf.AWARD],
    }


def publishable_pairs(live: LivePodium) -> dict[str, FamilyPair]:
    """The pairs of whom the public reads who is whose parent, by id."""
    won = {holder.id for holder in live.award_place.holders}
    return {id: pair for id, pair in live.families.items() if id in won or pair.consenting}


def frozen_pair(pair: FamilyPair) -> ReleaseContent:
    """Both members with their names; only who consented is named in full."""
    return {member.role: _frozen_member(member) for member in pair.members}


def _frozen_member(member: FamilyMember) -> ReleaseContent:
    return frozen_name(member.number, member.name_zh, member.name_en, member.consent_name)


def frozen_unit(pair: FamilyPair, standing: FamilyStanding) -> ReleaseContent:
    """One unit of the award with every key, as numbers."""
    return {
        **{member.role: member.number for member in pair.members},
        "rank": standing.rank,
        "tied": standing.tied,
        "wins": standing.wins,
        "points_twelfths": int(standing.points * QUANTITY_TWELFTHS),
        "average": fraction_text(standing.average),
        "tiles": standing.tiles,
        "better_rank": standing.better_rank,
        "other_rank": standing.other_rank,
    }


def frozen_name(number: int, name_zh: str, name_en: str, in_full: bool) -> ReleaseContent:
    """A number with both names as typed, or with the one masked name."""
    named = {"name_zh": name_zh, "name_en": name_en} if in_full else {"name": public_name(name_zh, name_en)}
    return {"number": number, **named}


def frozen_podium_decision(live: LivePodium, decision: TieBreak) -> ReleaseContent:
    """A decision between equals as it is published: by role, without witnesses, who are people.

    A family is named by its members' numbers, the child's first: `0302+0303`; nothing for one that is not told.
    `lot_texts_of_tied`: under which text each of `tied` was in the lots, so that anyone can draw again; nothing for
    another method.
    """
    pairs = publishable_pairs(live) if decision.of == DecisionOf.AWARD else None
    return {
        "tied": [published_id_of(pairs, id) for id in decision.tied],
        "places": decision.places,
        "order": [published_id_of(pairs, id) for id in decision.order],
        "drawn_as": lot_texts_of_tied(decision) if decision.method == TieMethod.LOTS else [],
        "play_off": [[_frozen_play_off_line(pairs, line) for line in game] for game in decision.play_off],
        **frozen_rulings(decision),
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "agreed": decision.agreed_by_id is not None,
        "at": event_zone_text(decision.at),
    }


def lot_texts_of_tied(decision: TieBreak) -> list[str]:
    """The text of each of `tied` in the lots; decisions of before drew families by their codes."""
    if decision.of != DecisionOf.AWARD:
        return list(decision.tied)
    texts = lot_texts_of_pairs(decision.tied)
    drawn = draw_lots(list(texts.values()), len(texts), decision.seed)
    now = [texts[id] for id in decision.order]
    return [texts[id] for id in decision.tied] if now == list(drawn[: len(now)]) else list(decision.tied)


def _frozen_play_off_line(pairs: Mapping[str, FamilyPair] | None, line: Mapping[str, Any]) -> list[Any]:
    entrant = line["entrant"]
    who = entrant_number_text(entrant) if isinstance(entrant, int) else published_id_of(pairs, entrant)
    return [who, line["win"], line["points_twelfths"], line["tiles"]]


def published_id_of(pairs: Mapping[str, FamilyPair] | None, id: str) -> str:
    """An entrant's number as it is; of the award a pair's as its members' numbers, nothing for one not told."""
    if pairs is None:
        return id
    return "+".join(entrant_number_text(member.number) for member in pairs[id].members) if id in pairs else ""

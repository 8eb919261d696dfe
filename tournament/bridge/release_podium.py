"""What a final's release says of its podium and of the parent-child award: names in full where consent is given."""

from collections.abc import Collection, Mapping
from typing import Any

from scoring.family import FamilyStanding, steps_of
from tournament.bridge.podium import LivePodium
from tournament.bridge.podium_families import FamilyMember, FamilyPair
from tournament.bridge.release import Content, fraction_text, moment
from tournament.enums import ContestOf, Role, TieMethod
from tournament.masking import mask_chinese, mask_english
from tournament.models import ContestDecision
from tournament.quantities import TWELFTHS, entrant_number_text


def frozen_podium(live: LivePodium, consenting: Collection[int]) -> Content:
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
        "decisions": [frozen_contest(live, one) for one in live.decisions if one.of == ContestOf.PODIUM],
    }


def frozen_award(live: LivePodium) -> Content | None:
    """The award's family, and every unit that stood for it, by the members' numbers; None where no pair was declared.

    Who is out is the desk's to know. `winner` is None where no pair played the final to its end.
    """
    if not live.families:
        return None
    winner = next(iter(live.award_place.holders), None)
    return {
        "order": list(steps_of(live.ranking.ruleset)),
        "winner": {"decided": winner.decided} | frozen_pair(live.families[winner.id]) if winner else None,
        "families": [frozen_unit(live.families[one.id], one) for one in live.award.standings],
        "decisions": [frozen_contest(live, one) for one in live.decisions if one.of == ContestOf.AWARD],
    }


def frozen_pair(pair: FamilyPair) -> Content:
    """Both members with their names; only who consented is named in full."""
    return {member.role: _member(member) for member in pair.members}


def _member(member: FamilyMember) -> Content:
    return frozen_name(member.number, member.name_zh, member.name_en, member.consent_name)


def frozen_unit(pair: FamilyPair, standing: FamilyStanding) -> Content:
    """One unit of the award with every key, as numbers."""
    return {
        **{member.role: member.number for member in pair.members},
        "rank": standing.rank,
        "tied": standing.tied,
        "wins": standing.wins,
        "points_twelfths": int(standing.points * TWELFTHS),
        "average": fraction_text(standing.average),
        "tiles": standing.tiles,
        "better_rank": standing.better_rank,
        "other_rank": standing.other_rank,
    }


def frozen_name(number: int, name_zh: str, name_en: str, in_full: bool) -> Content:
    """A number with the name as typed, or masked."""
    return {
        "number": number,
        "name_zh": name_zh if in_full else mask_chinese(name_zh),
        "name_en": name_en if in_full else mask_english(name_en),
    }


def frozen_contest(live: LivePodium, decision: ContestDecision) -> Content:
    """A decision between equals as it is published: by role, without witnesses, who are people.

    A family is named by its members' numbers, the child's first: `0302+0303`. `drawn_as`: under which text each of
    `tied` was in the lots, so that anyone can draw again; nothing for another method.
    """
    pairs = live.families if decision.of == ContestOf.AWARD else {}
    return {
        "tied": [public_id(pairs, id) for id in decision.tied],
        "places": decision.places,
        "order": [public_id(pairs, id) for id in decision.order],
        "drawn_as": list(decision.tied) if decision.method == TieMethod.LOTS else [],
        "play_off": [[_play_off_line(pairs, line) for line in game] for game in decision.play_off],
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "at": moment(decision.at),
    }


def _play_off_line(pairs: Mapping[str, FamilyPair], line: Mapping[str, Any]) -> list[Any]:
    entrant = line["entrant"]
    who = entrant_number_text(entrant) if isinstance(entrant, int) else public_id(pairs, entrant)
    return [who, line["win"], line["points_twelfths"], line["tiles"]]


def public_id(pairs: Mapping[str, FamilyPair], id: str) -> str:
    """An entrant's number as it is; a family's code as its members' numbers."""
    pair = pairs.get(id)
    return "+".join(entrant_number_text(member.number) for member in pair.members) if pair else id

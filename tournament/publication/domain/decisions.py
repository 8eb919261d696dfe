"""What a release says of decisions beside those in force: every draw that was announced, and what was decided before.

Nothing is left out because a later one took its place: who draws again is seen to have drawn again (R37, R46).
"""

from collections.abc import Collection, Mapping

from scoring.tie_break import draw_lots
from tournament.core.enums import DecisionOf, Role
from tournament.core.models.stage import Stage
from tournament.publication.domain.podium import published_id_of
from tournament.publication.domain.release import ReleaseContent, event_zone_text
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.lots import interchangeable_kinds
from tournament.stages.domain.podium_families import FamilyPair, lot_texts_of_pairs

FamilyPairsById = Mapping[str, FamilyPair]


def frozen_draws(stage: Stage, in_force: Collection[TieBreak], pairs: FamilyPairsById) -> ReleaseContent:
    """`lots`: every draw, the oldest first. `earlier_decisions`: those that are not in force, the oldest first."""
    recorded = list(stage.tie_breaks.order_by("at", "id"))
    announced = list(stage.lots_announcements.order_by("at", "id"))
    return {
        "lots": [_frozen_lots(one, recorded, pairs) for one in announced],
        "earlier_decisions": [
            _frozen_earlier_decision(one, recorded, pairs) for one in recorded if one not in in_force
        ],
    }


def _frozen_lots(announced: LotsAnnouncement, recorded: Collection[TieBreak], pairs: FamilyPairsById) -> ReleaseContent:
    """A draw: what was announced when, and what came of it; no seed where none was drawn."""
    seed = next((one.seed for one in recorded if one.seed.startswith(f"{announced.head_hash} ")), "")
    texts = (
        lot_texts_of_pairs(announced.tied) if announced.of == DecisionOf.AWARD else {id: id for id in announced.tied}
    )
    ids = {text: id for id, text in texts.items()}
    drawn = [ids[text] for text in draw_lots(list(ids), len(ids), seed)] if seed else []
    return {
        "of": announced.of,
        "tied": [_published_id(announced.of, id, pairs) for id in announced.tied],
        "drawn_as": [texts[id] for id in announced.tied],
        "places": announced.places,
        "public_value": announced.public_value,
        "known_from": event_zone_text(announced.known_from),
        "reason": announced.reason,
        "head": {"seq": announced.head_seq, "hash": announced.head_hash},
        "at": event_zone_text(announced.at),
        "by": Role.CHIEF_JUDGE.value,
        "agreed": announced.agreed_by_id is not None,
        "seed": seed,
        "order": [_published_id(announced.of, id, pairs) for id in drawn],
    }


def _frozen_earlier_decision(
    decision: TieBreak, recorded: Collection[TieBreak], pairs: FamilyPairsById
) -> ReleaseContent:
    """A decision that is not in force; `replaced`: by the next one about the same equals, else its tie is gone."""
    of, ids = decision.of, decision.tied
    next_one = next(
        (
            one
            for one in recorded
            if (one.at, one.pk) > (decision.at, decision.pk)
            and one.of in interchangeable_kinds(of)
            and set(one.tied) == set(ids)
        ),
        None,
    )
    return {
        "of": of,
        "tied": [_published_id(of, id, pairs) for id in ids],
        "places": decision.places,
        "first": [_published_id(of, id, pairs) for id in decision.admitted],
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "agreed": decision.agreed_by_id is not None,
        "at": event_zone_text(decision.at),
        "replaced": {"at": event_zone_text(next_one.at), "reason": next_one.reason} if next_one else None,
    }


def _published_id(of: str, id: str, pairs: FamilyPairsById) -> str:
    return published_id_of(pairs if of == DecisionOf.AWARD else None, id)

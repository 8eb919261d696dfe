"""What a release says of decisions beside those in force: every draw that was announced, and what was decided before.

Nothing is left out because a later one took its place: who draws again is seen to have drawn again (R37, R46).
"""

from collections.abc import Collection, Mapping

from scoring.decision import draw_lots
from tournament.bridge.podium_families import FamilyPair, lots_of
from tournament.bridge.release import Content, moment
from tournament.bridge.release_podium import public_id
from tournament.enums import DecisionOf, Role, TieMethod
from tournament.models import LotsAnnouncement, Stage
from tournament.queries.lots import AnyDecision, alike, ids_of, of_decision

Pairs = Mapping[str, FamilyPair]


def frozen_draws(stage: Stage, in_force: Collection[AnyDecision], pairs: Pairs) -> Content:
    """`lots`: every draw, the oldest first. `earlier_decisions`: those that are not in force, the oldest first."""
    recorded: list[AnyDecision] = [
        *stage.tie_decisions.order_by("at", "id"),
        *stage.contest_decisions.order_by("at", "id"),
    ]
    announced = list(stage.lots_announcements.order_by("at", "id"))
    return {
        "lots": [_lots(one, recorded, pairs) for one in announced],
        "earlier_decisions": [_earlier(one, recorded, pairs) for one in recorded if one not in in_force],
    }


def _lots(announced: LotsAnnouncement, recorded: Collection[AnyDecision], pairs: Pairs) -> Content:
    """A draw: what was announced when, and what came of it; no seed where none was drawn."""
    seed = next((one.seed for one in recorded if one.seed.startswith(f"{announced.head_hash} ")), "")
    texts = lots_of(announced.tied) if announced.of == DecisionOf.AWARD else {id: id for id in announced.tied}
    ids = {text: id for id, text in texts.items()}
    drawn = [ids[text] for text in draw_lots(list(ids), len(ids), seed)] if seed else []
    return {
        "of": announced.of,
        "tied": [_public(announced.of, id, pairs) for id in announced.tied],
        "drawn_as": [texts[id] for id in announced.tied],
        "places": announced.places,
        "public_value": announced.public_value,
        "known_from": moment(announced.known_from),
        "reason": announced.reason,
        "head": {"seq": announced.head_seq, "hash": announced.head_hash},
        "at": moment(announced.at),
        "by": Role.CHIEF_JUDGE.value,
        "agreed": announced.agreed_by_id is not None,
        "seed": seed,
        "order": [_public(announced.of, id, pairs) for id in drawn],
    }


def _earlier(decision: AnyDecision, recorded: Collection[AnyDecision], pairs: Pairs) -> Content:
    """A decision that is not in force; `replaced`: by the next one about the same equals, else its tie is gone."""
    of, ids = of_decision(decision), ids_of(decision)
    next_one = next(
        (
            one
            for one in recorded
            if (one.at, one.pk) > (decision.at, decision.pk)
            and of_decision(one) in alike(of)
            and set(ids_of(one)) == set(ids)
        ),
        None,
    )
    order = [_public(of, id, pairs) for id in _order(decision)]
    return {
        "of": of,
        "tied": [_public(of, id, pairs) for id in ids],
        "places": decision.places,
        "first": order[: decision.places] if decision.method != TieMethod.ADMIT_ALL else order,
        "method": decision.method,
        "reason": decision.reason,
        "seed": decision.seed,
        "by": Role.CHIEF_JUDGE.value,
        "agreed": decision.agreed_by_id is not None,
        "at": moment(decision.at),
        "replaced": {"at": moment(next_one.at), "reason": next_one.reason} if next_one else None,
    }


def _order(decision: AnyDecision) -> list[str]:
    """Who it put first."""
    admitted = getattr(decision, "admitted", None)
    return [f"{number:04d}" for number in admitted] if admitted is not None else list(decision.order)


def _public(of: str, id: str, pairs: Pairs) -> str:
    return public_id(pairs if of == DecisionOf.AWARD else None, id)

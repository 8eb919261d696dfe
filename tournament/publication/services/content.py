"""What a release of a stage would say at this moment, from one reading."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.audit.models import AuditHead
from tournament.core.models.stage import Stage
from tournament.events.domain import rounds_of_stage
from tournament.publication.domain.decisions import frozen_draws
from tournament.publication.domain.podium import frozen_award, frozen_podium, publishable_pairs
from tournament.publication.domain.release import (
    ReleaseContent,
    freeze_release_content,
    games_by_entrant,
    turns_by_entrant,
)
from tournament.publication.queries.release import CountedSheet, counted_sheets, named_in_full
from tournament.ranking.queries.standings import game_lines, laid_turns
from tournament.stages.domain.podium import LivePodium, live_podium
from tournament.stages.domain.qualification import LiveQualification, live_qualification


@dataclass(frozen=True, slots=True)
class CurrentContent:
    """The content and what it was made from. `podium` is None but for a final."""

    content: ReleaseContent
    cut: LiveQualification
    podium: LivePodium | None
    sheets: Sequence[CountedSheet]


def build_current_content(stage: Stage, *, number: int, now: datetime) -> CurrentContent:
    """Under this number, as if it were released now; whether it may be released is not asked."""
    cut = live_qualification(stage)
    podium = live_podium(stage) if stage.is_last else None
    head = AuditHead.objects.get(event=stage.event_id)
    sheets = counted_sheets(stage)
    rounds = rounds_of_stage(stage)
    games = games_by_entrant(game_lines(stage), *rounds)
    turns = turns_by_entrant(laid_turns(stage), *rounds) if cut.ranking.ruleset.counts_turns else None
    frozen = _frozen_winners(stage, podium) if podium else {}
    content = freeze_release_content(
        stage, cut, sheets, games, number=number, at=now, audit=(head.seq, head.hash), turns=turns, **frozen
    )
    return CurrentContent(content | _frozen_draws(stage, cut, podium), cut, podium, sheets)


def _frozen_winners(stage: Stage, podium: LivePodium) -> dict[str, ReleaseContent | None]:
    return {"podium": frozen_podium(podium, named_in_full(stage)), "award": frozen_award(podium)}


def _frozen_draws(stage: Stage, cut: LiveQualification, podium: LivePodium | None) -> ReleaseContent:
    """Every draw, and every decision that is not in force."""
    in_force = [*cut.reserved_in_force, *(podium.decisions if podium else ())]
    return frozen_draws(
        stage, [*in_force, *([cut.decision] if cut.decision else [])], publishable_pairs(podium) if podium else {}
    )

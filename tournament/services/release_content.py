"""What a release of a stage would say at this moment, from one reading."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.qualification import LiveCut, live_cut
from tournament.bridge.release import Content, freeze, games_by_entrant
from tournament.bridge.release_decisions import frozen_draws
from tournament.bridge.release_podium import frozen_award, frozen_podium, told_families
from tournament.bridge.rulesets import rounds_of
from tournament.enums import StageKind
from tournament.models import AuditHead, Stage
from tournament.queries.release import CountedSheet, counted_sheets, named_in_full
from tournament.queries.standings import game_lines


@dataclass(frozen=True, slots=True)
class ContentNow:
    """The content and what it was made from. `podium` is None but for a final."""

    content: Content
    cut: LiveCut
    podium: LivePodium | None
    sheets: Sequence[CountedSheet]


def content_now(stage: Stage, *, number: int, now: datetime) -> ContentNow:
    """Under this number, as if it were released now; whether it may be released is not asked."""
    cut = live_cut(stage)
    podium = live_podium(stage) if stage.kind == StageKind.FINAL else None
    head = AuditHead.objects.get(event=stage.event_id)
    sheets = counted_sheets(stage)
    games = games_by_entrant(game_lines(stage), *rounds_of(stage))
    frozen = _frozen_winners(stage, podium) if podium else {}
    content = freeze(stage, cut, sheets, games, number=number, at=now, audit=(head.seq, head.hash), **frozen)
    return ContentNow(content | _frozen_draws(stage, cut, podium), cut, podium, sheets)


def _frozen_winners(stage: Stage, podium: LivePodium) -> dict[str, Content | None]:
    return {"podium": frozen_podium(podium, named_in_full(stage)), "award": frozen_award(podium)}


def _frozen_draws(stage: Stage, cut: LiveCut, podium: LivePodium | None) -> Content:
    """Every draw, and every decision that is not in force."""
    in_force = [*cut.reserved_in_force, *(podium.decisions if podium else ())]
    return frozen_draws(
        stage, [*in_force, *([cut.decision] if cut.decision else [])], told_families(podium) if podium else {}
    )

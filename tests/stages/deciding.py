"""Decisions between equals as two people make them: lots from an announced value, and what another agrees to."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tournament.accounts.models import Proposal
from tournament.core.models.stage import Stage
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.services.decisions import agree_decision, announce_tie_lots, decide_tie

VALUE = "24123.5"
INDEX = "恒生指數 11 月 30 日收市價，兩位小數"
Made = TieBreak


def announce(stage: Stage, of: str, by: User, *, second: User | None = None, **given: Any) -> LotsAnnouncement:
    """Lots announced an hour ago for half an hour ago, so that the value is known now; `second` agrees where it must
    be."""
    now: datetime = given.pop("now", None) or timezone.now() - timedelta(hours=1)
    facts = {"public_value": INDEX, "known_from": now + timedelta(minutes=30), **given}
    made = announce_tie_lots(stage, of=of, by=by, now=now, **facts)
    return agree_decision(stage.event, made.pk, by=second, now=now) if isinstance(made, Proposal) and second else made  # type: ignore[return-value]


def decide(stage: Stage, of: str, by: User, *, second: User | None = None, **given: Any) -> Made:
    """A decision of any of them; `second` agrees where it takes two."""
    made: Any = decide_tie(stage, of=of, by=by, **given)
    return agree_decision(stage.event, made.pk, by=second) if isinstance(made, Proposal) and second else made


def draw_lots(stage: Stage, of: str, by: User, *, value: str = VALUE, **given: Any) -> Made:
    """Announced, and drawn once the value is out, before two parents."""
    announce(stage, of, by, tied=given["tied"], places=given["places"])
    return decide(
        stage, of, by, **{"method": "lots", "value": value, "witnesses": "two parents", "reason": "Lots.", **given}
    )


def game(*lines: tuple[int, int, str, int], ended_by: str = "rummikub") -> dict[str, Any]:
    """A game of a play-off from (entrant, win, points, tiles)."""
    names = ("entrant", "win", "points", "tiles")
    return {"ended_by": ended_by, "lines": [dict(zip(names, line, strict=True)) for line in lines]}


# Games that the program took before, each of which decided a champion (0001 and 0002 of the podium).
IMPOSSIBLE = [
    game((1, 1, "+50", 0), (2, 0, "-20", 3)),
    game((1, 1, "-10", 0), (2, 0, "+10", 3)),
    game((1, 0, "0", 3), (2, 0, "0", 3)),
    game((1, 1, "+20", 5), (2, 0, "-20", 0)),
    game((1, 1, "+60", 0), (2, 0, "-60", 1)),
    game((1, 1, "+10", 0), (2, 1, "-10", 3)),
]

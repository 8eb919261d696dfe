"""What was already announced or decided about the same equals: anything of it makes the next one take two people."""

from collections.abc import Collection

from tournament.accounts.models import Proposal
from tournament.core.acts.results import ABOUT_EQUALS
from tournament.core.enums import DecisionOf
from tournament.core.models.stage import Stage
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak

CUTOFF_DECISION_KINDS = frozenset({DecisionOf.LINE, DecisionOf.RESERVE})


def interchangeable_kinds(of: str) -> frozenset[str]:
    """Equals at the line and at a reserve place are the same people in one ranking."""
    return CUTOFF_DECISION_KINDS if of in CUTOFF_DECISION_KINDS else frozenset({of})


def decisions_about(stage: Stage, of: str, ids: Collection[str]) -> list[TieBreak]:
    """Every decision about exactly these, in force or not, the newest first."""
    rows = stage.tie_breaks.order_by("-at", "-id")
    return [one for one in rows if set(one.tied) == set(ids) and one.of in interchangeable_kinds(of)]


def announcements_about(stage: Stage, of: str, ids: Collection[str]) -> list[LotsAnnouncement]:
    """Every draw announced for exactly these, the newest first."""
    rows = stage.lots_announcements.order_by("-at", "-id")
    return [one for one in rows if set(one.tied) == set(ids) and one.of in interchangeable_kinds(of)]


def open_proposals_about(stage: Stage, of: str) -> list[Proposal]:
    """What is proposed about equals of this kind and waits for a second person, the newest first."""
    rows = Proposal.objects.filter(
        event=stage.event_id, outcome="", act__in=ABOUT_EQUALS, subject__startswith=proposal_subject_prefix(stage, of)
    )
    return list(rows.select_related("proposed_by"))


def proposal_subject_prefix(stage: Stage, of: str) -> str:
    """What the subject of every proposal about equals of this kind begins with."""
    return f"stage {stage.kind} {of} "


def open_lots(stage: Stage, of: str) -> list[LotsAnnouncement]:
    """The draws of this kind that wait for their value, the newest first."""
    rows = stage.lots_announcements.filter(of=of).select_related("by").order_by("-at", "-id")
    return [one for one in rows if announced_lots(stage, of, one.tied) == one]


def announced_lots(stage: Stage, of: str, ids: Collection[str]) -> LotsAnnouncement | None:
    """The draw that waits for its value; None where the newest was drawn, or something was decided since."""
    newest = next(iter(announcements_about(stage, of, ids)), None)
    decided = next(iter(decisions_about(stage, of, ids)), None)
    return None if newest is None or (decided is not None and decided.at >= newest.at) else newest

"""What was already announced or decided about the same equals: anything of it makes the next one take two people."""

from collections.abc import Collection

from tournament.enums import DecisionOf
from tournament.models import ContestDecision, LotsAnnouncement, Proposal, Stage, TieDecision
from tournament.quantities import entrant_number_text

ACTS = ("decide_tie", "decide_contest", "announce_lots")
OF_A_CUT = frozenset({DecisionOf.LINE, DecisionOf.RESERVE})

AnyDecision = TieDecision | ContestDecision


def ids_of(decision: AnyDecision) -> list[str]:
    """Those it was made about, as the lots know them."""
    if isinstance(decision, TieDecision):
        return [entrant_number_text(number) for number in decision.tied]
    return list(decision.tied)


def of_decision(decision: AnyDecision) -> str:
    """Which equals a decision is about (DecisionOf)."""
    if isinstance(decision, TieDecision):
        return DecisionOf.RESERVE if decision.reserve else DecisionOf.LINE
    return decision.of


def alike(of: str) -> frozenset[str]:
    """Equals at the line and at a reserve place are the same people in one ranking."""
    return OF_A_CUT if of in OF_A_CUT else frozenset({of})


def decisions_about(stage: Stage, of: str, ids: Collection[str]) -> list[AnyDecision]:
    """Every decision about exactly these, in force or not, the newest first."""
    recorded: list[AnyDecision] = list(stage.tie_decisions.order_by("-at", "-id"))
    recorded += stage.contest_decisions.order_by("-at", "-id")
    return [one for one in recorded if set(ids_of(one)) == set(ids) and of_decision(one) in alike(of)]


def announcements_about(stage: Stage, of: str, ids: Collection[str]) -> list[LotsAnnouncement]:
    """Every draw announced for exactly these, the newest first."""
    rows = stage.lots_announcements.order_by("-at", "-id")
    return [one for one in rows if set(one.tied) == set(ids) and one.of in alike(of)]


def waiting_about(stage: Stage, of: str) -> list[Proposal]:
    """What is proposed about equals of this kind and waits for a second person, the newest first."""
    rows = Proposal.objects.filter(
        event=stage.event_id, outcome="", act__in=ACTS, subject__startswith=prefix(stage, of)
    )
    return list(rows.select_related("proposed_by"))


def prefix(stage: Stage, of: str) -> str:
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

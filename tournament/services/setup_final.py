"""The final as it is set up: its rules, one session or several rounds, its date or that it is to be announced (R38).

Rules and rounds may change until a draw of the final is confirmed or a sheet of it typed; the hours of a later round
as long as its own seats are not confirmed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.problems import Refusal
from scoring.rounds import ruleset_over
from scoring.ruleset import read_ruleset
from tournament.enums import StageKind
from tournament.errors import BadInput, Locked, Refused
from tournament.models import Event, Finalist, Session, Stage
from tournament.queries import setup as queries
from tournament.queries.finalists import final_of
from tournament.services import mailings_ending
from tournament.services.setup import plan_digest
from tournament.services.setup_changes import (
    every_rule,
    held,
    refuse_stale,
    refuse_unknown,
    refused_sessions,
    said_changes,
    stepped,
    write_sessions,
)
from tournament.services.setup_plan import (
    Fault,
    PlannedSession,
    clock_text,
    faults_of,
    keeping,
    placed,
    plan_of,
    round_faults,
)

MOST_ROUNDS = 6
FINAL_LOCK = _("Seats of the final are confirmed, or a scoresheet was begun: its rules and rounds stay as they are.")


@dataclass(frozen=True, slots=True)
class FinalPlan:
    """What the organisers want the final to be. `sessions`: one a round; none while its date is to be announced."""

    ruleset: Any
    rounds: int
    sessions: tuple[PlannedSession, ...] = ()


def plan_of_final(event: Event) -> FinalPlan | None:
    """The final as it is planned now; None where none was set up."""
    stage = final_of(event)
    if stage is None:
        return None
    return FinalPlan(stage.ruleset, stage.rounds, tuple(map(plan_of, queries.rounds_of_final(event))))


def over_rows(sessions: Sequence[PlannedSession], rounds: Sequence[Session]) -> tuple[PlannedSession, ...]:
    """Planned sessions over the rounds that are there, in order: a round that moves keeps its row."""
    ordered = [place.planned for place in placed(sessions)]
    rows = [row.pk for row in sorted(rounds, key=lambda row: row.check_in_at)]
    return tuple(
        replace(planned, session=rows[place] if place < len(rows) else None) for place, planned in enumerate(ordered)
    )


@transaction.atomic
def set_up_final(event: Event, *, revision: int, plan: FinalPlan, by: AbstractUser) -> Event:
    """Make the event's final what the plan says, or set it up where there is none.

    Refused: BadInput `ruleset_refused`, `rounds_refused`, `sessions_refused` with every Fault in `about`; Locked
    `final_begun`; StaleVersion.

    1. Locked; 2. nothing to change, also when sent twice; 3. the revision; 4. what rests on it; 5. the stage, its
    sessions numbered after the preliminary's; 6. the audit entry; 7. mailings of places with other times end.
    """
    current = held(event)
    now = plan_of_final(current)
    if same(plan, now):
        return current
    refuse_stale(current, revision)
    rounds, others = queries.rounds_of_final(current), queries.beside(current, StageKind.FINAL)
    refuse_unknown(plan.sessions, rounds)
    if now and (plan.ruleset, plan.rounds) != (now.ruleset, now.rounds):
        refuse_begun(current)
    refuse_rules(plan)
    faults = faults_of(plan.sessions, rounds, StageKind.FINAL, others)
    faults = faults or [*round_faults(plan.sessions), *room_faults(plan.sessions, current)]
    if faults:
        raise refused_sessions(faults)
    before = digest_of_final(current)
    write_sessions(write_stage(current, plan), keeping(plan.sessions, rounds), others=others)
    changed = stepped(current, by, "set_up_final", before, said_of(now, plan), digest_of_final)
    mailings_ending.end_outdated(changed, by=by)
    return changed


def digest_of_final(event: Event) -> str:
    """Of its plan as it stands; nothing where there is none."""
    final = final_of(event)
    return plan_digest(final, queries.rounds_of_final(event)) if final else ""


def same(plan: FinalPlan, now: FinalPlan | None) -> bool:
    """Whether nothing is asked for that does not stand."""
    if now is None or (plan.ruleset, plan.rounds) != (now.ruleset, now.rounds):
        return False
    return sorted(each.values for each in plan.sessions) == sorted(each.values for each in now.sessions)


def refuse_begun(event: Event) -> None:
    """Its finalists have their seats: what they play by was announced."""
    if queries.progress_of(event, StageKind.FINAL).play_begun:
        raise Locked("final_begun", FINAL_LOCK)


def refuse_rules(plan: FinalPlan) -> None:
    """The rules read the ruleset over so many rounds, and each round has its session or none has."""
    try:
        ruleset_over(read_ruleset(plan.ruleset), plan.rounds)
    except Refusal as refusal:
        raise BadInput("ruleset_refused", _("These rules do not fit together. Look at each option again.")) from refusal
    if plan.rounds > MOST_ROUNDS:
        raise BadInput("rounds_refused", _("A final has %(most)s rounds at most."), most=MOST_ROUNDS)
    if len(plan.sessions) not in (0, plan.rounds):
        said = _("Each round has one session: %(rounds)s rounds, %(sessions)s sessions.")
        raise BadInput("rounds_refused", said, rounds=plan.rounds, sessions=len(plan.sessions))


def room_faults(sessions: Sequence[PlannedSession], event: Event) -> list[Fault]:
    """Everybody on the frozen list has a seat in every round."""
    finalists = Finalist.objects.filter(stage__event=event).count()
    said, facts = _("There are %(finalists)s finalists: they need as many places."), {"finalists": finalists}
    small = (number for number, planned in enumerate(sessions) if planned.capacity < finalists)
    return [Fault(number, "capacity", said, facts) for number in small]


def write_stage(event: Event, plan: FinalPlan) -> Stage:
    """The stage's row; a new one has its share of second typings from the preliminary."""
    first = queries.first_stage(event)
    values = {"ruleset": plan.ruleset, "rounds": plan.rounds}
    new = {"second_typing_percent": first.second_typing_percent if first else 0}
    stage, _made = Stage.objects.update_or_create(
        event=event, kind=StageKind.FINAL, defaults=values, create_defaults={**values, **new}
    )
    return stage


def said_of(now: FinalPlan | None, plan: FinalPlan) -> str:
    """What changed, for the audit; of a new final its rounds, its days and whose rules it has."""
    wanted = facts_of(plan)
    if now is None:
        base = plan.ruleset if isinstance(plan.ruleset, str) else plan.ruleset["base"]
        wanted = {"rounds": plan.rounds, "sessions": wanted["sessions"], "base": base}
        return said_changes({"rounds": None, "sessions": [], "base": None}, wanted)
    return said_changes(facts_of(now), wanted)


def facts_of(plan: FinalPlan) -> Mapping[str, Any]:
    """Every part of the plan by its name."""
    days = [clock_text(each.check_in_at) for each in plan.sessions]
    rules = {name: value for name, value in every_rule(plan.ruleset, None).items() if name != "advance"}
    return {"rounds": plan.rounds, "sessions": days, **rules}


def change_final_rules(event: Event, *, revision: int, ruleset: Any, by: AbstractUser) -> Event:
    """Change the rules alone, as `set_up_final` does; refused `no_final` where there is none."""
    return set_up_final(event, revision=revision, plan=replace(standing_plan(event), ruleset=ruleset), by=by)


def change_rounds(event: Event, *, revision: int, sessions: Sequence[PlannedSession], by: AbstractUser) -> Event:
    """Change the hours of the rounds alone, as `set_up_final` does; refused `no_final` where there is none."""
    return set_up_final(event, revision=revision, plan=replace(standing_plan(event), sessions=tuple(sessions)), by=by)


def standing_plan(event: Event) -> FinalPlan:
    """The plan as it stands; refused where no final is set up."""
    now = plan_of_final(event)
    if now is None:
        raise Refused("no_final", _("No final is set up."))
    return now

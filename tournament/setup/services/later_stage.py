"""A later stage as it is set up: its rules, one session or several rounds, its date or that this is open (R38).

Its names, rules and rounds, and how many advance, may change until a draw of it is confirmed or a sheet of it typed;
the hours of a later round as long as its own seats are not confirmed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.problems import Refusal
from scoring.rounds import ruleset_over
from scoring.ruleset import read_ruleset
from tournament.core.enums import StageKind
from tournament.core.errors import BadInput, Locked, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.events.queries import final_of
from tournament.messages.services import mailings_ending
from tournament.messages.services.published_text import check_published_texts
from tournament.ranking.domain.qualifying import QUALIFYING
from tournament.setup import queries
from tournament.setup.services.changes import (
    all_rule_values,
    changes_log_text,
    lock_event_setup,
    refuse_unknown,
    refused_sessions,
    require_event_revision,
    save_setup_revision,
    write_sessions,
)
from tournament.setup.services.plan import (
    PlanFault,
    PlannedSession,
    clock_text,
    number_sessions,
    planned_session_of,
    round_faults,
    session_plan_faults,
    with_kept_numbers,
)
from tournament.setup.services.setup import plans_digest
from tournament.setup.services.stage_address import STAGE_ADDRESS_TAKEN, refuse_stage_address

FINAL_BEGUN_LOCK = _(
    "Seats of the final are confirmed, or a scoresheet was begun: its rules and rounds stay as they are."
)
STAGE_BEGUN_LOCK = _(
    "Seats of this stage are confirmed, or a scoresheet was begun: its names, its rules and rounds, and how many"
    " advance, stay as they are."
)
STAGE_NAME_MAX_LENGTH = cast(int, Stage._meta.get_field("name_zh").max_length)
EVENT_ENDS_WITH_FIRST_STAGE = _(
    "The event ends with its first stage. Its rules say so: let some advance there first, then set up a later stage."
)
OWN = ("ruleset", "rounds", "qualifying", "advance", "name_zh", "name_en")


@dataclass(frozen=True, slots=True)
class StagePlan:
    """What the organisers want a later stage to be. `sessions`: one a round; none while its date is to be announced.

    `kind` is its name in addresses, with words for people beside it for all but the final. From the last stage nobody
    advances; from one before it `advance` (left out: the ruleset's), by the class that `qualifying` names.
    """

    ruleset: Any
    rounds: int
    sessions: tuple[PlannedSession, ...] = ()
    kind: str = StageKind.FINAL
    qualifying: str = ""
    advance: int | None = None
    name_zh: str = ""
    name_en: str = ""

    @property
    def own(self) -> dict[str, Any]:
        """What its row keeps beside the sessions."""
        return {name: getattr(self, name) for name in OWN}


def plan_of_stage(event: Event, kind: str = StageKind.FINAL) -> StagePlan | None:
    """The later stage of this name as it is planned now; None where none was set up."""
    stage = event.stages.filter(kind=kind, order__gt=1).first()
    if stage is None:
        return None
    own = {name: getattr(stage, name) for name in OWN}
    sessions = tuple(map(planned_session_of, queries.sessions_of_later_stage(event, kind)))
    return StagePlan(**own, sessions=sessions, kind=kind)


def plan_over_existing_rows(
    sessions: Sequence[PlannedSession], rounds: Sequence[Session]
) -> tuple[PlannedSession, ...]:
    """Planned sessions over the rounds that are there, in order: a round that moves keeps its row."""
    ordered = [place.planned for place in number_sessions(sessions)]
    rows = [row.pk for row in sorted(rounds, key=lambda row: row.check_in_at)]
    return tuple(
        replace(planned, session=rows[place] if place < len(rows) else None) for place, planned in enumerate(ordered)
    )


@transaction.atomic
def set_up_stage(event: Event, *, revision: int, plan: StagePlan, by: User) -> Event:
    """Make the event's final, or another later stage, what the plan says, or set it up where there is none.

    One that is not the last is put before the last. Refused: BadInput `stage_refused`, `address_reserved`,
    `ruleset_refused`, `rounds_refused`, `sessions_refused` with every Fault in `about`, a name that names somebody;
    `later_begun`; Locked `final_begun`; StaleVersion.

    1. Locked; 2. nothing to change, also when sent twice; 3. the revision; 4. what rests on it; 5. the stage, its
    sessions numbered after those of the stages before it; 6. the audit entry; 7. mailings of places with other times
    end.
    """
    current = lock_event_setup(event)
    now = plan_of_stage(current, plan.kind)
    if is_same_stage_plan(plan, now):
        return current
    require_event_revision(current, revision)
    rounds = queries.sessions_of_later_stage(current, plan.kind)
    others = queries.sessions_outside_plan(current, plan.kind)
    refuse_unknown(plan.sessions, rounds)
    if now and plan.own != now.own:
        refuse_begun_stage(current, plan)
    refuse_rules(plan)
    refuse_place(current, plan)
    if now is None and plan.qualifying:
        refuse_new_stage_between(current, plan)
    if plan.qualifying:
        refuse_stage_names(current, plan, now)
    faults = session_plan_faults(plan.sessions, rounds, planned_stage_order(current, plan), others)
    faults = faults or [*round_faults(plan.sessions), *stage_capacity_faults(plan, current)]
    if faults:
        raise refused_sessions(faults)
    before = later_stages_digest(current)
    write_sessions(write_stage(current, plan), with_kept_numbers(plan.sessions, rounds), others=others)
    changed = save_setup_revision(
        current, by, "set_up_final", before, stage_change_log_text(now, plan), later_stages_digest
    )
    mailings_ending.end_outdated(changed, by=by)
    return changed


def later_stages_digest(event: Event) -> str:
    """Of the plans of all later stages as they stand; nothing where there is none."""
    later = event.stages.filter(order__gt=1).order_by("order")
    planned = [(stage, queries.sessions_of_later_stage(event, stage.kind)) for stage in later]
    return plans_digest(planned) if planned else ""


def is_same_stage_plan(plan: StagePlan, now: StagePlan | None) -> bool:
    """Whether nothing is asked for that does not stand."""
    if now is None or plan.own != now.own:
        return False
    return sorted(each.values for each in plan.sessions) == sorted(each.values for each in now.sessions)


def refuse_begun_stage(event: Event, plan: StagePlan) -> None:
    """Those on its list have their seats: what they play by was announced."""
    if queries.has_begun(event.stages.filter(kind=plan.kind).first()):
        raise Locked("final_begun", STAGE_BEGUN_LOCK if plan.qualifying else FINAL_BEGUN_LOCK)


def planned_stage_order(event: Event, plan: StagePlan) -> int:
    """In which order the stage is played: where it stands, before the last, or as the last."""
    orders = dict(event.stages.values_list("kind", "order"))
    last = final_of(event)
    if plan.kind in orders:
        return orders[plan.kind]
    return last.order if last and plan.qualifying else max(orders.values()) + 1


def refuse_place(event: Event, plan: StagePlan) -> None:
    """The event has one last stage, which stays the last; how one advances from another is a way that is known."""
    first, last = queries.first_stage(event), final_of(event)
    if first is not None and first.is_last:
        raise BadInput("stage_refused", EVENT_ENDS_WITH_FIRST_STAGE)
    if last is not None and (last.kind == plan.kind) == bool(plan.qualifying):
        raise BadInput("stage_refused", _("The event has its last stage already: %(kind)s."), kind=last.kind)
    if event.stages.filter(kind=plan.kind, order=1).exists():
        raise BadInput("stage_refused", STAGE_ADDRESS_TAKEN, kind=plan.kind)
    if plan.qualifying not in QUALIFYING:
        raise BadInput("stage_refused", _("There is no such way to advance. Reload the page and choose again."))


def refuse_new_stage_between(event: Event, plan: StagePlan) -> None:
    """It has an address of its own, and comes before a last one whose list is not fixed yet."""
    refuse_stage_address(plan.kind)
    if not can_have_stage_between(final_of(event)):
        raise Refused("later_begun", _("The list of the last stage is fixed: no stage can come before it any more."))


def can_have_stage_between(last: Stage | None) -> bool:
    """Whether nobody is on the list of the last stage yet, so that one more stage can come before it."""
    return last is None or (last.frozen_at is None and not queries.has_begun(last))


def refuse_stage_names(event: Event, plan: StagePlan, now: StagePlan | None) -> None:
    """A name in both languages, that fits its field; what is new of it goes to the public and names nobody."""
    names = {"name_zh": plan.name_zh, "name_en": plan.name_en}
    if any(not 0 < len(name) <= STAGE_NAME_MAX_LENGTH for name in names.values()):
        said = _("Give the stage a name in both languages, each of at most %(most)s characters.")
        raise BadInput("stage_refused", said, most=STAGE_NAME_MAX_LENGTH)
    changed = {f"stage_{name}": text for name, text in names.items() if now is None or getattr(now, name) != text}
    check_published_texts(event, changed, asks=False)


def refuse_rules(plan: StagePlan) -> None:
    """The rules read the ruleset over so many rounds, and each round has its session or none has."""
    try:
        ruleset_over(read_ruleset(plan.ruleset), plan.rounds)
    except Refusal as refusal:
        raise BadInput("ruleset_refused", _("These rules do not fit together. Look at each option again.")) from refusal
    if plan.rounds > STAGE_MAX_ROUNDS:
        raise BadInput("rounds_refused", _("A stage has %(most)s rounds at most."), most=STAGE_MAX_ROUNDS)
    if len(plan.sessions) not in (0, plan.rounds):
        said = _("Each round has one session: %(rounds)s rounds, %(sessions)s sessions.")
        raise BadInput("rounds_refused", said, rounds=plan.rounds, sessions=len(plan.sessions))


def stage_capacity_faults(plan: StagePlan, event: Event) -> list[PlanFault]:
    """Everybody on the frozen list has a seat in every round."""
    finalists = Finalist.objects.filter(stage__event=event, stage__kind=plan.kind).count()
    said, facts = _("The list of this stage has %(finalists)s: they need as many places."), {"finalists": finalists}
    small = (number for number, planned in enumerate(plan.sessions) if planned.capacity < finalists)
    return [PlanFault(number, "capacity", said, facts) for number in small]


def write_stage(event: Event, plan: StagePlan) -> Stage:
    """The stage's row; a new one has its share of second typings from the first, and is fed by the stage before it."""
    found = event.stages.filter(kind=plan.kind).first()
    if found is not None:
        event.stages.filter(pk=found.pk).update(**plan.own)
        return event.stages.get(pk=found.pk)
    first, last, order = queries.first_stage(event), final_of(event), planned_stage_order(event, plan)
    before = event.stages.filter(order__lt=order).order_by("-order").first()
    if last is not None:
        event.stages.filter(feeds=last).update(feeds=None)
        event.stages.filter(pk=last.pk).update(order=order + 1)
    share = first.second_typing_percent if first else 0
    made = event.stages.create(kind=plan.kind, order=order, feeds=last, second_typing_percent=share, **plan.own)
    if before is not None:
        event.stages.filter(pk=before.pk).update(feeds=made)
    return made


def stage_change_log_text(now: StagePlan | None, plan: StagePlan) -> str:
    """What changed, for the audit, after the address of a stage that is not the last; of a new one its rounds, its
    days, whose rules it has, and how one advances."""
    wanted = stage_plan_facts(plan)
    if now is None:
        base = plan.ruleset if isinstance(plan.ruleset, str) else plan.ruleset["base"]
        wanted = {**advancing_facts(plan), "rounds": plan.rounds, "sessions": wanted["sessions"], "base": base}
        changes = changes_log_text({**dict.fromkeys(wanted), "sessions": []}, wanted)
    else:
        changes = changes_log_text(stage_plan_facts(now), wanted)
    return f"{plan.kind}; {changes}" if plan.qualifying else changes


def stage_plan_facts(plan: StagePlan) -> Mapping[str, Any]:
    """Every part of the plan by its name."""
    days = [clock_text(each.check_in_at) for each in plan.sessions]
    rules = {name: value for name, value in all_rule_values(plan.ruleset, None).items() if name != "advance"}
    return {**advancing_facts(plan), "rounds": plan.rounds, "sessions": days, **rules}


def advancing_facts(plan: StagePlan) -> Mapping[str, Any]:
    """What only a stage has from which somebody advances."""
    if not plan.qualifying:
        return {}
    names = {"stage_name_zh": plan.name_zh, "stage_name_en": plan.name_en}
    return {**names, "advance": plan.advance, "qualifying": plan.qualifying}


def change_stage_rules(event: Event, kind: str, *, revision: int, ruleset: Any, by: User) -> Event:
    """Change the rules alone, as `set_up_stage` does; refused `no_final` where no such stage is set up."""
    plan = replace(require_stage_plan(event, kind), ruleset=ruleset)
    return set_up_stage(event, revision=revision, plan=plan, by=by)


def change_rounds(event: Event, kind: str, *, revision: int, sessions: Sequence[PlannedSession], by: User) -> Event:
    """Change the hours of the rounds alone, as `set_up_stage` does; refused `no_final` where no such stage is set
    up."""
    plan = replace(require_stage_plan(event, kind), sessions=tuple(sessions))
    return set_up_stage(event, revision=revision, plan=plan, by=by)


def require_stage_plan(event: Event, kind: str) -> StagePlan:
    """The plan as it stands; refused where no such stage is set up."""
    now = plan_of_stage(event, kind)
    if now is None:
        raise Refused("no_final", _("This stage is not set up."))
    return now

"""What stands in the way of a change of the set-up: entrants, seats, sheets and releases that rest on it."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypedDict

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django_stubs_ext import Annotations

from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SessionState, StageKind
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Family
from tournament.entrants.queries.finalists import KEEPING
from tournament.events.models import SessionMove
from tournament.releases.queries import releases_in_force
from tournament.sheets.queries.session_life import settled_session_condition
from tournament.tables.models import Draw


@dataclass(frozen=True, slots=True)
class SetupProgress:
    """How far one stage of the event has come. `taken` are places of the event, `released` the number of the release
    that stands."""

    play_begun: bool
    taken: int
    released: int | None


def setup_progress_of(event: Event) -> SetupProgress:
    """Of the first stage; at most four queries."""
    standing = releases_in_force().filter(stage__event=event).order_by("-number")
    return SetupProgress(
        play_begun=has_begun(first_stage(event)),
        taken=Entrant.objects.filter(KEEPING, event=event).count(),
        released=standing.values_list("number", flat=True).first(),
    )


def has_begun(stage: Stage | None) -> bool:
    """Play has begun, for the set-up, once a session's seats are confirmed or a sheet was typed; never where the stage
    is not set up."""
    return stage is not None and Session.objects.filter(settled_session_condition(), stage=stage).exists()


def larger_families(event: Event) -> list[str]:
    """The codes of families with more than two members, in order."""
    members = Family.objects.filter(event=event).annotate(count=Count("members"))
    return list(members.filter(count__gt=2).order_by("code").values_list("code", flat=True))


def first_stage(event: Event) -> Stage | None:
    """The stage that the event begins with."""
    return event.stages.filter(order=1).first()


class SessionProgress(TypedDict):
    """What rests on a session, as `sessions_of_first_stage` says it."""

    entered: int
    taken: int
    is_drawn: bool
    is_settled: bool
    was_moved: bool


def sessions_of_first_stage(event: Event) -> list[Annotated[Session, Annotations[SessionProgress]]]:
    """The first stage's sessions in order; one query.

    Each with `entered` (entrants), `taken` (places: a withdrawn entrant gives the place back), `is_drawn`,
    `is_settled` (seats confirmed or a sheet typed) and `was_moved` (postponed, with new times). Void ones are in none.
    """
    kept = sessions_kept_of_stage(event).filter(stage__order=1)
    return sessions_with_progress(kept.annotate(entered=count_entrants_where(Q()), taken=count_entrants_where(KEEPING)))


def sessions_of_later_stage(
    event: Event, kind: str = StageKind.FINAL
) -> list[Annotated[Session, Annotations[SessionProgress]]]:
    """The sessions of the later stage of this name in order, as `sessions_of_first_stage` has the first one's; one
    query.
    """
    return sessions_with_progress(rounds(event).filter(stage__kind=kind))


class LaterStage(NamedTuple):
    """A stage after the first, with its sessions as `sessions_of_later_stage` has them."""

    stage: Stage
    rounds: list[Annotated[Session, Annotations[SessionProgress]]]

    @property
    def is_open(self) -> bool:
        """Whether its list is not fixed and play has not begun, so that a stage can still come before it."""
        return self.stage.frozen_at is None and not any(one.is_settled for one in self.rounds)


def later_stages(event: Event) -> list[LaterStage]:
    """The stages after the first, in the order in which they are played; two queries."""
    played = sessions_with_progress(rounds(event))
    stages = event.stages.filter(order__gt=1).order_by("order")
    return [LaterStage(stage, [one for one in played if one.stage_id == stage.pk]) for stage in stages]


def stage_before(event: Event, stage: Stage | None) -> Stage | None:
    """The stage that feeds this one; of one that is still to be set up, the latest from which somebody advances."""
    before = event.stages.exclude(qualifying="")
    if stage is not None:
        before = before.filter(order__lt=stage.order)
    return before.order_by("-order").first()


class SessionTaken(TypedDict):
    """How many are entered for a session, and its places that they keep."""

    entered: int
    taken: int


def rounds(event: Event) -> QuerySet[Annotated[Session, Annotations[SessionTaken]]]:
    """The sessions of all later stages. Nobody is entered for one of them alone: all who qualified play each, and their
    ages were judged before (R1)."""
    return sessions_kept_of_stage(event).filter(stage__order__gt=1).annotate(entered=Value(0), taken=Value(0))


def sessions_kept_of_stage(event: Event) -> QuerySet[Session]:
    """The sessions that are, or are to be, played: all but the void ones."""
    return Session.objects.filter(stage__event=event).exclude(state=SessionState.VOID).select_related("stage")


def sessions_outside_plan(event: Event, kind: str = "") -> list[Session]:
    """What a plan of this stage (left out: the first) leaves as it is: the sessions of the event's other stages, and
    the void ones of all."""
    first = sessions_of_first_stage(event) if kind else []
    return [*sessions_with_progress(rounds(event).exclude(stage__kind=kind)), *first, *void_sessions_of(event)]


def void_sessions_of(event: Event) -> list[Session]:
    """The void sessions of the event: they keep their numbers and are in no plan."""
    found = Session.objects.filter(stage__event=event, state=SessionState.VOID)
    return list(found.select_related("stage").order_by("number"))


def sessions_with_progress(
    sessions: QuerySet[Annotated[Session, Annotations[SessionTaken]]],
) -> list[Annotated[Session, Annotations[SessionProgress]]]:
    """Each with `is_drawn`, `is_settled` and `was_moved`, in order."""
    drawn = Draw.objects.filter(session=OuterRef("pk"))
    moved = Exists(SessionMove.objects.filter(session=OuterRef("pk")))
    shown = sessions.annotate(is_drawn=Exists(drawn), is_settled=settled_session_condition(), was_moved=moved)
    return list(shown.order_by("number"))


def count_referees(event: Event) -> int:
    """Accounts that can referee at the event."""
    return Membership.objects.filter(event=event, role=Role.REFEREE, user__is_active=True).count()


def count_entrants_where(condition: Combinable | Q) -> Coalesce:
    """How many entrants of the session fulfil the condition."""
    found = Entrant.objects.filter(condition, session=OuterRef("pk")).order_by().values("session")
    counted = found.annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def last_setup_change(event: Event) -> AuditEntry | None:
    """Who changed the set-up last."""
    return setup_audit_entries(event).select_related("actor").first()


def setup_audit_entries(event: Event) -> QuerySet[AuditEntry]:
    """What was done to the event as a whole, the newest first."""
    return AuditEntry.objects.filter(event=event, subject=f"event {event.slug}").order_by("-seq")

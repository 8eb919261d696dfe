"""Who plays a stage: those entered for its sessions, or the finalists of the frozen list (R38)."""

from typing import Annotated, TypedDict

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Value, When
from django_stubs_ext import Annotations

from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant

# Who keeps the place in the own session: what becomes of somebody in a later stage gives none back.
KEEPING = ~Q(status=EntrantStatus.WITHDRAWN) | Exists(Finalist.objects.filter(entrant=OuterRef("pk")))


class StatusThere(TypedDict):
    """What the entrant's status is in the stage that was asked for."""

    status_there: str


def entrants_of_stage(stage: Stage) -> QuerySet[Annotated[Entrant, Annotations[StatusThere]]]:
    """Everyone who plays the stage, each with `status_there`.

    What becomes of somebody in a later stage changes nothing of the ranking that led there: on its list stood only who
    took part.
    """
    went_on = When(Exists(lists_beyond(stage)), then=Value(EntrantStatus.OK.value))
    there = F("status") if stage.is_last else Case(went_on, default=F("status"), output_field=CharField())
    return Entrant.objects.filter(**playing_stage_condition(stage)).annotate(status_there=there)


def playing_stage_condition(stage: Stage) -> dict[str, Stage]:
    """What is asked of entrants who play this stage, each once."""
    return {"session__stage": stage} if stage.is_first else {"qualified__stage": stage}


def entrants_playing_by_stage(event: Event) -> dict[int, int]:
    """How many take part in each stage of the event, by the stage's key; two queries."""
    entered = Entrant.objects.filter(event=event, status=EntrantStatus.OK).order_by().values("session__stage")
    listed = Finalist.objects.filter(stage__event=event, entrant__status=EntrantStatus.OK).order_by().values("stage")
    by_session = entered.annotate(n=Count("pk")).values_list("session__stage", "n")
    return dict(by_session) | dict(listed.annotate(n=Count("pk")).values_list("stage", "n"))


def stages_after(stage: Stage) -> QuerySet[Stage]:
    """The later stages of the event."""
    return Stage.objects.filter(event=stage.event_id, order__gt=stage.order)


def lists_beyond(stage: Stage) -> QuerySet[Finalist]:
    """Of the entrant of an outer query: the lists of later stages."""
    return Finalist.objects.filter(entrant=OuterRef("pk"), stage__in=stages_after(stage))


def entrants_of_session(session: Session) -> QuerySet[Entrant]:
    """Everyone entered for this session; where all play every round, everybody who plays the stage."""
    if session.stage.has_rounds_for_all:
        return Entrant.objects.filter(**playing_stage_condition(session.stage))
    return Entrant.objects.filter(session=session)


def lists(of: str = "") -> "Prefetch[str]":
    """For `prefetch_related`: the lists that an entrant stands on, with their stages; `of` is the way to it."""
    return Prefetch(f"{of}qualified", Finalist.objects.select_related("stage").order_by("stage__order"))


def furthest(entrant: Entrant) -> Finalist | None:
    """The list of the latest stage that has this entrant; no query where `lists` were fetched with it."""
    return max(entrant.qualified.all(), key=lambda one: one.stage.order, default=None)


def is_finalist(entrant: Entrant) -> bool:
    """Whether the frozen list of a later stage has this entrant; no query where `lists` were fetched with it."""
    return bool(entrant.qualified.all())


def is_on_list(entrant: Entrant, stage: Stage) -> bool:
    """Whether the frozen list of this stage has the entrant."""
    return any(one.stage_id == stage.pk for one in entrant.qualified.all())


def is_beyond(entrant: Entrant, stage: Stage) -> bool:
    """Whether the frozen list of a stage after this one has the entrant."""
    return any(one.stage.order > stage.order for one in entrant.qualified.all())


def status_at(entrant: Entrant, stage: Stage) -> EntrantStatus:
    """`status_there` of one entrant: whoever went on took part in what led there, whatever came later."""
    return EntrantStatus.OK if is_beyond(entrant, stage) else EntrantStatus(entrant.status)


def next_stage(stage: Stage) -> Stage | None:
    """The stage that this one feeds, where it has been set up."""
    return Stage.objects.select_related("event").filter(fed_by=stage).first()


def previous_stage(stage: Stage) -> Stage:
    """The stage that feeds this one; Stage.DoesNotExist for the first."""
    return Stage.objects.select_related("event").get(feeds=stage)

"""What stands in the way of a change of the set-up: entrants, seats, sheets and releases that rest on it."""

from dataclasses import dataclass

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from tournament.enums import EntrantStatus, Role, StageKind
from tournament.models import (
    AuditEntry,
    Draw,
    Entrant,
    Event,
    Membership,
    Release,
    Scoresheet,
    Session,
    Stage,
)

# Who keeps the place: what becomes of a finalist in the final gives none of the preliminary back.
KEEPING = ~Q(status=EntrantStatus.WITHDRAWN) | Q(finalist__isnull=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one stage of the event has come. `taken` are places of the event, `released` the number of the release
    that stands."""

    play_begun: bool
    taken: int
    released: int | None


def progress_of(event: Event, kind: StageKind = StageKind.PRELIMINARY) -> Progress:
    """Play has begun, for the set-up, once a session's seats are confirmed or a sheet was typed; at most four
    queries."""
    settled = Draw.objects.filter(session__stage__event=event, session__stage__kind=kind, confirmed_at__isnull=False)
    typed = Scoresheet.objects.filter(table__session__stage__event=event, table__session__stage__kind=kind)
    standing = Release.objects.filter(stage__event=event, withdrawn_at=None).order_by("-number")
    return Progress(
        play_begun=settled.exists() or typed.exists(),
        taken=Entrant.objects.filter(KEEPING, event=event).count(),
        released=standing.values_list("number", flat=True).first(),
    )


def first_stage(event: Event) -> Stage | None:
    """The stage that the event begins with."""
    return event.stages.filter(kind=StageKind.PRELIMINARY).first()


def sessions_of(event: Event) -> list[Session]:
    """The first stage's sessions in order; one query.

    Each with `entered` (entrants), `taken` (places: a withdrawn entrant gives the place back), `is_drawn`, and
    `is_settled` (seats confirmed or a sheet typed).
    """
    there = {"entered": entrants_there(Q()), "taken": entrants_there(KEEPING)}
    return how_far(Session.objects.filter(stage__event=event, stage__kind=StageKind.PRELIMINARY).annotate(**there))


def rounds_of_final(event: Event) -> list[Session]:
    """The final's sessions in order, as `sessions_of` has the preliminary's; one query.

    Nobody is entered for one of them alone: all finalists play each, and their ages were judged before (R1).
    """
    rows = Session.objects.filter(stage__event=event, stage__kind=StageKind.FINAL)
    return how_far(rows.annotate(entered=Value(0), taken=Value(0)))


def sessions_of_event(event: Event) -> QuerySet[Session]:
    """Every session with its stage, by number: the final's after the preliminary's."""
    return Session.objects.filter(stage__event=event).select_related("stage").order_by("number")


def how_far(sessions: QuerySet[Session]) -> list[Session]:
    """Each with `is_drawn` and `is_settled`, in order."""
    drawn = Draw.objects.filter(session=OuterRef("pk"))
    settled = Exists(drawn.filter(confirmed_at__isnull=False))
    typed = Exists(Scoresheet.objects.filter(table__session=OuterRef("pk")))
    return list(sessions.annotate(is_drawn=Exists(drawn), is_settled=settled | typed).order_by("number"))


def referees_of(event: Event) -> int:
    """Accounts that can referee at the event."""
    return Membership.objects.filter(event=event, role=Role.REFEREE, user__is_active=True).count()


def entrants_there(condition: Q) -> Coalesce:
    """How many entrants of the session fulfil the condition."""
    found = Entrant.objects.filter(condition, session=OuterRef("pk")).order_by().values("session")
    counted = found.annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def last_change(event: Event) -> AuditEntry | None:
    """Who changed the set-up last."""
    return entries_of(event).select_related("actor").first()


def entries_of(event: Event) -> QuerySet[AuditEntry]:
    """What was done to the event as a whole, the newest first."""
    return AuditEntry.objects.filter(event=event, thing=f"event {event.slug}").order_by("-seq")

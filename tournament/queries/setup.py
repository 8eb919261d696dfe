"""What stands in the way of a change of the set-up: entrants, seats, sheets and releases that rest on it."""

from dataclasses import dataclass

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from tournament.enums import EntrantStatus, Role, SessionState, StageKind
from tournament.models import (
    AuditEntry,
    Draw,
    Entrant,
    Event,
    Family,
    Membership,
    Session,
    SessionMove,
    Stage,
)
from tournament.queries.ground_rows import standing_releases
from tournament.queries.session_life import is_settled

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
    begun = Session.objects.filter(is_settled(), stage__event=event, stage__kind=kind)
    standing = standing_releases().filter(stage__event=event).order_by("-number")
    return Progress(
        play_begun=begun.exists(),
        taken=Entrant.objects.filter(KEEPING, event=event).count(),
        released=standing.values_list("number", flat=True).first(),
    )


def larger_families(event: Event) -> list[str]:
    """The codes of families with more than two members, in order."""
    members = Family.objects.filter(event=event).annotate(count=Count("members"))
    return list(members.filter(count__gt=2).order_by("code").values_list("code", flat=True))


def first_stage(event: Event) -> Stage | None:
    """The stage that the event begins with."""
    return event.stages.filter(kind=StageKind.PRELIMINARY).first()


def sessions_of(event: Event) -> list[Session]:
    """The first stage's sessions in order; one query.

    Each with `entered` (entrants), `taken` (places: a withdrawn entrant gives the place back), `is_drawn`,
    `is_settled` (seats confirmed or a sheet typed) and `was_moved` (postponed, with new times). Void ones are in none.
    """
    there = {"entered": entrants_there(Q()), "taken": entrants_there(KEEPING)}
    return how_far(kept_of(event, StageKind.PRELIMINARY).annotate(**there))


def rounds_of_final(event: Event) -> list[Session]:
    """The final's sessions in order, as `sessions_of` has the preliminary's; one query.

    Nobody is entered for one of them alone: all finalists play each, and their ages were judged before (R1).
    """
    return how_far(kept_of(event, StageKind.FINAL).annotate(entered=Value(0), taken=Value(0)))


def kept_of(event: Event, kind: StageKind) -> QuerySet[Session]:
    """The sessions of one stage that are, or are to be, played: all but the void ones."""
    return Session.objects.filter(stage__event=event, stage__kind=kind).exclude(state=SessionState.VOID)


def beside(event: Event, kind: StageKind) -> list[Session]:
    """What a plan of this stage leaves as it is: the sessions of the event's other stage, and the void ones of both."""
    others = rounds_of_final(event) if kind == StageKind.PRELIMINARY else sessions_of(event)
    return [*others, *void_of(event)]


def void_of(event: Event) -> list[Session]:
    """The void sessions of the event: they keep their numbers and are in no plan."""
    return list(Session.objects.filter(stage__event=event, state=SessionState.VOID).order_by("number"))


def sessions_of_event(event: Event) -> QuerySet[Session]:
    """Every session with its stage, by number: the final's after the preliminary's."""
    return Session.objects.filter(stage__event=event).select_related("stage").order_by("number")


def how_far(sessions: QuerySet[Session]) -> list[Session]:
    """Each with `is_drawn`, `is_settled` and `was_moved`, in order."""
    drawn = Draw.objects.filter(session=OuterRef("pk"))
    moved = Exists(SessionMove.objects.filter(session=OuterRef("pk")))
    shown = sessions.annotate(is_drawn=Exists(drawn), is_settled=is_settled(), was_moved=moved)
    return list(shown.order_by("number"))


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

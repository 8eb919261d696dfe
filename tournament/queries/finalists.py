"""Who plays a stage: those entered for its sessions, or the finalists of the frozen list (R38)."""

from django.db.models import Case, CharField, F, QuerySet, Value, When

from tournament.enums import EntrantStatus, StageKind
from tournament.models import Entrant, Event, Session, Stage


def entrants_of_stage(stage: Stage) -> QuerySet[Entrant]:
    """Everyone who plays the stage, each with `status_there`.

    What becomes of a finalist in the final changes nothing of the ranking that led there: on its list stood only who
    took part.
    """
    if stage.kind == StageKind.FINAL:
        return Entrant.objects.filter(finalist__stage=stage).annotate(status_there=F("status"))
    stood = Case(
        When(finalist__isnull=False, then=Value(EntrantStatus.OK.value)),
        default=F("status"),
        output_field=CharField(),
    )
    return Entrant.objects.filter(session__stage=stage).annotate(status_there=stood)


def entrants_of_session(session: Session) -> QuerySet[Entrant]:
    """Everyone entered for this session; in a final, where all play every round, every finalist."""
    if session.stage.kind == StageKind.FINAL:
        return Entrant.objects.filter(finalist__stage=session.stage_id)
    return Entrant.objects.filter(session=session)


def final_of(event: Event) -> Stage | None:
    """The event's final, where one has been set up."""
    return event.stages.filter(kind=StageKind.FINAL).first()


def rounds_before(session: Session) -> QuerySet[Session]:
    """The sessions of the same stage that come before this one, in order."""
    return Session.objects.filter(stage=session.stage_id, number__lt=session.number).order_by("number")

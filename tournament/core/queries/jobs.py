"""What a page asks about long work: how far it is, and whether anybody would do it."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from tournament.core.enums import JobKind, JobState
from tournament.core.models.event import Event
from tournament.core.models.job import Job, Worker

# A worker says every five seconds that it is there; three missed signs and it counts as gone.
WORKER_ALIVE_FOR = timedelta(seconds=15)


def latest_job(event: Event, kind: JobKind, subject: str) -> Job | None:
    """The last job about this subject; None: it was never asked for."""
    return Job.objects.filter(event=event, kind=kind, subject=subject).order_by("-id").first()


def claimable_jobs(stale_before: datetime) -> QuerySet[Job]:
    """Jobs that wait, or whose worker has given no sign of life since then, the oldest first."""
    stale = Q(state=JobState.RUNNING, beat_at__lt=stale_before)
    return Job.objects.filter(Q(state=JobState.WAITING) | stale).select_related("event", "owner")


def has_live_worker(now: datetime) -> bool:
    """Whether any worker has given a sign of life lately."""
    return Worker.objects.filter(beat_at__gt=now - WORKER_ALIVE_FOR).exists()

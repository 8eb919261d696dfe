"""Long work as rows: asked for, claimed by compare-and-swap, told of while it runs, finished.

A worker that was killed leaves its job running without a sign of life: after `JOB_STALE_AFTER` another claims it, and
the first, should it still live, finds its claim gone. So what a job does must be harmless when done twice.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from tournament.core.enums import OPEN_JOBS, JobKind, JobState
from tournament.core.models.event import Event
from tournament.core.models.job import Job, Worker
from tournament.core.queries import jobs as queries

WORK_TASK = "tournament.work"
JOB_STALE_AFTER = timedelta(seconds=60)
logger = logging.getLogger(__name__)


class ClaimLost(Exception):
    """Another worker has this job now, or somebody took it back: stop, and write nothing more about it."""


def enqueue_job(
    event: Event, kind: JobKind, subject: str, *, payload: Mapping[str, Any], total: int, by: User | None
) -> Job:
    """The open job of this kind about this subject; made where there is none, and poked once it is committed."""
    try:
        with transaction.atomic():
            job = Job.objects.create(
                event=event,
                kind=kind,
                subject=subject,
                payload=dict(payload),
                total=total,
                owner=by,
                created_at=timezone.now(),
            )
            notify_worker_on_commit(WORK_TASK)
            return job
    except IntegrityError:
        return Job.objects.get(event=event, kind=kind, subject=subject, state__in=OPEN_JOBS)


def notify_worker_on_commit(task: str) -> None:
    """Once what is being written is committed, tell the broker by the task's name that a row waits; without a broker
    `manage.py work` looks by itself.

    What was saved is saved: a broker that does not answer is logged, and the next sweep finds the row.
    """
    if settings.REDIS_URL:
        transaction.on_commit(partial(send_task_to_broker, task), robust=True)


def send_task_to_broker(task: str) -> None:
    """One try over a connection of its own, and no word of it to whoever saved something."""
    try:
        with current_app.connection_for_write(settings.REDIS_URL) as connection:
            current_app.send_task(task, connection=connection, retry=False, ignore_result=True)
    except Exception as error:
        logger.warning("the broker was not told of %s: %s", task, error)


def claim_job(worker: str) -> Job | None:
    """The oldest job that waits, or whose worker gave no sign of life for too long, now this worker's; None: nothing.

    The swap is from the very row that was read, so that of two workers one has it.
    """
    now = timezone.now()
    for job in queries.claimable_jobs(now - JOB_STALE_AFTER)[:10]:
        read = Job.objects.filter(pk=job.pk, state=job.state, claim=job.claim, beat_at=job.beat_at)
        mark = f"{worker}:{job.pk}:{now.timestamp()}"[-64:]
        if read.update(state=JobState.RUNNING, claim=mark, claimed_at=now, beat_at=now, done=0):
            job.state, job.claim, job.claimed_at, job.beat_at, job.done = JobState.RUNNING, mark, now, now, 0
            return job
    return None


def report_job_progress(job: Job, done: int, total: int) -> None:
    """How far it is, and that its worker lives. Raises `ClaimLost` where the job is no longer this worker's."""
    mine = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, claim=job.claim)
    if not mine.update(done=done, total=total, beat_at=timezone.now()):
        raise ClaimLost(str(job))


def finish_job(job: Job, state: JobState, sentence: str, facts: Mapping[str, Any]) -> bool:
    """Write how it ended, unless the job is no longer this worker's; whether it was written.

    `sentence` is a msgid; facts that are not numbers are kept as texts.
    """
    kept = {name: fact if isinstance(fact, int) else str(fact) for name, fact in facts.items()}
    mine = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, claim=job.claim)
    return bool(mine.update(state=state, sentence=sentence, facts=kept, finished_at=timezone.now()))


def withdraw_unclaimed_job(event: Event, kind: JobKind, subject: str) -> bool:
    """Remove a job that nobody has claimed yet, since its work is done here and now; whether there was one."""
    erased, _kinds = Job.objects.filter(event=event, kind=kind, subject=subject, state=JobState.WAITING).delete()
    return bool(erased)


def record_worker_heartbeat(worker: str) -> None:
    """A worker says that it looks for jobs; those long gone are forgotten."""
    now = timezone.now()
    Worker.objects.update_or_create(name=worker, defaults={"beat_at": now})
    Worker.objects.filter(beat_at__lt=now - timedelta(days=1)).delete()


def record_worker_exit(worker: str) -> None:
    """A worker ends, so that no page waits for it."""
    Worker.objects.filter(name=worker).delete()


def is_worker_alive_now() -> bool:
    """Whether a job that is asked for now will be claimed soon."""
    return queries.has_live_worker(timezone.now())

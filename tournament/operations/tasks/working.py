"""A worker: claims one job after another and runs it by its kind."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from celery import shared_task
from django.utils.translation import gettext_noop as _

from tournament.core.enums import JobKind, JobState
from tournament.core.errors import Refused
from tournament.core.models.job import Job
from tournament.core.services import jobs
from tournament.core.services.jobs import ClaimLost
from tournament.core.tasks import own_name
from tournament.operations.tasks import erasing
from tournament.registration import tasks

JOB_RUNNERS: dict[str, Callable[[Job], tuple[str, Mapping[str, Any]]]] = {
    JobKind.IMPORT_ENTRANTS: tasks.run_import_job,
    JobKind.ERASE: erasing.run_erasure_job,
}
# An import is one transaction, an erasure a transaction a step.
JOB_BROKEN_SENTENCES = {
    JobKind.IMPORT_ENTRANTS: _(
        "The work broke off by a fault of the system; nothing was changed. Try again, or tell whoever looks after it."
    ),
    JobKind.ERASE: _(
        "The erasure broke off by a fault of the system; what it had erased by then is gone. Erase again: it goes on "
        "from there. If it breaks off again, tell whoever looks after the system."
    ),
}
logger = logging.getLogger(__name__)


@shared_task(name=jobs.WORK_TASK)
def run_waiting_jobs() -> None:
    """One job, and again while one waits."""
    if work_one(own_name()):
        jobs.notify_worker_on_commit(jobs.WORK_TASK)


def work_one(worker: str) -> Job | None:
    """Claim a job and run it to its end; None: nothing waits.

    Refused: the organiser's to mend, told with its sentence. Anything else is ours: the log has the traceback.
    """
    job = jobs.claim_job(worker)
    if job is None:
        return None
    try:
        sentence, facts = JOB_RUNNERS[job.kind](job)
    except Refused as refused:
        jobs.finish_job(job, JobState.REFUSED, refused.sentence, refused.facts)
    except ClaimLost:
        logger.warning("%s: another worker has it", job)
    except Exception:
        logger.exception("%s broke off", job)
        jobs.finish_job(job, JobState.BROKEN, JOB_BROKEN_SENTENCES[JobKind(job.kind)], {})
    else:
        jobs.finish_job(job, JobState.DONE, sentence, facts)
    return job

"""A worker: claims one job after another and runs it by its kind."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from celery import shared_task
from django.utils.translation import gettext_noop as _

from tournament.enums import JobKind, JobState
from tournament.errors import Refused
from tournament.models import Job
from tournament.services import jobs
from tournament.services.jobs import ClaimLost
from tournament.tasks import erasing, importing
from tournament.tasks.workers import own_name

RUNS: dict[str, Callable[[Job], tuple[str, Mapping[str, Any]]]] = {
    JobKind.IMPORT_ENTRANTS: importing.import_entrants,
    JobKind.ERASE: erasing.erase,
}
# An import is one transaction, an erasure a transaction a step.
BROKEN = {
    JobKind.IMPORT_ENTRANTS: _(
        "The work broke off by a fault of the system; nothing was changed. Try again, or tell whoever looks after it."
    ),
    JobKind.ERASE: _(
        "The erasure broke off by a fault of the system; what it had erased by then is gone. Erase again: it goes on "
        "from there. If it breaks off again, tell whoever looks after the system."
    ),
}
log = logging.getLogger(__name__)


@shared_task(name=jobs.WORK)
def work() -> None:
    """One job, and again while one waits."""
    if work_one(own_name()):
        jobs.poke(jobs.WORK)


def work_one(worker: str) -> Job | None:
    """Claim a job and run it to its end; None: nothing waits.

    Refused: the organiser's to mend, told with its sentence. Anything else is ours: the log has the traceback.
    """
    job = jobs.claim(worker)
    if job is None:
        return None
    try:
        sentence, facts = RUNS[job.kind](job)
    except Refused as refused:
        jobs.finish(job, JobState.REFUSED, refused.sentence, refused.facts)
    except ClaimLost:
        log.warning("%s: another worker has it", job)
    except Exception:
        log.exception("%s broke off", job)
        jobs.finish(job, JobState.BROKEN, BROKEN[JobKind(job.kind)], {})
    else:
        jobs.finish(job, JobState.DONE, sentence, facts)
    return job

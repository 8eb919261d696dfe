"""An erasure as a job: step after step, each told of; one that a killed worker left is gone on with by the next."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.core.models.job import Job
from tournament.core.services import jobs
from tournament.operations.services import retention

ERASURE_DONE = _("Erased: %(people)s people. What was erased and what stays is on the page of personal data.")


def run_erasure_job(job: Job) -> tuple[str, Mapping[str, Any]]:
    """The event named in the job. Refused as `erasure.erase_event` is."""
    done = retention.run_requested_erasure(
        job.event, by=job.owner, tell=lambda step, steps: jobs.report_job_progress(job, step, steps)
    )
    return ERASURE_DONE, {"people": sum(one.counts.get("people", 0) for one in done.erasures)}

"""An erasure as a job: step after step, each told of; one that a killed worker left is gone on with by the next."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.models import Job
from tournament.services import jobs, retention

DONE = _("Erased: %(people)s people. What was erased and what stays is on the page of personal data.")


def erase(job: Job) -> tuple[str, Mapping[str, Any]]:
    """The event named in the job. Refused as `erasure.erase_event` is."""
    done = retention.run(job.event, by=job.owner, tell=lambda step, steps: jobs.tell(job, step, steps))
    return DONE, {"people": sum(one.counts.get("people", 0) for one in done.erasures)}

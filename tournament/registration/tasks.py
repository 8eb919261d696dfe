"""An import as a job: the rows are read first, told of as they go; then one transaction enters all of them or none."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.core.errors import Refused
from tournament.core.models.job import Job
from tournament.core.services import jobs
from tournament.entrants.models.importing import EntrantFile
from tournament.registration.services import importing

IMPORT_DONE = _("Imported: %(made)s made, %(changed)s changed, %(unchanged)s unchanged.")


def run_import_job(job: Job) -> tuple[str, Mapping[str, Any]]:
    """The file named in the job; what was done, as a msgid and its facts. Refused as `importing.import_file` is.

    Reading counts as three quarters of the work; while all are entered no count can be told, since nothing is
    committed before all are in.
    """
    kept = EntrantFile.objects.filter(pk=job.payload["file"], event=job.event).select_related("event").first()
    if kept is None:
        raise Refused("preview_gone", importing.PREVIEW_EXPIRED)
    rows = len(kept.rows)
    total = rows + rows // 3
    importing.refuse_faults_of(kept, lambda done: jobs.report_job_progress(job, done, total))
    jobs.report_job_progress(job, rows, total)
    done = importing.import_file(kept, by=job.owner, seen=job.payload["seen"])
    return IMPORT_DONE, {"made": done.count, "changed": done.changed, "unchanged": done.unchanged}

"""What a worker does about dates: previews whose time is over go, and where an organiser said so, personal data."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core.dateformat import full_date_text
from tournament.core.enums import OPEN_JOBS, JobKind
from tournament.core.models.event import Event
from tournament.core.models.job import Job
from tournament.core.queries.jobs import latest_job
from tournament.core.services import jobs
from tournament.operations.queries import retention as queries
from tournament.operations.services import erasure
from tournament.operations.services.erasure import ErasureResult
from tournament.operations.services.erasure_kinds import ERASURE_KINDS
from tournament.registration.services import importing

# One that a fault of ours has stopped is not tried again with every look.
ERASURE_RETRY_AFTER = timedelta(hours=6)
# So long before the day the overview reminds.
REMIND_BEFORE = timedelta(days=14)


# What will happen, by whether the day is over and whether a worker erases by itself.
RETENTION_SENTENCES = {
    (False, False): _("Personal data is kept until %(day)s. Then an organiser erases it, nothing by itself."),
    (False, True): _("Personal data is kept until %(day)s. Then a worker erases it by itself, once one is running."),
    (True, False): _("Personal data was to be kept until %(day)s. Erase it now."),
    (True, True): _("Personal data was kept until %(day)s and waits for a worker to erase it."),
}


def check_retention_dates(now: datetime | None = None) -> list[Job]:
    """Called again and again by a worker: expired previews go; an erasure whose day has come becomes a job."""
    at = now or timezone.now()
    importing.expire_previews(now=at)
    events = queries.events_due_for_erasure(timezone.localtime(at).date()).filter(erase_by_itself=True)
    return [job for event in events if (job := request_erasure_unless_recent(event, at))]


def request_erasure_unless_recent(event: Event, now: datetime) -> Job | None:
    """The job, unless one is open or has just ended without erasing everything."""
    last = latest_job(event, JobKind.ERASE, event_subject_ref(event))
    if last and (last.state in OPEN_JOBS or last.created_at > now - ERASURE_RETRY_AFTER):
        return None
    return request_erasure(event, by=None)


def request_erasure(event: Event, *, by: User | None) -> Job:
    """The erasure of an event as a job, refused as it would be; asked again while it waits or runs, the same job."""
    erasure.require_date(event)
    return jobs.enqueue_job(
        event, JobKind.ERASE, event_subject_ref(event), payload={}, total=len(ERASURE_KINDS) + 1, by=by
    )


def run_requested_erasure(event: Event, *, by: User | None, tell: Callable[[int, int], None]) -> ErasureResult:
    """What the job does; by a worker's own look `by` is nobody."""
    return erasure.erase_event_data(event, by=by, tell=tell)


def event_subject_ref(event: Event) -> str:
    """The name of the event as the subject of a job."""
    return f"event {event.slug}"


def is_reminder_due(event: Event, today: date | None = None) -> bool:
    """Whether an organiser is to be reminded: two weeks before the day and from then on, while anybody is left."""
    if event.retention_on is None or event.retention_on - REMIND_BEFORE > (today or timezone.localdate()):
        return False
    return queries.has_personal_data_left(event)


def retention_sentence(event: Event, today: date) -> str:
    """What happens on the day that the event has set, and by whom, in the language of the moment."""
    day = event.retention_on
    if day is None:
        raise ValueError("an event without a day is not reminded of")
    return gettext(RETENTION_SENTENCES[day < today, event.erase_by_itself]) % {"day": full_date_text(day)}

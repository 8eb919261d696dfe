"""What a worker does about dates: previews whose time is over go, and where an organiser said so, personal data."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.enums import OPEN_JOBS, JobKind
from tournament.models import Event, Job
from tournament.moments import full_date_text
from tournament.queries import retention as queries
from tournament.queries.jobs import latest_job
from tournament.services import erasure, importing, jobs
from tournament.services.erasure import Done
from tournament.services.erasure_kinds import KINDS

# One that a fault of ours has stopped is not tried again with every look.
AGAIN_AFTER = timedelta(hours=6)
# So long before the day the overview reminds.
REMIND_BEFORE = timedelta(days=14)


# What will happen, by whether the day is over and whether a worker erases by itself.
SENTENCES = {
    (False, False): _("Personal data is kept until %(day)s. Then an organiser erases it, nothing by itself."),
    (False, True): _("Personal data is kept until %(day)s. Then a worker erases it by itself, once one is running."),
    (True, False): _("Personal data was to be kept until %(day)s. Erase it now."),
    (True, True): _("Personal data was kept until %(day)s and waits for a worker to erase it."),
}


def look_due(now: datetime | None = None) -> list[Job]:
    """Called again and again by a worker: expired previews go; an erasure whose day has come becomes a job."""
    at = now or timezone.now()
    importing.expire_previews(now=at)
    events = queries.due(timezone.localtime(at).date()).filter(erase_by_itself=True)
    return [job for event in events if (job := ask_unless_lately(event, at))]


def ask_unless_lately(event: Event, now: datetime) -> Job | None:
    """The job, unless one is open or has just ended without erasing everything."""
    last = latest_job(event, JobKind.ERASE, subject_of(event))
    if last and (last.state in OPEN_JOBS or last.created_at > now - AGAIN_AFTER):
        return None
    return ask(event, by=None)


def ask(event: Event, *, by: AbstractUser | None) -> Job:
    """The erasure of an event as a job, refused as it would be; asked again while it waits or runs, the same job."""
    erasure.require_date(event)
    return jobs.ask_for(event, JobKind.ERASE, subject_of(event), payload={}, total=len(KINDS) + 1, by=by)


def run(event: Event, *, by: AbstractUser | None, tell: Callable[[int, int], None]) -> Done:
    """What the job does; by a worker's own look `by` is nobody."""
    return erasure.erase_event(event, by=by, tell=tell)


def subject_of(event: Event) -> str:
    """How jobs name it."""
    return f"event {event.slug}"


def reminds(event: Event, today: date | None = None) -> bool:
    """Whether an organiser is to be reminded: two weeks before the day and from then on, while anybody is left."""
    if event.retention_on is None or event.retention_on - REMIND_BEFORE > (today or timezone.localdate()):
        return False
    return queries.is_left(event)


def sentence(event: Event, today: date) -> str:
    """What happens on the day that the event has set, and by whom, in the language of the moment."""
    day = event.retention_on
    if day is None:
        raise ValueError("an event without a day is not reminded of")
    return gettext(SENTENCES[day < today, event.erase_by_itself]) % {"day": full_date_text(day)}

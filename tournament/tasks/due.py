"""What Celery's beat has done again and again, so that nothing depends on a message that a broker may have lost."""

from celery import shared_task
from django.utils import timezone

from tournament.queries import jobs as queries
from tournament.services import (
    backup_kept,
    bounces_mailbox,
    jobs,
    mailings,
    mailings_sending,
    retention,
    retention_mails,
    roles,
)
from tournament.tasks import mailing, weather, working
from tournament.tasks.workers import own_name

SWEEP, LOOK, DATES = "tournament.sweep", "tournament.look_at_weather", "tournament.look_at_dates"
BACKUP, BOUNCES = "tournament.make_backup", "tournament.read_bounces"
# Imported with this module: a worker knows the tasks of all three.
TASKS = (mailing.send_mail, working.work)


@shared_task(name=SWEEP)
def sweep() -> None:
    """Say that a worker is there; poke what waits in rows, or was left by a worker that died."""
    jobs.sign_of_life(own_name())
    roles.settle()
    if queries.claimable(timezone.now() - jobs.STALE_AFTER).exists():
        jobs.poke(jobs.WORK)
    if mailings_sending.is_due(timezone.now()):
        jobs.poke(mailings.SEND)


@shared_task(name=LOOK)
def look_at_weather() -> None:
    """One look at the Observatory's feed where an event needs one now; it sees by itself that it is not too soon."""
    weather.look_due(timezone.now())


@shared_task(name=DATES)
def look_at_dates() -> None:
    """What is to go because its time is over: previews, and personal data where an organiser said so; and reminders."""
    retention.look_due(timezone.now())
    retention_mails.remind_due(timezone.now())


@shared_task(name=BOUNCES)
def read_bounces() -> None:
    """What came back to the mailbox of MAIL_BOUNCES_BOX; it sees by itself that it is not too soon."""
    bounces_mailbox.read_due(timezone.now())


@shared_task(name=BACKUP)
def make_backup() -> None:
    """One of those that are made by themselves, where BACKUP_MINUTES says so."""
    backup_kept.make_due()

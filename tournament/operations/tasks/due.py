"""What Celery's beat has done again and again, so that nothing depends on a message that a broker may have lost."""

from celery import shared_task
from django.utils import timezone

from tournament.accounts.services import roles
from tournament.core.queries import jobs as queries
from tournament.core.services import jobs
from tournament.core.tasks import own_name
from tournament.mail import tasks as mailing
from tournament.mail.services import bounces_mailbox, mailings_sending
from tournament.messages.services import mailings
from tournament.operations.services import backup_kept, retention, retention_mails
from tournament.operations.tasks import working
from tournament.weather import tasks as weather

SWEEP_TASK, WEATHER_TASK, DATES_TASK = "tournament.sweep", "tournament.look_at_weather", "tournament.look_at_dates"
BACKUP_TASK, BOUNCES_TASK = "tournament.make_backup", "tournament.read_bounces"
# Imported with this module: a worker knows the tasks of all three.
REGISTERED_TASKS = (mailing.send_mail, working.run_waiting_jobs)


@shared_task(name=SWEEP_TASK)
def wake_workers() -> None:
    """Say that a worker is there; poke what waits in rows, or was left by a worker that died."""
    jobs.record_worker_heartbeat(own_name())
    roles.settle_expired_delays()
    if queries.claimable_jobs(timezone.now() - jobs.JOB_STALE_AFTER).exists():
        jobs.notify_worker_on_commit(jobs.WORK_TASK)
    if mailings_sending.is_due(timezone.now()):
        jobs.notify_worker_on_commit(mailings.SEND_MAIL_TASK)


@shared_task(name=WEATHER_TASK)
def run_weather_poll() -> None:
    """One look at the Observatory's feed where an event needs one now; it sees by itself that it is not too soon."""
    weather.poll_weather_if_due(timezone.now())


@shared_task(name=DATES_TASK)
def run_date_checks() -> None:
    """What is to go because its time is over: previews, and personal data where an organiser said so; and reminders."""
    retention.check_retention_dates(timezone.now())
    retention_mails.remind_due(timezone.now())


@shared_task(name=BOUNCES_TASK)
def read_bounces() -> None:
    """What came back to the mailbox of MAIL_BOUNCES_BOX; it sees by itself that it is not too soon."""
    bounces_mailbox.read_due(timezone.now())


@shared_task(name=BACKUP_TASK)
def make_backup() -> None:
    """One of those that are made by themselves, where BACKUP_MINUTES says so."""
    backup_kept.make_due()

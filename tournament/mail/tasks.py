"""Mail as a task: some seconds of one mailing, and again while there is something to send."""

from celery import shared_task

from tournament.core.services import jobs
from tournament.core.tasks import own_name
from tournament.mail.services import mailings_sending
from tournament.messages.services import mailings

# Short beside the broker's visibility timeout, and so that a worker is asked often whether it should end.
SEND_TASK_SECONDS = 5.0


@shared_task(name=mailings.SEND_MAIL_TASK)
def send_mail() -> None:
    """One turn. Run twice or by two workers it does no harm: a mailing has one claim."""
    if mailings_sending.send_some(own_name(), SEND_TASK_SECONDS):
        jobs.notify_worker_on_commit(mailings.SEND_MAIL_TASK)

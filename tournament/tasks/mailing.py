"""Mail as a task: some seconds of one mailing, and again while there is something to send."""

from celery import shared_task

from tournament.services import jobs, mailings, mailings_sending
from tournament.tasks.workers import own_name

# Short beside the broker's visibility timeout, and so that a worker is asked often whether it should end.
TURN = 5.0


@shared_task(name=mailings.SEND)
def send_mail() -> None:
    """One turn. Run twice or by two workers it does no harm: a mailing has one claim."""
    if mailings_sending.send_some(own_name(), TURN):
        jobs.poke(mailings.SEND)

"""`manage.py work`: does the long work that waits in the database, sends mail and reads what came back, looks at the
weather and at what is to go by its date, beside the server and without a broker."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, close_old_connections, connections

from tournament.accounts.services import roles
from tournament.core.services import jobs
from tournament.core.tasks import own_name
from tournament.mail.services import bounces_mailbox, mailings_sending
from tournament.operations.services import backup_kept, retention, retention_mails
from tournament.operations.tasks.working import work_one
from tournament.weather import tasks

SIGN_EVERY = 5.0
WEATHER_POLL_SECONDS = 10.0
DATES_EVERY = 60.0
# Seconds of mail between two looks at what else waits.
SEND_RUN_SECONDS = 4.0
BACKUP_EVERY = 20.0
logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Ends at SIGTERM or SIGINT, after the job or the turn of mail it is at; killed, the next worker takes it over."""

    help = "Claim waiting jobs and mailings one after another until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        """When to end by itself, and how long to wait between looks."""
        parser.add_argument("--once", action="store_true", help="end when nothing waits any more")
        parser.add_argument("--with-parent", action="store_true", help="end when the process that started it has ended")
        parser.add_argument("--every", type=float, default=0.5, metavar="SECONDS", help="between two looks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work and send, while there is anything; wait, and look again."""
        stopping = threading.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stopping.set())
        worker, parent = own_name(), os.getppid()
        sign = IntervalChore(SIGN_EVERY, lambda: jobs.record_worker_heartbeat(worker))
        look = IntervalChore(WEATHER_POLL_SECONDS, tasks.poll_weather_if_due)
        settle = IntervalChore(SIGN_EVERY, roles.settle_expired_delays)
        dates = IntervalChore(DATES_EVERY, retention.check_retention_dates)
        remind = IntervalChore(DATES_EVERY, retention_mails.remind_due)
        bounced = BackgroundChore(IntervalChore(WEATHER_POLL_SECONDS, bounces_mailbox.read_due))
        keep = BackgroundChore(IntervalChore(BACKUP_EVERY, backup_kept.make_due))
        while not stopping.is_set() and (not options["with_parent"] or os.getppid() == parent):
            self.attempt(sign)
            self.attempt(look)
            self.attempt(dates)
            self.attempt(remind)
            self.attempt(settle)
            if settings.MAIL_BOUNCES_BOX and not options["once"]:
                self.attempt(bounced)
            if settings.BACKUP_MINUTES and not options["once"]:
                self.attempt(keep)
            worked = self.attempt(lambda: work_one(worker))
            sent = self.attempt(lambda: mailings_sending.send_some(worker, SEND_RUN_SECONDS))
            if worked or sent:
                continue
            if options["once"]:
                break
            stopping.wait(options["every"])
        jobs.record_worker_exit(worker)

    def attempt(self, chore: Callable[[], Any]) -> Any:
        """What the chore answers; None where the database is away, or a fault of ours is in its way, for the log.

        One chore that breaks off does not end the others: this is the only worker there is.
        """
        try:
            return chore()
        except OperationalError as error:
            self.wait_for_database(error)
        except Exception:
            logger.exception("a chore broke off")
        return None

    def wait_for_database(self, error: OperationalError) -> None:
        """The database was restarted or is busy: say so, and look again later with a new connection."""
        self.stderr.write(f"the database does not answer: {error}")
        close_old_connections()


class IntervalChore:
    """A chore that is done at once and then not more often than each so many seconds."""

    def __init__(self, every: float, do: Callable[[], Any]) -> None:
        self.every, self.do = every, do
        self.next_at = 0.0

    def __call__(self) -> None:
        """Do it, if it is time."""
        if time.monotonic() >= self.next_at:
            self.next_at = time.monotonic() + self.every
            self.do()


class BackgroundChore:
    """A chore that takes long, in a thread of its own: the others go on. Never two at once."""

    def __init__(self, do: Callable[[], None]) -> None:
        self.do = do
        self.thread: threading.Thread | None = None

    def __call__(self) -> None:
        """Begin it, unless it is still being done."""
        if self.thread is None or not self.thread.is_alive():
            self.thread = threading.Thread(target=self.work)
            self.thread.start()

    def work(self) -> None:
        """What it breaks off with is for the log; its connection is its own."""
        try:
            self.do()
        except Exception:
            logger.exception("a chore broke off")
        finally:
            connections.close_all()

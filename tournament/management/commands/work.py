"""`manage.py work`: does the long work that waits in the database, sends mail and looks at the weather, beside the
server and without a broker."""

import os
import signal
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, close_old_connections

from tournament.services import jobs, mailings_sending
from tournament.tasks.workers import own_name
from tournament.tasks.working import work_one

SIGN_EVERY = 5.0
# Seconds of mail between two looks at what else waits.
TURN = 2.0


class Command(BaseCommand):
    """Ends at SIGTERM or SIGINT, after the job or the turn of mail it is at; killed, the next worker takes it over."""

    help = "Claim waiting jobs and mailings one after another until stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        """When to end by itself, and how long to wait between looks."""
        parser.add_argument("--once", action="store_true", help="end when nothing waits any more")
        parser.add_argument("--with-parent", action="store_true", help="end when the process that started it has ended")
        parser.add_argument("--every", type=float, default=0.5, metavar="SECONDS", help="between two looks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, work, wait."""
        stopping = threading.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stopping.set())
        worker, parent, signed = own_name(), os.getppid(), 0.0
        while not stopping.is_set() and (not options["with_parent"] or os.getppid() == parent):
            if not signed or time.monotonic() - signed >= SIGN_EVERY:
                self.sign(worker)
                signed = time.monotonic()
            if self.work(worker):
                continue
            if options["once"]:
                break
            stopping.wait(options["every"])
        jobs.sign_off(worker)

    def sign(self, worker: str) -> None:
        """Say that somebody is there, unless the database is away for the moment."""
        try:
            jobs.sign_of_life(worker)
        except OperationalError as error:
            self.wait_for_database(error)

    def work(self, worker: str) -> bool:
        """One job and some mail, where any waits; whether there was either."""
        try:
            worked = work_one(worker) is not None
            return mailings_sending.send_some(worker, TURN) or worked
        except OperationalError as error:
            self.wait_for_database(error)
            return False

    def wait_for_database(self, error: OperationalError) -> None:
        """The database was restarted or is busy: say so, and look again later with a new connection."""
        self.stderr.write(f"the database does not answer: {error}")
        close_old_connections()

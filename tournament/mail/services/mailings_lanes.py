"""Several connections to the mail server, each of which carries one mail at a time; no database here.

Another is opened only where those that are open keep a mail waiting, and one that the server refuses is done without:
providers differ in how many they allow.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from typing import Any

from django.core.mail import EmailMessage

from tournament.mail.adapters.mail import MailTransport

# Seconds that a mail waits for an open connection before another is opened.
CONNECTION_WAIT_SECONDS = 0.05


@dataclass(slots=True, eq=False)
class MailConnection:
    """One connection. `load`: what whoever handed a mail over wants back with the answer."""

    outlet: MailTransport
    load: Any = None
    answer: Future[None] | None = None


class MailConnectionPool:
    """`first` is open or opens itself; of others there are at most `most - 1`."""

    def __init__(self, first: MailTransport, most: int) -> None:
        self.lanes, self.most = [MailConnection(first)], max(most, 1)
        self.pool = ThreadPoolExecutor(self.most, thread_name_prefix="mail")

    @property
    def in_flight(self) -> list[Future[None]]:
        """What the server has not answered, or nobody has asked about since."""
        return [lane.answer for lane in self.lanes if lane.answer is not None]

    def idle(self) -> MailConnection | None:
        """One that carries nothing, the longest open first."""
        return next((lane for lane in self.lanes if lane.answer is None), None)

    def may_open(self) -> bool:
        """Whether there may be one more."""
        return len(self.lanes) < self.most

    def open(self) -> MailConnection:
        """One more; it connects with its first mail."""
        self.lanes.append(MailConnection(MailTransport()))
        return self.lanes[-1]

    def send(self, lane: MailConnection, message: EmailMessage, load: Any) -> None:
        """Hand a mail over; its answer comes back later."""
        lane.load, lane.answer = load, self.pool.submit(lane.outlet.send, message)

    def wait(self, seconds: float | None) -> None:
        """Until the server has answered one of those in flight, or so many seconds."""
        wait_for(self.in_flight, timeout=seconds, return_when=FIRST_COMPLETED)

    def answered(self) -> Iterator[tuple[MailConnection, Any, Callable[[], None]]]:
        """Each that the server has answered: the connection, free again, the load, and what raises or returns as
        `Outlet.send` did."""
        for lane in list(self.lanes):
            if lane.answer is not None and lane.answer.done():
                load, answer = lane.load, lane.answer
                lane.load = lane.answer = None
                yield lane, load, answer.result

    def lose(self, lane: MailConnection) -> bool:
        """The server wants no mail over this one; whether others are left, which are from now on all there may be."""
        if len(self.lanes) == 1:
            return False
        self.lanes.remove(lane)
        self.most = len(self.lanes)
        lane.outlet.close()
        return True

    def close(self) -> None:
        """Say goodbye on each, once what it carries is answered."""
        self.pool.shutdown()
        for lane in self.lanes:
            lane.outlet.close()

"""Q19: mail through a server that fails, the worker killed again and again: who is left out, told twice, or told what
is another's."""

import email
import re
import time
from collections import Counter
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from random import Random

from django.contrib.auth.models import User
from django.db import connection

from tests.messages.mailed import FIRST, address, begin, enter
from tests.reliability.mail_workers import Hands, Post, Workers
from tournament.audit.models import AuditEntry
from tournament.core.enums import DeliveryState
from tournament.core.models.event import Event
from tournament.messages.models import Delivery, Mailing
from tournament.messages.services import mailings

# Entrants are numbered from 5001 on: no time, year or other number of a mail looks like theirs.
NUMBER = re.compile(r"(?<!\d)[56]\d{3}(?!\d)")
RATE = 1000
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)  # whose colours look like numbers
# The broker is restarted after this kill, once the new worker sends, and has forgotten what it held.
BROKER_FALLS_AFTER = 1


@dataclass(frozen=True)
class Outcome:
    """What the server took against the rows. `repeats` may be as many as the kills, of several connections as many
    for each; `often`, those of one recipient, as many as the kills and no more."""

    mails: int
    taken: int
    kills: int
    missed: int
    repeats: int
    wrong: int
    unlisted: int
    unwritten: int
    seconds: float
    often: int = 0
    connections: int = 1

    @property
    def failures(self) -> int:
        """All that must be 0."""
        return self.harmed + self.wrong + self.unlisted + self.unwritten

    @property
    def harmed(self) -> int:
        """What a careless sender must be seen to do; that it keeps no lists and writes no end proves nothing."""
        too_many = max(0, self.repeats - self.kills * self.connections)
        return self.missed + max(too_many, self.often - self.kills)

    @property
    def facts(self) -> dict[str, float]:
        return asdict(self)


def run(
    event: Event,
    by: User,
    hands: Hands,
    folder: Path,
    *,
    count: int,
    kills: int,
    seed: int,
    patience: float = 600,
    database: str = "",
    connections: int = 1,
) -> Outcome:
    """A notice to so many, of whom some have addresses that no server knows; killed at so many moments of the seed.

    With several `connections` the server keeps each mail waiting, so that all of them are in use.
    `hands` makes the workers, for a `database` other than DATABASE_URL's where one is given. It is over when every
    mail has come to its end.
    """
    nobodies = max(count // 200, 1)
    enter(event, count, nobodies)
    mailing = begin(event, by, rate=RATE)
    post = Post(folder, seed, slow=connections > 1)
    post.process.start()
    own = {"DATABASE_URL": database} if database else {}
    own["MAIL_CONNECTIONS"] = str(connections)
    workers = hands(folder, {**post.environment, **own, "OBSERVATORY_URL": ""})
    began = time.monotonic()
    try:
        workers.start()
        done = kill_often(post, workers, kills, count - nobodies, Random(seed), patience)
        wait_for_end(mailing, post, count, patience)
    finally:
        workers.end()
        post.process.kill()
    seconds = round(time.monotonic() - began, 1)
    return compare(mailing, post, done, range(FIRST, FIRST + count - nobodies), seconds, connections)


def kill_often(post: Post, workers: Workers, kills: int, count: int, random: Random, patience: float) -> int:
    """At moments spread over the mailing, each after a number of mails taken and a part of a mail's time more."""
    moments = sorted(random.sample(range(1, max(count * 9 // 10, kills + 1)), kills))
    for done, moment in enumerate(moments, start=1):
        wait_for_mails(post, moment, patience)
        time.sleep(random.random() * 0.04)
        workers.kill_and_start()
        if workers.redis and done == BROKER_FALLS_AFTER:
            wait_for_mails(post, len(post.taken()) + 2, patience)
            workers.redis.restart()
    return len(moments)


def wait_for_mails(post: Post, count: int, patience: float) -> None:
    """Until the server has taken so many."""
    until = time.monotonic() + patience
    while len(post.taken()) < count and time.monotonic() < until:
        time.sleep(0.01)


def wait_for_end(mailing: Mailing, post: Post, count: int, patience: float) -> None:
    """Until no delivery waits or is with the server and the end is written down; careless workers write none."""
    until = time.monotonic() + patience
    open_rows = Delivery.objects.filter(mailing=mailing, state__in=[DeliveryState.WAITING, DeliveryState.SENDING])
    quiet_since, seen = time.monotonic(), -1
    while time.monotonic() < until:
        mailing.refresh_from_db()
        if mailing.finished_at is not None:
            return
        taken = len(post.taken())
        if taken != seen:
            quiet_since, seen = time.monotonic(), taken
        if not open_rows.exists() and time.monotonic() - quiet_since > 5:
            return
        connection.close()
        time.sleep(0.2)


def compare(mailing: Mailing, post: Post, kills: int, wanted: range, seconds: float, connections: int = 1) -> Outcome:
    """The files of the server against the rows."""
    rows = {row.entrant.number: row for row in Delivery.objects.filter(mailing=mailing).select_related("entrant")}
    mails = [(path.name.partition("-")[2], path) for path in post.taken()]
    times = Counter(to for to, _path in mails)
    sent = {number for number, row in rows.items() if row.state == DeliveryState.SENT}
    failed = {number for number, row in rows.items() if row.state == DeliveryState.FAILED}
    mailing.refresh_from_db()
    written = AuditEntry.objects.filter(action="finish_mailing", digest_after=mailings.outcome_digest(mailing))
    return Outcome(
        mails=len(rows),
        taken=len(mails),
        kills=kills,
        missed=sum(number not in sent or not times[address(number)] for number in wanted),
        repeats=sum(times.values()) - len(times),
        wrong=sum(is_wrong(to, path, rows) for to, path in mails),
        unlisted=len(set(rows) - set(wanted) - failed),
        unwritten=int(not written.exists()),
        seconds=seconds,
        often=max(times.values(), default=1) - 1,
        connections=connections,
    )


def is_wrong(to: str, path: Path, rows: dict[int, Delivery]) -> bool:
    """Whether a mail went to another address than its row's, names more than one, or tells of another entrant."""
    message = email.message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    parts = [STYLE.sub("", part.get_content()) for part in message.walk() if not part.is_multipart()]
    told = {int(number) for text in parts for number in NUMBER.findall(text)}
    heads = [message.get_all(name, []) for name in ("To", "Cc", "Bcc")]
    own = [row for row in rows.values() if row.message_id == message["Message-ID"]]
    return (
        heads != [[to], [], []]
        or len(own) != 1
        or own[0].address != to
        or told != {own[0].entrant.number}
        or not all(NUMBER.search(text) for text in parts)
    )

"""Q4: the server is killed again and again while 25 people save sheets: what they were told is there, once, audited."""

import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from django.db import connection

from tests.reliability.clients import Typist
from tests.reliability.server import Server
from tests.reliability.world import PASSWORD, World
from tournament.models import AuditEntry, Event, Scoresheet
from tournament.services import audit

SAVED = "save_scoresheet"


@dataclass(frozen=True)
class Outcome:
    """What the clients were told against what the database has."""

    kills: int
    acknowledged: int
    lost: int
    doubled: int
    unaudited: int
    broken_links: int
    wrong_refusals: int
    server_faults: int
    problems: tuple[str, ...]

    @property
    def failures(self) -> int:
        """Everything that must be 0."""
        return self.lost + self.doubled + self.unaudited + self.broken_links + self.wrong_refusals + len(self.problems)


def sheet_path(world: World, place: int) -> str:
    """The typing page of one of the tables."""
    return f"/desk/{world.event.slug}/scoresheets/{world.session.number}/{world.tables[place].number}/"


def typists(world: World, url: str, seed: int) -> list[Typist]:
    """One person a table."""
    return [
        Typist(url, sheet_path(world, place), world.clerks[place % len(world.clerks)].username, PASSWORD, seed + place)
        for place in range(len(world.tables))
    ]


def kill_and_count(
    world: World, server: Server, kills: int, wanted: int, seed: int, kill_database: Callable[[], None] | None = None
) -> Outcome:
    """Kill the server `kills` times, and go on to `wanted` acknowledged writes; then compare.

    Every fourth time the database is killed too, where it is a server of its own. It is up until a random number of
    writes more is acknowledged, at most 8 seconds.
    """
    random = Random(seed)
    server.start()
    people = typists(world, server.url, seed)
    for person in people:
        person.start()
    wait_for(lambda: acknowledged(people) >= len(people), 60)
    done = 0
    while done < kills or acknowledged(people) < wanted:
        more = acknowledged(people) + random.randrange(2 * max(wanted // kills, 20))
        wait_for(lambda more=more: acknowledged(people) >= more, 8)
        server.kill()
        done += 1
        if kill_database and done % 4 == 0:
            kill_database()
        server.start()
        if done > 4 * kills + 20:
            break
    time.sleep(1)
    for person in people:
        person.stopping.set()
    for person in people:
        person.join(60)
    server.kill(signal.SIGTERM)
    return compare(world.event, people, done)


def acknowledged(people: Sequence[Typist]) -> int:
    """Writes that somebody was told are done."""
    return sum(len(person.log.acknowledged) for person in people)


def wait_for(reached: Callable[[], bool], patience: float) -> None:
    """Until it is so, or the patience is over."""
    until = time.monotonic() + patience
    while not reached() and time.monotonic() < until:
        time.sleep(0.02)


def compare(event: Event, people: Sequence[Typist], kills: int) -> Outcome:
    """The clients' logs against the rows."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # its connections are to a database that was killed
    entries = list(AuditEntry.objects.filter(event=event).order_by("seq"))
    by_key = Counter(entry.request_key for entry in entries if entry.action == SAVED)
    told = set().union(*(person.log.acknowledged for person in people))
    revisions = sum(Scoresheet.objects.values_list("revision", flat=True))
    refusals = Counter({status: n for person in people for status, n in person.log.refused.items()})
    return Outcome(
        kills=kills,
        acknowledged=len(told),
        lost=len(told - set(by_key)),
        doubled=sum(count > 1 for count in by_key.values()),
        unaudited=abs(revisions - sum(by_key.values())),
        broken_links=broken_links(entries),
        wrong_refusals=sum(refusals.values()),
        server_faults=sum(person.log.server_faults for person in people),
        problems=tuple(repr(person.problem) for person in people if person.problem),
    )


def broken_links(entries: Sequence[AuditEntry]) -> int:
    """Entries whose number, hash or link to the one before is not what it must be."""
    broken, before = 0, "0" * 64
    for seq, entry in enumerate(entries, start=1):
        broken += entry.seq != seq or entry.prev != before or entry.hash != audit.entry_hash(entry)
        before = entry.hash
    return broken

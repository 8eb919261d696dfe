"""Q4: the server is killed again and again while 25 people write: what they were told is there, once, audited.

Clerks save at their pages; referees at tablets save, sign and deliver whole sheets.
"""

import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from django.db import connection

from tests.reliability.clients import Person, Typist
from tests.reliability.clients_tablet import Referee
from tests.reliability.server import Server
from tests.reliability.world import PASSWORD, TabletWorld, World
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature

# What the log has of one act, whole: by the words of the clients.
EFFECTS: dict[str, tuple[dict[str, int], ...]] = {
    "save": ({"save_scoresheet": 1},),
    "ready": ({"ready_scoresheet": 1},),
    "reopen": ({"reopen_scoresheet": 1},),
    "sign": ({"sign_scoresheet": 1}, {"sign_scoresheet": 1, "lock_scoresheet": 1}),
    "package": ({"save_scoresheet": 1, "ready_scoresheet": 1, "sign_scoresheet": 4, "lock_scoresheet": 1},),
}


@dataclass(frozen=True)
class Outcome:
    """What the clients were told against what the database has. `doubled`: also what is there in part."""

    kills: int
    acknowledged: int
    acts: dict[str, int]
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


def typists(world: World, url: str, seed: int) -> list[Person]:
    return [
        Typist(url, sheet_path(world, place), world.clerks[place % len(world.clerks)].username, PASSWORD, seed + place)
        for place in range(len(world.tables))
    ]


def referees(world: TabletWorld, url: str, seed: int) -> list[Person]:
    """One tablet at each table."""
    return [
        Referee(url, world.referee.pk, [(table.number, token) for table, token in places], seed + place)
        for place, places in enumerate(world.places)
    ]


def kill_and_count(
    event: Event,
    people: Sequence[Person],
    server: Server,
    kills: int,
    wanted: int,
    seed: int,
    kill_database: Callable[[], None] | None = None,
) -> Outcome:
    """Kill the server `kills` times, and go on to `wanted` acknowledged writes; then compare.

    Every fourth time the database is killed too, where it is a server of its own. It is up until a random number of
    writes more is acknowledged, at most 8 seconds.
    """
    random = Random(seed)
    server.start()
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
    return compare(event, people, done)


def acknowledged(people: Sequence[Person]) -> int:
    """Writes that somebody was told are done."""
    return sum(len(person.log.acknowledged) for person in people)


def wait_for(reached: Callable[[], bool], patience: float) -> None:
    """Until it is so, or the patience is over."""
    until = time.monotonic() + patience
    while not reached() and time.monotonic() < until:
        time.sleep(0.02)


def compare(event: Event, people: Sequence[Person], kills: int) -> Outcome:
    """The clients' logs against the rows."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # its connections are to a database that was killed
    entries = list(AuditEntry.objects.filter(event=event).order_by("seq"))
    asked = {key: act for person in people for key, act in person.log.sent.items()}
    effects: dict[str, Counter[str]] = {}
    for entry in entries:
        if entry.request_key in asked:
            effects.setdefault(entry.request_key, Counter())[entry.action] += 1
    told = set().union(*(person.log.acknowledged for person in people))
    refusals = Counter({status: n for person in people for status, n in person.log.refused.items()})
    return Outcome(
        kills=kills,
        acknowledged=len(told),
        acts=dict(Counter(asked[key] for key in told)),
        lost=len(told - effects.keys()),
        doubled=sum(dict(found) not in EFFECTS[asked[key]] for key, found in effects.items()),
        unaudited=unaudited(event, entries),
        broken_links=broken_links(entries),
        wrong_refusals=sum(refusals.values()),
        server_faults=sum(person.log.server_faults for person in people),
        problems=tuple(repr(person.problem) for person in people if person.problem),
    )


def unaudited(event: Event, entries: Sequence[AuditEntry]) -> int:
    """Steps of revisions, and drawn signatures, that the log has not; or has and nobody made."""
    # A draw has revisions too.
    own = [entry for entry in entries if entry.subject.startswith("scoresheet ")]
    moved = sum((entry.revision_after or 0) - (entry.revision_before or 0) for entry in own)
    sheets = Scoresheet.objects.filter(table__session__stage__event=event)
    signatures = Signature.objects.filter(scoresheet__in=sheets).count()
    drawn = sum(entry.action == "sign_scoresheet" for entry in entries)
    return abs(sum(sheets.values_list("revision", flat=True)) - moved) + abs(signatures - drawn)


def broken_links(entries: Sequence[AuditEntry]) -> int:
    """Entries whose number, hash or link to the one before is not what it must be."""
    broken, before = 0, "0" * 64
    for seq, entry in enumerate(entries, start=1):
        broken += entry.seq != seq or entry.prev != before or entry.hash != services.entry_hash(entry)
        before = entry.hash
    return broken

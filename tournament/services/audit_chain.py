"""The chain of one event, read once from end to end: every link, and what it says of each thing (reliability 4.3)."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tournament.enums import EntrantStatus
from tournament.models import AuditEntry, AuditHead, Event
from tournament.queries import audit as queries
from tournament.services.audit import CANON_VERSION, entry_hash, instant
from tournament.services.audit_acts import AGE, RULINGS, STATUSES

NO_HASH = "0" * 64
SHEET = re.compile(r"scoresheet (\S+) v(\d+)")
ENTRANT = re.compile(r"entrant (\d+)")
ACCOUNT = re.compile(r"account (\d+) (\w+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as the log says: a stable code, the thing by its public name, and what differs."""

    event: str
    code: str
    thing: str
    said: str = ""
    found: str = ""

    def __str__(self) -> str:
        differs = f": {self.said} in the log, {self.found} now" if self.said or self.found else ""
        return f"{self.event}: {self.thing}: {self.code.replace('_', ' ')}{differs}"


class Anchor(NamedTuple):
    """A head of the chain as it was written down elsewhere."""

    event: str
    seq: int
    hash: str


class Act(NamedTuple):
    """An entry, as the rows are compared with it; `at` in microseconds."""

    seq: int
    at: str
    actor: int | None
    action: str
    thing: str
    before: int | None
    after: int | None
    digest: str
    reason: str
    digest_before: str = ""

    @property
    def moves(self) -> bool:
        """Whether it took its thing from one revision to the next."""
        return self.after is not None and self.after != self.before


@dataclass
class Chain:
    """What the log of one event says."""

    event: Event
    head: tuple[int, str] = (0, NO_HASH)
    hashes: list[str] = field(default_factory=lambda: [NO_HASH])
    by_sheet: dict[str, list[Act]] = field(default_factory=lambda: defaultdict(list))
    by_action: dict[str, list[Act]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[int, list[tuple[int, EntrantStatus]]] = field(default_factory=lambda: defaultdict(list))
    roles: dict[int, list[tuple[int, str, bool]]] = field(default_factory=lambda: defaultdict(list))
    moved: dict[str, Act] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)

    def find(self, code: str, thing: str, said: Any = "", found: Any = "") -> None:
        """Write down what is not as it must be."""
        self.findings.append(Finding(self.event.slug, code, thing, str(said), str(found)))

    def take(self, entry: AuditEntry) -> None:
        """Remember what an entry says."""
        act = Act(
            entry.seq,
            instant(entry.at),
            entry.actor_id,
            entry.action,
            entry.thing,
            entry.revision_before,
            entry.revision_after,
            entry.digest_after,
            entry.reason,
            entry.digest_before,
        )
        self.by_action[act.action].append(act)
        if act.moves:
            self.moved[act.thing] = act
        if act.action in ("grant_role", "revoke_role") and (held := ACCOUNT.fullmatch(act.thing)):
            self.roles[int(held[1])].append((act.seq, held[2], act.action == "grant_role"))
        if SHEET.fullmatch(act.thing):
            self.by_sheet[act.thing].append(act)
        if act.action in STATUSES and (named := ENTRANT.fullmatch(act.thing)):
            self.statuses[int(named[1])].append((act.seq, STATUSES[act.action]))

    def status_at(self, number: int, seq: int) -> EntrantStatus:
        """The entrant's status just before an entry."""
        known = self.statuses.get(number, ())
        return next((status for at, status in reversed(known) if at < seq), EntrantStatus.OK)

    def status_now(self, number: int) -> EntrantStatus:
        """The entrant's status at the end of the log."""
        return self.status_at(number, len(self.hashes))

    def roles_at(self, account: int | None, seq: int) -> set[str]:
        """The roles that an account held just before an entry."""
        held: set[str] = set()
        for at, role, granted in self.roles.get(account or 0, ()):
            if at < seq:
                (held.add if granted else held.discard)(role)
        return held

    def rulings(self) -> Counter[tuple[str, str, str, int | None]]:
        """Kind, entrant, reason and account of every ruling that the log has; an age is accepted by one account and
        written at the import by another."""
        return Counter(
            (kind, act.thing, act.reason, None if kind == AGE else act.actor)
            for action, kind in RULINGS.items()
            for act in self.by_action[action]
        )


def read_chain(event: Event, using: str) -> Chain:
    """Every entry in its order: no gap, each on the hash before it, each with its own hash; the head is the last."""
    chain = Chain(event)
    place, before = 0, NO_HASH
    for entry in queries.chain_of(event, using):
        place += 1
        thing = f"audit entry {entry.seq}"
        if entry.seq != place:
            chain.find("entries_missing" if entry.seq > place else "entry_twice", thing, place, entry.seq)
            place = entry.seq
        if entry.canon_version != CANON_VERSION:
            chain.find("canon_version_unknown", thing, CANON_VERSION, entry.canon_version)
        if entry.prev != before:
            chain.find("link_broken", thing, before[:16], entry.prev[:16])
        own = entry_hash(entry)
        if own != entry.hash:
            chain.find("entry_altered", f"{thing}, {entry.action} {entry.thing}", entry.hash[:16], own[:16])
        before = entry.hash
        chain.hashes += [""] * (place - len(chain.hashes)) + [entry.hash]
        chain.take(entry)
    check_head(chain, queries.head_of(event, using), (place, before))
    return chain


def check_head(chain: Chain, head: AuditHead | None, last: tuple[int, str]) -> None:
    """The head row names the last entry."""
    if head is None:
        chain.find("head_missing", "audit head", last[0])
        return
    chain.head = (head.seq, head.hash)
    if chain.head != last:
        chain.find("head_is_not_the_last_entry", "audit head", f"entry {last[0]}", f"entry {head.seq}")


def check_anchors(chain: Chain, anchors: list[Anchor]) -> None:
    """S14: what was written down elsewhere finds a log that was cut off or written anew from end to end."""
    for anchor in anchors:
        if anchor.event != chain.event.slug:
            continue
        if anchor.seq >= len(chain.hashes):
            chain.find("entries_cut_off", f"audit entry {anchor.seq}", f"entry {anchor.seq}", f"entry {chain.head[0]}")
        elif chain.hashes[anchor.seq] != anchor.hash:
            found = chain.hashes[anchor.seq][:16]
            chain.find("not_as_anchored", f"audit entry {anchor.seq}", anchor.hash[:16], found)

"""The chain of one event, read once from end to end: every link, and the payloads replayed (D3)."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tournament.audit import queries
from tournament.audit.models import AuditEntry, AuditHead
from tournament.audit.services import AUDIT_CANON_VERSION, entry_hash
from tournament.core.models.event import Event
from tournament.operations.services.audit_replay import Replay

NO_HASH = "0" * 64


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something that is not as the log says: a stable code, the thing by its public name, and what differs."""

    event: str
    code: str
    subject: str
    said: str = ""
    found: str = ""

    def __str__(self) -> str:
        differs = f": {self.said} in the log, {self.found} now" if self.said or self.found else ""
        return f"{self.event}: {self.subject}: {self.code.replace('_', ' ')}{differs}"


class ChainAnchor(NamedTuple):
    """A head of the chain as it was written down elsewhere."""

    event: str
    seq: int
    hash: str


class LoggedAct(NamedTuple):
    """An entry without its payload."""

    seq: int
    actor: int | None
    subject: str
    digest_before: str
    digest: str


@dataclass
class AuditChain:
    """What the log of one event says."""

    event: Event
    head: tuple[int, str] = (0, NO_HASH)
    hashes: list[str] = field(default_factory=lambda: [NO_HASH])
    by_action: dict[str, list[LoggedAct]] = field(default_factory=lambda: defaultdict(list))
    replay: Replay = field(default_factory=Replay)
    findings: list[AuditFinding] = field(default_factory=list)

    def find(self, code: str, subject: str, said: Any = "", found: Any = "") -> None:
        """Write down what is not as it must be."""
        texts = ("" if text is None else str(text)[:200] for text in (said, found))
        self.findings.append(AuditFinding(self.event.slug, code, subject, *texts))

    def take(self, entry: AuditEntry) -> None:
        """Remember what an entry says."""
        act = LoggedAct(entry.seq, entry.actor_id, entry.subject, entry.digest_before, entry.digest_after)
        self.by_action[entry.action].append(act)
        self.replay.take(entry)


def read_chain(event: Event, using: str) -> AuditChain:
    """Every entry in its order: no gap, each on the hash before it, each with its own hash; the head is the last."""
    chain = AuditChain(event)
    place, before = 0, NO_HASH
    for entry in queries.audit_chain_of(event, using):
        place += 1
        subject = f"audit entry {entry.seq}"
        if entry.seq != place:
            chain.find("entries_missing" if entry.seq > place else "entry_twice", subject, place, entry.seq)
            place = entry.seq
        if entry.canon_version != AUDIT_CANON_VERSION:
            chain.find("canon_version_unknown", subject, AUDIT_CANON_VERSION, entry.canon_version)
        if entry.prev != before:
            chain.find("link_broken", subject, before[:16], entry.prev[:16])
        own = entry_hash(entry)
        if own != entry.hash:
            chain.find("entry_altered", f"{subject}, {entry.action} {entry.subject}", entry.hash[:16], own[:16])
        before = entry.hash
        chain.hashes += [""] * (place - len(chain.hashes)) + [entry.hash]
        chain.take(entry)
    check_head(chain, queries.audit_head_of(event, using), (place, before))
    return chain


def check_head(chain: AuditChain, head: AuditHead | None, last: tuple[int, str]) -> None:
    """The head row names the last entry."""
    if head is None:
        chain.find("head_missing", "audit head", last[0])
        return
    chain.head = (head.seq, head.hash)
    if chain.head != last:
        chain.find("head_is_not_the_last_entry", "audit head", f"entry {last[0]}", f"entry {head.seq}")


def check_recorded_rows(chain: AuditChain, using: str) -> None:
    """Every recorded row against the last record that the payloads have of it."""
    for code, row, said, found in chain.replay.compare(chain.event.pk, using):
        chain.find(code, row, said, found)


def check_anchors(chain: AuditChain, anchors: list[ChainAnchor]) -> None:
    """S14: what was written down elsewhere finds a log that was cut off or written anew from end to end."""
    for anchor in anchors:
        if anchor.event != chain.event.slug:
            continue
        if anchor.seq >= len(chain.hashes):
            chain.find("entries_cut_off", f"audit entry {anchor.seq}", f"entry {anchor.seq}", f"entry {chain.head[0]}")
        elif chain.hashes[anchor.seq] != anchor.hash:
            found = chain.hashes[anchor.seq][:16]
            chain.find("not_as_anchored", f"audit entry {anchor.seq}", anchor.hash[:16], found)

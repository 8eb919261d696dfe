"""The audit log's one writer: a gap-free hash chain an event (reliability: the chain of 4.3).

`record` is called by the service that does the act, inside its transaction. The head row is the lock: a second writer
waits on it, so that the counter has no gaps and a rolled-back act leaves none.
"""

import hashlib
import json
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from tournament.models import AuditEntry, AuditHead, Event

CANON_VERSION = 1
DOMAIN = b"rummikub-audit-1"


def framed(parts: list[str]) -> bytes:
    """The parts with their lengths before them, so that no two lists read alike."""
    encoded = [part.encode() for part in parts]
    return DOMAIN + b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


def entry_hash(entry: AuditEntry) -> str:
    """SHA-256 over every field of the entry and the hash before it, as hexadecimal."""
    parts = [
        entry.prev,
        str(entry.canon_version),
        str(entry.event_id),
        str(entry.seq),
        instant(entry.at),
        str(entry.actor_id or ""),
        entry.action,
        entry.thing,
        number(entry.revision_before),
        number(entry.revision_after),
        entry.digest_before,
        entry.digest_after,
        entry.reason,
        entry.request_key,
    ]
    return hashlib.sha256(framed(parts)).hexdigest()


def instant(at: datetime) -> str:
    """Microseconds since 1970, UTC: the same text on every machine, zone and database."""
    return str(round(at.timestamp() * 1_000_000))


def number(value: int | None) -> str:
    """An optional integer as text; nothing where there is none."""
    return "" if value is None else str(value)


def canonical_json(data: Any) -> str:
    """Plain data as JSON in one spelling: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest_of(data: Any) -> str:
    """SHA-256, hexadecimal, of plain data as canonical JSON: what an entry keeps of facts too long for its reason."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def record(
    event: Event,
    actor: AbstractBaseUser | None,
    action: str,
    thing: str,
    *,
    revision: tuple[int | None, int | None] = (None, None),
    digest: tuple[str, str] = ("", ""),
    reason: str = "",
    request_key: str = "",
    at: datetime | None = None,
) -> AuditEntry:
    """Append one entry. `thing` names the object by its public number; no names and no personal data go in.

    `at` is the moment that the act's own row keeps, so that both say the same; otherwise now.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs in the transaction of its act")
    head = AuditHead.objects.select_for_update(no_key=True).get(event=event)
    entry = AuditEntry(
        event=event,
        seq=head.seq + 1,
        prev=head.hash,
        canon_version=CANON_VERSION,
        at=at or timezone.now(),
        actor=actor,
        action=action,
        thing=thing,
        revision_before=revision[0],
        revision_after=revision[1],
        digest_before=digest[0],
        digest_after=digest[1],
        reason=reason,
        request_key=request_key,
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)
    head.seq, head.hash = entry.seq, entry.hash
    head.save(update_fields=["seq", "hash"])
    return entry

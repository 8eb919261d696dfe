"""The audit log's one writer: a gap-free hash chain an event (D3).

`append_audit_entry` is called by the service that does the act, inside its transaction. The head row is the lock: a
second writer waits on it, so that the counter has no gaps and a rolled-back act leaves none.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.acts import ACTS
from tournament.core.canonical import canonical_json, digest_of, instant
from tournament.core.models.event import Event
from tournament.core.models.written import collect_writes

__all__ = ["AUDIT_CANON_VERSION", "append_audit_entry", "canonical_json", "digest_of", "entry_hash", "instant"]

AUDIT_CANON_VERSION = 1
HASH_DOMAIN = b"rummikub-audit-1"


def length_prefixed(parts: list[str]) -> bytes:
    """The parts with their lengths before them, so that no two lists read alike."""
    encoded = [part.encode() for part in parts]
    return HASH_DOMAIN + b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


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
        entry.subject,
        optional_integer_text(entry.revision_before),
        optional_integer_text(entry.revision_after),
        entry.digest_before,
        entry.digest_after,
        entry.reason,
        entry.request_key,
        canonical_json(entry.details),
        canonical_json(entry.payload),
    ]
    return hashlib.sha256(length_prefixed(parts)).hexdigest()


def optional_integer_text(value: int | None) -> str:
    """An optional integer as text; nothing where there is none."""
    return "" if value is None else str(value)


def append_audit_entry(
    event: Event,
    actor: User | None,
    action: str,
    subject: str,
    *,
    revision: tuple[int | None, int | None] = (None, None),
    digest: tuple[str, str] = ("", ""),
    reason: str = "",
    details: Mapping[str, Any] | None = None,
    request_key: str = "",
    at: datetime | None = None,
) -> AuditEntry:
    """Append one entry. `thing` names the object by its public number; no names and no personal data go in.

    `action` is the name of one of `acts.ACTS`, done to a subject of its kind. `reason` is what a person wrote, or a
    reference; what the program has to say beside it is `details`, plain data by name, which pages put into words. `at`
    is the moment that the act's own row keeps, so that both say the same; otherwise now. The payload is what this
    transaction has written of the event's recorded rows since the entry before: what is written after the entry has
    none. Raises RuntimeError where the program itself is wrong.
    """
    if action not in ACTS or not ACTS[action].may_be_done_to(subject):
        raise RuntimeError(f"the act {action} on {subject} is not in the table of acts")
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs in the transaction of its act")
    head = AuditHead.objects.select_for_update(no_key=True).get(event=event)
    entry = AuditEntry(
        event=event,
        seq=head.seq + 1,
        prev=head.hash,
        canon_version=AUDIT_CANON_VERSION,
        at=at or timezone.now(),
        actor=actor,
        action=action,
        subject=subject,
        revision_before=revision[0],
        revision_after=revision[1],
        digest_before=digest[0],
        digest_after=digest[1],
        reason=reason,
        details=dict(details or {}),
        request_key=request_key,
        payload=collect_writes(event.pk),
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)
    head.seq, head.hash = entry.seq, entry.hash
    head.save(update_fields=["seq", "hash"])
    return entry

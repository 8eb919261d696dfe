"""The evidence of an event as a file that an outsider can verify without this program: numbers and digests, no names.

One JSON object a line: `export_evidence`, then an `event` with its `entry` lines, a `row` line for each row of a
recorded model, a `confirmations` line for each scoresheet that has values, a `release` line with each release's
content, which is public, and its scoresheets; then `end` with how many lines there were. Moments are microseconds since
1970 UTC. scripts/verify_audit.py reads it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction

from tournament.audit import queries
from tournament.audit.models import AuditEntry
from tournament.core.canonical import instant
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.core.models.evidence import declared, record_of, recorded_models, rows_of
from tournament.operations.queries import audit_rows

EVIDENCE_FORMAT = 1
EXPORTED_ROWS_CHUNK = 2000
EvidenceRow = dict[str, Any]


def export_evidence(path: Path, slug: str = "") -> int:
    """Write the evidence of one event, or of all, from one snapshot; how many lines."""
    count = 0
    partial = path.with_name(path.name + ".partial")
    with transaction.atomic(), partial.open("w", encoding="utf-8") as file:
        for row in evidence_rows(slug):
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
            count += 1
        file.write(json.dumps({"kind": "end", "lines": count}) + "\n")
    partial.replace(path)
    return count + 1


def evidence_rows(slug: str) -> Iterator[EvidenceRow]:
    """Every line but the last."""
    events = queries.one_or_all_events("default", slug)
    if not events:
        raise BadInput("no_such_event", "There is no such event.")
    yield {"kind": "export", "format": EVIDENCE_FORMAT, "events": [event.slug for event in events]}
    for event in events:
        yield from event_rows(event)


def event_rows(event: Event) -> Iterator[EvidenceRow]:
    """One event; `of_accounts` are the models whose rows are kept while their account has a role here."""
    head = queries.audit_head_of(event, "default")
    models = {str(model._meta.model_name): model for model in recorded_models()}
    yield {
        "kind": "event",
        "id": event.pk,
        "slug": event.slug,
        "head": {"seq": head.seq, "hash": head.hash} if head else None,
        "of_accounts": [name for name, model in models.items() if declared(model).account],
    }
    for entry in queries.audit_chain_of(event, "default"):
        yield entry_row(entry)
    for name, model in models.items():
        for row in rows_of(model, event.pk).order_by("pk").iterator(chunk_size=EXPORTED_ROWS_CHUNK):
            yield {"kind": "row", "model": name, "pk": row.pk, "record": record_of(row)}
    for pk, confirmations in audit_rows.confirmations_of(event, "default"):
        yield {"kind": "confirmations", "scoresheet": pk, "confirmations": confirmations}
    for release in audit_rows.releases_in_order(event, "default"):
        yield {"kind": "release", "release": release.pk, "content": release.content, "sheets": release.sheets}


def entry_row(entry: AuditEntry) -> EvidenceRow:
    """Every field that the hash is over."""
    names = ("seq", "prev", "hash", "canon_version", "action", "subject", "revision_before", "revision_after")
    more = ("digest_before", "digest_after", "reason", "details", "request_key", "payload")
    fields = {name: getattr(entry, name) for name in (*names, *more)}
    return {"kind": "entry", **fields, "at": instant(entry.at), "actor": entry.actor_id}

"""The evidence of an event as a file that an outsider can verify without this program: numbers and digests, no names.

One JSON object a line: `export`, then an `event` with its `entry`, `sheet`, `ruling`, `record`, `decision` and
`release` lines, then `end` with how many lines there were. Moments are microseconds since 1970 UTC.
scripts/verify_audit.py reads it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction

from tournament.errors import BadInput
from tournament.models import AuditEntry, Event, Release, Ruling, Scoresheet, TieDecision
from tournament.queries import audit as queries
from tournament.queries.scoresheets import thing as thing_of
from tournament.services.audit import instant
from tournament.services.audit_conduct import records
from tournament.services.audit_drawings import is_drawn
from tournament.services.audit_records import KINDS

FORMAT = 4
Row = dict[str, Any]


def export(path: Path, slug: str = "") -> int:
    """Write the evidence of one event, or of all, from one snapshot; how many lines."""
    count = 0
    partial = path.with_name(path.name + ".partial")
    with transaction.atomic(), partial.open("w", encoding="utf-8") as file:
        for row in rows(slug):
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n")
            count += 1
        file.write(json.dumps({"kind": "end", "lines": count}) + "\n")
    partial.replace(path)
    return count + 1


def rows(slug: str) -> Iterator[Row]:
    """Every line but the last."""
    events = queries.events_of("default", slug)
    if not events:
        raise BadInput("no_such_event", "There is no such event.")
    yield {"kind": "export", "format": FORMAT, "events": [event.slug for event in events]}
    for event in events:
        yield from event_rows(event)


def event_rows(event: Event) -> Iterator[Row]:
    """One event."""
    head = queries.head_of(event, "default")
    yield {
        "kind": "event",
        "id": event.pk,
        "slug": event.slug,
        "head": {"seq": head.seq, "hash": head.hash} if head else None,
        "revisions": queries.revisions_of(event, "default"),
        "statuses": {f"{number:04d}": status for number, status in queries.statuses_of(event, "default").items()},
    }
    for entry in queries.chain_of(event, "default"):
        yield entry_row(entry)
    official = set(queries.official_of(event, "default").values())
    for sheet in queries.sheets_of(event, "default"):
        yield {**sheet_row(sheet), "counts": sheet.pk in official}
    for ruling in queries.all_rulings(event, "default"):
        yield ruling_row(ruling)
    for kind, (facts, _said) in KINDS.items():
        for thing, listed in sorted(facts(event, "default").items()):
            yield {"kind": "record", "record": kind, "thing": thing, "facts": listed}
    for kind, thing, listed in records(event, "default"):
        yield {"kind": "record", "record": kind, "thing": thing, "facts": listed}
    for decision in queries.decisions_of(event, "default"):
        yield decision_row(decision)
    for release in queries.releases_in_order(event, "default"):
        yield release_row(release)


def entry_row(entry: AuditEntry) -> Row:
    """Every field that the hash is over."""
    names = ("seq", "prev", "hash", "canon_version", "action", "thing", "revision_before", "revision_after")
    more = ("digest_before", "digest_after", "reason", "request_key")
    fields = {name: getattr(entry, name) for name in (*names, *more)}
    return {"kind": "entry", **fields, "at": instant(entry.at), "actor": entry.actor_id}


def sheet_row(sheet: Scoresheet) -> Row:
    """A version with its games, lines, signatures and stamp; entrants by number."""
    table, stamp = sheet.table, getattr(sheet, "stamp", None)
    return {
        "kind": "sheet",
        "thing": thing_of(table, sheet.version),
        "event": table.session.stage.event.slug,
        "stage": table.session.stage.kind,
        "session": table.session.number,
        "session_code": table.session.code,
        "table": table.number,
        "version": sheet.version,
        "revision": sheet.revision,
        "state": sheet.state,
        "digest": sheet.digest,
        "confirmations": sheet.confirmations,
        "locked_at": instant(sheet.locked_at) if sheet.locked_at else "",
        "locked_by": sheet.locked_by_id,
        "seats": {seat.letter: seat.entrant.number for seat in table.seats.all()},
        "games": [game_row(game) for game in sheet.games.all()],
        "signatures": [signature_row(signature) for signature in sheet.signatures.all()],
        "stamp": {"at": instant(stamp.at), "by": stamp.by_id} if stamp else None,
    }


def game_row(game: Any) -> Row:
    """A game with its lines."""
    cells = (
        "letter",
        "win",
        "points_twelfths",
        "tiles",
        "face_value",
        "rack",
        "opened",
        "could_open",
        "pushed_over",
        "left",
    )
    lines = [
        {**{cell: getattr(line, cell) for cell in cells}, "entrant": line.entrant.number} for line in game.lines.all()
    ]
    return {"number": game.number, "ended_by": game.ended_by, "starter": game.starter, "lines": lines}


def signature_row(signature: Any) -> Row:
    """A signature as it was recorded."""
    return {
        "letter": signature.letter,
        "entrant": signature.entrant.number,
        "present": signature.present,
        "digest": signature.digest,
        "missing_reason": signature.missing_reason,
        "chief_judge": signature.chief_judge_id,
        "recorded_by": signature.recorded_by_id,
        "recorded_at": instant(signature.recorded_at),
        "drawn": drawn(signature),
        "superseded": signature.superseded_at is not None,
    }


def drawn(signature: Any) -> str:
    """The digest of a signature's drawing; the strokes are a person's and stay here."""
    return signature.drawing.digest if is_drawn(signature) else ""


def ruling_row(ruling: Ruling) -> Row:
    """A ruling about an entrant."""
    entrant = f"{ruling.entrant.number:04d}"
    return {"kind": "ruling", "entrant": entrant, "ruling": ruling.kind, "reason": ruling.reason, "by": ruling.by_id}


def decision_row(decision: TieDecision) -> Row:
    """A decision of a tie."""
    names = ("tied", "places", "admitted", "method", "reason", "seed", "order", "play_off", "reserve")
    fields = {name: getattr(decision, name) for name in names}
    return {
        "kind": "decision",
        "stage": decision.stage.kind,
        **fields,
        "by": decision.by_id,
        "agreed_by": decision.agreed_by_id,
        "at": instant(decision.at),
    }


def release_row(release: Release) -> Row:
    """A release with its frozen content, which is public."""
    return {
        "kind": "release",
        "stage": release.stage.kind,
        "number": release.number,
        "digest": release.digest,
        "content": release.content,
        "sheets": release.sheets,
        "audit_seq": release.audit_seq,
        "audit_hash": release.audit_hash,
        "released_by": release.released_by_id,
        "withdrawn": release.withdrawn_at is not None,
        "withdrawn_by": release.withdrawn_by_id,
        "withdrawn_reason": release.withdrawn_reason,
    }

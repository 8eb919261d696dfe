"""Everything that is held of one person, as data and as a text that can be read out (reliability Y11, PDPO s.18).

What other people wrote or signed at the same table is theirs and stays out; where a paper or a mail holds both, it is
named and handed out by hand.
"""

import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from tournament.bridge.release_names import people_in
from tournament.enums import NoteKind
from tournament.models import (
    AuditEntry,
    Delivery,
    Entrant,
    Erasure,
    Finalist,
    Incident,
    Invitation,
    JudgeCall,
    Line,
    NoteEnd,
    PlaceAnswer,
    Release,
    Ruling,
    Seat,
    SheetPrint,
    Signature,
    Warning,
)
from tournament.queries.conduct import ends_at
from tournament.queries.scoresheets import thing as sheet_thing
from tournament.queries.seating_papers import kept_of
from tournament.services import audit, drawings, erasure_files, erasure_kinds
from tournament.services.erasure_scope import Scope

Copy = dict[str, Any]

PERSON = ("name_zh", "name_en", "birth_date", "phone", "email", "language", "school", "guardian")
CONSENTS = ("consent_guardian", "consent_name", "consent_photo", "consent_marketing")
MAIL = ("state", "sent_at", "language", "facts", "answer", "bounce", "bounced_at", "bounce_code", "bounce_words")
LINE = ("win", "points_twelfths", "tiles", "face_value", "rack", "opened", "could_open", "pushed_over", "left")


def copy_of(entrant: Entrant) -> Copy:
    """All of it, by kind; reads only."""
    scope = Scope(entrant.event, entrant)
    return {
        "event": {"slug": entrant.event.slug, "name_zh": entrant.event.name_zh, "name_en": entrant.event.name_en},
        "number": entrant.number,
        "made_at": timezone.now(),
        "person": {name: getattr(entrant.person, name) for name in (*PERSON, *CONSENTS, "erased_at")},
        "entry": entry_of(entrant),
        "seats": list(seats_of(entrant)),
        "sheets": list(lines_of(entrant)),
        "signatures": [signature_of(one) for one in signatures_of(entrant)],
        "conduct": list(conduct_of(entrant)),
        "places": list(places_of(entrant)),
        "releases": list(published_of(entrant)),
        "mails": list(mails_of(entrant)),
        "lists": list(lists_of(scope)),
        "papers": list(papers_of(scope)),
        "log": list(log_of(scope)),
        "erasures": list(Erasure.objects.filter(entrant=entrant).values("begun_at", "finished_at", "reason", "counts")),
    }


def entry_of(entrant: Entrant) -> Copy:
    """The entry beside the person."""
    return {
        "session": entrant.session.code,
        "status": entrant.status,
        "family": entrant.family.code if entrant.family else "",
        "family_role": entrant.family_role,
        "fee": entrant.fee,
        "changed": entrant.revision - 1,
    }


def seats_of(entrant: Entrant) -> Iterator[Copy]:
    """Where they sat, in the final as well."""
    for seat in Seat.objects.filter(entrant=entrant).select_related("table", "session").order_by("session__number"):
        yield {"session": seat.session.code, "table": seat.table.number, "seat": seat.letter}


def lines_of(entrant: Entrant) -> Iterator[Copy]:
    """Every line of theirs in every version of every sheet."""
    rows = Line.objects.filter(entrant=entrant).select_related("game__scoresheet__table__session")
    for line in rows.order_by("game__scoresheet_id", "game__number"):
        sheet = line.game.scoresheet
        facts = {name: getattr(line, name) for name in LINE}
        where = {"sheet": sheet_thing(sheet.table, sheet.version), "state": sheet.state, "game": line.game.number}
        yield {**where, "seat": line.letter, **facts}


def signatures_of(entrant: Entrant) -> list[Signature]:
    """Theirs, drawn or recorded."""
    rows = Signature.objects.filter(entrant=entrant).select_related("scoresheet__table__session", "drawing", "entrant")
    return list(rows.order_by("pk"))


def signature_of(signature: Signature) -> Copy:
    """Whether it is there, and the strokes as drawn where they were: [x, y, milliseconds, pressure] by stroke."""
    sheet = signature.scoresheet
    return {
        "sheet": sheet_thing(sheet.table, sheet.version),
        "present": signature.present,
        "missing_reason": signature.missing_reason,
        "recorded_at": signature.recorded_at,
        "superseded_at": signature.superseded_at,
        "drawn": hasattr(signature, "drawing"),
        "strokes": drawings.readable(signature),
    }


def conduct_of(entrant: Entrant) -> Iterator[Copy]:
    """Rulings and warnings, and what was recorded about their seat."""
    for ruling in Ruling.objects.filter(entrant=entrant).order_by("pk"):
        yield {"what": ruling.kind, "at": ruling.at, "reason": ruling.reason}
    for warning in Warning.objects.filter(entrant=entrant).select_related("table"):
        became = ended(ends_at([warning.table]).get((NoteKind.WARNING, warning.pk)))
        yield {"what": f"warning {warning.number}", "at": warning.at, "reason": warning.reason, **became}
    for seat in Seat.objects.filter(entrant=entrant).select_related("table"):
        here = {"table": seat.table_id, "letter": seat.letter}
        ends = ends_at([seat.table])
        for incident in Incident.objects.filter(**here):
            became = ended(ends.get((NoteKind.INCIDENT, incident.pk)))
            yield {"what": incident.kind, "at": incident.at, "game": incident.game, "reason": incident.note, **became}
        for call in JudgeCall.objects.filter(**here):
            yield {"what": "call", "at": call.raised_at, "reason": call.reason, "answer": call.answer}


def ended(end: NoteEnd | None) -> Copy:
    """What became of a note, where something did."""
    return {"became": end.outcome, "became_at": end.at, "became_why": end.reason} if end else {}


def places_of(entrant: Entrant) -> Iterator[Copy]:
    """The way to the final: rank, private links (never the link itself), answers."""
    yield from Finalist.objects.filter(entrant=entrant).values("rank")
    yield from Invitation.objects.filter(entrant=entrant).order_by("pk").values("made_at", "revoked_at")
    yield from PlaceAnswer.objects.filter(entrant=entrant).order_by("pk").values("at", "answer", "reason")


def published_of(entrant: Entrant) -> Iterator[Copy]:
    """What each release says of them."""
    for release in Release.objects.filter(stage__event=entrant.event_id).order_by("number"):
        for part in people_in(release.content):
            if part["number"] == entrant.number:
                yield {"release": release.number, "withdrawn": release.withdrawn_at is not None, **part}


def mails_of(entrant: Entrant) -> Iterator[Copy]:
    """Mails to them, and those to a family that told them as well."""
    every = Delivery.objects.filter(mailing__event=entrant.event_id).select_related("mailing", "entrant")
    for row in every.order_by("pk"):
        if row.entrant_id == entrant.pk or entrant.number in row.also:
            facts = {name: getattr(row, name) for name in MAIL}
            own = row.address if row.entrant_id == entrant.pk else ""
            file = erasure_files.mail_file(row).name if erasure_files.has_mail(row) else ""
            yield {"what": str(row.mailing), "address": own, **facts, "file": file}


def lists_of(scope: Scope) -> Iterator[Copy]:
    """Rows of lists that wait, which have something of theirs."""
    for file in erasure_kinds.previews(scope):
        rows = [cells for _row, cells in file.rows if scope.is_named_in(json.dumps(cells, ensure_ascii=False))]
        yield {"file": file.name, "sent_at": file.uploaded_at, "rows": rows}


def papers_of(scope: Scope) -> Iterator[Copy]:
    """Printed sheets with their name, scans and tablets' late items of their tables: others are on them too."""
    for paper in SheetPrint.objects.filter(session__stage__event=scope.event).select_related("session", "kept"):
        if scope.entrant and scope.entrant.number in paper.seats.values():
            said = (kept_of(paper) or {"seats": {}})["seats"]
            mine = [seat for seat in said.values() if seat["number"] == scope.entrant.number]
            printed = f"{paper.session.code}-{paper.table_number:02d}-{paper.number}"
            yield {"printed": printed, "at": paper.printed_at, "as": mine}
    for scan in erasure_kinds.scans(scope):
        yield {"scan": scan.file_name, "at": scan.at}
    for item in erasure_kinds.held(scope):
        yield {"held_item": item.pk, "at": item.received_at, "act": item.act, "outcome": item.outcome}
    for proposal in erasure_kinds.proposed(scope):
        yield {"proposal": proposal.pk, "at": proposal.proposed_at, "act": proposal.act, "payload": proposal.payload}


def log_of(scope: Scope) -> Iterator[Copy]:
    """Entries about them, and those whose reason names them."""
    for entry in AuditEntry.objects.filter(event=scope.event).order_by("seq").iterator():
        if entry.thing == scope.thing or scope.is_named_in(entry.reason):
            facts = {name: getattr(entry, name) for name in ("seq", "at", "action", "thing", "reason")}
            yield {**facts, "by": entry.actor_id}


# --- Written --------------------------------------------------------------------------------------------
def readable(copy: Mapping[str, Any]) -> str:
    """The copy as a text: a heading a kind, a line a fact."""
    lines = [f"{copy['event']['name_zh']} {copy['event']['name_en']}", f"{copy['number']:04d}", ""]
    for kind, held in copy.items():
        if isinstance(held, dict):
            lines += [f"== {kind}", *(f"{name}: {said(value)}" for name, value in held.items()), ""]
        elif isinstance(held, list):
            lines += [f"== {kind} ({len(held)})", *(told(part) for part in held), ""]
    return "\n".join(lines) + "\n"


def told(part: Mapping[str, Any]) -> str:
    """One of several, on one line; of strokes how many there are."""
    strokes = part.get("strokes")
    shown = {**part, "strokes": f"{len(strokes)}" if strokes else None} if "strokes" in part else part
    return "- " + "; ".join(f"{name} {said(value)}" for name, value in shown.items() if value not in (None, "", [], {}))


def said(value: Any) -> str:
    """A value in words."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
    return "" if value is None else str(value)


def default_path(entrant: Entrant) -> Path:
    """Where a copy is written if nobody says otherwise; an erasure finds and removes it there."""
    return erasure_files.copies_folder() / f"{erasure_files.copy_name(entrant)}-{timezone.now():%Y%m%d%H%M%S}.json"


def write(entrant: Entrant, path: Path, *, by: AbstractUser | None) -> list[Path]:
    """The copy as JSON at this path and as a text beside it, for their owner's eyes alone; the log says that it was
    made. FileExistsError for a file that is there."""
    copy = copy_of(entrant)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    texts = {
        path: json.dumps(copy, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder),
        path.with_suffix(".txt"): readable(copy),
    }
    for file, text in texts.items():
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
    with transaction.atomic():
        audit.record(entrant.event, by, "make_subject_copy", f"entrant {entrant}")
    return list(texts)

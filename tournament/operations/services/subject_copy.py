"""Everything that is held of one person, as data and as a text that can be read out (Y11, PDPO s.18).

What other people wrote or signed at the same table is theirs and stays out; where a paper or a mail holds both, it is
named and handed out by hand.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from tournament.arrivals.models import Arrival, DoorCheck
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.entrant_column_kinds import ColumnKind, EntrantColumn
from tournament.core.entrant_columns import ENTRY_COLUMNS, PERSON_COLUMNS
from tournament.core.enums import NoteKind
from tournament.entrants.models.final import Finalist, Invitation
from tournament.entrants.models.people import Entrant, Ruling
from tournament.entrants.queries.entrant_values import value_of
from tournament.messages.models import Delivery
from tournament.operations.models import Erasure
from tournament.operations.services import erasure_files, erasure_kinds
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.publication.domain.names import person_parts_in
from tournament.releases.models import PlaceAnswer, Release
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.models.scoresheet import LINE_FIELDS, TURN_FIELDS, Line
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries.scoresheets import sheet_subject
from tournament.sheets.services import drawings
from tournament.tables.models import Seat, SheetPrint
from tournament.tables.queries.papers import printed_content_of
from tournament.tablets.queries.conduct import note_ends_at_tables

SubjectCopy = Mapping[str, Any]

COPIED_MAIL_FIELDS = (
    "state",
    "sent_at",
    "language",
    "facts",
    "answer",
    "bounce",
    "bounced_at",
    "bounce_code",
    "bounce_words",
)


def build_subject_copy(entrant: Entrant) -> SubjectCopy:
    """All of it, by kind; reads only."""
    scope = ErasureScope(entrant.event, entrant)
    return {
        "event": {"slug": entrant.event.slug, "name_zh": entrant.event.name_zh, "name_en": entrant.event.name_en},
        "number": entrant.number,
        "made_at": timezone.now(),
        "person": {**entered_values(entrant, PERSON_COLUMNS), "erased_at": entrant.person.erased_at},
        "entry": copy_entrant_fields(entrant),
        "seats": list(iter_copied_seats(entrant)),
        "door": list(iter_copied_door(entrant)),
        "sheets": list(iter_copied_lines(entrant)),
        "signatures": [signature_of(one) for one in signatures_of_entrant(entrant)],
        "conduct": list(conduct_of(entrant)),
        "places": list(iter_copied_places(entrant)),
        "releases": list(iter_copied_releases(entrant)),
        "mails": list(iter_copied_mails(entrant)),
        "lists": list(lists_of(scope)),
        "papers": list(iter_copied_papers(scope)),
        "log": list(log_of(scope)),
        "erasures": list(Erasure.objects.filter(entrant=entrant).values("begun_at", "finished_at", "reason", "counts")),
    }


def copy_entrant_fields(entrant: Entrant) -> SubjectCopy:
    """The entry beside the person."""
    entry = entered_values(entrant, [column for column in ENTRY_COLUMNS if column.kind is not ColumnKind.NUMBER])
    session = {"session": entry.pop("session"), "status": entrant.status}
    return {**session, **entry, "changed": entrant.revision - 1}


def entered_values(entrant: Entrant, columns: Iterable[EntrantColumn]) -> dict[str, Any]:
    """What is entered, by column."""
    return {column.key: value_of(entrant, column.key) for column in columns}


def iter_copied_seats(entrant: Entrant) -> Iterator[SubjectCopy]:
    """Where they sat, in the final as well."""
    for seat in Seat.objects.filter(entrant=entrant).select_related("table", "session").order_by("session__number"):
        yield {"session": seat.session.code, "table": seat.table.number, "seat": seat.letter}


def iter_copied_door(entrant: Entrant) -> Iterator[SubjectCopy]:
    """When they came to which session, and what was seen or received at its door; what was undone too."""
    for row in Arrival.objects.filter(entrant=entrant).select_related("session").order_by("pk"):
        moments = {name: getattr(row, name) for name in ("at", "claimed_at", "undone_at", "undone_reason")}
        yield {"what": "came", "session": row.session.code, **moments}
    for check in DoorCheck.objects.filter(entrant=entrant).order_by("pk"):
        yield {"what": check.kind, "at": check.at, "claimed_at": check.claimed_at, "undone_at": check.undone_at}


def iter_copied_lines(entrant: Entrant) -> Iterator[SubjectCopy]:
    """Every line of theirs in every version of every sheet."""
    rows = Line.objects.filter(entrant=entrant).select_related("game__scoresheet__table__session")
    rows = rows.prefetch_related("turns")
    for line in rows.order_by("game__scoresheet_id", "game__number"):
        sheet = line.game.scoresheet
        facts = {name: getattr(line, name) for name in LINE_FIELDS}
        if turns := [{name: getattr(turn, name) for name in TURN_FIELDS} for turn in line.turns.all()]:
            facts["turns"] = turns
        where = {"sheet": sheet_subject(sheet.table, sheet.version), "state": sheet.state, "game": line.game.number}
        yield {**where, "seat": line.letter, **facts}


def signatures_of_entrant(entrant: Entrant) -> list[Signature]:
    """The entrant's signatures, drawn or recorded, the oldest first."""
    rows = Signature.objects.filter(entrant=entrant).select_related("scoresheet__table__session", "drawing", "entrant")
    return list(rows.order_by("pk"))


def signature_of(signature: Signature) -> SubjectCopy:
    """Whether it is there, and the strokes as drawn where they were: [x, y, milliseconds, pressure] by stroke."""
    sheet = signature.scoresheet
    return {
        "sheet": sheet_subject(sheet.table, sheet.version),
        "present": signature.present,
        "missing_reason": signature.missing_reason,
        "recorded_at": signature.recorded_at,
        "superseded_at": signature.superseded_at,
        "drawn": hasattr(signature, "drawing"),
        "strokes": drawings.strokes_or_none(signature),
    }


def conduct_of(entrant: Entrant) -> Iterator[SubjectCopy]:
    """Rulings and warnings, and what was recorded about their seat."""
    for ruling in Ruling.objects.filter(entrant=entrant).order_by("pk"):
        yield {"what": ruling.kind, "at": ruling.at, "reason": ruling.reason}
    for warning in Warning.objects.filter(entrant=entrant).select_related("table"):
        became = copy_note_end(note_ends_at_tables([warning.table]).get((NoteKind.WARNING, warning.pk)))
        yield {"what": f"warning {warning.number}", "at": warning.at, "reason": warning.reason, **became}
    for seat in Seat.objects.filter(entrant=entrant).select_related("table"):
        here = {"table": seat.table_id, "letter": seat.letter}
        ends = note_ends_at_tables([seat.table])
        for incident in Incident.objects.filter(**here):
            became = copy_note_end(ends.get((NoteKind.INCIDENT, incident.pk)))
            yield {"what": incident.kind, "at": incident.at, "game": incident.game, "reason": incident.note, **became}
        for call in JudgeCall.objects.filter(**here):
            yield {"what": "call", "at": call.raised_at, "reason": call.reason, "answer": call.answer}


def copy_note_end(end: NoteEnd | None) -> SubjectCopy:
    """What became of a note, where something did."""
    return {"became": end.outcome, "became_at": end.at, "became_why": end.reason} if end else {}


def iter_copied_places(entrant: Entrant) -> Iterator[SubjectCopy]:
    """The way to the final: rank, private links (never the link itself), answers."""
    yield from Finalist.objects.filter(entrant=entrant).values("rank")
    yield from Invitation.objects.filter(entrant=entrant).order_by("pk").values("made_at", "revoked_at")
    yield from PlaceAnswer.objects.filter(entrant=entrant).order_by("pk").values("at", "answer", "reason")


def iter_copied_releases(entrant: Entrant) -> Iterator[SubjectCopy]:
    """What each release says of them."""
    for release in Release.objects.filter(stage__event=entrant.event_id).order_by("number"):
        for part in person_parts_in(release.content):
            if part["number"] == entrant.number:
                yield {"release": release.number, "withdrawn": release.withdrawn_at is not None, **part}


def iter_copied_mails(entrant: Entrant) -> Iterator[SubjectCopy]:
    """Mails to them, and those to a family that told them as well."""
    every = Delivery.objects.filter(mailing__event=entrant.event_id).select_related("mailing", "entrant")
    for row in every.order_by("pk"):
        if row.entrant_id == entrant.pk or entrant.number in row.also:
            facts = {name: getattr(row, name) for name in COPIED_MAIL_FIELDS}
            own = row.address if row.entrant_id == entrant.pk else ""
            file = erasure_files.mail_file(row).name if erasure_files.has_mail(row) else ""
            yield {"what": str(row.mailing), "address": own, **facts, "file": file}


def lists_of(scope: ErasureScope) -> Iterator[SubjectCopy]:
    """Rows of lists that wait, which have something of theirs."""
    for file in erasure_kinds.waiting_previews(scope):
        rows = [cells for _row, cells in file.rows if scope.is_named_in(json.dumps(cells, ensure_ascii=False))]
        yield {"file": file.name, "sent_at": file.uploaded_at, "rows": rows}


def iter_copied_papers(scope: ErasureScope) -> Iterator[SubjectCopy]:
    """Printed sheets with their name, scans and tablets' late items of their tables: others are on them too."""
    for paper in SheetPrint.objects.filter(session__stage__event=scope.event).select_related("session", "kept"):
        if scope.entrant and scope.entrant.number in paper.seats.values():
            said = (printed_content_of(paper) or {"seats": {}})["seats"]
            mine = [seat for seat in said.values() if seat["number"] == scope.entrant.number]
            printed = f"{paper.session.code}-{paper.table_number:02d}-{paper.number}"
            yield {"printed": printed, "at": paper.printed_at, "as": mine}
    for scan in erasure_kinds.scans_in_scope(scope):
        yield {"scan": scan.file_name, "at": scan.at}
    for item in erasure_kinds.submissions_in_scope(scope):
        yield {"held_item": item.pk, "at": item.received_at, "act": item.act, "outcome": item.outcome}
    for proposal in erasure_kinds.open_proposals_in_scope(scope):
        yield {"proposal": proposal.pk, "at": proposal.proposed_at, "act": proposal.act, "payload": proposal.payload}


def log_of(scope: ErasureScope) -> Iterator[SubjectCopy]:
    """Entries about them, and those whose reason names them."""
    for entry in AuditEntry.objects.filter(event=scope.event).order_by("seq").iterator():
        if entry.subject == scope.subject or scope.is_named_in(entry.reason):
            facts = {name: getattr(entry, name) for name in ("seq", "at", "action", "subject", "details", "reason")}
            yield {**facts, "by": entry.actor_id}


# --- Written --------------------------------------------------------------------------------------------
def subject_copy_as_text(copy: Mapping[str, Any]) -> str:
    """The copy as a text: a heading a kind, a line a fact."""
    lines = [f"{copy['event']['name_zh']} {copy['event']['name_en']}", f"{copy['number']:04d}", ""]
    for kind, held in copy.items():
        if isinstance(held, dict):
            lines += [f"== {kind}", *(f"{name}: {copy_value_as_text(value)}" for name, value in held.items()), ""]
        elif isinstance(held, list):
            lines += [f"== {kind} ({len(held)})", *(copy_part_as_line(part) for part in held), ""]
    return "\n".join(lines) + "\n"


def copy_part_as_line(part: Mapping[str, Any]) -> str:
    """One of several, on one line; of strokes how many there are."""
    strokes = part.get("strokes")
    shown = {**part, "strokes": f"{len(strokes)}" if strokes else None} if "strokes" in part else part
    return "- " + "; ".join(
        f"{name} {copy_value_as_text(value)}" for name, value in shown.items() if value not in (None, "", [], {})
    )


def copy_value_as_text(value: Any) -> str:
    """A value as text: local time to the minute, JSON for objects and lists, empty for None."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
    return "" if value is None else str(value)


def default_path(entrant: Entrant) -> Path:
    """Where a copy is written if nobody says otherwise; an erasure finds and removes it there."""
    return erasure_files.copies_folder() / f"{erasure_files.copy_name(entrant)}-{timezone.now():%Y%m%d%H%M%S}.json"


def write_subject_copy(entrant: Entrant, path: Path, *, by: User | None) -> list[Path]:
    """The copy as JSON at this path and as a text beside it, for their owner's eyes alone; the log says that it was
    made. FileExistsError for a file that is there."""
    copy = build_subject_copy(entrant)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    texts = {
        path: json.dumps(copy, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder),
        path.with_suffix(".txt"): subject_copy_as_text(copy),
    }
    for file, text in texts.items():
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
    with transaction.atomic():
        services.append_audit_entry(entrant.event, by, "make_subject_copy", f"entrant {entrant}")
    return list(texts)

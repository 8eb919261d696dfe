"""Entrants from a file: read and kept as a preview, decided, then imported whole or not at all.

The event's row is the lock of every import: two at once never exceed a session's capacity or the event's quota (R2).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.core.enums import JobKind
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.job import Job
from tournament.core.services import jobs
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.entrants.readers.columns import read_heads
from tournament.entrants.readers.entrants import kept_cells
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_SENTENCES
from tournament.entrants.readers.identity import looks_like_identity_number
from tournament.entrants.readers.tables import read_table
from tournament.entrants.services import digests_of
from tournament.registration.services import importing_second as second
from tournament.registration.services.importing_changes import apply_entrant_changes
from tournament.registration.services.importing_names import CHECKED_NAME_COLUMNS
from tournament.registration.services.importing_preview import ImportPreview, ImportProgressCallback, build_preview
from tournament.registration.services.importing_rows import (
    create_entrants,
    preliminary_sessions_by_number,
    record_rulings,
)

__all__ = [
    "ImportResult",
    "answer_row_question",
    "build_preview",
    "correct_name_cell",
    "discard_preview",
    "import_file",
    "import_later",
    "read_file",
    "split_names",
    "withdraw_decision",
]

PREVIEW_KEPT_FOR = timedelta(hours=24)
LARGE_IMPORT_ROWS = 200  # rows from which an import is a job, where a worker is there to do it
IMPORT_REASON_MAX_LENGTH = 500
PREVIEW_EXPIRED = _("This preview is no longer kept. Send the file again.")
# Faults whose cell may be typed anew here; everything else is mended in the file.
FAULTS_TYPED_IN_PREVIEW = frozenset(
    {
        "name_lost_in_big5",
        "name_question_mark",
        "name_spreadsheet_error",
        "name_without_letter",
        "name_en_missing",
        "name_en_not_latin",
        "name_en_ideographs",
        "name_zh_letters",
        "name_without_glyph",
        "text_lost_in_big5",
    }
)


@dataclass(frozen=True)
class ImportResult:
    """What an import did: entrants made, changed, repeated unchanged; `waiting`: whose change a second person is to
    agree to; `again`: the file was imported before, and the counts are what it did then."""

    count: int
    unchanged: int
    changed: int = 0
    again: bool = False
    waiting: int = 0


def read_file(event: Event, *, name: str, content: bytes, by: User | None) -> EntrantFile:
    """Read a file of entrants and keep it as a preview; the same file again gives the same row, imported or waiting.

    Raises `TooLarge` (413), `WrongType` (415) or `BadInput` (400) where it cannot be read. Identity-card numbers and
    columns that are not known are not kept. Previews older than a day are erased.
    """
    digest = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        expire_previews(event)
        known = EntrantFile.objects.filter(event=event, digest=digest).order_by("-imported_at", "-id")
        kept = known.exclude(imported_at=None).first() or known.first()
        if kept is not None:
            return kept
        grid = read_table(content)
        heads = read_heads(grid.heads, grid.head_row)
        kept = EntrantFile.objects.create(
            event=event,
            name=name.replace("\x00", "")[-200:],
            digest=digest,
            kind=grid.kind,
            encoding=grid.encoding,
            sheet_name=grid.sheet_name[:100],
            head_row=grid.head_row,
            heads=list(grid.heads),
            rows=[[number, kept_cells(heads, cells)] for number, cells in grid.rows],
            uploaded_by=by,
            uploaded_at=timezone.now(),
        )
        services.append_audit_entry(event, by, "read_entrant_file", entrant_file_subject_ref(kept), digest=("", digest))
        return kept


def is_expired(entrant_file: EntrantFile, now: datetime | None = None) -> bool:
    """Whether the moment is over until which the page says that the preview is kept."""
    return entrant_file.imported_at is None and entrant_file.uploaded_at + PREVIEW_KEPT_FOR <= (now or timezone.now())


@transaction.atomic
def expire_previews(event: Event | None = None, now: datetime | None = None) -> int:
    """Erase the previews whose time is over, of one event or of all; how many. Called again and again by a worker, and
    wherever previews are read; each is written down in its event's log.
    """
    over = EntrantFile.objects.filter(imported_at=None, uploaded_at__lte=(now or timezone.now()) - PREVIEW_KEPT_FOR)
    found = over.filter(event=event) if event else over
    count = 0
    for kept in found.defer("rows", "decisions").select_related("event").order_by("event_id", "id"):
        Event.objects.select_for_update(no_key=True).get(pk=kept.event_id)
        erased, _kinds = EntrantFile.objects.filter(pk=kept.pk, imported_at=None).delete()
        if erased:
            services.append_audit_entry(kept.event, None, "expire_preview", entrant_file_subject_ref(kept))
            count += 1
    return count


def locked_file(entrant_file: EntrantFile) -> EntrantFile:
    """The row as it stands, under the event's lock; refused where it was put aside or imported meanwhile."""
    Event.objects.select_for_update(no_key=True).get(pk=entrant_file.event_id)
    kept = EntrantFile.objects.filter(pk=entrant_file.pk).select_related("event").first()
    if kept is None or is_expired(kept):
        raise Refused("preview_gone", PREVIEW_EXPIRED)
    return kept


def waiting_file(entrant_file: EntrantFile) -> EntrantFile:
    """`locked_file` that is not imported yet."""
    kept = locked_file(entrant_file)
    if kept.imported_at is not None:
        raise Refused("already_imported", _("This file is already imported; nothing of it can be decided any more."))
    return kept


@transaction.atomic
def answer_row_question(
    entrant_file: EntrantFile, *, row: int, accept: bool, reason: str, by: User, question: str = ""
) -> EntrantFile:
    """An organiser's answer about a row whose rule is silent: accepted, or left out of the import.

    `question` is the fault's code, "birthday_on_the_day" (R1) or "person_twice" (R2, where either row may be left out);
    without it every question of the row is accepted. A reason is needed. The same answer again changes nothing. Both
    answers are audited; an accepted birthday becomes a ruling at the import.
    """
    kept = waiting_file(entrant_file)
    reason = reason.strip()
    if not reason or len(reason) > IMPORT_REASON_MAX_LENGTH:
        raise BadInput("reason_needed", _("Say in a few words why (at most 500 characters)."))
    before = kept.decisions.get(str(row), {})
    if not accept and before.get("left_out", {}).get("reason") == reason:
        return kept
    questions = questions_of(build_preview(kept), row, accept, question)
    if not questions:
        raise Refused("nothing_to_decide", _("In row %(row)s there is nothing to decide."), row=row)
    accepted = before.get("accepted", {})
    if accept and all(accepted.get(each, {}).get("reason") == reason for each in questions):
        return kept
    answer = {"reason": reason, "by": by.pk, "at": timezone.now().isoformat()}
    changed = {"accepted": {**accepted, **dict.fromkeys(questions, answer)}} if accept else {"left_out": answer}
    save_decision(kept, row, {**before, **changed})
    act = "accept_entrant_row" if accept else "refuse_entrant_row"
    services.append_audit_entry(kept.event, by, act, entrant_file_row_subject_ref(kept, row), reason=reason)
    return kept


def questions_of(shown: ImportPreview, row: int, accept: bool, question: str) -> list[str]:
    """The questions of a row that may be answered so; a row may also be left out in favour of its double."""
    asked = [fault for fault in shown.faults if fault.weight == FAULT_DECIDE and question in ("", fault.code)]
    asked = [fault for fault in asked if not fault.facts.get("answer_above")]
    return [fault.code for fault in asked if fault.row == row or (not accept and fault.facts.get("other") == row)]


def save_decision(entrant_file: EntrantFile, row: int, decision: dict[str, Any]) -> None:
    """Keep what was decided about a row with its file."""
    entrant_file.decisions = {**entrant_file.decisions, str(row): decision}
    entrant_file.save(update_fields=["decisions"])


@transaction.atomic
def withdraw_decision(entrant_file: EntrantFile, *, row: int, by: User) -> EntrantFile:
    """Take the answers about a row back: its questions are open again. Without an answer nothing happens."""
    kept = waiting_file(entrant_file)
    before = kept.decisions.get(str(row), {})
    if not {"accepted", "left_out"} & set(before):
        return kept
    save_decision(kept, row, {"typed": before["typed"]} if "typed" in before else {})
    services.append_audit_entry(kept.event, by, "reopen_entrant_row", entrant_file_row_subject_ref(kept, row))
    return kept


@transaction.atomic
def correct_name_cell(entrant_file: EntrantFile, *, row: int, column: str, text: str, by: User) -> EntrantFile:
    """Type a name anew, or another text whose character the file has lost; all else is mended in the file itself.

    Refused: `nothing_to_mend`, `name_needed`, `looks_like_identity_number`, of which not one character is kept.
    """
    kept = waiting_file(entrant_file)
    typed = kept.decisions.get(str(row), {}).get("typed", {})
    faulty = any(
        fault.row == row and fault.place.column == column and fault.code in FAULTS_TYPED_IN_PREVIEW
        for fault in build_preview(kept).faults
    )
    if not faulty and column not in typed:
        raise Refused(
            "nothing_to_mend", _("This cell cannot be typed here. Change it in the file and send the file again.")
        )
    text = text.strip()
    if not text or len(text) > COLUMN_BY_KEY[column].longest:
        raise BadInput("name_needed", _("Type the whole name, at most 100 characters."))
    if looks_like_identity_number(text):
        raise BadInput("looks_like_identity_number", FAULT_SENTENCES["looks_like_identity_number"][0])
    return type_cells(kept, row, {column: text}, by)


@transaction.atomic
def split_names(entrant_file: EntrantFile, *, row: int, by: User) -> EntrantFile:
    """Take both names of a row apart as its fault offers it (`split`). Sent again it finds nothing and changes nothing.

    Refused: `nothing_to_mend` where no fault of the row offers it.
    """
    kept = waiting_file(entrant_file)
    splits = [
        fault.facts["split"] for fault in build_preview(kept).faults if fault.row == row and fault.facts.get("split")
    ]
    if not splits and "name_en" not in kept.decisions.get(str(row), {}).get("typed", {}):
        raise Refused("nothing_to_mend", _("These names cannot be taken apart here. Type them, or change the file."))
    return type_cells(kept, row, dict(zip(CHECKED_NAME_COLUMNS, splits[0], strict=True)), by) if splits else kept


def type_cells(kept: EntrantFile, row: int, texts: Mapping[str, str], by: User) -> EntrantFile:
    """Keep what stands in place of cells of a row; what was accepted of these names was about other letters."""
    before = kept.decisions.get(str(row), {})
    typed = {**before.get("typed", {}), **texts}
    if typed == before.get("typed"):
        return kept
    accepted = {
        code: answer for code, answer in before.get("accepted", {}).items() if code not in FAULTS_TYPED_IN_PREVIEW
    }
    others = {name: value for name, value in before.items() if name != "accepted"}
    save_decision(kept, row, {**others, "typed": typed, **({"accepted": accepted} if accepted else {})})
    services.append_audit_entry(kept.event, by, "mend_entrant_name", entrant_file_row_subject_ref(kept, row))
    return kept


@transaction.atomic
def discard_preview(entrant_file: EntrantFile, *, by: User) -> None:
    """Erase a preview that will not be imported; one that is gone or imported stays as it is."""
    erased, _kinds = EntrantFile.objects.filter(pk=entrant_file.pk, imported_at=None).delete()
    if erased:
        services.append_audit_entry(entrant_file.event, by, "put_aside_file", entrant_file_subject_ref(entrant_file))


@transaction.atomic
def import_file(entrant_file: EntrantFile, *, by: User | None, seen: str | None = None) -> ImportResult:
    """Import the whole file or nothing; sent twice the second does nothing and says so.

    `seen` is the digest of the changes that the person had before them (`Preview.digest`): nothing of those entered is
    changed unseen, and other changes meanwhile refuse (412).

    1. the event's lock; 2. imported before: nothing is done; 3. the preview again, against what is entered now; any
    fault or open question refuses; 4. the changes of those entered, each from the revision that was read; 5. families,
    persons, entrants, rulings; 6. the swap from waiting to imported, the cells erased, since the entrants now hold
    them; 7. the audit entry.
    """
    kept = locked_file(entrant_file)
    if kept.imported_at is not None:
        return ImportResult(0, kept.imported_count or 0, kept.changed_count or 0, again=True)
    shown = build_preview(kept)
    require_importable(shown)
    if shown.changes and seen != shown.digest:
        raise StaleVersion(
            "changed_since_preview",
            _("Nothing was imported: entrants of this file were changed meanwhile. Look at the changes, then import."),
        )
    changes = list(shown.changes.values())
    changed = len(second.split_changes(changes, shown.results, shown.bound).now)
    if changes:
        apply_entrant_changes(
            kept.event,
            changes,
            preliminary_sessions_by_number(kept.event),
            by=by,
            reason=entrant_file_subject_ref(kept),
            hold=True,
        )
    entrants = create_entrants(kept.event, shown)
    record_rulings(shown, {**entrants, **{row: change.entrant for row, change in shown.changes.items()}}, by)
    swapped = EntrantFile.objects.filter(pk=kept.pk, imported_at=None).update(
        imported_at=timezone.now(), imported_count=len(entrants), changed_count=changed, rows=[], decisions={}
    )
    if not swapped:
        raise Refused("already_imported", _("This file is already imported; nothing of it can be decided any more."))
    waiting = len(shown.waiting)
    reason = f"{len(entrants)} entrants" + (f", {changed} changed" if changed else "")
    reason += f", {waiting} proposed" if waiting else ""
    people = imported_people_digest(kept.event, entrants.values())
    services.append_audit_entry(
        kept.event, by, "import_entrants", entrant_file_subject_ref(kept), digest=(people, kept.digest), reason=reason
    )
    return ImportResult(len(entrants), len(shown.unchanged), changed, waiting=waiting)


def imported_people_digest(event: Event, entered: Iterable[Entrant]) -> str:
    """One digest over the keyed digests of those who came in, by number; nothing for nobody."""
    rows = Entrant.objects.filter(event=event, number__in=[entrant.number for entrant in entered])
    digests = digests_of(rows.select_related("person", "session", "family"))
    return canonical.digest_of(digests) if digests else ""


@transaction.atomic
def import_later(entrant_file: EntrantFile, *, by: User | None, seen: str) -> Job | None:
    """Ask for the import as a job, which a worker does with its progress told; None: it is imported already.

    Asked again while it waits or runs, the same job is answered.
    """
    kept = locked_file(entrant_file)
    if kept.imported_at is not None:
        return None
    payload = {"file": kept.pk, "seen": seen}
    subject, total = entrant_file_subject_ref(kept), len(kept.rows)
    return jobs.enqueue_job(kept.event, JobKind.IMPORT_ENTRANTS, subject, payload=payload, total=total, by=by)


def entrant_file_subject_ref(entrant_file: EntrantFile) -> str:
    """How jobs and the audit name a file."""
    return f"entrant file {entrant_file.pk}"


def refuse_faults_of(entrant_file: EntrantFile, tell: ImportProgressCallback) -> None:
    """Read the whole file and refuse its faults, told of on the way; nothing is locked meanwhile."""
    if entrant_file.imported_at is None:
        require_importable(build_preview(entrant_file, tell))


def require_importable(shown: ImportPreview) -> None:
    """A file with a fault or an open question is not imported, not even in part."""
    if not shown.importable:
        raise Refused(
            "file_has_faults",
            _("Nothing was imported: %(mend)s to mend, %(decide)s to decide."),
            about=shown,
            mend=len(shown.to_mend),
            decide=len(shown.to_decide),
        )


def entrant_file_row_subject_ref(entrant_file: EntrantFile, row: int) -> str:
    """How the audit names a row: by its place in the file, never by a name."""
    return f"entrant file {entrant_file.pk} row {row}"

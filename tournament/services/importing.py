"""Entrants from a file: read and kept as a preview, decided, then imported whole or not at all.

The event's row is the lock of every import: two at once never exceed a session's capacity or the event's quota (R2).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import JobKind
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import Entrant, EntrantFile, Event, Job, Person, Session
from tournament.queries import entrants as entrants_query
from tournament.readers.columns import BY_NAME, read_heads
from tournament.readers.entrants import EntrantRow, kept_cells
from tournament.readers.faults import DECIDE, SENTENCES
from tournament.readers.identity import looks_like_identity_number
from tournament.readers.tables import read_table
from tournament.services import audit, jobs
from tournament.services import importing_second as second
from tournament.services.importing_changes import PERSON_FIELDS, accept_age, apply, families_of
from tournament.services.importing_names import NAMES
from tournament.services.importing_preview import Preview, Tell, preview
from tournament.services.people_digest import digests_of

__all__ = [
    "Imported",
    "decide",
    "import_file",
    "import_later",
    "mend_name",
    "preview",
    "put_aside",
    "read_file",
    "split_names",
    "withdraw_decision",
]

KEPT_FOR = timedelta(hours=24)
LARGE = 200  # rows from which an import is a job, where a worker is there to do it
LONGEST_REASON = 500
GONE = _("This preview is no longer kept. Send the file again.")
# Faults whose cell may be typed anew here; everything else is mended in the file.
TYPED_HERE = frozenset(
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
class Imported:
    """What an import did: entrants made, changed, repeated unchanged; `waiting`: whose change a second person is to
    agree to; `again`: the file was imported before, and the counts are what it did then."""

    count: int
    unchanged: int
    changed: int = 0
    again: bool = False
    waiting: int = 0


def read_file(event: Event, *, name: str, content: bytes, by: AbstractUser | None) -> EntrantFile:
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
        audit.record(event, by, "read_entrant_file", subject_of(kept), digest=("", digest))
        return kept


def is_expired(entrant_file: EntrantFile, now: datetime | None = None) -> bool:
    """Whether the moment is over until which the page says that the preview is kept."""
    return entrant_file.imported_at is None and entrant_file.uploaded_at + KEPT_FOR <= (now or timezone.now())


@transaction.atomic
def expire_previews(event: Event | None = None, now: datetime | None = None) -> int:
    """Erase the previews whose time is over, of one event or of all; how many. Called again and again by a worker, and
    wherever previews are read; each is written down in its event's log.
    """
    over = EntrantFile.objects.filter(imported_at=None, uploaded_at__lte=(now or timezone.now()) - KEPT_FOR)
    found = over.filter(event=event) if event else over
    count = 0
    for kept in found.defer("rows", "decisions").select_related("event").order_by("event_id", "id"):
        Event.objects.select_for_update(no_key=True).get(pk=kept.event_id)
        erased, _kinds = EntrantFile.objects.filter(pk=kept.pk, imported_at=None).delete()
        if erased:
            audit.record(kept.event, None, "expire_preview", subject_of(kept))
            count += 1
    return count


def locked_file(entrant_file: EntrantFile) -> EntrantFile:
    """The row as it stands, under the event's lock; refused where it was put aside or imported meanwhile."""
    Event.objects.select_for_update(no_key=True).get(pk=entrant_file.event_id)
    kept = EntrantFile.objects.filter(pk=entrant_file.pk).select_related("event").first()
    if kept is None or is_expired(kept):
        raise Refused("preview_gone", GONE)
    return kept


def waiting_file(entrant_file: EntrantFile) -> EntrantFile:
    """`locked_file` that is not imported yet."""
    kept = locked_file(entrant_file)
    if kept.imported_at is not None:
        raise Refused("already_imported", _("This file is already imported; nothing of it can be decided any more."))
    return kept


@transaction.atomic
def decide(
    entrant_file: EntrantFile, *, row: int, accept: bool, reason: str, by: AbstractUser, question: str = ""
) -> EntrantFile:
    """An organiser's answer about a row whose rule is silent: accepted, or left out of the import.

    `question` is the fault's code, "birthday_on_the_day" (R1) or "person_twice" (R2, where either row may be left out);
    without it every question of the row is accepted. A reason is needed. The same answer again changes nothing. Both
    answers are audited; an accepted birthday becomes a ruling at the import.
    """
    kept = waiting_file(entrant_file)
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise BadInput("reason_needed", _("Say in a few words why (at most 500 characters)."))
    before = kept.decisions.get(str(row), {})
    if not accept and before.get("left_out", {}).get("reason") == reason:
        return kept
    questions = questions_of(preview(kept), row, accept, question)
    if not questions:
        raise Refused("nothing_to_decide", _("In row %(row)s there is nothing to decide."), row=row)
    accepted = before.get("accepted", {})
    if accept and all(accepted.get(each, {}).get("reason") == reason for each in questions):
        return kept
    answer = {"reason": reason, "by": by.pk, "at": timezone.now().isoformat()}
    changed = {"accepted": {**accepted, **dict.fromkeys(questions, answer)}} if accept else {"left_out": answer}
    save_decision(kept, row, {**before, **changed})
    act = "accept_entrant_row" if accept else "refuse_entrant_row"
    audit.record(kept.event, by, act, thing_of(kept, row), reason=reason)
    return kept


def questions_of(shown: Preview, row: int, accept: bool, question: str) -> list[str]:
    """The questions of a row that may be answered so; a row may also be left out in favour of its double."""
    asked = [fault for fault in shown.faults if fault.weight == DECIDE and question in ("", fault.code)]
    asked = [fault for fault in asked if not fault.facts.get("answer_above")]
    return [fault.code for fault in asked if fault.row == row or (not accept and fault.facts.get("other") == row)]


def save_decision(entrant_file: EntrantFile, row: int, decision: dict[str, Any]) -> None:
    """Keep what was decided about a row with its file."""
    entrant_file.decisions = {**entrant_file.decisions, str(row): decision}
    entrant_file.save(update_fields=["decisions"])


@transaction.atomic
def withdraw_decision(entrant_file: EntrantFile, *, row: int, by: AbstractUser) -> EntrantFile:
    """Take the answers about a row back: its questions are open again. Without an answer nothing happens."""
    kept = waiting_file(entrant_file)
    before = kept.decisions.get(str(row), {})
    if not {"accepted", "left_out"} & set(before):
        return kept
    save_decision(kept, row, {"typed": before["typed"]} if "typed" in before else {})
    audit.record(kept.event, by, "reopen_entrant_row", thing_of(kept, row))
    return kept


@transaction.atomic
def mend_name(entrant_file: EntrantFile, *, row: int, column: str, text: str, by: AbstractUser) -> EntrantFile:
    """Type a name anew, or another text whose character the file has lost; all else is mended in the file itself.

    Refused: `nothing_to_mend`, `name_needed`, `looks_like_identity_number`, of which not one character is kept.
    """
    kept = waiting_file(entrant_file)
    typed = kept.decisions.get(str(row), {}).get("typed", {})
    faulty = any(
        fault.row == row and fault.place.column == column and fault.code in TYPED_HERE for fault in preview(kept).faults
    )
    if not faulty and column not in typed:
        raise Refused(
            "nothing_to_mend", _("This cell cannot be typed here. Change it in the file and send the file again.")
        )
    text = text.strip()
    if not text or len(text) > BY_NAME[column].longest:
        raise BadInput("name_needed", _("Type the whole name, at most 100 characters."))
    if looks_like_identity_number(text):
        raise BadInput("looks_like_identity_number", SENTENCES["looks_like_identity_number"][0])
    return type_cells(kept, row, {column: text}, by)


@transaction.atomic
def split_names(entrant_file: EntrantFile, *, row: int, by: AbstractUser) -> EntrantFile:
    """Take both names of a row apart as its fault offers it (`split`). Sent again it finds nothing and changes nothing.

    Refused: `nothing_to_mend` where no fault of the row offers it.
    """
    kept = waiting_file(entrant_file)
    splits = [fault.facts["split"] for fault in preview(kept).faults if fault.row == row and fault.facts.get("split")]
    if not splits and "name_en" not in kept.decisions.get(str(row), {}).get("typed", {}):
        raise Refused("nothing_to_mend", _("These names cannot be taken apart here. Type them, or change the file."))
    return type_cells(kept, row, dict(zip(NAMES, splits[0], strict=True)), by) if splits else kept


def type_cells(kept: EntrantFile, row: int, texts: Mapping[str, str], by: AbstractUser) -> EntrantFile:
    """Keep what stands in place of cells of a row; what was accepted of these names was about other letters."""
    before = kept.decisions.get(str(row), {})
    typed = {**before.get("typed", {}), **texts}
    if typed == before.get("typed"):
        return kept
    accepted = {code: answer for code, answer in before.get("accepted", {}).items() if code not in TYPED_HERE}
    others = {name: value for name, value in before.items() if name != "accepted"}
    save_decision(kept, row, {**others, "typed": typed, **({"accepted": accepted} if accepted else {})})
    audit.record(kept.event, by, "mend_entrant_name", thing_of(kept, row))
    return kept


@transaction.atomic
def put_aside(entrant_file: EntrantFile, *, by: AbstractUser) -> None:
    """Erase a preview that will not be imported; one that is gone or imported stays as it is."""
    erased, _kinds = EntrantFile.objects.filter(pk=entrant_file.pk, imported_at=None).delete()
    if erased:
        audit.record(entrant_file.event, by, "put_aside_file", subject_of(entrant_file))


@transaction.atomic
def import_file(entrant_file: EntrantFile, *, by: AbstractUser | None, seen: str | None = None) -> Imported:
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
        return Imported(0, kept.imported_count or 0, kept.changed_count or 0, again=True)
    shown = preview(kept)
    refuse_faults(shown)
    if shown.changes and seen != shown.digest:
        raise StaleVersion(
            "changed_since_preview",
            _("Nothing was imported: entrants of this file were changed meanwhile. Look at the changes, then import."),
        )
    changes = list(shown.changes.values())
    changed = len(second.parted(changes, shown.results, shown.bound).now)
    if changes:
        apply(kept.event, changes, sessions_of(kept.event), by=by, reason=subject_of(kept), hold=True)
    entrants = enter(kept.event, shown)
    record_rulings(shown, {**entrants, **{row: change.entrant for row, change in shown.changes.items()}}, by)
    swapped = EntrantFile.objects.filter(pk=kept.pk, imported_at=None).update(
        imported_at=timezone.now(), imported_count=len(entrants), changed_count=changed, rows=[], decisions={}
    )
    if not swapped:
        raise Refused("already_imported", _("This file is already imported; nothing of it can be decided any more."))
    waiting = len(shown.waiting)
    reason = f"{len(entrants)} entrants" + (f", {changed} changed" if changed else "")
    reason += f", {waiting} proposed" if waiting else ""
    people = digest_of_people(kept.event, entrants.values())
    audit.record(kept.event, by, "import_entrants", subject_of(kept), digest=(people, kept.digest), reason=reason)
    return Imported(len(entrants), len(shown.unchanged), changed, waiting=waiting)


def digest_of_people(event: Event, entered: Iterable[Entrant]) -> str:
    """One digest over the keyed digests of those who came in, by number; nothing for nobody."""
    rows = Entrant.objects.filter(event=event, number__in=[entrant.number for entrant in entered])
    digests = digests_of(rows.select_related("person", "session", "family"))
    return audit.digest_of(digests) if digests else ""


@transaction.atomic
def import_later(entrant_file: EntrantFile, *, by: AbstractUser | None, seen: str) -> Job | None:
    """Ask for the import as a job, which a worker does with its progress told; None: it is imported already.

    Asked again while it waits or runs, the same job is answered.
    """
    kept = locked_file(entrant_file)
    if kept.imported_at is not None:
        return None
    payload = {"file": kept.pk, "seen": seen}
    subject, total = subject_of(kept), len(kept.rows)
    return jobs.ask_for(kept.event, JobKind.IMPORT_ENTRANTS, subject, payload=payload, total=total, by=by)


def subject_of(entrant_file: EntrantFile) -> str:
    """How jobs and the audit name a file."""
    return f"entrant file {entrant_file.pk}"


def refuse_faults_of(entrant_file: EntrantFile, tell: Tell) -> None:
    """Read the whole file and refuse its faults, told of on the way; nothing is locked meanwhile."""
    if entrant_file.imported_at is None:
        refuse_faults(preview(entrant_file, tell))


def refuse_faults(shown: Preview) -> None:
    """A file with a fault or an open question is not imported, not even in part."""
    if not shown.importable:
        raise Refused(
            "file_has_faults",
            _("Nothing was imported: %(mend)s to mend, %(decide)s to decide."),
            about=shown,
            mend=len(shown.to_mend),
            decide=len(shown.to_decide),
        )


def sessions_of(event: Event) -> dict[int, Session]:
    """The sessions that entrants are entered for, by number."""
    return {session.number: session for session in entrants_query.preliminary_sessions(event)}


def enter(event: Event, shown: Preview) -> dict[int, Entrant]:
    """Make the entrants, by row. Blank numbers are given in the order of the rows, after the highest of all."""
    rows = shown.entering
    families = families_of(event, rows)
    sessions = sessions_of(event)
    people = Person.objects.bulk_create([person_of(row) for row in rows], batch_size=500)
    given = max(entrants_query.highest_number(event), *(row.number or 0 for row in rows), 0) if rows else 0
    entrants = []
    for row, person in zip(rows, people, strict=True):
        given += row.number is None
        entrants.append(
            Entrant(
                event=event,
                number=row.number or given,
                person=person,
                session=sessions[row.session.number] if row.session else None,
                family=families.get(row.family_key),
                family_role=row.family_role or "",
                fee=row.fee,
            )
        )
    made = Entrant.objects.bulk_create(entrants, batch_size=500)
    return {row.row: entrant for row, entrant in zip(rows, made, strict=True)}


def person_of(row: EntrantRow) -> Person:
    """The row's person, not yet saved."""
    return Person(**{name: getattr(row, name) for name in PERSON_FIELDS})


def record_rulings(shown: Preview, entrants: dict[int, Entrant], by: AbstractUser | None) -> None:
    """Each boundary birthday that was accepted becomes a ruling with its own audit entry (R1, R46)."""
    for fault in shown.faults:
        if fault.code != "birthday_on_the_day" or fault.row not in entrants:
            continue
        decision = shown.accepted[fault.row, fault.code]
        accept_age(entrants[fault.row], decision.reason, by, decision.by)


def thing_of(entrant_file: EntrantFile, row: int) -> str:
    """How the audit names a row: by its place in the file, never by a name."""
    return f"entrant file {entrant_file.pk} row {row}"

"""Personal data erased: of a whole event after its retention date, of one person on request (Y9 to Y11).

An erasure begins with an entry of the log and a row that stays open while it lasts; only then the guards let go. Every
kind is one transaction, so that one that broke off is completed by the next run. Results stay, by number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.dateformat import date_text
from tournament.core.errors import BadInput, Refused, Unavailable
from tournament.core.models.event import Event
from tournament.operations.models import Erasure
from tournament.operations.services import erasure_files, erasure_sweep, erasure_texts
from tournament.operations.services.erasure_files import RemainingFile
from tournament.operations.services.erasure_kinds import ERASURE_KINDS, submissions_in_scope
from tournament.operations.services.erasure_scope import ErasureScope, erasure_digest
from tournament.operations.services.erasure_texts import LeftText
from tournament.publication.services.files import write_public_files
from tournament.setup.services.rehearsal import REHEARSAL_SUFFIX

BY_DATE = "retention date"
ERASURE_REASON_MAX_LENGTH = 500

ErasureProgressCallback = Callable[[int, int], None]
"""How far it is: steps done, of how many. May raise, to stop between two steps."""


@dataclass(frozen=True)
class ErasureResult:
    """What was erased, one erasure an event, and what the database's own files may still hold, as codes."""

    erasures: list[Erasure]
    in_files: list[str]


@dataclass(frozen=True)
class ErasurePlan:
    """What an erasure would take, by kind, and what it cannot reach: entries of the log that say something of theirs,
    rows that are held to such entries, backups, other files."""

    scope: ErasureScope
    counts: dict[str, int]
    entries: list[int] = field(default_factory=list)
    texts: list[LeftText] = field(default_factory=list)
    backups: list[RemainingFile] = field(default_factory=list)
    strangers: list[RemainingFile] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Whether all is erased already."""
        return not any(self.counts.values())


def plan_erasure(scope: ErasureScope) -> ErasurePlan:
    """The dry run: reads only."""
    counts = {kind.name: kind.count(scope) for kind in ERASURE_KINDS}
    texts = erasure_texts.remaining_texts(scope)
    return ErasurePlan(
        scope,
        counts,
        log_entries_naming(scope),
        texts,
        backups=erasure_files.remaining_backups(),
        strangers=erasure_files.unknown_files(),
    )


def log_entries_naming(scope: ErasureScope) -> list[int]:
    """Entries whose reason has something of theirs in it: nobody changes an entry, so that they are named."""
    said = AuditEntry.objects.filter(event=scope.event).exclude(reason="").order_by("seq")
    return [seq for seq, reason in said.values_list("seq", "reason") if scope.is_named_in(reason)]


def open_erasure(event: Event) -> Erasure | None:
    """The one that was begun and not finished."""
    return Erasure.objects.filter(event=event, finished_at=None).select_related("entrant", "by").first()


def rehearsal_with_same_people(event: Event) -> Event | None:
    """The copy to practise on, which has the same names."""
    return Event.objects.filter(slug=event.slug + REHEARSAL_SUFFIX, rehearsal=True).first()


def scopes_of(scope: ErasureScope) -> list[ErasureScope]:
    """The scope, and the same at the event's rehearsal."""
    copy = rehearsal_with_same_people(scope.event)
    if copy is None:
        return [scope]
    if scope.entrant is None:
        return [scope, ErasureScope(copy)]
    there = copy.entrants.filter(number=scope.entrant.number).first()
    return [scope, ErasureScope(copy, there)] if there else [scope]


# --- What stands in the way -----------------------------------------------------------------------------
def require_date(event: Event, today: date | None = None) -> None:
    """Refused before the day is over after which personal data is erased, and where none is set."""
    if event.retention_on is None:
        raise Refused("no_retention_date", _("No day is set after which personal data is erased. Set it first."))
    if (today or timezone.localdate()) <= event.retention_on:
        raise Refused(
            "retention_not_over",
            _("Personal data of this event is kept until %(day)s. Nothing was erased."),
            day=date_text(event.retention_on),
        )


def require_submissions_resolved(scope: ErasureScope) -> None:
    """What a tablet brought and nobody has settled may hold a result: it is settled first."""
    if scope.entrant and any(not one.outcome for one in submissions_in_scope(scope)):
        raise Refused(
            "held_items_open",
            _("A tablet has brought something for this entrant's table that nobody has settled. Settle it first."),
        )


def check_erasure_reason(reason: str) -> str:
    """Why; without it nobody could account for it."""
    text = reason.strip()
    if not text or len(text) > ERASURE_REASON_MAX_LENGTH:
        raise BadInput("reason_missing", _("Write down why this person's data is erased, without any name."))
    return text


# --- Done -----------------------------------------------------------------------------------------------
def erase_event_data(event: Event, *, by: User | None, tell: ErasureProgressCallback | None = None) -> ErasureResult:
    """By the retention date: everybody's personal data of the event and of its rehearsal. Refused before that day."""
    require_date(event)
    return run_erasures(ErasureScope(event), reason=BY_DATE, by=by, tell=tell)


def erase_entrant_data(
    scope: ErasureScope, *, reason: str, by: User | None, tell: ErasureProgressCallback | None = None
) -> ErasureResult:
    """One person's, on request; at any time."""
    require_submissions_resolved(scope)
    why = check_erasure_reason(reason)
    if scope.is_named_in(why):
        raise BadInput(
            "reason_names_person", _("The reason stays in the log for good: write it without this person's data.")
        )
    return run_erasures(scope, reason=why, by=by, tell=tell)


def run_erasures(
    scope: ErasureScope, *, reason: str, by: User | None, tell: ErasureProgressCallback | None = None
) -> ErasureResult:
    """The erasures that were made, one an event; none where all was erased before.

    1. One that broke off is completed first. 2. Entry and row. 3. Kind after kind. 4. The public's files, made anew.
    5. Entry and row again, with how many there were. 6. The database's own files.
    """
    done = []
    for each in scopes_of(scope):
        if left := open_erasure(each.event):
            done.append(run_erasure(left, tell))
        if not is_nothing_to_erase(each):
            done.append(run_erasure(begin_erasure(each, reason, by), tell))
    return ErasureResult(done, vacuum_unless_in_transaction())


def vacuum_unless_in_transaction() -> list[str]:
    """The database's own files; within a transaction nothing can be done yet, and a later run does it."""
    return [] if connection.in_atomic_block else erasure_sweep.vacuum_database()


def is_nothing_to_erase(scope: ErasureScope) -> bool:
    """Whether nothing is left to erase."""
    return not any(kind.count(scope) for kind in ERASURE_KINDS)


@transaction.atomic
def begin_erasure(scope: ErasureScope, reason: str, by: User | None) -> Erasure:
    """The entry, then the row that opens the guards, and the entry that has it; the first says why, and what it was
    about by number alone."""
    AuditHead.objects.select_for_update(no_key=True).get(event=scope.event)
    if left := open_erasure(scope.event):
        raise Refused(
            "erasure_open", _("Another erasure of this event is not finished. Run it to its end first."), left
        )
    now = timezone.now()
    entry = services.append_audit_entry(scope.event, by, "erase_personal_data", scope.subject, reason=reason, at=now)
    erasure = Erasure.objects.create(
        event=scope.event, entrant=scope.entrant, audit_seq=entry.seq, reason=reason, by=by, begun_at=now
    )
    record_step(erasure, scope, "begun")
    return erasure


def record_step(erasure: Erasure, scope: ErasureScope, told: str) -> None:
    """The entry of one step: what it has changed is in its payload."""
    services.append_audit_entry(erasure.event, erasure.by, "erase_step", scope.subject, reason=told)


def run_erasure(erasure: Erasure, tell: ErasureProgressCallback | None = None) -> Erasure:
    """Every step of an open erasure; of one that broke off those that are left find nothing to do."""
    scope = ErasureScope(erasure.event, erasure.entrant)
    steps = len(ERASURE_KINDS) + 1
    read_search_terms(scope)
    for step, kind in enumerate(ERASURE_KINDS):
        if tell:
            tell(step, steps)
        with transaction.atomic():
            count = kind.erase(scope, erasure)
            erasure.counts = {**erasure.counts, kind.name: erasure.counts.get(kind.name, 0) + count}
            if count:
                erasure.save(update_fields=["counts"])
                record_step(erasure, scope, f"{kind.name} {count}")
    if tell:
        tell(len(ERASURE_KINDS), steps)
    write_files(erasure.event)
    finish_erasure(erasure, scope)
    return erasure


def write_files(event: Event) -> None:
    """What the public reads, made anew from what is left; a full disk leaves the erasure open for the next run."""
    try:
        write_public_files(event, anew=True)
    except OSError as failed:
        raise Unavailable(
            "files_not_written",
            _("The public files could not be written (%(why)s). Make room and erase again: it goes on from there."),
            why=failed.strerror or "OSError",
        ) from failed


def read_search_terms(scope: ErasureScope) -> None:
    """Read what to look for before the persons' rows are gone."""
    assert scope.values is not None
    assert scope.leaves is not None
    assert scope.known is not None
    assert scope.others is not None


@transaction.atomic
def finish_erasure(erasure: Erasure, scope: ErasureScope) -> None:
    """The guards close; the entry says how many of each kind, of which numbers."""
    said = f"{counts_text(erasure.counts)}; {erased_numbers_text(scope)}"[:ERASURE_REASON_MAX_LENGTH]
    erasure.finished_at = now = timezone.now()
    erasure.save(update_fields=["counts", "finished_at"])
    digest = ("", erasure_digest(erasure))
    services.append_audit_entry(
        erasure.event, erasure.by, "finish_erasure", scope.subject, digest=digest, reason=said, at=now
    )


def counts_text(counts: Mapping[str, int]) -> str:
    """The counts that are not zero, `people 4, scans 2`; `nothing` without any."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "nothing"


def erased_numbers_text(scope: ErasureScope) -> str:
    """Whose: the first and the last number, and how many."""
    numbers = sorted(scope.numbers)
    if len(numbers) < 2:
        return f"entrant {numbers[0]:04d}" if numbers else "no entrants"
    return f"entrants {numbers[0]:04d} to {numbers[-1]:04d}, {len(numbers)} in all"

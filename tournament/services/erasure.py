"""Personal data erased: of a whole event after its retention date, of one person on request (reliability Y9 to Y11).

An erasure begins with an entry of the log and a row that stays open while it lasts; only then the guards let go. Every
kind is one transaction, so that one that broke off is completed by the next run. Results stay, by number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from django.contrib.auth.models import AbstractUser
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, Refused, Unavailable
from tournament.models import AuditEntry, AuditHead, Erasure, Event
from tournament.moments import date_text
from tournament.services import audit, erasure_files, erasure_sweep, erasure_texts
from tournament.services.erasure_files import Left
from tournament.services.erasure_kinds import KINDS, held
from tournament.services.erasure_scope import Scope, digest_of
from tournament.services.erasure_texts import LeftText
from tournament.services.release_files import write_public_files
from tournament.services.setup_rehearsal import SUFFIX

BY_DATE = "retention date"
LONGEST_REASON = 500

Tell = Callable[[int, int], None]
"""How far it is: steps done, of how many. May raise, to stop between two steps."""


@dataclass(frozen=True)
class Done:
    """What was erased, one erasure an event, and what the database's own files may still hold, as codes."""

    erasures: list[Erasure]
    in_files: list[str]


@dataclass(frozen=True)
class Plan:
    """What an erasure would take, by kind, and what it cannot reach: entries of the log that say something of theirs,
    rows that are held to such entries, backups, other files."""

    scope: Scope
    counts: dict[str, int]
    entries: list[int] = field(default_factory=list)
    texts: list[LeftText] = field(default_factory=list)
    backups: list[Left] = field(default_factory=list)
    strangers: list[Left] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Whether all is erased already."""
        return not any(self.counts.values())


def plan(scope: Scope) -> Plan:
    """The dry run: reads only."""
    counts = {kind.name: kind.count(scope) for kind in KINDS}
    texts = erasure_texts.left(scope)
    return Plan(scope, counts, entries_that_say(scope), texts, erasure_files.backups(), erasure_files.strangers())


def entries_that_say(scope: Scope) -> list[int]:
    """Entries whose reason has something of theirs in it: nobody changes an entry, so that they are named."""
    said = AuditEntry.objects.filter(event=scope.event).exclude(reason="").order_by("seq")
    return [seq for seq, reason in said.values_list("seq", "reason") if scope.is_named_in(reason)]


def open_erasure(event: Event) -> Erasure | None:
    """The one that was begun and not finished."""
    return Erasure.objects.filter(event=event, finished_at=None).select_related("entrant", "by").first()


def rehearsal_of(event: Event) -> Event | None:
    """The copy to practise on, which has the same names."""
    return Event.objects.filter(slug=event.slug + SUFFIX, rehearsal=True).first()


def scopes_of(scope: Scope) -> list[Scope]:
    """The scope, and the same at the event's rehearsal."""
    copy = rehearsal_of(scope.event)
    if copy is None:
        return [scope]
    if scope.entrant is None:
        return [scope, Scope(copy)]
    there = copy.entrants.filter(number=scope.entrant.number).first()
    return [scope, Scope(copy, there)] if there else [scope]


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


def require_settled(scope: Scope) -> None:
    """What a tablet brought and nobody has settled may hold a result: it is settled first."""
    if scope.entrant and any(not one.outcome for one in held(scope)):
        raise Refused(
            "held_items_open",
            _("A tablet has brought something for this entrant's table that nobody has settled. Settle it first."),
        )


def checked(reason: str) -> str:
    """Why; without it nobody could account for it."""
    text = reason.strip()
    if not text or len(text) > LONGEST_REASON:
        raise BadInput("reason_missing", _("Write down why this person's data is erased, without any name."))
    return text


# --- Done -----------------------------------------------------------------------------------------------
def erase_event(event: Event, *, by: AbstractUser | None, tell: Tell | None = None) -> Done:
    """By the retention date: everybody's personal data of the event and of its rehearsal. Refused before that day."""
    require_date(event)
    return erase(Scope(event), reason=BY_DATE, by=by, tell=tell)


def erase_entrant(scope: Scope, *, reason: str, by: AbstractUser | None, tell: Tell | None = None) -> Done:
    """One person's, on request; at any time."""
    require_settled(scope)
    why = checked(reason)
    if scope.is_named_in(why):
        raise BadInput(
            "reason_names_person", _("The reason stays in the log for good: write it without this person's data.")
        )
    return erase(scope, reason=why, by=by, tell=tell)


def erase(scope: Scope, *, reason: str, by: AbstractUser | None, tell: Tell | None = None) -> Done:
    """The erasures that were made, one an event; none where all was erased before.

    1. One that broke off is completed first. 2. Entry and row. 3. Kind after kind. 4. The public's files, made anew.
    5. Entry and row again, with how many there were. 6. The database's own files.
    """
    done = []
    for each in scopes_of(scope):
        if left := open_erasure(each.event):
            done.append(run(left, tell))
        if not plan_counts_nothing(each):
            done.append(run(begin(each, reason, by), tell))
    return Done(done, sweep())


def sweep() -> list[str]:
    """The database's own files; within a transaction nothing can be done yet, and a later run does it."""
    return [] if connection.in_atomic_block else erasure_sweep.sweep()


def plan_counts_nothing(scope: Scope) -> bool:
    """Whether nothing is left to erase."""
    return not any(kind.count(scope) for kind in KINDS)


@transaction.atomic
def begin(scope: Scope, reason: str, by: AbstractUser | None) -> Erasure:
    """The entry, then the row that opens the guards; the entry says why, and what it was about by number alone."""
    AuditHead.objects.select_for_update(no_key=True).get(event=scope.event)
    if left := open_erasure(scope.event):
        raise Refused(
            "erasure_open", _("Another erasure of this event is not finished. Run it to its end first."), left
        )
    now = timezone.now()
    entry = audit.record(scope.event, by, "erase_personal_data", scope.thing, reason=reason, at=now)
    return Erasure.objects.create(
        event=scope.event, entrant=scope.entrant, audit_seq=entry.seq, reason=reason, by=by, begun_at=now
    )


def run(erasure: Erasure, tell: Tell | None = None) -> Erasure:
    """Every step of an open erasure; of one that broke off those that are left find nothing to do."""
    scope = Scope(erasure.event, erasure.entrant)
    steps = len(KINDS) + 1
    _look(scope)
    for step, kind in enumerate(KINDS):
        if tell:
            tell(step, steps)
        with transaction.atomic():
            count = kind.erase(scope, erasure)
            erasure.counts = {**erasure.counts, kind.name: erasure.counts.get(kind.name, 0) + count}
            erasure.save(update_fields=["counts"])
    if tell:
        tell(len(KINDS), steps)
    write_files(erasure.event)
    finish(erasure, scope)
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


def _look(scope: Scope) -> None:
    """Read what to look for before the persons' rows are gone."""
    assert scope.values is not None
    assert scope.leaves is not None
    assert scope.known is not None
    assert scope.others is not None


@transaction.atomic
def finish(erasure: Erasure, scope: Scope) -> None:
    """The guards close; the entry says how many of each kind, of which numbers."""
    said = f"{counted(erasure.counts)}; {numbered(scope)}"[:LONGEST_REASON]
    now = timezone.now()
    digest = ("", digest_of(erasure))
    audit.record(erasure.event, erasure.by, "finish_erasure", scope.thing, digest=digest, reason=said, at=now)
    erasure.finished_at = now
    erasure.save(update_fields=["finished_at"])


def counted(counts: Mapping[str, int]) -> str:
    """`people 4, scans 2`."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "nothing"


def numbered(scope: Scope) -> str:
    """Whose: the first and the last number, and how many."""
    numbers = sorted(scope.numbers)
    if len(numbers) < 2:
        return f"entrant {numbers[0]:04d}" if numbers else "no entrants"
    return f"entrants {numbers[0]:04d} to {numbers[-1]:04d}, {len(numbers)} in all"

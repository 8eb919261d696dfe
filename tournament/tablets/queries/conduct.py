"""Conduct as it was recorded: warnings, incidents, and the chief judge's queue of calls."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Annotated, Any, TypedDict

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Subquery, Value
from django_stubs_ext import Annotations

from tournament.audit.models import AuditEntry
from tournament.core.enums import ClockKind, IncidentKind, NoteKind, NoteOutcome, SessionState
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.devices.queries import unrecorded_submissions
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.models.dispute import Dispute
from tournament.tables.models import Table

# Incidents that say what only the desk may record of an entrant, or should look at.
MARK_KINDS = frozenset(
    {
        *(IncidentKind.ABSENT, IncidentKind.LATE, IncidentKind.LEFT),
        *(IncidentKind.DISQUALIFIED, IncidentKind.MISCOUNT),
    }
)


def note_has_end(kind: NoteKind) -> Exists:
    """Whether a note of this kind was settled or taken back."""
    return Exists(NoteEnd.objects.filter(kind=kind, note=OuterRef("pk")))


def note_outcome(kind: NoteKind) -> Subquery:
    """What became of a note of this kind, as a word; null while it stands."""
    return Subquery(NoteEnd.objects.filter(kind=kind, note=OuterRef("pk")).values("outcome")[:1])


def note_end_of(kind: NoteKind, note: int) -> NoteEnd | None:
    """What became of one note."""
    return NoteEnd.objects.filter(kind=kind, note=note).first()


def note_ends_at_tables(tables: Iterable[Table]) -> dict[tuple[str, int], NoteEnd]:
    """What became of the notes of these tables, by kind and key."""
    found = NoteEnd.objects.filter(table__in=list(tables)).select_related("by")
    return {(row.kind, row.note): row for row in found}


def warnings_in_force() -> QuerySet[Warning]:
    """Warnings that nobody has taken back: they count (R43)."""
    return Warning.objects.filter(~note_has_end(NoteKind.WARNING))


def unsettled_marks(event: Event) -> QuerySet[Incident]:
    """What tables have marked and the desk has not settled, the oldest first; of a void session nothing any more."""
    return (
        Incident.objects.filter(
            ~note_has_end(NoteKind.INCIDENT), table__session__stage__event=event, kind__in=MARK_KINDS
        )
        .exclude(table__session__state=SessionState.VOID)
        .select_related("table__session", "by", "device")
        .order_by("at", "id")
    )


def count_waiting_at_tables(event: Event) -> Counter[str]:
    """How many calls and marks of tables wait, and how many items that tablets brought late, as "call", "mark" and
    "held", in one query."""
    kinds = {"call": open_calls(event), "mark": unsettled_marks(event), "held": unrecorded_submissions(event)}
    rows = [found.order_by().values_list(Value(kind, CharField()), "pk") for kind, found in kinds.items()]
    return Counter(kind for kind, _number in rows[0].union(*rows[1:], all=True))


def find_mark(event: Event, number: int) -> Incident | None:
    """A mark of this event, settled or not."""
    rows = Incident.objects.filter(table__session__stage__event=event, kind__in=MARK_KINDS, pk=number)
    return rows.select_related("table__session__stage__event").first()


def recorded_after(mark: Incident, kinds: Iterable[str]) -> Incident | None:
    """The newest of these marks of the same seat that came after it and that the desk has recorded."""
    confirmed = NoteEnd.objects.filter(kind=NoteKind.INCIDENT, outcome=NoteOutcome.CONFIRMED, note=OuterRef("pk"))
    same = Incident.objects.filter(table=mark.table_id, letter=mark.letter, kind__in=list(kinds), pk__gt=mark.pk)
    return same.filter(Exists(confirmed)).order_by("-pk").first()


def calls_of(event: Event) -> QuerySet[JudgeCall]:
    """Every call of the event, those not yet answered first, the oldest of them first."""
    return (
        JudgeCall.objects.filter(table__session__stage__event=event)
        .select_related("table__session", "raised_by", "taken_by", "answered_by", "device")
        .order_by("raised_at", "id")
    )


def open_calls(event: Event) -> QuerySet[JudgeCall]:
    """Calls that nobody has answered or taken back, the oldest first."""
    return calls_of(event).filter(~note_has_end(NoteKind.CALL), answered_at__isnull=True)


def find_call(event: Event, number: int) -> JudgeCall | None:
    """A call of this event."""
    return calls_of(event).filter(pk=number).first()


def open_disputes(event: Event) -> QuerySet[Dispute]:
    """Disputes that wait for the chief judge; of a void session nothing is decided any more."""
    return (
        Dispute.objects.filter(scoresheet__table__session__stage__event=event, decided_at__isnull=True)
        .exclude(scoresheet__table__session__state=SessionState.VOID)
        .select_related("scoresheet__table__session", "raised_by")
        .order_by("raised_at", "id")
    )


class NoteOutcomeFound(TypedDict):
    """What became of a note; None while it stands."""

    outcome: str | None


def warnings_of(entrant: Entrant) -> QuerySet[Annotated[Warning, Annotations[NoteOutcomeFound]]]:
    """The entrant's verbal warnings, the first first; with `outcome`."""
    found = entrant.warnings.select_related("table__session", "by").order_by("number")
    return found.annotate(outcome=note_outcome(NoteKind.WARNING))


def incidents_about(entrant: Entrant) -> QuerySet[Annotated[Incident, Annotations[NoteOutcomeFound]]]:
    """What was recorded of the seats at which the entrant sits, in order; with `outcome`."""
    here = Incident.objects.filter(table__seats__entrant=entrant, table__seats__letter=F("letter"))
    return here.select_related("table__session", "by").order_by("id").annotate(outcome=note_outcome(NoteKind.INCIDENT))


def incidents_of(tables: Iterable[Table]) -> dict[int, list[Incident]]:
    """What was recorded at each of these tables, by table id."""
    found: dict[int, list[Incident]] = defaultdict(list)
    for row in Incident.objects.filter(table__in=list(tables)).order_by("id"):
        found[row.table_id].append(row)
    return found


def calls_of_tables(tables: Iterable[Table]) -> dict[int, list[JudgeCall]]:
    """The calls of each of these tables, by table id."""
    found: dict[int, list[JudgeCall]] = defaultdict(list)
    for row in JudgeCall.objects.filter(table__in=list(tables)).select_related("taken_by").order_by("raised_at", "id"):
        found[row.table_id].append(row)
    return found


def warnings_by_entrant(session: Session, tables: Iterable[Table]) -> dict[int, int]:
    """How many warnings stand of each entrant at these tables, by entrant id."""
    found: dict[int, int] = defaultdict(int)
    seated = warnings_in_force().filter(entrant__seats__table__in=list(tables), entrant__seats__session=session)
    for entrant in seated.values_list("entrant_id", flat=True):
        found[entrant] += 1
    return found


def warnings_at(tables: Iterable[Table]) -> dict[int, list[Warning]]:
    """The warnings that were given at each of these tables, by table id."""
    found: dict[int, list[Warning]] = defaultdict(list)
    for row in Warning.objects.filter(table__in=list(tables)).order_by("id"):
        found[row.table_id].append(row)
    return found


NoteRecord = Warning | Incident | JudgeCall | ClockEvent


def note_of_item(event: Event, key: str) -> NoteRecord | None:
    """The note that an item of a tablet's outbox made, by the item's key."""
    models: dict[str, Any] = {
        "warn_entrant": Warning,
        "record_incident": Incident,
        "call_judge": JudgeCall,
        "give_overtime": ClockEvent,
    }
    entry = AuditEntry.objects.filter(event=event, request_key=key, action__in=models).first()
    kept = entry and RequestKey.objects.filter(scope=f"user:{entry.actor_id}", key=key, status__gt=0).first()
    if not entry or not kept:
        return None
    rows = models[entry.action]._default_manager.select_related("table__session__stage__event")
    found: NoteRecord | None = rows.filter(pk=kept.answer["row"]).first()
    return found


def find_note(event: Event, kind: str, number: int) -> NoteRecord | None:
    """A note of this event by its kind and key."""
    models: dict[NoteKind, Any] = {NoteKind.WARNING: Warning, NoteKind.INCIDENT: Incident, NoteKind.CALL: JudgeCall}
    rows = models.get(NoteKind(kind), ClockEvent)._default_manager.filter(table__session__stage__event=event, pk=number)
    if kind == NoteKind.OVERTIME:
        rows = rows.filter(kind=ClockKind.OVERTIME)
    found: NoteRecord | None = rows.select_related("table__session__stage__event").first()
    return found

"""Conduct as it was recorded: warnings, incidents, and the chief judge's queue of calls."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F, QuerySet

from tournament.enums import SessionState
from tournament.models import Dispute, Entrant, Event, Incident, JudgeCall, Session, Table, Warning


def calls_of(event: Event) -> QuerySet[JudgeCall]:
    """Every call of the event, those not yet answered first, the oldest of them first."""
    return (
        JudgeCall.objects.filter(table__session__stage__event=event)
        .select_related("table__session", "raised_by", "taken_by", "answered_by", "device")
        .order_by("raised_at", "id")
    )


def open_calls(event: Event) -> QuerySet[JudgeCall]:
    """Calls that nobody has answered, the oldest first."""
    return calls_of(event).filter(answered_at__isnull=True)


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


def warnings_of(entrant: Entrant) -> QuerySet[Warning]:
    """The entrant's verbal warnings, the first first."""
    return entrant.warnings.select_related("table__session", "by").order_by("number")


def incidents_about(entrant: Entrant) -> QuerySet[Incident]:
    """What was recorded of the seats at which the entrant sits, in order."""
    here = Incident.objects.filter(table__seats__entrant=entrant, table__seats__letter=F("letter"))
    return here.select_related("table__session", "by").order_by("id")


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
    """How many warnings each entrant at these tables has, by entrant id."""
    found: dict[int, int] = defaultdict(int)
    seated = Warning.objects.filter(entrant__seats__table__in=list(tables), entrant__seats__session=session)
    for entrant in seated.values_list("entrant_id", flat=True):
        found[entrant] += 1
    return found

"""The queue at the desk: calls, what tables have marked, disputes, and what tablets recorded that the server could not
take."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Prefetch

from tournament.core.models.event import Event
from tournament.devices import queries
from tournament.devices.models.device import QuarantinedSubmission
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.tables.models import Seat
from tournament.tablets.queries import conduct

MOST_ANSWERED = 30


class QueuedCall(NamedTuple):
    """A call with the serial of its table; where it is about a seat, who sits there and how often they were warned."""

    row: JudgeCall
    serial: str
    entrant: Entrant | None
    warnings: int


class QueuedDispute(NamedTuple):
    """A dispute with the serial of its table."""

    row: Dispute
    serial: str


class QueuedMark(NamedTuple):
    """What a table has marked, with the serial of the table and who sits at the seat."""

    row: Incident
    serial: str
    entrant: Entrant | None


class ConductQueue(NamedTuple):
    """All that waits for the desk and the chief judge, the oldest first, and the calls answered last."""

    calls: Sequence[QueuedCall]
    notes: Sequence[QueuedMark]
    disputes: Sequence[QueuedDispute]
    held: Sequence[QuarantinedSubmission]
    answered: Sequence[QueuedCall]

    @property
    def waiting(self) -> int:
        """How many wait; answered calls are not counted."""
        return len(self.calls) + len(self.notes) + len(self.disputes) + len(self.held)

    @property
    def newest(self) -> int:
        """The number of the newest call that waits, whether taken or not; 0 without any."""
        return max((call.row.pk for call in self.calls), default=0)

    @property
    def marks(self) -> list[list[object]]:
        """What changes whenever the queue does."""
        return [
            [(call.row.pk, call.row.taken_by_id, call.warnings) for call in self.calls],
            [(mark.row.pk, mark.entrant.status if mark.entrant else "") for mark in self.notes],
            [(one.row.pk,) for one in self.disputes],
            [(item.pk,) for item in self.held],
            [(call.row.pk, call.warnings) for call in self.answered],
        ]


def conduct_queue_of(event: Event) -> ConductQueue:
    """The event's queue, in a number of queries that does not grow with it."""
    seats = Prefetch("table__seats", queryset=Seat.objects.select_related("entrant__person"))
    waiting = list(conduct.open_calls(event).prefetch_related(seats))
    answered = conduct.calls_of(event).filter(answered_at__isnull=False).order_by("-answered_at", "-id")
    done = list(answered.prefetch_related(seats)[:MOST_ANSWERED])
    warned = Counter(conduct.warnings_in_force().filter(entrant__event=event).values_list("entrant_id", flat=True))
    marks = [
        QueuedMark(row, sheet_serial(row.table), entrant_at_noted_seat(row))
        for row in conduct.unsettled_marks(event).prefetch_related(seats)
    ]
    disputes = [QueuedDispute(row, sheet_serial(row.scoresheet.table)) for row in conduct.open_disputes(event)]
    return ConductQueue(
        queued_calls_with_seats(waiting, warned),
        marks,
        disputes,
        queries.unresolved_submissions(event),
        queued_calls_with_seats(done, warned),
    )


def queued_calls_with_seats(calls: Iterable[JudgeCall], warned: Counter[int]) -> list[QueuedCall]:
    """Each call with who it is about."""
    found = []
    for call in calls:
        entrant = entrant_at_noted_seat(call)
        found.append(QueuedCall(call, sheet_serial(call.table), entrant, warned[entrant.pk] if entrant else 0))
    return found


def entrant_at_noted_seat(row: JudgeCall | Incident) -> Entrant | None:
    """Who sits where it was noted."""
    return next((seat.entrant for seat in row.table.seats.all() if seat.letter == row.letter), None)

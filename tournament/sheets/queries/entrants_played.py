"""Who has played: entrants on locked sheets, their seats and their sheets."""

from django.db.models import F

from tournament.core.enums import LOCKED_STATES, SessionState
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.tables.models import Seat


def seated_for_certain(event: Event) -> frozenset[int]:
    """Ids of entrants whose seat in their own session stands in a confirmed draw."""
    seats = Seat.objects.filter(entrant__event=event, session=F("entrant__session"))
    return frozenset(seats.exclude(session__draw__confirmed_at=None).values_list("entrant_id", flat=True))


def on_locked_sheets(event: Event) -> tuple[frozenset[int], frozenset[int]]:
    """Ids of entrants who have games on a locked sheet (R41), those of a void session aside, which hold nobody in it;
    and of all whom any locked sheet names. One query."""
    lines = Line.objects.filter(entrant__event=event, game__scoresheet__state__in=LOCKED_STATES)
    rows = list(lines.values_list("entrant_id", "game__scoresheet__table__session__state").distinct())
    counting = frozenset(entrant for entrant, state in rows if state != SessionState.VOID)
    return counting, frozenset(entrant for entrant, _state in rows)


def entrants_with_locked_games(event: Event) -> frozenset[int]:
    """Ids of entrants whom a locked sheet that counts holds in their session."""
    return on_locked_sheets(event)[0]


def entrants_on_any_locked_sheet(event: Event) -> frozenset[int]:
    """Ids of entrants whom any locked sheet names, of a void session too: voiding is taken back, and its games then
    count again for whoever bears the number by then."""
    return on_locked_sheets(event)[1]


def is_on_any_locked_sheet(entrant: Entrant) -> bool:
    """Whether one entrant is among them."""
    return entrant.pk in entrants_on_any_locked_sheet(entrant.event)


def seat_of(entrant: Entrant) -> Seat | None:
    """Where the entrant sits in its own session; None before the draw."""
    return (
        Seat.objects.filter(entrant=entrant, session_id=entrant.session_id).select_related("table", "session").first()
    )


def final_seats_of(entrant: Entrant) -> list[Seat]:
    """Where a finalist sits in the final, session by session; one query."""
    seats = Seat.objects.filter(entrant=entrant, session__stage__order__gt=1)
    return list(seats.select_related("table", "session__stage").order_by("session__number"))


def locked_sheet_of(seat: Seat | None) -> Scoresheet | None:
    """The locked sheet of the entrant's table, which no later ruling changes (R41); None while it is open."""
    if seat is None:
        return None
    sheets = Scoresheet.objects.filter(official_for__table_id=seat.table_id)
    return sheets.first()


def sheets_of_entrant(entrant: Entrant) -> list[Scoresheet]:
    """Every version of every sheet of the tables where the entrant sits, in order; one query."""
    sheets = Scoresheet.objects.filter(table__seats__entrant=entrant).select_related("table__session", "stamp")
    return list(sheets.order_by("table__session__number", "version"))

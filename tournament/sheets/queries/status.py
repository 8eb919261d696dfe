"""An entrant's state within one stage, as the seats of a sheet show it."""

from collections.abc import Iterable

from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import is_beyond
from tournament.tables.models import Seat


def seats_with_stage_status(seats: Iterable[Seat], stage: Stage) -> list[Seat]:
    """Seats with the `lists` of their entrants, as a sheet of this stage is judged; their entrants are not to be saved.

    Who did not come to the final has played before it: there the seat is one of somebody who left later.
    """
    found = list(seats)
    for seat in found:
        seat.entrant.status = status_on_sheet(seat.entrant, stage)
    return found


def status_on_sheet(entrant: Entrant, stage: Stage) -> str:
    """The status under which a sheet of this stage is judged."""
    gone = entrant.status == EntrantStatus.FORFEITED and is_beyond(entrant, stage)
    return EntrantStatus.WITHDRAWN if gone else entrant.status

"""Reads of what moved a session's time and its tables'."""

from tournament.models import ClockEvent, Session


def events_of(session: Session) -> list[ClockEvent]:
    """Every transition of a session and of its tables, in order."""
    return list(ClockEvent.objects.filter(session=session).select_related("by").order_by("at", "id"))

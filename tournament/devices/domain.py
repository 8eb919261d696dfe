"""Submissions of tablets that no sheet holds yet, of an event or of one session."""

from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices import queries
from tournament.devices.models.device import QuarantinedSubmission


def submissions_not_recorded(event: Event, session: Session | None = None) -> list[QuarantinedSubmission]:
    """What tablets have brought, of the event or one session, and is neither recorded nor put aside."""
    return queries.unresolved_submissions(event, session)

"""The stage or session that an address names, or 404."""

from django.http import Http404

from tournament.core.models.stage import Session, Stage
from tournament.core.permissions import EventRequest
from tournament.events import queries


def sent_stage(request: EventRequest) -> Stage:
    """The stage that a form or an address names; the preliminary where it names none."""
    sent = request.POST if request.method == "POST" else request.GET
    stage = queries.find_stage(request.event, sent.get("stage", ""))
    if stage is None:
        raise Http404
    return stage


# --- The page -------------------------------------------------------------------------------------------
def seating_session_or_404(request: EventRequest, number: int) -> Session:
    """A session of the event, or the same 404 as for any address that is not there."""
    found = queries.find_session_for_seating(request.event, number)
    if found is None:
        raise Http404
    return found

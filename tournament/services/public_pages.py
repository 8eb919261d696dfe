"""What a change of the set-up changes in public: the event's page and the list of events. It stands beside the stages.

Doors call it after the service that made or changed an event has ended; upstream never calls downstream.
"""

from tournament.models import Event
from tournament.services.release_files import write_public_files


def write_anew(event: Event) -> None:
    """Write the event's public files and the list from what is committed; harmless when done twice."""
    write_public_files(event)

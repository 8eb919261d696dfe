"""A request that works for each operation of the API, as whoever may do it."""

from tests.reliability.fuzz_finalists import FINALIST_REQUESTS
from tests.reliability.fuzz_proposals import PROPOSAL_REQUESTS
from tests.reliability.fuzz_sheets import SHEET_ACTS, sheet_request
from tests.reliability.fuzz_tablet import TABLET_ACTS
from tests.reliability.fuzz_weather import WEATHER_REQUESTS
from tests.reliability.fuzz_world import PREPARED, FuzzWorld, Request

REQUESTS = PREPARED | TABLET_ACTS | FINALIST_REQUESTS | WEATHER_REQUESTS | PROPOSAL_REQUESTS
# Addresses about a release, which only one of the events has.
OF_RELEASES = ("get_release", "list_places")


def request_that_works(world: FuzzWorld, name: str, role: str) -> Request:
    """For this operation in the world as it was made; what it needs first is done here, for the caller to take back."""
    if name in SHEET_ACTS:
        return sheet_request(world, name, role)
    if name in REQUESTS:
        return REQUESTS[name](world)
    event = world.released if name in OF_RELEASES else world.playing
    return Request({"event": event.slug, "session": 1, "number": 1})

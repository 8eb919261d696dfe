"""A request that works for each operation about what waits for a second person."""

from collections.abc import Callable
from typing import Any

from tests.reliability.fuzz_sheets import certified
from tests.reliability.fuzz_weather import WHY, broken_off
from tests.reliability.fuzz_world import FuzzWorld, Request, account, change
from tournament.accounts.models import Proposal
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.registration.services.changes import change_person
from tournament.tables.models import Table
from tournament.weather.services import postponing_replay

Preparing = Callable[[FuzzWorld], Proposal]


def of_an_entrant(world: FuzzWorld) -> Proposal:
    """Another name for one who has a signed sheet."""
    played = Entrant.objects.filter(event=world.released, seats__isnull=False).order_by("number").first()
    assert played is not None
    waits: list[Proposal] = []
    cells, by = {"name_en": "CHAN Tai Man"}, account("typist")
    change_person(played, revision=played.revision, cells=cells, reason="as in the passport", by=by, waits=waits)
    return waits[0]


def of_a_session(world: FuzzWorld) -> Proposal:
    """A replay of one that was broken off with a signed sheet."""
    certified(Table.objects.get(session__stage__event=world.playing, session__number=1, number=1), world)
    found = broken_off(world).path
    session = Session.objects.get(stage__event__slug=found["event"], number=found["session"])
    made = postponing_replay.replay_session(session, by=account("organiser"), **WHY)
    assert isinstance(made, Proposal)
    return made


def about(make: Preparing, body: Any = None, name: str = "proposal") -> Callable[[FuzzWorld], Request]:
    """A change of what waits, or a look at it."""

    def request(world: FuzzWorld) -> Request:
        made = make(world)
        return change({"event": Event.objects.get(pk=made.event_id).slug, name: made.pk}, body)

    return request


PROPOSAL_REQUESTS: dict[str, Callable[[FuzzWorld], Request]] = {
    "get_proposed_change": about(of_an_entrant),
    "agree_to_change": about(of_an_entrant, {}),
    "refuse_proposal": about(of_an_entrant, {"reason": "not as in the passport"}),
    "withdraw_proposal": about(of_a_session),
    "get_proposed_replay": about(of_a_session, name="replay"),
    "agree_to_replay": about(of_a_session, name="replay"),
}

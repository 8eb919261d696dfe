"""A request that works for each operation about private links and the list of finalists."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.reliability.fuzz_world import FuzzWorld, Request, account, change
from tournament.core.enums import StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.events.queries import final_of
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.queries import links_in_force
from tournament.finalists.services import finalists, invitations
from tournament.finalists.services.release_places import record_place_answer
from tournament.setup.services import later_stage


def places(world: FuzzWorld) -> Stage:
    """The preliminary of the event that is released, with a final beside it and a link for all who hold a place."""
    event = Event.objects.get(pk=world.released.pk)
    if final_of(event) is None:
        plan = later_stage.StagePlan("hk-2026", 1)
        later_stage.set_up_stage(event, revision=event.revision, plan=plan, by=account("organiser"))
    stage = Stage.objects.select_related("event").get(event=event, kind=StageKind.PRELIMINARY)
    invitations.make_place_links(stage, by=account("organiser"))
    return stage


def listing(world: FuzzWorld) -> Request:
    """The list of an event that has a final."""
    places(world)
    return Request({"event": world.released.slug})


def of_one_link(world: FuzzWorld, body: dict[str, Any], *, seen: bool = False) -> Request:
    """About the first link in force."""
    number, link = min(links_in_force(places(world)).items())
    body = body | ({"seen": link.pk} if seen else {})
    return change({"event": world.released.slug, "number": number}, body)


def freezing(world: FuzzWorld) -> Request:
    """The first has accepted, the others are struck."""
    stage = places(world)
    number = int(live_places(stage).places.holders[0].id)
    record_place_answer(stage, number=number, answer="accepted", by=account("organiser"))
    seen = finalists.finalists_seen_digest(live_places(stage))
    return change({"event": world.released.slug}, {"seen": seen, "strike": True, "reason": "no answer"})


def frozen(world: FuzzWorld, body: dict[str, Any]) -> Request:
    given = freezing(world).body
    final = final_of(world.released)
    if final is not None:
        finalists.freeze_finalists(final, by=account("organiser"), **given)
    return change({"event": world.released.slug}, body)


def on_fixed(world: FuzzWorld, body: dict[str, Any]) -> Request:
    """A change of the fixed list by who has seen it."""
    request = frozen(world, body)
    listed = final_of(world.released).finalists.values_list("entrant__number", flat=True)
    seen = finalists.finalists_seen_digest(live_places(places(world)), list(listed))
    return replace(request, body={**request.body, "seen": seen})


def exchanging(world: FuzzWorld) -> Request:
    """The one on the list gives the place up."""
    number = int(live_places(places(world)).places.holders[0].id)
    return on_fixed(world, {"number": number, "reason": "fell ill"})


FINALIST_REQUESTS: dict[str, Callable[[FuzzWorld], Request]] = {
    "list_finalists": listing,
    "list_links": listing,
    "make_links": lambda world: change(listing(world).path),
    "replace_link": lambda world: of_one_link(world, {"reason": "sent to another"}, seen=True),
    "revoke_link": lambda world: of_one_link(world, {"reason": "lost"}),
    "freeze_finalists": freezing,
    "thaw_finalists": lambda world: on_fixed(world, {"reason": "once more"}),
    "exchange_finalist": exchanging,
}

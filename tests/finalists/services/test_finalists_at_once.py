"""Eight organisers exchange a finalist at once, on connections of their own: exactly one exchange happens."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.conftest import event_data
from tests.finalists.invited import answered, holders, invited
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.core.services.requests import run_once
from tournament.entrants.models.final import Finalist
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists as services
from tournament.releases.models import PlaceAnswer
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db(transaction=True)
ORGANISERS = 8


@pytest.fixture
def people(db: None) -> list[User]:
    """As many organisers as presses."""
    event = setup.create_event(event_data())
    names = [f"organiser{n}" for n in range(ORGANISERS)]
    return [accounts.create_account(event, name, "unused-password", "", [Role.ORGANISER]) for name in names]


@pytest.fixture
def stages(people: list[User]) -> tuple[Stage, Stage]:
    """Preliminary and final, the list of four fixed."""
    made = invited(Session.objects.select_related("stage__event").get(number=1), people[0])
    for number in holders(made[0]):
        answered(made[0], people[0], number)
    services.freeze_finalists(made[1], seen=services.finalists_seen_digest(live_places(made[0])), by=people[0])
    return made


def listed() -> list[int]:
    return sorted(Finalist.objects.values_list("entrant__number", flat=True))


def at_once(act: Callable[[int], Any]) -> Counter[str]:
    """Press eight times at the same moment: how often each answer came."""
    barrier = Barrier(ORGANISERS)

    def run(number: int) -> str:
        barrier.wait()
        try:
            act(number)
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(ORGANISERS) as pool:
        return Counter(pool.map(run, range(ORGANISERS)))


def test_of_eight_who_put_one_reserve_on_the_list_exactly_one_does(
    stages: tuple[Stage, Stage], people: list[User]
) -> None:
    before, reserve = listed(), int(live_places(stages[0]).places.waiting[0])
    seen = services.finalists_seen_digest(live_places(stages[0]), before)

    def press(n: int) -> None:
        given = {"number": before[n % len(before)], "reserve": reserve, "reason": "ill"}
        services.exchange_finalist(stages[1], seen=seen, by=people[n], **given)

    assert at_once(press) == {"done": 1, "places_changed": ORGANISERS - 1}
    assert (len(listed()), reserve in listed()) == (len(before), True)
    assert PlaceAnswer.objects.filter(answer="declined").count() == 1


def test_one_request_eight_times_at_once_is_one_exchange(stages: tuple[Stage, Stage], people: list[User]) -> None:
    before, reserve = listed(), int(live_places(stages[0]).places.waiting[0])
    given = {"number": before[0], "reserve": reserve, "reason": "ill"}
    given["seen"] = services.finalists_seen_digest(live_places(stages[0]), before)

    def press(_n: int) -> None:
        do = lambda: {"final": services.exchange_finalist(stages[1], by=people[0], **given).pk}  # noqa: E731
        run_once("user:0", "one key", "exchange_finalist", given, do)

    assert at_once(press) == {"done": ORGANISERS}
    assert (len(listed()), reserve in listed()) == (len(before), True)


def test_without_the_version_that_was_seen_the_same_presses_empty_places(
    stages: tuple[Stage, Stage], people: list[User]
) -> None:
    """The control: judged by the list of the moment instead of the list that each had seen, several happen."""
    before = listed()

    def press(n: int) -> None:
        for _try in range(ORGANISERS):
            now = services.finalists_seen_digest(live_places(stages[0]), listed())
            try:
                services.exchange_finalist(
                    stages[1], seen=now, by=people[n], number=before[n % len(before)], reason="ill"
                )
            except Refused as refusal:
                if refusal.code != "places_changed":
                    raise
            else:
                return

    assert at_once(press)["done"] > 1
    assert len(listed()) < len(before) - 1

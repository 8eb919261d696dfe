"""A small sample of Q10 in the suite, and its control: a document that promises less makes the tool speak up."""

from typing import Any

import pytest
from django.db import transaction

from tests.reliability import fuzz
from tests.reliability.fuzz_finalists import FINALIST_REQUESTS
from tests.reliability.fuzz_sheets import request_that_works
from tests.reliability.fuzz_tablet import TABLET_ACTS
from tests.reliability.fuzz_weather import WEATHER_REQUESTS
from tests.reliability.fuzz_world import FuzzWorld, make_fuzz_world

# What is made by the operations of the weather.
MAILED = ("mail_seats", "mail_results", "mail_places")
MADE = ("enter_signal", "look_at_sky", "decide_weather", "draft_notice", "replay_session", *MAILED)


@pytest.fixture
def world(db: None, settings: Any) -> FuzzWorld:
    """Four events, reached from outside."""
    settings.SITE_URL = fuzz.BASE
    return make_fuzz_world()


@pytest.mark.fault("V4")
@pytest.mark.fault("V10")
def test_no_request_of_an_organiser_or_of_nobody_gets_an_answer_that_is_not_documented(world: FuzzWorld) -> None:
    found = fuzz.fuzz(world, each=2, seed_of_run=1, roles=("organiser", "anonymous"))
    assert found.failures == []
    assert found.sent >= 2 * 2 * (len(found.answers) - 1)


def test_the_tool_speaks_up_where_the_document_is_wrong(world: FuzzWorld) -> None:
    found = fuzz.fuzz(world, each=1, seed_of_run=1, roles=("organiser",), document_tried=fuzz.false_document())
    assert any("/api/v1/events/" in failure for failure in found.failures)


def test_the_tool_is_given_a_request_that_works_for_each_operation_of_tablets_finalists_weather_and_a_reserve_place(
    world: FuzzWorld,
) -> None:
    tokens = {role: fuzz.header_of(world, role) for role in ("tablet", "chief_judge", "organiser")}
    answered = {}
    wanted = {**dict.fromkeys(TABLET_ACTS, "tablet"), **dict.fromkeys(FINALIST_REQUESTS, "organiser")}
    wanted |= {**dict.fromkeys(WEATHER_REQUESTS, "organiser"), "decide_reserve_tie": "chief_judge"}
    for operation in fuzz.operations(fuzz.document("en")):
        name = operation.definition.raw["operationId"]
        if (role := wanted.get(name)) is None:
            continue
        with transaction.atomic():
            works = request_that_works(world, name, role)
            address = fuzz.BASE + operation.path.format(**works.path)
            headers = {**works.headers, **tokens[role]}
            sent = fuzz.requests.Request(operation.method.upper(), address, headers, json=works.body)
            answer = fuzz.through_django(sent.prepare())
            answered[name] = answer.status_code if answer.status_code < 300 else answer.content.decode()
            transaction.set_rollback(True)
    made = ("pair_tablet", "decide_reserve_tie", "replace_link", *MADE)
    status = {**dict.fromkeys(made, 201), "deliver_late": 202}
    assert answered == {name: status.get(name, 200) for name in wanted}

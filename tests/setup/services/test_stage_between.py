"""A stage before the last as the service takes it: refused whichever door it comes by."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.operations.services.audit_verification import verify_events
from tournament.setup.services.later_stage import StagePlan, set_up_stage

SEMI = StagePlan("hk-2026", 1, (), "semi-final", "top_places", 16, "準決賽", "Semi-final")
FINAL = StagePlan("hk-2026", 1)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name_zh": ""}, "stage_refused"),
        ({"name_en": "x" * 41}, "stage_refused"),
        ({"kind": "Semi final"}, "stage_refused"),
        ({"kind": "a-long-semi-final"}, "stage_refused"),
        ({"kind": "preliminary"}, "stage_refused"),
        ({"kind": "mailings"}, "address_reserved"),
        ({"kind": "final"}, "stage_refused"),
        ({"qualifying": "by chance"}, "stage_refused"),
        ({"kind": "last", "qualifying": ""}, "stage_refused"),
    ],
)
def test_a_stage_between_has_a_name_and_an_address_of_its_own_and_there_is_one_last(
    event: Event, organiser: User, wrong: dict[str, Any], code: str
) -> None:
    set_up_stage(event, revision=1, plan=FINAL, by=organiser)
    with pytest.raises(BadInput) as refused:
        set_up_stage(event, revision=2, plan=replace(SEMI, **wrong), by=organiser)
    assert (refused.value.code, event.stages.count()) == (code, 2)


def test_a_stage_between_does_not_become_the_last_nor_the_last_one_between(event: Event, organiser: User) -> None:
    set_up_stage(event, revision=1, plan=FINAL, by=organiser)
    set_up_stage(event, revision=2, plan=SEMI, by=organiser)
    for wrong in (replace(SEMI, qualifying=""), replace(FINAL, qualifying="top_places", name_zh="終", name_en="End")):
        with pytest.raises(BadInput) as refused:
            set_up_stage(event, revision=3, plan=wrong, by=organiser)
        assert refused.value.code == "stage_refused"


def test_the_log_verifies_after_every_change_of_a_stage_between(event: Event, organiser: User) -> None:
    for revision, plan in enumerate((SEMI, FINAL, replace(SEMI, name_en="Semis"), replace(SEMI, advance=12)), start=1):
        set_up_stage(event, revision=revision, plan=plan, by=organiser)
    assert verify_events(slug=event.slug, files=False).findings == []

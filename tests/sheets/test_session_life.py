"""Every act through every stage of a session's life, by page and by the API: what each answers stands in one table."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.test_permissions_matrix import MATRIX
from tests.sheets.session_acts_api import BY_API
from tests.sheets.session_acts_elsewhere import names as elsewhere
from tests.sheets.session_acts_page import BY_PAGE
from tests.sheets.session_acts_tablet import BY_TABLET
from tests.sheets.session_lives import LEADS, People, World, answers
from tournament.core.enums import LifeStage, Role
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.sheets.queries.session_life import session_life_of

ANSWERS = Path(__file__).parents[1] / "data" / "session_life.json"


@pytest.fixture
def people(event: Event, organiser: User, second_organiser: User, clerk: User, referee: User) -> People:
    """Both organisers are chief judge and clerk too. The results are announced long after any day of the tests."""
    late = {"results_at": datetime(2096, 5, 1, tzinfo=UTC), "retention_on": date(2096, 7, 31)}
    Event.objects.filter(pk=event.pk).update(**late)
    for role in (Role.CHIEF_JUDGE, Role.CLERK):
        for user in (organiser, second_organiser):
            Membership.objects.create(event=event, user=user, role=role)
    return People(organiser, clerk, second_organiser, referee)


WAYS = {"page": BY_PAGE, "api": BY_API, "tablet": BY_TABLET}


def all_answers(world: World) -> dict[str, dict[str, str]]:
    """What each act answers now, by page, by the API and by a tablet."""
    acts = {(way, name): act for way, told in WAYS.items() for name, act in told.items()}
    told = answers(world, acts)
    return {way: {name: told[way, name] for name in WAYS[way]} for way in WAYS}


def changing() -> set[str]:
    """The addresses of the matrix that change something of an event, by page, by the API or by a tablet."""
    mine = {name for name, row in MATRIX.items() if row.keys() & {"POST", "PUT"}}
    tablets = {name for name in MATRIX if name.startswith("tablet_")}
    return mine | {name for name in tablets if MATRIX[name]["all"]["POST"] != 405}


def test_what_is_tried_elsewhere_changes_something_and_is_named_once() -> None:
    assert set(elsewhere()) <= changing()
    assert len(elsewhere()) == len(set(elsewhere()))


@pytest.mark.once
@pytest.mark.parametrize("stage", LifeStage.values)
def test_every_act_answers_in_every_stage_as_the_table_says(
    event: Event, first_session: Session, people: People, stage: str
) -> None:
    LEADS[LifeStage(stage)](first_session, people)
    first_session.refresh_from_db()
    assert session_life_of(first_session).stage == stage
    kept: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    world = World(first_session, people)
    assert all_answers(world) == kept[stage]
    # Every act is sent in every stage, so that an address which has no act is missing here.
    assert (changing() - world.asked - set(elsewhere()), world.asked & set(elsewhere())) == (set(), set())


def test_the_table_names_every_stage_and_no_other() -> None:
    assert sorted(json.loads(ANSWERS.read_text(encoding="utf-8"))) == sorted(LifeStage.values)

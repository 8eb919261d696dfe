"""Small samples of the races; the large ones run in `make reliability`."""

import pytest
from django.db import connection

from tests.reliability import races
from tests.reliability.world import make_world
from tournament.audit.models import AuditEntry
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import scoresheets


@pytest.mark.django_db(transaction=True)
@pytest.mark.fault("N1")
@pytest.mark.fault("N2")
@pytest.mark.fault("C2")
def test_the_same_request_sixteen_times_at_once_has_one_effect_and_sixteen_equal_answers() -> None:
    world = make_world(tables=2)
    assert races.same_request(scoresheets.save_scoresheet, world.tables[0], world.clerks[0], rounds=4) == 0
    connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.fault("N3")
def test_of_sixteen_writers_with_one_revision_one_wins_and_fifteen_are_told() -> None:
    world = make_world(tables=2)
    assert races.same_revision(scoresheets.save_scoresheet, world.tables[0], world.clerks, rounds=4) == 0
    sheet = Scoresheet.objects.get()
    assert sheet.revision == AuditEntry.objects.filter(action="save_scoresheet").count() == 4


@pytest.mark.django_db(transaction=True)
def test_saving_the_usual_way_loses_updates_so_the_race_can_be_seen() -> None:
    world = make_world(tables=4)
    figures = races.figures(world, rounds=0, control_rounds=6)
    assert [(figure.failures, figure.control_failures > 0) for figure in figures] == [(0, True), (0, True)]

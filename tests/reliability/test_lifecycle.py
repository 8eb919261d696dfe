"""Q3: a sheet's life over HTTP agrees with the model, and the model notices when it does not."""

from collections import Counter

import pytest

from tests.reliability import lifecycle
from tests.reliability.lifecycle_model import TRANSITIONS, all_cells
from tests.reliability.lifecycle_world import House, InProcess
from tournament.services import scoresheets


@pytest.fixture
def stage(db: None) -> lifecycle.Stage:
    """Two tables, two tablets, the desk, for each life."""
    lifecycle.STAGE[:] = [lifecycle.Stage(House("test", InProcess()), Counter())]
    return lifecycle.STAGE[0]


@pytest.mark.fault("C2")
@pytest.mark.fault("N1")
@pytest.mark.fault("N6")
@pytest.mark.fault("Z4")
def test_a_sheet_lives_as_the_model_says_whoever_asks_for_what(stage: lifecycle.Stage) -> None:
    assert lifecycle.run(runs=6, steps=30) == ""
    assert len(stage.met) > 40


def test_the_model_finds_a_writer_who_overwrites_what_he_has_not_seen(
    stage: lifecycle.Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoresheets, "swap", lifecycle.careless)
    assert lifecycle.run(runs=10, steps=30) != ""


def test_what_is_wanted_of_the_lives_is_every_act_by_everybody_in_every_state() -> None:
    assert len(lifecycle.wanting(Counter())) == len(all_cells()) + len(TRANSITIONS)

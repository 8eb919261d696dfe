"""Q3: a sheet's life over HTTP agrees with the model, and the model notices when it does not."""

import pytest

from tests.reliability import lifecycle
from tournament.services import scoresheets


@pytest.fixture
def world(db: None) -> None:
    """Two tables, two tablets, the desk."""
    lifecycle.make_world()


@pytest.mark.fault("C2")
@pytest.mark.fault("N1")
@pytest.mark.fault("N6")
@pytest.mark.fault("Z4")
def test_a_sheet_lives_as_the_model_says_whoever_asks_for_what(world: None) -> None:
    assert lifecycle.run(runs=10, steps=30) == ""
    assert len(lifecycle.MET) > 35


def test_the_model_finds_a_writer_who_overwrites_what_he_has_not_seen(
    world: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoresheets, "swap", lifecycle.careless)
    assert lifecycle.run(runs=10, steps=30) != ""

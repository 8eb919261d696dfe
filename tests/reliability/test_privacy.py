"""Q20 in small, on both databases: an erasure leaves nothing of what was planted, and one that forgets is found."""

from pathlib import Path
from typing import Any

import pytest

from tests.reliability import privacy
from tests.reliability.injections import by_script
from tournament.services.audit_verification import verify
from tournament.services.erasure_kinds import KINDS

# What an eraser may forget.
FORGETTABLE = [kind.name for kind in KINDS]


@pytest.fixture
def files(tmp_path: Path, settings: Any) -> Path:
    """An installation's folder of this test."""
    var = tmp_path / "var"
    var.mkdir()
    for name, value in privacy.settings_of(var).items():
        setattr(settings, name, value)
    return var


@pytest.mark.fault("Y9")
@pytest.mark.fault("Y10")
@pytest.mark.django_db
def test_an_erasure_leaves_nothing_that_was_planted_and_one_that_forgets_is_found(files: Path, tmp_path: Path) -> None:
    events, planted = privacy.plant(tmp_path / "fixtures")
    before = privacy.found_in([*privacy.rows(), *privacy.files(files)], planted)
    assert len(before) >= 200
    assert {one.door for one in planted} == {one.door for one in before} | {"list"}
    assert privacy.stays_by_design(events) == 4  # a call and its answer, each with its entry
    missed = [name for name in FORGETTABLE if not privacy.forgotten(events, planted, name)]
    assert missed == []
    privacy.erase_all(events)
    assert sorted(privacy.found_in([*privacy.rows(), *privacy.files(files)], planted)) == []
    assert (verify().findings, by_script([])) == ([], (0, ""))

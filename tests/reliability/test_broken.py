"""What the controls break is still where they look for it, and shows."""

import pytest

from tests.reliability.broken import EXPORTS, MERGING, RULES
from tests.scoring.tournaments import compare_seeded
from tournament.core.cells import csv_cell_text


@pytest.mark.parametrize("name", RULES)
def test_the_re_scorer_notices_each_rule_that_is_broken_and_nothing_afterwards(name: str) -> None:
    with RULES[name].done():
        assert compare_seeded(range(1, 3), 120, 12)["differing"] > 0
    assert compare_seeded(range(1, 2), 60, 12)["differing"] == 0


def test_each_safety_of_exports_can_be_taken_away_and_comes_back() -> None:
    for breakage in (*EXPORTS.values(), *MERGING.values()):
        with breakage.done():
            pass
    with EXPORTS["no quote before a formula"].done():
        assert csv_cell_text("=1+1") == "=1+1"
    assert csv_cell_text("=1+1") == "'=1+1"

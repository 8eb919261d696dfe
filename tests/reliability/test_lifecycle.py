"""Q3 asks every kind of request: `make reliability` leads the lives."""

from collections import Counter

from tests.reliability import lifecycle
from tests.reliability.lifecycle_model import TRANSITIONS, all_cells


def test_what_is_wanted_of_the_lives_is_every_act_by_everybody_in_every_state() -> None:
    assert len(lifecycle.wanting(Counter())) == len(all_cells()) + len(TRANSITIONS)

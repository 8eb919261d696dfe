"""Chance roles at two events, at every address of one: a small sample here, a larger one in `make reliability`."""

import pytest

from tests.reliability import mixed_roles
from tests.tournament.test_permissions_matrix import made, world
from tournament.enums import Role
from tournament.models import Event

__all__ = ["made", "world"]


def test_what_an_event_answers_follows_from_the_roles_at_it(world: Event) -> None:
    tried, wrong = mixed_roles.run(world, seed=0)
    assert wrong == []
    assert tried > mixed_roles.A_PERSON


@pytest.mark.once
def test_roles_that_are_looked_up_anywhere_are_found_out(world: Event) -> None:
    """The control."""
    with mixed_roles.careless():
        _tried, wrong = mixed_roles.ask_everywhere(world, "low_here", [Role.REFEREE], list(Role))
    assert wrong != []

"""A few rounds of decisions taken by eight at once; the larger numbers run in `make reliability`."""

import pytest
from django.db import connection

from tests.reliability import races_decisions

ROUNDS, CONTROL_ROUNDS = 2, 3


@pytest.mark.django_db(transaction=True)
def test_what_eight_decide_at_once_is_decided_once_and_everybody_is_told() -> None:
    """On SQLite one writes at a time whatever is locked: the control shows nothing there."""
    figures = races_decisions.figures(ROUNDS, CONTROL_ROUNDS)
    assert [(figure.title, figure.failures, figure.facts) for figure in figures if figure.failures] == []
    assert len(figures) == 5
    if connection.vendor == "postgresql":
        assert [(figure.title, figure.facts) for figure in figures if not figure.control_failures] == []

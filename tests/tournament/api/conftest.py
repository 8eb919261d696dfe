"""Programs with each account's token."""

from collections.abc import Callable

import pytest

from tests.tournament.api.caller import Caller

Call = Callable[..., Caller]


@pytest.fixture
def caller() -> Call:
    """A function: a program with a token of the account given."""
    return Caller

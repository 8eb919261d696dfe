"""Programs with each account's token."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from tests.tournament.api.caller import Caller
from tests.tournament.tables import settle
from tournament.models import Session, Table

Call = Callable[..., Caller]


@pytest.fixture
def caller() -> Call:
    """A function: a program with a token of the account given."""
    return Caller


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables of a session whose draw is confirmed: entrants 301 to 311."""
    return settle(first_session, organiser, [4, 4, 3])

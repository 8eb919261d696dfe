"""What the tests of tables and tablets begin with."""

import pytest
from django.contrib.auth.models import User

from tests.tournament.api.tablet_caller import Tablet, paired
from tests.tournament.tables import settle
from tournament.models import Session, Table


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables of a session whose draw is confirmed: entrants 301 to 311."""
    return settle(first_session, organiser, [4, 4, 3])


@pytest.fixture
def tablet(tables: list[Table], first_session: Session, referee: User, organiser: User) -> Tablet:
    """A tablet at tables 1 and 2, open."""
    return paired(first_session, referee, organiser)

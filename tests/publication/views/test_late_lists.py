"""The lists of the day's end ask as many queries for three rows as for one: cut, places, releases, held items."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.sheets.sheets import mirrored_tables
from tests.sheets.tables import settle
from tests.tablets.held import late, said
from tests.tablets.tablet_caller import Tablet
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.services import release
from tournament.releases.models import Release
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db
DESK = "/desk/hk-2026/"


def queries_of(client: Client, path: str) -> int:
    """How many queries a page asks."""
    with CaptureQueriesContext(connection) as asked:
        assert client.get(DESK + path).status_code == 200
    return len(asked)


@pytest.fixture
def desk(organiser: User, signed_in: Callable[[User], Client]) -> Client:
    """The organiser's browser, which has read a page before."""
    client = signed_in(organiser)
    client.get(DESK)
    return client


@pytest.fixture
def played(first_session: Session, organiser: User) -> Session:
    """Two tables' results; two advance."""
    mirrored_tables(first_session, organiser, advance=2)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    return first_session


def advance(session: Session, places: int) -> None:
    session.stage.advance = places
    session.stage.save(update_fields=["advance"])


def released(session: Session, by: User) -> Release:
    return release.release_results(session.stage, by=by)


def test_the_cut_asks_as_many_for_six_who_advance_as_for_two(desk: Client, played: Session) -> None:
    few = queries_of(desk, "preliminary/qualification/")
    advance(played, 6)
    assert queries_of(desk, "preliminary/qualification/") == few


def test_the_places_ask_as_many_for_three_answers_as_for_one(desk: Client, played: Session, organiser: User) -> None:
    advance(played, 4)
    released(played, organiser)
    answered = {"answer": "accepted", "seen": "0"}
    desk.post(f"{DESK}preliminary/places/1/answer/", answered)
    desk.get(f"{DESK}preliminary/places/")
    one = queries_of(desk, "preliminary/places/")
    for number in (2, 5):
        assert desk.post(f"{DESK}preliminary/places/{number}/answer/", answered).status_code == 302
    desk.get(f"{DESK}preliminary/places/")
    assert queries_of(desk, "preliminary/places/") == one


def test_the_releases_ask_as_many_for_three_as_for_one(desk: Client, played: Session, organiser: User) -> None:
    release.withdraw_release(released(played, organiser), reason="too early", by=organiser)
    one = queries_of(desk, "releases/")
    for _again in range(2):
        release.withdraw_release(released(played, organiser), reason="too early", by=organiser)
    assert Release.objects.count() == 3
    assert queries_of(desk, "releases/") == one


def test_the_held_items_ask_as_many_for_three_as_for_one(
    desk: Client, tables: list[Table], tablet: Tablet, referee: User, organiser: User
) -> None:
    body: dict[str, Any] = said(referee, reason="two lifted their racks")
    late(tablet, organiser, "call", body, "late-1")
    one = queries_of(desk, "tablets/held/")
    for key in ("late-2", "late-3"):
        late(tablet, organiser, "call", body, key)
    assert queries_of(desk, "tablets/held/") == one


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables with confirmed seats."""
    return settle(first_session, organiser, [4, 4, 4])

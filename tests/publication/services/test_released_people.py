"""Who is not as a release froze them: listed with what the log says since, and said in red where it says nothing."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services.people import differing_people
from tournament.publication.services.release import release_results
from tournament.registration.services.changes import change_person
from tournament.releases.models import Release

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/releases/1/"


@pytest.fixture
def made(first_session: Session, organiser: User) -> Release:
    """Eight entrants as they are released."""
    mirrored_tables(first_session, organiser, advance=4)
    return release_results(first_session.stage, by=organiser)


def test_everybody_is_as_released_until_a_record_differs_and_one_past_the_log_is_said_in_red(
    made: Release, organiser: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    assert differing_people(made) == []
    assert "每人的資料與公佈時一致" in squeezed(client.get(PAGE).content.decode())

    changed = Entrant.objects.get(number=2)
    by_the_desk(changed, organiser, school="Another school")
    [one] = differing_people(made)
    assert (one.number, one.changes, one.logged) == ("0002", (), True)
    assert "資料已更改而審計記錄沒有記載" not in squeezed(client.get(PAGE).content.decode())

    Person.objects.filter(entrant__number=3).update(name_en="SOMEBODY Else")
    found = [(each.number, each.logged) for each in differing_people(made)]
    assert found == [("0002", True), ("0003", False)]
    page = squeezed(client.get(PAGE).content.decode())
    assert ("資料已更改而審計記錄沒有記載" in page, '<b class="no">0003</b>' in page) == (True, True)

    # A further change past the log hides behind no older entry.
    Person.objects.filter(entrant__number=2).update(school="A third school")
    assert [each.logged for each in differing_people(made)] == [False, False]


def by_the_desk(entrant: Entrant, by: User, **values: Any) -> None:
    change_person(entrant, revision=entrant.revision, cells=values, reason="As on the form.", by=by)

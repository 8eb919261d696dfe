"""Acts that lock the event's row beside acts that only write an entry about it: they wait for one another, and end.

On PostgreSQL an entry's foreign key asks for the event's row at the commit. A lock that also guards the key would keep
it waiting while whoever holds it waits for the head of the log: a deadlock, told to one of the two as an error.
"""

from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import QuerySet

from tests.sheets.services.test_scoresheets_at_once import WRITERS, at_once, people, save  # noqa: F401
from tests.sheets.tables import settle
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.operations.services.audit_verification import verify_events
from tournament.registration.services.changes import change_person

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 4


def correct_or_save(people: list[User]) -> Counter[str]:  # noqa: F811
    """Half of the writers correct a date of birth, the others save a sheet; how often each answer came."""
    session = Session.objects.select_related("stage__event").get(number=1)
    tables = settle(session, people[0], sizes=(4,) * (WRITERS * ROUNDS))
    children = list(Entrant.objects.filter(event=session.stage.event).order_by("number"))
    answers: Counter[str] = Counter()
    for first in range(0, WRITERS * ROUNDS, WRITERS):

        def act(n: int, first: int = first) -> None:
            if n % 2:
                save(tables[first + n], people[n], f"save {first + n}")
            else:
                child = children[first + n]
                change_person(
                    child, revision=child.revision, cells={"birth_date": f"1985-03-{first + n + 1:02d}"}, by=people[n]
                )

        answers += at_once(act)
    return answers


def test_who_locks_the_event_and_who_only_writes_about_it_never_wait_for_each_other_in_a_ring(
    people: list[User],  # noqa: F811
) -> None:
    assert correct_or_save(people) == {"done": WRITERS * ROUNDS}
    assert verify_events(files=False).findings == []


def test_with_a_lock_on_the_key_as_well_they_do(
    people: list[User],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: only PostgreSQL has locks on rows."""
    ordinary = QuerySet.select_for_update
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, no_key=False, **given: ordinary(rows, **given))
    if connection.vendor == "sqlite":
        assert correct_or_save(people) == {"done": WRITERS * ROUNDS}
    else:
        with pytest.raises(OperationalError, match="deadlock detected"):
            correct_or_save(people)

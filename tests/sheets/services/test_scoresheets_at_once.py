"""Several people and several copies at the same moment, on connections of their own."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.conftest import event_data
from tests.sheets.tables import changed, paper, settle
from tournament.accounts.services import accounts
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role, SheetForm, SheetState
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.setup.services import setup
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Signature, Stamp
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 6


@pytest.fixture
def people(db: None) -> list[User]:
    """As many clerks as writers."""
    event = setup.create_event(event_data())
    return [accounts.create_account(event, f"clerk{n}", "unused-password", "", [Role.CLERK]) for n in range(WRITERS)]


@pytest.fixture
def table(people: list[User]) -> Table:
    """A table of four in the drawn first session."""
    session = Session.objects.select_related("stage__event").get(number=1)
    settle(session, people[0])
    found = queries.find_table_of_event(session.stage.event, 1, 1)
    assert found is not None
    return found


def at_once(act: Callable[[int], Any]) -> Counter[str]:
    """Run `act` on every writer at the same moment: how often each answer came."""
    barrier = Barrier(WRITERS)

    def run(number: int) -> str:
        barrier.wait()
        try:
            act(number)
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(WRITERS) as pool:
        return Counter(pool.map(run, range(WRITERS)))


def save(table: Table, by: User, key: str, revision: int = 0, tiles: str = "3") -> Scoresheet:
    typed = changed(paper(), 1, "A", tiles=tiles)
    return scoresheets.save_scoresheet(
        table, revision=revision, form=SheetForm.PAPER, typed=typed, by=by, request_key=key
    )


@pytest.mark.fault("N1", "N2")
def test_one_request_in_many_copies_is_carried_out_once_and_answered_alike(table: Table, people: list[User]) -> None:
    assert at_once(lambda _n: save(table, people[0], "the same")) == {"done": WRITERS}
    assert (Scoresheet.objects.get().revision, AuditEntry.objects.filter(action="save_scoresheet").count()) == (1, 1)


@pytest.mark.fault("N3")
def test_of_many_who_begin_one_sheet_exactly_one_does(table: Table, people: list[User]) -> None:
    answers = at_once(lambda n: save(table, people[n], f"k{n}"))
    assert answers == {"done": 1, "scoresheet_changed": WRITERS - 1}
    assert Scoresheet.objects.count() == 1


@pytest.mark.fault("N3")
def test_of_many_who_change_one_revision_exactly_one_does(table: Table, people: list[User]) -> None:
    save(table, people[0], "first")
    answers = at_once(lambda n: save(table, people[n], f"k{n}", 1, str(n + 1)))
    assert answers == {"done": 1, "scoresheet_changed": WRITERS - 1}
    sheet = Scoresheet.objects.select_related("typed_by").get()
    winner = people.index(sheet.typed_by)
    assert (sheet.revision, sheet.typed["games"][0]["seats"]["A"]["tiles"]) == (2, str(winner + 1))


def ready(table: Table, by: User) -> None:
    """A sheet of whole numbers that waits for its second person."""
    row = ("rummikub", "0 -14 3", "0 -21 5", "0 -9 2", "1 +44 0")
    typed = paper([row, ("not_played",), ("not_played",)], ["0 -14 3", "0 -21 5", "0 -9 2", "1 44 0"])
    scoresheets.submit_scoresheet(
        table, revision=0, form=SheetForm.PAPER, typed=typed, confirmations={}, by=by, request_key="ready"
    )


def test_a_certificate_and_a_rejection_at_once_leave_one_of_them(table: Table, people: list[User]) -> None:
    ready(table, people[0])

    def act(n: int) -> None:
        if n % 2:
            signing.certify_scoresheet(
                table, revision=2, signatures=dict.fromkeys("ABCD", ""), by=people[n], request_key=f"k{n}"
            )
        elif n:
            signing.reject_scoresheet(table, revision=2, reason="look again", by=people[n], request_key=f"k{n}")
        else:
            scoresheets.reopen_scoresheet(table, revision=2, by=people[0], request_key="k0")

    assert at_once(act)["done"] == 1
    sheet = Scoresheet.objects.get()
    locked = sheet.state == SheetState.CERTIFIED
    assert (sheet.revision, Signature.objects.count(), OfficialSheet.objects.count(), sheet.games.count()) == (
        3,
        4 if locked else 0,
        1 if locked else 0,
        3 if locked else 0,
    )


def test_many_stamps_at_once_are_one_stamp(table: Table, people: list[User]) -> None:
    ready(table, people[0])
    sheet = signing.certify_scoresheet(
        table, revision=2, signatures=dict.fromkeys("ABCD", ""), by=people[1], request_key="c"
    )
    session = table.session
    at_once(
        lambda n: signing.stamp_sheet(sheet, by=people[n]) if n % 2 else signing.stamp_session(session, by=people[n])
    )
    assert (Stamp.objects.count(), AuditEntry.objects.filter(action="stamp_scoresheet").count()) == (1, 1)

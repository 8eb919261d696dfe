"""Several at the desk and at the tables at the same moment: one start, one pause, two warnings, one answer."""

import pytest
from django.contrib.auth.models import User

from tests.sheets.services.test_scoresheets_at_once import WRITERS, at_once, people, table  # noqa: F401
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import JudgeCall, Warning
from tournament.sheets.services import clock
from tournament.tables.models import Table
from tournament.tablets.services import conduct

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_many_at_once_one_starts_one_pauses_two_warn_and_one_answers(
    table: Table,  # noqa: F811
    people: list[User],  # noqa: F811
) -> None:
    session = table.session
    starts = at_once(lambda n: clock.move_session(session, "start", by=people[n], request_key=f"s{n}"))
    assert starts == {"done": 1, "session_moved": WRITERS - 1}
    pauses = at_once(
        lambda n: clock.pause_table(table, letter="B", escort="WONG", acting=ActingAccount(people[n], f"p{n}"))
    )
    assert pauses == {"done": 1, "already_paused": WRITERS - 1}
    warned = at_once(
        lambda n: conduct.warn_entrant(table, letter="B", game=1, reason="x", acting=ActingAccount(people[n], f"w{n}"))
    )
    kept = Warning.objects.count()
    assert (warned["done"], set(warned) - {"done", "third_breach", "warned_at_once"}) == (kept, set())
    assert 1 <= kept <= 2
    call = conduct.call_judge(table, reason="x", acting=ActingAccount(people[0], "c"))
    answers = at_once(lambda n: conduct.answer_judge_call(call, answer=f"{n}", by=people[n], request_key=f"a{n}"))
    assert answers == {"done": 1, "call_answered": WRITERS - 1}
    assert (ClockEvent.objects.count(), JudgeCall.objects.count()) == (2, 1)

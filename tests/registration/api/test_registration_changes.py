"""One entrant changed through the API, judged as a list with that row would be."""

from datetime import date

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.sheets.sheets import add_entrants
from tests.sheets.tables import settle
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person


@pytest.fixture
def entrants(first_session: Session) -> list[Entrant]:
    """Two of the first session: a child and one who could be its parent."""
    made = add_entrants(first_session, [1, 2])
    Person.objects.update(consent_guardian=True, guardian="CHAN")
    Person.objects.filter(entrant__number=2).update(birth_date=date(1980, 5, 1))
    return made


def test_data_are_corrected_from_the_revision_that_was_seen(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    seen = program.get("entrants/1/")
    assert (seen["ETag"], seen.json()["revision"]) == ('"v1"', 1)
    body = {"school": "St Paul", "consent_name": not seen.json()["consent_name"]}
    changed = program.change("entrants/1/change/", body, seen=1)
    assert (changed.status_code, changed["ETag"]) == (200, '"v2"')
    now = program.get("entrants/1/").json()
    assert (now["school"], now["consent_name"]) == (body["school"], body["consent_name"])
    late = program.change("entrants/1/change/", {"school": "Other"}, seen=1)
    assert (code(late), late.json()["differences"]) == (
        (412, "entrant_changed"),
        [{"where": "revision", "mine": 1, "theirs": 2}],
    )
    assert "St Paul" not in str(list(RequestKey.objects.values_list("answer", flat=True)))


def test_each_fault_is_told_at_its_column(entrants: list[Entrant], clerk: User) -> None:
    refused = Caller(clerk).change("entrants/1/change/", {"birth_date": "31/2/2012", "email": "nobody"}, seen=1)
    assert refused.status_code == 400
    assert sorted(one["where"] for one in refused.json()["faults"]) == ["birth_date", "email"]
    assert all(one["sentence"] for one in refused.json()["faults"])


def test_an_entrant_moves_to_another_session_with_a_reason(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    moved = program.change("entrants/1/move/", {"session": 2, "reason": "school trip"}, seen=1)
    assert moved.status_code == 200, moved.content
    assert (moved.status_code, moved.json()["session"], moved.json()["revision"]) == (200, 2, 2)
    assert code(program.change("entrants/1/move/", {"session": 99, "reason": "x"}, seen=2)) == (400, "no_such_session")
    accepted = program.change("entrants/1/move/", {"session": 1, "reason": "x", "accept_birthday": True}, seen=2)
    assert code(accepted) == (403, "not_your_role")


def test_a_seat_is_given_up_with_the_move_by_who_may_change_seats(
    first_session: Session, organiser: User, clerk: User
) -> None:
    settle(first_session, organiser)
    Person.objects.update(consent_guardian=True)
    body = {"session": 2, "reason": "school trip", "seat": "1C"}
    assert code(Caller(clerk).change("entrants/303/move/", body, seen=1)) == (403, "not_your_role")
    moved = Caller(organiser).change("entrants/303/move/", body, seen=1)
    assert (moved.status_code, moved.json()["session"]) == (200, 2), moved.content
    assert first_session.tables.get().seats.count() == 3


def test_a_family_is_joined_and_parted(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    joined = program.change("entrants/1/family/", {"role": "child", "other": 2}, seen=1)
    assert (joined.status_code, joined.json()["family"], joined.json()["family_role"]) == (200, "F-0001", "child")
    assert program.get("entrants/2/").json()["family_role"] == "parent"
    parted = program.change("entrants/1/part/", seen=2)
    assert (parted.json()["family"], parted.json()["family_role"]) == (None, "")
    assert code(program.change("entrants/1/family/", {"role": "child", "other": 77}, seen=3)) == (
        400,
        "no_such_entrant",
    )


def test_a_name_with_layout_in_it_is_taken_and_told(entrants: list[Entrant], clerk: User) -> None:
    program = Caller(clerk)
    told = program.change("entrants/1/change/", {"name_zh": "陳\u3000小\ufe00明"}, seen=1)
    assert (told.status_code, [(one["where"], one["code"]) for one in told.json()["notes"]]) == (
        200,
        [("name_zh", "name_layout")],
    )
    plain = program.change("entrants/1/change/", {"name_zh": "陳小明"}, seen=2)
    assert (plain.status_code, plain.json()["notes"]) == (200, [])

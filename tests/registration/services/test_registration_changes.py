"""One entrant changed at the desk: by the rules of a list, by compare-and-swap, and harmless when sent twice."""

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.entrant_lists import csv_of, sound_row
from tests.registration.services.test_importing_changes import CHILD, locked_games
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SessionState
from tournament.core.errors import BadInput, Locked, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Ruling
from tournament.registration.services import changes, importing, importing_preview
from tournament.seating.services import seating
from tournament.sheets.services import registration


def entered(event: Event, by: User, *rows: dict[str, Any]) -> list[Entrant]:
    kept = importing.read_file(event, name="a.csv", content=csv_of(list(rows)), by=by)
    importing.import_file(kept, by=by, seen=importing_preview.build_preview(kept).digest)
    return [fresh(number) for number in Entrant.objects.order_by("number").values_list("number", flat=True)]


def fresh(number: int) -> Entrant:
    """The entrant as it stands."""
    return Entrant.objects.select_related("person", "session", "family", "event").get(number=number)


def entries() -> list[tuple[str, str, str, str]]:
    """What the audit says of entrants: act, columns, reason."""
    found = AuditEntry.objects.filter(subject__startswith="entrant 0").order_by("seq")
    return [(one.subject, one.action, ", ".join(one.details.get("columns", ())), one.reason) for one in found]


def test_contact_data_and_consents_are_changed_once_and_only_fields_are_audited(event: Event, organiser: User) -> None:
    [entrant] = entered(event, organiser, sound_row(1))
    cells = {"phone": "９１２３ 4567", "email": "a@example.org", "consent_photo": "是", "school": " 白田小學 "}
    for _ in range(2):
        changes.change_person(entrant, revision=1, cells=cells, reason="家長來電", by=organiser)
    person = fresh(1).person
    assert (person.phone, person.email, person.consent_photo, person.school, fresh(1).revision) == (
        "+85291234567",
        "a@example.org",
        True,
        "白田小學",
        2,
    )
    assert entries() == [("entrant 0001", "change_entrant", "phone, email, school, consent_photo", "家長來電")]


def test_every_fault_is_told_and_nothing_is_changed(event: Event, organiser: User) -> None:
    [entrant] = entered(event, organiser, sound_row(1))
    cells = {"phone": "123", "birth_date": "31/2/2012", "name_en": "", "school": "A123456(3)", "name_zh": "陳\u202e"}
    with pytest.raises(BadInput) as refused:
        changes.change_person(entrant, revision=1, cells=cells, by=organiser)
    assert [(fault.place.column, fault.code) for fault in refused.value.about] == [
        ("name_zh", "forbidden_character"),
        ("name_en", "name_en_missing"),
        ("birth_date", "date_no_such_day"),
        ("phone", "phone_not_hong_kong"),
        ("school", "looks_like_identity_number"),
    ]
    assert (fresh(1).revision, entries()) == (1, [])


def test_somebody_else_was_first_and_nothing_is_lost(event: Event, organiser: User, clerk: User) -> None:
    [entrant] = entered(event, organiser, sound_row(1))
    changes.change_person(entrant, revision=1, cells={"school": "A"}, by=clerk)
    with pytest.raises(StaleVersion):
        changes.change_person(entrant, revision=1, cells={"school": "B"}, by=organiser)
    registration.record_absence(fresh(1), status=EntrantStatus.WITHDRAWN, reason="x", by=clerk)
    with pytest.raises(StaleVersion):
        changes.change_person(entrant, revision=2, cells={"school": "B"}, by=organiser)
    assert (fresh(1).person.school, fresh(1).revision) == ("A", 3)


def test_a_name_that_makes_two_of_one_person_is_refused(event: Event, organiser: User) -> None:
    entered(event, organiser, sound_row(1), sound_row(2))
    with pytest.raises(Refused) as refused:
        changes.change_person(fresh(1), revision=1, cells={"name_en": fresh(2).person.name_en}, by=organiser)
    assert (refused.value.code, refused.value.status) == ("person_entered", 409)


def test_a_move_takes_a_free_place_with_its_reason(event: Event, organiser: User) -> None:
    [entrant] = entered(event, organiser, sound_row(1))
    for _ in range(2):
        changes.move_to_session(entrant, session=5, revision=1, reason="學校活動", by=organiser)
    assert fresh(1).session.number == 5
    assert entries() == [("entrant 0001", "change_entrant", "session", "學校活動")]
    with pytest.raises(BadInput):
        changes.move_to_session(fresh(1), session=99, revision=2, reason="x", by=organiser)
    with pytest.raises(BadInput):
        changes.move_to_session(fresh(1), session=6, revision=2, reason=" ", by=organiser)


def test_age_is_judged_on_the_day_of_the_session_moved_to(event: Event, organiser: User, clerk: User) -> None:
    boundary = {"consent_guardian": "是", "session": "12"}
    rows = [sound_row(1, birth_date="2019-03-29", **boundary), sound_row(2, birth_date="2019-04-06", **boundary)]
    entered(event, organiser, *rows)
    with pytest.raises(BadInput) as young:
        changes.move_to_session(fresh(1), session=1, revision=1, reason="x", by=organiser)
    with pytest.raises(Refused) as asked:
        changes.move_to_session(fresh(2), session=5, revision=1, reason="x", by=organiser)
    assert (young.value.code, asked.value.code) == ("too_young", "birthday_on_the_day")
    changes.move_to_session(fresh(2), session=5, revision=1, reason="大會接受", by=organiser, accept_birthday=True)
    assert (fresh(2).session.number, list(Ruling.objects.values_list("kind", "reason"))) == (
        5,
        [("age_accepted", "大會接受")],
    )


def test_what_holds_an_entrant_fast_says_so(event: Event, organiser: User) -> None:
    entered(event, organiser, *(sound_row(number) for number in range(1, 6)))
    first = Session.objects.get(stage__event=event, number=1)

    def code(number: int) -> str:
        entrant = fresh(number)
        with pytest.raises(Refused) as refused:
            changes.move_to_session(entrant, session=2, revision=entrant.revision, reason="x", by=organiser)
        return refused.value.code

    changes.move_to_session(fresh(5), session=2, revision=1, reason="x", by=organiser)
    draw = seating.draw_session(first, seed=1, by=organiser)
    seating.confirm_session_draw(first, revision=draw.revision, by=organiser)
    assert code(1) == "seat_confirmed"
    registration.record_absence(fresh(2), status=EntrantStatus.FORFEITED, reason="x", by=organiser)
    assert code(2) == "absent_keeps_session"
    Session.objects.filter(stage__event=event, number=2).update(state=SessionState.PLAYING)
    assert code(3) == "seat_confirmed"
    entrant = fresh(5)
    with pytest.raises(Refused) as played:
        changes.move_to_session(entrant, session=3, revision=entrant.revision, reason="x", by=organiser)
    assert played.value.code == "session_played"


def test_a_signed_sheet_holds_the_session_and_lets_contact_data_change(event: Event, organiser: User) -> None:
    entered(event, organiser, sound_row(1), sound_row(2, **CHILD))
    locked_games(fresh(1))
    with pytest.raises(Locked):
        changes.move_to_session(fresh(1), session=2, revision=1, reason="x", by=organiser)
    changes.change_person(fresh(1), revision=1, cells={"phone": "9123 4567"}, reason="By mail", by=organiser)
    assert fresh(1).person.phone == "+85291234567"


def test_a_pair_is_declared_and_ended_once(event: Event, organiser: User) -> None:
    child, parent, third = entered(event, organiser, sound_row(1, **CHILD), sound_row(2), sound_row(3))
    for _ in range(2):
        changes.join_family(child, parent, revision=1, about=parent, by=organiser)
    assert [(each.family.code if each.family else "", each.family_role) for each in map(fresh, (1, 2, 3))] == [
        ("F-0001", "child"),
        ("F-0001", "parent"),
        ("", ""),
    ]
    with pytest.raises(Refused) as many:
        changes.join_family(fresh(1), third, revision=1, about=third, by=organiser)
    assert many.value.code == "family_of_many"
    for _ in range(2):
        changes.part_family(fresh(2), revision=fresh(2).revision, by=organiser)
    assert Entrant.objects.exclude(family=None).count() == 0
    assert [entry[:2] for entry in entries()] == [(f"entrant 000{number}", "change_entrant") for number in (1, 2, 1, 2)]
    changes.join_family(fresh(1), fresh(3), revision=fresh(1).revision, about=fresh(1), by=organiser)
    assert fresh(3).family is not None


@pytest.mark.parametrize(
    ("child", "parent", "code"),
    [
        ("2007-03-28", "1980-01-01", "child_too_old"),
        ("2016-01-01", "2008-03-29", "parent_too_young"),
        ("2008-01-01", "2008-02-01", "parent_not_older"),
    ],
)
def test_a_pair_is_of_the_right_ages(event: Event, organiser: User, child: str, parent: str, code: str) -> None:
    rows = [sound_row(number, birth_date=birth, consent_guardian="是") for number, birth in ((1, child), (2, parent))]
    one, two = entered(event, organiser, *rows)
    with pytest.raises(BadInput) as refused:
        changes.join_family(one, two, revision=1, about=one, by=organiser)
    assert (refused.value.code, Entrant.objects.exclude(family=None).count()) == (code, 0)
    with pytest.raises(BadInput):
        changes.join_family(one, one, revision=1, about=one, by=organiser)


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_given_once(event: Event, organiser: User) -> None:
    rows = [sound_row(number, session="2" if number <= 99 else "1") for number in range(1, 107)]
    entered(event, organiser, *rows)
    answers: list[str] = []
    start = threading.Barrier(4, timeout=30)

    def run(entrant: Entrant) -> None:
        start.wait()
        try:
            changes.move_to_session(entrant, session=2, revision=1, reason="x", by=organiser)
            answers.append("moved")
        except Refused as refused:
            answers.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(fresh(number),)) for number in range(100, 104)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["moved", "session_full", "session_full", "session_full"]
    assert Entrant.objects.filter(session__number=2).count() == 100

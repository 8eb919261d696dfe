"""Entrants checked in, undone, looked at: once, with who and when, and nothing that disagrees is lost."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.recorded import altered_rows
from tests.sheets.tables import settle
from tournament.arrivals.domain import read_arrivals_board
from tournament.arrivals.models import Arrival, DoorCheck
from tournament.arrivals.services import check_in as services
from tournament.audit.models import AuditEntry
from tournament.core.enums import DoorCheckKind, EntrantStatus, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.people import Entrant
from tournament.sheets.services import registration
from tournament.tables.models import Table


@pytest.fixture
def door(tables: list[Table], first_session: Session) -> Session:
    """A session with 301 to 311 at three tables."""
    return first_session


def entries(*actions: str) -> list[tuple[str, str, object]]:
    found = AuditEntry.objects.filter(action__in=actions).order_by("seq")
    return list(found.values_list("action", "subject", "details"))


def by_device(session: Session, by: User) -> ActingAccount:
    """A device at the door that was without network for half an hour."""
    now = timezone.now()
    device = Device.objects.create(
        event=session.stage.event,
        session=session,
        number=7,
        referee=by,
        digest="d" * 64,
        paired_by=by,
        paired_at=now,
        expires_at=now + timedelta(hours=2),
    )
    return ActingAccount(by, "", device, now - timedelta(minutes=30))


def test_a_family_is_checked_in_by_one_act_and_sent_twice_it_is_once(door: Session, clerk: User) -> None:
    acting = ActingAccount(clerk, "")
    assert services.check_in(door, [302, 301, 302], acting=acting) == [301, 302]
    assert services.check_in(door, [301, 302], acting=acting) == []
    assert list(Arrival.objects.values_list("entrant__number", "by", "claimed_at")) == [
        (301, clerk.pk, None),
        (302, clerk.pk, None),
    ]
    at = {"session": door.code}
    assert entries("check_in") == [("check_in", "entrant 0301", at), ("check_in", "entrant 0302", at)]
    assert altered_rows() == []


def test_all_of_a_family_or_none(door: Session, clerk: User, event: Event) -> None:
    Entrant.objects.filter(number=302).update(session=Session.objects.get(stage__event=event, number=2))
    with pytest.raises(Refused) as refused:
        services.check_in(door, [301, 302], acting=ActingAccount(clerk, ""))
    assert (refused.value.code, Arrival.objects.count(), entries("check_in")) == ("other_session", 0, [])


@pytest.mark.parametrize(
    ("numbers", "code"), [([], "nobody_named"), ([999], "no_such_entrant"), ([301, 999], "no_such_entrant")]
)
def test_a_number_that_nobody_has_checks_nobody_in(door: Session, clerk: User, numbers: list[int], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        services.check_in(door, numbers, acting=ActingAccount(clerk, ""))
    assert (refused.value.code, Arrival.objects.count()) == (code, 0)


@pytest.mark.parametrize("status", [EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED])
def test_the_desk_checks_nobody_in_who_takes_no_part(door: Session, clerk: User, status: EntrantStatus) -> None:
    Entrant.objects.filter(number=301).update(status=status)
    with pytest.raises(Refused) as refused:
        services.check_in(door, [301], acting=ActingAccount(clerk, ""))
    assert refused.value.code == "not_taking_part"


@pytest.mark.parametrize("state", [SessionState.VOID, SessionState.POSTPONED])
def test_a_session_that_is_void_or_postponed_has_no_door(door: Session, clerk: User, state: SessionState) -> None:
    Session.objects.filter(pk=door.pk).update(state=state)
    with pytest.raises(Refused) as refused:
        services.check_in(door, [301], acting=ActingAccount(clerk, ""))
    assert refused.value.code == "session_off"


def test_a_tick_on_paper_is_typed_with_its_time_and_an_earlier_time_counts(door: Session, clerk: User) -> None:
    now = timezone.now()
    services.check_in(door, [301], acting=ActingAccount(clerk, ""))
    for minutes in (20, 10):
        acting = ActingAccount(clerk, "", claimed_at=now - timedelta(minutes=minutes))
        services.check_in(door, [301], acting=acting)
    [one] = [each for each in read_arrivals_board(door).here if each.entrant.number == 301]
    assert (one.arrived_at, Arrival.objects.count()) == (now - timedelta(minutes=20), 2)
    with pytest.raises(BadInput) as refused:
        services.check_in(door, [302], acting=ActingAccount(clerk, "", claimed_at=now + timedelta(hours=1)))
    assert refused.value.code == "arrival_in_future"


def test_an_undo_leaves_the_row_with_who_took_it_back(door: Session, clerk: User, organiser: User) -> None:
    services.check_in(door, [301], acting=ActingAccount(clerk, ""))
    undone = [
        services.undo_check_in(door, 301, reason=" the sister ", acting=ActingAccount(organiser, "")) for _time in "12"
    ]
    assert undone == [True, False]
    assert list(Arrival.objects.values_list("entrant__number", "by", "undone_by", "undone_reason")) == [
        (301, clerk.pk, organiser.pk, "the sister")
    ]
    assert entries("undo_check_in") == [("undo_check_in", "entrant 0301", {"session": door.code})]
    assert read_arrivals_board(door).here == []
    assert services.check_in(door, [301], acting=ActingAccount(clerk, "")) == [301]
    assert altered_rows() == []


def test_an_age_proof_is_recorded_once_taken_back_and_recorded_anew(door: Session, clerk: User) -> None:
    act = ActingAccount(clerk, "")
    event, kind = door.stage.event, DoorCheckKind.AGE
    done = [services.record_door_check(event, 301, kind, acting=act) for _time in "12"]
    back = [services.undo_door_check(event, 301, kind, acting=act) for _time in "12"]
    again = services.record_door_check(event, 301, kind, acting=act)
    assert (done, back, again) == ([True, False], [True, False], True)
    assert list(DoorCheck.objects.values_list("kind", "undone_by")) == [("age", clerk.pk), ("age", None)]
    assert altered_rows() == []


def test_a_consent_at_the_door_is_entered_in_the_entrants_column_and_taken_out_again(
    door: Session, clerk: User
) -> None:
    entrant = Entrant.objects.select_related("person").get(number=301)
    act, kind, event = ActingAccount(clerk, ""), DoorCheckKind.CONSENT, door.stage.event
    lacking = [one.lacks_consent for one in read_arrivals_board(door).people if one.entrant.number == 301]
    services.record_door_check(event, 301, kind, acting=act)
    entrant.person.refresh_from_db()
    given = entrant.person.consent_guardian
    services.undo_door_check(event, 301, kind, acting=act)
    entrant.person.refresh_from_db()
    assert (lacking, given, entrant.person.consent_guardian) == ([True], True, False)
    assert [one[0] for one in entries("record_door_check", "undo_door_check", "change_entrant")] == [
        *("change_entrant", "record_door_check"),
        *("change_entrant", "undo_door_check"),
    ]


def test_what_a_device_brings_after_a_change_at_the_desk_is_kept_beside_it(
    door: Session, clerk: User, chief_judge: User, event: Event
) -> None:
    reason = {"reason": "not there", "by": chief_judge}
    gone = {one.number: one for one in Entrant.objects.filter(event=event)}
    registration.record_absence(gone[301], status=EntrantStatus.FORFEITED, **reason)
    registration.record_absence(gone[302], status=EntrantStatus.WITHDRAWN, **reason)
    Entrant.objects.filter(number=303).update(session=Session.objects.get(stage__event=event, number=2))
    assert services.check_in(door, [301, 302, 303, 304], acting=by_device(door, clerk)) == [301, 302, 303, 304]
    board = read_arrivals_board(door)
    assert [(one.arrival.entrant.number, one.why) for one in board.conflicts] == [
        (301, "forfeited"),
        (302, "withdrawn"),
        (303, "elsewhere"),
    ]
    assert Entrant.objects.get(number=301).status == EntrantStatus.FORFEITED
    registration.readmit_entrant(Entrant.objects.get(number=301), reason="was at the door", by=chief_judge)
    services.undo_check_in(door, 303, reason="sent to the other session", acting=ActingAccount(clerk, ""))
    assert [one.why for one in read_arrivals_board(door).conflicts] == ["withdrawn"]


def test_who_came_and_withdrew_afterwards_is_no_conflict(door: Session, clerk: User, chief_judge: User) -> None:
    services.check_in(door, [301], acting=ActingAccount(clerk, ""))
    entrant = Entrant.objects.get(number=301)
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="ill", by=chief_judge)
    assert read_arrivals_board(door).conflicts == []


def test_the_board_reads_as_many_rows_with_few_questions(
    first_session: Session, organiser: User, django_assert_num_queries: object
) -> None:
    settle(first_session, organiser, [4] * 6)
    services.check_in(first_session, [301, 302], acting=ActingAccount(organiser, ""))
    with django_assert_num_queries(7):  # type: ignore[operator]
        board = read_arrivals_board(first_session)
    assert (board.expected, len(board.here), len(board.absent)) == (24, 2, 22)
    assert [(table.number, table.missing) for table in board.tables][:2] == [(1, 2), (2, 4)]

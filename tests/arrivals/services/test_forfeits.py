"""The press of the seating time: who was listed and is not there forfeits, and one press takes it back."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.recorded import altered_rows
from tournament.arrivals.domain import read_arrivals_board
from tournament.arrivals.models import Forfeiture
from tournament.arrivals.services import check_in, forfeits
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.people import Entrant
from tournament.sheets.services import clock, registration
from tournament.tables.models import Table

OK, FORFEITED = EntrantStatus.OK, EntrantStatus.FORFEITED


def seating_at(session: Session, at: datetime) -> Session:
    """The same session with another seating time."""
    Session.objects.filter(pk=session.pk).update(seating_at=at)
    return Session.objects.select_related("stage__event").get(pk=session.pk)


@pytest.fixture
def over(tables: list[Table], first_session: Session) -> Session:
    """301 to 311, two minutes after the seating time."""
    return seating_at(first_session, timezone.now().replace(second=0, microsecond=0) - timedelta(minutes=2))


@pytest.fixture
def desk(organiser: User) -> ActingAccount:
    return ActingAccount(organiser, "")


def statuses(*numbers: int) -> list[str]:
    return [Entrant.objects.get(number=number).status for number in numbers]


def test_one_press_records_all_who_are_listed_and_not_there_and_no_other(over: Session, desk: ActingAccount) -> None:
    came = ActingAccount(desk.by, "", claimed_at=over.seating_at + timedelta(seconds=59))
    check_in.check_in(over, [301], acting=came)
    check_in.check_in(over, [302], acting=desk)
    board = read_arrivals_board(over)
    assert [one.entrant.number for one in board.forfeits] == list(range(302, 312))
    row = forfeits.forfeit_absent(over, [301, 302, 303, 304], acting=desk)
    assert row is not None
    assert row.numbers == [302, 303, 304]
    assert statuses(301, 302, 303, 304, 305) == [OK, FORFEITED, FORFEITED, FORFEITED, OK]
    assert forfeits.forfeit_absent(over, [301, 302, 303, 304], acting=desk) is None
    written = AuditEntry.objects.filter(action__in=("record_no_show", "forfeit_absent")).order_by("seq")
    assert list(written.values_list("action", "subject")) == [
        *[("record_no_show", f"entrant 0{number}") for number in (302, 303, 304)],
        ("forfeit_absent", f"session {over.code}"),
    ]
    assert altered_rows() == []


def test_the_press_is_taken_back_as_one_and_what_was_changed_since_stays(
    over: Session, desk: ActingAccount, chief_judge: User
) -> None:
    forfeits.forfeit_absent(over, [301, 302, 303], acting=desk)
    entrant = Entrant.objects.get(number=302)
    registration.record_absence(entrant, status=EntrantStatus.DISQUALIFIED, reason="x", by=chief_judge)
    done = [forfeits.revert_forfeits(over, acting=desk) for _time in "12"]
    assert [one is not None for one in done] == [True, False]
    assert statuses(301, 302, 303) == [OK, EntrantStatus.DISQUALIFIED, OK]
    assert list(Forfeiture.objects.values_list("numbers", "undone_by")) == [([301, 302, 303], desk.by.pk)]
    assert altered_rows() == []


def test_nobody_forfeits_within_the_minute_of_the_seating_time(first_session: Session, desk: ActingAccount) -> None:
    now = seating_at(first_session, timezone.now())
    with pytest.raises(Refused) as refused:
        forfeits.forfeit_absent(now, [301], acting=desk)
    assert refused.value.code == "too_early"


def test_once_play_has_begun_there_is_neither_the_press_nor_its_undo(
    over: Session, desk: ActingAccount, organiser: User
) -> None:
    forfeits.forfeit_absent(over, [301], acting=desk)
    clock.move_session(over, "start", by=organiser, request_key="start")
    codes = []
    for act in (
        lambda: forfeits.forfeit_absent(over, [302], acting=desk),
        lambda: forfeits.revert_forfeits(over, acting=desk),
    ):
        with pytest.raises(Refused) as refused:
            act()
        codes.append(refused.value.code)
    assert (codes, statuses(301, 302)) == (["play_has_begun"] * 2, [FORFEITED, OK])


def test_an_empty_list_is_no_press(over: Session, desk: ActingAccount) -> None:
    with pytest.raises(BadInput):
        forfeits.forfeit_absent(over, [], acting=desk)
    assert Forfeiture.objects.count() == 0

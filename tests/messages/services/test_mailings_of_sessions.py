"""Moving a session ends the mail of its seats at once, and other times of the final that of its places."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.finalists.invited import invited
from tests.mail.mails import link_places, mail_places, mail_seats, seat_families
from tests.messages.mailed import acts, clean, ended, outcome
from tournament.core.enums import MailingState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.messages.models import Mailing
from tournament.setup.services.later_stage import plan_of_stage, set_up_stage
from tournament.setup.services.plan import PLANNED_TIME_FIELDS
from tournament.sheets.services import clock
from tournament.weather.services import postponing
from tournament.weather.services.postponing_replay import replay_session
from tournament.weather.services.postponing_times import set_times, times_on_day

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def known_from_outside(settings: Any) -> None:
    settings.SITE_URL = "https://rummikub.example.org"


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Twelve with a released ranking, of whom four advance."""
    return invited(first_session, organiser)[0]


@pytest.fixture
def places(stage: Stage, organiser: User) -> Mailing:
    """The links of four, nothing sent yet."""
    link_places(stage, organiser)
    return mail_places(stage, organiser)


@pytest.fixture
def seats(first_session: Session, organiser: User) -> Mailing:
    """The seats of seven, nothing sent yet."""
    seat_families(first_session, organiser)
    return mail_seats(first_session, organiser)


def broken_off(session: Session, by: User) -> Session:
    """Started and stopped while it was played."""
    clock.move_session(session, "start", by=by, request_key="s")
    clock.move_session(session, "suspend", by=by, request_key="p")
    session.refresh_from_db()
    return session


def test_postponing_a_session_ends_the_mail_of_its_seats_in_its_own_transaction(
    seats: Mailing, first_session: Session, organiser: User
) -> None:
    postponing.postpone_sessions([first_session], reason="black rain", by=organiser)
    assert outcome(seats) == (MailingState.STOPPED, ended("session_postponed", "0328-1"), {"stopped": 7})
    counts = {"sent": 0, "count": 7, "stopped": 7}
    assert acts()[0] == ("end_mailing", "organiser", {**ended("session_postponed", "0328-1"), **counts})
    assert clean() == []


def test_a_session_that_is_not_postponed_keeps_the_mail_of_its_seats(
    seats: Mailing, first_session: Session, organiser: User
) -> None:
    others = Session.objects.filter(stage=first_session.stage).exclude(pk=first_session.pk)
    postponing.postpone_sessions(others[:1], reason="black rain", by=organiser)
    assert outcome(seats) == (MailingState.SENDING, {}, {"waiting": 7})


def test_playing_a_session_anew_ends_the_mail_of_its_seats(
    seats: Mailing, first_session: Session, organiser: User
) -> None:
    replay_session(broken_off(first_session, organiser), reason="TC8", by=organiser)
    assert outcome(seats) == (MailingState.STOPPED, ended("session_over", "0328-1"), {"stopped": 7})


@pytest.mark.parametrize("act", ["postpone", "set up"])
def test_other_times_of_the_final_end_the_mail_of_places(
    act: str, places: Mailing, stage: Stage, organiser: User
) -> None:
    final = Session.objects.get(stage__event=stage.event, stage__kind="final")
    if act == "postpone":
        postponing.postpone_sessions([final], reason="black rain", by=organiser)
    else:
        event, hour = Event.objects.get(pk=stage.event_id), timedelta(hours=1)
        plan = plan_of_stage(event)
        assert plan is not None
        later = [
            replace(one, **{name: getattr(one, name) + hour for name in PLANNED_TIME_FIELDS}) for one in plan.sessions
        ]
        set_up_stage(event, revision=event.revision, plan=replace(plan, sessions=tuple(later)), by=organiser)
    assert outcome(places) == (MailingState.STOPPED, ended("places_times"), {"stopped": 4})


def test_new_times_of_the_final_end_what_was_mailed_while_it_had_none(stage: Stage, organiser: User) -> None:
    final = Session.objects.get(stage__event=stage.event, stage__kind="final")
    link_places(stage, organiser)
    postponing.postpone_sessions([final], reason="black rain", by=organiser)
    row = mail_places(stage, organiser)
    wanted, before = (
        [times_on_day(final, final.original_date + timedelta(days=1))],
        final.check_in_at - timedelta(days=2),
    )
    set_times(stage.event, wanted, reason="the hall is free", by=organiser, now=before)
    assert outcome(row) == (MailingState.STOPPED, ended("places_times"), {"stopped": 4})

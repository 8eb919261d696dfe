"""Words end with their subject: once it is withdrawn, replaced or changed, what is left of its mail is stopped."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone, translation

from tests.finalists.invited import answered, holders, invited
from tests.mail.mails import link_places, mail_places, mail_results, mail_seats, seat_families
from tests.mail.noticed import drafted, told
from tests.messages.mailed import acts, clean, ended, hand_over, outcome, send, send_all
from tournament.core.enums import DeliveryState, MailingState, NoticeKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists
from tournament.finalists.services.release_places import set_answers_until
from tournament.mail.services import notices
from tournament.mail.services.mailings_sending import SendRun, claim_mailing
from tournament.messages.domain.mail_subjects import EndedSubject, mailing_ended_reason
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.recipients import for_notice
from tournament.messages.services import mailings
from tournament.operations.services.audit_verification import verify_events
from tournament.publication.services.release import release_results, withdraw_release
from tournament.releases.models import Release
from tournament.tables.models import Seat
from tournament.weather.services import postponing

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def known_from_outside(settings: Any) -> None:
    settings.SITE_URL = "https://rummikub.example.org"


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Twelve with a released ranking, of whom four advance."""
    return invited(first_session, organiser)[0]


@pytest.fixture
def results(stage: Stage, organiser: User) -> Mailing:
    """The results to twelve, nothing sent yet."""
    return mail_results(stage.event, organiser)


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


@pytest.fixture
def families(first_session: Session, organiser: User) -> Session:
    """Seven of the first session, each with an address."""
    seat_families(first_session, organiser)
    return first_session


def refusal(act: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as refused, translation.override("en"):
        act()
    with translation.override("en"):
        return refused.value.code, str(refused.value)


# --- Results --------------------------------------------------------------------------------------------
@pytest.mark.fault("X1")
def test_withdrawing_a_release_stops_what_is_left_of_its_mail_and_counts_who_has_got_it(
    results: Mailing, organiser: User
) -> None:
    send(5)
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    send_all()
    assert (len(mail.outbox), outcome(results)) == (
        5,
        (MailingState.STOPPED, ended("release_withdrawn", "1"), {"sent": 5, "stopped": 7}),
    )
    assert acts() == [
        ("end_mailing", "organiser", {**ended("release_withdrawn", "1"), "sent": 5, "count": 12, "stopped": 7}),
        ("finish_mailing", "", {"sent": 5, "failed": 0, "stopped": 7}),
    ]
    assert clean() == []


@pytest.mark.fault("X1")
def test_a_mail_that_was_begun_after_its_subject_had_ended_is_found_in_the_log(
    results: Mailing, organiser: User
) -> None:
    send(2)
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    assert mailed_late() == []
    late = results.deliveries.filter(state=DeliveryState.STOPPED)[:3]
    after = timezone.now() + timedelta(minutes=2)
    Delivery.objects.filter(pk__in=list(late.values_list("pk", flat=True))).update(
        state=DeliveryState.SENT, claimed_at=after, sent_at=after
    )
    assert mailed_late() == ["3 mails"]


def mailed_late() -> list[str]:
    """What the verifier says of it."""
    return [one.found for one in verify_events(files=False).findings if one.code == "mailed_after_its_end"]


def test_a_release_that_replaces_another_stops_the_mail_of_that_one(
    results: Mailing, stage: Stage, organiser: User
) -> None:
    send(2)
    stage.advance = 3
    stage.save(update_fields=["advance"])
    release_results(stage, by=organiser)
    send_all()
    assert (len(mail.outbox), outcome(results)[:2]) == (
        2,
        (MailingState.STOPPED, ended("release_replaced", "1", "2")),
    )


@pytest.mark.fault("X1")
def test_a_paused_mailing_ends_too(results: Mailing, organiser: User) -> None:
    mailings.pause_mailing(results, by=organiser)
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    assert outcome(results) == (MailingState.STOPPED, ended("release_withdrawn", "1"), {"stopped": 12})


@pytest.mark.fault("X1")
def test_a_worker_asks_before_each_mail_and_ends_it_by_itself(results: Mailing, organiser: User) -> None:
    send(3)
    Release.objects.update(withdrawn_at=timezone.now(), withdrawn_by=organiser, withdrawn_reason="by another way")
    send_all()
    assert (len(mail.outbox), outcome(results)[0]) == (3, MailingState.STOPPED)
    assert acts()[0] == ("end_mailing", "", {**ended("release_withdrawn", "1"), "sent": 3, "count": 12, "stopped": 9})
    assert clean() == []


@pytest.mark.fault("X1")
def test_a_mail_that_a_worker_holds_is_counted_when_the_server_has_answered(results: Mailing, organiser: User) -> None:
    mailing = claim_mailing("a")
    assert mailing is not None
    turn = SendRun(mailing, time.monotonic() + 30)
    delivery = turn.take()
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    assert delivery is not None
    hand_over(turn, delivery)
    assert outcome(results)[2] == {"sent": 1, "stopped": 11}
    from_then_on = Mailing.objects.get()
    assert (from_then_on.finished_at, mailings.finish_mailing(from_then_on)) == (None, True)
    assert acts()[-1] == ("finish_mailing", "", {"sent": 1, "failed": 0, "stopped": 11})


def test_failures_of_what_has_ended_are_not_tried_again_and_the_refusal_says_what_to_do(
    results: Mailing, organiser: User
) -> None:
    Delivery.objects.filter(entrant__number=1).update(state=DeliveryState.FAILED)
    send_all()
    withdraw_release(Release.objects.get(), reason="a wrong sheet", by=organiser)
    assert (outcome(results)[0], mailing_ended_reason(results)) == (
        MailingState.DONE,
        EndedSubject("release_withdrawn", "1"),
    )
    assert refusal(lambda: mailings.retry_failed_deliveries(results, by=organiser)) == (
        "subject_ended",
        "Nothing more of this is mailed: release 1 was withdrawn. Mail the results of the next release.",
    )


# --- Notices --------------------------------------------------------------------------------------------
def tell_by_mail(event: Event, by: User, **values: Any) -> tuple[Notice, Mailing]:
    """Published and mailed to the first session."""
    draft = drafted(event, by, **{"sessions": [1], **values})
    count = len(for_notice(draft).found)
    row = notices.publish_notice(draft, revision=1, confirmed=count, mail=True, by=by)
    return row, row.mailings.get()


@pytest.mark.fault("X2")
def test_a_newer_notice_about_the_same_sessions_stops_the_older_ones_mail(families: Session, organiser: User) -> None:
    event = families.stage.event
    _first, older = tell_by_mail(event, organiser, kind=NoticeKind.GOING_AHEAD)
    send(4)
    _second, newer = tell_by_mail(event, organiser, kind=NoticeKind.STOPPED, title_en="28 March: called off")
    send_all()
    assert outcome(older) == (
        MailingState.STOPPED,
        ended("notice_replaced", "1", "2"),
        {"sent": 4, "stopped": 3},
    )
    assert outcome(newer) == (MailingState.DONE, {}, {"sent": 7})
    last = {one.to[0]: one.subject for one in mail.outbox}
    assert {subject.partition("·")[0] for subject in last.values()} == {"3 月 28 日（星期六）比賽待定"}
    assert len(mail.outbox) == 4 + 7
    assert clean() == []


@pytest.mark.fault("X2")
def test_a_mail_that_was_put_off_does_not_come_after_the_newer_notice(families: Session, organiser: User) -> None:
    event = families.stage.event
    _first, older = tell_by_mail(event, organiser)
    later = timezone.now() + timedelta(minutes=10)
    older.deliveries.filter(entrant__number=301).update(next_try_at=later, tries=3)
    told(event, organiser, sessions=[1], kind=NoticeKind.STOPPED)
    assert older.deliveries.get(entrant__number=301).state == DeliveryState.STOPPED
    assert refusal(lambda: mailings.retry_failed_deliveries(older, by=organiser)) == (
        "subject_ended",
        "Nothing more of this is mailed: notice 1 was replaced by notice 2. Mail the newest notice: who has not got it "
        "is listed there.",
    )


@pytest.mark.parametrize(
    ("values", "goes_on"),
    [
        pytest.param({"sessions": [2]}, True, id="other sessions"),
        pytest.param({"sessions": [1, 2]}, False, id="one of them"),
        pytest.param({"sessions": []}, False, id="the whole day"),
        pytest.param({"sessions": [], "day": None}, True, id="no day"),
        pytest.param({"sessions": [1], "kind": NoticeKind.GENERAL}, True, id="general"),
    ],
)
def test_what_a_notice_replaces(values: dict[str, Any], goes_on: bool, families: Session, organiser: User) -> None:
    _first, older = tell_by_mail(families.stage.event, organiser)
    told(families.stage.event, organiser, **values)
    assert (mailing_ended_reason(older) is None, outcome(older)[0] == MailingState.SENDING) == (goes_on, goes_on)


def test_a_replay_is_the_session_that_it_replays(families: Session, organiser: User) -> None:
    event = families.stage.event
    _first, older = tell_by_mail(event, organiser)
    last = Session.objects.filter(stage=families.stage).order_by("-number")[0]
    Session.objects.filter(pk=last.pk).update(replays=families)
    event.contact = "2345 6789"
    event.save(update_fields=["contact"])
    told(event, organiser, sessions=[last.number], day=None, kind=NoticeKind.NEW_DATE)
    assert outcome(older)[:2] == (MailingState.STOPPED, ended("notice_replaced", "1", "2"))


# --- Seats ----------------------------------------------------------------------------------------------
@pytest.mark.fault("X1")
def test_seats_are_not_mailed_once_their_session_is_postponed(
    seats: Mailing, first_session: Session, organiser: User
) -> None:
    send(2)
    postponing.postpone_sessions([first_session], reason="black rain", by=organiser)
    send_all()
    assert (len(mail.outbox), outcome(seats)[:2]) == (
        2,
        (MailingState.STOPPED, ended("session_postponed", "0328-1")),
    )


@pytest.mark.fault("X1")
def test_seats_are_not_mailed_with_times_that_are_others_now(seats: Mailing, first_session: Session) -> None:
    send(2)
    Session.objects.filter(pk=first_session.pk).update(check_in_at=first_session.check_in_at + timedelta(days=8))
    send_all()
    assert (len(mail.outbox), outcome(seats)[:2]) == (2, (MailingState.STOPPED, ended("session_times", "0328-1")))


def test_who_has_another_seat_since_gets_no_mail_of_the_old_one(seats: Mailing, first_session: Session) -> None:
    Seat.objects.filter(entrant__number=307).update(letter="D")
    send_all()
    row = Delivery.objects.get(entrant__number=307)
    assert (len(mail.outbox), outcome(seats)[0], row.state) == (6, MailingState.DONE, DeliveryState.STOPPED)
    assert row.answer == "The seat is another now. Mail the seats again: it goes to those whose seat has changed."


# --- Places ---------------------------------------------------------------------------------------------
def thaw(stage: Stage, by: User) -> None:
    """As a page that was opened just now sends it."""
    final = Stage.objects.get(event=stage.event, kind="final")
    listed = final.finalists.values_list("entrant__number", flat=True)
    finalists.thaw_finalists(
        final, seen=finalists.finalists_seen_digest(live_places(stage), listed), reason="one was forgotten", by=by
    )


def freeze(stage: Stage, by: User) -> None:
    final = Stage.objects.get(event=stage.event, kind="final")
    finalists.freeze_finalists(final, seen=finalists.finalists_seen_digest(live_places(stage)), by=by)


def test_who_gave_the_place_up_gets_no_mail_that_offers_it(places: Mailing, stage: Stage, organiser: User) -> None:
    first = holders(stage)[0]
    answered(stage, organiser, first, "declined")
    row = Delivery.objects.get(entrant__number=first)
    assert (row.state, acts()) == (DeliveryState.STOPPED, [("stop_mails", "organiser", f"1: {first:04d}")])
    send_all()
    assert (len(mail.outbox), outcome(places)[0], clean()) == (3, MailingState.DONE, [])


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (
            lambda stage, by: set_answers_until(stage, until=timezone.now() + timedelta(days=3), seen=None, by=by),
            "times",
        ),
        (lambda stage, by: withdraw_release(Release.objects.get(), reason="a wrong sheet", by=by), "release"),
        (freeze, "list_fixed"),
        (lambda stage, by: (freeze(stage, by), thaw(stage, by)), "list_fixed"),
    ],
)
def test_places_are_not_mailed_on_other_ground_than_they_were_begun(
    act: Any, code: str, places: Mailing, stage: Stage, organiser: User
) -> None:
    for number in holders(stage):
        answered(stage, organiser, number)
    send(1)
    act(stage, organiser)
    send_all()
    codes = {"times": ended("places_times"), "release": ended("release_withdrawn", "1"), "list_fixed": ended(code)}
    assert (len(mail.outbox), outcome(places)[:2]) == (1, (MailingState.STOPPED, codes[code]))


def test_opening_the_list_again_ends_what_was_mailed_of_it(stage: Stage, organiser: User) -> None:
    link_places(stage, organiser)
    for number in holders(stage):
        answered(stage, organiser, number)
    freeze(stage, organiser)
    row = mail_places(stage, organiser)
    thaw(stage, organiser)
    assert outcome(row)[:2] == (MailingState.STOPPED, ended("list_opened"))

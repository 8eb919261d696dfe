"""Sending: each mail once, whatever the server does, whoever dies, and however many workers there are."""

import hashlib
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from tests.messages.mailed import FIRST, address, begin, draft, enter, hand_over, recipients, states, waits
from tests.reliability.mail_server import DROP, GOING, LATER, NEVER, SLOW, YES, Hall, Post, Script
from tests.reliability.server import free_port
from tournament.core.enums import DeliveryState, MailingKind, MailingState
from tournament.core.models.event import Event
from tournament.core.services.jobs import ClaimLost
from tournament.mail.services import mail_texts, mailings_sending
from tournament.mail.services.mailings_sending import SendRun, claim_mailing, send_some
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries import mailings as queries
from tournament.messages.services import mailings

EVERYBODY = [address(number) for number in range(FIRST, FIRST + 6)]
LONG = 30.0


@pytest.fixture
def mailing(event: Event, organiser: User) -> Mailing:
    enter(event, 6)
    return begin(event, organiser)


@pytest.fixture
def post(settings: Any) -> Iterator[Callable[[Script], Hall]]:
    """A function: a mail server with these faults, which is the one that settings name; faults are got over at once."""
    with ExitStack() as stack:

        def opened(script: Script) -> Hall:
            hall, port = Hall(Script()), free_port()
            controller = Post(hall, hostname="127.0.0.1", port=port)
            controller.start()
            hall.faults, hall.connections = script, 0  # it knocks at its own door first
            stack.callback(controller.stop)
            settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
            settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 5
            settings.MAIL_RETRY_AFTER = 0
            return hall

        yield opened


def send_all(worker: str = "a") -> None:
    """Turn after turn, until nothing is to be sent."""
    for _turn in range(30):
        if not send_some(worker, LONG):
            return
    raise AssertionError("it does not end")


# --- A server that takes mail ---------------------------------------------------------------------------
def test_each_gets_one_mail_at_one_address_over_one_connection(
    mailing: Mailing, post: Callable[[Script], Hall]
) -> None:
    hall = post(Script())
    send_all()
    assert ([to for to, _body in hall.took], hall.connections) == (EVERYBODY, 1)
    assert states() == {DeliveryState.SENT: list(range(FIRST, FIRST + 6))}
    assert set(Delivery.objects.values_list("tries", "answer", "claim")) == {(1, "", "")}


def test_the_row_keeps_the_digest_of_what_was_sent(mailing: Mailing, settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "tournament.mail.adapters.mail_files.MailFileBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    send_all()
    rows = Delivery.objects.order_by("id")
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (tmp_path / "mail").iterdir()}
    assert files == {row.message_id.strip("<>") + ".eml": row.digest for row in rows}
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "mail").iterdir()} == {0o600}


def test_without_a_server_a_mail_sent_again_is_the_same_file(mailing: Mailing, settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "tournament.mail.adapters.mail_files.MailFileBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    turn.outlet.send(mailings_sending.message_for(turn.take()))
    grow_old(mailing)
    send_all("b")
    assert len(list((tmp_path / "mail").iterdir())) == 6


def test_no_more_go_out_in_a_second_than_its_rate(event: Event, organiser: User) -> None:
    enter(event, 4)
    begin(event, organiser, rate=20)
    began = time.monotonic()
    send_all()
    assert (len(mail.outbox), time.monotonic() - began >= 3 / 20) == (4, True)


# --- A server that fails --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(connect=[GOING, GOING]), id="421 at the door"),
        pytest.param(Script(recipient=["", LATER]), id="451 for a recipient"),
        pytest.param(Script(recipient=["", GOING]), id="421 for a recipient"),
        pytest.param(Script(data=[YES, LATER]), id="451 after the text"),
        pytest.param(Script(data=[YES, DROP, YES, DROP]), id="dropped before the yes"),
        pytest.param(Script(data=[SLOW, YES]), id="slow"),
    ],
)
def test_what_passes_is_got_over_and_each_has_one_mail(
    script: Script, mailing: Mailing, post: Callable[[Script], Hall]
) -> None:
    hall = post(script)
    send_all()
    assert (sorted(to for to, _body in hall.took), states()) == (
        EVERYBODY,
        {DeliveryState.SENT: list(range(FIRST, FIRST + 6))},
    )
    mailing.refresh_from_db()
    assert (mailing.state, mailing.trouble, mailing.wait_until) == (MailingState.DONE, "", None)


def test_who_is_never_taken_is_listed_and_tried_again_when_somebody_says_so(
    mailing: Mailing, organiser: User, post: Callable[[Script], Hall]
) -> None:
    never = {EVERYBODY[2]: NEVER}
    hall = post(Script(never=never))
    send_all()
    [failed] = queries.failed_deliveries(mailing)
    assert (failed.address, failed.answer, len(hall.took)) == (EVERYBODY[2], NEVER, 5)
    never.clear()
    mailings.retry_failed_deliveries(mailing, by=organiser, numbers=[FIRST + 2])
    send_all()
    assert ([to for to, _body in hall.took[5:]], queries.failed_deliveries(mailing)) == ([EVERYBODY[2]], [])


def test_without_a_server_the_mailing_waits_and_nobodys_tries_count(
    mailing: Mailing, post: Callable[[Script], Hall], settings: Any
) -> None:
    post(Script())
    settings.EMAIL_PORT, settings.MAIL_RETRY_AFTER = free_port(), 15
    seconds = []
    for _try in range(4):
        assert (send_some("a", LONG), send_some("a", LONG)) == (True, False)
        seconds.append(waits(mailing))
        back = timedelta(minutes=5)
        Mailing.objects.update(wait_until=mailing.wait_until - back, beat_at=mailing.beat_at - back)
    assert seconds == [(mailings_sending.MAIL_SERVER_SILENT, wait) for wait in (15, 30, 60, 60)]
    assert set(Delivery.objects.values_list("state", "tries")) == {(DeliveryState.WAITING, 0)}


def test_a_server_that_refuses_one_after_another_is_left_in_peace(
    mailing: Mailing, post: Callable[[Script], Hall], settings: Any
) -> None:
    hall = post(Script(recipient=[LATER] * 99))
    settings.MAIL_RETRY_AFTER = 15
    assert (send_some("a", LONG), hall.refused, waits(mailing)[0]) == (
        True,
        mailings_sending.REFUSALS_UNTIL_WAIT,
        mailings_sending.MAIL_SERVER_BUSY,
    )


# --- Several connections --------------------------------------------------------------------------------
@pytest.mark.fault("X6")
def test_a_slow_server_gets_several_connections_and_each_has_one_mail(
    event: Event, organiser: User, post: Callable[[Script], Hall]
) -> None:
    enter(event, 24)
    begin(event, organiser)
    hall = post(Script(data=[SLOW] * 24))  # a fifth of a second each: one after another nearly five
    began = time.monotonic()
    send_all()
    assert sorted(to for to, _body in hall.took) == [address(number) for number in range(FIRST, FIRST + 24)]
    assert (1 < hall.connections <= 6, time.monotonic() - began < 3.5) == (True, True)


@pytest.mark.fault("X6")
def test_a_server_that_allows_two_connections_gets_its_mail_over_two(
    event: Event, organiser: User, post: Callable[[Script], Hall]
) -> None:
    enter(event, 12)
    mailing = begin(event, organiser)
    hall = post(Script(connect=["", "", *[GOING] * 3], data=[SLOW] * 12))
    send_some("a", LONG)
    mailing.refresh_from_db()
    assert (len(hall.took), mailing.trouble, states()) == (
        12,
        "",
        {DeliveryState.SENT: list(range(FIRST, FIRST + 12))},
    )


@pytest.mark.fault("X6")
def test_of_a_worker_that_dies_with_three_mails_on_the_way_each_is_sent_again_once(mailing: Mailing) -> None:
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    for _mail in range(3):
        turn.outlet.send(mailings_sending.message_for(turn.take()))
    grow_old(mailing)
    send_all("b")
    ids = [one.extra_headers["Message-ID"] for one in mail.outbox]
    assert sorted(ids.count(one) for one in set(ids)) == [1, 1, 1, 2, 2, 2]


@pytest.mark.fault("X6")
@pytest.mark.parametrize("full", ["452 4.2.2 mailbox full", "452 mailbox full", "450 4.2.1 try again later"])
def test_full_boxes_are_their_owners_and_hold_nobody_else_up(
    full: str, event: Event, organiser: User, post: Callable[[Script], Hall], settings: Any
) -> None:
    enter(event, 12)
    mailing = begin(event, organiser)
    hall = post(Script(never={address(number): full for number in range(FIRST, FIRST + 8)}))
    settings.MAIL_RETRY_AFTER = 15
    send_some("a", LONG)
    mailing.refresh_from_db()
    assert ([to for to, _body in hall.took], mailing.trouble) == (
        [address(number) for number in range(FIRST + 8, FIRST + 12)],
        "",
    )
    assert set(Delivery.objects.filter(state=DeliveryState.WAITING).values_list("tries", "answer")) == {(1, full)}


@pytest.mark.parametrize("busy", ["452 4.3.1 insufficient system storage", "452 4.5.3 too many recipients"])
def test_a_server_without_room_is_left_in_peace_all_the_same(
    busy: str, mailing: Mailing, post: Callable[[Script], Hall], settings: Any
) -> None:
    hall = post(Script(recipient=[busy] * 99))
    settings.MAIL_RETRY_AFTER = 15
    send_some("a", LONG)
    assert (hall.refused, waits(mailing)[0]) == (
        mailings_sending.REFUSALS_UNTIL_WAIT,
        mailings_sending.MAIL_SERVER_BUSY,
    )


@pytest.mark.fault("X6")
def test_full_boxes_alone_and_nobody_taken_are_the_servers_after_all(
    event: Event, organiser: User, post: Callable[[Script], Hall], settings: Any
) -> None:
    enter(event, 60)
    mailing = begin(event, organiser)
    post(Script(recipient=["452 4.2.2 mailbox full"] * 99))
    settings.MAIL_RETRY_AFTER = 15
    send_some("a", LONG)
    assert waits(mailing)[0] == mailings_sending.MAIL_SERVER_BUSY


def test_who_is_put_off_too_often_has_failed(mailing: Mailing, post: Callable[[Script], Hall]) -> None:
    Delivery.objects.filter(entrant__number=FIRST).update(tries=mailings_sending.DELIVERY_MAX_TRIES - 1)
    post(Script(recipient=[LATER]))
    send_all()
    [failed] = queries.failed_deliveries(mailing)
    assert (failed.entrant.number, failed.answer) == (FIRST, LATER)


def test_a_refused_sender_is_not_the_recipients_fault(
    mailing: Mailing, post: Callable[[Script], Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    post(Script())
    monkeypatch.setattr(smtplib.SMTP, "mail", lambda self, sender, options=(): (550, b"not from here"))
    send_some("a", LONG)
    assert (waits(mailing)[0], set(Delivery.objects.values_list("state", "tries"))) == (
        mailings_sending.MAIL_SERVER_SILENT,
        {(DeliveryState.WAITING, 0)},
    )


# --- Rows that cannot be mailed -------------------------------------------------------------------------
def test_a_text_that_cannot_be_made_fails_alone(event: Event, organiser: User) -> None:
    enter(event, 3)
    notice = draft(event, organiser)
    to = recipients(notice)
    mailings.start_mailing(
        event, MailingKind.NOTICE, "notice 1", to, confirmed=3, by=organiser, notice=notice, rate=1000
    )
    Delivery.objects.filter(entrant__number=FIRST).update(also="not a list of numbers")
    send_all()
    assert (states(), len(mail.outbox)) == (
        {DeliveryState.FAILED: [FIRST], DeliveryState.SENT: [FIRST + 1, FIRST + 2]},
        2,
    )
    assert Delivery.objects.get(entrant__number=FIRST).answer == mailings_sending.NO_TEXT


def test_what_is_no_address_is_never_handed_over(mailing: Mailing) -> None:
    Delivery.objects.filter(entrant__number=FIRST).update(address="a@b.example, c@d.example")
    send_all()
    [failed] = queries.failed_deliveries(mailing)
    assert (failed.entrant.number, len(mail.outbox), failed.answer) == (FIRST, 5, mail_texts.MAIL_ADDRESS_INVALID)


# --- Workers that die, two at once, and people who press buttons meanwhile ---------------------------------
def taken(worker: str) -> Mailing:
    found = claim_mailing(worker)
    assert found is not None
    return found


def grow_old(mailing: Mailing) -> None:
    """Its worker has given no sign of life for longer than a mail can last."""
    Mailing.objects.filter(pk=mailing.pk).update(beat_at=timezone.now() - timedelta(minutes=2))


def test_of_two_workers_one_has_the_mailing(mailing: Mailing) -> None:
    first = taken("a")
    assert (send_some("b", LONG), len(mail.outbox), first.pk) == (False, 0, mailing.pk)


def test_a_dead_workers_one_open_mail_is_sent_by_the_next_under_the_same_id(mailing: Mailing) -> None:
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    open_one = turn.take()
    turn.outlet.send(mailings_sending.message_for(open_one))
    assert (send_some("b", LONG), len(mail.outbox)) == (False, 1)
    grow_old(mailing)
    send_all("b")
    ids = [one.extra_headers["Message-ID"] for one in mail.outbox]
    assert (len(ids), len(set(ids)), ids[0] == ids[1]) == (7, 6, True)
    tries = Delivery.objects.order_by("entrant__number").values_list("tries", flat=True)
    assert list(tries) == [2, 1, 1, 1, 1, 1]


def test_a_slow_worker_that_lost_the_mailing_still_says_what_the_server_took(mailing: Mailing) -> None:
    slow = SendRun(taken("a"), time.monotonic() + LONG)
    delivery = slow.take()
    grow_old(mailing)
    other = SendRun(taken("b"), time.monotonic() + LONG)
    hand_over(slow, delivery)
    assert states()[DeliveryState.SENT] == [FIRST]
    with pytest.raises(ClaimLost):
        slow.take()
    other.run()
    assert ([one.to for one in mail.outbox], len(states())) == ([[to] for to in EVERYBODY], 1)


@pytest.mark.parametrize("act", [mailings.pause_mailing, mailings.stop_mailing])
def test_paused_or_stopped_in_a_turn_no_further_mail_goes_out(
    act: Callable[..., Mailing], mailing: Mailing, organiser: User
) -> None:
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    delivery = turn.take()
    act(mailing, by=organiser)
    hand_over(turn, delivery)
    with pytest.raises(ClaimLost):
        turn.take()
    mailings_sending.release_mailing_claim(turn.mailing)
    assert (len(mail.outbox), states()[DeliveryState.SENT]) == (1, [FIRST])
    mailing.refresh_from_db()
    assert (mailing.claim, mailing.finished_at is not None) == ("", act is mailings.stop_mailing)


def test_of_a_stopped_mailing_whose_worker_died_the_open_mail_is_listed_as_not_known(
    mailing: Mailing, organiser: User
) -> None:
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    turn.take()
    mailings.stop_mailing(mailing, by=organiser)
    assert not send_some("b", LONG)
    mailing.refresh_from_db()
    assert mailing.finished_at is None
    grow_old(mailing)
    assert not send_some("b", LONG)
    mailing.refresh_from_db()
    assert (mailing.finished_at is not None, mailing.state) == (True, MailingState.STOPPED)
    assert [row.answer for row in queries.failed_deliveries(mailing)] == [mailings_sending.MAIL_SENT_UNKNOWN]


def test_a_worker_that_died_before_it_wrote_the_end_is_helped(mailing: Mailing) -> None:
    turn = SendRun(taken("a"), time.monotonic() + LONG)
    turn.run()
    grow_old(mailing)
    assert not send_some("b", LONG)
    mailing.refresh_from_db()
    assert mailing.state == MailingState.DONE


def test_notices_go_before_all_else(event: Event, organiser: User) -> None:
    enter(event, 2)
    notice = draft(event, organiser)
    to = recipients(notice)
    mailings.start_mailing(event, MailingKind.SEATS, "session 1", to, confirmed=2, by=organiser)
    urgent = mailings.start_mailing(event, MailingKind.NOTICE, "notice 1", to, confirmed=2, by=organiser, notice=notice)
    assert taken("a") == urgent

"""The last word of seats and times: two are swapped, or the session has new times, while its seats are being mailed.

Afterwards each family's last mail that did not come back has the seat and the hours of now, or the family is on the
list of those who have not got it. The mail server fails, workers die and mails come back, as for notices
(last_word.py).
"""

import email
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.policy import default
from pathlib import Path
from random import Random

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from tests.messages.bounced import RETURN
from tests.messages.mailed import FIRST, enter
from tests.reliability.last_word import RATE, Outcome, number_in, quick, wait_for_end, wait_for_mails
from tests.reliability.mail_workers import Hands, Post
from tests.reliability.returns import Returns, make_dead
from tournament.core.enums import OPEN_MAILINGS, MailingKind, MailingState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.mail.domain.recipients import recipients_of_seats
from tournament.messages.domain import told
from tournament.messages.domain.told import recipients_not_yet_mailed
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.mailing_counts import last_mailed_by_number
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.services import mailings
from tournament.seating.services import seating
from tournament.weather.services import postponing, postponing_times

# A session has a hundred seats.
MOST = 96
TIMES = ("check_in_at", "seating_at", "play_at", "ends_at")


def run(
    event: Event,
    by: User,
    hands: Hands,
    folder: Path,
    *,
    count: int,
    rounds: int,
    kills: int,
    seed: int,
    careless: bool = False,
    patience: float = 300,
    database: str = "",
) -> Outcome:
    """So many families of one session, and so many changes of it, each told again to those who have not got it.

    `careless`: a change leaves the older mailing alone, and who got any mail is not told again."""
    count, random = min(count, MOST), Random(seed)
    session = seated(event, by, count)
    make_dead(event, max(count // 30, 2), random)
    post, returns, began = Post(folder, seed), Returns(Random(seed)), time.monotonic()
    post.process.start()
    own = {"DATABASE_URL": database} if database else {}
    own |= {"MAIL_BOUNCES": RETURN, "SECRET_KEY": settings.SECRET_KEY}
    workers = hands(folder, {**post.environment, **own, "OBSERVATORY_URL": ""})
    try:
        workers.start()
        with quick(careless), told_whatever_it_was(careless):
            deadly = set(random.sample(range(rounds), kills))
            tell(session, by)
            for place in range(rounds):
                wait_for_mails(post, len(post.taken()) + random.randrange(count // 3), patience)
                session = changed(session, by, random)
                returns.come(post.taken())
                tell(session, by)
                if place in deadly:
                    time.sleep(random.random() * 0.04)
                    workers.kill_and_start()
            wait_for_end(patience)
            tell(session, by)
            wait_for_end(patience)
            returns.come(post.taken(), every=True)
    finally:
        workers.end()
        post.process.kill()
    with told_whatever_it_was(careless):
        return compare(session, post, returns, count, rounds, kills, round(time.monotonic() - began, 1))


@contextmanager
def told_whatever_it_was(careless: bool) -> Iterator[None]:
    """In the control whoever got any mail of the session counts as told."""
    kept = told.is_mailed_already
    if careless:
        told.is_mailed_already = lambda one, before: all(number in before for number in (one.number, *one.also))
    try:
        yield
    finally:
        told.is_mailed_already = kept


def seated(event: Event, by: User, count: int) -> Session:
    """The first session, a month ahead, with confirmed seats."""
    later = timezone.now().replace(hour=2, minute=0, second=0, microsecond=0) + timedelta(days=30)
    Event.objects.filter(pk=event.pk).update(results_at=later + timedelta(days=900))
    enter(event, count, max(count // 30, 2))
    session = Session.objects.filter(stage__event=event).order_by("number")[0]
    hours = {name: later + (getattr(session, name) - session.check_in_at) for name in TIMES}
    Session.objects.filter(pk=session.pk).update(**hours)
    session = fresh(session)
    drawn = seating.draw_session(session, seed=1, by=by)
    seating.confirm_session_draw(session, revision=drawn.revision, by=by)
    return fresh(session)


def fresh(session: Session) -> Session:
    return Session.objects.select_related("stage__event", "draw").get(pk=session.pk)


def changed(session: Session, by: User, random: Random) -> Session:
    """Two change places, or all have other hours."""
    if random.random() < 0.5:
        numbers = Entrant.objects.filter(seats__session=session).order_by("number").values_list("number", flat=True)
        first, second = random.sample(list(numbers), 2)
        seating.exchange_two_seats(session, revision=session.draw.revision, first=first, second=second, by=by)
    else:
        postponing.postpone_sessions([session], reason="rain", by=by)
        hours = [getattr(session, name) + timedelta(days=1) for name in TIMES]
        wanted = postponing_times.NewTimes(session.pk, *hours)
        postponing_times.set_times(session.stage.event, [wanted], reason="rain", by=by)
    return fresh(session)


def tell(session: Session, by: User) -> None:
    """To those who have not got what is so now; while a mailing of it is on its way the desk waits for its end."""
    if Mailing.objects.filter(state__in=OPEN_MAILINGS, finished_at=None).exists():
        return
    event, subject = session.stage.event, f"session {session.code}"
    left = recipients_not_yet_mailed(
        recipients_of_seats(session), last_mailed_by_number(event, MailingKind.SEATS, subject)
    ).found
    last = newest_mailing_about(event, MailingKind.SEATS, subject)
    asked = {"confirmed": len(left), "seen": last.pk if last else 0, "by": by, "rate": RATE}
    if left:
        mailings.start_mailing(event, MailingKind.SEATS, subject, left, **asked)


def compare(
    session: Session, post: Post, returns: Returns, count: int, rounds: int, kills: int, seconds: float
) -> Outcome:
    """The last mail of each family that stayed against the seat of now, and the list."""
    now = {one.number: one.facts for one in recipients_of_seats(session).found}
    told = last_mailed_by_number(session.stage.event, MailingKind.SEATS, f"session {session.code}")
    listed = {one.number for one in recipients_not_yet_mailed(recipients_of_seats(session), told).found}
    facts = dict(Delivery.objects.values_list("message_id", "facts"))
    stayed = [path for path in post.taken() if path not in returns.returned]
    last = {number_in(path): facts.get(identity_of(path)) for path in stayed}
    numbers = range(FIRST, FIRST + count)
    return Outcome(
        families=count,
        notices=rounds,
        kills=kills,
        taken=len(post.taken()),
        stopped=Mailing.objects.filter(state=MailingState.STOPPED).count(),
        mended=0,
        listed=len(listed),
        wrong=sum(number not in listed and last.get(number) != now[number] for number in numbers),
        seconds=seconds,
        returned=len(returns.returned),
    )


def identity_of(path: Path) -> str:
    """The Message-ID of a mail that the server took."""
    return str(email.message_from_bytes(path.read_bytes(), policy=default)["Message-ID"]).strip()

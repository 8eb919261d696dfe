"""The last word: notices published and corrected in quick succession, while the mail server fails, workers die, and
mails that the server took come back.

Afterwards each family's last mail that did not come back is the newest notice, or the family is on the list of those
who have not got it.
"""

import email
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from random import Random

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection

from tests.mail.noticed import drafted
from tests.messages.bounced import RETURN
from tests.messages.mailed import FIRST, address, enter
from tests.reliability.mail_workers import Hands, Post, Workers
from tests.reliability.returns import DEAD, Returns, make_dead
from tournament.core.enums import MailingState, NoticeKind
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.domain.recipients import notice_plan
from tournament.mail.services import notices
from tournament.messages.domain.told import recipients_not_yet_mailed
from tournament.messages.models import Mailing, Notice
from tournament.messages.queries.mailing_counts import last_mailed_by_number
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.queries.recipients import Recipients, for_notice
from tournament.messages.services import mailings, mailings_ending
from tournament.setup.services.changes import change_event

KINDS = (NoticeKind.PENDING, NoticeKind.GOING_AHEAD, NoticeKind.STOPPED, NoticeKind.SUSPENDED, NoticeKind.NEW_DATE)
RATE = 1000


@dataclass(frozen=True)
class Outcome:
    """`wrong`: families whose last mail that stayed is an older notice, or none, and who are on no list. `stopped`:
    mailings that ended with their subject; `listed`: families who are to be told another way; `returned`: mails that
    came back."""

    families: int
    notices: int
    kills: int
    taken: int
    stopped: int
    mended: int
    listed: int
    wrong: int
    seconds: float
    returned: int = 0

    @property
    def facts(self) -> dict[str, float]:
        return asdict(self)


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
    deaf: bool = False,
    patience: float = 300,
    database: str = "",
) -> Outcome:
    """So many families of one session, of whom some have addresses that no server knows, and some that another knows
    not; so many notices about it.

    `careless`: publishing a notice leaves the older mailings alone. `deaf`: nobody reads what is reported
    back. `hands` makes the workers, for a `database` other than DATABASE_URL's where one is given.
    """
    random, nobodies = Random(seed), max(count // 60, 2)
    enter(event, count, nobodies)
    make_dead(event, nobodies, random)
    change_event(event, revision=event.revision, facts={"contact": "2345 6789"}, by=by)
    post, returns, began = Post(folder, seed), Returns(Random(seed), deaf), time.monotonic()
    post.process.start()
    own = {"DATABASE_URL": database} if database else {}
    own |= {"MAIL_BOUNCES": RETURN, "SECRET_KEY": settings.SECRET_KEY}
    workers = hands(folder, {**post.environment, **own, "OBSERVATORY_URL": ""})
    try:
        workers.start()
        with quick(careless):
            told = tell_often(event, by, post, workers, random, rounds, kills, count, patience, returns)
            wait_for_end(patience)
            returns.come(post.taken())
            mended = mend(told[-1], by, random, nobodies)
            wait_for_end(patience)
            returns.come(post.taken(), every=True)
    finally:
        workers.end()
        post.process.kill()
    return compare(told, post, returns, count, kills, mended, round(time.monotonic() - began, 1))


@contextmanager
def quick(careless: bool) -> Iterator[None]:
    """Mails at full speed; in the control nothing ends with its subject."""
    rate, ending = settings.MAIL_RATE, mailings_ending.end_outdated
    settings.MAIL_RATE = RATE
    if careless:
        mailings_ending.end_outdated = lambda event, **given: []
    try:
        yield
    finally:
        settings.MAIL_RATE, mailings_ending.end_outdated = rate, ending


def tell_often(
    event: Event,
    by: User,
    post: Post,
    workers: Workers,
    random: Random,
    rounds: int,
    kills: int,
    count: int,
    patience: float,
    returns: Returns,
) -> list[Notice]:
    """Notice after notice, each up to a third of the mails after the one before; after some of them a kill, and after
    each a part of what comes back."""
    deadly = set(random.sample(range(rounds), kills))
    told: list[Notice] = []
    for round in range(rounds):
        told.append(tell(event, by, random, told))
        if round < rounds - 1:
            wait_for_mails(post, len(post.taken()) + random.randrange(count // 3), patience)
        returns.come(post.taken())
        if round in deadly:
            time.sleep(random.random() * 0.04)
            workers.kill_and_start()
    return told


def tell(event: Event, by: User, random: Random, told: list[Notice]) -> Notice:
    """Another notice about the same session, or by chance one that says that it corrects the one before."""
    corrects = told[-1] if told and random.random() < 0.3 else None
    titles = {"title_en": title(len(told) + 1), "title_zh": title(len(told) + 1)}
    draft = drafted(event, by, corrects=corrects, sessions=[1], kind=random.choice(KINDS), **titles)
    asked = {"confirmed": len(for_notice(draft).found), "mail": True, "by": by}
    return notices.publish_notice(draft, revision=draft.revision, **asked)


def title(number: int) -> str:
    """By which a mail is known."""
    return f"Word {number:03d}"


def mend(notice: Notice, by: User, random: Random, nobodies: int) -> int:
    """Half of the addresses that no server knew are mended, of either kind, and the newest notice goes to those who
    have not got it."""
    entrants = Entrant.objects.filter(event=notice.event_id).order_by("number")
    wrong = [list(entrants.filter(person__email__startswith=name)) for name in ("nobody", DEAD)]
    chosen = [one for some in wrong for one in random.sample(some, nobodies // 2)]
    for one in chosen:
        Person.objects.filter(pk=one.person_id).update(email=address(one.number))
    plan, left = notice_plan(notice), untold(notice)
    last = newest_mailing_about(notice.event, plan.kind, plan.subject)
    asked = {"confirmed": len(left.found), "seen": last.pk if last else 0, "by": by, "notice": notice, "rate": RATE}
    for _press in range(2):
        mailings.start_mailing(notice.event, plan.kind, plan.subject, left.found, **asked)
    return len(chosen)


def untold(notice: Notice) -> Recipients:
    """The list of those who have not got it where they are to be reached now."""
    plan = notice_plan(notice)
    return recipients_not_yet_mailed(plan.gather(), last_mailed_by_number(notice.event, plan.kind, plan.subject))


def wait_for_mails(post: Post, count: int, patience: float) -> None:
    """Until the server has taken so many, or nothing is to be sent any more."""
    until = time.monotonic() + patience
    while len(post.taken()) < count and time.monotonic() < until and is_sending():
        time.sleep(0.02)


def wait_for_end(patience: float) -> None:
    """Until every mailing has ended."""
    until = time.monotonic() + patience
    while is_sending() and time.monotonic() < until:
        time.sleep(0.2)


def is_sending() -> bool:
    """Whether a mailing has not ended yet; asked anew each time."""
    connection.close()
    return Mailing.objects.filter(finished_at=None).exists()


def compare(
    told: list[Notice], post: Post, returns: Returns, count: int, kills: int, mended: int, seconds: float
) -> Outcome:
    """The files of the server, in the order of its yes and without what came back, against the newest notice and the
    list."""
    files = post.taken()
    last = {number_in(path): path for path in files if path not in returns.returned}
    listed = {number for one in untold(told[-1]).found for number in (one.number, *one.also)}
    right = {number for number, path in last.items() if subject_of(path).startswith(title(len(told)))}
    families = range(FIRST, FIRST + count)
    stopped = Mailing.objects.filter(state=MailingState.STOPPED).count()
    return Outcome(
        families=count,
        notices=len(told),
        kills=kills,
        taken=len(files),
        stopped=stopped,
        mended=mended,
        listed=len(listed),
        wrong=sum(number not in listed and number not in right for number in families),
        seconds=seconds,
        returned=len(returns.returned),
    )


def number_in(path: Path) -> int:
    """Of the family that a mail was for, at whichever of its addresses."""
    return int(path.name.partition("@")[0].rpartition("-")[2])


def subject_of(path: Path) -> str:
    """Of a mail that the server took."""
    message = email.message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    return str(message["Subject"]).strip()

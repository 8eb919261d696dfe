"""Entrants with addresses, and a mailing to them: a notice's, whose text names the entrant's own number."""

import time
from datetime import date

from django.contrib.auth.models import User
from django.utils import timezone

from tournament.enums import Language, MailingKind, NoticeKind
from tournament.models import AuditEntry, Delivery, Entrant, Event, Mailing, Notice, Person, Session
from tournament.queries.recipients import Recipient, for_notice
from tournament.services import mailings
from tournament.services.audit_verification import verify
from tournament.services.mailings_sending import Turn, claim, send_some

FIRST = 5001


def enter(event: Event, count: int, nobodies: int = 0) -> None:
    """So many entrants from 5001 on in both languages in turn; the last of them have addresses that no server knows."""
    session = Session.objects.filter(stage__event=event).order_by("number")[0]
    numbers = range(FIRST, FIRST + count)
    people = Person.objects.bulk_create(
        Person(
            name_zh=f"參{number}",
            name_en=f"CHAN {number}",
            name_key=f"chan {number}",
            birth_date=date(2000, 1, 1),
            email=address(number, number >= FIRST + count - nobodies),
            language=Language.ENGLISH if number % 2 else Language.CHINESE,
        )
        for number in numbers
    )
    Entrant.objects.bulk_create(
        Entrant(event=event, number=number, person=person, session=session)
        for number, person in zip(numbers, people, strict=True)
    )


def address(number: int, nobody: bool = False) -> str:
    """Of one entrant."""
    return f"{'nobody' if nobody else 'family'}-{number}@families.example"


def draft(event: Event, by: User, number: int = 1) -> Notice:
    """A notice to all, published as far as a mail asks."""
    return Notice.objects.create(
        event=event,
        number=number,
        kind=NoticeKind.GENERAL,
        title_zh="比賽如常",
        title_en="Going ahead",
        body_zh="各場如常。\n\n請準時報到。",
        body_en="All sessions are held.\n\nPlease check in on time.",
        made_by=by,
        made_at=timezone.now(),
        published_by=by,
        published_at=timezone.now(),
    )


def recipients(notice: Notice) -> tuple[Recipient, ...]:
    """Everybody."""
    return for_notice(notice).found


def begin(event: Event, by: User, number: int = 1, rate: int = 1000) -> Mailing:
    """The notice's mailing, confirmed with its count."""
    notice = draft(event, by, number)
    to = recipients(notice)
    return mailings.start(
        event, MailingKind.NOTICE, f"notice {number}", to, confirmed=len(to), by=by, notice=notice, rate=rate
    )


def hand_over(turn: Turn, delivery: Delivery) -> None:
    """One mail over the first connection, and what the server said of it."""
    made = turn.made(delivery)
    if made is not None:
        turn.settle(delivery, made[1], lambda: turn.outlet.send(made[0]))


def send(count: int) -> None:
    """So many mails, by a worker that then leaves the mailing to the next."""
    mailing = claim("a")
    assert mailing is not None
    turn = Turn(mailing, time.monotonic() + 30)
    turn.outlet.open()
    for _mail in range(count):
        delivery = turn.take()
        assert delivery is not None
        hand_over(turn, delivery)
    turn.release()


def send_all() -> None:
    """Whatever a worker still finds to send."""
    while send_some("b", 30):
        pass


def outcome(mailing: Mailing) -> tuple[str, dict[str, str], dict[str, int]]:
    """Its state, what ended it, and how many mails are in which state."""
    mailing.refresh_from_db()
    states = list(Delivery.objects.filter(mailing=mailing).values_list("state", flat=True))
    return mailing.state, mailing.ended, {state: states.count(state) for state in sorted(set(states))}


def ended(code: str, of: str = "", by: str = "") -> dict[str, str]:
    """What a mailing keeps of why it ended."""
    return {"code": code, "of": of, "by": by}


def acts() -> list[tuple[str, str, str]]:
    """What the log has of mailings since they were begun: act, by whom, what it says."""
    rows = AuditEntry.objects.filter(action__in=("end_mailing", "finish_mailing", "stop_mails", "stop_mailing"))
    return [(row.action, row.actor.username if row.actor else "", row.reason) for row in rows.order_by("seq")]


def clean() -> list[str]:
    """What the verifier finds wrong with mailings and notices."""
    codes = [finding.code for finding in verify(files=False).findings]
    return [code for code in codes if code.startswith(("mailing", "notice"))]

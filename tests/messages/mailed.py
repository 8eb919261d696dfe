"""Entrants with addresses, and a mailing to them: a notice's, whose text names the entrant's own number."""

import time
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.recorded import altered_rows, recorded
from tournament.audit.models import AuditEntry
from tournament.core.enums import Language, MailingKind, NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.services.mailings_sending import SendRun, claim_mailing, send_some
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.recipients import Recipient, for_notice
from tournament.messages.services import mailings

FIRST = 5001


def enter(event: Event, count: int, nobodies: int = 0) -> None:
    """So many entrants from 5001 on in both languages in turn; the last of them have addresses that no server knows."""
    session = Session.objects.filter(stage__event=event).order_by("number")[0]
    numbers = range(FIRST, FIRST + count)
    with recorded(event):
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
    return f"{'nobody' if nobody else 'family'}-{number}@families.example"


def draft(event: Event, by: User, number: int = 1) -> Notice:
    """A notice to all, published as far as a mail asks."""
    texts = {
        "title_zh": "比賽如常",
        "title_en": "Going ahead",
        "body_zh": "各場如常。\n\n請準時報到。",
        "body_en": "All sessions are held.\n\nPlease check in on time.",
    }
    now = timezone.now()
    made = {"made_by": by, "made_at": now, "published_by": by, "published_at": now}
    with recorded(event):
        return Notice.objects.create(event=event, number=number, kind=NoticeKind.GENERAL, **texts, **made)


def recipients(notice: Notice) -> tuple[Recipient, ...]:
    return for_notice(notice).found


def begin(event: Event, by: User, number: int = 1, rate: int = 1000) -> Mailing:
    """The notice's mailing, confirmed with its count."""
    notice = draft(event, by, number)
    to = recipients(notice)
    return mailings.start_mailing(
        event, MailingKind.NOTICE, f"notice {number}", to, confirmed=len(to), by=by, notice=notice, rate=rate
    )


def hand_over(turn: SendRun, delivery: Delivery) -> None:
    """One mail over the first connection, and what the server said of it."""
    made = turn.made(delivery)
    if made is not None:
        turn.settle(delivery, made[1], lambda: turn.outlet.send(made[0]))


def send(count: int) -> None:
    """So many mails, by a worker that then leaves the mailing to the next."""
    mailing = claim_mailing("a")
    assert mailing is not None
    turn = SendRun(mailing, time.monotonic() + 30)
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


def acts() -> list[tuple[str, str, Any]]:
    """What the log has of mailings since they were begun: act, by whom, what it says."""
    rows = AuditEntry.objects.filter(action__in=("end_mailing", "finish_mailing", "stop_mails", "stop_mailing"))
    return [
        (row.action, row.actor.username if row.actor else "", row.details or row.reason) for row in rows.order_by("seq")
    ]


def clean() -> list[str]:
    """What the verifier finds wrong."""
    return altered_rows()


def states() -> dict[str, list[int]]:
    """The entrants' numbers by the state of their deliveries."""
    found: dict[str, list[int]] = {}
    for row in Delivery.objects.select_related("entrant").order_by("entrant__number"):
        found.setdefault(row.state, []).append(row.entrant.number)
    return found


def waits(mailing: Mailing) -> tuple[str, float]:
    """What the mailing says of its trouble, and how many seconds it waits."""
    mailing.refresh_from_db()
    assert mailing.wait_until is not None and mailing.beat_at is not None
    return mailing.trouble, (mailing.wait_until - mailing.beat_at).total_seconds()

"""What random histories mail: a notice begun, sent, paused, gone on with, stopped, its failures tried again, and what
comes back of it."""

from random import Random

from django.contrib.auth.models import User

from tournament.core.enums import OPEN_MAILINGS, BounceKind, DeliveryState, Language, MailingKind, MailingState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.mail.services import bounces
from tournament.mail.services.mailings_sending import send_some
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.recipients import Recipient
from tournament.messages.services import mailings
from tournament.tables.models import Table

ACTS = ("mail", "mail", "send", "send", "pause", "go_on", "stop_mail", "mail_again", "come_back")


def mailed(notice: Notice, by: User, count: int = 3) -> Mailing:
    """A notice's mailing to so many; the last of them has an address that is none."""
    entrants = list(Entrant.objects.filter(event=notice.event_id).order_by("number")[:count])
    addresses = [f"family-{one.number}@families.example" for one in entrants[:-1]] + ["no address"]
    to = [
        Recipient(one.pk, one.number, address, Language.ENGLISH.value)
        for one, address in zip(entrants, addresses, strict=True)
    ]
    subject, facts = f"notice {notice.number}", {"confirmed": len(to), "by": by, "notice": notice, "rate": 1000}
    return mailings.start_mailing(notice.event, MailingKind.NOTICE, subject, to, **facts)


def some_mailed(event: Event, by: User, notices: list[Notice]) -> None:
    """One that was sent as far as it goes, of the notice that counts, and whose first mail came back; of those it
    replaced one paused, one stopped."""
    stopped, paused, _done = (mailed(notice, by) for notice in notices)
    mailings.pause_mailing(paused, by=by)
    mailings.stop_mailing(stopped, by=by)
    send_some("worker", 30)
    report(BounceKind.SOFT, 1)
    report(BounceKind.HARD, 1)


def report(kind: BounceKind, count: int) -> None:
    """Of the first mails that were sent and did not come back yet."""
    sent = Delivery.objects.filter(state=DeliveryState.SENT).exclude(bounce=BounceKind.HARD)
    for one in sent.select_related("mailing").order_by("pk")[:count]:
        bounces.record_bounce(
            one, kind, code="5.1.1" if kind == BounceKind.HARD else "4.2.2", words="as the server said"
        )


class MailingActs:
    """The acts, for a history that has its accounts, its session and its dice."""

    people: dict[str, User]
    random: Random
    session: Session

    def open_ones(self) -> list[Mailing]:
        return list(Mailing.objects.filter(state__in=OPEN_MAILINGS).order_by("pk"))

    def mail(self, table: Table) -> None:
        for notice in Notice.objects.filter(number__isnull=False, mailings=None).order_by("number")[:1]:
            mailed(notice, self.people["organiser"])

    def send(self, table: Table) -> None:
        send_some("worker", 30)

    def pause(self, table: Table) -> None:
        for one in self.open_ones()[:1]:
            mailings.pause_mailing(one, by=self.people["organiser2"])

    def go_on(self, table: Table) -> None:
        for one in self.open_ones():
            mailings.resume_mailing(one, by=self.people["organiser"])

    def stop_mail(self, table: Table) -> None:
        for one in self.open_ones()[-1:]:
            mailings.stop_mailing(one, by=self.people["organiser"])

    def come_back(self, table: Table) -> None:
        report(self.random.choice(list(BounceKind)), self.random.randrange(3))

    def mail_again(self, table: Table) -> None:
        for one in Mailing.objects.exclude(state=MailingState.STOPPED).order_by("pk"):
            mailings.retry_failed_deliveries(one, by=self.people["organiser"])

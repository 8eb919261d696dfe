"""Entrants with addresses, and mails held against the whole text that was agreed on (tests/data/mails)."""

from pathlib import Path

from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives

from tests.sheets.tables import settle
from tournament.core.enums import Language, MailingKind, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.finalists.services import invitations
from tournament.mail.domain.recipients import recipients_of_places, recipients_of_results, recipients_of_seats
from tournament.messages.models import Mailing
from tournament.messages.services import mailings
from tournament.releases.models import Release

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "mails"


def give_addresses(event: Event, *, english: tuple[int, ...] = ()) -> None:
    """Each entrant an address of its own by number; some write English."""
    for entrant in Entrant.objects.filter(event=event).select_related("person"):
        language = Language.ENGLISH if entrant.number in english else Language.CHINESE
        address = f"family{entrant.number}@example.org"
        Person.objects.filter(pk=entrant.person_id).update(email=address, language=language)


def mail_results(event: Event, by: User) -> Mailing:
    """The preliminary's results to all who are ranked, confirmed and waiting to be sent."""
    give_addresses(event)
    release = Release.objects.filter(stage__event=event, stage__kind=StageKind.PRELIMINARY).order_by("-number")[0]
    found = recipients_of_results(release).found
    subject = f"release {release.number}"
    return mailings.start_mailing(event, MailingKind.RESULTS, subject, found, confirmed=len(found), by=by)


def link_places(stage: Stage, by: User) -> None:
    """Each who holds a place has an address and a link."""
    give_addresses(stage.event)
    invitations.make_place_links(stage, by=by)


def mail_places(stage: Stage, by: User) -> Mailing:
    """The links of those who hold a place, nothing sent yet."""
    found = recipients_of_places(stage).found
    return mailings.start_mailing(
        stage.event, MailingKind.PLACES, "stage preliminary", found, confirmed=len(found), by=by
    )


def seat_families(session: Session, by: User) -> None:
    """Seven of the session at two tables, each with an address."""
    settle(session, by, [4, 3])
    give_addresses(session.stage.event)


def mail_seats(session: Session, by: User) -> Mailing:
    """The seats of all of them, nothing sent yet."""
    found = recipients_of_seats(session).found
    subject = f"session {session.code}"
    return mailings.start_mailing(session.stage.event, MailingKind.SEATS, subject, found, confirmed=len(found), by=by)


def golden(name: str) -> str:
    """The agreed text of this name."""
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def html_of(message: EmailMultiAlternatives) -> str:
    [(content, kind)] = message.alternatives
    assert kind == "text/html"
    return str(content)


def whole(message: EmailMultiAlternatives) -> str:
    """Subject and text, as the files have them."""
    return f"{message.subject}\n\n{message.body}"

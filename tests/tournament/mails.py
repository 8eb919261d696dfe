"""Entrants with addresses, and mails held against the whole text that was agreed on (tests/data/mails)."""

from pathlib import Path

from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives

from tournament.bridge.recipients import for_results
from tournament.enums import Language, MailingKind, StageKind
from tournament.models import Entrant, Event, Mailing, Person, Release
from tournament.services import mailings

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
    found = for_results(release).found
    subject = f"release {release.number}"
    return mailings.start(event, MailingKind.RESULTS, subject, found, confirmed=len(found), by=by)


def golden(name: str) -> str:
    """The agreed text of this name."""
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def html_of(message: EmailMultiAlternatives) -> str:
    """The HTML part."""
    [(content, kind)] = message.alternatives
    assert kind == "text/html"
    return str(content)


def whole(message: EmailMultiAlternatives) -> str:
    """Subject and text, as the files have them."""
    return f"{message.subject}\n\n{message.body}"

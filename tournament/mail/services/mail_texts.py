"""A mail as it goes out: plain text and HTML, one recipient, in the recipient's language. Nothing is sent here.

Names are read when the mail is made and stand in no fact; a private link is made in that moment and stands nowhere.
"""

import unicodedata
from dataclasses import dataclass, field
from email.charset import BASE64, Charset
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core import dateformat
from tournament.core.enums import MailingKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.numberformat import entrant_number_text
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant
from tournament.finalists.services.invitations import place_link_token
from tournament.mail.exports.mail_words import (
    TitledMailParts,
    notice_mail_words,
    places_mail_words,
    results_mail_words,
    seats_mail_words,
)
from tournament.messages.exports.mail_parts import MailLink, MailParagraph, MailText, mail_plain_text
from tournament.messages.exports.mail_style import mail_style_element
from tournament.messages.models import Delivery, Notice
from tournament.messages.queries.recipients import Recipient, is_mail_address
from tournament.publication.exports.public_pages import ENGLISH_CODE, entrant_path, page_address

MAILINGS_WITH_LINKS = frozenset({MailingKind.RESULTS, MailingKind.PLACES})
NO_SITE_URL = _(
    "These mails carry links, and it is not set under which address this server is reached from outside (SITE_URL)."
    " Whoever runs the installation sets it; then they can be mailed."
)
NO_LINK = _("This entrant has no link in force, so that the mail would lead nowhere. Make the link, then try again.")
MAIL_ADDRESS_INVALID = _("This is no address that a mail could go to.")
# Seven bits on the way: not every mail server passes eight.
SEVEN_BITS = Charset("utf-8")
SEVEN_BITS.body_encoding = BASE64
FORMAT_CHARACTERS = ("Cc", "Cf", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class MailDraft:
    """One mail to be written. `number` is the entrant's; `message_id` is empty in a sample."""

    kind: str
    event: Event
    entrant: Entrant
    address: str
    language: str
    facts: dict[str, Any] = field(default_factory=dict)
    also: tuple[int, ...] = ()
    notice: Notice | None = None
    message_id: str = ""


def message_of(delivery: Delivery) -> EmailMultiAlternatives:
    """The message of a row, the same each time but for its date. Refused where it would lead nowhere: `no_link`,
    `no_site_url`, `no_address`."""
    mailing = delivery.mailing
    return compose_message(
        MailDraft(
            mailing.kind,
            mailing.event,
            delivery.entrant,
            delivery.address,
            delivery.language,
            delivery.facts,
            tuple(delivery.also),
            mailing.notice,
            delivery.message_id,
        )
    )


def build_sample_message(
    kind: str, recipient: Recipient, *, event: Event, notice: Notice | None = None, language: str = ""
) -> EmailMultiAlternatives:
    """The message that a recipient would get, for a preview; in another `language` where one is given."""
    entrant = Entrant.objects.select_related("person").get(pk=recipient.entrant_id)
    to = language or recipient.language
    return compose_message(
        MailDraft(kind, event, entrant, recipient.address, to, recipient.facts, tuple(recipient.also), notice)
    )


def require_links(kind: str) -> None:
    """Refuse mails that carry links while nobody knows under which address this server is reached."""
    if kind in MAILINGS_WITH_LINKS and not settings.SITE_URL:
        raise Refused("no_site_url", NO_SITE_URL)


def compose_message(mail: MailDraft) -> EmailMultiAlternatives:
    """Text and HTML, exactly one To, and headers that say that a program wrote it."""
    if not is_mail_address(mail.address):
        raise Refused("no_address", MAIL_ADDRESS_INVALID)
    require_links(mail.kind)
    with translation.override(mail.language):
        said = mail_content(mail)
        event = text_in_mail_language(mail, mail.event.name_zh, mail.event.name_en)
        page = {"said": said, "event": event, "look": mail_style_element(), "lang": html_language(mail.language)}
        text, html = mail_plain_text(said, event), render_to_string("mail/mail.html", page)
    headers = {"Auto-Submitted": "auto-generated", "Content-Language": html_language(mail.language)}
    if mail.message_id:
        headers["Message-ID"] = f"<{mail.message_id.strip('<>')}>"
    reply_to = [settings.MAIL_REPLY_TO] if settings.MAIL_REPLY_TO else None
    message = EmailMultiAlternatives(
        said.subject, text, settings.DEFAULT_FROM_EMAIL, [mail.address], headers=headers, reply_to=reply_to
    )
    message.encoding = SEVEN_BITS
    message.attach_alternative(html, "text/html")
    return message


def mail_content(mail: MailDraft) -> MailText:
    """Subject, title, parts and foot in the language of the moment."""
    title, parts = MAIL_COMPOSERS[MailingKind(mail.kind)](mail)
    event = text_in_mail_language(mail, mail.event.name_zh, mail.event.name_en)
    return MailText(single_line_subject(f"{title}·{event}"), title, parts, mail_footer(mail))


def notice_mail(mail: MailDraft) -> TitledMailParts:
    """A notice; a draft has neither number nor link yet."""
    notice = mail.notice
    assert notice is not None
    title = text_in_mail_language(mail, notice.title_zh, notice.title_en)
    body = text_in_mail_language(mail, notice.body_zh, notice.body_en)
    published = corrects = ""
    link = None
    if notice.number and notice.published_at:
        facts = {"number": notice.number, "at": dateformat.datetime_text(notice.published_at)}
        published = gettext("Notice %(number)s, %(at)s") % facts
        if settings.SITE_URL:
            folder = f"{mail.event.slug}/notices/{notice.number}/"
            link = MailLink(
                gettext("This notice on the event's pages:"), settings.SITE_URL + page_address(folder, mail.language)
            )
    if notice.corrects and notice.corrects.published_at:
        facts = {"number": notice.corrects.number, "at": dateformat.datetime_text(notice.corrects.published_at)}
        corrects = gettext("This corrects notice %(number)s of %(at)s.") % facts
    return notice_mail_words(title, body, published=published, corrects=corrects, link=link)


def seats_mail(mail: MailDraft) -> TitledMailParts:
    """The seat, and the timer."""
    return with_person_heading(mail, seats_mail_words(mail.facts, venue=mail_venue(mail)))


def results_mail(mail: MailDraft) -> TitledMailParts:
    """The own result, with the own public page of that release."""
    path = entrant_path(mail.event.slug, mail.facts["release"], mail.entrant.number, mail.language)
    return with_person_heading(mail, results_mail_words(mail.facts, url=settings.SITE_URL + path))


def places_mail(mail: MailDraft) -> TitledMailParts:
    """The place, with the link that is in force at this moment."""
    chosen = Invitation.objects.filter(entrant=mail.entrant, revoked_at=None, stage__event=mail.event)
    invitation = chosen.order_by("-stage__order").first()
    if invitation is None:
        raise Refused("no_link", NO_LINK)
    url = settings.SITE_URL + reverse("place", args=[place_link_token(invitation)])
    return with_person_heading(mail, places_mail_words(mail.facts, venue=mail_venue(mail), url=url))


MAIL_COMPOSERS = {
    MailingKind.NOTICE: notice_mail,
    MailingKind.SEATS: seats_mail,
    MailingKind.RESULTS: results_mail,
    MailingKind.PLACES: places_mail,
}


def with_person_heading(mail: MailDraft, titled: TitledMailParts) -> TitledMailParts:
    """With whom it is about above everything: both names as they were entered, and the number."""
    person = mail.entrant.person
    names = " ".join(name for name in (person.name_zh, person.name_en) if name)
    about = gettext("For %(names)s (%(number)s)") % {
        "names": names,
        "number": entrant_number_text(mail.entrant.number),
    }
    title, parts = titled
    return title, (MailParagraph(about), *parts)


def mail_footer(mail: MailDraft) -> tuple[str, ...]:
    """How the organiser is reached, why it came to this address, and where an answer goes."""
    reached = gettext("Contact: %(contact)s") % {"contact": mail.event.contact}
    return (reached, *mail_footer_explanation(mail)) if mail.event.contact else mail_footer_explanation(mail)


def mail_footer_explanation(mail: MailDraft) -> tuple[str, str]:
    """The rest of the foot."""
    numbers = gettext(", ").join(entrant_number_text(number) for number in (mail.entrant.number, *mail.also))
    why = gettext("You get this mail because this address was given when entrant %(numbers)s was entered.") % {
        "numbers": numbers
    }
    if settings.MAIL_REPLY_TO:
        return why, gettext("An answer to this mail reaches the organiser.")
    return why, gettext("Please do not answer this mail: nobody reads what comes to its sender.")


def mail_venue(mail: MailDraft) -> str:
    """The venue in the mail's language, in the other where there is only one."""
    return text_in_mail_language(mail, mail.event.venue_zh, mail.event.venue_en)


def text_in_mail_language(mail: MailDraft, chinese: str, english: str) -> str:
    """The text of the mail's language, the other where it has none."""
    first, second = (english, chinese) if mail.language == ENGLISH_CODE else (chinese, english)
    return first or second


def html_language(language: str) -> str:
    """As HTML and mail name it."""
    return "en" if language == ENGLISH_CODE else "zh-Hant-HK"


def single_line_subject(text: str) -> str:
    """A subject's text: no line break, nothing that ends a header or turns the reading direction."""
    spaced = " ".join(text.split())
    return "".join(character for character in spaced if unicodedata.category(character) not in FORMAT_CHARACTERS)

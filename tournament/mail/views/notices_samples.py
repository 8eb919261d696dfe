"""Whom a notice goes to, before it goes: a few recipients with masked addresses, and the mail in both languages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.mail import EmailMultiAlternatives

from tournament.core.contact_masks import mask_email
from tournament.core.enums import Language, MailingKind
from tournament.core.errors import Refused
from tournament.mail.services.mail_texts import build_sample_message
from tournament.messages.models import Notice
from tournament.messages.queries.recipients import Recipient, Recipients


@dataclass(frozen=True, slots=True)
class RecipientSample:
    """One recipient: own number, those told by the same mail, masked address, language."""

    number: int
    also: tuple[int, ...]
    address: str
    language: str


def samples_of(found: Sequence[Recipient], most: int) -> list[RecipientSample]:
    """From the first to the last, evenly."""
    step = (len(found) - 1) / (most - 1) if len(found) > most else 1
    chosen = [found[round(place * step)] for place in range(min(most, len(found)))]
    words = dict(Language.choices)
    return [
        RecipientSample(one.number, one.also, mask_email(one.address), str(words.get(one.language, "")))
        for one in chosen
    ]


def notice_mail_previews(notice: Notice, recipients: Recipients) -> list[dict[str, Any]]:
    """The mail as its first recipient would get it, in each language; nothing where nobody has an address."""
    mails: list[dict[str, Any]] = []
    for language in Language:
        own = [one for one in recipients.found if one.language == language]
        for one in (own or recipients.found)[:1]:
            try:
                made = build_sample_message(
                    MailingKind.NOTICE, one, event=notice.event, notice=notice, language=language
                )
            except Refused as refused:
                mails.append({"language": language.label, "refused": str(refused), "count": len(own)})
                continue
            mails.append(
                {
                    "language": language.label,
                    "code": language.value,
                    "lang": "en" if language == Language.ENGLISH else "zh-Hant-HK",
                    "count": len(own),
                    "to": mask_email(one.address),
                    "from": made.from_email,
                    "subject": made.subject,
                    "text": made.body,
                }
            )
    return mails


def mail_in(notice: Notice, recipients: Recipients, language: str) -> EmailMultiAlternatives | None:
    """The same as a message; None where nobody has an address, or there is no such language."""
    if language not in Language.values or not recipients.found:
        return None
    own = [one for one in recipients.found if one.language == language] or recipients.found
    return build_sample_message(MailingKind.NOTICE, own[0], event=notice.event, notice=notice, language=language)

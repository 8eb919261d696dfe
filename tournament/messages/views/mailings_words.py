"""Mailings in the words of the desk: what each is about, and its state as a badge."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.core import dateformat
from tournament.core.enums import DeliveryState, MailingKind, MailingState, StageKind
from tournament.core.models.stage import Session
from tournament.events.templatetags.rounds import session_title
from tournament.messages.models import Delivery, Mailing, Notice

MAILING_KINDS: Mapping[str, str] = {
    MailingState.SENDING: "live",
    MailingState.PAUSED: "wait",
    MailingState.STOPPED: "stop",
    MailingState.DONE: "done",
}
DELIVERY_KINDS: Mapping[str, str] = {
    DeliveryState.WAITING: "",
    DeliveryState.SENDING: "live",
    DeliveryState.SENT: "done",
    DeliveryState.FAILED: "stop",
    DeliveryState.STOPPED: "wait",
}


MAILBOX_TROUBLE_WORDS: Mapping[str, str] = {
    "no_answer": gettext_noop("The server of the mailbox does not answer."),
    "not_safe": gettext_noop("The server of the mailbox has no certificate that is trusted here."),
    "not_signed_in": gettext_noop("The mailbox does not take this user and password."),
    "no_folder": gettext_noop("The mailbox has no such folder."),
    "broken": gettext_noop("The connection to the mailbox broke off."),
}


def trouble_words(code: str) -> str:
    """Why the mailbox for returned mail could not be read."""
    return _(MAILBOX_TROUBLE_WORDS[code]) if code in MAILBOX_TROUBLE_WORDS else code


def mailing_subject_text(mailing: Mailing, sessions: Mapping[str, Session]) -> str:
    """What was mailed: the notice's title, the session, the release. `sessions` by code."""
    if mailing.notice is not None:
        return notice_number_and_title(mailing.notice)
    return subject_words(mailing.kind, mailing.subject, sessions)


def notice_number_and_title(notice: Notice) -> str:
    return _("Notice %(number)s: %(title)s") % {"number": notice.number, "title": notice_title_in_language(notice)}


def subject_words(kind: str, subject: str, sessions: Mapping[str, Session]) -> str:
    """The same of a mailing without a notice, also before it is begun."""
    reference = subject.partition(" ")[2]
    if kind == MailingKind.SEATS:
        session = sessions.get(reference)
        return _("Seats: %(session)s") % {"session": session_title(session) if session else reference}
    if kind == MailingKind.RESULTS:
        return _("Results: release no. %(number)s") % {"number": reference}
    return _("Places in the final, with private links")


def notice_title_in_language(notice: Any) -> str:
    """Its title in the language of the moment."""
    return str(notice.title_en if is_page_english() else notice.title_zh)


def is_page_english() -> bool:
    """Whether the page is English."""
    return not dateformat.is_chinese()


def badge_of(mailing: Mailing) -> tuple[str, str]:
    """Kind and word of its state."""
    return MAILING_KINDS[mailing.state], str(mailing.get_state_display())


def delivery_badge(delivery: Delivery) -> tuple[str, str]:
    """Kind and word of one mail's state."""
    return DELIVERY_KINDS[delivery.state], str(delivery.get_state_display())


def translate_if_ours(words: str) -> str:
    """A sentence of ours in the language of the moment; a mail server's words as they are."""
    return _(words) if words else ""


def mailing_subject_url(mailing: Mailing, sessions: Mapping[str, Session]) -> str:
    """Where what it is about is looked at; nothing for a session that is gone. `sessions` by code."""
    slug = mailing.event.slug
    if mailing.notice is not None:
        return reverse("notice", args=[slug, mailing.notice.pk])
    if mailing.kind == MailingKind.PLACES:
        return reverse("finalists", args=[slug, StageKind.FINAL])
    if mailing.kind == MailingKind.RESULTS:
        return reverse("release_page", args=[slug, int(mailing.subject.partition(" ")[2])])
    session = sessions.get(mailing.subject.partition(" ")[2])
    return reverse("session_seating", args=[slug, session.number]) if session else ""

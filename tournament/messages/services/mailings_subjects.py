"""Why a word does not count any more, in sentences; and the refusal of whoever would go on with it."""

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.core.errors import Refused
from tournament.messages.domain import grounds_messages, mail_subjects
from tournament.messages.models import Mailing

MAILING_END_REASONS = {
    mail_subjects.ENDED_RELEASE_WITHDRAWN: _("release %(of)s was withdrawn"),
    mail_subjects.ENDED_RELEASE_REPLACED: _("release %(of)s was replaced by release %(by)s"),
    mail_subjects.ENDED_NOTICE_REPLACED: _("notice %(of)s was replaced by notice %(by)s"),
    mail_subjects.ENDED_SESSION_GONE: _("session %(of)s is not in the plan any more"),
    mail_subjects.ENDED_SESSION_POSTPONED: _("session %(of)s was postponed"),
    mail_subjects.ENDED_SESSION_OVER: _("session %(of)s is over or void"),
    mail_subjects.ENDED_SESSION_TIMES: _("session %(of)s has other times now"),
    mail_subjects.ENDED_SEATS_OPEN: _("the seats of session %(of)s are not confirmed any more"),
    mail_subjects.ENDED_PLACES_TIMES: _("the last moment for answers, or the times of the final, are others now"),
    mail_subjects.ENDED_LIST_FIXED: _("the list of finalists was fixed"),
    mail_subjects.ENDED_LIST_OPENED: _("the list of finalists was opened again"),
}
# Of one mail alone, kept with it as what a mail server says is.
SUBJECT_CHANGED_ADVICE = {
    mail_subjects.ENDED_SEAT_CHANGED: _(
        "The seat is another now. Mail the seats again: it goes to those whose seat has changed."
    ),
    mail_subjects.ENDED_PLACE_CHANGED: _(
        "The place is another now, or given up. Mail the places again where one is held."
    ),
}
MAILING_NEXT_STEPS = {
    mail_subjects.ENDED_RELEASE_WITHDRAWN: _("Mail the results of the next release."),
    mail_subjects.ENDED_RELEASE_REPLACED: _("Mail the results of the newest release."),
    mail_subjects.ENDED_NOTICE_REPLACED: _("Mail the newest notice: who has not got it is listed there."),
    mail_subjects.ENDED_SESSION_POSTPONED: _("Once it has new times, mail its seats anew."),
    mail_subjects.ENDED_SESSION_TIMES: _("Mail its seats anew."),
    mail_subjects.ENDED_SEATS_OPEN: _("Confirm them, then mail them anew."),
    mail_subjects.ENDED_PLACES_TIMES: _("Mail the places anew."),
    mail_subjects.ENDED_LIST_OPENED: _("Mail the places anew."),
}
OUT_OF_FORCE = _("Nothing more of this is mailed: %(why)s. %(next)s")


class LazySentence:
    """A sentence with its facts, put into words in the language of whoever reads it."""

    def __init__(self, sentence: str, facts: Mapping[str, str]) -> None:
        self.sentence, self.facts = sentence, facts

    def __str__(self) -> str:
        """Empty where there is nothing to say."""
        return gettext(self.sentence) % self.facts if self.sentence else ""


def mailing_end_reason(ended: Mapping[str, str]) -> LazySentence:
    """Why it ended, as a mailing's row keeps it."""
    return LazySentence(MAILING_END_REASONS[ended["code"]], ended)


def next_words(ended: Mapping[str, str]) -> LazySentence:
    """What is to be done instead; empty where nothing is."""
    return LazySentence(MAILING_NEXT_STEPS.get(ended["code"], ""), ended)


def mailing_ending(mailing: Mailing) -> dict[str, str]:
    """What has ended it, kept with it or as it is now; empty while its subject is in force."""
    now = grounds_messages.reason_not_in_force(mailing) if not mailing.ended else None
    return dict(mailing.ended) or (now.as_data() if now else {})


def refuse_out_of_force(mailing: Mailing) -> None:
    """Nothing is tried again or gone on with whose subject has ended; the refusal says what to do instead."""
    if ended := mailing_ending(mailing):
        raise subject_ended_error(ended)


def subject_ended_error(ended: Mapping[str, str]) -> Refused:
    """The refusal 409 `subject_ended`, with the reason and the next step."""
    return Refused("subject_ended", OUT_OF_FORCE, why=mailing_end_reason(ended), next=next_words(ended))

"""Why a word does not count any more, in sentences; and the refusal of whoever would go on with it."""

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.bridge import grounds
from tournament.bridge import mailing_subjects as subjects
from tournament.bridge.mailing_subjects import Ended
from tournament.errors import Refused
from tournament.models import Mailing

WHY = {
    subjects.RELEASE_WITHDRAWN: _("release %(of)s was withdrawn"),
    subjects.RELEASE_REPLACED: _("release %(of)s was replaced by release %(by)s"),
    subjects.NOTICE_REPLACED: _("notice %(of)s was replaced by notice %(by)s"),
    subjects.SESSION_GONE: _("session %(of)s is not in the plan any more"),
    subjects.SESSION_POSTPONED: _("session %(of)s was postponed"),
    subjects.SESSION_OVER: _("session %(of)s is over or void"),
    subjects.SESSION_TIMES: _("session %(of)s has other times now"),
    subjects.SEATS_OPEN: _("the seats of session %(of)s are not confirmed any more"),
    subjects.PLACES_TIMES: _("the last moment for answers, or the times of the final, are others now"),
    subjects.LIST_FIXED: _("the list of finalists was fixed"),
    subjects.LIST_OPENED: _("the list of finalists was opened again"),
}
# Of one mail alone, kept with it as what a mail server says is.
OWN = {
    subjects.SEAT_CHANGED: _("The seat is another now. Mail the seats again: it goes to those whose seat has changed."),
    subjects.PLACE_CHANGED: _("The place is another now, or given up. Mail the places again where one is held."),
}
NEXT = {
    subjects.RELEASE_WITHDRAWN: _("Mail the results of the next release."),
    subjects.RELEASE_REPLACED: _("Mail the results of the newest release."),
    subjects.NOTICE_REPLACED: _("Mail the newest notice: who has not got it is listed there."),
    subjects.SESSION_POSTPONED: _("Once it has new times, mail its seats anew."),
    subjects.SESSION_TIMES: _("Mail its seats anew."),
    subjects.SEATS_OPEN: _("Confirm them, then mail them anew."),
    subjects.PLACES_TIMES: _("Mail the places anew."),
    subjects.LIST_OPENED: _("Mail the places anew."),
}
OUT_OF_FORCE = _("Nothing more of this is mailed: %(why)s. %(next)s")


class Said:
    """A sentence with its facts, put into words in the language of whoever reads it."""

    def __init__(self, sentence: str, facts: Mapping[str, str]) -> None:
        self.sentence, self.facts = sentence, facts

    def __str__(self) -> str:
        """Empty where there is nothing to say."""
        return gettext(self.sentence) % self.facts if self.sentence else ""


def why_words(ended: Mapping[str, str]) -> Said:
    """Why it ended, as a mailing's row keeps it."""
    return Said(WHY[ended["code"]], ended)


def next_words(ended: Mapping[str, str]) -> Said:
    """What is to be done instead; empty where nothing is."""
    return Said(NEXT.get(ended["code"], ""), ended)


def ended_of(mailing: Mailing) -> dict[str, str]:
    """What has ended it, kept with it or as it is now; empty while its subject is in force."""
    now = grounds.in_force(mailing) if not mailing.ended else None
    return dict(mailing.ended) or (now.as_data() if now else {})


def refuse_out_of_force(mailing: Mailing) -> None:
    """Nothing is tried again or gone on with whose subject has ended; the refusal says what to do instead."""
    if ended := ended_of(mailing):
        raise refusal_of(ended)


def refusal_of(ended: Mapping[str, str]) -> Refused:
    """409 `subject_ended`."""
    return Refused("subject_ended", OUT_OF_FORCE, why=why_words(ended), next=next_words(ended))


def log_words(ended: Ended) -> str:
    """As the log has it: `release_withdrawn 1`, `notice_replaced 2 3`."""
    return " ".join(word for word in (ended.code, ended.of, ended.by) if word)

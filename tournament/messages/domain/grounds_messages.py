"""Whether somebody was reached by mail, and whether a word that was sent is still in force."""

from collections.abc import Mapping

from tournament.messages.domain import mail_subjects, told
from tournament.messages.domain.mail_subjects import EndedSubject
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.mailing_counts import LastMailed
from tournament.messages.queries.recipients import Recipients
from tournament.releases.models import Release


def recipients_not_reached(found: Recipients, before: Mapping[int, LastMailed]) -> Recipients:
    """Of whom this is for, those who have not been told: no mail server took exactly this for the address of now."""
    return told.recipients_not_yet_mailed(found, before)


def reason_not_in_force(subject: Mailing | Delivery | Release | Notice) -> EndedSubject | None:
    """Why it is in force no more: a word that was mailed, a release, a notice; None while it is."""
    return mail_subjects.reason_out_of_force(subject)

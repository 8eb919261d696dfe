"""Why a mailing's subject is no longer in force; each room registers the kinds of mail it knows."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from tournament.core.enums import MailingKind
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.messages.queries.notices_replaced import newest_number_counting_instead
from tournament.releases.models import Release

ENDED_RELEASE_WITHDRAWN = "release_withdrawn"
ENDED_RELEASE_REPLACED = "release_replaced"
ENDED_NOTICE_REPLACED = "notice_replaced"
ENDED_SESSION_GONE = "session_gone"
ENDED_SESSION_POSTPONED = "session_postponed"
ENDED_SESSION_OVER = "session_over"
ENDED_SESSION_TIMES = "session_times"
ENDED_SEATS_OPEN = "seats_open"
ENDED_PLACES_TIMES = "places_times"
ENDED_LIST_FIXED = "list_fixed"
ENDED_LIST_OPENED = "list_opened"
ENDED_SEAT_CHANGED = "seat_changed"
ENDED_PLACE_CHANGED = "place_changed"
# What was said was so until its time had come.
ENDED_IN_DUE_COURSE = frozenset({ENDED_SESSION_OVER, ENDED_LIST_FIXED})


@dataclass(frozen=True, slots=True)
class EndedSubject:
    """Why a word does not count any more: a stable code, what it was about (`of`), and what counts instead (`by`)."""

    code: str
    of: str = ""
    by: str = ""

    def as_data(self) -> dict[str, str]:
        """As a row keeps it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class MailSubject:
    """What one kind of mailing is about, registered by the room that knows it.

    `ended` says why nothing more of it is mailed, `own` why one mail's own words are not so any more, `changed` which
    of its mails are so, all at once.
    """

    ended: Callable[[Mailing], EndedSubject | None]
    own: Callable[[Delivery], EndedSubject | None] | None = None
    changed: Callable[[Mailing, list[Delivery]], list[Delivery]] | None = None


MAIL_SUBJECTS: dict[MailingKind, MailSubject] = {}


def register_subject(kind: MailingKind, subject: MailSubject) -> None:
    """Let mailings of this kind be judged; called once when the app starts."""
    MAIL_SUBJECTS[kind] = subject


def reason_out_of_force(subject: Mailing | Delivery | Release | Notice) -> EndedSubject | None:
    """Why this is in force no more, whatever it is; None while it is."""
    if isinstance(subject, Mailing):
        return mailing_ended_reason(subject)
    if isinstance(subject, Delivery):
        return delivery_outdated_reason(subject)
    return ended_reason_of_release(subject) if isinstance(subject, Release) else ended_reason_of_notice(subject)


def mailing_ended_reason(mailing: Mailing) -> EndedSubject | None:
    """Why nothing more is mailed about this; None while it is in force. Some few queries."""
    return MAIL_SUBJECTS[MailingKind(mailing.kind)].ended(mailing)


def delivery_outdated_reason(delivery: Delivery) -> EndedSubject | None:
    """Why this one's own mail would say what is not so any more: another seat, no place; None while it is right."""
    own = MAIL_SUBJECTS[MailingKind(delivery.mailing.kind)].own
    return own(delivery) if own else None


def outdated_deliveries(mailing: Mailing, deliveries: list[Delivery]) -> list[Delivery]:
    """Those of a mailing of places whose place is another now, or none; of the others none is looked for."""
    changed = MAIL_SUBJECTS[MailingKind(mailing.kind)].changed
    return changed(mailing, deliveries) if changed and deliveries else []


# --- By kind --------------------------------------------------------------------------------------------
def ended_notice_of_mailing(mailing: Mailing) -> EndedSubject | None:
    """Why its notice is in force no more; None while it is, or without a notice."""
    return ended_reason_of_notice(mailing.notice) if mailing.notice else None


def ended_reason_of_notice(notice: Notice) -> EndedSubject | None:
    """The same of a notice itself."""
    newest = newest_number_counting_instead(notice)
    return EndedSubject(ENDED_NOTICE_REPLACED, of=str(notice.number), by=str(newest)) if newest else None


def ended_release_of_mailing(mailing: Mailing) -> EndedSubject | None:
    """Withdrawn, or replaced by a newer one of its stage."""
    number = mailing.subject.partition(" ")[2]
    rows = Release.objects.filter(stage__event=mailing.event_id, number=int(number))
    found = rows.defer("content", "people", "sheets").first()
    return ended_reason_of_release(found) if found else EndedSubject(ENDED_RELEASE_WITHDRAWN, of=number)


def ended_reason_of_release(release: Release) -> EndedSubject | None:
    """The same of a release itself."""
    number = str(release.number)
    newer = Release.objects.filter(stage=release.stage_id, number__gt=release.number).order_by("-number")
    if release.withdrawn_at is not None:
        return EndedSubject(ENDED_RELEASE_WITHDRAWN, of=number)
    by = newer.values_list("number", flat=True).first()
    return EndedSubject(ENDED_RELEASE_REPLACED, of=number, by=str(by)) if by else None


register_subject(MailingKind.NOTICE, MailSubject(ended_notice_of_mailing))
register_subject(MailingKind.RESULTS, MailSubject(ended_release_of_mailing))

"""The next word to exactly those whom a mail reached that counts no more: a draft, once, however often it is asked
for."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.audit.models import AuditHead
from tournament.core.enums import NoticeKind
from tournament.core.errors import Refused
from tournament.mail.exports.notice_follow_up import follow_up_texts
from tournament.mail.services.notices import NoticeWording, draft_notice
from tournament.messages.models import Mailing, Notice
from tournament.messages.queries.recipients import entrants_reached_by
from tournament.messages.services.mailings_subjects import mailing_ending

MAILING_STILL_IN_FORCE = _("What this mailing is about is in force: there is nothing to take back.")
MAILING_REACHED_NOBODY = _("This mail was sent to nobody: there is nobody to write to.")


@transaction.atomic
def draft_follow_up(mailing: Mailing, *, by: User, now: datetime | None = None) -> Notice:
    """A draft to those who got it. One that was drafted and is not published yet is returned as it stands.

    Refused: `subject_in_force`; `nobody_reached`.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=mailing.event_id)
    standing = Notice.objects.filter(readers_of=mailing, published_at=None, discarded_at=None).first()
    if standing is not None:
        return standing
    if not mailing_ending(mailing):
        raise Refused("subject_in_force", MAILING_STILL_IN_FORCE)
    if not entrants_reached_by(mailing.pk):
        raise Refused("nobody_reached", MAILING_REACHED_NOBODY)
    texts = follow_up_texts(mailing.kind, mailing.subject, mailing.asked_at)
    wording = NoticeWording(NoticeKind.GENERAL, *texts.titles, *texts.bodies, banner=False, tone=texts.tone)
    return draft_notice(mailing.event, wording, readers_of=mailing, by=by, now=now)

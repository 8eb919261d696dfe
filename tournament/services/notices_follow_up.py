"""The next word to exactly those whom a mail reached that counts no more: a draft, once, however often it is asked
for."""

from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.enums import NoticeKind
from tournament.errors import Refused
from tournament.exports.notice_follow_up import follow_up
from tournament.models import AuditHead, Mailing, Notice
from tournament.queries.recipients import readers
from tournament.services.mailings_subjects import ended_of
from tournament.services.notices import Wording, draft_notice

IN_FORCE = _("What this mailing is about is in force: there is nothing to take back.")
NOBODY_REACHED = _("This mail was sent to nobody: there is nobody to write to.")


@transaction.atomic
def draft_follow_up(mailing: Mailing, *, by: AbstractUser, now: datetime | None = None) -> Notice:
    """A draft to those who got it. One that was drafted and is not published yet is returned as it stands.

    Refused: `subject_in_force`; `nobody_reached`.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=mailing.event_id)
    standing = Notice.objects.filter(readers_of=mailing, published_at=None, discarded_at=None).first()
    if standing is not None:
        return standing
    if not ended_of(mailing):
        raise Refused("subject_in_force", IN_FORCE)
    if not readers(mailing.pk):
        raise Refused("nobody_reached", NOBODY_REACHED)
    texts = follow_up(mailing.kind, mailing.subject, mailing.asked_at)
    words = dict(zip(("title_zh", "title_en", "body_zh", "body_en"), (*texts.titles, *texts.bodies), strict=True))
    wording = Wording(NoticeKind.GENERAL, **words, banner=False, tone=texts.tone)
    return draft_notice(mailing.event, wording, readers_of=mailing, by=by, now=now)

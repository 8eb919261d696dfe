"""Notices 通告: drafted, changed, put aside, published once with number, digest and mail; a banner is taken down once.

What was published never changes. A mistake in it is told by another notice, which says what it corrects.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.enums import BannerTone, MailingKind, NoticeKind
from tournament.core.errors import BadInput, NotFoundRefused, Refused, StaleVersion
from tournament.core.exports.pdf_fonts import describe_character, font_of
from tournament.core.models.event import Event
from tournament.mail.services.notices_gate import require_no_contradiction
from tournament.messages.models import Mailing, Notice
from tournament.messages.queries import notices as queries
from tournament.messages.queries import recipients
from tournament.messages.queries.notices_replaced import notice_reversed_by_draft, notices_replaced_by_draft
from tournament.messages.services import mailings, mailings_ending
from tournament.messages.services.published_text import check_published_texts
from tournament.publication.services.release import write_after_commit

NOTICE_TEXT_FIELDS = ("title_zh", "title_en", "body_zh", "body_en")
NOTICE_TEXT_MAX_LENGTHS = {"title_zh": 120, "title_en": 200, "body_zh": 4000, "body_en": 6000}

NOTICE_TEXT_MISSING = _("Title and text are needed in both languages: families read one or the other.")
NOTICE_TEXT_TOO_LONG = _("A title or a text is too long.")
NOTICE_DRAFT_CHANGED = _(
    "Somebody else has changed this draft. What you typed is kept below; what stands now is beside it."
)
NOTICE_ALREADY_PUBLISHED = _(
    "This notice was published as number %(number)s. It cannot be changed any more; correct it by another."
)
NOTICE_DISCARDED = _("This draft was put aside.")
NO_FONT = _("The sheet for the door cannot print %(characters)s. Leave it out, or write it another way.")
NOTICE_HAS_NO_BANNER = _("This notice is not published: it has no banner.")
NOT_CORRECTED = _("Only a published notice can be corrected.")
NO_CONTACT = _(
    "This notice asks families to get in touch, and the event has no contact. Write a telephone, e-mail or address in "
    "the set-up first. Nothing was published."
)
NOTICE_COUNT_DIFFERS = _("%(confirmed)s recipients were confirmed, but now there are %(count)s. Look at them again.")


@dataclass(frozen=True, slots=True)
class NoticeWording:
    """All that a person decides of a notice. `sessions`: the numbers of those that it is about; none: the whole
    event."""

    kind: NoticeKind
    title_zh: str
    title_en: str
    body_zh: str
    body_en: str
    day: date | None = None
    sessions: Sequence[int] = ()
    banner: bool = True
    tone: BannerTone = BannerTone.INFO

    def values(self) -> dict[str, Any]:
        """As the row keeps it; lines end alike whatever the browser sends. Raises BadInput, also for what no font of
        the sheet has."""
        kept = {**asdict(self), "sessions": sorted(set(self.sessions))}
        kept |= {name: kept[name].replace("\r\n", "\n").replace("\t", " ").strip() for name in NOTICE_TEXT_FIELDS}
        if not all(kept[name] for name in NOTICE_TEXT_FIELDS):
            raise BadInput("notice_empty", NOTICE_TEXT_MISSING)
        if any(len(kept[name]) > room for name, room in NOTICE_TEXT_MAX_LENGTHS.items()):
            raise BadInput("notice_too_long", NOTICE_TEXT_TOO_LONG)
        written = dict.fromkeys("".join(kept[name].replace("\n", "") for name in NOTICE_TEXT_FIELDS))
        if unknown := [describe_character(character) for character in written if font_of(character) is None]:
            raise BadInput("character_without_font", NO_FONT, characters=", ".join(unknown))
        return kept


# --- Drafts ---------------------------------------------------------------------------------------------
@transaction.atomic
def draft_notice(
    event: Event,
    wording: NoticeWording,
    *,
    by: User,
    corrects: Notice | None = None,
    readers_of: Mailing | None = None,
    now: datetime | None = None,
) -> Notice:
    """A new draft, which the public never sees; `corrects` is a published notice of the event. A decision that tells
    the opposite of the one in force corrects it by itself. `readers_of`: it goes to exactly those who got that
    mailing."""
    if corrects is not None and (corrects.event_id != event.pk or corrects.published_at is None):
        raise Refused("not_published", NOT_CORRECTED)
    now = now or timezone.now()
    refuse_personal_data(event, wording)
    facts = {"corrects": corrects, "readers_of": readers_of, "made_by": by, "made_at": now}
    made = Notice(event=event, **facts, **wording.values())
    made.corrects = corrects = corrects or notice_reversed_by_draft(made)
    made.save(force_insert=True)
    about = f"corrects notice {corrects.number}" if corrects else ""
    services.append_audit_entry(
        event, by, "draft_notice", notice_subject_ref(made), digest=("", notice_digest(made)), reason=about, at=now
    )
    return made


@transaction.atomic
def change_notice(notice: Notice, wording: NoticeWording, *, revision: int, by: User) -> Notice:
    """Other words for a draft; harmless where they are what stands. 412 `notice_changed` where another was quicker,
    with the row as it stands in `current`."""
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = open_draft(notice)
    values = wording.values()
    refuse_personal_data(standing.event, wording)
    if all(getattr(standing, name) == value for name, value in values.items()):
        return standing
    before = notice_digest(standing)
    swapped = Notice.objects.filter(pk=notice.pk, revision=revision, published_at=None, discarded_at=None).update(
        **values, revision=revision + 1
    )
    if not swapped:
        raise StaleVersion("notice_changed", NOTICE_DRAFT_CHANGED, current=standing)
    standing.refresh_from_db()
    services.append_audit_entry(
        standing.event, by, "change_notice", notice_subject_ref(standing), digest=(before, notice_digest(standing))
    )
    return standing


@transaction.atomic
def discard_notice(notice: Notice, *, revision: int, by: User, now: datetime | None = None) -> Notice:
    """Put a draft aside; put aside already, it is returned as it stands."""
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = Notice.objects.select_related("event").get(pk=notice.pk)
    if standing.discarded_at is not None:
        return standing
    standing = open_draft(standing)
    if not Notice.objects.filter(pk=notice.pk, revision=revision, published_at=None).update(discarded_at=now):
        raise StaleVersion("notice_changed", NOTICE_DRAFT_CHANGED, current=standing)
    services.append_audit_entry(standing.event, by, "discard_notice", notice_subject_ref(standing), at=now)
    standing.refresh_from_db()
    return standing


def refuse_personal_data(event: Event, wording: NoticeWording) -> None:
    """Whole names, telephones and addresses have no place in a draft either; what may be a word is asked about when it
    is published."""
    check_published_texts(event, {name: getattr(wording, name) for name in NOTICE_TEXT_FIELDS}, asks=False)


def open_draft(notice: Notice) -> Notice:
    """The draft as it stands now; refused where it was published or put aside."""
    standing = Notice.objects.select_related("event", "corrects").get(pk=notice.pk)
    if standing.published_at is not None:
        raise Refused("notice_published", NOTICE_ALREADY_PUBLISHED, number=standing.number)
    if standing.discarded_at is not None:
        raise NotFoundRefused("notice_discarded", NOTICE_DISCARDED)
    return standing


# --- Published ------------------------------------------------------------------------------------------
@transaction.atomic
def publish_notice(
    notice: Notice,
    *,
    revision: int,
    confirmed: int | None,
    mail: bool,
    by: User,
    words_confirmed: str = "",
    now: datetime | None = None,
) -> Notice:
    """Tell it: number, digest, page, PDF, banner, and one mail to each recipient. Sent again: the notice as it stands.

    1. The audit head is locked: one notice is published at a time. 2. The draft is the one that was looked at (412
    `notice_changed`), says how to answer where it asks for that (409 `contact_missing`), and names nobody; what it says
    of play is so (409 `notice_contradicts`); with `mail` the typed count is that of the recipients at this moment (409
    `count_differs`).
    3. Number, moment and digest by compare-and-swap; audit entry. 4. What it replaces ends: banners come down, what is
    left of their mail is stopped. 5. The mailing. 6. On commit, the files.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = Notice.objects.select_related("event", "corrects").get(pk=notice.pk)
    if standing.published_at is not None:
        return standing
    standing, event = open_draft(standing), standing.event
    if standing.revision != revision:
        raise StaleVersion("notice_changed", NOTICE_DRAFT_CHANGED, current=standing)
    refuse_without_contact(standing)
    require_no_contradiction(standing, now)
    passed = check_published_texts(
        event, {name: getattr(standing, name) for name in NOTICE_TEXT_FIELDS}, confirmed=words_confirmed
    )
    found = recipients.for_notice(standing).found if mail else ()
    if mail and confirmed != len(found):
        raise Refused("count_differs", NOTICE_COUNT_DIFFERS, confirmed=confirmed, count=len(found))
    replaced = notices_replaced_by_draft(standing)
    standing.corrects = standing.corrects or notice_reversed_by_draft(standing)
    standing.number, standing.published_by, standing.published_at = queries.next_notice_number(event), by, now
    standing.digest = notice_digest(standing)
    names = ("number", "corrects", "published_by", "published_at", "digest")
    kept = {name: getattr(standing, name) for name in names}
    Notice.objects.filter(pk=standing.pk, revision=revision, published_at=None, discarded_at=None).update(**kept)
    services.append_audit_entry(
        event, by, "publish_notice", notice_subject_ref(standing), digest=("", standing.digest), at=now
    )
    passed.record(event, by, notice_subject_ref(standing))
    for older in queries.banners_in_force(event).exclude(pk=standing.pk).order_by("number"):
        if standing.banner or older in replaced:
            mark_banner_down(older, by, now)
    mailings_ending.end_outdated(event, by=by, now=now)
    if mail:
        subject = notice_subject_ref(standing)
        mailings.start_mailing(
            event, MailingKind.NOTICE, subject, found, confirmed=confirmed or 0, by=by, notice=standing, now=now
        )
    transaction.on_commit(lambda: write_after_commit(event))
    return standing


def lacks_contact(notice: Notice) -> bool:
    """Whether it asks families to get in touch, and nothing says how."""
    return notice.kind == NoticeKind.NEW_DATE and not notice.event.contact


def refuse_without_contact(notice: Notice) -> None:
    """New dates make families ask: for another session, or to withdraw."""
    if lacks_contact(notice):
        raise Refused("contact_missing", NO_CONTACT, about=notice)


@transaction.atomic
def take_down_banner(notice: Notice, *, by: User, now: datetime | None = None) -> Notice:
    """The banner goes, the notice stays. Down already: it is returned as it stands."""
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = Notice.objects.select_related("event").get(pk=notice.pk)
    if standing.published_at is None or not standing.banner:
        raise Refused("no_banner", NOTICE_HAS_NO_BANNER)
    if standing.banner_down_at is None:
        mark_banner_down(standing, by, now)
        transaction.on_commit(lambda: write_after_commit(standing.event))
    return standing


def mark_banner_down(notice: Notice, by: User, now: datetime) -> None:
    """Swap the banner from up to down, with its audit entry."""
    if Notice.objects.filter(pk=notice.pk, banner_down_at=None).update(banner_down_by=by, banner_down_at=now):
        notice.banner_down_by, notice.banner_down_at = by, now
        services.append_audit_entry(notice.event, by, "take_down_banner", notice_subject_ref(notice), at=now)


# --- Named in the log -----------------------------------------------------------------------------------
def notice_subject_ref(notice: Notice) -> str:
    """`notice 3`; a draft by its row: `notice draft 12`."""
    return f"notice {notice.number}" if notice.number else f"notice draft {notice.pk}"


def notice_digest(notice: Notice) -> str:
    """SHA-256 of all that is told, and of whom and when once it is published."""
    corrects = notice.corrects.number if notice.corrects else None
    readers = [mailings.mailing_subject_ref(notice.readers_of)] if notice.readers_of else []
    told = [notice.number, notice.kind, notice.day.isoformat() if notice.day else "", notice.sessions]
    words = [getattr(notice, name) for name in NOTICE_TEXT_FIELDS]
    published = canonical.instant(notice.published_at) if notice.published_at else ""
    publication = [corrects, notice.published_by_id, published]
    return canonical.digest_of([*told, *words, notice.banner, notice.tone, *publication, *readers])

"""Notices 通告: drafted, changed, put aside, published once with number, digest and mail; a banner is taken down once.

What was published never changes. A mistake in it is told by another notice, which says what it corrects.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import BannerTone, MailingKind, NoticeKind
from tournament.errors import BadInput, Missing, Refused, StaleVersion
from tournament.exports.pdf_fonts import font_of, shown
from tournament.models import AuditHead, Event, Mailing, Notice
from tournament.queries import notices as queries
from tournament.queries import recipients
from tournament.queries.notices_replaced import corrected_decision, replaced_by
from tournament.services import audit, mailings, mailings_ending
from tournament.services.notices_gate import refuse_contradicted
from tournament.services.published_text import pass_gate
from tournament.services.release import write_after_commit

TEXTS = ("title_zh", "title_en", "body_zh", "body_en")
ROOM = {"title_zh": 120, "title_en": 200, "body_zh": 4000, "body_en": 6000}

EMPTY = _("Title and text are needed in both languages: families read one or the other.")
TOO_LONG = _("A title or a text is too long.")
CHANGED = _("Somebody else has changed this draft. What you typed is kept below; what stands now is beside it.")
PUBLISHED = _("This notice was published as number %(number)s. It cannot be changed any more; correct it by another.")
DISCARDED = _("This draft was put aside.")
NO_FONT = _("The sheet for the door cannot print %(characters)s. Leave it out, or write it another way.")
NOT_PUBLISHED = _("This notice is not published: it has no banner.")
NOT_CORRECTED = _("Only a published notice can be corrected.")
NO_CONTACT = _(
    "This notice asks families to get in touch, and the event has no contact. Write a telephone, e-mail or address in "
    "the set-up first. Nothing was published."
)
COUNT_DIFFERS = _("%(confirmed)s recipients were confirmed, but now there are %(count)s. Look at them again.")


@dataclass(frozen=True, slots=True)
class Wording:
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
        kept |= {name: kept[name].replace("\r\n", "\n").replace("\t", " ").strip() for name in TEXTS}
        if not all(kept[name] for name in TEXTS):
            raise BadInput("notice_empty", EMPTY)
        if any(len(kept[name]) > room for name, room in ROOM.items()):
            raise BadInput("notice_too_long", TOO_LONG)
        written = dict.fromkeys("".join(kept[name].replace("\n", "") for name in TEXTS))
        if unknown := [shown(character) for character in written if font_of(character) is None]:
            raise BadInput("character_without_font", NO_FONT, characters=", ".join(unknown))
        return kept


# --- Drafts ---------------------------------------------------------------------------------------------
@transaction.atomic
def draft_notice(
    event: Event,
    wording: Wording,
    *,
    by: AbstractUser,
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
    refuse_people(event, wording)
    facts = {"corrects": corrects, "readers_of": readers_of, "made_by": by, "made_at": now}
    made = Notice(event=event, **facts, **wording.values())
    made.corrects = corrects = corrects or corrected_decision(made)
    made.save(force_insert=True)
    about = f"corrects notice {corrects.number}" if corrects else ""
    audit.record(event, by, "draft_notice", thing_of(made), digest=("", digest_of(made)), reason=about, at=now)
    return made


@transaction.atomic
def change_notice(notice: Notice, wording: Wording, *, revision: int, by: AbstractUser) -> Notice:
    """Other words for a draft; harmless where they are what stands. 412 `notice_changed` where another was quicker,
    with the row as it stands in `current`."""
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = open_draft(notice)
    values = wording.values()
    refuse_people(standing.event, wording)
    if all(getattr(standing, name) == value for name, value in values.items()):
        return standing
    before = digest_of(standing)
    swapped = Notice.objects.filter(pk=notice.pk, revision=revision, published_at=None, discarded_at=None).update(
        **values, revision=revision + 1
    )
    if not swapped:
        raise StaleVersion("notice_changed", CHANGED, current=standing)
    standing.refresh_from_db()
    audit.record(standing.event, by, "change_notice", thing_of(standing), digest=(before, digest_of(standing)))
    return standing


@transaction.atomic
def discard_notice(notice: Notice, *, revision: int, by: AbstractUser, now: datetime | None = None) -> Notice:
    """Put a draft aside; put aside already, it is returned as it stands."""
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = Notice.objects.select_related("event").get(pk=notice.pk)
    if standing.discarded_at is not None:
        return standing
    standing = open_draft(standing)
    if not Notice.objects.filter(pk=notice.pk, revision=revision, published_at=None).update(discarded_at=now):
        raise StaleVersion("notice_changed", CHANGED, current=standing)
    audit.record(standing.event, by, "discard_notice", thing_of(standing), at=now)
    standing.refresh_from_db()
    return standing


def refuse_people(event: Event, wording: Wording) -> None:
    """Whole names, telephones and addresses have no place in a draft either; what may be a word is asked about when it
    is published."""
    pass_gate(event, {name: getattr(wording, name) for name in TEXTS}, asks=False)


def open_draft(notice: Notice) -> Notice:
    """The draft as it stands now; refused where it was published or put aside."""
    standing = Notice.objects.select_related("event", "corrects").get(pk=notice.pk)
    if standing.published_at is not None:
        raise Refused("notice_published", PUBLISHED, number=standing.number)
    if standing.discarded_at is not None:
        raise Missing("notice_discarded", DISCARDED)
    return standing


# --- Published ------------------------------------------------------------------------------------------
@transaction.atomic
def publish_notice(
    notice: Notice,
    *,
    revision: int,
    confirmed: int | None,
    mail: bool,
    by: AbstractUser,
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
        raise StaleVersion("notice_changed", CHANGED, current=standing)
    refuse_without_contact(standing)
    refuse_contradicted(standing, now)
    passed = pass_gate(event, {name: getattr(standing, name) for name in TEXTS}, confirmed=words_confirmed)
    found = recipients.for_notice(standing).found if mail else ()
    if mail and confirmed != len(found):
        raise Refused("count_differs", COUNT_DIFFERS, confirmed=confirmed, count=len(found))
    replaced = replaced_by(standing)
    standing.corrects = standing.corrects or corrected_decision(standing)
    standing.number, standing.published_by, standing.published_at = queries.next_number(event), by, now
    standing.digest = digest_of(standing)
    names = ("number", "corrects", "published_by", "published_at", "digest")
    kept = {name: getattr(standing, name) for name in names}
    Notice.objects.filter(pk=standing.pk, revision=revision, published_at=None, discarded_at=None).update(**kept)
    audit.record(event, by, "publish_notice", thing_of(standing), digest=("", standing.digest), at=now)
    passed.record(event, by, thing_of(standing))
    for older in queries.standing_banners(event).exclude(pk=standing.pk).order_by("number"):
        if standing.banner or older in replaced:
            lower(older, by, now)
    mailings_ending.end_outdated(event, by=by, now=now)
    if mail:
        about = {"confirmed": confirmed or 0, "by": by, "notice": standing, "now": now}
        mailings.start(event, MailingKind.NOTICE, thing_of(standing), found, **about)
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
def take_down_banner(notice: Notice, *, by: AbstractUser, now: datetime | None = None) -> Notice:
    """The banner goes, the notice stays. Down already: it is returned as it stands."""
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=notice.event_id)
    standing = Notice.objects.select_related("event").get(pk=notice.pk)
    if standing.published_at is None or not standing.banner:
        raise Refused("no_banner", NOT_PUBLISHED)
    if standing.banner_down_at is None:
        lower(standing, by, now)
        transaction.on_commit(lambda: write_after_commit(standing.event))
    return standing


def lower(notice: Notice, by: AbstractUser, now: datetime) -> None:
    """Swap the banner from up to down, with its audit entry."""
    if Notice.objects.filter(pk=notice.pk, banner_down_at=None).update(banner_down_by=by, banner_down_at=now):
        notice.banner_down_by, notice.banner_down_at = by, now
        audit.record(notice.event, by, "take_down_banner", thing_of(notice), at=now)


# --- Named in the log -----------------------------------------------------------------------------------
def thing_of(notice: Notice) -> str:
    """`notice 3`; a draft by its row: `notice draft 12`."""
    return f"notice {notice.number}" if notice.number else f"notice draft {notice.pk}"


def digest_of(notice: Notice) -> str:
    """SHA-256 of all that is told, and of whom and when once it is published."""
    corrects = notice.corrects.number if notice.corrects else None
    readers = [mailings.thing_of(notice.readers_of)] if notice.readers_of else []
    told = [notice.number, notice.kind, notice.day.isoformat() if notice.day else "", notice.sessions]
    words = [getattr(notice, name) for name in TEXTS]
    published = audit.instant(notice.published_at) if notice.published_at else ""
    publication = [corrects, notice.published_by_id, published]
    return audit.digest_of([*told, *words, notice.banner, notice.tone, *publication, *readers])

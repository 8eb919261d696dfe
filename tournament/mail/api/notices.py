"""Notices 通告: drafted, changed, put aside, published once with number and mail, a banner taken down."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from tournament.api.errors import found_or_404
from tournament.api.fields import (
    PageParams,
    PlainTextField,
    StrictBody,
    StrictBooleanField,
    StrictIntegerField,
    WordChoiceField,
    page_of,
)
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet, VersionedViewSet
from tournament.core.enums import BannerTone, Language, NoticeKind
from tournament.core.models.event import Event
from tournament.mail.services import notices as services
from tournament.mail.services.notices import NOTICE_TEXT_MAX_LENGTHS, NoticeWording
from tournament.mail.services.notices_draft import compose_notice_draft
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries
from tournament.messages.queries.recipients import for_notice

NOTICE_MAX_SESSIONS = 200
NO_SESSION = gettext_lazy("The event has no session of this number.")
NOTICE_DAY_UNKNOWN = gettext_lazy("The event has no day of play on this date.")


class NoticeLine(serializers.Serializer[Any]):
    """One notice of the list. `number` is null for a draft."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=NoticeKind.choices)
    day = serializers.DateField(allow_null=True)
    sessions = serializers.ListField(child=serializers.IntegerField())
    title_zh = serializers.CharField()
    title_en = serializers.CharField()
    corrects = serializers.IntegerField(source="corrects.number", default=None, allow_null=True)
    revision = serializers.IntegerField()
    made_by = serializers.CharField(source="made_by.username")
    made_at = serializers.DateTimeField()
    published_by = serializers.CharField(source="published_by.username", default=None, allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    banner = serializers.BooleanField()
    banner_down_at = serializers.DateTimeField(allow_null=True)
    mailing = serializers.IntegerField(source="mailing.pk", default=None, allow_null=True)


class NoticesAnswer(serializers.Serializer[Any]):
    """A part of the list, by id: `count` are all but those put aside, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    notices = NoticeLine(many=True)


class NoticeAnswer(NoticeLine):
    """One notice with its texts. `sessions`: those that it is about; none: the whole event."""

    body_zh = serializers.CharField()
    body_en = serializers.CharField()
    tone = serializers.ChoiceField(choices=BannerTone.choices)
    discarded_at = serializers.DateTimeField(allow_null=True)
    digest = serializers.CharField()


class ProposedTextsAnswer(serializers.Serializer[Any]):
    """Texts made from what is known of the day, in both languages, and the sessions that they are about."""

    title_zh = serializers.CharField()
    title_en = serializers.CharField()
    body_zh = serializers.CharField()
    body_en = serializers.CharField()
    tone = serializers.ChoiceField(choices=BannerTone.choices)
    sessions = serializers.ListField(child=serializers.IntegerField())


class ReachedAnswer(serializers.Serializer[Any]):
    """Whom a mail reaches: `count` mails for `told` entrants, of which `english` are English. `missing`: the numbers of
    those without an address. `revision` of the notice that this is of."""

    revision = serializers.IntegerField()
    count = serializers.IntegerField()
    told = serializers.IntegerField()
    english = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.IntegerField())


class ProposedTextsQueryParams(StrictBody):
    kind = WordChoiceField(choices=NoticeKind.choices, default=NoticeKind.GENERAL)
    day = serializers.DateField(required=False)


class WordingRequest(StrictBody):
    """All that a person decides of a notice. Texts are plain, paragraphs by empty lines."""

    kind = WordChoiceField(choices=NoticeKind.choices)
    title_zh = PlainTextField(max_length=NOTICE_TEXT_MAX_LENGTHS["title_zh"])
    title_en = PlainTextField(max_length=NOTICE_TEXT_MAX_LENGTHS["title_en"])
    body_zh = PlainTextField(max_length=NOTICE_TEXT_MAX_LENGTHS["body_zh"])
    body_en = PlainTextField(max_length=NOTICE_TEXT_MAX_LENGTHS["body_en"])
    day = serializers.DateField(required=False, allow_null=True)
    sessions = serializers.ListField(
        child=StrictIntegerField(min_value=1), max_length=NOTICE_MAX_SESSIONS, required=False
    )
    banner = StrictBooleanField(required=False)
    tone = WordChoiceField(choices=BannerTone.choices, required=False)


class DraftRequest(WordingRequest):
    """And the number of the published notice that it corrects, if it does."""

    corrects = StrictIntegerField(min_value=1, required=False, allow_null=True)


class PublishRequest(StrictBody):
    """`mail`: one goes to each recipient, and `confirmed` is how many that are, as it was read."""

    mail = StrictBooleanField()
    confirmed = StrictIntegerField(required=False, allow_null=True)
    words_confirmed = PlainTextField(required=False, allow_blank=True, max_length=64)


# --- Addresses ------------------------------------------------------------------------------------------
def read_wording(event: Event, data: Mapping[str, Any]) -> NoticeWording:
    there = {one.number for one in queries.sessions_not_void(event)}
    if set(data.get("sessions", ())) - there:
        raise ValidationError({"sessions": [ErrorDetail(str(NO_SESSION), code="no_such_session")]})
    check_notice_day(event, data)
    said: dict[str, Any] = {"kind": NoticeKind(data["kind"])}
    if "tone" in data:
        said["tone"] = BannerTone(data["tone"])
    return NoticeWording(**{**data, **said})


def check_notice_day(event: Event, data: Mapping[str, Any]) -> None:
    if data.get("day") and data["day"] not in queries.days_with_sessions(event):
        raise ValidationError({"day": [ErrorDetail(str(NOTICE_DAY_UNKNOWN), code="no_such_day")]})


class NoticeListViewSet(EventViewSet):
    chapter = "notices"

    @reads("notices/", "see_notices", _("Notices: drafts and what was published"), NoticesAnswer, asks=PageParams)
    def list_notices(self, event: Event, *, after: int, limit: int) -> dict[str, Any]:
        notices = queries.notices_of_event(event).order_by("pk")
        part, following = page_of(notices, "pk", after, limit)
        return {"count": notices.count(), "next": following, "notices": part}

    @list_notices.mapping.post
    @changes("", "publish_notice", _("Draft a notice"), DraftRequest, NoticeAnswer, status=201)
    def draft_notice(self, event: Event, given: RequestData) -> Notice:
        data = dict(given.data)
        number = data.pop("corrects", None)
        corrects = found_or_404(queries.published_by_number(event, number)) if number else None
        return services.draft_notice(event, read_wording(event, data), corrects=corrects, by=given.by)

    @reads(
        "notice-texts/",
        "publish_notice",
        _("Texts of a kind of notice from what is known of a day"),
        ProposedTextsAnswer,
        asks=ProposedTextsQueryParams,
    )
    def propose_notice(self, event: Event, *, kind: str, day: date | None = None) -> dict[str, Any]:
        check_notice_day(event, {"day": day})
        texts, sessions = compose_notice_draft(event, NoticeKind(kind), day, now=timezone.now())
        zh, en = zip(texts.titles, texts.bodies, strict=True)
        said = {"title_zh": zh[0], "title_en": en[0], "body_zh": zh[1], "body_en": en[1]}
        return {**said, "tone": texts.tone, "sessions": sessions}


class NoticeViewSet(VersionedViewSet):
    """A draft or a published one, not one that was put aside; only to put it aside again."""

    chapter = "notices"
    serializer_class = NoticeAnswer

    def get_object(self) -> Notice:
        number = self.kwargs["notice"]
        if self.action == "discard_notice":
            return found_or_404(Notice.objects.filter(event=self.event, pk=number).first())
        return found_or_404(queries.find_notice_of(self.event, number))

    def told(self, notice: Notice) -> Notice:
        return Notice.objects.select_related("made_by", "published_by", "corrects").get(pk=notice.pk)

    @reads("/", "see_notices", _("One notice with its texts"))
    def get_notice(self, notice: Notice) -> Notice:
        return notice

    @get_notice.mapping.put
    @changes("", "publish_notice", _("Change a draft of a notice"), WordingRequest)
    def change_notice(self, notice: Notice, given: RequestData) -> None:
        wording = read_wording(self.event, given.data)
        services.change_notice(notice, wording, revision=given.revision or 0, by=given.by)

    @changes("/discard/", "publish_notice", _("Put a draft of a notice aside"))
    def discard_notice(self, notice: Notice, given: RequestData) -> None:
        services.discard_notice(notice, **given.sent)

    @reads(
        "/recipients/",
        "publish_notice",
        _("How many a notice would be mailed to, and whom no mail reaches"),
        ReachedAnswer,
        name="notice_recipients",
    )
    def count_notice_recipients(self, notice: Notice) -> dict[str, Any]:
        reached = for_notice(notice)
        return {
            "revision": notice.revision,
            "count": len(reached.found),
            "told": len(reached.numbers),
            "english": sum(one.language == Language.ENGLISH for one in reached.found),
            "missing": reached.missing,
        }

    @changes(
        "/publish/", "publish_notice", _("Publish a notice: page, sheet for the door, banner and mail"), PublishRequest
    )
    def publish_notice(self, notice: Notice, given: RequestData) -> None:
        """Published already: as it stands."""
        services.publish_notice(notice, **{"confirmed": None, **given.sent})

    @changes("/banner-down/", "publish_notice", _("Take a notice's banner down"), match=False)
    def take_down_banner(self, notice: Notice, given: RequestData) -> None:
        """The line above every public page. The notice stays on its page."""
        services.take_down_banner(notice, **given.sent)

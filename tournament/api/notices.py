"""Notices 通告: drafted, changed, put aside, published once with number and mail, a banner taken down."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from tournament.api.errors import not_found
from tournament.api.fields import Choice, Page, Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.enums import BannerTone, Language, NoticeKind
from tournament.errors import Refused, StaleVersion
from tournament.models import Event, Notice
from tournament.queries import notices as queries
from tournament.queries.recipients import for_notice
from tournament.services import notices as services
from tournament.services.notices import ROOM, Wording
from tournament.services.notices_draft import drafted

MOST_SESSIONS = 200
NO_SESSION = gettext_lazy("The event has no session of this number.")
NO_DAY = gettext_lazy("The event has no day of play on this date.")


# --- Answers --------------------------------------------------------------------------------------------
class NoticeLine(serializers.Serializer):
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


class NoticesAnswer(serializers.Serializer):
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


class ProposedTextsAnswer(serializers.Serializer):
    """Texts made from what is known of the day, in both languages, and the sessions that they are about."""

    title_zh = serializers.CharField()
    title_en = serializers.CharField()
    body_zh = serializers.CharField()
    body_en = serializers.CharField()
    tone = serializers.ChoiceField(choices=BannerTone.choices)
    sessions = serializers.ListField(child=serializers.IntegerField())


class ReachedAnswer(serializers.Serializer):
    """Whom a mail reaches: `count` mails for `told` entrants, of which `english` are English. `missing`: the numbers of
    those without an address. `revision` of the notice that this is of."""

    revision = serializers.IntegerField()
    count = serializers.IntegerField()
    told = serializers.IntegerField()
    english = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.IntegerField())


# --- Requests -------------------------------------------------------------------------------------------
class ProposedAsked(Strict):
    """What the texts are to tell, of which day of play."""

    kind = Choice(choices=NoticeKind.choices, default=NoticeKind.GENERAL)
    day = serializers.DateField(required=False)


class WordingRequest(Strict):
    """All that a person decides of a notice. Texts are plain, paragraphs by empty lines."""

    kind = Choice(choices=NoticeKind.choices)
    title_zh = Text(max_length=ROOM["title_zh"])
    title_en = Text(max_length=ROOM["title_en"])
    body_zh = Text(max_length=ROOM["body_zh"])
    body_en = Text(max_length=ROOM["body_en"])
    day = serializers.DateField(required=False, allow_null=True)
    sessions = serializers.ListField(child=Whole(min_value=1), max_length=MOST_SESSIONS, required=False)
    banner = Truth(required=False)
    tone = Choice(choices=BannerTone.choices, required=False)


class DraftRequest(WordingRequest):
    """And the number of the published notice that it corrects, if it does."""

    corrects = Whole(min_value=1, required=False, allow_null=True)


class PublishRequest(Strict):
    """`mail`: one goes to each recipient, and `confirmed` is how many that are, as it was read."""

    mail = Truth()
    confirmed = Whole(required=False, allow_null=True)
    words_confirmed = Text(required=False, allow_blank=True, max_length=64)


# --- Addresses ------------------------------------------------------------------------------------------
def wording(event: Event, data: Mapping[str, Any]) -> Wording:
    """As the service takes it; days and sessions are the event's."""
    there = {one.number for one in queries.sessions_of(event)}
    if set(data.get("sessions", ())) - there:
        raise ValidationError({"sessions": [ErrorDetail(NO_SESSION, code="no_such_session")]})
    refuse_other_day(event, data)
    said: dict[str, Any] = {"kind": NoticeKind(data["kind"])}
    if "tone" in data:
        said["tone"] = BannerTone(data["tone"])
    return Wording(**{**data, **said})


def refuse_other_day(event: Event, data: Mapping[str, Any]) -> None:
    """A notice's day is a day of play, or none."""
    if data.get("day") and data["day"] not in queries.days_of(event):
        raise ValidationError({"day": [ErrorDetail(NO_DAY, code="no_such_day")]})


class Notices(Resource):
    """Drafts and what was published."""

    @reads("list_notices", "see_notices", _("Notices: drafts and what was published"), NoticesAnswer, asks=Page)
    def get(self, found: Event, asked: Mapping[str, Any]) -> Answer:
        """By id, a part at a time."""
        all_of_them, limit = queries.notices_of(found).order_by("pk"), asked["limit"]
        rows = list(all_of_them.filter(pk__gt=asked["after"])[: limit + 1])
        following = rows[limit - 1].pk if len(rows) > limit else None
        return Answer({"count": all_of_them.count(), "next": following, "notices": rows[:limit]})

    @writes("draft_notice", "publish_notice", _("Draft a notice"), NoticeAnswer, takes=DraftRequest, status=201)
    def post(self, found: Event, given: Given) -> Answer:
        """Nobody outside sees it."""
        data = dict(given.data)
        number = data.pop("corrects", None)
        corrects = queries.published_by_number(found, number) if number else None
        if number and corrects is None:
            raise not_found()
        made = services.draft_notice(found, wording(found, data), corrects=corrects, by=given.by)
        return Answer(made, made.revision)


class Proposed(Resource):
    """What a new one is drafted from."""

    @reads(
        "propose_notice",
        "publish_notice",
        _("Texts of a kind of notice from what is known of a day"),
        ProposedTextsAnswer,
        asks=ProposedAsked,
    )
    def get(self, found: Event, asked: Mapping[str, Any]) -> Answer:
        """Nothing is kept by asking."""
        refuse_other_day(found, asked)
        texts, sessions = drafted(found, NoticeKind(asked["kind"]), asked.get("day"), now=timezone.now())
        return Answer(
            {
                "title_zh": texts.titles[0],
                "title_en": texts.titles[1],
                "body_zh": texts.bodies[0],
                "body_en": texts.bodies[1],
                "tone": texts.tone,
                "sessions": sessions,
            }
        )


class NoticeResource(Resource):
    """What the addresses about one notice share."""

    def find(self, notice: int, **path: Any) -> Notice:
        """A draft or a published one, not one that was put aside."""
        found = queries.notice_of(self.event, notice)
        if found is None:
            raise not_found()
        return found

    def members(self, refusal: Refused, found: Notice, given: Given) -> Mapping[str, Any]:
        """The draft as somebody else has left it."""
        if not isinstance(refusal, StaleVersion):
            return {}
        now = self.find(found.pk)
        differing = [{"where": "revision", "mine": given.revision, "theirs": now.revision}]
        return {"current": NoticeAnswer(now).data, "differences": differing}

    def told(self, notice: Notice) -> Answer:
        """As it stands now."""
        now = Notice.objects.select_related("made_by", "published_by", "corrects").get(pk=notice.pk)
        return Answer(now, now.revision)


class OneNotice(NoticeResource):
    """One."""

    @reads("get_notice", "see_notices", _("One notice with its texts"), NoticeAnswer, versioned=True)
    def get(self, found: Notice, asked: Any) -> Answer:
        """In both languages."""
        return Answer(found, found.revision)

    @writes(
        "change_notice",
        "publish_notice",
        _("Change a draft of a notice"),
        NoticeAnswer,
        takes=WordingRequest,
        match=True,
    )
    def put(self, found: Notice, given: Given) -> Answer:
        """The whole of it."""
        words = wording(self.event, given.data)
        return self.told(services.change_notice(found, words, revision=given.revision or 0, by=given.by))


class Discarding(NoticeResource):
    """A draft put aside."""

    def find(self, notice: int, **path: Any) -> Notice:
        """Also one that was put aside already."""
        found = Notice.objects.filter(event=self.event, pk=notice).first()
        if found is None:
            raise not_found()
        return found

    @writes("discard_notice", "publish_notice", _("Put a draft of a notice aside"), NoticeAnswer, match=True)
    def post(self, found: Notice, given: Given) -> Answer:
        """It is in no list any more."""
        return self.told(services.discard_notice(found, revision=given.revision or 0, by=given.by))


class Reached(NoticeResource):
    """Whom a mail would reach."""

    @reads(
        "count_notice_recipients",
        "publish_notice",
        _("How many a notice would be mailed to, and whom no mail reaches"),
        ReachedAnswer,
        versioned=True,
    )
    def get(self, found: Notice, asked: Any) -> Answer:
        """As of now."""
        reached = for_notice(found)
        counts = {
            "revision": found.revision,
            "count": len(reached.found),
            "told": len(reached.numbers),
            "english": sum(one.language == Language.ENGLISH for one in reached.found),
            "missing": reached.missing,
        }
        return Answer(counts, found.revision)


class Publication(NoticeResource):
    """The last press."""

    @writes(
        "publish_notice",
        "publish_notice",
        _("Publish a notice: page, sheet for the door, banner and mail"),
        NoticeAnswer,
        takes=PublishRequest,
        match=True,
    )
    def post(self, found: Notice, given: Given) -> Answer:
        """Published already: as it stands."""
        said = {"confirmed": None, **given.data}
        return self.told(services.publish_notice(found, revision=given.revision or 0, by=given.by, **said))


class BannerDown(NoticeResource):
    """The line above every public page."""

    @writes("take_down_banner", "publish_notice", _("Take a notice's banner down"), NoticeAnswer)
    def post(self, found: Notice, given: Given) -> Answer:
        """The notice stays on its page."""
        return self.told(services.take_down_banner(found, by=given.by))


NOTICE = "notices/<int:notice>/"
urlpatterns = [
    path("notices/", Notices.as_view(), name="api_notices"),
    path("notice-texts/", Proposed.as_view(), name="api_propose_notice"),
    path(NOTICE, OneNotice.as_view(), name="api_notice"),
    path(f"{NOTICE}discard/", Discarding.as_view(), name="api_discard_notice"),
    path(f"{NOTICE}recipients/", Reached.as_view(), name="api_notice_recipients"),
    path(f"{NOTICE}publish/", Publication.as_view(), name="api_publish_notice"),
    path(f"{NOTICE}banner-down/", BannerDown.as_view(), name="api_take_down_banner"),
]

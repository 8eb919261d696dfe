"""Mailings: what was mailed and how far it is, one begun with its confirmed count, paused, gone on with, stopped."""

import re
from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Page, Strict, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.bridge import recipients as gather
from tournament.bridge.recipients import Plan
from tournament.contacts import mask_email
from tournament.enums import OPEN_MAILINGS, DeliveryState, Language, MailingKind, MailingState, StageKind
from tournament.errors import Refused
from tournament.models import Delivery, Event, Mailing, Release, Stage
from tournament.queries import mailings as rows
from tournament.queries import mailings_shown as queries
from tournament.queries.notices import published_by_number
from tournament.queries.recipients import Recipients
from tournament.queries.seating import find_session
from tournament.services import mail_texts
from tournament.services import mailings as services
from tournament.services.mailings_subjects import why_words

MOST_NUMBERS = 2000


# --- Answers --------------------------------------------------------------------------------------------
def said(words: str) -> str:
    """A sentence of ours in the language of the moment; a mail server's words as they are."""
    return gettext(words) if words else ""


class MailingLine(serializers.Serializer):
    """One mailing and how far it is. `sent`: a mail server took them; of those `back` came back, `late` are delayed.
    `left`: waiting, or with the server at this moment. `trouble`: why nothing goes out until `wait_until`. `ended`: why
    its subject is in force no more, where that stopped it."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.ChoiceField(choices=MailingKind.choices)
    subject = serializers.CharField()
    notice = serializers.IntegerField(source="notice.number", default=None, allow_null=True)
    state = serializers.ChoiceField(choices=MailingState.choices)
    count = serializers.IntegerField()
    sent = serializers.IntegerField()
    failed = serializers.IntegerField()
    back = serializers.IntegerField()
    late = serializers.IntegerField()
    left = serializers.IntegerField()
    rate = serializers.IntegerField()
    asked_by = serializers.CharField(source="asked_by.username")
    asked_at = serializers.DateTimeField()
    wait_until = serializers.DateTimeField(allow_null=True)
    trouble = serializers.SerializerMethodField()
    finished_at = serializers.DateTimeField(allow_null=True)
    ended = serializers.SerializerMethodField()

    def get_ended(self, found: Mailing) -> str:
        """In the reader's language; empty where that has not stopped it."""
        return str(why_words(found.ended)) if found.ended else ""

    def get_trouble(self, found: Mailing) -> str:
        """In the reader's language."""
        return said(found.trouble)


class MailingsAnswer(serializers.Serializer):
    """A part of the list, by id: `count` are all, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    mailings = MailingLine(many=True)


class DeliveryCounts(serializers.Serializer):
    """How many mails are in which state."""

    waiting = serializers.IntegerField()
    sending = serializers.IntegerField()
    sent = serializers.IntegerField()
    failed = serializers.IntegerField()
    stopped = serializers.IntegerField()


class FailureAnswer(serializers.Serializer):
    """A mail that failed: whose, the address as far as it is told, the server's last words. `also`: numbers of others
    who would have been told by it."""

    number = serializers.IntegerField(source="entrant.number")
    also = serializers.ListField(child=serializers.IntegerField())
    address = serializers.SerializerMethodField()
    language = serializers.ChoiceField(choices=Language.choices)
    tries = serializers.IntegerField()
    answer = serializers.SerializerMethodField()

    def get_address(self, found: Delivery) -> str:
        """Never in full."""
        return mask_email(found.address)

    def get_answer(self, found: Delivery) -> str:
        """Nor in the server's words."""
        return re.sub(re.escape(found.address), mask_email(found.address), said(found.answer), flags=re.IGNORECASE)


class MailingAnswer(serializers.Serializer):
    """One mailing, its mails by state, and a part of those that failed, by number; `next` is the `after` of the next
    part."""

    mailing = MailingLine()
    counts = DeliveryCounts()
    next = serializers.IntegerField(allow_null=True)
    failures = FailureAnswer(many=True)


class WhyNotAnswer(serializers.Serializer):
    """Why it cannot be mailed now."""

    code = serializers.CharField()
    detail = serializers.CharField()


class PlannedMailAnswer(serializers.Serializer):
    """What would be mailed. `count`: those who have not got exactly this yet, but for whom it was in vain; `every`: all
    of them; one of both is confirmed. `english`: of the count, those in English. `told`: who has got one before.
    `missing`: the numbers of those without an address. `seen`: the newest mailing about it, 0 for none; `open`: that it
    is being sent or paused."""

    kind = serializers.ChoiceField(choices=MailingKind.choices)
    subject = serializers.CharField()
    refused = WhyNotAnswer(allow_null=True)
    count = serializers.IntegerField()
    every = serializers.IntegerField()
    english = serializers.IntegerField()
    told = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.IntegerField())
    seen = serializers.IntegerField()
    open = serializers.BooleanField()


# --- Requests -------------------------------------------------------------------------------------------
class StartRequest(Strict):
    """`confirmed`: the count that was read, with `all` the one of every. `seen` as it was read."""

    confirmed = Whole()
    seen = Whole()
    all = Truth(required=False)


class RetryRequest(Strict):
    """The entrants whose mail is tried again, by number; left out: all that failed."""

    numbers = serializers.ListField(child=Whole(min_value=1), max_length=MOST_NUMBERS, required=False)


# --- What was mailed ------------------------------------------------------------------------------------
class Mailings(Resource):
    """The list."""

    @reads("list_mailings", "see_mailings", _("What was mailed, and how far it is"), MailingsAnswer, asks=Page)
    def get(self, found: Event, asked: Mapping[str, Any]) -> Answer:
        """By id, a part at a time."""
        listed, limit = queries.with_counts(found).order_by("pk"), asked["limit"]
        part = list(listed.filter(pk__gt=asked["after"])[: limit + 1])
        following = part[limit - 1].pk if len(part) > limit else None
        return Answer({"count": rows.mailings(found).count(), "next": following, "mailings": part[:limit]})


class MailingResource(Resource):
    """What the addresses about one mailing share."""

    def find(self, mailing: int, **path: Any) -> Mailing:
        """The event's mailing of this id."""
        found = queries.mailing_of(self.event, mailing)
        if found is None:
            raise not_found()
        return found

    def told(self, mailing: Mailing) -> Answer:
        """How far it is now."""
        return Answer(self.find(mailing.pk))


class OneMailing(MailingResource):
    """One."""

    @reads(
        "get_mailing",
        "see_mailings",
        _("One mailing: its mails by state, and those that failed"),
        MailingAnswer,
        asks=Page,
    )
    def get(self, found: Mailing, asked: Mapping[str, Any]) -> Answer:
        """Addresses are told to nobody here."""
        by_state, limit = rows.counts(found), asked["limit"]
        failed = queries.deliveries_shown(found, DeliveryState.FAILED).filter(entrant__number__gt=asked["after"])
        part = list(failed[: limit + 1])
        return Answer(
            {
                "mailing": found,
                "counts": {state.value: by_state[state] for state in DeliveryState},
                "next": part[limit - 1].entrant.number if len(part) > limit else None,
                "failures": part[:limit],
            }
        )


class Pausing(MailingResource):
    """Between two mails."""

    @writes("pause_mailing", "send_mailing", _("Pause a mailing"), MailingLine)
    def post(self, found: Mailing, given: Given) -> Answer:
        """Until it is gone on with."""
        return self.told(services.pause(found, by=given.by))


class Resuming(MailingResource):
    """Gone on with."""

    @writes("resume_mailing", "send_mailing", _("Go on with a mailing"), MailingLine)
    def post(self, found: Mailing, given: Given) -> Answer:
        """At once, also where it waits for the mail server."""
        return self.told(services.resume(found, by=given.by))


class Stopping(MailingResource):
    """Ended."""

    @writes("stop_mailing", "send_mailing", _("Stop a mailing: what waits is never sent"), MailingLine)
    def post(self, found: Mailing, given: Given) -> Answer:
        """Between two mails."""
        return self.told(services.stop(found, by=given.by))


class Retrying(MailingResource):
    """Those that failed."""

    @writes("retry_mailing", "send_mailing", _("Try again what failed"), MailingLine, takes=RetryRequest)
    def post(self, found: Mailing, given: Given) -> Answer:
        """All, or these entrants'."""
        return self.told(services.retry(found, by=given.by, **given.data))


# --- What is mailed next --------------------------------------------------------------------------------
class PlanResource(Resource):
    """What the addresses of seats, results and places share; nothing is kept by looking."""

    def told(self, plan: Plan) -> dict[str, Any]:
        """Whom it would reach, as of now."""
        found, refusal = Recipients((), ()), None
        try:
            mail_texts.require_links(plan.kind)
            found = plan.gather()
        except Refused as refused:
            refusal = {"code": refused.code, "detail": str(refused)}
        chosen = gather.left_to_mail(self.event, plan, found).found
        last = rows.newest(self.event, plan.kind, plan.subject)
        return {
            "kind": plan.kind,
            "subject": plan.subject,
            "refused": refusal,
            "count": len(chosen),
            "every": len(found.found),
            "english": sum(one.language == Language.ENGLISH for one in chosen),
            "told": len(queries.told_already(self.event, plan.kind, plan.subject)),
            "missing": found.missing,
            "seen": last.pk if last else 0,
            "open": last is not None and last.state in OPEN_MAILINGS,
        }

    def begin(self, plan: Plan, given: Given) -> Answer:
        """Sent again, the one that the first has begun."""
        mail_texts.require_links(plan.kind)
        found = plan.gather()
        if not given.data.get("all", False):
            found = gather.left_to_mail(self.event, plan, found)
        asked = {name: given.data[name] for name in ("confirmed", "seen")}
        made = services.start(
            self.event, plan.kind, plan.subject, found.found, by=given.by, notice=plan.notice, **asked
        )
        return Answer(queries.mailing_of(self.event, made.pk))

    def members(self, refusal: Refused, found: Plan, given: Given) -> Mapping[str, Any]:
        """Whom it would reach now."""
        return {"current": PlannedMailAnswer(self.told(found)).data}


class NoticeMail(PlanResource):
    """A published notice's, to those who have not got it at the address that they have now."""

    def find(self, number: int, **path: Any) -> Plan:
        """The event's published notice of this number."""
        found = published_by_number(self.event, number)
        if found is None:
            raise not_found()
        return gather.notice_plan(found)

    @reads("plan_notice_mail", "send_mailing", _("Whom a published notice would be mailed to"), PlannedMailAnswer)
    def get(self, found: Plan, asked: Any) -> Answer:
        """As of now."""
        return Answer(self.told(found))

    @writes("mail_notice", "send_mailing", _("Mail a published notice"), MailingLine, takes=StartRequest, status=201)
    def post(self, found: Plan, given: Given) -> Answer:
        """Refused once another notice counts instead."""
        return self.begin(found, given)


class SeatsMail(PlanResource):
    """A session's."""

    def find(self, session: int, **path: Any) -> Plan:
        """The event's session of this number."""
        found = find_session(self.event, session)
        if found is None:
            raise not_found()
        return gather.seats_plan(found)

    @reads("plan_seats_mail", "send_mailing", _("Whom the seats of a session would be mailed to"), PlannedMailAnswer)
    def get(self, found: Plan, asked: Any) -> Answer:
        """As of now."""
        return Answer(self.told(found))

    @writes("mail_seats", "send_mailing", _("Mail the seats of a session"), MailingLine, takes=StartRequest, status=201)
    def post(self, found: Plan, given: Given) -> Answer:
        """Where, when, and how the timer is used."""
        return self.begin(found, given)


class ResultsMail(PlanResource):
    """A release's."""

    def find(self, number: int, **path: Any) -> Plan:
        """The event's release of this number."""
        found = Release.objects.filter(stage__event=self.event, number=number).select_related("stage__event").first()
        if found is None:
            raise not_found()
        return gather.results_plan(found)

    @reads("plan_results_mail", "send_mailing", _("Whom the results would be mailed to"), PlannedMailAnswer)
    def get(self, found: Plan, asked: Any) -> Answer:
        """As of now."""
        return Answer(self.told(found))

    @writes(
        "mail_results", "send_mailing", _("Mail the results of a release"), MailingLine, takes=StartRequest, status=201
    )
    def post(self, found: Plan, given: Given) -> Answer:
        """Each their own."""
        return self.begin(found, given)


class PlacesMail(PlanResource):
    """Those who hold a place of the final."""

    def find(self, **path: Any) -> Plan:
        """Of the event's preliminary."""
        chosen = Stage.objects.filter(event=self.event, kind=StageKind.PRELIMINARY).select_related("event")
        found = chosen.first()
        if found is None:
            raise not_found()
        return gather.places_plan(found)

    @reads("plan_places_mail", "send_mailing", _("Whom the private links would be mailed to"), PlannedMailAnswer)
    def get(self, found: Plan, asked: Any) -> Answer:
        """No link is in any answer."""
        return Answer(self.told(found))

    @writes(
        "mail_places",
        "send_mailing",
        _("Mail their private links to those who hold a place of the final"),
        MailingLine,
        takes=StartRequest,
        status=201,
    )
    def post(self, found: Plan, given: Given) -> Answer:
        """Each their own."""
        return self.begin(found, given)


MAILING = "mailings/<int:mailing>/"
urlpatterns = [
    path("mailings/", Mailings.as_view(), name="api_mailings"),
    path(MAILING, OneMailing.as_view(), name="api_mailing"),
    path(f"{MAILING}pause/", Pausing.as_view(), name="api_pause_mailing"),
    path(f"{MAILING}resume/", Resuming.as_view(), name="api_resume_mailing"),
    path(f"{MAILING}stop/", Stopping.as_view(), name="api_stop_mailing"),
    path(f"{MAILING}retry/", Retrying.as_view(), name="api_retry_mailing"),
    path("mail/notices/<int:number>/", NoticeMail.as_view(), name="api_mail_notice"),
    path("mail/seats/<int:session>/", SeatsMail.as_view(), name="api_mail_seats"),
    path("mail/results/<int:number>/", ResultsMail.as_view(), name="api_mail_results"),
    path("mail/places/", PlacesMail.as_view(), name="api_mail_places"),
]

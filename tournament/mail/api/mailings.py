"""Mailings: what was mailed and how far it is, what may be mailed next, begun with its confirmed count, stopped."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import found_or_404
from tournament.api.fields import PageParams, StrictBody, StrictBooleanField, StrictIntegerField, page_of
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.contact_masks import mask_email
from tournament.core.enums import OPEN_MAILINGS, DeliveryState, Language, MailingKind, MailingState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.events.queries import find_session_for_seating
from tournament.mail.domain import recipients as gather
from tournament.mail.domain.recipients import MailingPlan
from tournament.mail.services import mail_texts
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries import mailing_counts as queries
from tournament.messages.queries import mailings as rows
from tournament.messages.queries.notices import published_by_number
from tournament.messages.queries.recipients import Recipients
from tournament.messages.services import mailings as services
from tournament.messages.services.mailings_subjects import mailing_end_reason
from tournament.releases.models import Release

RETRY_MAX_NUMBERS = 2000


def translate_stored_sentence(words: str) -> str:
    """A sentence of ours in the language of the moment; a mail server's words as they are."""
    return gettext(words) if words else ""


class MailingLine(serializers.Serializer[Any]):
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
        return str(mailing_end_reason(found.ended)) if found.ended else ""

    def get_trouble(self, found: Mailing) -> str:
        """In the reader's language."""
        return translate_stored_sentence(found.trouble)


class MailingsAnswer(serializers.Serializer[Any]):
    """A part of the list, by id: `count` are all, `next` is the `after` of the next part."""

    count = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    mailings = MailingLine(many=True)


class DeliveryCounts(serializers.Serializer[Any]):
    waiting = serializers.IntegerField()
    sending = serializers.IntegerField()
    sent = serializers.IntegerField()
    failed = serializers.IntegerField()
    stopped = serializers.IntegerField()


class FailureAnswer(serializers.Serializer[Any]):
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
        return re.sub(
            re.escape(found.address),
            mask_email(found.address),
            translate_stored_sentence(found.answer),
            flags=re.IGNORECASE,
        )


class MailingAnswer(serializers.Serializer[Any]):
    """One mailing, its mails by state, and a part of those that failed, by number; `next` is the `after` of the next
    part."""

    mailing = MailingLine()
    counts = DeliveryCounts()
    next = serializers.IntegerField(allow_null=True)
    failures = FailureAnswer(many=True)


class RetryRequest(StrictBody):
    """The entrants whose mail is tried again, by number; left out: all that failed."""

    numbers = serializers.ListField(child=StrictIntegerField(min_value=1), max_length=RETRY_MAX_NUMBERS, required=False)


class MailingListViewSet(EventViewSet):
    chapter = "mailings"

    @reads("/", "see_mailings", _("What was mailed, and how far it is"), MailingsAnswer, asks=PageParams)
    def list_mailings(self, event: Event, *, after: int, limit: int) -> dict[str, Any]:
        part, following = page_of(queries.mailings_with_counts(event).order_by("pk"), "pk", after, limit)
        return {"count": rows.mailings_of_event(event).count(), "next": following, "mailings": part}


class MailingViewSet(EventViewSet):
    """The event's mailing of this id, with how far it is."""

    chapter = "mailings"
    serializer_class = MailingLine

    def get_object(self) -> Mailing:
        return found_or_404(queries.mailing_with_counts(self.event, self.kwargs["mailing"]))

    @reads(
        "/", "see_mailings", _("One mailing: its mails by state, and those that failed"), MailingAnswer, asks=PageParams
    )
    def get_mailing(self, mailing: Mailing, *, after: int, limit: int) -> dict[str, Any]:
        """Addresses are told to nobody here."""
        by_state = rows.delivery_counts(mailing)
        failed = queries.deliveries_in_state(mailing, DeliveryState.FAILED)
        part, following = page_of(failed, "entrant__number", after, limit)
        counts = {state.value: by_state[state] for state in DeliveryState}
        return {"mailing": mailing, "counts": counts, "next": following, "failures": part}

    @changes("/pause/", "send_mailing", _("Pause a mailing"))
    def pause_mailing(self, mailing: Mailing, given: RequestData) -> None:
        services.pause_mailing(mailing, **given.sent)

    @changes("/resume/", "send_mailing", _("Go on with a mailing"))
    def resume_mailing(self, mailing: Mailing, given: RequestData) -> None:
        """At once, also where it waits for the mail server."""
        services.resume_mailing(mailing, **given.sent)

    @changes("/stop/", "send_mailing", _("Stop a mailing: what waits is never sent"))
    def stop_mailing(self, mailing: Mailing, given: RequestData) -> None:
        services.stop_mailing(mailing, **given.sent)

    @changes("/retry/", "send_mailing", _("Try again what failed"), RetryRequest)
    def retry_mailing(self, mailing: Mailing, given: RequestData) -> None:
        services.retry_failed_deliveries(mailing, **given.sent)


class WhyNotAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()


class PlannedMailAnswer(serializers.Serializer[Any]):
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


class StartRequest(StrictBody):
    """`confirmed`: the count that was read, with `all` the one of every. `seen` as it was read."""

    confirmed = StrictIntegerField()
    seen = StrictIntegerField()
    all = StrictBooleanField(required=False)


class MailPlanViewSet(EventViewSet):
    """What may be mailed of seats, results and places; nothing is kept by looking."""

    chapter = "mailings"
    serializer_class = PlannedMailAnswer

    def planned(self, plan: MailingPlan) -> dict[str, Any]:
        found, refusal = Recipients((), ()), None
        try:
            mail_texts.require_links(plan.kind)
            found = plan.gather()
        except Refused as refused:
            refusal = {"code": refused.code, "detail": str(refused)}
        chosen = gather.recipients_left_to_mail(self.event, plan, found).found
        last = rows.newest_mailing_about(self.event, plan.kind, plan.subject)
        return {
            "kind": plan.kind,
            "subject": plan.subject,
            "refused": refusal,
            "count": len(chosen),
            "every": len(found.found),
            "english": sum(one.language == Language.ENGLISH for one in chosen),
            "told": len(queries.last_mailed_by_number(self.event, plan.kind, plan.subject)),
            "missing": found.missing,
            "seen": last.pk if last else 0,
            "open": last is not None and last.state in OPEN_MAILINGS,
        }

    def begin(self, plan: MailingPlan, given: RequestData) -> Mailing | None:
        """Sent again, the one that the first has begun."""
        mail_texts.require_links(plan.kind)
        sent, found = given.sent, plan.gather()
        if not sent.pop("all", False):
            found = gather.recipients_left_to_mail(self.event, plan, found)
        made = services.start_mailing(self.event, plan.kind, plan.subject, found.found, notice=plan.notice, **sent)
        return queries.mailing_with_counts(self.event, made.pk)

    def members(self, refusal: Refused, found: MailingPlan, given: RequestData) -> Mapping[str, Any]:
        """Whom it would reach now."""
        return {"current": PlannedMailAnswer(self.planned(found)).data}


class NoticeMailViewSet(MailPlanViewSet):
    """A published notice's, to those who have not got it at the address that they have now."""

    def get_object(self) -> MailingPlan:
        return gather.notice_plan(found_or_404(published_by_number(self.event, self.kwargs["number"])))

    @reads("/", "send_mailing", _("Whom a published notice would be mailed to"), name="mail_notice")
    def plan_notice_mail(self, plan: MailingPlan) -> dict[str, Any]:
        return self.planned(plan)

    @plan_notice_mail.mapping.post
    @changes("", "send_mailing", _("Mail a published notice"), StartRequest, MailingLine, status=201)
    def mail_notice(self, plan: MailingPlan, given: RequestData) -> Mailing | None:
        """Refused once another notice counts instead."""
        return self.begin(plan, given)


class SeatsMailViewSet(MailPlanViewSet):
    def get_object(self) -> MailingPlan:
        return gather.seats_plan(found_or_404(find_session_for_seating(self.event, self.kwargs["session"])))

    @reads("/", "send_mailing", _("Whom the seats of a session would be mailed to"), name="mail_seats")
    def plan_seats_mail(self, plan: MailingPlan) -> dict[str, Any]:
        return self.planned(plan)

    @plan_seats_mail.mapping.post
    @changes("", "send_mailing", _("Mail the seats of a session"), StartRequest, MailingLine, status=201)
    def mail_seats(self, plan: MailingPlan, given: RequestData) -> Mailing | None:
        return self.begin(plan, given)


class ResultsMailViewSet(MailPlanViewSet):
    def get_object(self) -> MailingPlan:
        found = Release.objects.filter(stage__event=self.event, number=self.kwargs["number"])
        return gather.results_plan(found_or_404(found.select_related("stage__event").first()))

    @reads("/", "send_mailing", _("Whom the results would be mailed to"), name="mail_results")
    def plan_results_mail(self, plan: MailingPlan) -> dict[str, Any]:
        return self.planned(plan)

    @plan_results_mail.mapping.post
    @changes("", "send_mailing", _("Mail the results of a release"), StartRequest, MailingLine, status=201)
    def mail_results(self, plan: MailingPlan, given: RequestData) -> Mailing | None:
        return self.begin(plan, given)


class PlacesMailViewSet(MailPlanViewSet):
    """Those who hold a place of the final. No link is in any answer."""

    def get_object(self) -> MailingPlan:
        chosen = Stage.objects.filter(event=self.event, order=1).select_related("event")
        return gather.places_plan(found_or_404(chosen.first()))

    @reads("/", "send_mailing", _("Whom the private links would be mailed to"), name="mail_places")
    def plan_places_mail(self, plan: MailingPlan) -> dict[str, Any]:
        return self.planned(plan)

    @plan_places_mail.mapping.post
    @changes(
        "",
        "send_mailing",
        _("Mail their private links to those who hold a place of the final"),
        StartRequest,
        MailingLine,
        status=201,
    )
    def mail_places(self, plan: MailingPlan, given: RequestData) -> Mailing | None:
        return self.begin(plan, given)

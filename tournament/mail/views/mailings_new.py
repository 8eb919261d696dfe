"""Before many are mailed: how many, five of them, the whole text in both languages, whom no mail reaches, and the count
typed."""

import base64
import hashlib
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tournament.accounts.services.personal_exports import record_export
from tournament.core.enums import OPEN_MAILINGS, Language
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act
from tournament.entrants.models.people import Entrant
from tournament.events.queries import find_session_for_seating
from tournament.mail.domain import recipients as gather
from tournament.mail.domain.recipients import MailingPlan
from tournament.mail.forms.mailings import StartMailingForm
from tournament.mail.services import mail_texts
from tournament.mail.views.notices_samples import samples_of
from tournament.messages.domain import grounds_messages
from tournament.messages.exports.mail_missing import missing_mail_xlsx
from tournament.messages.models import Mailing
from tournament.messages.queries import mailing_counts as shown
from tournament.messages.queries.bounces import count_dead_addresses
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.queries.notices import published_by_number
from tournament.messages.queries.recipients import Recipient, Recipients
from tournament.messages.services import mailings
from tournament.messages.views.mailings_words import notice_number_and_title, subject_words
from tournament.releases.models import Release

XLSX_TYPE_OF_MISSING = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAIL_SAMPLES_SHOWN = 5
MISSING_ADDRESSES_SHOWN = 40


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_notice(request: EventRequest, number: int) -> HttpResponse:
    """A published notice, to those who have not got it at the address that they have now."""
    found = published_by_number(request.event, number)
    if found is None:
        raise Http404
    return plan_mailing(request, gather.notice_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_seats(request: EventRequest, session: int) -> HttpResponse:
    """The seats of a session with how the timer is used."""
    found = find_session_for_seating(request.event, session)
    if found is None:
        raise Http404
    return plan_mailing(request, gather.seats_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_results(request: EventRequest, number: int) -> HttpResponse:
    """The results of a release that stands."""
    chosen = Release.objects.filter(stage__event=request.event, number=number).select_related("stage__event")
    found = chosen.first()
    if found is None:
        raise Http404
    return plan_mailing(request, gather.results_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_places(request: EventRequest) -> HttpResponse:
    """The private links of those who hold a place of the final."""
    chosen = Stage.objects.filter(event=request.event, order=1).select_related("event")
    stage = chosen.first()
    if stage is None:
        raise Http404
    return plan_mailing(request, gather.places_plan(stage))


def plan_mailing(request: EventRequest, plan: MailingPlan) -> HttpResponse:
    """The page of any kind; `?file=missing` the list of those without an address, `?html=en` the first mail as its
    reader has it."""
    try:
        mail_texts.require_links(plan.kind)
        found = plan.gather()
    except Refused as refused:
        context = base_context(request, plan) | {"refusal": refused}
        return render(request, "mail/mailings/new.html", context, status=200 if request.method != "POST" else 409)
    if request.GET.get("file") == "missing":
        return missing_file(request, found)
    told = shown.last_mailed_by_number(request.event, plan.kind, plan.subject)
    chosen = found if request.GET.get("all") == "1" else gather.recipients_left_to_mail(request.event, plan, found)
    if request.GET.get("html") in Language.values and chosen.found:
        return first_mail_html(request, plan, chosen)
    vain = len(grounds_messages.recipients_not_reached(found, told).found) - len(chosen.found)
    return handle_new_mailing(request, plan, chosen, every=len(found.found), told=len(told), vain=max(vain, 0))


def handle_new_mailing(
    request: EventRequest, plan: MailingPlan, found: Recipients, *, every: int, told: int, vain: int
) -> HttpResponse:
    """Show it, or begin it with the count that was typed. `every`: all that might get it; `told`: who has got it;
    `vain`: to whom it was mailed, and their address takes no mail."""
    last = newest_mailing_about(request.event, plan.kind, plan.subject)
    form, refusal, status = StartMailingForm(len(found.found), initial={"seen": last.pk if last else 0}), None, 200
    if request.method == "POST":
        form, status = StartMailingForm(len(found.found), request.POST), 400
        if form.is_valid():
            try:
                return redirect(
                    "mailing", request.event.slug, start_planned_mailing(request, plan, found, form.cleaned_data).pk
                )
            except Refused as refused:
                refusal, status = refused, refused.status
    context = base_context(request, plan) | planned_recipients_context(request, plan, found)
    context |= {
        "form": form,
        "refused": refusal,
        "every": every,
        "told": told,
        "vain": vain,
        "dead": count_dead_addresses(request.event, [one.address for one in found.found]),
        "all_again": request.GET.get("all") == "1",
    }
    return render(request, "mail/mailings/new.html", context, status=status)


def start_planned_mailing(
    request: EventRequest, plan: MailingPlan, found: Recipients, typed: dict[str, Any]
) -> Mailing:
    """Begin it; sent twice, the one that the first has begun."""
    return mailings.start_mailing(
        request.event,
        plan.kind,
        plan.subject,
        found.found,
        confirmed=typed["count"],
        seen=typed["seen"],
        by=request.user,
        notice=plan.notice,
    )


def base_context(request: EventRequest, plan: MailingPlan) -> dict[str, Any]:
    sessions = shown.sessions_by_code(request.event)
    words = notice_number_and_title(plan.notice) if plan.notice else subject_words(plan.kind, plan.subject, sessions)
    return {"stage": "mailings", "kind": plan.kind, "about": words}


def planned_recipients_context(request: EventRequest, plan: MailingPlan, found: Recipients) -> dict[str, Any]:
    """Count, samples, the first mail in both languages, who is not reached, what was mailed before."""
    last = shown.newest_mailings_by_subject(request.event).get((plan.kind, plan.subject))
    missing = list(found.missing)
    first = found.found[0] if found.found else None
    return {
        "all_again": request.GET.get("all") == "1",
        "count": len(found.found),
        "samples": samples_of(found.found, MAIL_SAMPLES_SHOWN),
        "english": sum(one.language == Language.ENGLISH for one in found.found),
        "first": first,
        "texts": mail_texts_by_language(request, plan, first) if first else [],
        "missing": missing[:MISSING_ADDRESSES_SHOWN],
        "missing_count": len(missing),
        "missing_more": max(len(missing) - MISSING_ADDRESSES_SHOWN, 0),
        "last": last,
        "open": last is not None and last.state in OPEN_MAILINGS,
    }


def mail_texts_by_language(request: EventRequest, plan: MailingPlan, first: Recipient) -> list[dict[str, str]]:
    """The first mail whole, in each language."""
    texts = []
    for language in Language:
        message = mail_texts.build_sample_message(
            plan.kind, first, event=request.event, notice=plan.notice, language=language
        )
        texts.append(
            {
                "language": language.value,
                "lang": mail_texts.html_language(language),
                "label": str(language.label),
                "subject": str(message.subject),
                "body": str(message.body),
            }
        )
    return texts


def first_mail_html(request: EventRequest, plan: MailingPlan, found: Recipients) -> HttpResponse:
    """The HTML part of the first mail; its own style, named by its digest, is let through for this page alone."""
    message = mail_texts.build_sample_message(
        plan.kind, found.found[0], event=request.event, notice=plan.notice, language=request.GET["html"]
    )
    return mail_page(message)


def mail_page(message: Any) -> HttpResponse:
    """A mail's HTML as a page of its own."""
    html = str(message.alternatives[0].content)
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    response = HttpResponse(html)
    vars(response)["_csp_replace"] = {"style-src": [f"'sha256-{digest}'"]}  # as django-csp's own decorators do
    return response


def missing_file(request: EventRequest, found: Recipients) -> HttpResponse:
    """Those without an address, with their telephones; in the log."""
    record_export(request.event, request.user, "without-address.xlsx", people=len(found.missing))
    chosen = Entrant.objects.filter(event=request.event, number__in=found.missing).select_related("person")
    headers = {"Content-Disposition": 'attachment; filename="without-address.xlsx"'}
    content = missing_mail_xlsx(chosen.order_by("number"), timezone.now())
    return HttpResponse(content, content_type=XLSX_TYPE_OF_MISSING, headers=headers)


urlpatterns = [
    path("mailings/new/notice/<int:number>/", mail_notice, name="mail_notice"),
    path("mailings/new/seats/<int:session>/", mail_seats, name="mail_seats"),
    path("mailings/new/results/<int:number>/", mail_results, name="mail_results"),
    path("mailings/new/places/", mail_places, name="mail_places"),
]

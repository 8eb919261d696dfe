"""Before many are mailed: how many, five of them, the whole text in both languages, whom no mail reaches, and the count
typed."""

import base64
import hashlib
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tournament.bridge import grounds
from tournament.bridge import recipients as gather
from tournament.bridge.recipients import Plan
from tournament.enums import OPEN_MAILINGS, Language, StageKind
from tournament.errors import Refused
from tournament.exports.mail_missing import missing_xlsx
from tournament.forms.mailings import StartForm
from tournament.models import Entrant, Mailing, Release, Stage
from tournament.permissions import for_act
from tournament.queries import mailings_shown as shown
from tournament.queries.bounces import dead_among
from tournament.queries.mailings import newest
from tournament.queries.notices import published_by_number
from tournament.queries.recipients import Recipient, Recipients
from tournament.queries.seating import find_session
from tournament.services import mail_texts, mailings
from tournament.services.personal_exports import record_export
from tournament.views.mailings_words import notice_words, subject_words
from tournament.views.notices_samples import samples_of

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SAMPLES = 5
MISSING_SHOWN = 40


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_notice(request: HttpRequest, number: int) -> HttpResponse:
    """A published notice, to those who have not got it at the address that they have now."""
    found = published_by_number(request.event, number)
    if found is None:
        raise Http404
    return planned(request, gather.notice_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_seats(request: HttpRequest, session: int) -> HttpResponse:
    """The seats of a session with how the timer is used."""
    found = find_session(request.event, session)
    if found is None:
        raise Http404
    return planned(request, gather.seats_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_results(request: HttpRequest, number: int) -> HttpResponse:
    """The results of a release that stands."""
    chosen = Release.objects.filter(stage__event=request.event, number=number).select_related("stage__event")
    found = chosen.first()
    if found is None:
        raise Http404
    return planned(request, gather.results_plan(found))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("send_mailing")
def mail_places(request: HttpRequest) -> HttpResponse:
    """The private links of those who hold a place of the final."""
    chosen = Stage.objects.filter(event=request.event, kind=StageKind.PRELIMINARY).select_related("event")
    stage = chosen.first()
    if stage is None:
        raise Http404
    return planned(request, gather.places_plan(stage))


def planned(request: HttpRequest, plan: Plan) -> HttpResponse:
    """The page of any kind; `?file=missing` the list of those without an address, `?html=en` the first mail as its
    reader has it."""
    try:
        mail_texts.require_links(plan.kind)
        found = plan.gather()
    except Refused as refused:
        context = base_context(request, plan) | {"refusal": refused}
        return render(request, "mailings/new.html", context, status=200 if request.method != "POST" else 409)
    if request.GET.get("file") == "missing":
        return missing_file(request, found)
    told = shown.told_already(request.event, plan.kind, plan.subject)
    chosen = found if request.GET.get("all") == "1" else gather.left_to_mail(request.event, plan, found)
    if request.GET.get("html") in Language.values and chosen.found:
        return first_as_html(request, plan, chosen)
    vain = len(grounds.not_told(found, told).found) - len(chosen.found)
    return begin(request, plan, chosen, every=len(found.found), told=len(told), vain=max(vain, 0))


def begin(request: HttpRequest, plan: Plan, found: Recipients, *, every: int, told: int, vain: int) -> HttpResponse:
    """Show it, or begin it with the count that was typed. `every`: all that might get it; `told`: who has got it;
    `vain`: to whom it was mailed, and their address takes no mail."""
    last = newest(request.event, plan.kind, plan.subject)
    form, refusal, status = StartForm(len(found.found), initial={"seen": last.pk if last else 0}), None, 200
    if request.method == "POST":
        form, status = StartForm(len(found.found), request.POST), 400
        if form.is_valid():
            try:
                return redirect("mailing", request.event.slug, start(request, plan, found, form.cleaned_data).pk)
            except Refused as refused:
                refusal, status = refused, refused.status
    context = base_context(request, plan) | recipients_context(request, plan, found)
    context |= {
        "form": form,
        "refused": refusal,
        "every": every,
        "told": told,
        "vain": vain,
        "dead": dead_among(request.event, [one.address for one in found.found]),
        "all_again": request.GET.get("all") == "1",
    }
    return render(request, "mailings/new.html", context, status=status)


def start(request: HttpRequest, plan: Plan, found: Recipients, typed: dict[str, Any]) -> Mailing:
    """Begin it; sent twice, the one that the first has begun."""
    return mailings.start(
        request.event,
        plan.kind,
        plan.subject,
        found.found,
        confirmed=typed["count"],
        seen=typed["seen"],
        by=request.user,
        notice=plan.notice,
    )


def base_context(request: HttpRequest, plan: Plan) -> dict[str, Any]:
    """What it is about."""
    sessions = shown.sessions_by_code(request.event)
    words = notice_words(plan.notice) if plan.notice else subject_words(plan.kind, plan.subject, sessions)
    return {"stage": "mailings", "kind": plan.kind, "about": words}


def recipients_context(request: HttpRequest, plan: Plan, found: Recipients) -> dict[str, Any]:
    """Count, samples, the first mail in both languages, who is not reached, what was mailed before."""
    last = shown.newest_by_subject(request.event).get((plan.kind, plan.subject))
    missing = list(found.missing)
    first = found.found[0] if found.found else None
    return {
        "all_again": request.GET.get("all") == "1",
        "count": len(found.found),
        "samples": samples_of(found.found, SAMPLES),
        "english": sum(one.language == Language.ENGLISH for one in found.found),
        "first": first,
        "texts": texts_of(request, plan, first) if first else [],
        "missing": missing[:MISSING_SHOWN],
        "missing_count": len(missing),
        "missing_more": max(len(missing) - MISSING_SHOWN, 0),
        "last": last,
        "open": last is not None and last.state in OPEN_MAILINGS,
    }


def texts_of(request: HttpRequest, plan: Plan, first: Recipient) -> list[dict[str, str]]:
    """The first mail whole, in each language."""
    texts = []
    for language in Language:
        message = mail_texts.sample(plan.kind, first, event=request.event, notice=plan.notice, language=language)
        facts = {"subject": message.subject, "body": str(message.body)}
        texts.append({"language": language.value, "label": str(language.label), **facts})
    return texts


def first_as_html(request: HttpRequest, plan: Plan, found: Recipients) -> HttpResponse:
    """The HTML part of the first mail; its own style, named by its digest, is let through for this page alone."""
    asked = {"event": request.event, "notice": plan.notice, "language": request.GET["html"]}
    message = mail_texts.sample(plan.kind, found.found[0], **asked)
    return mail_page(message)


def mail_page(message: Any) -> HttpResponse:
    """A mail's HTML as a page of its own."""
    html = str(message.alternatives[0].content)
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    response = HttpResponse(html)
    response._csp_replace = {"style-src": [f"'sha256-{digest}'"]}  # type: ignore[attr-defined]
    return response


def missing_file(request: HttpRequest, found: Recipients) -> HttpResponse:
    """Those without an address, with their telephones; in the log."""
    record_export(request.event, request.user, "without-address.xlsx", people=len(found.missing))
    chosen = Entrant.objects.filter(event=request.event, number__in=found.missing).select_related("person")
    headers = {"Content-Disposition": 'attachment; filename="without-address.xlsx"'}
    content = missing_xlsx(chosen.order_by("number"), timezone.now())
    return HttpResponse(content, content_type=XLSX, headers=headers)


urlpatterns = [
    path("mailings/new/notice/<int:number>/", mail_notice, name="mail_notice"),
    path("mailings/new/seats/<int:session>/", mail_seats, name="mail_seats"),
    path("mailings/new/results/<int:number>/", mail_results, name="mail_results"),
    path("mailings/new/places/", mail_places, name="mail_places"),
]

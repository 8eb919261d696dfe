"""Notices 通告: drafted with the day's facts, edited, looked at as mail, page and PDF, published with a typed count."""

from datetime import date
from functools import partial
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.bridge.recipients import reach_of
from tournament.enums import NoticeKind
from tournament.errors import Refused, StaleVersion
from tournament.exports.notice_pdf import DoorNotice
from tournament.exports.notice_pdf import notice_pdf as make_pdf
from tournament.exports.public_notices import newest_folder, notice_facts, notice_folder
from tournament.exports.public_pages import CHINESE, ENGLISH, PREFIX, address
from tournament.forms.notices import LABELS, FillForm, NoticeForm, PublishForm, initial_of
from tournament.forms.published_text import add_refusal
from tournament.models import Event, Notice
from tournament.permissions import allowed, for_act, require
from tournament.queries import notices as queries
from tournament.queries.bounces import dead_among
from tournament.queries.mailings_shown import about_notices
from tournament.queries.notices_replaced import corrected_decision, replaced, replaced_by, those_replaced_by
from tournament.queries.recipients import Recipients, for_notice
from tournament.services import notices as service
from tournament.services.notices_draft import drafted
from tournament.services.notices_files import public_notice, public_shows
from tournament.services.notices_gate import contradictions
from tournament.services.release_files import public_event
from tournament.views.mailings_about import before, reached
from tournament.views.mailings_new import mail_page
from tournament.views.notices_samples import mail_in, mails_of, samples_of

SAMPLES = 5
LOOKS = ("page", "mail", "pdf")
NOT_SHOWN = gettext_noop(
    "Notice %(number)s is in the log and goes out by mail where that was chosen, but the public files could not be "
    "written: its page and its banner are not there. Make room on the disk and write them again."
)
STILL_SHOWN = gettext_noop(
    "The banner is down in the log, but the public files could not be written: the public pages still show it. Make "
    "room on the disk and write them again."
)


def show(request: HttpRequest, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the notices."""
    rights = {
        "may_publish": allowed(request.roles, "publish_notice"),
        "may_see_mail": allowed(request.roles, "see_mailings"),
    }
    return render(request, f"notices/{name}.html", {"stage": "notices", **rights, **context}, status=status)


def find(request: HttpRequest, id: int) -> Notice:
    """One of the event's notices that was not put aside, or 404."""
    found = queries.notice_of(request.event, id)
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("see_notices")
def notices(request: HttpRequest) -> HttpResponse:
    """Drafts, what was published, and whose banner stands."""
    rows = list(queries.notices_of(request.event))
    context = {
        "drafts": [one for one in rows if one.published_at is None],
        "published": sorted((one for one in rows if one.published_at), key=lambda one: -one.number),
        "kinds": NoticeKind,
        "public_behind": not public_shows(request.event),
        "may_release": allowed(request.roles, "release"),
        "public_url": f"/p/{request.event.slug}/notices/",
    }
    return show(request, "notices", context)


# --- Written --------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("publish_notice")
def new_notice(request: HttpRequest) -> HttpResponse:
    """A draft from a kind and a day, `?kind=pending&day=2026-03-28`; or one that corrects another, `?corrects=3`."""
    event = request.event
    if request.method == "POST":
        form = NoticeForm(request.POST, event=event)
        told, status = corrected(event, form["corrects"].value()), 400
        if form.is_valid():
            try:
                made = service.draft_notice(event, form.wording(), corrects=told, by=request.user)
            except Refused as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                messages.success(request, _("The draft is kept. Nobody outside sees it yet."))
                return redirect("notice_preview", event.slug, made.pk)
        return show(request, "new_notice", with_form(form, told), status)
    told = corrected(event, request.GET.get("corrects"))
    again = told is not None and "kind" not in request.GET
    initial = initial_of(told) | {"revision": None} if told and again else filled(request)
    made = drafted_from(event, initial)
    told = told or corrected_decision(made)
    initial["corrects"] = told.number if told else None
    form = NoticeForm(initial=initial, event=event)
    return show(request, "new_notice", {**with_form(form, told), "against": against(made)})


def drafted_from(event: Event, initial: dict[str, Any]) -> Notice:
    """What a form's first values would be, kept nowhere: who asks what it would correct."""
    day = date.fromisoformat(initial["day"]) if initial["day"] else None
    return Notice(event=event, kind=initial["kind"], day=day, sessions=initial["sessions"])


def corrected(event: Any, number: Any) -> Notice | None:
    """The published notice of this number; 404 where none is."""
    text = str(number or "")
    if not text:
        return None
    found = (
        queries.published_by_number(event, int(text)) if text.isascii() and text.isdigit() and len(text) < 7 else None
    )
    if found is None:
        raise Http404
    return found


def filled(request: HttpRequest) -> dict[str, Any]:
    """A new draft's first values from kind and day; without a day that is known, from the kind alone."""
    fill = FillForm(request.GET, event=request.event)
    kind, day = NoticeKind.GENERAL, None
    if fill.is_valid():
        kind, day = NoticeKind(fill.cleaned_data["kind"]), fill.cleaned_data["day"]
    texts, sessions = drafted(request.event, kind, day, now=timezone.now())
    return {
        "kind": kind.value,
        "day": day.isoformat() if day else "",
        "sessions": sessions,
        "title_zh": texts.titles[0],
        "title_en": texts.titles[1],
        "body_zh": texts.bodies[0],
        "body_en": texts.bodies[1],
        "banner": True,
        "tone": texts.tone.value,
    }


def with_form(form: NoticeForm, corrects: Notice | None) -> dict[str, Any]:
    """The page of a draft's words; what it corrects is said above them."""
    return {"form": form, "corrects": corrects}


def against(notice: Notice) -> list[str]:
    """What a notice would say that is not so."""
    found = contradictions(notice.event, notice.kind, notice.day, notice.sessions, timezone.now())
    return [_(one.sentence) % one.facts for one in found]


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_notices")
def notice(request: HttpRequest, notice: int) -> HttpResponse:
    """One notice. A draft is edited here, or put aside; a published one stands as it was told."""
    found = find(request, notice)
    if request.method == "POST":
        require(request.roles, "publish_notice")
        return discarded(request, found) if request.POST.get("do") == "discard" else edited(request, found)
    if found.published_at or not allowed(request.roles, "publish_notice"):
        return told(request, found)
    form = NoticeForm(initial=initial_of(found), event=request.event)
    context = {"notice": found, "against": against(found)}
    return show(request, "notice_draft", {**context, **with_form(form, found.corrects)})


def edited(request: HttpRequest, found: Notice) -> HttpResponse:
    """Keep what was typed; refused, the page has all of it, beside what stands now where somebody was quicker."""
    form, context, status = NoticeForm(request.POST, event=request.event), {"notice": found}, 400
    if form.is_valid():
        try:
            service.change_notice(found, form.wording(), revision=form.cleaned_data["revision"] or 0, by=request.user)
        except StaleVersion as stale:
            context |= {"differences": differences(stale.current, form)}
            form.data = merged(request, stale.current.revision)
            form.add_error(None, str(stale))
            status = stale.status
        except Refused as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            messages.success(request, _("The draft is kept. Nobody outside sees it yet."))
            return redirect("notice_preview", request.event.slug, found.pk)
    return show(request, "notice_draft", {**context, **with_form(form, found.corrects)}, status)


def merged(request: HttpRequest, revision: int) -> Any:
    """What was sent, with the revision that stands now: kept again, it replaces what stands."""
    data = request.POST.copy()
    data["revision"] = str(revision)
    return data


def differences(standing: Notice, form: NoticeForm) -> list[tuple[Any, Any, Any]]:
    """What stands now beside what was typed, where they differ."""
    typed = form.wording().values()
    return [
        (LABELS[name], getattr(standing, name), value)
        for name, value in typed.items()
        if getattr(standing, name) != value
    ]


def discarded(request: HttpRequest, found: Notice) -> HttpResponse:
    """A draft put aside."""
    revision = request.POST.get("revision", "")
    service.discard_notice(found, revision=int(revision) if revision.isdecimal() else 0, by=request.user)
    messages.success(request, _("The draft was put aside."))
    return redirect("notices", request.event.slug)


def told(request: HttpRequest, found: Notice, status: int = 200) -> HttpResponse:
    """A notice as it was published, or, for who only reads, as it is drafted."""
    slug, instead = request.event.slug, replaced(request.event).get(found.number or 0, ())
    facts = notice_facts(public_event(request.event), public_notice(found, instead), spoken())
    context = {
        **facts,
        "row": found,
        "instead": [queries.published_by_number(request.event, number) for number in instead],
        "newest": instead[-1] if instead else None,
        "reach": reach_of(found) if found.number and not instead else None,
        "reached": reached(request, about_notices(request.event, [found, *those_replaced_by(found)])),
        "public_behind": bool(found.number) and not public_shows(request.event),
        "may_release": allowed(request.roles, "release"),
        "may_write": allowed(request.roles, "publish_notice"),
        "may_send": allowed(request.roles, "send_mailing"),
        "public_url": address(notice_folder(slug, found.number), spoken()) if found.number else "",
        "stands": found.published_at and found.banner and not found.banner_down_at,
    }
    return show(request, "notice", context, status)


def spoken() -> str:
    """The page's language, as the public pages name it."""
    return ENGLISH if (translation.get_language() or "").startswith("en") else CHINESE


# --- Looked at ------------------------------------------------------------------------------------------
@require_safe
@for_act("see_notices")
def notice_preview(request: HttpRequest, notice: int) -> HttpResponse:
    """How it will look: as page, as mail in both languages, as PDF."""
    found = find(request, notice)
    look = request.GET.get("as", "page")
    if look not in LOOKS:
        raise Http404
    facts = notice_facts(public_event(request.event), public_notice(found), spoken())
    context = {**facts, "row": found, "look": look}
    if look == "mail":
        recipients = for_notice(found)
        if request.GET.get("html"):
            message = mail_in(found, recipients, request.GET["html"])
            if message is None:
                raise Http404
            return mail_page(message)
        context["mails"] = mails_of(found, recipients)
    return show(request, "notice_preview", context)


@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": ["'self'"]})
@for_act("see_notices")
def notice_pdf(request: HttpRequest, notice: int) -> HttpResponse:
    """One A4 sheet for a door, a draft's too."""
    found = find(request, notice)
    page = f"{PREFIX}{newest_folder(request.event.slug, found.number)}" if found.number else ""
    door = DoorNotice(
        (request.event.name_zh, request.event.name_en),
        public_notice(found),
        (settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page)) if page else "",
        request.event.contact,
    )
    response = HttpResponse(make_pdf(door), content_type="application/pdf")
    name = f"{request.event.slug}-notice-{found.number or 'draft'}.pdf"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


# --- Published ------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("publish_notice")
def publish_notice(request: HttpRequest, notice: int) -> HttpResponse:
    """The last page before it is told: to how many, five of them, who has no address, the count to be typed."""
    found = find(request, notice)
    if found.published_at:
        return redirect("notice", request.event.slug, found.pk)
    recipients = for_notice(found)
    begin = {"revision": found.revision, "mail": bool(recipients.found)}
    form = PublishForm(initial=begin, count=len(recipients.found))
    status = 200
    if request.method == "POST":
        form, status = PublishForm(request.POST, count=len(recipients.found)), 400
        if form.is_valid():
            try:
                made = service.publish_notice(found, by=request.user, **form.cleaned_data)
            except Refused as refused:
                add_refusal(form, refused)
                status = refused.status
                found, recipients = find(request, notice), for_notice(found)
            else:
                transaction.on_commit(partial(say_published, request, made))
                return redirect("notice", request.event.slug, found.pk)
    return show(request, "publish_notice", publishing(request, found, recipients, form), status)


def say_published(request: HttpRequest, made: Notice) -> None:
    """That it is, on the public pages too; where those could not be written, that they do not show it. Said after the
    commit that writes them."""
    if public_shows(request.event):
        messages.success(request, _("Notice %(number)s is published.") % {"number": made.number})
    else:
        messages.warning(request, _(NOT_SHOWN) % {"number": made.number})


def say_down(request: HttpRequest) -> None:
    """The same of a banner that was taken down."""
    if public_shows(request.event):
        messages.success(request, _("The banner is down. The notice stays on its page."))
    else:
        messages.warning(request, _(STILL_SHOWN))


def publishing(request: HttpRequest, found: Notice, recipients: Recipients, form: PublishForm) -> dict[str, Any]:
    """What the page says of the recipients and of the banners that come down."""
    standing, replacing = queries.standing_banner(found.event), replaced_by(found)
    return {
        "notice": found,
        "form": form,
        "count": len(recipients.found),
        "told": len(recipients.numbers),
        "samples": samples_of(recipients.found, SAMPLES),
        "missing": recipients.missing,
        "dead": dead_among(found.event, [one.address for one in recipients.found]),
        "lowered": standing if standing and (found.banner or standing in replacing) else None,
        "corrects": found.corrects or corrected_decision(found),
        "replaces": replacing,
        "mailed": before(request, about_notices(found.event, replacing)),
        "number": queries.next_number(found.event),
        "lacks_contact": service.lacks_contact(found),
        "may_set_up": allowed(request.roles, "set_up_event"),
        "against": against(found),
    }


@require_POST
@for_act("publish_notice")
def banner_down(request: HttpRequest, notice: int) -> HttpResponse:
    """Take the banner off every public page; the notice stays where it is."""
    found = find(request, notice)
    service.take_down_banner(found, by=request.user)
    transaction.on_commit(partial(say_down, request))
    return redirect("notice", request.event.slug, found.pk)


urlpatterns = [
    path("notices/", notices, name="notices"),
    path("notices/new/", new_notice, name="new_notice"),
    path("notices/<int:notice>/", notice, name="notice"),
    path("notices/<int:notice>/preview/", notice_preview, name="notice_preview"),
    path("notices/<int:notice>/publish/", publish_notice, name="publish_notice"),
    path("notices/<int:notice>/notice.pdf", notice_pdf, name="notice_pdf"),
    path("notices/<int:notice>/banner-down/", banner_down, name="banner_down"),
]

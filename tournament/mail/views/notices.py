"""Notices 通告: drafted with the day's facts, edited, looked at as mail, page and PDF, published with a typed count."""

from datetime import date
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.core.enums import NoticeKind
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.mail.forms.notices import (
    NOTICE_FIELD_LABELS,
    FillNoticeForm,
    NoticeForm,
    PublishNoticeForm,
    notice_form_initial,
)
from tournament.mail.services import notices as service
from tournament.mail.services.notices_draft import compose_notice_draft
from tournament.mail.services.notices_gate import iter_contradictions
from tournament.mail.views.notices_preview import (
    notice_or_404,
    notice_pdf_view,
    notice_preview,
    page_language,
    render_notices_page,
)
from tournament.mail.views.notices_samples import samples_of
from tournament.messages.domain.told import notice_reach
from tournament.messages.forms import add_refusal
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries
from tournament.messages.queries.bounces import count_dead_addresses
from tournament.messages.queries.mailing_counts import mailings_about_notices
from tournament.messages.queries.notices_replaced import (
    notice_reversed_by_draft,
    notices_replaced_by,
    notices_replaced_by_draft,
    replaced_notice_numbers,
)
from tournament.messages.queries.recipients import Recipients, for_notice
from tournament.messages.views.mailings_about import mailings_out_of_force, mailings_that_would_end
from tournament.publication.exports.public_notices import notice_facts, notice_folder
from tournament.publication.exports.public_pages import page_address
from tournament.publication.services.files import public_event
from tournament.publication.services.notices_files import are_notices_public, public_notice

NOTICE_SAMPLES_SHOWN = 5
NOTICE_NOT_PUBLIC_YET = gettext_noop(
    "Notice %(number)s is in the log and goes out by mail where that was chosen, but the public files could not be "
    "written: its page and its banner are not there. Make room on the disk and write them again."
)
BANNER_STILL_PUBLIC = gettext_noop(
    "The banner is down in the log, but the public files could not be written: the public pages still show it. Make "
    "room on the disk and write them again."
)


@require_safe
@for_act("see_notices")
def notice_list(request: EventRequest) -> HttpResponse:
    """Drafts, what was published, and whose banner stands."""
    rows = list(queries.notices_of_event(request.event))
    context = {
        "drafts": [one for one in rows if one.published_at is None],
        "published": sorted((one for one in rows if one.published_at), key=lambda one: -(one.number or 0)),
        "kinds": NoticeKind,
        "public_behind": not are_notices_public(request.event),
        "may_release": is_act_allowed(request.roles, "release"),
        "public_url": f"/p/{request.event.slug}/notices/",
    }
    return render_notices_page(request, "notices", context)


# --- Written --------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("publish_notice")
def new_notice(request: EventRequest) -> HttpResponse:
    """A draft from a kind and a day, `?kind=pending&day=2026-03-28`; or one that corrects another, `?corrects=3`."""
    event = request.event
    if request.method == "POST":
        form = NoticeForm(request.POST, event=event)
        told, status = corrected_notice_or_404(event, form["corrects"].value()), 400
        if form.is_valid():
            try:
                made = service.draft_notice(event, form.wording(), corrects=told, by=request.user)
            except Refused as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                messages.success(request, _("The draft is kept. Nobody outside sees it yet."))
                return redirect("notice_preview", event.slug, made.pk)
        return render_notices_page(request, "new_notice", with_form(form, told), status)
    told = corrected_notice_or_404(event, request.GET.get("corrects"))
    again = told is not None and "kind" not in request.GET
    initial = notice_form_initial(told) | {"revision": None} if told and again else new_notice_initial(request)
    made = drafted_from(event, initial)
    told = told or notice_reversed_by_draft(made)
    initial["corrects"] = told.number if told else None
    form = NoticeForm(initial=initial, event=event)
    return render_notices_page(
        request, "new_notice", {**with_form(form, told), "against": contradiction_sentences(made)}
    )


def drafted_from(event: Event, initial: dict[str, Any]) -> Notice:
    """What a form's first values would be, kept nowhere: who asks what it would correct."""
    day = date.fromisoformat(initial["day"]) if initial["day"] else None
    return Notice(event=event, kind=initial["kind"], day=day, sessions=initial["sessions"])


def corrected_notice_or_404(event: Any, number: Any) -> Notice | None:
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


def new_notice_initial(request: EventRequest) -> dict[str, Any]:
    """A new draft's first values from kind and day; without a day that is known, from the kind alone."""
    fill = FillNoticeForm(request.GET, event=request.event)
    kind, day = NoticeKind.GENERAL, None
    if fill.is_valid():
        kind, day = NoticeKind(fill.cleaned_data["kind"]), fill.cleaned_data["day"]
    texts, sessions = compose_notice_draft(request.event, kind, day, now=timezone.now())
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


def contradiction_sentences(notice: Notice) -> list[str]:
    """What a notice would say that is not so."""
    found = iter_contradictions(notice.event, notice.kind, notice.day, notice.sessions, timezone.now())
    return [_(one.sentence) % one.facts for one in found]


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_notices")
def notice_detail(request: EventRequest, notice: int) -> HttpResponse:
    """One notice. A draft is edited here, or put aside; a published one stands as it was told."""
    found = notice_or_404(request, notice)
    if request.method == "POST":
        require_act(request.roles, "publish_notice")
        return (
            handle_notice_discard(request, found)
            if request.POST.get("do") == "discard"
            else handle_notice_edit(request, found)
        )
    if found.published_at or not is_act_allowed(request.roles, "publish_notice"):
        return render_notice(request, found)
    form = NoticeForm(initial=notice_form_initial(found), event=request.event)
    context = {"notice": found, "against": contradiction_sentences(found)}
    return render_notices_page(request, "notice_draft", {**context, **with_form(form, found.corrects)})


def handle_notice_edit(request: EventRequest, found: Notice) -> HttpResponse:
    """Keep what was typed; refused, the page has all of it, beside what stands now where somebody was quicker."""
    form, status = NoticeForm(request.POST, event=request.event), 400
    context: dict[str, Any] = {"notice": found}
    if form.is_valid():
        try:
            service.change_notice(found, form.wording(), revision=form.cleaned_data["revision"] or 0, by=request.user)
        except StaleVersion as stale:
            context |= {"differences": notice_form_differences(stale.current, form)}
            form.data = post_data_with_revision(request, stale.current.revision)
            form.add_error(None, str(stale))
            status = stale.status
        except Refused as refused:
            form.add_error(None, str(refused))
            status = refused.status
        else:
            messages.success(request, _("The draft is kept. Nobody outside sees it yet."))
            return redirect("notice_preview", request.event.slug, found.pk)
    return render_notices_page(request, "notice_draft", {**context, **with_form(form, found.corrects)}, status)


def post_data_with_revision(request: HttpRequest, revision: int) -> Any:
    """What was sent, with the revision that stands now: kept again, it replaces what stands."""
    data = request.POST.copy()
    data["revision"] = str(revision)
    return data


def notice_form_differences(standing: Notice, form: NoticeForm) -> list[tuple[Any, Any, Any]]:
    """What stands now beside what was typed, where they differ."""
    typed = form.wording().values()
    return [
        (NOTICE_FIELD_LABELS[name], getattr(standing, name), value)
        for name, value in typed.items()
        if getattr(standing, name) != value
    ]


def handle_notice_discard(request: EventRequest, found: Notice) -> HttpResponse:
    revision = request.POST.get("revision", "")
    service.discard_notice(found, revision=int(revision) if revision.isdecimal() else 0, by=request.user)
    messages.success(request, _("The draft was put aside."))
    return redirect("notices", request.event.slug)


def render_notice(request: EventRequest, found: Notice, status: int = 200) -> HttpResponse:
    """A notice as it was published, or, for who only reads, as it is drafted."""
    slug, instead = request.event.slug, replaced_notice_numbers(request.event).get(found.number or 0, ())
    facts = notice_facts(public_event(request.event), public_notice(found, replaced_by=instead), page_language())
    context = {
        **facts,
        "row": found,
        "instead": [queries.published_by_number(request.event, number) for number in instead],
        "newest": instead[-1] if instead else None,
        "reach": notice_reach(found) if found.number and not instead else None,
        "reached": mailings_out_of_force(
            request, mailings_about_notices(request.event, [found, *notices_replaced_by(found)])
        ),
        "public_behind": bool(found.number) and not are_notices_public(request.event),
        "may_release": is_act_allowed(request.roles, "release"),
        "may_write": is_act_allowed(request.roles, "publish_notice"),
        "may_send": is_act_allowed(request.roles, "send_mailing"),
        "public_url": page_address(notice_folder(slug, found.number), page_language()) if found.number else "",
        "stands": found.published_at and found.banner and not found.banner_down_at,
    }
    return render_notices_page(request, "notice", context, status)


# --- Published ------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("publish_notice")
def publish_notice_page(request: EventRequest, notice: int) -> HttpResponse:
    """The last page before it is told: to how many, five of them, who has no address, the count to be typed."""
    found = notice_or_404(request, notice)
    if found.published_at:
        return redirect("notice", request.event.slug, found.pk)
    recipients = for_notice(found)
    begin = {"revision": found.revision, "mail": bool(recipients.found)}
    form = PublishNoticeForm(initial=begin, count=len(recipients.found))
    status = 200
    if request.method == "POST":
        form, status = PublishNoticeForm(request.POST, count=len(recipients.found)), 400
        if form.is_valid():
            try:
                made = service.publish_notice(found, by=request.user, **form.cleaned_data)
            except Refused as refused:
                add_refusal(form, refused)
                status = refused.status
                found, recipients = notice_or_404(request, notice), for_notice(found)
            else:
                transaction.on_commit(partial(message_notice_published, request, made))
                return redirect("notice", request.event.slug, found.pk)
    return render_notices_page(
        request, "publish_notice", publish_notice_context(request, found, recipients, form), status
    )


def message_notice_published(request: EventRequest, made: Notice) -> None:
    """That it is, on the public pages too; where those could not be written, that they do not show it. Said after the
    commit that writes them."""
    if are_notices_public(request.event):
        messages.success(request, _("Notice %(number)s is published.") % {"number": made.number})
    else:
        messages.warning(request, _(NOTICE_NOT_PUBLIC_YET) % {"number": made.number})


def message_banner_down(request: EventRequest) -> None:
    """The same of a banner that was taken down."""
    if are_notices_public(request.event):
        messages.success(request, _("The banner is down. The notice stays on its page."))
    else:
        messages.warning(request, _(BANNER_STILL_PUBLIC))


def publish_notice_context(
    request: EventRequest, found: Notice, recipients: Recipients, form: PublishNoticeForm
) -> dict[str, Any]:
    """What the page says of the recipients and of the banners that come down."""
    standing, replacing = queries.banner_in_force(found.event), notices_replaced_by_draft(found)
    return {
        "notice": found,
        "form": form,
        "count": len(recipients.found),
        "told": len(recipients.numbers),
        "samples": samples_of(recipients.found, NOTICE_SAMPLES_SHOWN),
        "missing": recipients.missing,
        "dead": count_dead_addresses(found.event, [one.address for one in recipients.found]),
        "lowered": standing if standing and (found.banner or standing in replacing) else None,
        "corrects": found.corrects or notice_reversed_by_draft(found),
        "replaces": replacing,
        "mailed": mailings_that_would_end(request, mailings_about_notices(found.event, replacing)),
        "number": queries.next_notice_number(found.event),
        "lacks_contact": service.lacks_contact(found),
        "may_set_up": is_act_allowed(request.roles, "set_up_event"),
        "against": contradiction_sentences(found),
    }


@require_POST
@for_act("publish_notice")
def banner_down(request: EventRequest, notice: int) -> HttpResponse:
    """Take the banner off every public page; the notice stays where it is."""
    found = notice_or_404(request, notice)
    service.take_down_banner(found, by=request.user)
    transaction.on_commit(partial(message_banner_down, request))
    return redirect("notice", request.event.slug, found.pk)


urlpatterns = [
    path("notices/", notice_list, name="notices"),
    path("notices/new/", new_notice, name="new_notice"),
    path("notices/<int:notice>/", notice_detail, name="notice"),
    path("notices/<int:notice>/preview/", notice_preview, name="notice_preview"),
    path("notices/<int:notice>/publish/", publish_notice_page, name="publish_notice"),
    path("notices/<int:notice>/notice.pdf", notice_pdf_view, name="notice_pdf"),
    path("notices/<int:notice>/banner-down/", banner_down, name="banner_down"),
]

"""A notice as page, mail and PDF before it is published, in either language."""

from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.mail.views.mailings_new import mail_page
from tournament.mail.views.notices_samples import mail_in, notice_mail_previews
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries
from tournament.messages.queries.recipients import for_notice
from tournament.publication.exports.notice_pdf import DoorNotice
from tournament.publication.exports.notice_pdf import door_notice_pdf as make_pdf
from tournament.publication.exports.public_notices import newest_folder, notice_facts
from tournament.publication.exports.public_pages import CHINESE_CODE, ENGLISH_CODE, PUBLIC_PAGES_PREFIX
from tournament.publication.services.files import public_event
from tournament.publication.services.notices_files import public_notice

NOTICE_PREVIEW_FORMATS = ("page", "mail", "pdf")


def notice_or_404(request: EventRequest, id: int) -> Notice:
    """One of the event's notices that was not put aside, or 404."""
    found = queries.find_notice_of(request.event, id)
    if found is None:
        raise Http404
    return found


def page_language() -> str:
    """The page's language, as the public pages name it."""
    return ENGLISH_CODE if (translation.get_language() or "").startswith("en") else CHINESE_CODE


# --- Looked at ------------------------------------------------------------------------------------------
@require_safe
@for_act("see_notices")
def notice_preview(request: EventRequest, notice: int) -> HttpResponse:
    """How it will look: as page, as mail in both languages, as PDF."""
    found = notice_or_404(request, notice)
    look = request.GET.get("as", "page")
    if look not in NOTICE_PREVIEW_FORMATS:
        raise Http404
    facts = notice_facts(public_event(request.event), public_notice(found), page_language())
    context = {**facts, "row": found, "look": look}
    if look == "mail":
        recipients = for_notice(found)
        if request.GET.get("html"):
            message = mail_in(found, recipients, request.GET["html"])
            if message is None:
                raise Http404
            return mail_page(message)
        context["mails"] = notice_mail_previews(found, recipients)
    return render_notices_page(request, "notice_preview", context)


@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": ["'self'"]})
@for_act("see_notices")
def notice_pdf_view(request: EventRequest, notice: int) -> HttpResponse:
    """One A4 sheet for a door, a draft's too."""
    found = notice_or_404(request, notice)
    page = f"{PUBLIC_PAGES_PREFIX}{newest_folder(request.event.slug, found.number)}" if found.number else ""
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


def render_notices_page(request: EventRequest, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """A page of the notices."""
    rights = {
        "may_publish": is_act_allowed(request.roles, "publish_notice"),
        "may_see_mail": is_act_allowed(request.roles, "see_mailings"),
    }
    return render(request, f"mail/notices/{name}.html", {"stage": "notices", **rights, **context}, status=status)

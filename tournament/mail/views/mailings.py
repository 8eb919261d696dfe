"""Everything that was mailed with how far it is, what may be mailed next, and one mailing while it runs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_stubs_ext import Annotations

from tournament.core import canonical
from tournament.core.contact_masks import mask_email
from tournament.core.enums import ENDED, OFF, OPEN_MAILINGS, BounceKind, DeliveryState, MailingKind, MailingState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.core.services import jobs
from tournament.finalists.queries import links_in_force
from tournament.mail.forms.mailings import MailingActForm
from tournament.mail.services.notices_follow_up import draft_follow_up
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries import mailing_counts as queries
from tournament.messages.queries.bounces import bounce_reading
from tournament.messages.queries.mailing_counts import MailingCounts
from tournament.messages.queries.mailings import delivery_counts, failed_deliveries
from tournament.messages.services import mailings as services
from tournament.messages.views.mailings_about import mailing_end_words, mailing_with_counts_or_404
from tournament.messages.views.mailings_words import (
    badge_of,
    delivery_badge,
    mailing_subject_text,
    mailing_subject_url,
    translate_if_ours,
    trouble_words,
)
from tournament.releases.queries import releases_in_force
from tournament.tables.queries.seating import stage_seats, stages_of

MAILINGS_PAGE_SIZE, DELIVERIES_A_PAGE, FAILURES_SHOWN = 25, 100, 100
MAILING_RELOAD_NEEDED = _("Reload the page and try again.")
# Nobody needs to know a seat in these.
CLOSED_TO_SEATS = (*ENDED, *OFF)


@dataclass(frozen=True)
class MailingOffer:
    """Something that may be mailed: its words, the page that begins it, the last mailing about it, why not yet."""

    kind: str
    subject: str
    words: Any
    name: str
    args: tuple[Any, ...]
    last: Mailing | None
    why_not: str = ""


@require_safe
@for_act("see_mailings")
def mailing_list(request: EventRequest) -> HttpResponse:
    """The list, the newest first, and beside it what may be begun."""
    event = request.event
    sessions = queries.sessions_by_code(event)
    page = Paginator(queries.mailings_with_counts(event).select_related("event"), MAILINGS_PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    lines = [
        {"mailing": one, "about": mailing_subject_text(one, sessions), "badge": badge_of(one)}
        for one in page.object_list
    ]
    may_send = is_act_allowed(request.roles, "send_mailing")
    context = {
        "stage": "mailings",
        "page": page,
        "lines": lines,
        "may_send": may_send,
        "offers": mailing_offers(event) if may_send else None,
        "reading": bounce_reading() if settings.MAIL_BOUNCES_BOX or settings.MAIL_BOUNCES_SECRET else None,
        "mailbox": bool(settings.MAIL_BOUNCES_BOX),
        "reading_trouble": trouble_words(bounce_reading().trouble) if settings.MAIL_BOUNCES_BOX else "",
    }
    return render(request, "mail/mailings/mailings.html", context)


def mailing_offers(event: Event) -> dict[str, Any]:
    """Seats of sessions that are still to come, standing releases, places; each with when it was mailed last. `ends`:
    nobody advances anywhere, so that there are no places."""
    last, stages = queries.newest_mailings_by_subject(event), stages_of(event)
    seats = [seats_offer(one, last) for stage in stages for one in stage_seats(stage) if is_ahead(one)]
    released = list(releases_in_force().filter(stage__in=stages).select_related("stage").defer("content", "sheets"))
    results = [
        build_mailing_offer(MailingKind.RESULTS, f"release {row.number}", row, "mail_results", (row.number,), last)
        for row in released
    ]
    won = [row.stage for row in released if not row.stage.is_last and links_in_force(row.stage)]
    places = [
        build_mailing_offer(MailingKind.PLACES, f"stage {stage.kind}", stage, "mail_places", (), last) for stage in won
    ]
    offers: dict[str, Any] = {"seats": seats, "results": results, "places": places}
    return offers | {"ends": all(stage.is_last for stage in stages)}


def is_ahead(one: Any) -> bool:
    """Whether somebody is to play there still."""
    return one.session.state not in CLOSED_TO_SEATS and one.state != "empty"


def seats_offer(one: Any, last: Mapping[tuple[str, str], Mailing]) -> MailingOffer:
    """A session; before its seats are confirmed it cannot be mailed."""
    session = one.session
    made = build_mailing_offer(
        MailingKind.SEATS, f"session {session.code}", session, "mail_seats", (session.number,), last
    )
    return made if one.state == "confirmed" else MailingOffer(**{**vars(made), "why_not": "unconfirmed"})


def build_mailing_offer(
    kind: MailingKind,
    subject: str,
    words: Any,
    name: str,
    args: tuple[Any, ...],
    last: Mapping[tuple[str, str], Mailing],
) -> MailingOffer:
    return MailingOffer(kind, subject, words, name, args, last.get((kind, subject)))


# --- One mailing ----------------------------------------------------------------------------------------
def mailing_or_404(request: EventRequest, mailing: int) -> Annotated[Mailing, Annotations[MailingCounts]]:
    """A mailing of this event."""
    found = queries.mailing_with_counts(request.event, mailing)
    if found is None:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_mailings")
def mailing_detail(request: EventRequest, mailing: int) -> HttpResponse:
    """How far it is, what failed and why, who got it; a POST pauses, goes on, stops or tries again."""
    row = mailing_or_404(request, mailing)
    refusal = None
    if request.method == "POST":
        require_act(request.roles, "send_mailing")
        try:
            handle_mailing_act(request, row)
        except Refused as refused:
            refusal = refused
            row = mailing_or_404(request, mailing)
        else:
            return redirect("mailing", request.event.slug, row.pk)
    context = mailing_progress_context(request, row) | mailing_recipients_context(request, row) | {"refusal": refusal}
    return render(request, "mail/mailings/mailing.html", context, status=refusal.status if refusal else 200)


def handle_mailing_act(request: EventRequest, row: Mailing) -> None:
    """The press that was made."""
    form = MailingActForm(request.POST)
    if not form.is_valid():
        raise BadInput("unknown_act", MAILING_RELOAD_NEEDED)
    done, number = form.cleaned_data["act"], form.cleaned_data["number"]
    if done == "retry":
        services.retry_failed_deliveries(row, by=request.user, numbers=[number] if number else ())
    else:
        {"pause": services.pause_mailing, "resume": services.resume_mailing, "stop": services.stop_mailing}[done](
            row, by=request.user
        )


@require_safe
@for_act("see_mailings")
def mailing_progress(request: EventRequest, mailing: int) -> HttpResponse:
    """How far it is, as a piece of its page; 304 while that is the same."""
    row = mailing_or_404(request, mailing)
    context = mailing_progress_context(request, row)
    marks = [row.state, row.trouble, context["counts"], context["in_vain"], str(context["ends_at"]), get_language()]
    marks += [str(context["why"] or ""), context["back"], context["late"], context["unwanted"]]
    mark = f'"{canonical.digest_of([*marks, sorted(request.roles)])[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "mail/mailings/_progress.html", context)
    answer["ETag"], answer["Cache-Control"] = mark, "private, no-cache"
    return answer


def mailing_progress_context(request: EventRequest, row: Mailing) -> dict[str, Any]:
    """State, counts, speed and end, and what is wrong where nothing goes out."""
    now = timezone.now()
    by_state, running = delivery_counts(row), row.state == MailingState.SENDING
    left = by_state[DeliveryState.WAITING] + by_state[DeliveryState.SENDING]
    pace = queries.mailing_pace_of(row, now) if running else None
    sessions = queries.sessions_by_code(request.event)
    why, what_next = mailing_end_words(row)
    return {
        "stage": "mailings",
        "why": why,
        "next": what_next,
        "may_write": is_act_allowed(request.roles, "publish_notice"),
        "mailing": row,
        "about": mailing_subject_text(row, sessions),
        "thing_page": mailing_subject_url(row, sessions),
        "badge": badge_of(row),
        "open": row.state in OPEN_MAILINGS,
        "running": running and left > 0,
        "paused": row.state == MailingState.PAUSED,
        "stopped": row.state == MailingState.STOPPED,
        "counts": {state.value: by_state[state] for state in DeliveryState},
        **reported_context(row),
        "left": left,
        "settled": by_state[DeliveryState.SENT] + by_state[DeliveryState.FAILED],
        "rate": round(pace.rate) if pace else None,
        "ends_at": expected_mailing_end(now, left, pace.rate) if pace and left else None,
        "trouble": translate_if_ours(row.trouble),
        "in_vain": running and left > 0 and not pace and not jobs.is_worker_alive_now(),
        "may_send": is_act_allowed(request.roles, "send_mailing"),
    }


def reported_context(row: Mailing) -> dict[str, int]:
    """How many of those that the server had taken came back, are late or were called unwanted."""
    kinds = Counter(one.bounce for one in queries.returned_deliveries(row))
    return {"back": kinds[BounceKind.HARD], "late": kinds[BounceKind.SOFT], "unwanted": kinds[BounceKind.COMPLAINT]}


def expected_mailing_end(now: datetime, left: int, rate: float) -> datetime:
    """When the last goes out, at this speed, to the minute that it will have begun."""
    return (now + timedelta(seconds=left / rate)).replace(second=0, microsecond=0)


def mailing_recipients_context(request: EventRequest, row: Mailing) -> dict[str, Any]:
    """Failures with the server's words, and all by state, a page at a time; whole addresses for organisers alone, and
    only where something is to be mended."""
    whole = is_act_allowed(request.roles, "send_mailing")
    failed, by_state = failed_deliveries(row), delivery_counts(row)
    state = request.GET.get("state", "")
    state = state if state in DeliveryState.values else ""
    page = Paginator(queries.deliveries_in_state(row, state), DELIVERIES_A_PAGE).get_page(request.GET.get("page"))
    return {
        "failed": [failed_delivery_line(one, whole) for one in failed[:FAILURES_SHOWN]],
        "failed_more": max(len(failed) - FAILURES_SHOWN, 0),
        "returned": [returned_delivery_line(one, whole) for one in queries.returned_deliveries(row)[:FAILURES_SHOWN]],
        "state": state,
        "states": [(one, many) for one in DeliveryState if (many := by_state[one])],
        "page": page,
        "lines": [
            {"delivery": one, "address": mask_email(one.address), "badge": delivery_badge(one)}
            for one in page.object_list
        ],
    }


def failed_delivery_line(one: Delivery, whole: bool) -> dict[str, Any]:
    """A mail that failed; the address is masked in the server's words too."""
    masked, words = mask_email(one.address), translate_if_ours(one.answer)
    shown = words if whole else words.replace(one.address, masked)
    return {"delivery": one, "address": one.address if whole else masked, "words": shown}


def returned_delivery_line(one: Delivery, whole: bool) -> dict[str, Any]:
    """A mail of which something was reported; the report's words are for those who see whole addresses."""
    address = one.address if whole else mask_email(one.address)
    kind = "wait" if one.bounce == BounceKind.SOFT else "stop"
    return {"delivery": one, "address": address, "words": one.bounce_words if whole else "", "kind": kind}


@require_POST
@for_act("publish_notice")
def mailing_follow_up(request: EventRequest, mailing: int) -> HttpResponse:
    """Draft the next word to those whom it reached; pressed twice it is one draft."""
    row = mailing_with_counts_or_404(request, mailing)
    try:
        made = draft_follow_up(row, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("mailing", request.event.slug, row.pk)
    return redirect("notice", request.event.slug, made.pk)


urlpatterns = [
    path("mailings/<int:mailing>/next/", mailing_follow_up, name="mailing_follow_up"),
    path("mailings/", mailing_list, name="mailings"),
    path("mailings/<int:mailing>/", mailing_detail, name="mailing"),
    path("mailings/<int:mailing>/progress/", mailing_progress, name="mailing_progress"),
]

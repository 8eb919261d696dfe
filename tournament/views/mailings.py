"""Everything that was mailed with how far it is, what may be mailed next, and one mailing while it runs."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.contacts import mask_email
from tournament.enums import (
    OPEN_MAILINGS,
    BounceKind,
    DeliveryState,
    MailingKind,
    MailingState,
    SessionState,
    StageKind,
)
from tournament.errors import BadInput, Refused
from tournament.forms.mailings import ActForm
from tournament.models import Delivery, Event, Mailing
from tournament.permissions import allowed, for_act, require
from tournament.queries import mailings_shown as queries
from tournament.queries.bounces import reading
from tournament.queries.ground_rows import standing_releases
from tournament.queries.invitations import links_in_force
from tournament.queries.mailings import counts, failures
from tournament.queries.seating import stage_seats, stages_of
from tournament.services import audit, jobs
from tournament.services import mailings as services
from tournament.views.mailings_about import why_of
from tournament.views.mailings_words import about, badge_of, delivery_badge, said, thing_page, trouble_words

A_PAGE, DELIVERIES_A_PAGE, FAILURES_SHOWN = 25, 100, 100
RELOAD = _("Reload the page and try again.")
# Nobody needs to know a seat in these.
CLOSED_TO_SEATS = (SessionState.CLOSED, SessionState.VOID, SessionState.POSTPONED)


@dataclass(frozen=True)
class Offer:
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
def mailings(request: HttpRequest) -> HttpResponse:
    """The list, the newest first, and beside it what may be begun."""
    event = request.event
    sessions = queries.sessions_by_code(event)
    page = Paginator(queries.with_counts(event).select_related("event"), A_PAGE).get_page(request.GET.get("page"))
    lines = [{"mailing": one, "about": about(one, sessions), "badge": badge_of(one)} for one in page.object_list]
    may_send = allowed(request.roles, "send_mailing")
    context = {
        "stage": "mailings",
        "page": page,
        "lines": lines,
        "may_send": may_send,
        "offers": offers(event) if may_send else None,
        "reading": reading() if settings.MAIL_BOUNCES_BOX or settings.MAIL_BOUNCES_SECRET else None,
        "mailbox": bool(settings.MAIL_BOUNCES_BOX),
        "reading_trouble": trouble_words(reading().trouble) if settings.MAIL_BOUNCES_BOX else "",
    }
    return render(request, "mailings/mailings.html", context)


def offers(event: Event) -> dict[str, list[Offer]]:
    """Seats of sessions that are still to come, standing releases, places; each with when it was mailed last."""
    last, stages = queries.newest_by_subject(event), stages_of(event)
    seats = [seats_offer(one, last) for stage in stages for one in stage_seats(stage) if is_ahead(one)]
    released = list(standing_releases().filter(stage__in=stages).select_related("stage").defer("content", "sheets"))
    results = [
        offer(MailingKind.RESULTS, f"release {row.number}", row, "mail_results", (row.number,), last)
        for row in released
    ]
    won = [row.stage for row in released if row.stage.kind == StageKind.PRELIMINARY and links_in_force(row.stage)]
    places = [offer(MailingKind.PLACES, f"stage {stage.kind}", stage, "mail_places", (), last) for stage in won]
    return {"seats": seats, "results": results, "places": places}


def is_ahead(one: Any) -> bool:
    """Whether somebody is to play there still."""
    return one.session.state not in CLOSED_TO_SEATS and one.state != "empty"


def seats_offer(one: Any, last: dict[tuple[str, str], Mailing]) -> Offer:
    """A session; before its seats are confirmed it cannot be mailed."""
    session = one.session
    made = offer(MailingKind.SEATS, f"session {session.code}", session, "mail_seats", (session.number,), last)
    return made if one.state == "confirmed" else Offer(**{**vars(made), "why_not": "unconfirmed"})


def offer(
    kind: MailingKind, subject: str, words: Any, name: str, args: tuple[Any, ...], last: dict[tuple[str, str], Mailing]
) -> Offer:
    """One thing."""
    return Offer(kind, subject, words, name, args, last.get((kind, subject)))


# --- One mailing ----------------------------------------------------------------------------------------
def mailing_or_404(request: HttpRequest, mailing: int) -> Mailing:
    """A mailing of this event."""
    found = queries.mailing_of(request.event, mailing)
    if found is None:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_mailings")
def mailing(request: HttpRequest, mailing: int) -> HttpResponse:
    """How far it is, what failed and why, who got it; a POST pauses, goes on, stops or tries again."""
    row = mailing_or_404(request, mailing)
    refusal = None
    if request.method == "POST":
        require(request.roles, "send_mailing")
        try:
            act(request, row)
        except Refused as refused:
            refusal = refused
            row = mailing_or_404(request, mailing)
        else:
            return redirect("mailing", request.event.slug, row.pk)
    context = progress_context(request, row) | recipients_context(request, row) | {"refusal": refusal}
    return render(request, "mailings/mailing.html", context, status=refusal.status if refusal else 200)


def act(request: HttpRequest, row: Mailing) -> None:
    """The press that was made."""
    form = ActForm(request.POST)
    if not form.is_valid():
        raise BadInput("unknown_act", RELOAD)
    done, number = form.cleaned_data["act"], form.cleaned_data["number"]
    if done == "retry":
        services.retry(row, by=request.user, numbers=[number] if number else ())
    else:
        {"pause": services.pause, "resume": services.resume, "stop": services.stop}[done](row, by=request.user)


@require_safe
@for_act("see_mailings")
def mailing_progress(request: HttpRequest, mailing: int) -> HttpResponse:
    """How far it is, as a piece of its page; 304 while that is the same."""
    row = mailing_or_404(request, mailing)
    context = progress_context(request, row)
    marks = [row.state, row.trouble, context["counts"], context["in_vain"], str(context["ends_at"]), get_language()]
    marks += [str(context["why"] or ""), context["back"], context["late"], context["unwanted"]]
    mark = f'"{audit.digest_of([*marks, sorted(request.roles)])[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "mailings/_progress.html", context)
    answer["ETag"], answer["Cache-Control"] = mark, "private, no-cache"
    return answer


def progress_context(request: HttpRequest, row: Mailing) -> dict[str, Any]:
    """State, counts, speed and end, and what is wrong where nothing goes out."""
    now = timezone.now()
    by_state, running = counts(row), row.state == MailingState.SENDING
    left = by_state[DeliveryState.WAITING] + by_state[DeliveryState.SENDING]
    pace = queries.pace_of(row, now) if running else None
    sessions = queries.sessions_by_code(request.event)
    why, what_next = why_of(row)
    return {
        "stage": "mailings",
        "why": why,
        "next": what_next,
        "may_write": allowed(request.roles, "publish_notice"),
        "mailing": row,
        "about": about(row, sessions),
        "thing_page": thing_page(row, sessions),
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
        "ends_at": end_of(now, left, pace.rate) if pace and left else None,
        "trouble": said(row.trouble),
        "in_vain": running and left > 0 and not pace and not jobs.is_worker_there(),
        "may_send": allowed(request.roles, "send_mailing"),
    }


def reported_context(row: Mailing) -> dict[str, int]:
    """How many of those that the server had taken came back, are late or were called unwanted."""
    kinds = Counter(one.bounce for one in queries.came_back(row))
    return {"back": kinds[BounceKind.HARD], "late": kinds[BounceKind.SOFT], "unwanted": kinds[BounceKind.COMPLAINT]}


def end_of(now: datetime, left: int, rate: float) -> datetime:
    """When the last goes out, at this speed, to the minute that it will have begun."""
    return (now + timedelta(seconds=left / rate)).replace(second=0, microsecond=0)


def recipients_context(request: HttpRequest, row: Mailing) -> dict[str, Any]:
    """Failures with the server's words, and all by state, a page at a time; whole addresses for organisers alone, and
    only where something is to be mended."""
    whole = allowed(request.roles, "send_mailing")
    failed, by_state = failures(row), counts(row)
    state = request.GET.get("state", "")
    state = state if state in DeliveryState.values else ""
    page = Paginator(queries.deliveries_shown(row, state), DELIVERIES_A_PAGE).get_page(request.GET.get("page"))
    return {
        "failed": [failure(one, whole) for one in failed[:FAILURES_SHOWN]],
        "failed_more": max(len(failed) - FAILURES_SHOWN, 0),
        "returned": [returned(one, whole) for one in queries.came_back(row)[:FAILURES_SHOWN]],
        "state": state,
        "states": [(one, many) for one in DeliveryState if (many := by_state[one])],
        "page": page,
        "lines": [
            {"delivery": one, "address": mask_email(one.address), "badge": delivery_badge(one)}
            for one in page.object_list
        ],
    }


def failure(one: Delivery, whole: bool) -> dict[str, Any]:
    """A mail that failed; the address is masked in the server's words too."""
    masked, words = mask_email(one.address), said(one.answer)
    shown = words if whole else words.replace(one.address, masked)
    return {"delivery": one, "address": one.address if whole else masked, "words": shown}


def returned(one: Delivery, whole: bool) -> dict[str, Any]:
    """A mail of which something was reported; the report's words are for those who see whole addresses."""
    address = one.address if whole else mask_email(one.address)
    kind = "wait" if one.bounce == BounceKind.SOFT else "stop"
    return {"delivery": one, "address": address, "words": one.bounce_words if whole else "", "kind": kind}


urlpatterns = [
    path("mailings/", mailings, name="mailings"),
    path("mailings/<int:mailing>/", mailing, name="mailing"),
    path("mailings/<int:mailing>/progress/", mailing_progress, name="mailing_progress"),
]

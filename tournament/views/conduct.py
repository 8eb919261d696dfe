"""The chief judge's queue at the desk: calls with table and reason, disputes, held items; taken, answered, kept."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.enums import IncidentKind
from tournament.errors import Refused
from tournament.form_keys import keyed_by_service
from tournament.models import Incident, JudgeCall, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import conduct as queries
from tournament.queries import conduct_queue, devices
from tournament.services import audit, conduct_notes
from tournament.services import conduct as services
from tournament.templatetags.look import hk_time


@for_act("see_conduct")
@require_safe
def judge_queue(request: HttpRequest) -> HttpResponse:
    """The page; with `X-Live: 1` its list alone, and 304 while that is the same."""
    found = conduct_queue.queue_of(request.event)
    if request.headers.get("X-Live") != "1":
        return queue_page(request, found)
    # How long something waits is said in minutes, so that the list changes once a minute.
    minute = timezone.now().strftime("%Y%m%d%H%M")
    mark = f'"{audit.digest_of([found.marks, get_language(), sorted(request.roles), minute])[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "conduct/_queue.html", shown(request, found))
    answer["ETag"] = mark
    return answer


def queue_page(
    request: HttpRequest, found: conduct_queue.Queue | None = None, refusal: Refused | None = None
) -> HttpResponse:
    """The whole page; after a refusal with what was typed."""
    context = shown(request, found or conduct_queue.queue_of(request.event), refusal)
    return render(request, "conduct/queue.html", context, status=refusal.status if refusal else 200)


def shown(request: HttpRequest, found: conduct_queue.Queue, refusal: Refused | None = None) -> dict[str, Any]:
    """What page and list show."""
    return {
        "stage": "conduct",
        "queue": found,
        "may_answer": allowed(request.roles, "answer_call"),
        "may_decide": allowed(request.roles, "decide_dispute"),
        "may_settle": allowed(request.roles, "settle_marks"),
        "may_disqualify": allowed(request.roles, "disqualify"),
        "refusal": refusal,
    }


def call_or_404(request: HttpRequest, call: int) -> JudgeCall:
    """A call of this event."""
    found = queries.find_call(request.event, call)
    if found is None:
        raise Http404
    return found


@for_act("answer_call")
@require_POST
@keyed_by_service
def take_call(request: HttpRequest, call: int) -> HttpResponse:
    """On the way: nobody else goes."""
    row = call_or_404(request, call)
    try:
        services.take_call(row, by=request.user, request_key=request.POST.get("request_key", ""))
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    return redirect("judge_queue", request.event.slug)


@for_act("answer_call")
@require_POST
@keyed_by_service
def answer_call(request: HttpRequest, call: int) -> HttpResponse:
    """What was ruled; the table's tablet shows it."""
    row = call_or_404(request, call)
    given = {"answer": request.POST.get("answer", ""), "request_key": request.POST.get("request_key", "")}
    try:
        services.answer_call(row, by=request.user, **given)
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    tell_who_sees(request, row.table)
    return redirect("judge_queue", request.event.slug)


def tell_who_sees(request: HttpRequest, table: Table) -> None:
    """Whether the table's tablet will show the ruling, as far as the server knows: else somebody goes there."""
    now = timezone.now()
    tablet = devices.serving(table, now)
    facts = {"table": table.number}
    if tablet is None:
        messages.warning(request, _("Answered. Table %(table)s has no tablet: tell the table in person.") % facts)
        return
    heard = tablet.last_seen_at or tablet.paired_at
    facts |= {"tablet": tablet.number, "at": hk_time(heard)}
    if now - heard > devices.SILENT:
        said = _("Answered. Tablet %(tablet)s was last heard at %(at)s: tell table %(table)s in person.")
        messages.warning(request, said % facts)
    else:
        messages.success(request, _("Answered. Tablet %(tablet)s, heard at %(at)s, gets the ruling.") % facts)


def mark_or_404(request: HttpRequest, mark: int) -> Incident:
    """What a table of this event has marked; a disqualification is settled by who may disqualify."""
    found = queries.find_mark(request.event, mark)
    if found is None:
        raise Http404
    if found.kind == IncidentKind.DISQUALIFIED:
        require(request.roles, "disqualify")
    return found


def settle_mark(request: HttpRequest, mark: int, settle: Callable[..., None], said: str, **given: str) -> HttpResponse:
    """One mark less in the queue; what the table's tablet shows of it is said."""
    row = mark_or_404(request, mark)
    try:
        settle(row, by=request.user, request_key=request.POST.get("request_key", ""), **given)
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    messages.success(request, said)
    return redirect("judge_queue", request.event.slug)


@for_act("settle_marks")
@require_POST
def confirm_mark(request: HttpRequest, mark: int) -> HttpResponse:
    """One press: recorded as the table has marked it."""
    return settle_mark(
        request, mark, conduct_notes.confirm, _("Recorded. The table's tablet shows it at its next contact.")
    )


@for_act("settle_marks")
@require_POST
def dismiss_mark(request: HttpRequest, mark: int) -> HttpResponse:
    """Not recorded, with the reason that the table's tablet shows."""
    said = _("Not recorded. The table's tablet shows why at its next contact.")
    return settle_mark(request, mark, conduct_notes.dismiss, said, reason=request.POST.get("reason", ""))


urlpatterns = [
    path("queue/marks/<int:mark>/confirm/", confirm_mark, name="confirm_mark"),
    path("queue/marks/<int:mark>/dismiss/", dismiss_mark, name="dismiss_mark"),
    path("queue/", judge_queue, name="judge_queue"),
    path("queue/<int:call>/take/", take_call, name="take_call"),
    path("queue/<int:call>/answer/", answer_call, name="answer_call"),
]

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

from tournament.core import canonical
from tournament.core.enums import IncidentKind
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.core.templatetags.display import hk_time
from tournament.devices import queries as devices
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.tables.models import Table
from tournament.tablets.queries import conduct as queries
from tournament.tablets.queries import conduct_queue
from tournament.tablets.services import conduct as services
from tournament.tablets.services import conduct_notes


@for_act("see_conduct")
@require_safe
def judge_queue(request: EventRequest) -> HttpResponse:
    """The page; with `X-Live: 1` its list alone, and 304 while that is the same."""
    found = conduct_queue.conduct_queue_of(request.event)
    if request.headers.get("X-Live") != "1":
        return queue_page(request, found)
    # How long something waits is said in minutes, so that the list changes once a minute.
    minute = timezone.now().strftime("%Y%m%d%H%M")
    mark = f'"{canonical.digest_of([found.marks, get_language(), sorted(request.roles), minute])[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "tablets/conduct/_queue.html", judge_queue_context(request, found))
    answer["ETag"] = mark
    return answer


def queue_page(
    request: EventRequest, found: conduct_queue.ConductQueue | None = None, refusal: Refused | None = None
) -> HttpResponse:
    """The whole page; after a refusal with what was typed."""
    context = judge_queue_context(request, found or conduct_queue.conduct_queue_of(request.event), refusal)
    return render(request, "tablets/conduct/queue.html", context, status=refusal.status if refusal else 200)


def judge_queue_context(
    request: EventRequest, found: conduct_queue.ConductQueue, refusal: Refused | None = None
) -> dict[str, Any]:
    """What page and list show."""
    return {
        "stage": "conduct",
        "queue": found,
        "may_answer": is_act_allowed(request.roles, "answer_call"),
        "may_decide": is_act_allowed(request.roles, "decide_dispute"),
        "may_settle": is_act_allowed(request.roles, "settle_marks"),
        "may_disqualify": is_act_allowed(request.roles, "disqualify"),
        "refusal": refusal,
    }


def call_or_404(request: EventRequest, call: int) -> JudgeCall:
    """A call of this event."""
    found = queries.find_call(request.event, call)
    if found is None:
        raise Http404
    return found


@for_act("answer_call")
@require_POST
@keyed_by_service
def take_judge_call_view(request: EventRequest, call: int) -> HttpResponse:
    """On the way: nobody else goes."""
    row = call_or_404(request, call)
    try:
        services.take_judge_call(row, by=request.user, request_key=request.POST.get("request_key", ""))
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    return redirect("judge_queue", request.event.slug)


@for_act("answer_call")
@require_POST
@keyed_by_service
def answer_judge_call_view(request: EventRequest, call: int) -> HttpResponse:
    """What was ruled; the table's tablet shows it."""
    row = call_or_404(request, call)
    given = {"answer": request.POST.get("answer", ""), "request_key": request.POST.get("request_key", "")}
    try:
        services.answer_judge_call(row, by=request.user, **given)
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    tell_whether_ruling_shows(request, row.table)
    return redirect("judge_queue", request.event.slug)


def tell_whether_ruling_shows(request: HttpRequest, table: Table) -> None:
    """Whether the table's tablet will show the ruling, as far as the server knows: else somebody goes there."""
    now = timezone.now()
    tablet = devices.device_serving_table(table, now)
    facts: dict[str, Any] = {"table": table.number}
    if tablet is None:
        messages.warning(request, _("Answered. Table %(table)s has no tablet: tell the table in person.") % facts)
        return
    heard = tablet.last_seen_at or tablet.paired_at
    facts |= {"tablet": tablet.number, "at": hk_time(heard)}
    if now - heard > devices.SILENT_AFTER:
        said = _("Answered. Tablet %(tablet)s was last heard at %(at)s: tell table %(table)s in person.")
        messages.warning(request, said % facts)
    else:
        messages.success(request, _("Answered. Tablet %(tablet)s, heard at %(at)s, gets the ruling.") % facts)


def mark_or_404(request: EventRequest, mark: int) -> Incident:
    """What a table of this event has marked; a disqualification is settled by who may disqualify."""
    found = queries.find_mark(request.event, mark)
    if found is None:
        raise Http404
    if found.kind == IncidentKind.DISQUALIFIED:
        require_act(request.roles, "disqualify")
    return found


def settle_mark(request: EventRequest, mark: int, settle: Callable[..., None], said: str, **given: str) -> HttpResponse:
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
def confirm_mark(request: EventRequest, mark: int) -> HttpResponse:
    """One press: recorded as the table has marked it."""
    return settle_mark(
        request, mark, conduct_notes.confirm_desk_mark, _("Recorded. The table's tablet shows it at its next contact.")
    )


@for_act("settle_marks")
@require_POST
def dismiss_mark(request: EventRequest, mark: int) -> HttpResponse:
    """Not recorded, with the reason that the table's tablet shows."""
    said = _("Not recorded. The table's tablet shows why at its next contact.")
    return settle_mark(request, mark, conduct_notes.dismiss_desk_mark, said, reason=request.POST.get("reason", ""))


urlpatterns = [
    path("queue/marks/<int:mark>/confirm/", confirm_mark, name="confirm_mark"),
    path("queue/marks/<int:mark>/dismiss/", dismiss_mark, name="dismiss_mark"),
    path("queue/", judge_queue, name="judge_queue"),
    path("queue/<int:call>/take/", take_judge_call_view, name="take_call"),
    path("queue/<int:call>/answer/", answer_judge_call_view, name="answer_call"),
]

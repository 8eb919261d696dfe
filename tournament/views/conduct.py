"""The chief judge's queue at the desk: calls with table and reason, disputes, held items; taken, answered, kept."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.errors import Refused
from tournament.models import JudgeCall
from tournament.permissions import allowed, for_act
from tournament.queries import conduct as queries
from tournament.queries import conduct_queue
from tournament.services import audit
from tournament.services import conduct as services


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
def answer_call(request: HttpRequest, call: int) -> HttpResponse:
    """What was ruled; the table's tablet shows it."""
    row = call_or_404(request, call)
    given = {"answer": request.POST.get("answer", ""), "request_key": request.POST.get("request_key", "")}
    try:
        services.answer_call(row, by=request.user, **given)
    except Refused as refusal:
        return queue_page(request, refusal=refusal)
    messages.success(request, _("Answered: the table's tablet shows the ruling."))
    return redirect("judge_queue", request.event.slug)


urlpatterns = [
    path("queue/", judge_queue, name="judge_queue"),
    path("queue/<int:call>/take/", take_call, name="take_call"),
    path("queue/<int:call>/answer/", answer_call, name="answer_call"),
]

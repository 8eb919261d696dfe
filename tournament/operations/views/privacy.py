"""Personal data: how much of it there is, until when, what was erased; erased for an event, or for one person."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.enums import OPEN_JOBS, JobKind, JobState
from tournament.core.errors import Refused
from tournament.core.form_keys import key_before_act
from tournament.core.permissions import EventRequest, for_act
from tournament.core.queries.jobs import latest_job
from tournament.core.services import jobs
from tournament.entrants.models.people import Entrant
from tournament.operations.forms import ConfirmErasureForm, EraseOnePersonForm
from tournament.operations.models import Erasure
from tournament.operations.services import erasure, retention
from tournament.operations.services.erasure import ErasurePlan
from tournament.operations.services.erasure_kinds import ERASURE_KINDS
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.operations.services.erasure_sweep import WAL_BUSY
from tournament.registration.views.importing import FailedJob

PRIVACY_ENTRIES_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("erase_personal_data")
@key_before_act
def privacy_page(request: EventRequest) -> HttpResponse:
    """The page; a POST erases everybody's data of an event whose day is over, by a worker where one is there."""
    event, refusal = request.event, None
    form = ConfirmErasureForm(request.POST or None, wanted=event.slug)
    if request.method == "POST" and form.is_valid():
        try:
            return handle_erase_event(request)
        except Refused as refused:
            refusal = refused
    job = latest_job(event, JobKind.ERASE, retention.event_subject_ref(event))
    if job and job.state in OPEN_JOBS:
        return render(request, "operations/privacy/running.html", {"stage": "privacy", **erasure_progress(job)})
    context = {"form": form, "refusal": refusal, "ended": failed_job_of(job), **privacy_context(request)}
    status = refusal.status if refusal else 400 if form.errors else 200
    return render(request, "operations/privacy/privacy.html", context, status=status)


def handle_erase_event(request: EventRequest) -> HttpResponse:
    """Now, or as a job."""
    event = request.event
    erasure.require_date(event)
    if jobs.is_worker_alive_now():
        retention.request_erasure(event, by=request.user)
    else:
        message_erasure_done(request, erasure.erase_event_data(event, by=request.user))
    return redirect("privacy", event.slug)


def message_erasure_done(request: HttpRequest, done: erasure.ErasureResult) -> None:
    """What was done, and where old pages may be left."""
    if done.erasures:
        messages.success(request, _("Erased. Results stay, by number."))
    else:
        messages.info(request, _("All was erased before."))
    if WAL_BUSY in done.in_files:
        messages.warning(request, _("Somebody was reading: old pages are left in the database's log. Erase once more."))


def failed_job_of(job: Any) -> FailedJob | None:
    """A job that did not end well."""
    return FailedJob(job) if job and job.state in (JobState.REFUSED, JobState.BROKEN) else None


def erasure_progress(job: Any) -> dict[str, Any]:
    """How far it is, and whether anybody does it."""
    waits = job.state == JobState.WAITING
    return {"job": job, "running": job.state in OPEN_JOBS, "in_vain": waits and not jobs.is_worker_alive_now()}


@require_safe
@for_act("erase_personal_data")
def privacy_progress(request: EventRequest) -> HttpResponse:
    """How far the job is, as a piece of its page."""
    job = latest_job(request.event, JobKind.ERASE, retention.event_subject_ref(request.event))
    return render(request, "operations/privacy/_progress.html", erasure_progress(job) if job else {"running": False})


def privacy_context(request: EventRequest) -> dict[str, Any]:
    """The dry run and what has been done."""
    event = request.event
    scopes = erasure.scopes_of(ErasureScope(event))
    plans = [erasure.plan_erasure(scope) for scope in scopes]
    today = timezone.localdate()
    return {
        "stage": "privacy",
        "kinds": [(kind.label, sum(plan.counts[kind.name] for plan in plans)) for kind in ERASURE_KINDS],
        "nothing": all(plan.nothing for plan in plans),
        "rehearsal": scopes[1].event if len(scopes) > 1 else None,
        **remaining_context(plans),
        "over": event.retention_on is not None and event.retention_on < today,
        "open": erasure.open_erasure(event),
        "erasures": [describe_erasure(row) for row in erasure_rows(request)],
    }


def remaining_context(plans: list[ErasurePlan]) -> dict[str, Any]:
    """What an erasure cannot reach."""
    entries = [seq for plan in plans[:1] for seq in plan.entries]
    return {
        "entries": entries[:PRIVACY_ENTRIES_SHOWN],
        "more_entries": max(len(entries) - PRIVACY_ENTRIES_SHOWN, 0),
        "texts": [
            (one.label, len(one.things), one.things[:PRIVACY_ENTRIES_SHOWN], one.to_do) for one in plans[0].texts
        ],
        "backups": plans[0].backups,
        "strangers": plans[0].strangers,
    }


def erasure_rows(request: EventRequest) -> list[Erasure]:
    """Every erasure of the event, the newest first."""
    return list(request.event.erasures.select_related("entrant", "by").order_by("-audit_seq"))


def describe_erasure(row: Erasure) -> dict[str, Any]:
    """One erasure, its kinds in words."""
    kinds = [f"{kind.label} {row.counts[kind.name]}" for kind in ERASURE_KINDS if row.counts.get(kind.name)]
    return {"row": row, "kinds": kinds, "by_date": row.reason == erasure.BY_DATE}


# --- One person -----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("erase_personal_data")
@key_before_act
def erase_entrant_page(request: EventRequest, number: int) -> HttpResponse:
    """What is held of one, and what would be left; erased with a reason and the number typed."""
    entrants = Entrant.objects.filter(event=request.event, number=number)
    found = entrants.select_related("person", "session", "event").first()
    if found is None:
        raise Http404
    scope, refusal = ErasureScope(request.event, found), None
    form = EraseOnePersonForm(request.POST or None, wanted=str(found))
    if request.method == "POST" and form.is_valid():
        try:
            done = erasure.erase_entrant_data(scope, reason=form.cleaned_data["reason"], by=request.user)
        except Refused as refused:
            refusal = refused
        else:
            message_erasure_done(request, done)
            return redirect("entrant", request.event.slug, number)
    plan = erasure.plan_erasure(scope)
    context = {
        "stage": "registration",
        "entrant": found,
        "form": form,
        "refusal": refusal,
        "nothing": plan.nothing,
        "kinds": [(kind.label, plan.counts[kind.name]) for kind in ERASURE_KINDS if plan.counts[kind.name]],
        **remaining_context([plan]),
    }
    status = refusal.status if refusal else 400 if form.errors else 200
    return render(request, "operations/privacy/erase_entrant.html", context, status=status)


urlpatterns = [
    path("privacy/", privacy_page, name="privacy"),
    path("privacy/progress/", privacy_progress, name="privacy_progress"),
    path("entrants/<int:number>/erase/", erase_entrant_page, name="erase_entrant"),
]

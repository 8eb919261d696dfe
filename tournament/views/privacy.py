"""Personal data: how much of it there is, until when, what was erased; erased for an event, or for one person."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.enums import OPEN_JOBS, JobKind, JobState
from tournament.errors import Refused
from tournament.form_keys import key_before_act
from tournament.forms.erasure import ConfirmForm, OneForm
from tournament.models import Entrant, Erasure
from tournament.permissions import for_act
from tournament.queries.jobs import latest_job
from tournament.services import erasure, jobs, retention
from tournament.services.erasure import Plan
from tournament.services.erasure_kinds import KINDS
from tournament.services.erasure_scope import Scope
from tournament.services.erasure_sweep import BUSY
from tournament.views.importing import Ended

SHOWN_ENTRIES = 20


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("erase_personal_data")
@key_before_act
def privacy(request: HttpRequest) -> HttpResponse:
    """The page; a POST erases everybody's data of an event whose day is over, by a worker where one is there."""
    event, refusal = request.event, None
    form = ConfirmForm(request.POST or None, wanted=event.slug)
    if request.method == "POST" and form.is_valid():
        try:
            return erase_event(request)
        except Refused as refused:
            refusal = refused
    job = latest_job(event, JobKind.ERASE, retention.subject_of(event))
    if job and job.state in OPEN_JOBS:
        return render(request, "privacy/running.html", {"stage": "privacy", **progress_of(job)})
    context = {"form": form, "refusal": refusal, "ended": ended_of(job), **context_of(request)}
    status = refusal.status if refusal else 400 if form.errors else 200
    return render(request, "privacy/privacy.html", context, status=status)


def erase_event(request: HttpRequest) -> HttpResponse:
    """Now, or as a job."""
    event = request.event
    erasure.require_date(event)
    if jobs.is_worker_there():
        retention.ask(event, by=request.user)
    else:
        tell_done(request, erasure.erase_event(event, by=request.user))
    return redirect("privacy", event.slug)


def tell_done(request: HttpRequest, done: erasure.Done) -> None:
    """What was done, and where old pages may be left."""
    if done.erasures:
        messages.success(request, _("Erased. Results stay, by number."))
    else:
        messages.info(request, _("All was erased before."))
    if BUSY in done.in_files:
        messages.warning(request, _("Somebody was reading: old pages are left in the database's log. Erase once more."))


def ended_of(job: Any) -> Ended | None:
    """A job that did not end well."""
    return Ended(job) if job and job.state in (JobState.REFUSED, JobState.BROKEN) else None


def progress_of(job: Any) -> dict[str, Any]:
    """How far it is, and whether anybody does it."""
    waits = job.state == JobState.WAITING
    return {"job": job, "running": job.state in OPEN_JOBS, "in_vain": waits and not jobs.is_worker_there()}


@require_safe
@for_act("erase_personal_data")
def privacy_progress(request: HttpRequest) -> HttpResponse:
    """How far the job is, as a piece of its page."""
    job = latest_job(request.event, JobKind.ERASE, retention.subject_of(request.event))
    return render(request, "privacy/_progress.html", progress_of(job) if job else {"running": False})


def context_of(request: HttpRequest) -> dict[str, Any]:
    """The dry run and what has been done."""
    event = request.event
    scopes = erasure.scopes_of(Scope(event))
    plans = [erasure.plan(scope) for scope in scopes]
    today = timezone.localdate()
    return {
        "stage": "privacy",
        "kinds": [(kind.label, sum(plan.counts[kind.name] for plan in plans)) for kind in KINDS],
        "nothing": all(plan.nothing for plan in plans),
        "rehearsal": scopes[1].event if len(scopes) > 1 else None,
        **stays(plans),
        "over": event.retention_on is not None and event.retention_on < today,
        "open": erasure.open_erasure(event),
        "erasures": [told(row) for row in rows_of(request)],
    }


def stays(plans: list[Plan]) -> dict[str, Any]:
    """What an erasure cannot reach."""
    entries = [seq for plan in plans[:1] for seq in plan.entries]
    return {
        "entries": entries[:SHOWN_ENTRIES],
        "more_entries": max(len(entries) - SHOWN_ENTRIES, 0),
        "texts": [(one.label, len(one.things), one.things[:SHOWN_ENTRIES], one.to_do) for one in plans[0].texts],
        "backups": plans[0].backups,
        "strangers": plans[0].strangers,
    }


def rows_of(request: HttpRequest) -> list[Erasure]:
    """Every erasure of the event, the newest first."""
    return list(request.event.erasures.select_related("entrant", "by").order_by("-audit_seq"))


def told(row: Erasure) -> dict[str, Any]:
    """One erasure, its kinds in words."""
    kinds = [f"{kind.label} {row.counts[kind.name]}" for kind in KINDS if row.counts.get(kind.name)]
    return {"row": row, "kinds": kinds, "by_date": row.reason == erasure.BY_DATE}


# --- One person -----------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("erase_personal_data")
@key_before_act
def erase_entrant(request: HttpRequest, number: int) -> HttpResponse:
    """What is held of one, and what would be left; erased with a reason and the number typed."""
    entrants = Entrant.objects.filter(event=request.event, number=number)
    found = entrants.select_related("person", "session", "event").first()
    if found is None:
        raise Http404
    scope, refusal = Scope(request.event, found), None
    form = OneForm(request.POST or None, wanted=str(found))
    if request.method == "POST" and form.is_valid():
        try:
            done = erasure.erase_entrant(scope, reason=form.cleaned_data["reason"], by=request.user)
        except Refused as refused:
            refusal = refused
        else:
            tell_done(request, done)
            return redirect("entrant", request.event.slug, number)
    plan = erasure.plan(scope)
    context = {
        "stage": "registration",
        "entrant": found,
        "form": form,
        "refusal": refusal,
        "nothing": plan.nothing,
        "kinds": [(kind.label, plan.counts[kind.name]) for kind in KINDS if plan.counts[kind.name]],
        **stays([plan]),
    }
    status = refusal.status if refusal else 400 if form.errors else 200
    return render(request, "privacy/erase_entrant.html", context, status=status)


urlpatterns = [
    path("privacy/", privacy, name="privacy"),
    path("privacy/progress/", privacy_progress, name="privacy_progress"),
    path("entrants/<int:number>/erase/", erase_entrant, name="erase_entrant"),
]

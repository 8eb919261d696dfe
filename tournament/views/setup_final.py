"""The final set up and changed: how it is played, when, and its hours round by round."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.bridge.rulesets import places_of
from tournament.enums import StageKind
from tournament.errors import Refused, StaleVersion
from tournament.forms.locked_fields import since_locked
from tournament.forms.setup import RevisionForm
from tournament.forms.setup_final import FinalForm
from tournament.forms.setup_sessions import SessionsForm
from tournament.permissions import for_act
from tournament.queries import setup as queries
from tournament.queries.finalists import final_of
from tournament.services import public_pages, setup_final
from tournament.views.setup import again, differences, show


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final(request: HttpRequest) -> HttpResponse:
    """Set it up, or change how it is played and when; once it has begun the page says what stays."""
    event, refused = request.event, None
    both: list[tuple[str, Any, Any]] = []
    first = queries.first_stage(event)
    if first is None:
        return redirect("set_up", event.slug)
    now = setup_final.plan_of_final(event)
    facts: dict[str, Any] = {"first": first, "places": places_of(first)}
    form = FinalForm(request.POST or None, now=now, revision=event.revision, **facts)
    rounds = queries.rounds_of_final(event)
    if request.method == "POST" and (both := form.dropped()):
        refused = since_locked()
    elif request.method == "POST" and form.is_valid():
        plan = form.wanted(rounds)
        try:
            revision = form.cleaned_data["revision"]
            setup_final.set_up_final(event, revision=revision, plan=plan, by=request.user)
        except StaleVersion as stale:
            refused = stale
            standing = setup_final.plan_of_final(event)
            fresh = FinalForm(now=standing, revision=stale.current.revision, **facts)
            both = list(differences(form, fresh)) if standing else []
            form = again(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            # Its winners have a page on the wall from now on.
            public_pages.write_anew(event)
            messages.success(request, _("The final is saved."))
            return redirect("final", event.slug)
    context = {
        "form": form,
        "groups": form.groups(),
        "differences": both,
        "now": now,
        "by_hand": form.by_hand,
        "begun": queries.progress_of(event, StageKind.FINAL).play_begun,
    }
    return show(request, "change_final", context, refused)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final_sessions(request: HttpRequest) -> HttpResponse:
    """The hours and tables of each round by hand: on several days, or after a longer break."""
    event, refused = request.event, None
    if final_of(event) is None:
        return redirect("final", event.slug)
    rounds = queries.rounds_of_final(event)
    stages: dict[str, Any] = {"kind": StageKind.FINAL, "others": queries.beside(event, StageKind.FINAL)}
    form = SessionsForm(rounds, request.POST if request.method == "POST" else None, **stages)
    seen = RevisionForm(request.POST or None, initial={"revision": event.revision})
    both = form.dropped()
    if request.method == "POST" and both:
        refused = since_locked()
    elif request.method == "POST":
        plan = form.plan()
        if plan is not None and seen.is_valid():
            try:
                revision = seen.cleaned_data["revision"]
                setup_final.change_rounds(event, revision=revision, sessions=plan, by=request.user)
            except Refused as why:
                refused = why
            else:
                messages.success(request, _("The hours are saved."))
                return redirect("final", event.slug)
    return show(request, "change_final_sessions", {"form": form, "seen": seen, "differences": both}, refused)


urlpatterns = [
    path("final/setup/", change_final, name="change_final"),
    path("final/sessions/", change_final_sessions, name="change_final_sessions"),
]

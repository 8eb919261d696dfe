"""A later stage set up and changed, the last or one before it: how it is played, when, its hours round by round."""

from dataclasses import dataclass
from typing import Annotated, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_stubs_ext import Annotations

from tournament.core.enums import StageKind
from tournament.core.errors import Refused, StaleVersion
from tournament.core.form_keys import mark_not_acted
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.core.permissions import EventRequest, for_act
from tournament.events.domain import advancing_places_of_stage
from tournament.events.forms import locked_meanwhile_refusal
from tournament.events.queries import final_of
from tournament.publication.services import public_pages
from tournament.setup import queries
from tournament.setup.forms.later_stage import NewStageForm, StageBetweenForm, StageForm
from tournament.setup.forms.sessions import SessionsForm
from tournament.setup.forms.setup import RevisionForm
from tournament.setup.queries import SessionProgress
from tournament.setup.services import later_stage
from tournament.setup.views.rules import change_stage_rules_page, stage_back_address
from tournament.setup.views.setup import render_setup_page, repost_form, setup_form_differences


@dataclass(frozen=True, slots=True)
class StagePage:
    """The page that sets up one later stage. `stage` None: it is not there yet, as the last or `is_between`."""

    event: Event
    stage: Stage | None
    is_between: bool
    first: Stage
    before: Stage | None

    @property
    def kind(self) -> str:
        """Its address; of a new one before the last it is still to be typed."""
        return self.stage.kind if self.stage else "" if self.is_between else StageKind.FINAL.value

    @property
    def back(self) -> str:
        """Where the page leads back to."""
        return stage_back_address(self.event, self.is_between)

    @property
    def rounds(self) -> list[Annotated[Session, Annotations[SessionProgress]]]:
        """Its sessions as they are planned now."""
        return queries.sessions_of_later_stage(self.event, self.kind)

    def form(self, data: Any = None, *, kind: str, revision: int) -> StageForm:
        """The form over the stage of this address as it is planned now, and over nothing where there is none."""
        now = later_stage.plan_of_stage(self.event, kind)
        makes = StageForm if not self.is_between else StageBetweenForm if now else NewStageForm
        places = advancing_places_of_stage(self.before or self.first)
        return makes(data, first=self.first, places=places, now=now, revision=revision)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final(request: EventRequest) -> HttpResponse:
    """Set up the last stage, or change how it is played and when."""
    return set_up_stage_page(request, final_of(request.event), is_between=False)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_stage(request: EventRequest) -> HttpResponse:
    """Change a later stage; the first one is set up with the event."""
    stage = request.stage
    if stage is not None and stage.is_first:
        return mark_not_acted(redirect("set_up", request.event.slug))
    return set_up_stage_page(request, stage, is_between=stage is not None and not stage.is_last)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def new_stage(request: EventRequest) -> HttpResponse:
    """Set up one more stage before the last."""
    return set_up_stage_page(request, None, is_between=True)


def set_up_stage_page(request: EventRequest, stage: Stage | None, *, is_between: bool) -> HttpResponse:
    """How the stage is played and when; once it has begun the page says what stays."""
    event = request.event
    refused: Refused | None = None
    both: list[tuple[str, Any, Any]] = []
    first = queries.first_stage(event)
    if first is None or (first.is_last and request.method != "POST"):
        return mark_not_acted(redirect("set_up", event.slug))
    page = StagePage(event, stage, is_between, first, queries.stage_before(event, stage))
    form = page.form(request.POST or None, kind=page.kind, revision=event.revision)
    if request.method == "POST" and (both := [*form.dropped()]):
        refused = locked_meanwhile_refusal()
    elif request.method == "POST" and form.is_valid():
        plan, revision = form.wanted(page.rounds), form.cleaned_data["revision"]
        try:
            later_stage.set_up_stage(event, revision=revision, plan=plan, by=request.user)
        except StaleVersion as stale:
            refused = stale
            both = differences_from_standing(page, form, plan.kind)
            form = repost_form(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            return stage_saved(request, page)
    return show_stage(request, page, form, both, refused)


def differences_from_standing(page: StagePage, form: StageForm, kind: str) -> list[tuple[str, Any, Any]]:
    """Where what was typed is not what somebody else has made of the same stage; nothing where it is not set up."""
    fresh = page.form(kind=kind, revision=page.event.revision)
    return list(setup_form_differences(form, fresh)) if fresh.now else []


def stage_saved(request: HttpRequest, page: StagePage) -> HttpResponse:
    """Back to where one came from. Its results have a page on the wall from now on."""
    public_pages.rebuild_public_files(page.event)
    messages.success(request, _("The stage is saved.") if page.is_between else _("The final is saved."))
    return redirect(page.back)


def show_stage(
    request: HttpRequest, page: StagePage, form: StageForm, both: list[tuple[str, Any, Any]], refused: Refused | None
) -> HttpResponse:
    """The form, or why it stays closed."""
    is_new_between = page.is_between and page.stage is None
    context = {
        "of": page,
        "form": form,
        "groups": form.groups(),
        "differences": both,
        # Somebody else has set up a stage at the address that was typed.
        "address_taken": is_new_between and bool(both),
        "now": form.now,
        "by_hand": form.by_hand,
        "begun": queries.has_begun(page.stage),
        "closed": is_new_between and not form.is_bound and not later_stage.can_have_stage_between(final_of(page.event)),
    }
    return render_setup_page(request, "change_stage", context, refused)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_final_sessions(request: EventRequest) -> HttpResponse:
    """The hours of the last stage, round by round."""
    final = final_of(request.event)
    return stage_sessions_page(request, final) if final else mark_not_acted(redirect("final", request.event.slug))


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_stage_sessions(request: EventRequest) -> HttpResponse:
    """A later stage's hours; those of the first one are set up with the event."""
    if request.stage is None or request.stage.is_first:
        return mark_not_acted(redirect("change_sessions", request.event.slug))
    return stage_sessions_page(request, request.stage)


def stage_sessions_page(request: EventRequest, stage: Stage) -> HttpResponse:
    """The hours and tables of each round by hand: on several days, or after a longer break."""
    event = request.event
    refused: Refused | None = None
    back = stage_back_address(event, not stage.is_last)
    rounds = queries.sessions_of_later_stage(event, stage.kind)
    others = queries.sessions_outside_plan(event, stage.kind)
    data = request.POST if request.method == "POST" else None
    form = SessionsForm(rounds, data, order=stage.order, others=others)
    seen = RevisionForm(request.POST or None, initial={"revision": event.revision})
    both = form.dropped()
    if request.method == "POST" and both:
        refused = locked_meanwhile_refusal()
    elif request.method == "POST":
        plan = form.plan()
        if plan is not None and seen.is_valid():
            try:
                revision = seen.cleaned_data["revision"]
                later_stage.change_rounds(event, stage.kind, revision=revision, sessions=plan, by=request.user)
            except Refused as why:
                refused = why
            else:
                messages.success(request, _("The hours are saved."))
                return redirect(back)
    context = {"form": form, "seen": seen, "differences": both, "of": stage, "back": back}
    return render_setup_page(request, "change_stage_sessions", context, refused)


urlpatterns = [
    path("final/setup/", change_final, name="change_final"),
    path("final/sessions/", change_final_sessions, name="change_final_sessions"),
    path("stages/new/", new_stage, name="new_stage"),
]
# After all that is of the whole event: any word may stand for the stage.
stage_patterns = [
    path("<slug:stage>/setup/", change_stage, name="change_stage"),
    path("<slug:stage>/sessions/", change_stage_sessions, name="change_stage_sessions"),
    path("<slug:stage>/rules/", change_stage_rules_page, name="change_stage_rules"),
]

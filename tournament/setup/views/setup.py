"""Set-up: an event is made, looked at, changed, copied, rehearsed. What play rests on is locked, and says why."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, may_create_event
from tournament.events.domain import ruleset_of_stage
from tournament.events.forms import DroppedValue, dropped_values, locked_meanwhile_refusal
from tournament.events.forms import field_value_words as in_words_of
from tournament.log.templatetags.audit import act_words, reason_words
from tournament.messages.forms import confirmation_sent
from tournament.publication.queries.announced import has_public_page
from tournament.publication.services import public_pages
from tournament.setup import queries
from tournament.setup.forms.rules import RULE_OPTIONS, preset_of_ruleset, rule_options_in_words
from tournament.setup.forms.sessions import SessionsForm
from tournament.setup.forms.setup import (
    RULESET_CHOICES,
    CopyForm,
    EventFactsForm,
    EventForm,
    NewEventForm,
    RevisionForm,
    SetupDayForm,
)
from tournament.setup.services import changes, rehearsal
from tournament.setup.services import setup as service
from tournament.setup.services.plan import planned_session_of

SETUP_HISTORY_SHOWN = 10
SETUP_FIELD_LABELS = {
    **{name: field.label for name, field in EventFactsForm.base_fields.items()},
    **{option.field: option.label for option in RULE_OPTIONS},
    "results_at": EventFactsForm.base_fields["results_on"].label,
    "advance": gettext_lazy("How many advance (R37)"),
    "base": gettext_lazy("Rules"),
    "sessions": gettext_lazy("Sessions"),
    "rounds": gettext_lazy("Rounds"),
    "qualifying": gettext_lazy("How one advances"),
    "stage_name_zh": gettext_lazy("Stage's name in Chinese"),
    "stage_name_en": gettext_lazy("Stage's name in English"),
}
CHANGED_FIELD_RE = re.compile(rf"(^|; )({'|'.join(SETUP_FIELD_LABELS)}): ")
NO_MAKER = gettext_noop("Only an organiser of some event, or who looks after the installation, makes events.")
SETUP_ACT_WORDS = {
    "create_event": gettext_noop("made"),
    "announce_event": gettext_noop("announced"),
    "change_event": gettext_noop("names, places or dates changed"),
    "change_sessions": gettext_noop("sessions changed"),
    "change_rules": gettext_noop("rules changed"),
    "set_up_final": gettext_noop("later stage set up or changed"),
    "make_rehearsal": gettext_noop("copied to rehearse"),
}


def render_setup_page(
    request: HttpRequest, name: str, context: dict[str, Any], refused: Refused | None = None
) -> HttpResponse:
    """A page of the set-up with its status: a refusal's own, 400 for what must be mended."""
    form = context.get("form")
    faulty = getattr(form, "has_faults", False) or bool(getattr(form, "errors", None))
    status = refused.status if refused else 400 if faulty else 200
    return render(request, f"setup/{name}.html", {"stage": "setup", "refusal": refused, **context}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_event(request: EventRequest) -> HttpResponse:
    """An event from nothing; its maker is its organiser."""
    if not may_create_event(request.user):
        raise Forbidden("may_not_create", NO_MAKER)
    form, refused = NewEventForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            event = service.open_event(
                form.data_of_event(), by=request.user, words_confirmed=confirmation_sent(request.POST)
            )
        except Refused as why:
            refused = why
        else:
            return redirect_to_new_event(request, event)
    return render_setup_page(request, "new_event", {"form": form, "groups": form.groups()}, refused)


def redirect_to_new_event(request: HttpRequest, event: Event) -> HttpResponse:
    """To the set-up of an event that was just made."""
    public_pages.rebuild_public_files(event)
    messages.success(request, _("The event is made. Look at its rules, then add accounts."))
    return redirect("set_up", event.slug)


@require_safe
@for_act("set_up_event")
def set_up(request: EventRequest) -> HttpResponse:
    """Everything that is set up, what is locked and why, and who changed it."""
    event = request.event
    stage = queries.first_stage(event)
    sessions = queries.sessions_of_first_stage(event)
    context = {
        "progress": queries.setup_progress_of(event),
        "first": stage,
        "sessions": sessions,
        "referees": queries.count_referees(event),
        # R8: one for two tables, the last has one where they are odd.
        "referees_needed": (max((session.table_count for session in sessions), default=0) + 1) // 2,
        "places": seats_of_stage(stage, [session.capacity for session in sessions]),
        "preset": RULESET_CHOICES.get(preset_of_ruleset(stage.ruleset)) if stage else "",
        "clauses": rule_options_in_words(ruleset_of_stage(stage)) if stage else [],
        **later_stages_context(event, stage),
        "has_page": has_public_page(event),
        "rehearsal": None if event.rehearsal else rehearsal.rehearsal_of_event(event),
        "history": [(act_of(each), setup_change_text(reason_words(each)), each) for each in setup_history(event)],
    }
    return render_setup_page(request, "set_up", context)


def seats_of_stage(stage: Stage | None, capacities: list[int]) -> int:
    """How many can play: of sessions the sum, of rounds, which all play, the smallest."""
    in_rounds = stage is not None and stage.has_rounds_for_all
    return min(capacities, default=0) if in_rounds else sum(capacities)


def later_stages_context(event: Event, first: Stage | None) -> dict[str, Any]:
    """The last stage and those before it, with their sessions, and whether one more can come before the last."""
    later = queries.later_stages(event)
    final = next((one for one in later if one.stage.is_last), None)
    return {
        "final": final,
        "between": [one for one in later if not one.stage.is_last],
        "can_add_stage": first is not None and (final is None or final.is_open),
    }


def setup_history(event: Event) -> list[Any]:
    """Who changed the set-up, the newest first."""
    return list(queries.setup_audit_entries(event).select_related("actor")[:SETUP_HISTORY_SHOWN])


def act_of(entry: Any) -> str:
    """What was done, in words."""
    return _(SETUP_ACT_WORDS[entry.action]) if entry.action in SETUP_ACT_WORDS else act_words(entry.action)


def setup_change_text(reason: str) -> str:
    """`quota: 100 > 120` with the field's label in the language of the page."""
    return CHANGED_FIELD_RE.sub(lambda found: f"{found[1]}{SETUP_FIELD_LABELS[found[2]]}: ", reason).replace(
        " > ", " → "
    )


def setup_form_differences(typed: Form, standing: Form) -> Iterator[tuple[str, Any, Any]]:
    """Where what was typed is not what stands now: label, what stands, what was typed."""
    for name, field in standing.fields.items():
        if field.widget.is_hidden or field.disabled:
            continue
        now = field.prepare_value(standing.get_initial_for_field(field, name))
        if field.has_changed(now, typed[name].value()):
            yield str(field.label), in_words_of(field, now), in_words_of(field, typed[name].value())


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_event_page(request: EventRequest) -> HttpResponse:
    """Names, venue, places, the hour of the results, the day of erasure."""
    event = request.event
    facts: dict[str, Any] = {"event": event, "progress": queries.setup_progress_of(event)}
    form = EventForm(request.POST or None, **facts)
    refused: Refused | None = None
    both: list[tuple[str, Any, Any]] = []
    if request.method == "POST" and (both := list(dropped_values(form))):
        refused = locked_meanwhile_refusal()
    elif request.method == "POST" and form.is_valid():
        try:
            revision = form.cleaned_data["revision"]
            changed = changes.change_event(
                event,
                revision=revision,
                facts=form.facts(),
                by=request.user,
                words_confirmed=confirmation_sent(request.POST),
            )
        except StaleVersion as stale:
            refused = stale
            standing = EventForm(event=stale.current, progress=facts["progress"])
            both = list(setup_form_differences(form, standing))
            form = repost_form(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            public_pages.rebuild_public_files(changed)
            messages.success(request, _("The event is saved."))
            return redirect("set_up", event.slug)
    return render_setup_page(request, "change_event", {"form": form, "differences": both}, refused)


SentForm = TypeVar("SentForm", bound=Form)


def repost_form(form: SentForm, revision: int) -> SentForm:
    """The same form with all that was typed, ready to be sent over what stands now."""
    data = cast(QueryDict, form.data).copy()
    data["revision"] = str(revision)
    form.data = data
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_sessions_page(request: EventRequest) -> HttpResponse:
    """Every session by hand; a day of them is added below by `add_day`."""
    event, refused = request.event, None
    sessions = queries.sessions_of_first_stage(event)
    if request.method == "POST":
        form = SessionsForm(sessions, request.POST, others=queries.sessions_outside_plan(event))
        seen = RevisionForm(request.POST)
        if both := form.dropped():
            return show_sessions(request, form, seen, day_form(event, sessions), locked_meanwhile_refusal(), both)
        plan = form.plan()
        if plan is not None and seen.is_valid():
            try:
                revision = seen.cleaned_data["revision"]
                changed = changes.change_sessions(event, revision=revision, plan=plan, by=request.user)
            except Refused as why:
                refused = why
            else:
                return sessions_saved(request, changed)
    else:
        form, seen = SessionsForm(sessions), RevisionForm(initial={"revision": event.revision})
    return show_sessions(request, form, seen, day_form(event, sessions), refused)


def show_sessions(
    request: HttpRequest,
    form: SessionsForm,
    seen: Form,
    day: SetupDayForm,
    refused: Refused | None,
    both: Sequence[DroppedValue] = (),
) -> HttpResponse:
    """The sessions and the form for one more day."""
    stale = isinstance(refused, StaleVersion)
    context = {"form": form, "seen": seen, "day": day, "stale": stale, "differences": both}
    return render_setup_page(request, "change_sessions", context, refused)


def sessions_saved(request: HttpRequest, event: Event) -> HttpResponse:
    """Back to the list, as it stands now."""
    public_pages.rebuild_public_files(event)
    messages.success(request, _("The sessions are saved."))
    return redirect("change_sessions", event.slug)


def day_form(event: Event, sessions: list[Any]) -> SetupDayForm:
    """A day as the last session has it: its tables are the first guess."""
    tables = {"tables": sessions[-1].table_count} if sessions else {}
    return SetupDayForm(initial={"revision": event.revision, **tables}, auto_id="day_%s")


@require_POST
@for_act("set_up_event")
def add_day(request: EventRequest) -> HttpResponse:
    """One more day of sessions, from its first hour and its pace."""
    event, refused = request.event, None
    sessions = queries.sessions_of_first_stage(event)
    day = SetupDayForm(request.POST, auto_id="day_%s")
    if day.is_valid():
        plan = [*(planned_session_of(session) for session in sessions), *day.plan(day.cleaned_data["day"])]
        try:
            revision = day.cleaned_data["revision"]
            changed = changes.change_sessions(event, revision=revision, plan=plan, by=request.user)
        except Refused as why:
            refused = why
        else:
            return sessions_saved(request, changed)
    seen = RevisionForm(initial={"revision": event.revision})
    answer = show_sessions(request, SessionsForm(sessions), seen, day, refused)
    answer.status_code = refused.status if refused else 400
    return answer


@require_POST
@for_act("set_up_event")
def announce_event_view(request: EventRequest) -> HttpResponse:
    """Let the public have the event's page."""
    public_pages.rebuild_public_files(changes.announce_event(request.event, by=request.user))
    messages.success(request, _("The event is announced: it has its public page."))
    return redirect("set_up", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def copy_event_page(request: EventRequest) -> HttpResponse:
    """A new event with the structure of this one and nobody in it."""
    event, refused = request.event, None
    form = CopyForm(request.POST or None, initial={"name_zh": event.name_zh, "name_en": event.name_en})
    if request.method == "POST" and form.is_valid():
        try:
            copy = service.copy_event(
                event, **form.cleaned_data, by=request.user, words_confirmed=confirmation_sent(request.POST)
            )
        except Refused as why:
            refused = why
        else:
            return redirect_to_new_event(request, copy)
    return render_setup_page(
        request, "copy_event", {"form": form, "sessions": queries.sessions_of_first_stage(event)}, refused
    )


@require_POST
@for_act("set_up_event")
def make_rehearsal_view(request: EventRequest) -> HttpResponse:
    """A copy to practise on; the one that is there where there is one."""
    copy = rehearsal.make_rehearsal(request.event, by=request.user)
    public_pages.rebuild_public_files(copy)
    messages.success(
        request,
        _("This is the rehearsal. Nothing done here counts; accounts and passwords are those of the real event."),
    )
    return redirect("overview", copy.slug)


new_event_patterns = [path("desk/new-event/", new_event, name="new_event")]
urlpatterns = [
    path("setup/", set_up, name="set_up"),
    path("setup/event/", change_event_page, name="change_event"),
    path("setup/sessions/", change_sessions_page, name="change_sessions"),
    path("setup/day/", add_day, name="add_day"),
    path("setup/announce/", announce_event_view, name="announce_event"),
    path("setup/copy/", copy_event_page, name="copy_event"),
    path("setup/rehearsal/", make_rehearsal_view, name="make_rehearsal"),
]

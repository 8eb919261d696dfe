"""Set-up: an event is made, looked at, changed, copied, rehearsed. What play rests on is locked, and says why."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.bridge.rulesets import ruleset_of
from tournament.enums import StageKind
from tournament.errors import Forbidden, Refused, StaleVersion
from tournament.forms.locked_fields import Dropped, dropped, since_locked
from tournament.forms.locked_fields import in_words as in_words_of
from tournament.forms.published_text import confirmed_in
from tournament.forms.setup import RULESETS, CopyForm, DayForm, EventForm, FactsForm, NewEventForm, RevisionForm
from tournament.forms.setup_rules import OPTIONS, clauses, preset_of
from tournament.forms.setup_sessions import SessionsForm
from tournament.models import Event
from tournament.permissions import for_act, may_create_event
from tournament.queries import setup as queries
from tournament.queries.announced import has_page
from tournament.queries.finalists import final_of
from tournament.services import public_pages, setup_changes, setup_rehearsal
from tournament.services import setup as service
from tournament.services.setup_plan import plan_of
from tournament.templatetags.audit import act_words, reason_words

HISTORY = 10
LABELS = {
    **{name: field.label for name, field in FactsForm.base_fields.items()},
    **{option.field: option.label for option in OPTIONS},
    "results_at": FactsForm.base_fields["results_on"].label,
    "advance": gettext_lazy("How many advance (R37)"),
    "base": gettext_lazy("Rules"),
    "sessions": gettext_lazy("Sessions"),
    "rounds": gettext_lazy("Rounds"),
}
CHANGED = re.compile(rf"(^|; )({'|'.join(LABELS)}): ")
NO_MAKER = gettext_noop("Only an organiser of some event, or who looks after the installation, makes events.")
WORDS = {
    "create_event": gettext_noop("made"),
    "announce_event": gettext_noop("announced"),
    "change_event": gettext_noop("names, places or dates changed"),
    "change_sessions": gettext_noop("sessions changed"),
    "change_rules": gettext_noop("rules changed"),
    "set_up_final": gettext_noop("final set up or changed"),
    "make_rehearsal": gettext_noop("copied to rehearse"),
}


def show(request: HttpRequest, name: str, context: dict[str, Any], refused: Refused | None = None) -> HttpResponse:
    """A page of the set-up with its status: a refusal's own, 400 for what must be mended."""
    form = context.get("form")
    faulty = getattr(form, "has_faults", False) or bool(getattr(form, "errors", None))
    status = refused.status if refused else 400 if faulty else 200
    return render(request, f"setup/{name}.html", {"stage": "setup", "refusal": refused, **context}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_event(request: HttpRequest) -> HttpResponse:
    """An event from nothing; its maker is its organiser."""
    if not may_create_event(request.user):
        raise Forbidden("may_not_create", NO_MAKER)
    form, refused = NewEventForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            event = service.open_event(
                form.data_of_event(), by=request.user, words_confirmed=confirmed_in(request.POST)
            )
        except Refused as why:
            refused = why
        else:
            return made(request, event)
    return show(request, "new_event", {"form": form, "groups": form.groups()}, refused)


def made(request: HttpRequest, event: Event) -> HttpResponse:
    """To the set-up of an event that was just made."""
    public_pages.write_anew(event)
    messages.success(request, _("The event is made. Look at its rules, then add accounts."))
    return redirect("set_up", event.slug)


@require_safe
@for_act("set_up_event")
def set_up(request: HttpRequest) -> HttpResponse:
    """Everything that is set up, what is locked and why, and who changed it."""
    event = request.event
    stage = queries.first_stage(event)
    sessions = queries.sessions_of(event)
    context = {
        "progress": queries.progress_of(event),
        "first": stage,
        "sessions": sessions,
        "referees": queries.referees_of(event),
        # R8: one for two tables, the last has one where they are odd.
        "referees_needed": (max((session.table_count for session in sessions), default=0) + 1) // 2,
        "places": sum(session.capacity for session in sessions),
        "preset": RULESETS.get(preset_of(stage.ruleset)) if stage else "",
        "clauses": clauses(ruleset_of(stage)) if stage else [],
        "final": final_of(event),
        "rounds": queries.rounds_of_final(event),
        "has_page": has_page(event),
        "rehearsal": None if event.rehearsal else setup_rehearsal.rehearsal_of(event),
        "history": [(act_of(each), in_words(reason_words(each)), each) for each in history(event)],
    }
    return show(request, "set_up", context)


def history(event: Event) -> list[Any]:
    """Who changed the set-up, the newest first."""
    return list(queries.entries_of(event).select_related("actor")[:HISTORY])


def act_of(entry: Any) -> str:
    """What was done, in words."""
    return _(WORDS[entry.action]) if entry.action in WORDS else act_words(entry.action)


def in_words(reason: str) -> str:
    """`quota: 100 > 120` with the field's label in the language of the page."""
    return CHANGED.sub(lambda found: f"{found[1]}{LABELS[found[2]]}: ", reason).replace(" > ", " → ")


def differences(typed: Form, standing: Form) -> Iterator[tuple[str, Any, Any]]:
    """Where what was typed is not what stands now: label, what stands, what was typed."""
    for name, field in standing.fields.items():
        if field.widget.is_hidden or field.disabled:
            continue
        now = field.prepare_value(standing.get_initial_for_field(field, name))
        if field.has_changed(now, typed[name].value()):
            yield str(field.label), in_words_of(field, now), in_words_of(field, typed[name].value())


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_event(request: HttpRequest) -> HttpResponse:
    """Names, venue, places, the hour of the results, the day of erasure."""
    event = request.event
    facts = {"event": event, "progress": queries.progress_of(event)}
    form, refused = EventForm(request.POST or None, **facts), None
    both: list[tuple[str, Any, Any]] = []
    if request.method == "POST" and (both := list(dropped(form))):
        refused = since_locked()
    elif request.method == "POST" and form.is_valid():
        try:
            revision = form.cleaned_data["revision"]
            changed = setup_changes.change_event(
                event,
                revision=revision,
                facts=form.facts(),
                by=request.user,
                words_confirmed=confirmed_in(request.POST),
            )
        except StaleVersion as stale:
            refused = stale
            standing = EventForm(event=stale.current, progress=facts["progress"])
            both = list(differences(form, standing))
            form = again(form, stale.current.revision)
        except Refused as why:
            refused = why
        else:
            public_pages.write_anew(changed)
            messages.success(request, _("The event is saved."))
            return redirect("set_up", event.slug)
    return show(request, "change_event", {"form": form, "differences": both}, refused)


def again(form: Form, revision: int) -> Form:
    """The same form with all that was typed, ready to be sent over what stands now."""
    form.data = form.data.copy()
    form.data["revision"] = revision
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def change_sessions(request: HttpRequest) -> HttpResponse:
    """Every session by hand; a day of them is added below by `add_day`."""
    event, refused = request.event, None
    sessions = queries.sessions_of(event)
    if request.method == "POST":
        form = SessionsForm(sessions, request.POST, others=queries.beside(event, StageKind.PRELIMINARY))
        seen = RevisionForm(request.POST)
        if both := form.dropped():
            return show_sessions(request, form, seen, day_form(event, sessions), since_locked(), both)
        plan = form.plan()
        if plan is not None and seen.is_valid():
            try:
                revision = seen.cleaned_data["revision"]
                changed = setup_changes.change_sessions(event, revision=revision, plan=plan, by=request.user)
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
    day: DayForm,
    refused: Refused | None,
    both: Sequence[Dropped] = (),
) -> HttpResponse:
    """The sessions and the form for one more day."""
    stale = isinstance(refused, StaleVersion)
    context = {"form": form, "seen": seen, "day": day, "stale": stale, "differences": both}
    return show(request, "change_sessions", context, refused)


def sessions_saved(request: HttpRequest, event: Event) -> HttpResponse:
    """Back to the list, as it stands now."""
    public_pages.write_anew(event)
    messages.success(request, _("The sessions are saved."))
    return redirect("change_sessions", event.slug)


def day_form(event: Event, sessions: list[Any]) -> DayForm:
    """A day as the last session has it: its tables are the first guess."""
    tables = {"tables": sessions[-1].table_count} if sessions else {}
    return DayForm(initial={"revision": event.revision, **tables}, auto_id="day_%s")


@require_POST
@for_act("set_up_event")
def add_day(request: HttpRequest) -> HttpResponse:
    """One more day of sessions, from its first hour and its pace."""
    event, refused = request.event, None
    sessions = queries.sessions_of(event)
    day = DayForm(request.POST, auto_id="day_%s")
    if day.is_valid():
        plan = [*(plan_of(session) for session in sessions), *day.plan(day.cleaned_data["day"])]
        try:
            revision = day.cleaned_data["revision"]
            changed = setup_changes.change_sessions(event, revision=revision, plan=plan, by=request.user)
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
def announce_event(request: HttpRequest) -> HttpResponse:
    """Let the public have the event's page."""
    public_pages.write_anew(setup_changes.announce_event(request.event, by=request.user))
    messages.success(request, _("The event is announced: it has its public page."))
    return redirect("set_up", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("set_up_event")
def copy_event(request: HttpRequest) -> HttpResponse:
    """A new event with the structure of this one and nobody in it."""
    event, refused = request.event, None
    form = CopyForm(request.POST or None, initial={"name_zh": event.name_zh, "name_en": event.name_en})
    if request.method == "POST" and form.is_valid():
        try:
            copy = service.copy_event(
                event, **form.cleaned_data, by=request.user, words_confirmed=confirmed_in(request.POST)
            )
        except Refused as why:
            refused = why
        else:
            return made(request, copy)
    return show(request, "copy_event", {"form": form, "sessions": queries.sessions_of(event)}, refused)


@require_POST
@for_act("set_up_event")
def make_rehearsal(request: HttpRequest) -> HttpResponse:
    """A copy to practise on; the one that is there where there is one."""
    copy = setup_rehearsal.make_rehearsal(request.event, by=request.user)
    public_pages.write_anew(copy)
    messages.success(
        request,
        _("This is the rehearsal. Nothing done here counts; accounts and passwords are those of the real event."),
    )
    return redirect("overview", copy.slug)


new_event_patterns = [path("desk/new-event/", new_event, name="new_event")]
urlpatterns = [
    path("setup/", set_up, name="set_up"),
    path("setup/event/", change_event, name="change_event"),
    path("setup/sessions/", change_sessions, name="change_sessions"),
    path("setup/day/", add_day, name="add_day"),
    path("setup/announce/", announce_event, name="announce_event"),
    path("setup/copy/", copy_event, name="copy_event"),
    path("setup/rehearsal/", make_rehearsal, name="make_rehearsal"),
]

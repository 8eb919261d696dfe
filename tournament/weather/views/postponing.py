"""After a stop: what is postponed, broken off or played anew, its new times, and who cannot come."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from tournament.accounts import views
from tournament.accounts.models import Proposal
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.core.templatetags.display import session_name
from tournament.events.forms import locked_meanwhile_refusal
from tournament.messages.queries.mailing_counts import open_mailings_about_sessions
from tournament.messages.views.mailings_about import mailings_that_would_end
from tournament.weather.forms.postponing import NewTimesForm
from tournament.weather.queries import postponing as queries
from tournament.weather.services import postponing as services
from tournament.weather.services import postponing_replay as replays
from tournament.weather.services import postponing_second as second_person
from tournament.weather.services import postponing_times as times

POSTPONING_ACT_UNKNOWN = gettext_noop("Choose one of the presses of this page.")

SESSION_TICK_RE = re.compile(r"s([0-9]{1,9})-take")

SessionAct = Callable[[Session, str, User], Any]

# What one press does, by its word in the form.
SESSION_ACT_HANDLERS: Mapping[str, SessionAct] = {
    "unhold": lambda session, reason, by: services.unhold_sessions([session], reason=reason, by=by),
    "postpone": lambda session, reason, by: services.postpone_sessions([session], reason=reason, by=by),
    "bring_back": lambda session, reason, by: services.bring_back_sessions([session], reason=reason, by=by),
    "let_stand": lambda session, reason, by: replays.keep_session_results(session, reason=reason, by=by),
    "replay": lambda session, reason, by: replays.replay_session(session, reason=reason, by=by),
    "undecide": lambda session, reason, by: replays.revert_session_decision(session, reason=reason, by=by),
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_weather")
def postponed_sessions_page(request: EventRequest) -> HttpResponse:
    """Each stopped day with its sessions, and what an organiser may do with each."""
    if request.method != "POST":
        return render_postponed_sessions(request)
    require_act(request.roles, "decide_weather")
    session = session_by_posted_number(request.event, request.POST.get("session", ""))
    act = SESSION_ACT_HANDLERS.get(request.POST.get("do", ""))
    try:
        if session is None or act is None:
            raise BadInput("no_such_act", POSTPONING_ACT_UNKNOWN)
        made = act(session, request.POST.get("reason", ""), request.user)
    except Refused as refusal:
        return render_postponed_sessions(request, refusal)
    if isinstance(made, Proposal):
        messages.warning(request, _("It waits for a second person. Nothing is done before they have agreed."))
        return redirect("proposed_replay", request.event.slug, made.pk)
    session.refresh_from_db()
    said = {"session": session_name(session), "state": session.get_state_display()}
    messages.success(request, _("%(session)s: %(state)s.") % said)
    return redirect("postponed", request.event.slug)


def session_by_posted_number(event: Event, number: str) -> Session | None:
    """The session with this number."""
    if not number.isascii() or not number.isdecimal() or len(number) > 5:
        return None
    return queries.sessions_of_any_state(event).filter(number=int(number)).select_related("stage__event").first()


def render_postponed_sessions(request: EventRequest, refusal: Refused | None = None) -> HttpResponse:
    """The page, with what stands in the way."""
    days, under_way = (
        queries.stopped_days(request.event, timezone.now()),
        queries.unpressed_sessions_in_play(request.event),
    )
    sessions = [one.session for group in (*(day.sessions for day in days), under_way) for one in group]
    shown = {
        "stage": "weather",
        "days": days,
        "under_way": under_way,
        "mailed": mailings_that_would_end(request, open_mailings_about_sessions(request.event, sessions)),
        "may_decide": is_act_allowed(request.roles, "decide_weather"),
        "may_tell": is_act_allowed(request.roles, "publish_notice"),
        "may_see_entrants": is_act_allowed(request.roles, "see_entrants"),
        "refusal": refusal,
        "about": request.POST.get("session", ""),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "weather/postponing/postponed.html", shown, status=refusal.status if refusal else 200)


# --- The second person ----------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_proposals")
def proposed_replay(request: EventRequest, replay: int) -> HttpResponse:
    """What one organiser proposed about a session with signed sheets, with its effect; a POST is the second's yes."""
    found = second_person.find_replay_proposal(request.event, replay)
    if found is None:
        raise Http404
    if request.method != "POST":
        return show_proposed(request, found)
    require_act(request.roles, "answer_proposal")
    try:
        replays.agree_replay(request.event, replay, by=request.user)
    except Refused as refused:
        return show_proposed(request, found, refused)
    messages.success(request, _("Agreed to: it is done."))
    return redirect("postponed", request.event.slug)


def show_proposed(request: EventRequest, found: Proposal, refusal: Refused | None = None) -> HttpResponse:
    """The page; an answered one says what became of it."""
    found.refresh_from_db()
    own = found.proposed_by_id == request.user.pk
    shown = None if found.outcome else second_person.replay_effect(found)
    context = {
        "stage": "weather",
        "proposal": found,
        "shown": shown,
        "mailed": mailings_that_would_end(request, open_mailings_about_sessions(request.event, [shown.session]))
        if shown
        else [],
        "own": own,
        "may_answer": is_act_allowed(request.roles, "answer_proposal") and not own,
        "refusal": refusal,
    }
    return render(request, "weather/postponing/proposed.html", context, status=refusal.status if refusal else 200)


def proposed_replay_url(proposal: Proposal) -> str:
    """Where it is seen and agreed to."""
    return reverse("proposed_replay", args=[proposal.event.slug, proposal.pk])


views.PROPOSAL_URL_OF_ACT |= dict.fromkeys(second_person.REPLAY_PROPOSAL_ACTS, proposed_replay_url)


# --- New times ------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_weather")
def new_times(request: EventRequest, day: date) -> HttpResponse:
    """New times for the postponed sessions of one day, all or some."""
    posted = request.POST if request.method == "POST" else None
    sessions = queries.sessions_waiting_for_times(request.event, day, ticked_session_ids(request.POST))
    others = ticked_but_not_waiting(request.event, day, request.POST, sessions)
    if not sessions and not others:
        if not queries.sessions_of_any_state(request.event).filter(original_date=day).exists():
            raise Http404
        return redirect("postponed", request.event.slug)
    form = NewTimesForm(sessions, posted)
    gone = form.gone(others)
    refusal: Refused | None = locked_meanwhile_refusal() if gone else None
    wanted = form.wanted() if posted is not None and not gone else None
    if wanted is not None:
        try:
            changed = times.set_times(request.event, wanted, reason=form.whole.cleaned_data["reason"], by=request.user)
        except BadInput as refused:
            refusal = refused
            form.add(refused.about if refused.code == "times_refused" else ())
        except Refused as refused:
            refusal = refused
        else:
            if changed:
                messages.success(request, _("New times are set for %(count)s sessions.") % {"count": len(changed)})
            return redirect("postponed", request.event.slug)
    shown = {
        "stage": "weather",
        "day": day,
        "form": form,
        "refusal": refusal,
        "differences": gone,
        "mailed": mailings_that_would_end(request, open_mailings_about_sessions(request.event, sessions)),
    }
    status = refusal.status if refusal else 400 if form.has_faults else 200
    return render(request, "weather/postponing/new_times.html", shown, status=status)


def ticked_but_not_waiting(
    event: Event, day: date, posted: Mapping[str, Any], sessions: Sequence[Session]
) -> list[Session]:
    """Sessions of the day that were ticked and wait for no times any more: somebody has brought them back."""
    wanted = set(ticked_session_ids(posted)) - {row.pk for row in sessions}
    return list(queries.sessions_of_any_state(event).filter(pk__in=wanted, original_date=day).order_by("number"))


def ticked_session_ids(posted: Mapping[str, Any]) -> list[int]:
    """The keys of the sessions that a form says are to move: sent twice, they have moved already."""
    found = (SESSION_TICK_RE.fullmatch(name) for name in posted)
    return [int(tick[1]) for tick in found if tick]


urlpatterns = [
    path("postponed/", postponed_sessions_page, name="postponed"),
    path("postponed/<day:day>/", new_times, name="new_times"),
    path("proposals/<int:replay>/session/", proposed_replay, name="proposed_replay"),
]

"""After a stop: what is postponed, broken off or played anew, its new times, and who cannot come."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods

from tournament.errors import BadInput, Refused
from tournament.forms.postponing import NewTimesForm
from tournament.models import Event, Session
from tournament.permissions import allowed, for_act, require
from tournament.queries import postponing as queries
from tournament.services import postponing as services
from tournament.services import postponing_replay as replays
from tournament.services import postponing_times as times
from tournament.templatetags.look import session_name

NO_SUCH_ACT = gettext_noop("Choose one of the presses of this page.")

TICK = re.compile(r"s([0-9]{1,9})-take")

Act = Callable[[Session, str, AbstractBaseUser], Any]

# What one press does, by its word in the form.
ACTS: Mapping[str, Act] = {
    "unhold": lambda session, reason, by: services.unhold([session], reason=reason, by=by),
    "postpone": lambda session, reason, by: services.postpone([session], reason=reason, by=by),
    "bring_back": lambda session, reason, by: services.bring_back([session], reason=reason, by=by),
    "let_stand": lambda session, reason, by: replays.let_stand(session, reason=reason, by=by),
    "replay": lambda session, reason, by: replays.replay(session, reason=reason, by=by),
    "undecide": lambda session, reason, by: replays.undecide(session, reason=reason, by=by),
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_weather")
def postponed(request: HttpRequest) -> HttpResponse:
    """Each stopped day with its sessions, and what an organiser may do with each."""
    if request.method != "POST":
        return page(request)
    require(request.roles, "decide_weather")
    session = find(request.event, request.POST.get("session", ""))
    act = ACTS.get(request.POST.get("do", ""))
    try:
        if session is None or act is None:
            raise BadInput("no_such_act", NO_SUCH_ACT)
        act(session, request.POST.get("reason", ""), request.user)
    except Refused as refusal:
        return page(request, refusal)
    session.refresh_from_db()
    said = {"session": session_name(session), "state": session.get_state_display()}
    messages.success(request, _("%(session)s: %(state)s.") % said)
    return redirect("postponed", request.event.slug)


def find(event: Event, number: str) -> Session | None:
    """The session with this number."""
    if not number.isascii() or not number.isdecimal() or len(number) > 5:
        return None
    return queries.sessions_of(event).filter(number=int(number)).select_related("stage__event").first()


def page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    """The page, with what stands in the way."""
    shown = {
        "stage": "weather",
        "days": queries.stopped_days(request.event, timezone.now()),
        "may_decide": allowed(request.roles, "decide_weather"),
        "may_tell": allowed(request.roles, "publish_notice"),
        "may_see_entrants": allowed(request.roles, "see_entrants"),
        "refusal": refusal,
        "about": request.POST.get("session", ""),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "postponing/postponed.html", shown, status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("decide_weather")
def new_times(request: HttpRequest, day: date) -> HttpResponse:
    """New times for the postponed sessions of one day, all or some."""
    posted = request.POST if request.method == "POST" else None
    sessions = queries.waiting(request.event, day, ticked(request.POST))
    if not sessions:
        if not queries.sessions_of(request.event).filter(original_date=day).exists():
            raise Http404
        return redirect("postponed", request.event.slug)
    form, refusal = NewTimesForm(sessions, posted), None
    wanted = form.wanted() if posted is not None else None
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
    shown = {"stage": "weather", "day": day, "form": form, "refusal": refusal}
    status = refusal.status if refusal else 400 if form.has_faults else 200
    return render(request, "postponing/new_times.html", shown, status=status)


def ticked(posted: Mapping[str, Any]) -> list[int]:
    """The keys of the sessions that a form says are to move: sent twice, they have moved already."""
    found = (TICK.fullmatch(name) for name in posted)
    return [int(tick[1]) for tick in found if tick]


urlpatterns = [
    path("postponed/", postponed, name="postponed"),
    path("postponed/<day:day>/", new_times, name="new_times"),
]

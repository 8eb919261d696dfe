"""A session's clock at the desk: started, suspended, resumed and closed with one press each; the day at a glance."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.acts import ACTS
from tournament.core.enums import ClockKind, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.core.templatetags.display import session_name
from tournament.devices.services.acting import ActingAccount
from tournament.scoresheets.views.clock_shown import session_clock_of
from tournament.sheets.queries import clock as queries
from tournament.sheets.queries import scoresheets as sheets
from tournament.sheets.queries.session_life import session_life_of, session_lives_of
from tournament.sheets.services import clock as services
from tournament.weather.services import postponing

NO_SUCH_TABLE = gettext_noop("The session has no table of this number.")
EXTENDED_STATES = (SessionState.PLAYING, SessionState.SUSPENDED)


# --- The day --------------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_safe
def clock_list(request: EventRequest) -> HttpResponse:
    """Every session with its state and its next press; the sessions of today first."""
    events = queries.session_transitions_by_session(request.event)
    sessions = queries.sessions_by_time(request.event)
    lives = session_lives_of(sessions)
    rows = [session_clock_of(one, events.get(one.pk, []), request.roles, lives[one.pk]) for one in sessions]
    today = timezone.localdate()
    shown = {
        "stage": "scoresheets",
        "days": [
            (word, found, calm)
            for word, found, calm in (
                (_("Today"), [row for row in rows if timezone.localdate(row.session.play_at) == today], False),
                (_("Other days"), [row for row in rows if timezone.localdate(row.session.play_at) != today], True),
            )
            if found
        ],
    }
    return render(request, "weather/clock/clocks.html", shown)


# --- One session ----------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
def session_clock(request: EventRequest, session: int) -> HttpResponse:
    """All that moved a session's time, and its presses; what a close would leave behind."""
    row = sheets.find_session_of_event(request.event, session)
    if row is None:
        raise Http404
    if request.method != "POST":
        return clock_page(request, row)
    require_act(request.roles, "move_session")
    kind, reason = request.POST.get("do", ""), request.POST.get("reason", "")
    try:
        if kind == ClockKind.OVERTIME:
            return add_minutes(request, row)
        if kind == ClockKind.UNHOLD:
            postponing.unhold_sessions([row], reason=reason, by=request.user)
        else:
            key = request.POST.get("request_key", "")
            services.move_session(row, kind, by=request.user, request_key=key, reason=reason)
    except Refused as refusal:
        return clock_page(request, sheets.find_session_of_event(request.event, session), refusal)
    row.refresh_from_db(fields=["state"])
    said = {"session": session_name(row), "state": row.get_state_display()}
    messages.success(request, _("%(session)s: %(state)s.") % said)
    return redirect("session_scoresheets", request.event.slug, session)


def add_minutes(request: EventRequest, session: Session) -> HttpResponse:
    """Minutes for one table, or for each of the session's where no number is given."""
    minutes, number = (request.POST.get(name, "").strip()[:4] for name in ("minutes", "table"))
    acting = ActingAccount(request.user, request.POST.get("request_key", ""))
    given = int(minutes) if minutes.isascii() and minutes.isdigit() else 0
    about: dict[str, Any] = {"minutes": given, "reason": request.POST.get("reason", ""), "acting": acting}
    if number:
        known = session.tables.filter(number=int(number)) if number.isascii() and number.isdigit() else None
        table = known.first() if known is not None else None
        if table is None:
            raise BadInput("no_such_table", NO_SUCH_TABLE)
        services.give_overtime(table, **about)
        messages.success(request, _("Table %(table)s: %(n)s min more.") % {"table": number, "n": given})
    else:
        services.extend_session(session, **about)
        messages.success(request, _("%(session)s: %(n)s min more.") % {"session": session_name(session), "n": given})
    return redirect("session_clock", request.event.slug, session.number)


def clock_page(request: EventRequest, session: Any, refusal: Refused | None = None) -> HttpResponse:
    """The page, with what stands in the way."""
    events = queries.clock_events_of_session(session)
    shown = {
        "stage": "scoresheets",
        "session": session,
        "clock": session_clock_of(session, events, request.roles, session_life_of(session)),
        "events": list(reversed(events)),
        "behind": queries.session_backlog(session) if ACTS["close_session"].allows(session.state) else None,
        "unheard": queries.tablets_unheard_since_close(session, events),
        "refusal": refusal,
        "extends": session.state in EXTENDED_STATES and is_act_allowed(request.roles, "move_session"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "weather/clock/session_clock.html", shown, status=refusal.status if refusal else 200)


urlpatterns = [
    path("clock/", clock_list, name="clocks"),
    path("scoresheets/<int:session>/clock/", session_clock, name="session_clock"),
]

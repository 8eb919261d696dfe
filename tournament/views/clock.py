"""A session's clock at the desk: started, suspended, resumed and closed with one press each; the day at a glance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from scoring.clock import Reading
from tournament.bridge import clock as bridge
from tournament.enums import ClockKind, SessionState
from tournament.errors import Refused
from tournament.models import ClockEvent, Session, Table
from tournament.permissions import allowed, for_act, require
from tournament.queries import clock as queries
from tournament.queries import scoresheets as sheets
from tournament.queries.session_life import Life, life_of, lives_of
from tournament.services import clock as services
from tournament.services import postponing
from tournament.templatetags.look import session_name

WORDS: Mapping[ClockKind, Promise] = {
    ClockKind.START: pgettext_lazy("clock button", "Start"),
    ClockKind.SUSPEND: pgettext_lazy("clock button", "Suspend"),
    ClockKind.RESUME: pgettext_lazy("clock button", "Resume"),
    ClockKind.CLOSE: pgettext_lazy("clock button", "Close"),
    ClockKind.REOPEN: pgettext_lazy("clock button", "Open again"),
    ClockKind.TAKE_BACK: pgettext_lazy("clock button", "Take the start back"),
    ClockKind.UNHOLD: pgettext_lazy("clock button", "Go on as planned"),
}
LEADING = (ClockKind.START, ClockKind.RESUME)


@dataclass(frozen=True)
class Button:
    """One press."""

    kind: str
    word: Promise
    leading: bool


@dataclass(frozen=True)
class Clock:
    """A session's clock as a page shows it."""

    session: Session
    now: datetime
    reading: Reading
    events: Sequence[ClockEvent]
    buttons: Sequence[Button]
    asks_reason: bool
    tables: Sequence[bridge.OwnTime]
    is_over: bool

    @property
    def last(self) -> ClockEvent | None:
        """The last press, by whom and when."""
        own = [event for event in self.events if event.table_id is None]
        return own[-1] if own else None


def clock_of(session: Session, events: Sequence[ClockEvent], roles: frozenset[str], life: Life) -> Clock:
    """The clock now, and what this account may press."""
    now = timezone.now()
    own = [event for event in events if event.table_id is None]
    held = session.state == SessionState.SUSPENDED and life.last == ClockKind.HOLD
    presses = life.confirmed and not held and allowed(roles, "move_session")
    moves = services.moves_from(session.state, over=life.is_over) if presses else []
    buttons = [Button(move.kind.value, WORDS[move.kind], move.kind in LEADING) for move in moves]
    if held and allowed(roles, "move_session"):
        buttons = [Button(ClockKind.UNHOLD.value, WORDS[ClockKind.UNHOLD], True)]
    asks = any(move.kind not in (ClockKind.START, ClockKind.RESUME) for move in moves)
    tables = bridge.own_times(session, events, now)
    return Clock(session, now, bridge.read(session, own, now), events, buttons, asks, tables, life.is_over)


def time_of(table: Table) -> bridge.OwnTime | None:
    """A table's pause that lasts, or how much later it ends than its session; None for a table like all others."""
    found = bridge.own_times(table.session, queries.events_of(table.session), timezone.now())
    return next((one for one in found if one.table.pk == table.pk), None)


# --- The day --------------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_safe
def clocks(request: HttpRequest) -> HttpResponse:
    """Every session with its state and its next press; the sessions of today first."""
    events = queries.events_by_session(request.event)
    sessions = queries.sessions_of(request.event)
    lives = lives_of(sessions)
    rows = [clock_of(one, events.get(one.pk, []), request.roles, lives[one.pk]) for one in sessions]
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
    return render(request, "clock/clocks.html", shown)


# --- One session ----------------------------------------------------------------------------------------
@for_act("see_scoresheets")
@require_http_methods(["GET", "HEAD", "POST"])
def session_clock(request: HttpRequest, session: int) -> HttpResponse:
    """All that moved a session's time, and its presses; what a close would leave behind."""
    row = sheets.find_session(request.event, session)
    if row is None:
        raise Http404
    if request.method != "POST":
        return clock_page(request, row)
    require(request.roles, "move_session")
    kind, reason = request.POST.get("do", ""), request.POST.get("reason", "")
    try:
        if kind == ClockKind.UNHOLD:
            postponing.unhold([row], reason=reason, by=request.user)
        else:
            key = request.POST.get("request_key", "")
            services.move_session(row, kind, by=request.user, request_key=key, reason=reason)
    except Refused as refusal:
        return clock_page(request, sheets.find_session(request.event, session), refusal)
    row.refresh_from_db(fields=["state"])
    said = {"session": session_name(row), "state": row.get_state_display()}
    messages.success(request, _("%(session)s: %(state)s.") % said)
    return redirect("session_scoresheets", request.event.slug, session)


def clock_page(request: HttpRequest, session: Any, refusal: Refused | None = None) -> HttpResponse:
    """The page, with what stands in the way."""
    events = queries.events_of(session)
    shown = {
        "stage": "scoresheets",
        "session": session,
        "clock": clock_of(session, events, request.roles, life_of(session)),
        "events": list(reversed(events)),
        "behind": queries.behind(session) if session.state in services.IN_HAND else None,
        "unheard": queries.unheard_since_close(session, events),
        "refusal": refusal,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "clock/session_clock.html", shown, status=refusal.status if refusal else 200)


urlpatterns = [
    path("clock/", clocks, name="clocks"),
    path("scoresheets/<int:session>/clock/", session_clock, name="session_clock"),
]

"""An event whose days were stopped by the weather, for whoever looks at every page: what waits, what was decided."""

from collections.abc import Iterator
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from tests.conftest import event_data
from tests.day.weather_pages import Page
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.core.enums import StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.setup.services import setup
from tournament.sheets.services import clock
from tournament.weather.services import postponing, postponing_replay
from tournament.weather.services.postponing_times import set_times, times_on_day

POSTPONED = "postponed-2026"


def of_the_postponed() -> Iterator[Page]:
    """The page with a session in every state that it knows, the form of new times, and where others read of it."""
    event = stopped_event()
    address = reverse("postponed", args=[event.slug])
    yield from ((who, "postponed", address) for who in ("organiser", "referee"))
    yield "organiser", "new_times", reverse("new_times", args=[event.slug, date(2026, 3, 28)])
    yield "organiser", "standings", reverse("standings", args=[event.slug, StageKind.PRELIMINARY])
    for name in ("clocks", "overview", "set_up", "change_sessions", "seating", "releases"):
        yield "organiser", name, reverse(name, args=[event.slug])
    for name in ("session_clock", "session_seating", "session_scoresheets"):
        yield "organiser", name, reverse(name, args=[event.slug, 5])


def stopped_event() -> Event:
    """Of its first day two sessions wait for times and two were moved; of its second one was broken off, one is played
    anew, one is held back."""
    event = setup.create_event(event_data() | {"slug": POSTPONED})
    for one in DEMO_ACCOUNTS:
        accounts.create_account(event, one.username, one.password, one.name, [one.role])
    by = User.objects.get(username="organiser")
    found = list(Session.objects.filter(stage__event=event).select_related("stage__event").order_by("number"))
    day = timezone.localdate() + timedelta(days=30)
    Event.objects.filter(pk=event.pk).update(results_at=timezone.now() + timedelta(days=60))
    for place, session in enumerate(found[:7]):
        settle(session, by, [4, 3], first=100 * place + 101)
    postponing.postpone_sessions(found[:4], reason="黑色暴雨", by=by)
    set_times(event, [times_on_day(session, day) for session in found[:2]], reason="場地有空", by=by)
    for session in found[4:6]:
        for kind in ("start", "suspend"):
            clock.move_session(session, kind, by=by, request_key=f"{kind} {session.pk}", reason="八號風球")
    postponing_replay.replay_session(found[5], reason="多數枱未完成", by=by)
    postponing.hold_sessions([found[6]], reason="八號風球", by=by)
    return event

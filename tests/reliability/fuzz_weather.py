"""A request that works for each operation about the weather: its sessions, notices and mailings."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from tests.reliability.fuzz_finalists import places
from tests.reliability.fuzz_world import FuzzWorld, Request, account, change, key
from tournament.core.enums import NoticeKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Person
from tournament.mail.domain.recipients import MailingPlan, notice_plan, places_plan, results_plan, seats_plan
from tournament.mail.services import notices
from tournament.mail.services.notices import NoticeWording
from tournament.messages.models import Delivery, Notice
from tournament.messages.queries.mailings import newest_mailing_about
from tournament.messages.services import mailings
from tournament.releases.models import Release
from tournament.setup.services.plan import PLANNED_TIME_FIELDS
from tournament.sheets.services import clock
from tournament.weather.domain.weather import live_day
from tournament.weather.services import postponing, postponing_replay, weather
from tournament.weather.services.decisions import seen_digest

AHEAD = timedelta(days=30)


def ahead(world: FuzzWorld) -> Session:
    """The third session, to be played in a month: nobody has a seat in it yet."""
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=3)
    if session.check_in_at < timezone.now():
        later = timedelta(days=(timezone.now() - session.check_in_at).days) + AHEAD
        hours = {name: getattr(session, name) + later for name in PLANNED_TIME_FIELDS}
        Session.objects.filter(pk=session.pk).update(**hours)
        Event.objects.filter(pk=world.playing.pk).update(results_at=hours["ends_at"] + 12 * AHEAD)
        session.refresh_from_db()
    return session


# --- The sky --------------------------------------------------------------------------------------------
def day_of(session: Session) -> date:
    return timezone.localdate(session.check_in_at)


def sky(world: FuzzWorld) -> Request:
    """Of the day that is ahead."""
    return Request({"event": world.playing.slug, "day": day_of(ahead(world)).isoformat()})


def entering(world: FuzzWorld) -> Request:
    """Black rain of two days ago."""
    now = timezone.now()
    issued, ended = (now - timedelta(days=2, hours=hours) for hours in (5, 3))
    body = {"code": "WRAINB", "issued_at": issued.isoformat(), "ended_at": ended.isoformat(), "note": "radio"}
    weather.enter_weather_signal(
        world.playing, code="TC8NE", issued_at=issued, by=account("organiser"), request_key=key()
    )
    return change({"event": world.playing.slug}, body)


def looking(world: FuzzWorld) -> Request:
    """A quarter of an hour ago."""
    at = timezone.now() - timedelta(minutes=15)
    return change({"event": world.playing.slug}, {"at": at.isoformat(), "seen": world.playing.weather_signals.count()})


def deciding(world: FuzzWorld) -> Request:
    """A day called off long before it."""
    path = sky(world).path
    live = live_day(world.playing, date.fromisoformat(path["day"]), timezone.now())
    assert live is not None
    return change(path, {"outcome": "cancel", "reason": "the hall is flooded", "seen": seen_digest(live)})


# --- Stopped sessions -----------------------------------------------------------------------------------
WHY = {"reason": "TC8NE"}


def at_session(world: FuzzWorld, session: Session, body: Any = None) -> Request:
    return change({"event": world.playing.slug, "session": session.number}, body)


def holding(world: FuzzWorld, *, held: bool = False) -> Request:
    """The session that is ahead, held back or not."""
    session = ahead(world)
    if held:
        postponing.hold_sessions([session], **WHY, by=account("organiser"))
    return at_session(world, session, WHY)


def put_off(world: FuzzWorld) -> Request:
    session = ahead(world)
    postponing.postpone_sessions([session], **WHY, by=account("organiser"))
    return at_session(world, session)


def broken_off(world: FuzzWorld, *, stands: bool = False) -> Request:
    """The first session, while it was played."""
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=1)
    for kind in ("start", "suspend"):
        clock.move_session(session, kind, by=account("organiser"), request_key=key())
    if stands:
        postponing_replay.keep_session_results(session, **WHY, by=account("organiser"))
    return at_session(world, session, WHY)


def setting_times(world: FuzzWorld) -> Request:
    put_off(world)
    session = ahead(world)
    times = {name: (getattr(session, name) + timedelta(days=1)).isoformat() for name in PLANNED_TIME_FIELDS}
    return change({"event": world.playing.slug}, WHY | {"sessions": [{"session": session.number, **times}]})


# --- Notices --------------------------------------------------------------------------------------------
WORDS = {"kind": "general", "title_zh": "通告", "title_en": "Notice", "body_zh": "請準時。", "body_en": "Be on time."}


def texts(world: FuzzWorld) -> Request:
    """Of a general notice of the first day of play."""
    return Request({"event": world.playing.slug})


def noticed(world: FuzzWorld) -> Notice:
    words = NoticeWording(NoticeKind.GENERAL, **{name: text for name, text in WORDS.items() if name != "kind"})
    return notices.draft_notice(world.playing, words, by=account("organiser"))


def of_a_notice(world: FuzzWorld, body: Any = None) -> Request:
    """A change of a draft."""
    found = noticed(world)
    return change({"event": world.playing.slug, "notice": found.pk}, body, found.revision)


def lowering(world: FuzzWorld) -> Request:
    request = of_a_notice(world)
    found = Notice.objects.get(pk=request.path["notice"])
    notices.publish_notice(found, revision=1, confirmed=None, mail=False, by=account("organiser"))
    return change(request.path)


# --- Mailings -------------------------------------------------------------------------------------------
def addressed(event: Event, plan: MailingPlan) -> Request:
    """Everybody has an address; the plan is begun with its count."""
    Person.objects.filter(entrant__event=event, email="").update(email="family@example.org")
    last = newest_mailing_about(event, plan.kind, plan.subject)
    body = {"confirmed": len(plan.gather().found), "seen": last.pk if last else 0, "all": True}
    return change({"event": event.slug, "session": 1, "number": 1}, body)


def of_seats(world: FuzzWorld) -> Request:
    """The first session's, which are confirmed; it is played in a month."""
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=1)
    return addressed(world.playing, seats_plan(session))


def of_words(world: FuzzWorld) -> Request:
    """A published notice that counts."""
    found = Notice.objects.get(pk=lowering(world).path["notice"])
    begun = addressed(world.playing, notice_plan(found))
    return change(begun.path | {"number": found.number}, begun.body)


def of_results(world: FuzzWorld) -> Request:
    release = Release.objects.select_related("stage__event").get(stage__event=world.released, number=1)
    return addressed(world.released, results_plan(release))


def of_places(world: FuzzWorld) -> Request:
    """Those who hold a place and have a link."""
    return addressed(world.released, places_plan(places(world)))


def mailed(world: FuzzWorld, body: Any = None) -> Request:
    """A mailing that is being sent."""
    begun = of_seats(world).body
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=1)
    plan = seats_plan(session)
    about = {"confirmed": begun["confirmed"], "seen": begun["seen"], "by": account("organiser")}
    made = mailings.start_mailing(world.playing, plan.kind, plan.subject, plan.gather().found, **about)
    return change({"event": world.playing.slug, "mailing": made.pk}, body)


def reported(world: FuzzWorld) -> Request:
    """A mail that came back."""
    mailed(world)
    one = Delivery.objects.filter(mailing__event=world.playing).order_by("pk")[0]
    return change({}, {"bounces": [{"mail": one.message_id, "kind": "hard", "status": "5.1.1"}]})


WEATHER_REQUESTS: dict[str, Callable[[FuzzWorld], Request]] = {
    "list_weather_days": sky,
    "get_weather_day": sky,
    "enter_signal": entering,
    "look_at_sky": looking,
    "decide_weather": deciding,
    "list_stopped_sessions": lambda world: Request(put_off(world).path),
    "hold_session": holding,
    "unhold_session": lambda world: holding(world, held=True),
    "postpone_session": holding,
    "bring_back_session": put_off,
    "set_session_times": setting_times,
    "let_session_stand": broken_off,
    "replay_session": broken_off,
    "undecide_session": lambda world: broken_off(world, stands=True),
    "list_notices": texts,
    "propose_notice": texts,
    "draft_notice": lambda world: change({"event": world.playing.slug}, WORDS),
    "get_notice": lambda world: Request(of_a_notice(world).path),
    "change_notice": lambda world: of_a_notice(world, WORDS | {"tone": "wait", "sessions": [1]}),
    "discard_notice": of_a_notice,
    "count_notice_recipients": lambda world: Request(of_a_notice(world).path),
    "publish_notice": lambda world: of_a_notice(world, {"mail": False}),
    "take_down_banner": lowering,
    "list_mailings": lambda world: Request(mailed(world).path),
    "get_mailing": lambda world: Request(mailed(world).path),
    "pause_mailing": mailed,
    "resume_mailing": mailed,
    "stop_mailing": mailed,
    "report_bounces": reported,
    "retry_mailing": lambda world: mailed(world, {"numbers": [1]}),
    "plan_seats_mail": lambda world: Request(of_seats(world).path),
    "plan_results_mail": lambda world: Request(of_results(world).path),
    "plan_places_mail": lambda world: Request(of_places(world).path),
    "plan_notice_mail": lambda world: Request(of_words(world).path),
    "mail_notice": of_words,
    "mail_seats": of_seats,
    "mail_results": of_results,
    "mail_places": of_places,
}

"""A day's weather decision: what is in force, what the rule says, by when, who decided what on which evidence."""

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path, register_converter, reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.signals import superseded_lines
from tournament.core import canonical
from tournament.core.enums import NoticeKind
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act, is_act_allowed
from tournament.events.exports import CYCLONE_FAMILY_KEY
from tournament.messages.views.notices_told import published_notice_lines
from tournament.setup.services.plan import hall_time
from tournament.weather.domain import weather as bridge
from tournament.weather.domain.weather import LiveDay
from tournament.weather.forms.weather import WeatherDecisionForm
from tournament.weather.queries import weather as queries
from tournament.weather.services import decisions as services
from tournament.weather.services import postponing
from tournament.weather.templatetags.weather import outcome_word, session_on
from tournament.weather.views.feed import feed_of
from tournament.weather.views.timeline import timeline_of

# What is told of a day by its decision.
NOTICE_KIND_OF_PARAM = {"": NoticeKind.PENDING, "go": NoticeKind.GOING_AHEAD, "cancel": NoticeKind.STOPPED}


class DayConverter:
    """A day of the calendar in an address: 2026-03-28."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """ValueError: no such day, no such page."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(DayConverter, "day")


# --- The page -------------------------------------------------------------------------------------------
@require_safe
@for_act("see_weather")
def weather_page(request: EventRequest) -> HttpResponse:
    """Today's day of play, else the next, else the last; of an event without sessions an empty page."""
    day = bridge.day_to_show(bridge.days_of_play_or_decision(request.event), timezone.localdate())
    if day is None:
        return render(request, "weather/no_day.html", {"stage": "weather"})
    return day_page(request, live_or_404(request, day))


@require_safe
@for_act("see_weather")
def weather_day(request: EventRequest, day: date) -> HttpResponse:
    """One day; with `X-Live: 1` what changes of it, and 304 while that is the same within its minute."""
    live = live_or_404(request, day)
    if request.headers.get("X-Live") != "1":
        return day_page(request, live)
    facts = [
        bridge.decision_evidence(live),
        bridge.evidence_circumstances(live) | {"now": f"{live.now:%Y%m%d%H%M}"},
        len(live.journal),
    ]
    published = published_notice_lines(request.event, queries.notices_of_day(request.event, day))
    told = [str(one.mark) for one in published]
    mark = f'"{canonical.digest_of([*facts, told, get_language(), sorted(request.roles)])[:32]}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = render(request, "weather/_live.html", weather_day_context(request, live))
    answer["ETag"] = mark
    return answer


def live_or_404(request: EventRequest, day: date) -> LiveDay:
    """A day of this event, as it stands now."""
    live = bridge.live_day(request.event, day, timezone.now())
    if live is None:
        raise Http404
    return live


def day_page(
    request: EventRequest, live: LiveDay, refusal: Refused | None = None, form: WeatherDecisionForm | None = None
) -> HttpResponse:
    """The whole page; after a refusal with what was typed."""
    status = refusal.status if refusal else 400 if form is not None and form.errors else 200
    return render(request, "weather/weather.html", weather_day_context(request, live, refusal, form), status=status)


def weather_day_context(
    request: EventRequest, live: LiveDay, refusal: Refused | None = None, form: WeatherDecisionForm | None = None
) -> dict[str, Any]:
    """What page and fragment show."""
    return {
        "stage": "weather",
        "live": live,
        "days": bridge.days_of_play_or_decision(request.event),
        "feed": feed_of(live),
        "proposed": bridge.proposed_outcome(live),
        "timeline": timeline_of(live),
        "journal": journal_rows(live),
        "seen": services.seen_digest(live),
        "entrants": queries.count_entrants_in(live.sessions),
        **weather_notices_context(request, live),
        "last_line": len(live.journal),
        "stops_now": any(one.family == CYCLONE_FAMILY_KEY for one in live.stops),
        "form": form,
        "looked_at": request.POST.get("at", ""),
        "refusal": refusal,
        "may_decide": is_act_allowed(request.roles, "decide_weather"),
        "may_enter": is_act_allowed(request.roles, "enter_weather"),
        "may_move": is_act_allowed(request.roles, "move_session"),
        "may_tell": is_act_allowed(request.roles, "publish_notice"),
    }


def journal_rows(live: LiveDay) -> list[dict[str, Any]]:
    """The journal's lines, newest first, with what later lines say of them; those of other days are left out."""
    gone = superseded_lines(bridge.journal_observations(live.journal))
    said: dict[int, Any] = {one.about_id: one for one in live.journal if one.about_id and one.number not in gone}
    touching = {number for one in live.because for number in lines_of_stretch(live, one.place)}
    return [
        {"line": one, "said": said.get(one.pk)}
        for one in reversed(live.journal)
        if one.number in touching or live.day in days_of_journal_line(one)
    ]


def lines_of_stretch(live: LiveDay, place: int) -> set[int | None]:
    """The lines that begin and end a signal."""
    return {live.stretches[place].begun_by, live.stretches[place].ended_by}


def days_of_journal_line(line: Any) -> set[date]:
    """The days that a line of the journal speaks of, and on which it was written."""
    moments = (line.seen_at, line.issued_at, line.updated_at, line.ended_at)
    return {timezone.localdate(moment) for moment in moments if moment}


# --- What is told ---------------------------------------------------------------------------------------
def weather_notices_context(request: EventRequest, live: LiveDay) -> dict[str, Any]:
    """The notice that the page's one button leads to, the one to have ready, and what was published of the day."""
    told = queries.notices_of_day(request.event, live.day)
    kind, prepared = next_notice_kind(live), prepared_of(live)
    return {
        "published": published_notice_lines(request.event, told),
        "notice": kind,
        "notice_words": notice_button_word(live, kind),
        "notice_address": draft_address(request, live, kind),
        "already_told": bool(told) and told[0].kind == kind,
        "prepared": prepared,
        "prepared_address": draft_address(request, live, prepared) if prepared else "",
        "waits_for_decision": live.phase == "deciding" and (not live.decision or bridge.is_decision_contradicted(live)),
        "contradicted": bridge.is_decision_contradicted(live),
    }


def next_notice_kind(live: LiveDay) -> NoticeKind:
    """What is told next: never that play goes ahead while all that is left is put off, or before it is decided anew."""
    if bridge.is_decision_contradicted(live):
        return NoticeKind.PENDING
    if live.phase != "playing" or live.called_off:
        return NOTICE_KIND_OF_PARAM[live.decision.outcome if live.decision else ""]
    if live.held_back or live.stopped:
        return NoticeKind.SUSPENDED
    if live.postponed and not live.not_begun:
        return NoticeKind.STOPPED
    if live.stops:
        return NoticeKind.SUSPENDED
    return NOTICE_KIND_OF_PARAM[live.decision.outcome if live.decision else ""]


def notice_button_word(live: LiveDay, kind: NoticeKind) -> str:
    """The notice's kind as the button says it."""
    rest = kind == NoticeKind.STOPPED and not live.called_off
    return _("the rest of the day called off") if rest else str(kind.label)


def prepared_of(live: LiveDay) -> NoticeKind | None:
    """While the day is pending the one that follows if nothing changes, to be drafted beforehand."""
    if live.decision or live.phase not in ("before", "deciding") or live.proposal is None:
        return None
    return NOTICE_KIND_OF_PARAM[live.proposal.outcome] if live.proposal.outcome else None


def draft_address(request: EventRequest, live: LiveDay, kind: NoticeKind) -> str:
    """The page that drafts a notice of this kind about the day."""
    query = urlencode({"kind": kind.value, "day": live.day})
    return f"{reverse('new_notice', args=[request.event.slug])}?{query}"


# --- Acts -----------------------------------------------------------------------------------------------
@require_POST
@for_act("decide_weather")
@keyed_by_service
def decide_weather(request: EventRequest, day: date) -> HttpResponse:
    """Confirm what is proposed, or override it with a reason."""
    live = live_or_404(request, day)
    form = WeatherDecisionForm(request.POST)
    if not form.is_valid():
        return day_page(request, live, form=form)
    given = {name: form.cleaned_data[name] for name in ("outcome", "reason", "seen")}
    if form.cleaned_data["decided"]:
        given["decided_at"] = hall_time(day, form.cleaned_data["decided"])
    key = request.POST.get("request_key", "")
    try:
        row = services.decide_weather_day(request.event, day, by=request.user, request_key=key, **given)
    except Refused as refusal:
        return day_page(request, live_or_404(request, day), refusal, form)
    said = {"outcome": outcome_word(row.outcome)}
    messages.success(request, _("Decided: %(outcome)s. Nobody has been told yet: publish the notice.") % said)
    return redirect("weather_day", request.event.slug, day)


@require_POST
@for_act("move_session")
def hold_sessions_view(request: EventRequest, day: date) -> HttpResponse:
    """Hold back the sessions that were shown and have not begun since, or let go on those that were held back."""
    live = live_or_404(request, day)
    shown = {int(number) for number in request.POST.getlist("session") if number.isdecimal()}
    try:
        if request.POST.get("do") == "unhold":
            moved = postponing.unhold_sessions(live.held_back, by=request.user)
            said = _("As planned again: %(sessions)s.")
        else:
            chosen = [one for one in live.not_begun if one.number in shown]
            moved = postponing.hold_sessions(chosen, reason=signals_in_force_text(live), by=request.user)
            said = _("Held back: %(sessions)s.")
    except Refused as refusal:
        return day_page(request, live_or_404(request, day), refusal)
    names = "·".join(session_on(one, day) for one in moved)
    messages.success(request, said % {"sessions": names} if moved else _("Nothing was left to do."))
    return redirect("weather_day", request.event.slug, day)


def signals_in_force_text(live: LiveDay) -> str:
    """What the clock keeps of it: the signals in force."""
    codes = " ".join(f"{one.signal.code} {timezone.localtime(one.signal.issued):%H:%M}" for one in live.stops)
    return codes or _("Weather")


urlpatterns = [
    path("weather/", weather_page, name="weather"),
    path("weather/<day:day>/", weather_day, name="weather_day"),
    path("weather/<day:day>/decide/", decide_weather, name="decide_weather"),
    path("weather/<day:day>/hold/", hold_sessions_view, name="hold_sessions"),
]

"""What a person enters about the sky: a signal with its official times, a line corrected or withdrawn, a look."""

from datetime import date, datetime

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from tournament.core.enums import FeedState
from tournament.core.errors import BadInput, Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.permissions import EventRequest, for_act
from tournament.events.exports import words_of_signal
from tournament.setup.services.plan import hall_time as moment_of
from tournament.weather.forms.weather import SignalForm, WithdrawSignalForm
from tournament.weather.models import WeatherSignal
from tournament.weather.queries import weather as queries
from tournament.weather.services import weather as services
from tournament.weather.views.feed import feed_trouble_text
from tournament.weather.views.weather import day_page, live_or_404

OBSERVATION_HOUR_INVALID = gettext_noop(
    "Write the hour at which you looked as 09:58, or leave it empty for now. Nothing was entered."
)


# --- A signal -------------------------------------------------------------------------------------------
@require_http_methods(["GET", "HEAD", "POST"])
@for_act("enter_weather")
@keyed_by_service
def enter_signal_page(request: EventRequest, day: date) -> HttpResponse:
    """The form for one signal as a whole; with `about` it corrects that line, or withdraws it."""
    live_or_404(request, day)
    about = corrected_line_or_404(request)
    form = SignalForm(day, about)
    withdraw = WithdrawSignalForm(prefix="withdraw")
    if request.method != "POST":
        return signal_page(request, day, about, form, withdraw)
    if request.POST.get("do") == "withdraw" and about is not None:
        withdraw = WithdrawSignalForm(request.POST, prefix="withdraw")
        given = {"withdraws": True, "note": withdraw.cleaned_data["note"]} if withdraw.is_valid() else None
    else:
        form = SignalForm(day, about, request.POST)
        names = ("code", "issued_at", "ended_at", "note")
        given = {name: form.cleaned_data[name] for name in names} if form.is_valid() else None
    if given is None:
        return signal_page(request, day, about, form, withdraw, status=400)
    key = request.POST.get("request_key", "")
    try:
        row = services.enter_weather_signal(
            request.event, about=about.number if about else None, by=request.user, request_key=key, **given
        )
    except Refused as refusal:
        return signal_page(request, day, about, form, withdraw, refusal, refusal.status)
    said = {"number": row.number, "signal": words_of_signal(row.code).name}
    messages.success(request, _("Line %(number)s is in the journal: %(signal)s.") % said)
    return redirect("weather_day", request.event.slug, day)


def corrected_line_or_404(request: EventRequest) -> WeatherSignal | None:
    """The line that is corrected; none for a new signal."""
    number = request.POST.get("about", request.GET.get("about", ""))
    if not number:
        return None
    found = queries.find_signal(request.event, int(number)) if number.isdecimal() and len(number) < 10 else None
    if found is None:
        raise Http404
    return found


def signal_page(
    request: HttpRequest,
    day: date,
    about: WeatherSignal | None,
    form: SignalForm,
    withdraw: WithdrawSignalForm,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page with what was typed."""
    shown = {"stage": "weather", "day": day, "about": about, "form": form, "withdraw": withdraw, "refusal": refusal}
    return render(request, "weather/signal.html", shown, status=status)


# --- A look ---------------------------------------------------------------------------------------------
@require_POST
@for_act("enter_weather")
@keyed_by_service
def record_observation_view(request: EventRequest, day: date) -> HttpResponse:
    """A person looked and the journal is right; or the feed is read now, at a person's press."""
    live_or_404(request, day)
    if request.POST.get("do") == "feed" and settings.OBSERVATORY_URL:
        read = services.poll_weather_feed(request.event)
        if read.state == FeedState.OK:
            messages.success(request, _("The Observatory was read: the journal has what it lists."))
        else:
            messages.warning(
                request, _("The Observatory could not be read: %(why)s") % {"why": feed_trouble_text(read)}
            )
        return redirect("weather_day", request.event.slug, day)
    try:
        services.record_manual_observation(
            request.event,
            at=parse_observation_hour(request.POST.get("at", "")),
            seen=parse_seen_line(request.POST.get("seen", "")),
            by=request.user,
            request_key=request.POST.get("request_key", ""),
        )
    except Refused as refusal:
        return day_page(request, live_or_404(request, day), refusal)
    messages.success(request, _("Kept: you looked, and the journal is right as it stands."))
    return redirect("weather_day", request.event.slug, day)


def parse_observation_hour(typed: str) -> datetime:
    """An hour of today by the hall's clock; now where nothing was typed."""
    if not typed.strip():
        return timezone.now()
    try:
        hour = datetime.strptime(typed.strip(), "%H:%M").time()
    except ValueError as wrong:
        raise BadInput("look_time", OBSERVATION_HOUR_INVALID) from wrong
    return moment_of(timezone.localdate(), hour)


def parse_seen_line(typed: str) -> int:
    """The last line that the page showed; what is no number was never shown."""
    return int(typed) if typed.isdecimal() and len(typed) < 10 else -1


urlpatterns = [
    path("weather/<day:day>/signals/", enter_signal_page, name="enter_signal"),
    path("weather/<day:day>/look/", record_observation_view, name="look_at_sky"),
]

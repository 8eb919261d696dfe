"""A day's weather decision: what is in force, what the rule says, by when, who decided what on which evidence."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournament.permissions import for_act


@require_safe
@for_act("see_weather")
def weather(request: HttpRequest) -> HttpResponse:
    """Today's day of play, else the next, else the last."""
    return render(request, "weather/weather.html", {"stage": "weather"})


urlpatterns = [
    path("weather/", weather, name="weather"),
]

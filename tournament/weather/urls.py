"""Addresses of weather under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.weather.views.clock")),
    path("", include("tournament.weather.views.weather")),
    path("", include("tournament.weather.views.signals")),
    path("", include("tournament.weather.views.postponing")),
]

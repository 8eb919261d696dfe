"""Addresses of stages under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.stages.views.qualification")),
    path("", include("tournament.stages.views.podium")),
    path("", include("tournament.stages.views.podium_award")),
]

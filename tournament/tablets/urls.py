"""Addresses of tablets under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.tablets.views.devices")),
    path("", include("tournament.tablets.views.held")),
    path("", include("tournament.tablets.views.conduct")),
]

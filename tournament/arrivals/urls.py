"""Addresses of arrivals under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.arrivals.views.arrivals")),
    path("", include("tournament.arrivals.views.door_list")),
]

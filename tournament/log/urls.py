"""Addresses of log under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.log.views")),
]

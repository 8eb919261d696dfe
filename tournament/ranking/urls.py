"""Addresses of ranking under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.ranking.views.final")),
]

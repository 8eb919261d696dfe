"""Addresses of setup under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.setup.views.setup")),
    path("", include("tournament.setup.views.rules")),
    path("", include("tournament.setup.views.later_stage")),
]

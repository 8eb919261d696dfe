"""Addresses of scoresheets under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.scoresheets.views.scoresheets")),
    path("", include("tournament.scoresheets.views.board")),
    path("", include("tournament.scoresheets.views.scans")),
    path("", include("tournament.scoresheets.views.drawings")),
    path("", include("tournament.scoresheets.views.double_entry")),
    path("", include("tournament.scoresheets.views.signing")),
    path("", include("tournament.scoresheets.views.signing_disputes")),
    path("", include("tournament.scoresheets.views.corrections")),
]

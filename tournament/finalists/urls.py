"""Addresses of finalists under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.finalists.views.release_places")),
    path("", include("tournament.finalists.views.finalists")),
    path("", include("tournament.finalists.views.invitation_files")),
    path("", include("tournament.finalists.views.decisions")),
]

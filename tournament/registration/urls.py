"""Addresses of registration under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.registration.views.people")),
    path("", include("tournament.registration.views.importing")),
    path("", include("tournament.registration.views.registration")),
    path("", include("tournament.registration.views.changes")),
    path("", include("tournament.registration.views.seating_leaving")),
]

"""Addresses of seating under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.seating.views.seating")),
    path("", include("tournament.seating.views.scoresheet_pdfs")),
]

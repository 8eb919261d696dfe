"""Addresses of publication under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.publication.views.release")),
    path("", include("tournament.publication.views.certificates")),
]

"""Addresses of the hall under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.hall.views.desk")),
]

"""Addresses of accounts under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.accounts.views")),
]

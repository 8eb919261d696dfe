"""Addresses of messages under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.messages.views.mailings_about")),
]

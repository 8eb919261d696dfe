"""Addresses of mail under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.mail.views.mailings")),
    path("", include("tournament.mail.views.mailings_new")),
    path("", include("tournament.mail.views.mailings_telephone")),
    path("", include("tournament.mail.views.notices")),
]

"""Addresses of operations under /desk/<event>/."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournament.operations.views.overview_final")),
    path("", include("tournament.operations.views.accounts")),
    path("", include("tournament.operations.views.overview")),
    path("", include("tournament.operations.views.roles")),
    path("", include("tournament.operations.views.backup")),
    path("", include("tournament.operations.views.privacy")),
    path("", include("tournament.operations.views.old_addresses")),
]

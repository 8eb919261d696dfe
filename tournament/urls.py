"""Every address of the desk. Public addresses are files and never come here."""

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
]

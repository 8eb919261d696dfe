"""Every address of the desk. Public addresses are files and never come here."""

from django.urls import include, path

from tournament.views import accounts, setup

urlpatterns = [
    path("", include("tournament.views.access")),
    path("", include(setup.new_event_patterns)),
    path("", include(accounts.own_patterns)),
    path("desk/<slug:event>/", include("tournament.views.setup")),
    path("desk/<slug:event>/", include("tournament.views.setup_rules")),
    path("desk/<slug:event>/", include("tournament.views.setup_final")),
    path("desk/<slug:event>/", include("tournament.views.overview_final")),
    path("desk/<slug:event>/", include("tournament.views.accounts")),
    path("desk/<slug:event>/", include("tournament.views.overview")),
    path("desk/<slug:event>/", include("tournament.views.seating")),
    path("desk/<slug:event>/", include("tournament.views.devices")),
    path("desk/<slug:event>/", include("tournament.views.devices_held")),
    path("desk/<slug:event>/", include("tournament.views.scoresheet_pdfs")),
    path("desk/<slug:event>/", include("tournament.views.scoresheets")),
    path("desk/<slug:event>/", include("tournament.views.scoresheets_board")),
    path("desk/<slug:event>/", include("tournament.views.scoresheets_scans")),
    path("desk/<slug:event>/", include("tournament.views.drawings")),
    path("desk/<slug:event>/", include("tournament.views.clock")),
    path("desk/<slug:event>/", include("tournament.views.conduct")),
    path("desk/<slug:event>/", include("tournament.views.scoresheets_second")),
    path("desk/<slug:event>/", include("tournament.views.signing")),
    path("desk/<slug:event>/", include("tournament.views.signing_disputes")),
    path("desk/<slug:event>/", include("tournament.views.standings")),
    path("desk/<slug:event>/", include("tournament.views.standings_final")),
    path("desk/<slug:event>/", include("tournament.views.qualification")),
    path("desk/<slug:event>/", include("tournament.views.podium")),
    path("desk/<slug:event>/", include("tournament.views.podium_award")),
    path("desk/<slug:event>/", include("tournament.views.corrections")),
    path("desk/<slug:event>/", include("tournament.views.release")),
    path("desk/<slug:event>/", include("tournament.views.release_certificates")),
    path("desk/<slug:event>/", include("tournament.views.release_places")),
    path("desk/<slug:event>/", include("tournament.views.finalists")),
    path("desk/<slug:event>/", include("tournament.views.invitation_files")),
    path("desk/<slug:event>/", include("tournament.views.audit")),
    path("desk/<slug:event>/", include("tournament.views.backup")),
    path("desk/<slug:event>/", include("tournament.views.weather")),
    path("desk/<slug:event>/", include("tournament.views.weather_signals")),
    path("desk/<slug:event>/", include("tournament.views.postponing")),
    path("desk/<slug:event>/", include("tournament.views.importing")),
    path("desk/<slug:event>/", include("tournament.views.registration")),
    path("desk/<slug:event>/", include("tournament.views.registration_changes")),
    path("desk/<slug:event>/", include("tournament.views.seating_leaving")),
    path("desk/<slug:event>/", include("tournament.views.mailings")),
    path("desk/<slug:event>/", include("tournament.views.mailings_new")),
    path("desk/<slug:event>/", include("tournament.views.notices")),
    path("place/", include("tournament.views.invitations")),
    path("api/", include("tournament.views.api_reference")),
    path("api/v1/", include("tournament.api.urls")),
    path("tablet/", include("tournament.views.tablet_ice")),
    path("tablet/", include("tournament.views.tablet")),
    path("i18n/", include("django.conf.urls.i18n")),
]

handler403 = "tournament.views.failures.forbidden"
handler404 = "tournament.views.failures.not_found"
handler500 = "tournament.views.failures.broken"

"""Every address of the desk. Public addresses are files and never come here."""

from django.urls import include, path

from tournament.operations.views import accounts
from tournament.setup.views import later_stage, setup

urlpatterns = [
    path("", include("tournament.operations.views.access")),
    path("", include(setup.new_event_patterns)),
    path("", include(accounts.own_patterns)),
    path("desk/<slug:event>/", include("tournament.setup.urls")),
    path("desk/<slug:event>/", include("tournament.operations.urls")),
    path("desk/<slug:event>/", include("tournament.seating.urls")),
    path("desk/<slug:event>/", include("tournament.tablets.urls")),
    path("desk/<slug:event>/", include("tournament.scoresheets.urls")),
    path("desk/<slug:event>/", include("tournament.weather.urls")),
    path("desk/<slug:event>/", include("tournament.hall.urls")),
    path("desk/<slug:event>/", include("tournament.publication.urls")),
    path("desk/<slug:event>/", include("tournament.log.urls")),
    path("desk/<slug:event>/", include("tournament.accounts.urls")),
    path("desk/<slug:event>/", include("tournament.registration.urls")),
    path("desk/<slug:event>/", include("tournament.arrivals.urls")),
    path("desk/<slug:event>/", include("tournament.mail.urls")),
    path("desk/<slug:event>/", include("tournament.messages.urls")),
    # Of each stage: <stage>/ranking/ and the like, after all that is of the whole event.
    path("desk/<slug:event>/", include(later_stage.stage_patterns)),
    path("desk/<slug:event>/", include("tournament.ranking.urls")),
    path("desk/<slug:event>/", include("tournament.stages.urls")),
    path("desk/<slug:event>/", include("tournament.finalists.urls")),
    path("place/", include("tournament.finalists.views.invitations")),
    path("api/", include("tournament.operations.views.api_reference")),
    path("api/v1/", include("tournament.api_urls")),
    path("hall/", include("tournament.hall.views.hall")),
    path("tablet/", include("tournament.tablets.views.ice")),
    path("tablet/", include("tournament.tablets.views.tablet")),
    path("timer/", include("tournament.timer.views")),
    path("i18n/", include("django.conf.urls.i18n")),
]

handler403 = "tournament.operations.views.failures.forbidden_page"
handler404 = "tournament.operations.views.failures.not_found_page"
handler500 = "tournament.operations.views.failures.server_error_page"

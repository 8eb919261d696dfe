"""Every address under /api/v1/. What none of them is, is a 404 in the API's own shape."""

from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from tournament.api.errors import unknown_address

EVENT = "events/<slug:event>/"
urlpatterns = [
    path("", include("tournament.api.events")),
    path(EVENT, include("tournament.api.setup_final")),
    path(EVENT, include("tournament.api.registration")),
    path(EVENT, include("tournament.api.registration_changes")),
    path(EVENT, include("tournament.api.seating")),
    path(EVENT, include("tournament.api.seating_room")),
    path(EVENT, include("tournament.api.seating_print")),
    path(EVENT, include("tournament.api.seating_leaving")),
    path(EVENT, include("tournament.api.scoresheets")),
    path(EVENT, include("tournament.api.scoresheets_second")),
    path(EVENT, include("tournament.api.signing")),
    path(EVENT, include("tournament.api.signing_disputes")),
    path(EVENT, include("tournament.api.standings")),
    path(EVENT, include("tournament.api.standings_final")),
    path(EVENT, include("tournament.api.qualification")),
    path(EVENT, include("tournament.api.decisions")),
    path(EVENT, include("tournament.api.podium")),
    path(EVENT, include("tournament.api.corrections")),
    path(EVENT, include("tournament.api.release")),
    path(EVENT, include("tournament.api.release_places")),
    path(EVENT, include("tournament.api.finalists")),
    path(EVENT, include("tournament.api.weather")),
    path(EVENT, include("tournament.api.postponing")),
    path(EVENT, include("tournament.api.notices")),
    path(EVENT, include("tournament.api.mailings")),
    path(EVENT, include("tournament.api.audit")),
    path(EVENT, include("tournament.api.proposals")),
    path("", include("tournament.api.mailings_bounces")),
    path("tablet/", include("tournament.api.tablet_pairing")),
    path("tablet/", include("tournament.api.tablet_sheets")),
    path("tablet/", include("tournament.api.tablet_conduct")),
    re_path(r"^[\s\S]*$", csrf_exempt(unknown_address), name="api_unknown"),
]

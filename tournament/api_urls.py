"""Every address under /api/v1/. What none of them is, is a 404 in the API's own shape."""

from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from tournament.api.errors import unknown_address
from tournament.api.viewsets import ApiRouter
from tournament.events.api import EventDetailViewSet
from tournament.finalists import api as finalists
from tournament.log.api import AuditLogViewSet
from tournament.mail.api import mailings, notices
from tournament.mail.api.mailings_bounces import BounceReportsViewSet
from tournament.operations import api as operations
from tournament.publication import api as publication
from tournament.ranking import api as ranking
from tournament.registration import api as registration
from tournament.scoresheets.api import corrections, double_entry, scoresheets
from tournament.seating import api as seating
from tournament.setup.api import FinalSetupViewSet
from tournament.stages.api import decisions, podium
from tournament.tablets.api import conduct, pairing, sheets
from tournament.weather.api import postponing, weather

SESSION, TABLE = "sessions/<int:session>", "tables/<int:table>"
SCORESHEET = f"{SESSION}/scoresheets/<int:table>"

general = ApiRouter()
general.register("events", EventDetailViewSet)
general.register("bounces", BounceReportsViewSet)

events = ApiRouter()
events.register("final", FinalSetupViewSet)
events.register("entrants", registration.EntrantListViewSet)
events.register("entrants/<int:number>", registration.EntrantViewSet)
events.register("entrants/<int:number>", registration.EntrantChangeViewSet)
events.register("entrants/<int:number>", registration.EntrantMoveViewSet)
events.register(f"{SESSION}/seating", seating.SeatingViewSet)
events.register(f"{SESSION}/prints", seating.PaperListViewSet)
events.register(f"{SESSION}/scoresheets", scoresheets.ScoresheetListViewSet)
events.register(SCORESHEET, scoresheets.ScoresheetViewSet)
events.register(SCORESHEET, scoresheets.SigningViewSet)
events.register(f"{SCORESHEET}/again", double_entry.DoubleEntryViewSet)
events.register(f"{SCORESHEET}/again", double_entry.AdjudicationViewSet)
events.register(f"{SCORESHEET}/correction", corrections.CorrectionViewSet)
events.register("corrections", corrections.CorrectionListViewSet)
events.register("standings", ranking.StandingsViewSet)
events.register("final/standings", ranking.FinalStandingsViewSet)
events.register("qualification", decisions.QualificationViewSet)
events.register("decisions/<int:decision>", decisions.DecisionViewSet)
events.register("final/podium", podium.PodiumViewSet)
events.register("final/award", podium.AwardViewSet)
events.register("releases", publication.ReleaseListViewSet)
events.register("releases/<int:number>", publication.ReleaseViewSet)
events.register("places", finalists.PlaceListViewSet)
events.register("places/<int:number>", finalists.PlaceAnswerViewSet)
events.register("final/finalists", finalists.FinalistListViewSet)
events.register("final/finalists/links", finalists.PlaceLinkListViewSet)
events.register("final/finalists/<int:number>/link", finalists.PlaceLinkViewSet)
events.register("weather", weather.WeatherJournalViewSet)
events.register("weather/days", weather.WeatherDayListViewSet)
events.register("weather/days/<slug:day>", weather.WeatherDayViewSet)
events.register("stopped-sessions", postponing.StoppedSessionListViewSet)
events.register(SESSION, postponing.StoppedSessionViewSet)
events.register("proposals/<int:replay>", postponing.ProposedReplayViewSet)
events.register("", notices.NoticeListViewSet)
events.register("notices/<int:notice>", notices.NoticeViewSet)
events.register("mailings", mailings.MailingListViewSet)
events.register("mailings/<int:mailing>", mailings.MailingViewSet)
events.register("mail/notices/<int:number>", mailings.NoticeMailViewSet)
events.register("mail/seats/<int:session>", mailings.SeatsMailViewSet)
events.register("mail/results/<int:number>", mailings.ResultsMailViewSet)
events.register("mail/places", mailings.PlacesMailViewSet)
events.register("audit", AuditLogViewSet)
events.register("proposals", operations.ProposalListViewSet)
events.register("proposals/<int:proposal>", operations.ProposalViewSet)

tablets = ApiRouter("tablet_")
tablets.register("", pairing.TabletStateViewSet)
tablets.register("", pairing.PairTabletViewSet)
tablets.register("", pairing.OpenWithPinViewSet)
tablets.register("", pairing.LockTabletViewSet)
tablets.register("", pairing.NextSessionViewSet)
tablets.register("", pairing.TakeBackTabletViewSet)
tablets.register("", pairing.LateSubmissionsViewSet)
tablets.register(TABLE, pairing.HandOutTabletViewSet)
tablets.register(TABLE, sheets.TabletSaveViewSet)
tablets.register(TABLE, sheets.TabletReadyViewSet)
tablets.register(TABLE, sheets.TabletReopenViewSet)
tablets.register(TABLE, sheets.TabletSignViewSet)
tablets.register(TABLE, sheets.TabletPackageViewSet)
tablets.register(TABLE, sheets.TabletDisputeViewSet)
tablets.register(TABLE, conduct.TabletCallJudgeViewSet)
tablets.register(TABLE, conduct.TabletWarnViewSet)
tablets.register(TABLE, conduct.TabletIncidentViewSet)
tablets.register(TABLE, conduct.TabletWithdrawNoteViewSet)
tablets.register(TABLE, conduct.TabletPauseViewSet)
tablets.register(TABLE, conduct.TabletUnpauseViewSet)
tablets.register(TABLE, conduct.TabletOvertimeViewSet)

urlpatterns = [
    path("", include(general.urls)),
    path("events/<slug:event>/", include(events.urls)),
    path("tablet/", include(tablets.urls)),
    re_path(r"^[\s\S]*$", csrf_exempt(unknown_address), name="api_unknown"),
]

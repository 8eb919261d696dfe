"""The ranking as it stands: live, for officials, from what is certified."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Exact
from tournament.api.keys import Answer
from tournament.api.resource import Resource, reads
from tournament.bridge.standings import LiveRanking, live_ranking
from tournament.enums import StageKind
from tournament.models import Stage
from tournament.queries.standings import sheet_counts


class RankedAnswer(serializers.Serializer):
    """One line. `provisional`: a sheet of it has no stamp yet. `average`: null where no number of games is fixed."""

    number = serializers.IntegerField()
    session = serializers.IntegerField()
    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    wins = serializers.IntegerField()
    points = Exact()
    average = Exact(allow_null=True)
    tiles = serializers.IntegerField()
    games = serializers.IntegerField()
    table_size = serializers.IntegerField()
    provisional = serializers.BooleanField()


class UnrankedAnswer(serializers.Serializer):
    """Who has no rank, and why."""

    number = serializers.IntegerField()
    session = serializers.IntegerField()
    because = serializers.CharField()


class SheetCounts(serializers.Serializer):
    """How much of the stage is in."""

    tables = serializers.IntegerField()
    locked = serializers.IntegerField()
    stamped = serializers.IntegerField()


class StandingsAnswer(serializers.Serializer):
    """The ranking by rank, then by number for display alone."""

    order = serializers.ListField(child=serializers.CharField())
    games = serializers.IntegerField(allow_null=True)
    places = serializers.IntegerField(allow_null=True)
    sheets = SheetCounts()
    ranking = RankedAnswer(many=True)
    unranked = UnrankedAnswer(many=True)


class StageResource(Resource):
    """What the addresses about the preliminary share."""

    def find(self, **path: Any) -> Stage:
        """The event's preliminary."""
        found = Stage.objects.select_related("event").filter(event=self.event, kind=StageKind.PRELIMINARY).first()
        if found is None:
            raise not_found()
        return found


class Standings(StageResource):
    """The live ranking."""

    @reads("get_standings", "see_standings", _("The live ranking"), StandingsAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """From one reading of the locked sheets."""
        live = live_ranking(found)
        return Answer({**told(live), "sheets": sheet_counts(found)})


def told(live: LiveRanking) -> dict[str, Any]:
    """What the rules say."""
    return {
        "order": list(live.ruleset.order),
        "games": live.ruleset.games,
        "places": live.places,
        "ranking": live.ranked,
        "unranked": live.unranked,
    }


urlpatterns = [path("standings/", Standings.as_view(), name="api_standings")]

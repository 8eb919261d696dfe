"""The rankings as they stand: live, for officials, from what is certified; the final's also after one round (R38)."""

from typing import Any

from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import found_or_404
from tournament.api.fields import FractionField, QueryIntegerField, StrictBody
from tournament.api.operations import reads
from tournament.api.viewsets import EventViewSet
from tournament.core.models.stage import Stage
from tournament.events.queries import final_of
from tournament.ranking.domain.standings import LiveRanking, live_ranking
from tournament.ranking.queries.standings import session_counts, sheet_counts


class RankedAnswer(serializers.Serializer[Any]):
    """One line. `provisional`: a sheet of it has no stamp yet. `average`: null where no number of games is fixed."""

    number = serializers.IntegerField()
    session = serializers.IntegerField()
    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    wins = serializers.IntegerField()
    points = FractionField()
    average = FractionField(allow_null=True)
    tiles = serializers.IntegerField()
    games = serializers.IntegerField()
    table_size = serializers.IntegerField()
    provisional = serializers.BooleanField()


class UnrankedAnswer(serializers.Serializer[Any]):
    """Who has no rank, and why."""

    number = serializers.IntegerField()
    session = serializers.IntegerField()
    because = serializers.CharField()


class SheetCounts(serializers.Serializer[Any]):
    tables = serializers.IntegerField()
    locked = serializers.IntegerField()
    stamped = serializers.IntegerField()


class StandingsAnswer(serializers.Serializer[Any]):
    """The ranking by rank, then by number for display alone."""

    order = serializers.ListField(child=serializers.CharField())
    games = serializers.IntegerField(allow_null=True)
    places = serializers.IntegerField(allow_null=True)
    sheets = SheetCounts()
    ranking = RankedAnswer(many=True)
    unranked = UnrankedAnswer(many=True)


class PreliminaryViewSet(EventViewSet):
    def get_object(self) -> Stage:
        return found_or_404(Stage.objects.select_related("event").filter(event=self.event, order=1).first())


class StandingsViewSet(PreliminaryViewSet):
    chapter = "standings"

    @reads("/", "see_standings", _("The live ranking"), StandingsAnswer)
    def get_standings(self, stage: Stage) -> dict[str, Any]:
        return serialize_standings(live_ranking(stage)) | {"sheets": sheet_counts(stage)}


def serialize_standings(live: LiveRanking) -> dict[str, Any]:
    return {
        "order": list(live.ruleset.order),
        "games": live.ruleset.games,
        "places": live.places,
        "ranking": live.ranked,
        "unranked": live.unranked,
    }


class RoundAnswer(serializers.Serializer[Any]):
    """How much of a round is in: `session` its number over the event, `waiting` tables that owe a locked sheet."""

    round = serializers.IntegerField(source="place")
    session = serializers.IntegerField(source="number")
    tables = serializers.IntegerField()
    locked = serializers.IntegerField()
    waiting = serializers.IntegerField()


class FinalStandingsAnswer(StandingsAnswer):
    """The ranking by rank, then by number for display alone. `after`: the round it is after; null: all that is in."""

    rounds = RoundAnswer(many=True)
    after = serializers.IntegerField(allow_null=True)


class AfterRoundQueryParams(StrictBody):
    """`after`: only the sheets of the rounds up to this one."""

    after = QueryIntegerField(min_value=1)


class FinalViewSet(EventViewSet):
    def get_object(self) -> Stage:
        return found_or_404(final_of(self.event))


class FinalStandingsViewSet(FinalViewSet):
    chapter = "standings"

    @reads("/", "see_standings", _("The ranking of the final"), FinalStandingsAnswer, asks=AfterRoundQueryParams)
    def get_final_standings(self, stage: Stage, *, after: int | None = None) -> dict[str, Any]:
        counts = session_counts(stage)
        until = None if after is None else found_or_404(next((one for one in counts if one.place == after), None))
        live = live_ranking(stage, until.number if until else None)
        return serialize_standings(live) | {"sheets": sheet_counts(stage), "rounds": counts, "after": after}

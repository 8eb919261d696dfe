"""The final's ranking as it stands: live, for officials, over all rounds or after one of them (R38)."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Asked, Strict
from tournament.api.keys import Answer
from tournament.api.resource import Resource, reads
from tournament.api.standings import StandingsAnswer, told
from tournament.bridge.standings import live_ranking
from tournament.models import Stage
from tournament.queries.finalists import final_of
from tournament.queries.standings import session_counts, sheet_counts


class RoundAnswer(serializers.Serializer):
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


class AfterAsked(Strict):
    """`after`: only the sheets of the rounds up to this one."""

    after = Asked(min_value=1)


class FinalResource(Resource):
    """What the addresses about the final share."""

    def find(self, **path: Any) -> Stage:
        """The event's final."""
        found = final_of(self.event)
        if found is None:
            raise not_found()
        return found


class FinalStandings(FinalResource):
    """The live ranking of the final."""

    @reads("get_final_standings", "see_standings", _("The ranking of the final"), FinalStandingsAnswer, asks=AfterAsked)
    def get(self, found: Stage, asked: Any) -> Answer:
        """From one reading of the locked sheets."""
        counts = session_counts(found)
        after = asked.get("after")
        until = next((one for one in counts if one.place == after), None)
        if after is not None and until is None:
            raise not_found()
        live = live_ranking(found, until.number if until else None)
        return Answer({**told(live), "sheets": sheet_counts(found), "rounds": counts, "after": after})


urlpatterns = [path("final/standings/", FinalStandings.as_view(), name="api_final_standings")]

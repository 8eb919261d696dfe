"""The cut: who advances, who waits, and the chief judge's decision of a tie across the line."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.decisions import (
    JudgedAnswer,
    JudgedRequest,
    LotsAnswer,
    LotsRequest,
    WaitingAnswer,
    beside,
    faults_of,
)
from tournament.api.fields import Choice, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import reads, writes
from tournament.api.standings import StageResource
from tournament.bridge.qualification import LiveCut, live_cut
from tournament.enums import DecisionOf, TieMethod
from tournament.errors import Refused, StaleVersion
from tournament.models import Stage
from tournament.services.qualification import announce_line_lots, decide_tie

MOST_TIED = 500


class TieAnswer(serializers.Serializer):
    """A full tie across the line: so many places are left for these."""

    places = serializers.IntegerField()
    numbers = serializers.ListField(child=serializers.IntegerField())


class ReserveAnswer(serializers.Serializer):
    """A place in the queue; `tied` where it is shared."""

    number = serializers.IntegerField()
    place = serializers.IntegerField()
    tied = serializers.BooleanField()


class DecisionAnswer(JudgedAnswer):
    """The decision in force; `order` strict as far as it was decided."""

    tied = serializers.ListField(child=serializers.IntegerField())
    admitted = serializers.ListField(child=serializers.IntegerField())
    order = serializers.ListField(child=serializers.IntegerField())


class QualificationAnswer(serializers.Serializer):
    """Who advances now, best first."""

    places = serializers.IntegerField(allow_null=True)
    advancing = serializers.ListField(child=serializers.IntegerField())
    unresolved = serializers.BooleanField()
    tie = TieAnswer(allow_null=True)
    decision = DecisionAnswer(allow_null=True)
    reserves = ReserveAnswer(many=True)
    lots = LotsAnswer(many=True)
    waiting = WaitingAnswer(many=True)


class Numbers(serializers.ListField):
    """Entrants by number, each once."""

    child = Whole(min_value=1)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_TIED, **kwargs)

    def to_internal_value(self, data: Any) -> list[int]:
        """None twice."""
        numbers: list[int] = super().to_internal_value(data)
        if len(set(numbers)) != len(numbers):
            raise serializers.ValidationError(gettext_lazy("A number stands here twice."), code="twice")
        return numbers


class DecisionRequest(JudgedRequest):
    """The tie as it was seen, how it is decided and why.

    `admitted` and `order` (from the first, as far as it was decided) are for pick and hand_lots; lots come from the
    draw that was announced and its `value`, a play_off from its `games`. What takes two people waits in `waiting`.
    """

    tied = Numbers()
    method = Choice(choices=TieMethod.choices)
    admitted = Numbers(required=False)
    order = Numbers(required=False)


class NumbersLotsRequest(LotsRequest):
    """The draw for those tied across the line, or at a reserve place."""

    tied = Numbers()


def told(stage: Stage, cut: LiveCut) -> dict[str, Any]:
    """The cut as it is answered."""
    return {
        "places": cut.ranking.places,
        "advancing": [entrant.number for entrant in cut.advancing],
        "unresolved": cut.settled.unresolved is not None,
        "tie": {"places": cut.tie_places, "numbers": [entrant.number for entrant in cut.tie]} if cut.tie else None,
        "decision": cut.decision,
        "reserves": [{"number": entrant.number, "place": place, "tied": tied} for entrant, place, tied in cut.reserves],
        **beside(stage, DecisionOf.LINE),
    }


class Qualification(StageResource):
    """The line as it stands."""

    @reads("get_qualification", "see_standings", _("Who advances"), QualificationAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """From one reading of the locked sheets."""
        return Answer(told(found, live_cut(found)))


class TieDecisions(StageResource):
    """The chief judge's decision."""

    def members(self, refusal: Refused, found: Stage, given: Given) -> Mapping[str, Any]:
        """The tie as it is now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return faults_of(refusal)
        now = told(found, live_cut(found))
        tie = now["tie"] or {"places": 0, "numbers": []}
        sent = (("tied", tie["numbers"]), ("places", tie["places"]))
        differing = [
            {"where": name, "mine": given.data[name], "theirs": theirs}
            for name, theirs in sent
            if given.data[name] != theirs
        ]
        return {"current": QualificationAnswer(now).data, "differences": differing}

    @writes(
        "decide_tie",
        "decide_tie",
        _("Decide a tie across the line"),
        QualificationAnswer,
        takes=DecisionRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Published with the ranking; what takes two people waits for the second."""
        decide_tie(found, by=given.by, **given.data)
        return Answer(told(found, live_cut(found)))


class TieLots(TieDecisions):
    """The draw that is to come."""

    @writes(
        "announce_line_lots",
        "decide_tie",
        _("Announce lots for a tie across the line"),
        QualificationAnswer,
        takes=NumbersLotsRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Before anybody knows the figure."""
        announce_line_lots(found, by=given.by, **given.data)
        return Answer(told(found, live_cut(found)))


urlpatterns = [
    path("qualification/", Qualification.as_view(), name="api_qualification"),
    path("qualification/decisions/", TieDecisions.as_view(), name="api_decide_tie"),
    path("qualification/lots/", TieLots.as_view(), name="api_announce_line_lots"),
]

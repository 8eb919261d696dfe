"""Places of the next stage: who holds one, what they answered, which reserves wait."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.decisions import LotsAnswer, WaitingAnswer, beside, faults_of
from tournament.api.errors import not_found
from tournament.api.fields import Choice, Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.qualification import DecisionAnswer, DecisionRequest, NumbersLotsRequest, TieAnswer
from tournament.api.resource import reads, writes
from tournament.api.standings import StageResource
from tournament.bridge.release_places import LivePlaces, live_places, untold_reserves
from tournament.bridge.standings import entrant_id
from tournament.enums import OWN_ANSWERS, DecisionOf
from tournament.enums import Answer as Said
from tournament.errors import Refused, StaleVersion
from tournament.models import PlaceAnswer, Stage
from tournament.services import release_places as services
from tournament.services.release_ties import announce_reserve_lots, decide_reserve_tie

LONGEST = 500


class GivenAnswer(serializers.Serializer):
    """What was answered last; `id` is what the next one has `seen`. `struck`: no answer came, and the organiser struck
    the entrant at this moment. `by`: the account that recorded it at the desk; null for an answer that came by the
    private link."""

    id = serializers.IntegerField()
    answer = serializers.ChoiceField(choices=Said.choices)
    by = serializers.SerializerMethodField(allow_null=True)
    at = serializers.DateTimeField()

    def get_by(self, answer: PlaceAnswer) -> str | None:
        """Who."""
        return answer.by.get_username() if answer.by else None


class HolderAnswer(serializers.Serializer):
    """One who holds a place by the line, or called as a reserve."""

    number = serializers.IntegerField()
    by = serializers.CharField()
    answered = GivenAnswer(allow_null=True)


class PlacesAnswer(serializers.Serializer):
    """The places of the newest release; all is empty where none stands. `undecided`: reserves share the place that is
    to be filled, and nobody more is called until the chief judge has decided; `decisions` of such, newest first.
    `untold`: reserves who were called, have not answered, and to whom no mail with their link has gone out."""

    release = serializers.IntegerField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    holders = HolderAnswer(many=True)
    given_up = HolderAnswer(many=True)
    waiting = serializers.ListField(child=serializers.IntegerField())
    untold = serializers.ListField(child=serializers.IntegerField())
    empty = serializers.IntegerField()
    undecided = TieAnswer(allow_null=True)
    decisions = DecisionAnswer(many=True)
    lots = LotsAnswer(many=True)
    proposed = WaitingAnswer(many=True)


class RecordedAnswer(GivenAnswer):
    """Recorded."""

    number = serializers.IntegerField(source="entrant.number")


class AnswerRequest(Strict):
    """`reason` is needed to decline. `seen`: the id of the answer that stood before, 0 for none."""

    answer = Choice(choices=OWN_ANSWERS)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST)
    seen = Whole()


def told(stage: Stage, live: LivePlaces) -> dict[str, Any]:
    """The places as they stand."""
    number = {id: row.number for id, row in live.entrants.items()}

    def holder(id: str, by: str) -> dict[str, Any]:
        return {"number": number[id], "by": by, "answered": live.answers.get(id)}

    tie, aside = live.places.undecided, beside(stage, DecisionOf.RESERVE)
    return {
        "release": live.release.number if live.release else None,
        "until": stage.answers_until,
        "holders": [holder(one.id, one.by) for one in live.places.holders],
        "given_up": [holder(id, "") for id in live.places.given_up],
        "waiting": [number[id] for id in live.places.waiting],
        "untold": untold_reserves(stage, live),
        "empty": live.places.empty,
        "undecided": {"places": tie.places, "numbers": [number[id] for id in tie.ids]} if tie else None,
        "decisions": live.decisions,
        "lots": aside["lots"],
        "proposed": aside["waiting"],
    }


class Places(StageResource):
    """All of them."""

    @reads("list_places", "see_release", _("The places of the next stage, and who is called"), PlacesAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """Computed from the release and the answers since."""
        return Answer(told(found, live_places(found)))


class PlaceAnswers(StageResource):
    """One entrant's answer."""

    def find(self, number: int, **path: Any) -> Stage:
        """The preliminary, if the event has an entrant of this number."""
        if not self.event.entrants.filter(number=number).exists():
            raise not_found()
        return super().find()

    def members(self, refusal: Refused, found: Stage, given: Given) -> Mapping[str, Any]:
        """The answer that somebody recorded meanwhile."""
        standing = live_places(found).answers.get(entrant_id(self.kwargs["number"]))
        if not isinstance(refusal, StaleVersion) or standing is None:
            return {}
        return {"current": RecordedAnswer(standing).data}

    @writes(
        "record_answer",
        "record_answer",
        _("Record what a finalist answered"),
        RecordedAnswer,
        takes=AnswerRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """The next reserve is called by it."""
        made: PlaceAnswer = services.record_answer(found, number=self.kwargs["number"], by=given.by, **given.data)
        return Answer(made)


class PlaceDecisions(StageResource):
    """The chief judge's decision of a reserve place that several share."""

    def members(self, refusal: Refused, found: Stage, given: Given) -> Mapping[str, Any]:
        """The places as they are now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return faults_of(refusal)
        return {"current": PlacesAnswer(told(found, live_places(found))).data}

    @writes(
        "decide_reserve_tie",
        "decide_tie",
        _("Decide who of the sharers of a reserve place is called"),
        PlacesAnswer,
        takes=DecisionRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """The reserves are called by it."""
        decide_reserve_tie(found, by=given.by, **given.data)
        return Answer(told(found, live_places(found)))


class PlaceLots(PlaceDecisions):
    """The draw that is to come for a reserve place that several share."""

    @writes(
        "announce_reserve_lots",
        "decide_tie",
        _("Announce lots for the sharers of a reserve place"),
        PlacesAnswer,
        takes=NumbersLotsRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Before anybody knows the figure."""
        announce_reserve_lots(found, by=given.by, **given.data)
        return Answer(told(found, live_places(found)))


urlpatterns = [
    path("places/lots/", PlaceLots.as_view(), name="api_announce_reserve_lots"),
    path("places/", Places.as_view(), name="api_places"),
    path("places/decisions/", PlaceDecisions.as_view(), name="api_decide_reserve_tie"),
    path("places/<int:number>/answer/", PlaceAnswers.as_view(), name="api_record_answer"),
]

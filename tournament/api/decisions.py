"""What every decision between equals takes and gives, and the second person's yes to what takes two."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from tournament.api.errors import not_found
from tournament.api.fields import Choice, Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, writes
from tournament.enums import DecisionOf, GameEnd, TieMethod
from tournament.errors import Refused
from tournament.forms.sheet_sentences import sentence
from tournament.models import Event, Proposal, Stage
from tournament.queries.lots import open_lots, waiting_about
from tournament.services.decisions import PROPOSED, agree
from tournament.services.play_off import PlayOffCheck

MOST_GAMES, MOST_TILES, MOST_AT_A_TABLE = 100, 200, 4
ENDINGS = [(str(end), end.label) for end in (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME)]


class PlayedLine(serializers.Serializer):
    """One player of a game of the play-off; points in twelfths."""

    entrant = serializers.IntegerField()
    win = serializers.IntegerField()
    points_twelfths = serializers.IntegerField()
    tiles = serializers.IntegerField()
    ended_by = serializers.CharField(default="")


class JudgedAnswer(serializers.Serializer):
    """What any decision between equals has; `id` is what a later one `replaces`."""

    id = serializers.IntegerField()
    places = serializers.IntegerField()
    play_off = serializers.ListField(child=PlayedLine(many=True))
    method = serializers.ChoiceField(choices=TieMethod.choices)
    reason = serializers.CharField()
    seed = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()
    agreed_by = serializers.CharField(source="agreed_by.username", default=None, allow_null=True)


class LotsAnswer(serializers.Serializer):
    """A draw that was announced and waits for its figure; `head_hash`, a space and the figure will be its seed."""

    id = serializers.IntegerField()
    tied = serializers.ListField(child=serializers.CharField())
    places = serializers.IntegerField()
    public_value = serializers.CharField()
    known_from = serializers.DateTimeField()
    head_seq = serializers.IntegerField()
    head_hash = serializers.CharField()
    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class WaitingAnswer(serializers.Serializer):
    """What is proposed and waits for a second person; nothing of it counts."""

    id = serializers.IntegerField()
    act = serializers.CharField()
    subject = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField(source="proposed_by.username")
    at = serializers.DateTimeField(source="proposed_at")


class LineRequest(Strict):
    """One player's line of a game, points as on a sheet: "-5", "+30", "10/3"."""

    entrant = Whole(min_value=1)
    win = Whole(max_value=1)
    points = Text(max_length=20)
    tiles = Whole(max_value=MOST_TILES)


class GameRequest(Strict):
    """One game of a play-off, judged as a game of a scoresheet."""

    ended_by = Choice(choices=ENDINGS)
    lines = serializers.ListField(child=LineRequest(), max_length=MOST_AT_A_TABLE)


class JudgedRequest(Strict):
    """What is written down of any decision between equals, whatever is decided."""

    places = Whole()
    reason = Text(max_length=500)
    games = serializers.ListField(child=GameRequest(), required=False, max_length=MOST_GAMES)
    witnesses = Text(required=False, allow_blank=True, max_length=300)
    value = Text(required=False, allow_blank=True, max_length=60)
    replaces = Whole(required=False, allow_null=True)
    words_confirmed = Text(required=False, allow_blank=True, max_length=64)

    def to_internal_value(self, data: Any) -> Any:
        """A seed is made here and taken from nobody."""
        if isinstance(data, Mapping) and "seed" in data:
            raise ValidationError({"seed": [ErrorDetail(SEED_IS_MADE, code="seed_is_made")]})
        return super().to_internal_value(data)


SEED_IS_MADE = gettext_lazy("A seed is not written by hand: announce the draw, then send the value of its figure.")


class LotsRequest(Strict):
    """Which public figure will be taken, and from when on it can be known. `reason`: why it is drawn again."""

    places = Whole()
    public_value = Text(max_length=200)
    known_from = serializers.DateTimeField()
    reason = Text(required=False, allow_blank=True, max_length=500)
    words_confirmed = Text(required=False, allow_blank=True, max_length=64)


class AgreedAnswer(serializers.Serializer):
    """What is recorded now."""

    id = serializers.IntegerField()
    of = serializers.SerializerMethodField()
    at = serializers.DateTimeField()

    def get_of(self, made: Any) -> str:
        """About which equals."""
        return str(getattr(made, "of", "") or (DecisionOf.RESERVE if made.reserve else DecisionOf.LINE))


def beside(stage: Stage, of: str) -> dict[str, Any]:
    """Draws that wait for their figure, and what waits for a second person."""
    return {"lots": open_lots(stage, of), "waiting": waiting_about(stage, of)}


def faults_of(refusal: Refused) -> dict[str, Any]:
    """What is wrong in the games of a play-off, by game and seat; seats A to D in the order of the lines."""
    if not isinstance(refusal.about, PlayOffCheck):
        return {}
    said = [(one, sentence(1, one, {})) for one in refusal.about.mend]
    return {
        "problems": [{"code": one.code, "where": one.where, "sentence": text.bold + text.after} for one, text in said]
    }


class AgreedDecisions(Resource):
    """The second person's yes."""

    def find(self, **path: Any) -> Event:
        """The event, if it has such a proposal about equals."""
        if not Proposal.objects.filter(event=self.event, pk=path["decision"], act__in=PROPOSED).exists():
            raise not_found()
        return self.event

    @writes("agree_decision", "agree_decision", _("Agree to a decision between equals"), AgreedAnswer, status=201)
    def post(self, found: Event, given: Given) -> Answer:
        """Recorded, and it counts."""
        return Answer(agree(found, self.kwargs["decision"], by=given.by))


urlpatterns = [path("decisions/<int:decision>/agree/", AgreedDecisions.as_view(), name="api_agree_decision")]

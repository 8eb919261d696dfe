"""What every decision between equals takes and gives, and the line: who advances, who waits, who decides a tie."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from tournament.accounts.models import Proposal
from tournament.api.errors import found_or_404
from tournament.api.fields import PlainTextField, StrictBody, StrictIntegerField, WordChoiceField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import DecisionOf, GameEnd, TieMethod
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.numberformat import entrant_number_text
from tournament.ranking.api import PreliminaryViewSet
from tournament.ranking.queries.lots import open_lots, open_proposals_about
from tournament.sheets.api import SHEET_RULING_CHOICES
from tournament.sheets.forms.sheet_sentences import problem_sentence
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import (
    PROPOSABLE_DECISION_ACTS,
    RecordedDecision,
    agree_decision,
    announce_tie_lots,
    decide_tie,
)
from tournament.stages.services.play_off import PlayOffCheck

PLAY_OFF_MAX_GAMES, PLAY_OFF_MAX_TILES, PLAY_OFF_MAX_PLAYERS = 100, 200, 4
API_PLAY_OFF_ENDINGS = [(str(end), end.label) for end in (GameEnd.RUMMIKUB, GameEnd.POOL, GameEnd.TIME)]


class PlayedLine(serializers.Serializer[Any]):
    """One player of a game of the play-off; points in twelfths."""

    entrant = serializers.IntegerField()
    win = serializers.IntegerField()
    points_twelfths = serializers.IntegerField()
    tiles = serializers.IntegerField()
    ended_by = serializers.CharField(default="")
    ruling = serializers.CharField(default="")


class JudgedAnswer(serializers.Serializer[Any]):
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


class LotsAnswer(serializers.Serializer[Any]):
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


class WaitingAnswer(serializers.Serializer[Any]):
    """What is proposed and waits for a second person; nothing of it counts."""

    id = serializers.IntegerField()
    act = serializers.CharField()
    subject = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField(source="proposed_by.username")
    at = serializers.DateTimeField(source="proposed_at")


class LineRequest(StrictBody):
    """One player's line of a game, points as on a sheet: "-5", "+30", "10/3"."""

    entrant = StrictIntegerField(min_value=1)
    win = StrictIntegerField(max_value=1)
    points = PlainTextField(max_length=20)
    tiles = StrictIntegerField(max_value=PLAY_OFF_MAX_TILES)


class GameRequest(StrictBody):
    """One game of a play-off, judged as a game of a scoresheet."""

    ended_by = WordChoiceField(choices=API_PLAY_OFF_ENDINGS)
    ruling = WordChoiceField(choices=SHEET_RULING_CHOICES, required=False)
    lines = serializers.ListField(child=LineRequest(), max_length=PLAY_OFF_MAX_PLAYERS)


class JudgedRequest(StrictBody):
    """What is written down of any decision between equals, whatever is decided."""

    places = StrictIntegerField()
    reason = PlainTextField(max_length=500)
    games = serializers.ListField(child=GameRequest(), required=False, max_length=PLAY_OFF_MAX_GAMES)
    witnesses = PlainTextField(required=False, allow_blank=True, max_length=300)
    value = PlainTextField(required=False, allow_blank=True, max_length=60)
    replaces = StrictIntegerField(required=False, allow_null=True)
    words_confirmed = PlainTextField(required=False, allow_blank=True, max_length=64)

    def to_internal_value(self, data: Any) -> Any:
        """A seed is made here and taken from nobody."""
        if isinstance(data, Mapping) and "seed" in data:
            raise ValidationError({"seed": [ErrorDetail(str(SEED_NOT_ACCEPTED), code="seed_is_made")]})
        return super().to_internal_value(data)


SEED_NOT_ACCEPTED = gettext_lazy("A seed is not written by hand: announce the draw, then send the value of its figure.")


class LotsRequest(StrictBody):
    """Which public figure will be taken, and from when on it can be known. `reason`: why it is drawn again."""

    places = StrictIntegerField()
    public_value = PlainTextField(max_length=200)
    known_from = serializers.DateTimeField()
    reason = PlainTextField(required=False, allow_blank=True, max_length=500)
    words_confirmed = PlainTextField(required=False, allow_blank=True, max_length=64)


class AgreedAnswer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    of = serializers.CharField()
    at = serializers.DateTimeField()


def pending_decisions(stage: Stage, of: str) -> dict[str, Any]:
    return {"lots": open_lots(stage, of), "waiting": open_proposals_about(stage, of)}


def play_off_problem_members(refusal: Refused) -> dict[str, Any]:
    """What is wrong in the games of a play-off, by game and seat; seats A to D in the order of the lines."""
    if not isinstance(refusal.about, PlayOffCheck):
        return {}
    said = [(one, problem_sentence(1, one, {})) for one in refusal.about.mend]
    return {
        "problems": [{"code": one.code, "where": one.where, "sentence": text.bold + text.after} for one, text in said]
    }


class DecisionViewSet(EventViewSet):
    chapter = "decisions"

    def get_object(self) -> Event:
        asked = {"pk": self.kwargs["decision"], "act__in": PROPOSABLE_DECISION_ACTS}
        found_or_404(Proposal.objects.filter(event=self.event, **asked).first())
        return self.event

    @changes("/agree/", "agree_decision", _("Agree to a decision between equals"), gives=AgreedAnswer, status=201)
    def agree_decision(self, event: Event, given: RequestData) -> RecordedDecision:
        return agree_decision(event, self.kwargs["decision"], **given.sent)


TIE_MAX_ENTRANTS = 500


class TieAnswer(serializers.Serializer[Any]):
    """A full tie across the line: so many places are left for these."""

    places = serializers.IntegerField()
    numbers = serializers.ListField(child=serializers.IntegerField())


class ReserveAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    place = serializers.IntegerField()
    tied = serializers.BooleanField()


class DecisionAnswer(JudgedAnswer):
    """The decision in force; `order` strict as far as it was decided."""

    tied = serializers.ListField(child=serializers.IntegerField())
    admitted = serializers.ListField(child=serializers.IntegerField())
    order = serializers.ListField(child=serializers.IntegerField())


class QualificationAnswer(serializers.Serializer[Any]):
    places = serializers.IntegerField(allow_null=True)
    advancing = serializers.ListField(child=serializers.IntegerField())
    unresolved = serializers.BooleanField()
    tie = TieAnswer(allow_null=True)
    decision = DecisionAnswer(allow_null=True)
    reserves = ReserveAnswer(many=True)
    lots = LotsAnswer(many=True)
    waiting = WaitingAnswer(many=True)


class EntrantNumbersField(serializers.ListField):
    child = StrictIntegerField(min_value=1)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=TIE_MAX_ENTRANTS, **kwargs)

    def to_internal_value(self, data: Any) -> list[int]:
        numbers: list[int] = super().to_internal_value(data)
        if len(set(numbers)) != len(numbers):
            raise serializers.ValidationError(gettext_lazy("A number stands here twice."), code="twice")
        return numbers


class DecisionRequest(JudgedRequest):
    """The tie as it was seen, how it is decided and why.

    `admitted` and `order` (from the first, as far as it was decided) are for pick and hand_lots; lots come from the
    draw that was announced and its `value`, a play_off from its `games`. What takes two people waits in `waiting`.
    """

    tied = EntrantNumbersField()
    method = WordChoiceField(choices=TieMethod.choices)
    admitted = EntrantNumbersField(required=False)
    order = EntrantNumbersField(required=False)


class NumbersLotsRequest(LotsRequest):
    tied = EntrantNumbersField()


def with_ids(data: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, with the ids that a service takes in place of the entrants' numbers."""
    numbers = {name: data[name] for name in ("tied", "admitted", "order") if name in data}
    return {**data, **{name: list(map(entrant_number_text, found)) for name, found in numbers.items()}}


class QualificationViewSet(PreliminaryViewSet):
    chapter = "qualification"
    serializer_class = QualificationAnswer

    def told(self, stage: Stage) -> dict[str, Any]:
        cut = live_qualification(stage)
        reserves = [{"number": row.number, "place": place, "tied": tied} for row, place, tied in cut.reserves]
        return {
            "places": cut.ranking.places,
            "advancing": [entrant.number for entrant in cut.advancing],
            "unresolved": cut.settled.unresolved is not None,
            "tie": {"places": cut.tie_places, "numbers": [entrant.number for entrant in cut.tie]} if cut.tie else None,
            "decision": cut.decision,
            "reserves": reserves,
            **pending_decisions(stage, DecisionOf.LINE),
        }

    def members(self, refusal: Refused, found: Stage, given: RequestData) -> Mapping[str, Any]:
        """The tie as it is now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return play_off_problem_members(refusal)
        now = self.told(found)
        tie = now["tie"] or {"places": 0, "numbers": []}
        theirs = {"tied": tie["numbers"], "places": tie["places"]}
        differing = [
            {"where": name, "mine": given.data[name], "theirs": part}
            for name, part in theirs.items()
            if given.data[name] != part
        ]
        return {"current": QualificationAnswer(now).data, "differences": differing}

    @reads("/", "see_standings", _("Who advances"))
    def get_qualification(self, stage: Stage) -> dict[str, Any]:
        return self.told(stage)

    @changes("/decisions/", "decide_tie", _("Decide a tie across the line"), DecisionRequest, status=201)
    def decide_tie(self, stage: Stage, given: RequestData) -> None:
        decide_tie(stage, of=DecisionOf.LINE, **with_ids(given.sent))

    @changes("/lots/", "decide_tie", _("Announce lots for a tie across the line"), NumbersLotsRequest, status=201)
    def announce_line_lots(self, stage: Stage, given: RequestData) -> None:
        announce_tie_lots(stage, of=DecisionOf.LINE, **with_ids(given.sent))

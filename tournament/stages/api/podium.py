"""The final's podium and the parent-child award, and the chief judge's decision between equals (R39, R40)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from scoring.podium import Podium
from tournament.api.fields import FractionField, PlainTextField, WordChoiceField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.core.enums import DecisionOf
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.stage import Stage
from tournament.ranking.api import FinalViewSet
from tournament.stages.api.decisions import (
    TIE_MAX_ENTRANTS,
    JudgedAnswer,
    JudgedRequest,
    LotsAnswer,
    LotsRequest,
    WaitingAnswer,
    pending_decisions,
    play_off_problem_members,
)
from tournament.stages.domain.podium import LivePodium, live_podium
from tournament.stages.domain.podium_families import FamilyPair
from tournament.stages.services.decisions import announce_tie_lots, decide_tie
from tournament.stages.services.podium import TIE_BREAK_METHODS

TIE_MEMBER_ID_MAX_LENGTH = 50


class PlacedAnswer(serializers.Serializer[Any]):
    """Who stands at a place; `decided`: by a decision between equals, not by the results."""

    place = serializers.IntegerField()
    id = serializers.CharField()
    decided = serializers.BooleanField()


class ContestAnswer(serializers.Serializer[Any]):
    """Equals for whom nothing is decided: they stand from `place` on, `places` of them."""

    place = serializers.IntegerField()
    places = serializers.IntegerField()
    ids = serializers.ListField(child=serializers.CharField())


class ContestDecisionAnswer(JudgedAnswer):
    """A decision in force; `order` strict as far as it was decided."""

    tied = serializers.ListField(child=serializers.CharField())
    order = serializers.ListField(child=serializers.CharField())


class PodiumAnswer(serializers.Serializer[Any]):
    """Ids are entrants' numbers with four digits. `over`: every sheet of the final is in; before that nothing holds."""

    over = serializers.BooleanField()
    holders = PlacedAnswer(many=True)
    contests = ContestAnswer(many=True)
    decisions = ContestDecisionAnswer(many=True)
    lots = LotsAnswer(many=True)
    waiting = WaitingAnswer(many=True)


class UnitAnswer(serializers.Serializer[Any]):
    """A family that stands for the award: the sums of both members, then both final ranks, the better first."""

    id = serializers.CharField()
    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    wins = serializers.IntegerField()
    points = FractionField()
    average = FractionField(allow_null=True)
    tiles = serializers.IntegerField()
    better_rank = serializers.IntegerField()
    other_rank = serializers.IntegerField()


class RungAnswer(serializers.Serializer[Any]):
    """One step for families level before it: the groups it makes of them, the best first."""

    step = serializers.CharField()
    level = serializers.ListField(child=serializers.CharField())
    groups = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class PairMemberAnswer(serializers.Serializer[Any]):
    """One of a declared pair. `rank` in the final; `because`: why there is none, empty for who is no finalist."""

    number = serializers.IntegerField()
    role = serializers.CharField()
    rank = serializers.IntegerField(source="standing.rank", default=None, allow_null=True)
    because = serializers.CharField()
    finalist = serializers.BooleanField(source="is_finalist")


class PairAnswer(serializers.Serializer[Any]):
    """A declared pair; of a family with several each child with each parent, `id` then longer than `code`. `out`: why
    it cannot have the award, null where it can; `problems` of ages and roles."""

    id = serializers.CharField()
    code = serializers.CharField()
    members = PairMemberAnswer(many=True)
    problems = serializers.ListField(child=serializers.CharField())
    out = serializers.CharField(allow_null=True)


class AwardAnswer(PodiumAnswer):
    """Ids are those of `pairs`, a family's code where it has one pair. `order`: the keys that sums are compared by;
    `pairs`: every declared pair."""

    order = serializers.ListField(child=serializers.CharField())
    families = UnitAnswer(many=True)
    ladder = RungAnswer(many=True)
    pairs = PairAnswer(many=True)


class TieMemberIdsField(serializers.ListField):
    """Entrants' numbers with four digits, or ids of pairs, each once."""

    child = PlainTextField(max_length=TIE_MEMBER_ID_MAX_LENGTH)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=TIE_MAX_ENTRANTS, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        ids: list[str] = super().to_internal_value(data)
        if len(set(ids)) != len(ids):
            raise serializers.ValidationError(gettext_lazy("An id stands here twice."), code="twice")
        return ids


class ContestRequest(JudgedRequest):
    """The contest as it was seen, how it is decided and why.

    `order` (from the first, as far as it was decided) is for pick and hand_lots; lots come from the draw that was
    announced and its `value`, a play_off from its `games`. What takes two people waits in `waiting`.
    """

    tied = TieMemberIdsField()
    method = WordChoiceField(choices=[(method.value, method.label) for method in TIE_BREAK_METHODS])
    order = TieMemberIdsField(required=False)


class IdsLotsRequest(LotsRequest):
    tied = TieMemberIdsField()


class EqualsViewSet(FinalViewSet):
    """What podium and award share: the answer, and what a refusal tells of now."""

    chapter = "podium"
    of: ClassVar[DecisionOf]

    def told(self, stage: Stage) -> dict[str, Any]:
        """Places, contests and decisions, from one reading of the locked sheets."""
        return self.standing(stage, live_podium(stage))

    def standing(self, stage: Stage, live: LivePodium) -> dict[str, Any]:
        place: Podium = live.place_of(self.of)
        return {
            "over": live.is_over,
            "holders": place.holders,
            "contests": place.contests,
            "decisions": live.decided(self.of),
            **pending_decisions(stage, self.of),
        }

    def members(self, refusal: Refused, found: Stage, given: RequestData) -> Mapping[str, Any]:
        """Who is level now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return play_off_problem_members(refusal)
        live = live_podium(found)
        contests = [{"tied": list(one.ids), "places": one.places} for one in live.place_of(self.of).contests]
        sent = {name: given.data[name] for name in ("tied", "places")}
        differing = [{"where": "tied", "mine": sent, "theirs": contests}]
        return {"current": self.get_serializer(self.standing(found, live)).data, "differences": differing}


class PodiumViewSet(EqualsViewSet):
    of, serializer_class = DecisionOf.PODIUM, PodiumAnswer

    @reads("/", "see_standings", _("The podium"))
    def get_podium(self, stage: Stage) -> dict[str, Any]:
        return self.told(stage)

    @changes("/decisions/", "decide_tie", _("Decide between equals on the podium"), ContestRequest, status=201)
    def decide_podium(self, stage: Stage, given: RequestData) -> None:
        decide_tie(stage, of=self.of, **given.sent)

    @changes("/lots/", "decide_tie", _("Announce lots between equals on the podium"), IdsLotsRequest, status=201)
    def announce_podium_lots(self, stage: Stage, given: RequestData) -> None:
        announce_tie_lots(stage, of=self.of, **given.sent)


class AwardViewSet(EqualsViewSet):
    """The same of the award, with the families that stand for it."""

    of, serializer_class = DecisionOf.AWARD, AwardAnswer

    def standing(self, stage: Stage, live: LivePodium) -> dict[str, Any]:
        out = {one.id: one.because for one in live.award.out}
        return super().standing(stage, live) | {
            "order": list(live.ranking.ruleset.family_order),
            "families": live.award.standings,
            "ladder": live.award.rungs,
            "pairs": [serialize_declared_pair(pair, out.get(pair.id)) for pair in live.families.values()],
        }

    @reads("/", "see_standings", _("The parent-child award"))
    def get_award(self, stage: Stage) -> dict[str, Any]:
        return self.told(stage)

    @changes("/decisions/", "decide_tie", _("Decide between families level for the award"), ContestRequest, status=201)
    def decide_award(self, stage: Stage, given: RequestData) -> None:
        decide_tie(stage, of=self.of, **given.sent)

    @changes(
        "/lots/", "decide_tie", _("Announce lots between families level for the award"), IdsLotsRequest, status=201
    )
    def announce_award_lots(self, stage: Stage, given: RequestData) -> None:
        announce_tie_lots(stage, of=self.of, **given.sent)


def serialize_declared_pair(pair: FamilyPair, out: str | None) -> dict[str, Any]:
    return {"id": pair.id, "code": pair.code, "members": pair.members, "problems": pair.problems, "out": out}

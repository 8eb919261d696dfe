"""The final's podium and the parent-child award, and the chief judge's decision between equals (R39, R40)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import path
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from scoring.podium import Podium
from tournament.api.decisions import (
    JudgedAnswer,
    JudgedRequest,
    LotsAnswer,
    LotsRequest,
    WaitingAnswer,
    beside,
    faults_of,
)
from tournament.api.fields import Choice, Exact, Text
from tournament.api.keys import Answer, Given
from tournament.api.qualification import MOST_TIED
from tournament.api.resource import reads, writes
from tournament.api.standings_final import FinalResource
from tournament.bridge.podium import LivePodium, live_podium
from tournament.bridge.podium_families import FamilyPair
from tournament.enums import ContestOf
from tournament.errors import Refused, StaleVersion
from tournament.models import Stage
from tournament.services.podium import METHODS, announce_contest_lots, decide_contest

LONGEST_ID = 50


class PlacedAnswer(serializers.Serializer):
    """Who stands at a place; `decided`: by a decision between equals, not by the results."""

    place = serializers.IntegerField()
    id = serializers.CharField()
    decided = serializers.BooleanField()


class ContestAnswer(serializers.Serializer):
    """Equals for whom nothing is decided: they stand from `place` on, `places` of them."""

    place = serializers.IntegerField()
    places = serializers.IntegerField()
    ids = serializers.ListField(child=serializers.CharField())


class ContestDecisionAnswer(JudgedAnswer):
    """A decision in force; `order` strict as far as it was decided."""

    tied = serializers.ListField(child=serializers.CharField())
    order = serializers.ListField(child=serializers.CharField())


class PodiumAnswer(serializers.Serializer):
    """Ids are entrants' numbers with four digits. `over`: every sheet of the final is in; before that nothing holds."""

    over = serializers.BooleanField()
    holders = PlacedAnswer(many=True)
    contests = ContestAnswer(many=True)
    decisions = ContestDecisionAnswer(many=True)
    lots = LotsAnswer(many=True)
    waiting = WaitingAnswer(many=True)


class UnitAnswer(serializers.Serializer):
    """A family that stands for the award: the sums of both members, then both final ranks, the better first."""

    id = serializers.CharField()
    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    wins = serializers.IntegerField()
    points = Exact()
    average = Exact(allow_null=True)
    tiles = serializers.IntegerField()
    better_rank = serializers.IntegerField()
    other_rank = serializers.IntegerField()


class RungAnswer(serializers.Serializer):
    """One step for families level before it: the groups it makes of them, the best first."""

    step = serializers.CharField()
    level = serializers.ListField(child=serializers.CharField())
    groups = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class PairMemberAnswer(serializers.Serializer):
    """One of a declared pair. `rank` in the final; `because`: why there is none, empty for who is no finalist."""

    number = serializers.IntegerField()
    role = serializers.CharField()
    rank = serializers.IntegerField(source="standing.rank", default=None, allow_null=True)
    because = serializers.CharField()
    finalist = serializers.BooleanField(source="is_finalist")


class PairAnswer(serializers.Serializer):
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


class Ids(serializers.ListField):
    """Entrants' numbers with four digits, or ids of pairs, each once."""

    child = Text(max_length=LONGEST_ID)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_TIED, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """None twice."""
        ids: list[str] = super().to_internal_value(data)
        if len(set(ids)) != len(ids):
            raise serializers.ValidationError(gettext_lazy("An id stands here twice."), code="twice")
        return ids


class ContestRequest(JudgedRequest):
    """The contest as it was seen, how it is decided and why.

    `order` (from the first, as far as it was decided) is for pick and hand_lots; lots come from the draw that was
    announced and its `value`, a play_off from its `games`. What takes two people waits in `waiting`.
    """

    tied = Ids()
    method = Choice(choices=[(method.value, method.label) for method in METHODS])
    order = Ids(required=False)


class IdsLotsRequest(LotsRequest):
    """The draw for those who contest a place."""

    tied = Ids()


def told_of(stage: Stage, live: LivePodium, of: str) -> dict[str, Any]:
    """Places, contests and decisions of the podium or of the award."""
    place: Podium = live.place_of(of)
    return {
        "over": live.is_over,
        "holders": place.holders,
        "contests": place.contests,
        "decisions": live.decided(of),
        **beside(stage, of),
    }


def families_told(live: LivePodium) -> dict[str, Any]:
    """What is answered of the award besides."""
    out = {one.id: one.because for one in live.award.out}
    return {
        "order": list(live.ranking.ruleset.family_order),
        "families": live.award.standings,
        "ladder": live.award.rungs,
        "pairs": [_pair(pair, out.get(pair.id)) for pair in live.families.values()],
    }


def _pair(pair: FamilyPair, out: str | None) -> dict[str, Any]:
    return {"id": pair.id, "code": pair.code, "members": pair.members, "problems": pair.problems, "out": out}


class PodiumResource(FinalResource):
    """What the addresses of podium and award share: the answer, both acts, and what a refusal tells of now."""

    of: ClassVar[ContestOf] = ContestOf.PODIUM
    answer: ClassVar[type[serializers.Serializer]] = PodiumAnswer

    def told(self, stage: Stage, live: LivePodium) -> dict[str, Any]:
        """As it is answered."""
        return told_of(stage, live, self.of)

    def as_it_stands(self, found: Stage) -> Answer:
        """From one reading of the locked sheets."""
        return Answer(self.told(found, live_podium(found)))

    def decide(self, found: Stage, given: Given) -> Answer:
        """Between equals."""
        decide_contest(found, of=self.of, by=given.by, **given.data)
        return self.as_it_stands(found)

    def announce(self, found: Stage, given: Given) -> Answer:
        """Lots between them."""
        announce_contest_lots(found, of=self.of, by=given.by, **given.data)
        return self.as_it_stands(found)

    def members(self, refusal: Refused, found: Stage, given: Given) -> Mapping[str, Any]:
        """Who is level now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return faults_of(refusal)
        live = live_podium(found)
        contests = [{"tied": list(one.ids), "places": one.places} for one in live.place_of(self.of).contests]
        sent = {name: given.data[name] for name in ("tied", "places")}
        differing = [{"where": "tied", "mine": sent, "theirs": contests}]
        return {"current": self.answer(self.told(found, live)).data, "differences": differing}


class AwardResource(PodiumResource):
    """The same of the award."""

    of, answer = ContestOf.AWARD, AwardAnswer

    def told(self, stage: Stage, live: LivePodium) -> dict[str, Any]:
        """With every family."""
        return {**super().told(stage, live), **families_told(live)}


class PodiumAddress(PodiumResource):
    """Places 1 to 3."""

    @reads("get_podium", "see_standings", _("The podium"), PodiumAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """From one reading of the locked sheets."""
        return self.as_it_stands(found)


class PodiumDecisions(PodiumResource):
    """The chief judge's decision between equals on the podium."""

    @writes(
        "decide_podium",
        "decide_tie",
        _("Decide between equals on the podium"),
        PodiumAnswer,
        takes=ContestRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Published with the ranking."""
        return self.decide(found, given)


class AwardAddress(AwardResource):
    """The one family."""

    @reads("get_award", "see_standings", _("The parent-child award"), AwardAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """From one reading of the locked sheets."""
        return self.as_it_stands(found)


class AwardDecisions(AwardResource):
    """The chief judge's decision between equal families."""

    @writes(
        "decide_award",
        "decide_tie",
        _("Decide between families level for the award"),
        AwardAnswer,
        takes=ContestRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Published with the ranking."""
        return self.decide(found, given)


class PodiumLots(PodiumResource):
    """The draw that is to come between equals on the podium."""

    @writes(
        "announce_podium_lots",
        "decide_tie",
        _("Announce lots between equals on the podium"),
        PodiumAnswer,
        takes=IdsLotsRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Before anybody knows the figure."""
        return self.announce(found, given)


class AwardLots(AwardResource):
    """The draw that is to come between equal families."""

    @writes(
        "announce_award_lots",
        "decide_tie",
        _("Announce lots between families level for the award"),
        AwardAnswer,
        takes=IdsLotsRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Before anybody knows the figure."""
        return self.announce(found, given)


urlpatterns = [
    path("final/podium/lots/", PodiumLots.as_view(), name="api_announce_podium_lots"),
    path("final/award/lots/", AwardLots.as_view(), name="api_announce_award_lots"),
    path("final/podium/", PodiumAddress.as_view(), name="api_podium"),
    path("final/podium/decisions/", PodiumDecisions.as_view(), name="api_decide_podium"),
    path("final/award/", AwardAddress.as_view(), name="api_award"),
    path("final/award/decisions/", AwardDecisions.as_view(), name="api_decide_award"),
]

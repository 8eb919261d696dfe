"""From the cut to the seats: who holds a place, what they answered, private links, and the list of finalists.

No answer to a change holds a link: answers are kept for their keys. Links are read by GET alone.
"""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import found_or_404
from tournament.api.fields import (
    MaybeReasonRequest,
    PlainTextField,
    ReasonRequest,
    StrictBooleanField,
    StrictIntegerField,
    WordChoiceField,
)
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.core.enums import ANSWERS_OF_FINALISTS, DecisionOf
from tournament.core.enums import Answer as Said
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.stage import Stage
from tournament.entrants.queries.finalists import previous_stage
from tournament.finalists import queries
from tournament.finalists.domain.release_places import LivePlaces, live_places, reserves_not_yet_mailed
from tournament.finalists.services import finalists as services
from tournament.finalists.services import invitations as links
from tournament.finalists.services import release_places as places
from tournament.ranking.api import FinalViewSet, PreliminaryViewSet
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.releases.models import PlaceAnswer
from tournament.stages.api.decisions import (
    DecisionAnswer,
    DecisionRequest,
    LotsAnswer,
    NumbersLotsRequest,
    TieAnswer,
    WaitingAnswer,
    pending_decisions,
    play_off_problem_members,
    with_ids,
)
from tournament.stages.services.decisions import announce_tie_lots, decide_tie


class GivenAnswer(serializers.Serializer[Any]):
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


class HolderAnswer(serializers.Serializer[Any]):
    """One who holds a place by the line, or called as a reserve."""

    number = serializers.IntegerField()
    by = serializers.CharField()
    answered = GivenAnswer(allow_null=True)


class PlacesAnswer(serializers.Serializer[Any]):
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
    number = serializers.IntegerField(source="entrant.number")


class AnswerRequest(MaybeReasonRequest):
    """`reason` is needed to decline. `seen`: the id of the answer that stood before, 0 for none."""

    answer = WordChoiceField(choices=ANSWERS_OF_FINALISTS)
    seen = StrictIntegerField()


def serialize_places(stage: Stage, live: LivePlaces) -> dict[str, Any]:
    number = {id: row.number for id, row in live.entrants.items()}

    def holder(id: str, by: str) -> dict[str, Any]:
        return {"number": number[id], "by": by, "answered": live.answers.get(id)}

    tie, aside = live.places.undecided, pending_decisions(stage, DecisionOf.RESERVE)
    return {
        "release": live.release.number if live.release else None,
        "until": stage.answers_until,
        "holders": [holder(one.id, one.by) for one in live.places.holders],
        "given_up": [holder(id, "") for id in live.places.given_up],
        "waiting": [number[id] for id in live.places.waiting],
        "untold": reserves_not_yet_mailed(stage, live),
        "empty": live.places.empty,
        "undecided": {"places": tie.places, "numbers": [number[id] for id in tie.ids]} if tie else None,
        "decisions": live.decisions,
        "lots": aside["lots"],
        "proposed": aside["waiting"],
    }


class PlaceListViewSet(PreliminaryViewSet):
    """The places of the next stage, and the chief judge's decision of a reserve place that several share."""

    chapter = "release"
    serializer_class = PlacesAnswer

    def told(self, stage: Stage) -> dict[str, Any]:
        return serialize_places(stage, live_places(stage))

    def members(self, refusal: Refused, found: Stage, given: RequestData) -> Mapping[str, Any]:
        """The places as they are now, or what is wrong in the games."""
        if not isinstance(refusal, StaleVersion):
            return play_off_problem_members(refusal)
        return {"current": PlacesAnswer(self.told(found)).data}

    @reads("/", "see_release", _("The places of the next stage, and who is called"))
    def list_places(self, stage: Stage) -> dict[str, Any]:
        return self.told(stage)

    @changes(
        "/decisions/",
        "decide_tie",
        _("Decide who of the sharers of a reserve place is called"),
        DecisionRequest,
        status=201,
    )
    def decide_reserve_tie(self, stage: Stage, given: RequestData) -> None:
        decide_tie(stage, of=DecisionOf.RESERVE, **with_ids(given.sent))

    @changes(
        "/lots/", "decide_tie", _("Announce lots for the sharers of a reserve place"), NumbersLotsRequest, status=201
    )
    def announce_reserve_lots(self, stage: Stage, given: RequestData) -> None:
        announce_tie_lots(stage, of=DecisionOf.RESERVE, **with_ids(given.sent))


class PlaceAnswerViewSet(PreliminaryViewSet):
    chapter = "release"
    serializer_class = RecordedAnswer

    def get_object(self) -> Stage:
        """The preliminary, if the event has an entrant of this number."""
        found_or_404(self.event.entrants.filter(number=self.kwargs["number"]).first())
        return super().get_object()

    def members(self, refusal: Refused, found: Stage, given: RequestData) -> Mapping[str, Any]:
        """The answer that somebody recorded meanwhile."""
        standing = live_places(found).answers.get(ranking_entrant_id(self.kwargs["number"]))
        if not isinstance(refusal, StaleVersion) or standing is None:
            return {}
        return {"current": RecordedAnswer(standing).data}

    @changes("/answer/", "record_answer", _("Record what a finalist answered"), AnswerRequest, status=201)
    def record_answer(self, stage: Stage, given: RequestData) -> PlaceAnswer:
        return places.record_place_answer(stage, number=self.kwargs["number"], **given.sent)


FINALISTS_DIGEST_LENGTH = 64


class ListedFinalist(serializers.Serializer[Any]):
    number = serializers.IntegerField(source="entrant.number")
    rank = serializers.IntegerField()


class FinalistsAnswer(serializers.Serializer[Any]):
    """The list; empty while it is open. `seen`: what fixing it, or once it is fixed an exchange or opening it, wants to
    have seen of places and list. `next`: who is called first of those who are not on the list; null for nobody, or
    while sharers of a reserve place are undecided."""

    frozen_at = serializers.DateTimeField(allow_null=True)
    frozen_by = serializers.CharField(allow_null=True)
    seen = serializers.CharField()
    finalists = ListedFinalist(many=True)
    next = serializers.IntegerField(allow_null=True)


class LinkAnswer(serializers.Serializer[Any]):
    """A link in force: whose, its id, when it was made, and its path."""

    number = serializers.IntegerField(source="entrant.number")
    id = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    path = serializers.CharField()


class LinksAnswer(serializers.Serializer[Any]):
    """Every link in force, by number. Reading them is an entry of the log."""

    links = LinkAnswer(many=True)


class MadeLinksAnswer(serializers.Serializer[Any]):
    """Whose links were made; none for a second time."""

    made = serializers.ListField(child=serializers.IntegerField())


class LinkStateAnswer(serializers.Serializer[Any]):
    """The link in force after the change, by id; null for none."""

    number = serializers.IntegerField()
    id = serializers.IntegerField(allow_null=True)


class ReplaceLinkRequest(MaybeReasonRequest):
    """`seen`: the id of the link that stood before, 0 for none; `reason` is needed where there was one."""

    seen = StrictIntegerField()


class ThawRequest(ReasonRequest):
    """Why. `seen` as it was read."""

    seen = PlainTextField(max_length=FINALISTS_DIGEST_LENGTH)


class FreezeRequest(MaybeReasonRequest):
    """`strike`: who has not answered is struck for `reason`. `seen` as it was read."""

    seen = PlainTextField(max_length=FINALISTS_DIGEST_LENGTH)
    strike = StrictBooleanField(required=False)


class ExchangeRequest(ThawRequest):
    """`number` gives the place up, the next `reserve` takes it; either may be left out. `seen` as it was read."""

    number = StrictIntegerField(min_value=1, required=False)
    reserve = StrictIntegerField(min_value=1, required=False)


def serialize_finalists(final: Stage) -> dict[str, Any]:
    current = Stage.objects.select_related("frozen_by", "event").get(pk=final.pk)
    live = live_places(previous_stage(current))
    listed = queries.frozen_list(current)
    next_one = live.entrants.get(services.next_reserve_id(live, list(listed)) or "")
    return {
        "frozen_at": current.frozen_at,
        "frozen_by": current.frozen_by.get_username() if current.frozen_by else None,
        "seen": services.finalists_seen_digest(live, list(listed)),
        "finalists": list(listed.values()),
        "next": next_one.number if next_one and listed else None,
    }


class FinalistListViewSet(FinalViewSet):
    chapter = "finalists"
    serializer_class = FinalistsAnswer

    def told(self, final: Stage) -> dict[str, Any]:
        return serialize_finalists(final)

    @reads("/", "see_release", _("The list of finalists"))
    def list_finalists(self, final: Stage) -> dict[str, Any]:
        return self.told(final)

    @changes("/freeze/", "freeze_finalists", _("Fix the list of finalists"), FreezeRequest)
    def freeze_finalists(self, final: Stage, given: RequestData) -> None:
        services.freeze_finalists(final, **given.sent)

    @changes("/thaw/", "freeze_finalists", _("Open the list of finalists again"), ThawRequest)
    def thaw_finalists(self, final: Stage, given: RequestData) -> None:
        """Until a draw of the final is confirmed."""
        services.thaw_finalists(final, **given.sent)

    @changes(
        "/exchange/",
        "freeze_finalists",
        _("A finalist gives the place up, the next reserve takes it, or both"),
        ExchangeRequest,
    )
    def exchange_finalist(self, final: Stage, given: RequestData) -> None:
        services.exchange_finalist(final, **given.sent)


class PlaceLinkListViewSet(PreliminaryViewSet):
    chapter = "finalists"

    @reads("/", "invite_finalists", _("The private links in force"), LinksAnswer)
    def list_links(self, stage: Stage) -> dict[str, Any]:
        """For whoever sends them; each time an entry of the log."""
        held = queries.links_in_force(stage)
        taken: list[Any] = links.export_place_links(stage, what="api", by=self.account) if held else []
        for one in taken:
            one.path = reverse("place", args=[links.place_link_token(one)])
        return {"links": taken}

    @list_links.mapping.post
    @changes("", "invite_finalists", _("Make a link for all who hold a place and have none"), gives=MadeLinksAnswer)
    def make_links(self, stage: Stage, given: RequestData) -> dict[str, Any]:
        return {"made": [one.entrant.number for one in links.make_place_links(stage, **given.sent)]}


class PlaceLinkViewSet(PreliminaryViewSet):
    chapter = "finalists"
    serializer_class = LinkStateAnswer

    def get_object(self) -> Stage:
        """The preliminary, if the event has an entrant of this number."""
        found_or_404(self.event.entrants.filter(**self.number).first())
        return super().get_object()

    @property
    def number(self) -> dict[str, int]:
        return {"number": self.kwargs["number"]}

    @changes("/", "invite_finalists", _("A new private link for one who holds a place"), ReplaceLinkRequest, status=201)
    def replace_link(self, stage: Stage, given: RequestData) -> dict[str, Any]:
        made = links.replace_place_link(stage, number=self.kwargs["number"], **{"reason": "", **given.sent})
        return {**self.number, "id": made.pk}

    @changes("/revoke/", "invite_finalists", _("Revoke an entrant's private link"), ReasonRequest)
    def revoke_link(self, stage: Stage, given: RequestData) -> dict[str, Any]:
        """Answers given by it stand."""
        links.revoke_place_link(stage, number=self.kwargs["number"], **given.sent)
        return {**self.number, "id": None}

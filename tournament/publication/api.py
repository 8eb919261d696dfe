"""Releases: what stands in the way of the next, every one there was, released and withdrawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_noop as _
from rest_framework import serializers
from rest_framework.response import Response

from tournament.accounts.queries.roles_given import holders_of_pairs, roles_given_in_play
from tournament.api.errors import found_or_404
from tournament.api.fields import PlainTextField, ReasonRequest, StrictBody, StrictIntegerField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.enums import Role, StageKind
from tournament.core.errors import Refused
from tournament.core.models.stage import Stage
from tournament.events.queries import final_of
from tournament.publication.domain.consent import publishable_content
from tournament.publication.queries.release import releases_of
from tournament.publication.services import release as service
from tournament.ranking.api import PreliminaryViewSet
from tournament.releases.models import Release


class OpenTableAnswer(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    table = serializers.IntegerField()
    state = serializers.CharField()


class BlockAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    tables = OpenTableAnswer(many=True)


class ReleaseLine(serializers.Serializer[Any]):
    """One release in the list; numbers run over the event, whatever the stage."""

    stage = serializers.CharField(source="stage.kind")
    number = serializers.IntegerField()
    digest = serializers.CharField()
    released_at = serializers.DateTimeField()
    released_by = serializers.CharField(source="released_by.username")
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_by = serializers.CharField(source="withdrawn_by.username", default=None, allow_null=True)
    withdrawn_reason = serializers.CharField()


class FinalBlocks(serializers.Serializer[Any]):
    blocks = BlockAnswer(many=True)


class RoleGivenAnswer(serializers.Serializer[Any]):
    """What somebody gave since the first seats were confirmed: the role itself, or a password or PIN to its account;
    with the role taken back since."""

    account = serializers.CharField(source="tenure.user.username")
    role = serializers.ChoiceField(choices=Role.choices, source="tenure.role")
    act = serializers.ChoiceField(choices=["grant_role", "reset_password", "set_pin"], source="entry.action")
    given_by = serializers.CharField(source="entry.actor.username")
    given_at = serializers.DateTimeField(source="entry.at")
    in_effect = serializers.BooleanField(source="tenure.in_effect")
    taken_back_by = serializers.CharField(source="tenure.taken.actor.username", default=None, allow_null=True)
    taken_back_at = serializers.DateTimeField(source="tenure.taken.at", default=None, allow_null=True)


class ResetAnswer(serializers.Serializer[Any]):
    """A password that somebody else gave the account."""

    by = serializers.CharField(source="actor.username", default=None, allow_null=True)
    at = serializers.DateTimeField()


class RoleHolderAnswer(serializers.Serializer[Any]):
    """An organiser's or the chief judge's role, whenever it was given; one that was taken back since the first seats
    were confirmed too. `given_by` is null for one of the founding."""

    account = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Role.choices)
    given_by = serializers.CharField(source="given.actor.username", default=None, allow_null=True)
    given_at = serializers.DateTimeField(source="given.at", default=None, allow_null=True)
    in_effect = serializers.BooleanField()
    taken_back_by = serializers.CharField(source="taken.actor.username", default=None, allow_null=True)
    taken_back_at = serializers.DateTimeField(source="taken.at", default=None, allow_null=True)
    passwords = ResetAnswer(many=True, source="resets")


class ReleasesAnswer(serializers.Serializer[Any]):
    """`next` is the number that a release would have now; `blocks`, those of the preliminary, is empty where nothing
    stands in the way. `final` is null where none is set up."""

    next = serializers.IntegerField()
    blocks = BlockAnswer(many=True)
    final = FinalBlocks(allow_null=True)
    releases = ReleaseLine(many=True)
    roles_given = RoleGivenAnswer(many=True)
    holders = RoleHolderAnswer(many=True)


class ReleaseAnswer(ReleaseLine):
    """One release with its frozen content: public facts alone, names masked, points in whole twelfths.

    A final's has `podium` and `award`, with names in full where consent is given and was not withdrawn since: who was
    masked for that stands in `masked`, and the content then no longer gives the digest.
    """

    audit_seq = serializers.IntegerField()
    audit_hash = serializers.CharField()
    content = serializers.DictField()

    def to_representation(self, instance: Release) -> dict[str, Any]:
        return {**super().to_representation(instance), "content": publishable_content(instance)}


class ReleaseRequest(StrictBody):
    """The number that was seen as `next`; `stage` is the preliminary where it is left out. `words_confirmed` is asked
    for where a text that is frozen may name somebody who was entered since it was recorded."""

    number = StrictIntegerField(min_value=1)
    stage = serializers.ChoiceField(choices=StageKind.values, required=False)
    words_confirmed = PlainTextField(required=False, allow_blank=True, max_length=64)


def serialize_blocks(blocks: Sequence[service.ReleaseBlock]) -> list[dict[str, Any]]:
    return [
        {
            "code": block.code,
            "tables": [{"session": one.session, "table": one.table, "state": str(one.state)} for one in block.tables],
        }
        for block in blocks
    ]


class ReleaseListViewSet(PreliminaryViewSet):
    chapter = "release"

    def members(self, refusal: Refused, found: Stage, given: RequestData) -> Mapping[str, Any]:
        return {"blocks": serialize_blocks(refusal.about)} if refusal.code == "release_blocked" else {}

    @reads("/", "see_release", _("Releases, and what blocks the next"), ReleasesAnswer)
    def list_releases(self, stage: Stage) -> dict[str, Any]:
        verdict, final = service.judge_release(stage), final_of(self.event)
        return {
            "next": verdict.number,
            "blocks": serialize_blocks(verdict.blocks),
            "final": {"blocks": serialize_blocks(service.judge_release(final).blocks)} if final else None,
            "releases": releases_of(stage),
            "roles_given": roles_given_in_play(self.event),
            "holders": holders_of_pairs(self.event),
        }

    @list_releases.mapping.post
    @changes("", "release", _("Release the ranking"), ReleaseRequest, ReleaseAnswer, status=201)
    def release(self, stage: Stage, given: RequestData) -> Response:
        """Frozen and numbered; the public's files follow."""
        sent = given.sent
        asked = found_or_404(final_of(self.event)) if sent.pop("stage", "") == StageKind.FINAL else stage
        made = service.release_results(asked, **sent)
        response = self.respond(made, 201)
        response.headers["Location"] = reverse("api_release", args=[self.event.slug, made.number])
        return response


class ReleaseViewSet(EventViewSet):
    chapter = "release"
    serializer_class = ReleaseAnswer

    def get_object(self) -> Release:
        found = Release.objects.select_related("stage__event", "released_by", "withdrawn_by")
        asked = found.filter(stage__event=self.event, number=self.kwargs["number"])
        return found_or_404(asked.order_by("stage_id").first())

    @reads("/", "see_release", _("One release"))
    def get_release(self, release: Release) -> Release:
        return release

    @changes("/withdraw/", "release", _("Withdraw a release"), ReasonRequest, name="withdraw")
    def withdraw_release(self, release: Release, given: RequestData) -> Release:
        """Withdrawn already: as it stands."""
        return service.withdraw_release(release, **given.sent)

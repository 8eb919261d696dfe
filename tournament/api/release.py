"""Releases: what stands in the way of the next, every one there was, released and withdrawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import path, reverse
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Strict, Text, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.api.standings import StageResource
from tournament.bridge.release_consent import shown_content
from tournament.enums import Role, StageKind
from tournament.errors import Refused
from tournament.models import Release, Stage
from tournament.queries.finalists import final_of
from tournament.queries.release import releases_of
from tournament.queries.roles_given import holders_of_pairs, roles_given_in_play
from tournament.services import release as service


class OpenTableAnswer(serializers.Serializer):
    """A table that is waited for."""

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    state = serializers.CharField()


class BlockAnswer(serializers.Serializer):
    """One reason why nothing can be released."""

    code = serializers.CharField()
    tables = OpenTableAnswer(many=True)


class ReleaseLine(serializers.Serializer):
    """One release in the list; numbers run over the event, whatever the stage."""

    stage = serializers.CharField(source="stage.kind")
    number = serializers.IntegerField()
    digest = serializers.CharField()
    released_at = serializers.DateTimeField()
    released_by = serializers.CharField(source="released_by.username")
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_by = serializers.CharField(source="withdrawn_by.username", default=None, allow_null=True)
    withdrawn_reason = serializers.CharField()


class FinalBlocks(serializers.Serializer):
    """The same of the final, with the podium and the award."""

    blocks = BlockAnswer(many=True)


class RoleGivenAnswer(serializers.Serializer):
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


class ResetAnswer(serializers.Serializer):
    """A password that somebody else gave the account."""

    by = serializers.CharField(source="actor.username", default=None, allow_null=True)
    at = serializers.DateTimeField()


class RoleHolderAnswer(serializers.Serializer):
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


class ReleasesAnswer(serializers.Serializer):
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
        """The content as it may be shown now."""
        return {**super().to_representation(instance), "content": shown_content(instance)}


class ReleaseRequest(Strict):
    """The number that was seen as `next`; `stage` is the preliminary where it is left out. `words_confirmed` is asked
    for where a text that is frozen may name somebody who was entered since it was recorded."""

    number = Whole(min_value=1)
    stage = serializers.ChoiceField(choices=StageKind.values, required=False)
    words_confirmed = Text(required=False, allow_blank=True, max_length=64)


class WithdrawRequest(Strict):
    """Why: for the record, not published."""

    reason = Text(max_length=500)


def told_blocks(blocks: Sequence[service.Block]) -> list[dict[str, Any]]:
    """Every reason with its tables."""
    return [
        {
            "code": block.code,
            "tables": [{"session": one.session, "table": one.table, "state": str(one.state)} for one in block.tables],
        }
        for block in blocks
    ]


class Releases(StageResource):
    """The list, and the next."""

    def members(self, refusal: Refused, found: Stage, given: Given) -> Mapping[str, Any]:
        """Everything that stands in the way."""
        return {"blocks": told_blocks(refusal.about)} if refusal.code == "release_blocked" else {}

    @reads("list_releases", "see_release", _("Releases, and what blocks the next"), ReleasesAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """Newest first."""
        verdict, final = service.judge_release(found), final_of(self.event)
        blocks = told_blocks(verdict.blocks)
        of_final = {"blocks": told_blocks(service.judge_release(final).blocks)} if final else None
        given = roles_given_in_play(self.event)
        answer = {"next": verdict.number, "blocks": blocks, "final": of_final, "releases": releases_of(found)}
        return Answer({**answer, "roles_given": given, "holders": holders_of_pairs(self.event)})

    @writes("release", "release", _("Release the ranking"), ReleaseAnswer, takes=ReleaseRequest, status=201)
    def post(self, found: Stage, given: Given) -> Answer:
        """Frozen and numbered; the public's files follow."""
        stage = final_of(self.event) if given.data.get("stage") == StageKind.FINAL else found
        if stage is None:
            raise not_found()
        confirmed = given.data.get("words_confirmed", "")
        made = service.release(stage, by=given.by, number=given.data["number"], words_confirmed=confirmed)
        return Answer(made, location=reverse("api_release", args=[self.event.slug, made.number]))


class NumberedRelease(Resource):
    """What the addresses about one release share."""

    def find(self, number: int, **path: Any) -> Release:
        """The event's release of this number."""
        found = (
            Release.objects.select_related("stage__event", "released_by", "withdrawn_by")
            .filter(stage__event=self.event, number=number)
            .order_by("stage_id")
            .first()
        )
        if found is None:
            raise not_found()
        return found


class OneRelease(NumberedRelease):
    """One, by number."""

    @reads("get_release", "see_release", _("One release"), ReleaseAnswer)
    def get(self, found: Release, asked: Any) -> Answer:
        """Withdrawn or not."""
        return Answer(found)


class Withdrawal(NumberedRelease):
    """A release taken back."""

    @writes("withdraw_release", "release", _("Withdraw a release"), ReleaseAnswer, takes=WithdrawRequest)
    def post(self, found: Release, given: Given) -> Answer:
        """Withdrawn already: as it stands."""
        return Answer(service.withdraw(found, reason=given.data["reason"], by=given.by))


urlpatterns = [
    path("releases/", Releases.as_view(), name="api_releases"),
    path("releases/<int:number>/", OneRelease.as_view(), name="api_release"),
    path("releases/<int:number>/withdraw/", Withdrawal.as_view(), name="api_withdraw"),
]

"""From the cut to the seats: private links of those who hold a place, and the list of finalists fixed for seating.

No answer to a change holds a link: answers are kept for their keys. Links are read by GET alone.
"""

from typing import Any

from django.urls import path, reverse
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.errors import not_found
from tournament.api.fields import Strict, Text, Truth, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import reads, writes
from tournament.api.standings import StageResource
from tournament.api.standings_final import FinalResource
from tournament.bridge.release_places import live_places
from tournament.enums import StageKind
from tournament.models import Stage
from tournament.queries import invitations as queries
from tournament.services import finalists as services
from tournament.services import invitations as links

LONGEST = 500
DIGEST = 64


class ListedFinalist(serializers.Serializer):
    """One of the fixed list, with the rank that was released."""

    number = serializers.IntegerField(source="entrant.number")
    rank = serializers.IntegerField()


class FinalistsAnswer(serializers.Serializer):
    """The list; empty while it is open. `seen`: what fixing it, or once it is fixed an exchange or opening it, wants to
    have seen of places and list. `next`: who is called first of those who are not on the list; null for nobody, or
    while sharers of a reserve place are undecided."""

    frozen_at = serializers.DateTimeField(allow_null=True)
    frozen_by = serializers.CharField(allow_null=True)
    seen = serializers.CharField()
    finalists = ListedFinalist(many=True)
    next = serializers.IntegerField(allow_null=True)


class LinkAnswer(serializers.Serializer):
    """A link in force: whose, its id, when it was made, and its path."""

    number = serializers.IntegerField()
    id = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    path = serializers.CharField()


class LinksAnswer(serializers.Serializer):
    """Every link in force, by number. Reading them is an entry of the log."""

    links = LinkAnswer(many=True)


class MadeLinksAnswer(serializers.Serializer):
    """Whose links were made; none for a second time."""

    made = serializers.ListField(child=serializers.IntegerField())


class LinkStateAnswer(serializers.Serializer):
    """The link in force after the change, by id; null for none."""

    number = serializers.IntegerField()
    id = serializers.IntegerField(allow_null=True)


class ReplaceLinkRequest(Strict):
    """`seen`: the id of the link that stood before, 0 for none; `reason` is needed where there was one."""

    seen = Whole()
    reason = Text(required=False, allow_blank=True, max_length=LONGEST)


class ListReasonRequest(Strict):
    """Why."""

    reason = Text(max_length=LONGEST)


class ThawRequest(ListReasonRequest):
    """Why. `seen` as it was read."""

    seen = Text(max_length=DIGEST)


class FreezeRequest(Strict):
    """`strike`: who has not answered is struck for `reason`. `seen` as it was read."""

    seen = Text(max_length=DIGEST)
    strike = Truth(required=False)
    reason = Text(required=False, allow_blank=True, max_length=LONGEST)


class ExchangeRequest(Strict):
    """`number` gives the place up, the next `reserve` takes it; either may be left out. `seen` as it was read."""

    seen = Text(max_length=DIGEST)
    number = Whole(min_value=1, required=False)
    reserve = Whole(min_value=1, required=False)
    reason = Text(max_length=LONGEST)


def told(final: Stage) -> dict[str, Any]:
    """The list as it stands."""
    current = Stage.objects.select_related("frozen_by", "event").get(pk=final.pk)
    live = live_places(preliminary_of(current))
    listed = queries.frozen_list(current)
    next_one = live.entrants.get(services.called_next(live, list(listed)) or "")
    return {
        "frozen_at": current.frozen_at,
        "frozen_by": current.frozen_by.get_username() if current.frozen_by else None,
        "seen": services.seen_of(live, list(listed)),
        "finalists": list(listed.values()),
        "next": next_one.number if next_one and listed else None,
    }


def preliminary_of(final: Stage) -> Stage:
    """The stage that was won."""
    return Stage.objects.select_related("event").get(event=final.event_id, kind=StageKind.PRELIMINARY)


class Finalists(FinalResource):
    """The list."""

    @reads("list_finalists", "see_release", _("The list of finalists"), FinalistsAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """As it stands."""
        return Answer(told(found))


class Freezing(FinalResource):
    """Fixed for seating."""

    @writes(
        "freeze_finalists", "freeze_finalists", _("Fix the list of finalists"), FinalistsAnswer, takes=FreezeRequest
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Who has accepted."""
        services.freeze(found, by=given.by, **given.data)
        return Answer(told(found))


class Thawing(FinalResource):
    """Open again."""

    @writes(
        "thaw_finalists",
        "freeze_finalists",
        _("Open the list of finalists again"),
        FinalistsAnswer,
        takes=ThawRequest,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Until a draw of the final is confirmed."""
        services.thaw(found, by=given.by, **given.data)
        return Answer(told(found))


class Exchange(FinalResource):
    """One for the next."""

    @writes(
        "exchange_finalist",
        "freeze_finalists",
        _("A finalist gives the place up, the next reserve takes it, or both"),
        FinalistsAnswer,
        takes=ExchangeRequest,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """In one act."""
        services.exchange(found, by=given.by, **given.data)
        return Answer(told(found))


class Links(StageResource):
    """Private links of those who hold a place."""

    @reads("list_links", "invite_finalists", _("The private links in force"), LinksAnswer)
    def get(self, found: Stage, asked: Any) -> Answer:
        """For whoever sends them; each time an entry of the log."""
        taken = links.take_out(found, what="api", by=self.request.user) if queries.links_in_force(found) else []
        listed = [
            {
                "number": one.entrant.number,
                "id": one.pk,
                "made_at": one.made_at,
                "path": reverse("place", args=[links.token_of(one)]),
            }
            for one in taken
        ]
        return Answer({"links": listed})

    @writes("make_links", "invite_finalists", _("Make a link for all who hold a place and have none"), MadeLinksAnswer)
    def post(self, found: Stage, given: Given) -> Answer:
        """Reserves who were called among them."""
        made = links.make_links(found, by=given.by)
        return Answer({"made": [one.entrant.number for one in made]})


class OneLink(StageResource):
    """One entrant's."""

    def find(self, number: int, **path: Any) -> Stage:
        """The preliminary, if the event has an entrant of this number."""
        if not self.event.entrants.filter(number=number).exists():
            raise not_found()
        return super().find()

    @writes(
        "replace_link",
        "invite_finalists",
        _("A new private link for one who holds a place"),
        LinkStateAnswer,
        takes=ReplaceLinkRequest,
        status=201,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """The one before counts no more."""
        number, seen = self.kwargs["number"], given.data["seen"]
        reason = given.data.get("reason", "")
        made = links.replace_link(found, number=number, seen=seen, reason=reason, by=given.by)
        return Answer({"number": number, "id": made.pk})


class OneLinkRevoked(OneLink):
    """One entrant's, taken back."""

    @writes(
        "revoke_link",
        "invite_finalists",
        _("Revoke an entrant's private link"),
        LinkStateAnswer,
        takes=ListReasonRequest,
    )
    def post(self, found: Stage, given: Given) -> Answer:
        """Answers given by it stand."""
        links.revoke_link(found, number=self.kwargs["number"], by=given.by, **given.data)
        return Answer({"number": self.kwargs["number"], "id": None})


urlpatterns = [
    path("final/finalists/", Finalists.as_view(), name="api_finalists"),
    path("final/finalists/links/", Links.as_view(), name="api_links"),
    path("final/finalists/freeze/", Freezing.as_view(), name="api_freeze_finalists"),
    path("final/finalists/thaw/", Thawing.as_view(), name="api_thaw_finalists"),
    path("final/finalists/exchange/", Exchange.as_view(), name="api_exchange_finalist"),
    path("final/finalists/<int:number>/link/", OneLink.as_view(), name="api_replace_link"),
    path("final/finalists/<int:number>/link/revoke/", OneLinkRevoked.as_view(), name="api_revoke_link"),
]

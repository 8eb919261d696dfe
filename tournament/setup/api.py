"""The final as it is set up: its rules, rounds and hours, or that its date is to be announced."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.fields import EventDateTimeField, StrictBody, StrictIntegerField
from tournament.api.keys import RequestData
from tournament.api.operations import changes, reads
from tournament.api.viewsets import EventViewSet
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.events.api import SessionAnswer
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.events.queries import final_of
from tournament.publication.services import public_pages
from tournament.setup.queries import sessions_of_later_stage
from tournament.setup.services.later_stage import StagePlan, plan_over_existing_rows, set_up_stage
from tournament.setup.services.plan import PLANNED_TIME_FIELDS, SEATS_PER_TABLE, PlannedSession

ROUND_MAX_TABLES = 500


class RoundRequest(StrictBody):
    """The session of one round. `capacity` left out: four a table."""

    check_in_at = EventDateTimeField()
    seating_at = EventDateTimeField()
    play_at = EventDateTimeField()
    ends_at = EventDateTimeField()
    table_count = StrictIntegerField(min_value=1, max_value=ROUND_MAX_TABLES)
    capacity = StrictIntegerField(min_value=1, max_value=SEATS_PER_TABLE * ROUND_MAX_TABLES, required=False)


class FinalRequest(StrictBody):
    """`ruleset`: a preset's name, or a base with what differs. `sessions`: one a round; none while the date is to be
    announced."""

    ruleset = serializers.JSONField()
    rounds = StrictIntegerField(min_value=1, max_value=STAGE_MAX_ROUNDS)
    sessions = serializers.ListSerializer[Any](child=RoundRequest(), max_length=STAGE_MAX_ROUNDS)


class FinalAnswer(serializers.Serializer[Any]):
    """The final as it stands; `rounds` 0: none is set up, and its ruleset is null. The ETag is of the set-up of the
    whole event."""

    ruleset = serializers.JSONField()
    rounds = serializers.IntegerField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    sessions = SessionAnswer(many=True)


def read_planned_session(given: Mapping[str, Any]) -> PlannedSession:
    hours = {name: given[name] for name in PLANNED_TIME_FIELDS}
    tables = given["table_count"]
    return PlannedSession(**hours, table_count=tables, capacity=given.get("capacity", SEATS_PER_TABLE * tables))


class FinalSetupViewSet(EventViewSet):
    chapter = "setup"
    serializer_class = FinalAnswer
    versioned = match = True

    def told(self, event: Event) -> dict[str, Any]:
        final = final_of(event)
        return {
            "ruleset": final.ruleset if final else None,
            "rounds": final.rounds if final else 0,
            "frozen_at": final.frozen_at if final else None,
            "sessions": sessions_of_later_stage(event),
        }

    def etag_revision(self, data: Mapping[str, Any]) -> int:
        return self.event.revision

    def members(self, refusal: Refused, found: Event, given: RequestData) -> Mapping[str, Any]:
        if not isinstance(refusal, StaleVersion):
            return {}
        return {"current": FinalAnswer(self.told(Event.objects.get(pk=found.pk))).data}

    @reads("/", "see_desk", _("The final as it is set up"))
    def get_final(self, event: Event) -> dict[str, Any]:
        return self.told(event)

    @get_final.mapping.put
    @changes("", "set_up_event", _("Set up the final"), FinalRequest)
    def set_up_final(self, event: Event, given: RequestData) -> dict[str, Any]:
        """The whole of it: a round left out is removed; hours in their order are those of the rounds that are there."""
        asked = [read_planned_session(each) for each in given.data["sessions"]]
        sessions = plan_over_existing_rows(asked, sessions_of_later_stage(event))
        plan = StagePlan(given.data["ruleset"], given.data["rounds"], sessions)
        self.event = set_up_stage(event, revision=given.revision or 0, plan=plan, by=given.by)
        # Its winners have a page on the wall from now on.
        transaction.on_commit(lambda: public_pages.rebuild_public_files(self.event))
        return self.told(self.event)

"""The final as it is set up: its rules, rounds and hours, or that its date is to be announced."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.urls import path
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _
from rest_framework import serializers

from tournament.api.events import SessionAnswer
from tournament.api.fields import Strict, Whole
from tournament.api.keys import Answer, Given
from tournament.api.resource import Resource, reads, writes
from tournament.errors import Refused, StaleVersion
from tournament.models import Event
from tournament.queries.finalists import final_of
from tournament.queries.setup import rounds_of_final
from tournament.services import public_pages
from tournament.services.setup_final import MOST_ROUNDS, FinalPlan, over_rows, set_up_final
from tournament.services.setup_plan import SEATS, TIMES, PlannedSession

MOST_TABLES = 500
YEARS = range(2000, 2100)


class Moment(serializers.DateTimeField):
    """ISO 8601 with an offset; without one by the event's clock."""

    default_error_messages = {"year": gettext_lazy("Write a moment from 2000 to 2099.")}

    def to_internal_value(self, value: Any) -> datetime:
        """Of this century: every zone knows it."""
        if not isinstance(value, str):
            self.fail("invalid", format="YYYY-MM-DDThh:mm[:ss][+HH:MM]")
        if not value[:4].isdecimal() or int(value[:4]) not in YEARS:
            self.fail("year")
        found: datetime = super().to_internal_value(value)
        return found


class RoundRequest(Strict):
    """The session of one round. `capacity` left out: four a table."""

    check_in_at = Moment()
    seating_at = Moment()
    play_at = Moment()
    ends_at = Moment()
    table_count = Whole(min_value=1, max_value=MOST_TABLES)
    capacity = Whole(min_value=1, max_value=SEATS * MOST_TABLES, required=False)


class FinalRequest(Strict):
    """`ruleset`: a preset's name, or a base with what differs. `sessions`: one a round; none while the date is to be
    announced."""

    ruleset = serializers.JSONField()
    rounds = Whole(min_value=1, max_value=MOST_ROUNDS)
    sessions = RoundRequest(many=True, max_length=MOST_ROUNDS)


class FinalAnswer(serializers.Serializer):
    """The final as it stands; `rounds` 0: none is set up, and its ruleset is null. The ETag is of the set-up of the
    whole event."""

    ruleset = serializers.JSONField()
    rounds = serializers.IntegerField()
    frozen_at = serializers.DateTimeField(allow_null=True)
    sessions = SessionAnswer(many=True)


def told(event: Event) -> Answer:
    """As it stands, with the revision of the set-up."""
    final = final_of(event)
    said = {
        "ruleset": final.ruleset if final else None,
        "rounds": final.rounds if final else 0,
        "frozen_at": final.frozen_at if final else None,
        "sessions": rounds_of_final(event),
    }
    return Answer(said, revision=event.revision)


def planned(given: Mapping[str, Any]) -> PlannedSession:
    """A session as it is asked for."""
    hours = {name: given[name] for name in TIMES}
    tables = given["table_count"]
    return PlannedSession(**hours, table_count=tables, capacity=given.get("capacity", SEATS * tables))


class Final(Resource):
    """The one final of an event."""

    def members(self, refusal: Refused, found: Event, given: Given) -> Mapping[str, Any]:
        """The final as somebody else has set it up."""
        if not isinstance(refusal, StaleVersion):
            return {}
        return {"current": FinalAnswer(told(Event.objects.get(pk=found.pk)).thing).data}

    @reads("get_final", "see_desk", _("The final as it is set up"), FinalAnswer, versioned=True)
    def get(self, found: Event, asked: Any) -> Answer:
        """Its rounds and hours."""
        return told(found)

    @writes("set_up_final", "set_up_event", _("Set up the final"), FinalAnswer, takes=FinalRequest, match=True)
    def put(self, found: Event, given: Given) -> Answer:
        """The whole of it: a round left out is removed; hours in their order are those of the rounds that are there."""
        sessions = over_rows([planned(each) for each in given.data["sessions"]], rounds_of_final(found))
        plan = FinalPlan(given.data["ruleset"], given.data["rounds"], sessions)
        changed = set_up_final(found, revision=given.revision or 0, plan=plan, by=given.by)
        # Its winners have a page on the wall from now on.
        transaction.on_commit(lambda: public_pages.write_anew(changed))
        return told(changed)


urlpatterns = [path("final/", Final.as_view(), name="api_final")]

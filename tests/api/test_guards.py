"""What the database itself refuses, and what is refused without it, as the API says it; on the database of this run."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from rest_framework import serializers
from rest_framework.test import APIRequestFactory, force_authenticate

from tests.api.caller import Caller, code
from tests.guards_lifted import lift, settle_constraints
from tests.operations.sheets import path_of
from tests.sheets.sheets import mirrored_tables
from tournament.api.operations import reads
from tournament.api.viewsets import EventViewSet
from tournament.audit import triggers
from tournament.core.models.event import Event
from tournament.core.models.stage import Session


class Careless(EventViewSet):
    """An address that forgets to ask whether a sheet is locked."""

    @reads("/", "see_desk", "careless", serializers.Serializer)
    def careless(self, event: Event) -> dict[str, Any]:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE tournament_scoresheet SET digest = 'x'")
        return {}


@pytest.mark.fault("T1")
def test_a_change_that_only_the_guard_refuses_is_423(event: Event, first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    settle_constraints()
    request = APIRequestFactory().get("/")
    force_authenticate(request, organiser)
    response = Careless.as_view({"get": "careless"})(request, event=event.slug).render()
    assert (response.status_code, response.data["code"]) == (423, "locked_scoresheet")
    assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.fault("T8")
def test_without_guards_a_program_reads_and_writes_nothing(
    event: Event, first_session: Session, organiser: User
) -> None:
    mirrored_tables(first_session, organiser)
    settle_constraints()
    program = Caller(organiser)
    with transaction.atomic():
        lift()
        triggers._databases_with_triggers.clear()
        refused = program.change(path_of(1, "stamp/"), seen=3)
        assert code(refused) == (503, "guard_missing")
        assert (refused["Content-Type"], refused["Retry-After"]) == ("application/problem+json", "2")
        assert program.get(path_of()).status_code == 200
        assert triggers.install_triggers() != []
    assert code(program.change(path_of(1, "stamp/"), seen=9)) == (412, "scoresheet_changed")

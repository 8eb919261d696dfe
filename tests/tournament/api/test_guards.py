"""What the database itself refuses, and what is refused without it, as the API says it; on the database of this run."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from rest_framework import serializers
from rest_framework.test import APIRequestFactory, force_authenticate

from tests.guards_lifted import lift, settle_constraints
from tests.tournament.api.caller import Caller, code
from tests.tournament.api.sheets import path_of
from tests.tournament.sheets import mirrored_tables
from tournament import guards
from tournament.api.keys import Answer
from tournament.api.resource import Resource, reads
from tournament.models import Event, Session


class Careless(Resource):
    """An address that forgets to ask whether a sheet is locked."""

    @reads("careless", "see_desk", "careless", serializers.Serializer)
    def get(self, found: Event, asked: Any) -> Answer:
        """Straight to the table."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE tournament_scoresheet SET digest = 'x'")
        return Answer({})


@pytest.mark.fault("T1")
def test_a_change_that_only_the_guard_refuses_is_423(event: Event, first_session: Session, organiser: User) -> None:
    mirrored_tables(first_session, organiser)
    settle_constraints()
    request = APIRequestFactory().get("/")
    force_authenticate(request, organiser)
    response = Careless.as_view()(request, event=event.slug).render()
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
        guards._standing.clear()
        refused = program.change(path_of(1, "stamp/"), seen=3)
        assert code(refused) == (503, "guard_missing")
        assert (refused["Content-Type"], refused["Retry-After"]) == ("application/problem+json", "2")
        assert program.get(path_of()).status_code == 200
        assert guards.install() != []
    assert code(program.change(path_of(1, "stamp/"), seen=9)) == (412, "scoresheet_changed")

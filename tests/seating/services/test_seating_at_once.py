"""Seats of a final confirmed by one while another opens the list of finalists: never both."""

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, freeze, preliminary_played
from tests.sheets.services.test_scoresheets_at_once import WRITERS, at_once, people  # noqa: F401
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists
from tournament.seating.services import seating
from tournament.tables.models import Draw

pytestmark = pytest.mark.django_db(transaction=True)


def test_seats_are_confirmed_or_the_list_is_opened_and_never_both(people: list[User]) -> None:  # noqa: F811
    first = Session.objects.select_related("stage__event").get(number=1)
    preliminary = preliminary_played(first, people[0])
    final = add_final(preliminary.event)
    listed = [one.entrant.number for one in freeze(final, people[0])]
    seen = finalists.finalists_seen_digest(live_places(preliminary), listed)
    session = final.sessions.select_related("stage__event").get()
    seating.draw_session(session, seed=1, by=people[0])

    def act(number: int) -> None:
        if number % 2:
            finalists.thaw_finalists(final, seen=seen, reason="One more has answered.", by=people[number])
        else:
            seating.confirm_session_draw(session, revision=1, by=people[number])

    answers = at_once(act)
    confirmed = Draw.objects.get(session=session).confirmed_at is not None
    fixed = Stage.objects.get(pk=final.pk).frozen_at is not None
    assert confirmed == fixed == (Finalist.objects.count() == 12)
    assert answers == ({"done": 3, "final_drawn": 3} if confirmed else {"done": 3, "finalists_not_fixed": 3})
    assert WRITERS == 6

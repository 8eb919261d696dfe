"""Who plays a stage: a final has its frozen list in every round, and what happens there changes no ranking before."""

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, final_played, freeze, preliminary_played
from tournament.core.enums import EntrantStatus, StageKind
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import entrants_of_session, entrants_of_stage
from tournament.events.queries import rounds_before
from tournament.ranking.domain.standings import live_ranking

pytestmark = pytest.mark.django_db


def test_every_finalist_plays_every_round_and_nobody_else_does(first_session: Session, organiser: User) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event, rounds=3)
    freeze(final, organiser, range(1, 9))
    rounds = list(final.sessions.order_by("number"))
    assert [one.number for one in rounds] == [13, 14, 15]
    playing = [[entrant.number for entrant in entrants_of_session(one).order_by("number")] for one in rounds]
    assert playing == [list(range(1, 9))] * 3
    assert [entrant.number for entrant in entrants_of_stage(final).order_by("number")] == list(range(1, 9))
    assert [one.number for one in rounds_before(rounds[2])] == [13, 14]
    assert entrants_of_session(first_session).count() == 12


def test_the_ranking_of_a_final_counts_all_rounds_and_leaves_the_preliminary_as_it_was(
    first_session: Session, organiser: User
) -> None:
    final = final_played(first_session, organiser, rounds=3)
    preliminary = Stage.objects.get(event=final.event, kind=StageKind.PRELIMINARY)
    before = live_ranking(preliminary)
    assert {ranked.games for ranked in before.ranked} == {3}
    assert {ranked.games for ranked in live_ranking(final).ranked} == {9}
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    assert live_ranking(preliminary) == before
    assert [(one.number, one.because) for one in live_ranking(final).unranked] == [(1, "disqualified")]

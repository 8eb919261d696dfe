"""The ranking of the final: over all rounds, after each of them, and why somebody stands where they stand."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, final_played, freeze, play_round, preliminary_played, seat_round
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.ranking.domain.standings import live_ranking

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/final/ranking/"


def page(client: Any, address: str = PAGE) -> str:
    client.cookies["django_language"] = "en"
    answer = client.get(address)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def numbers(shown: str) -> list[int]:
    """Of the ranked, in order."""
    return [int(part[:4]) for part in shown.split('<tr id="n')[1:]]


@pytest.fixture
def two_of_three(first_session: Session, organiser: User) -> Stage:
    """Three rounds, two of them played, of the third one table."""
    final = add_final(preliminary_played(first_session, organiser).event, rounds=3)
    freeze(final, organiser)
    first, second, third = final.sessions.order_by("number")
    for one in (first, second, third):
        seat_round(one, organiser)
    play_round(first, organiser)
    play_round(second, organiser)
    return final


def test_before_the_first_sheet_it_starts_from_nothing(first_session: Session, organiser: User, signed_in: Any) -> None:
    final = add_final(preliminary_played(first_session, organiser).event)
    freeze(final, organiser)
    shown = page(signed_in(organiser))
    assert "No ranking yet" in shown and shown.count("no game played") == 13


def test_it_stands_after_each_round(two_of_three: Stage, auditor: User, signed_in: Any) -> None:
    first = two_of_three.sessions.order_by("number").first()
    client = signed_in(auditor)
    now = page(client)
    assert "After round 2 of 3" in now and "The average divides by 9 games" in now
    assert numbers(now) == [one.number for one in live_ranking(two_of_three).ranked]
    before = page(client, f"{PAGE}?after=1")
    assert "After round 1 of 3" in before
    assert numbers(before) == [one.number for one in live_ranking(two_of_three, first.number).ranked]
    assert "After round 2 of 3" in page(client, f"{PAGE}?after=3")


def test_a_round_that_comes_in_says_how_much_of_it_is_there(
    two_of_three: Stage, organiser: User, signed_in: Any
) -> None:
    third = two_of_three.sessions.order_by("number").last()
    # A table at which nobody is left to play is not waited for.
    Entrant.objects.filter(seats__table__session=third, seats__table__number=1).update(status=EntrantStatus.WITHDRAWN)
    assert "After round 2 of 3" in page(signed_in(organiser))


def test_one_finalist_is_explained_round_by_round(first_session: Session, organiser: User, signed_in: Any) -> None:
    final = final_played(first_session, organiser, rounds=3)
    leader = live_ranking(final).ranked[0]
    shown = page(signed_in(organiser), f"{PAGE}{leader.number}/")
    assert shown.count('<th scope="rowgroup"') == 3
    assert "Why before rank" in shown and "÷ 9" in shown and "line" not in shown.split("<h1>")[1].split("<svg")[0]


def test_who_left_the_final_has_no_rank_in_it_and_keeps_the_place_before(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    final_played(first_session, organiser)
    Entrant.objects.filter(number=1).update(status=EntrantStatus.WITHDRAWN)
    client = signed_in(organiser)
    assert "so does the place in the preliminary" in page(client, f"{PAGE}1/")
    before = page(client, "/desk/hk-2026/preliminary/ranking/1/")
    assert "so does the place" not in before and f'href="{PAGE}1/"' in before


def test_who_is_no_finalist_is_explained_where_they_stand(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    final = add_final(preliminary_played(first_session, organiser).event)
    freeze(final, organiser, [1, 2, 3])
    client = signed_in(organiser)
    assert client.get(f"{PAGE}4/").headers["Location"] == "/desk/hk-2026/preliminary/ranking/4/"
    assert client.get(f"{PAGE}99/").status_code == 404


@pytest.mark.parametrize(("rounds", "queries"), [(1, 8), (2, 11), (3, 11)])
def test_it_asks_as_many_queries_for_three_rounds_as_for_two_and_counts_none_of_one(
    rounds: int, queries: int, first_session: Session, organiser: User, signed_in: Any, django_assert_num_queries: Any
) -> None:
    final_played(first_session, organiser, rounds=rounds)
    client = signed_in(organiser)
    client.get(PAGE)
    with django_assert_num_queries(queries):
        client.get(PAGE)

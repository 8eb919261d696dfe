"""Addresses of before each stage had its own lead to the new ones, with all that was sent."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.core.finals import final_played
from tests.sheets.sheets import mirrored_tables
from tournament.core.models.stage import Session
from tournament.ranking.models.tie_break import TieBreak

pytestmark = pytest.mark.django_db
OLD = {
    "standings/?q=6": "preliminary/ranking/?q=6",
    "standings/6/": "preliminary/ranking/6/",
    "final/standings/?after=1": "final/ranking/?after=1",
    "final/standings/6/": "final/ranking/6/",
    "qualification/": "preliminary/qualification/",
    "places/": "preliminary/places/",
    "play-off/line/?tied=0002+0006": "preliminary/play-off/line/?tied=0002+0006",
    "lots/podium/?tied=0001": "final/lots/podium/?tied=0001",
    "lots/reserve/": "preliminary/lots/reserve/",
}


@pytest.mark.parametrize(("old", "new"), OLD.items())
def test_what_was_bookmarked_is_found(
    first_session: Session, organiser: User, chief_judge: User, signed_in: Any, old: str, new: str
) -> None:
    final_played(first_session, organiser)
    answer = signed_in(chief_judge).get(f"/desk/hk-2026/{old}")
    assert (answer.status_code, answer["Location"]) == (302, f"/desk/hk-2026/{new}")


def test_what_a_page_of_before_sends_is_sent_on_and_does_not_use_up_its_form(
    first_session: Session, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    mirrored_tables(first_session, organiser)
    desk: Client = signed_in(chief_judge)
    given = {"tied": "2,6", "places": "1", "method": "pick", "admitted": ["6"], "reason": "0006 won."}
    answer = desk.post("/desk/hk-2026/qualification/", {"request_key": "k", **given}, follow=True)
    assert answer.redirect_chain[0] == ("/desk/hk-2026/preliminary/qualification/", 307)
    assert (answer.status_code, TieBreak.objects.get().admitted) == (200, ["0006"])


def test_a_page_of_a_stage_that_is_not_there_is_not_found_and_nobody_outside_learns_of_one(
    first_session: Session, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    final_played(first_session, organiser)
    desk = signed_in(chief_judge)
    assert desk.get("/desk/hk-2026/semi-final/ranking/").status_code == 404
    assert "/sign-in/" in Client().get("/desk/hk-2026/standings/")["Location"]

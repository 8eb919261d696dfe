"""An event that ends with its first stage, by other rules than Hong Kong's: a league evening by Twist (000)."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.small_event import league_fixtures
from tests.squeezed import squeezed
from tournament.core.enums import UNRANKED_REASON_WORDS
from tournament.core.models.event import Event
from tournament.demo.stages import seed_event
from tournament.publication.services.files import write_public_files
from tournament.ranking.domain.standings import LiveRanking, live_ranking

ENTRANTS = 14


@pytest.fixture
def evening(db: None, tmp_path: Path) -> Event:
    """Three tables of four and one of two, one player withdrawn: played, stamped and released."""
    event = seed_event("released", 1, league_fixtures(tmp_path / "league", "twist", ENTRANTS))
    write_public_files(event)
    return event


@pytest.fixture
def live(evening: Event) -> LiveRanking:
    return live_ranking(evening.stages.get())


def desk_page(evening: Event, name: str, *args: Any) -> str:
    """A page of the desk in English."""
    desk = Client()
    desk.force_login(User.objects.get(username="organiser"))
    desk.cookies["django_language"] = "en"
    return squeezed(desk.get(reverse(name, args=[evening.slug, "preliminary", *args])).content.decode())


def test_nobody_is_in_or_out_where_nobody_advances(evening: Event, live: LiveRanking) -> None:
    pages = [desk_page(evening, "standings"), *(desk_page(evening, "standing", one.number) for one in live.ranked[:3])]
    words = ("in as it stands", "out as it stands", "provisional", "The line after", "Results and the line", "advance.")
    assert [(word, number) for number, page in enumerate(pages) for word in words if word in page] == []


def test_who_has_no_rank_is_told_why(evening: Event, live: LiveRanking) -> None:
    [out] = live.unranked
    with translation.override("en"):
        why = str(UNRANKED_REASON_WORDS[out.because])
    assert why in desk_page(evening, "standing", out.number)


def test_wins_then_the_total_decide_and_the_public_reads_so(evening: Event, live: LiveRanking) -> None:
    order = [(one.wins, one.points) for one in live.ranked]
    assert order == sorted(order, reverse=True)
    page = squeezed(Client().get(f"/p/{evening.slug}/1/en/").content.decode())
    assert re.search(r"<h1[^>]*>\s*Ranking", page)
    assert "Preliminary" not in page
    assert "Average" not in page
    winners = squeezed(Client().get(f"/p/{evening.slug}/1/winners/en/").content.decode())
    assert ("Champion" in winners, "Final ranking" in winners) == (True, False)

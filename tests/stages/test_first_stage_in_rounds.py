"""A first stage that all play in rounds: a league evening by Twist, drawn anew for each round (R38, 000)."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.small_event import league_fixtures
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.demo.stages import seed_event
from tournament.publication.services.files import write_public_files
from tournament.ranking.domain.standings import live_ranking
from tournament.tables.models import Seat

ENTRANTS, ROUNDS = 14, 3


@pytest.fixture
def evening(db: None, tmp_path: Path) -> Event:
    event = seed_event("released", 1, league_fixtures(tmp_path / "league", "twist", ENTRANTS, ROUNDS))
    write_public_files(event)
    return event


def desk_page(evening: Event, name: str, *args: Any) -> str:
    """A page of the desk in English."""
    desk = Client()
    desk.force_login(User.objects.get(username="organiser"))
    desk.cookies["django_language"] = "en"
    response = desk.get(reverse(name, args=[evening.slug, *args]), follow=True)
    assert response.status_code == 200
    return squeezed(response.content.decode())


def test_everybody_sits_in_each_round_and_meets_others(evening: Event) -> None:
    stage: Stage = evening.stages.get()
    met: list[tuple[int, int]] = []
    for session in stage.sessions.order_by("number"):
        seats = Seat.objects.filter(session=session).values_list("table", "entrant__number")
        assert sorted(number for _table, number in seats) == list(range(1, ENTRANTS + 1))
        tables: dict[int, list[int]] = {}
        for table, number in seats:
            tables.setdefault(table, []).append(number)
        met += [pair for sitting in tables.values() for pair in combinations(sorted(sitting), 2)]
    # Three tables of four and one of two: 19 pairs a round of the 91 that there are.
    assert (len(met), len(met) - len(set(met))) == (57, 3)


def test_the_ranking_counts_the_games_of_all_rounds(evening: Event) -> None:
    live = live_ranking(evening.stages.get())
    assert ([one.rank for one in live.ranked][:1], len(live.ranked), live.unranked) == ([1], ENTRANTS, ())
    page = desk_page(evening, "standing", "preliminary", live.ranked[0].number)
    assert [f"Round {number}" in page for number in (1, 2, 3)] == [True] * 3


@pytest.mark.long
def test_no_page_of_an_event_that_ends_with_its_first_stage_speaks_of_a_final(evening: Event) -> None:
    """Every page that the desk's and the public's links lead to, three of each kind."""
    desk = Client()
    desk.force_login(User.objects.get(username="organiser"))
    desk.cookies["django_language"] = "en"
    ways, seen, kinds, said = [f"/desk/{evening.slug}/", f"/p/{evening.slug}/en/"], set(), Counter(), []
    ways.append(reverse("award", args=[evening.slug, "preliminary"]))
    while ways:
        address = ways.pop()
        kind = re.sub(r"\d+", "0", address)
        if address in seen or kinds[kind] == 3:
            continue
        seen.add(address)
        kinds[kind] += 1
        answer = desk.get(address)
        if answer.has_header("Location"):
            ways.append(answer["Location"])
            continue
        if "html" not in answer.get("Content-Type", ""):
            continue
        html = re.sub(r"<script[\s\S]*?</script>", "", squeezed(answer.content.decode()))
        ways += [one for one in re.findall(r'href="([^"#?]+)', html) if one.split("/")[2:3] == [evening.slug]]
        text = re.sub(r"<[^>]+>", " ", html)
        said += [(address, found) for found in re.findall(r"finalist|the final|preliminary", text, re.IGNORECASE)]
        assert answer.status_code == 200, address
    # Backups are of the whole installation; the rules' form says what else there is.
    elsewhere = ("/backup/", "/setup/rules/")
    assert [one for one in said if not one[0].endswith(elsewhere)] == []
    assert len(seen) > 60

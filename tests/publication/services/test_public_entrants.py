"""Why am I third: a page an entrant and language, written at the release, without anything of the person."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.models.stage import Session
from tournament.publication.services.release import release_results, withdraw_release
from tournament.releases.models import Release

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
URLS = {"home_url": "", "other_language_url": "", "ranking_url": "", "replaced_by": "", "replaced_by_url": ""}


@pytest.fixture
def made(first_session: Session, organiser: User, django_capture_on_commit_callbacks: Any) -> Release:
    mirrored_tables(first_session, organiser, advance=4)
    with django_capture_on_commit_callbacks(execute=True):
        return release_results(first_session.stage, by=organiser, now=ANNOUNCED)


def read(path: str) -> str:
    """A page's text without its markup."""
    page = Client().get(path).content.decode().replace("</td>", " ")
    return " ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", "", page, flags=re.DOTALL).split())


def test_each_entrant_reads_why_in_both_languages(made: Release) -> None:
    page = read("/p/hk-2026/1/0003/")
    assert "為何不是第 3= 名？" in page and "線上最後一位" in page
    assert "你是 0 局，對方是 1 局：差 1 局，在此決定。" in page
    assert "你與 0007 同列第 5= 名：各項全同。" in page and "候補 1=" in page
    english = read("/p/hk-2026/1/0003/en/")
    assert "Yours: 0 wins, theirs: 1 win. The difference, 1 win, decided it." in english
    assert "Why above the line?" in read("/p/hk-2026/1/0001/en/")


def test_the_games_stand_there_from_the_frozen_content(made: Release) -> None:
    assert "1 1 +30 0 2 1 +30 0 3 1 +12 1/2 5 合計 3 +72 1/2 5" in read("/p/hk-2026/1/0001/")
    assert made.content["ranking"][0]["games"] == [[1, 360, 0], [1, 360, 0], [1, 150, 5]]


def test_nothing_but_number_and_masked_name_is_said_of_anybody(made: Release) -> None:
    paths = [f"/p/hk-2026/1/{number:04d}/{tail}" for number in range(1, 9) for tail in ("", "en/")]
    bodies = "".join(squeezed(Client().get(path).content.decode()) for path in paths)
    told = ("李大小", "Tai1", "+852", "9123", "example.org", "2014", "@@", "style=")
    assert [word for word in told if word in bodies] == []


def test_the_ranking_leads_to_each_page_and_the_page_back(made: Release) -> None:
    for path in ("/p/hk-2026/", "/p/hk-2026/1/"):
        assert 'class="no" href="/p/hk-2026/1/0003/"' in squeezed(Client().get(path).content.decode())
    page = squeezed(Client().get("/p/hk-2026/1/0003/en/").content.decode())
    assert 'href="/p/hk-2026/1/en/#n0003"' in page and 'href="/p/hk-2026/1/0003/"' in page


def test_it_is_served_as_the_others_are(made: Release) -> None:
    plain = Client().get("/p/hk-2026/1/0003/")
    zipped = Client().get("/p/hk-2026/1/0003/", HTTP_ACCEPT_ENCODING="gzip")
    assert (plain.status_code, plain.headers["Vary"]) == (200, "Accept-Encoding")
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert plain.headers["ETag"] != zipped.headers["ETag"]
    assert Client().get("/p/hk-2026/1/0003/", HTTP_IF_NONE_MATCH=plain.headers["ETag"]).status_code == 304
    assert [Client().get(f"/p/hk-2026/1/{name}/").status_code for name in ("0009", "3", "00003")] == [404] * 3


def test_of_a_withdrawn_release_they_are_gone(
    made: Release, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Wrong.", by=organiser)
    assert [Client().get(f"/p/hk-2026/1/0003/{tail}").status_code for tail in ("", "en/")] == [410, 410]

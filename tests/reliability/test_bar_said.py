"""A small sample of what the bar said, and its control: a tablet that believes what it was once told."""

import pytest
from playwright.sync_api import Browser

from tests.reliability import bar_said
from tests.reliability.bar_said_world import Server, make_page
from tournament.services import clock

pytestmark = [pytest.mark.browser, pytest.mark.page_on_sqlite, pytest.mark.django_db(transaction=True)]


def test_whatever_happens_the_bar_never_says_more_than_the_server_has(chromium: Browser) -> None:
    found = bar_said.run(chromium, histories=12, seed=3)
    assert found.problems == []
    assert (found.histories, found.said_all > 40, found.recorded > 25, found.with_desk > 3) == (12, True, True, True)


def test_a_tablet_that_compares_nothing_is_caught(chromium: Browser) -> None:
    assert bar_said.run(chromium, histories=8, seed=1, careless=True).failed > 0


@pytest.mark.parametrize("end", ["cut_off", "close"])
def test_a_tablet_that_ended_in_the_players_hands_is_taken_back_and_hands_over_what_it_has(
    chromium: Browser, end: str
) -> None:
    server = Server()
    page = make_page(chromium, server, careless=False)
    history = bar_said.History(server, page, 1, bar_said.Outcome())
    history.begin()
    history.do_offline()
    history.make(1, "call", {"reason": "a tile fell"}, match=False)
    history.hand("handOut", 1)
    if end == "cut_off":
        history.do_cut_off()
    else:
        clock.move_session(server.session(1), "close", by=server.organiser, request_key=server.key(), reason="the end")
    history.do_online()
    history.hand("advance", 25000)
    assert history.hand("press", "Hand them to the desk") is False
    history.take_back()
    assert history.hand("press", "Hand them to the desk") is True
    assert history.left() == []
    page.close()
